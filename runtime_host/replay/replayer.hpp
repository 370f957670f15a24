// replayer.hpp: --replay: a device that runs one PE of a recording (recorder.hpp) as another device does, and gives it at its calls what it
// was given then. Only what ends it comes through to the run: its own exit, faults, signals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime_host/device/addresses.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/replay/recording_file.hpp"

namespace mog {

class Replayer final : public Device {
public:
    using u32 = std::uint32_t;
    /// Status of a run that cannot be gone on with, for nobody knows how it ended.
    static constexpr u32 unknown_status = 1;

    /// Of the PE that the recording is of now. `is_debugged`: a PE that was ended while it computed goes on computing, for somebody looks
    /// on.
    Replayer(std::unique_ptr<Device> device, std::shared_ptr<Recording> recording, bool is_debugged,
             std::function<void(std::string_view)> say)
        : device_(std::move(device)), recording_(std::move(recording)), is_debugged_(is_debugged), say_(std::move(say)) {}

    /// Who prints what it prints.
    void print_by(std::function<void(u32 pe, int stream, std::string_view bytes)> print) { print_ = std::move(print); }
    /// Who is told of threads that begin and end.
    void tell_of_threads(std::function<void(u32 pe, bool lives)> tell) { tell_of_thread_ = std::move(tell); }

    // ---- Device

    const DeviceInfo &info() const override { return device_->info(); }
    Result<void> enter_thread() override { return device_->enter_thread(); }
    std::uint64_t bytes_per_pe(const Image &image, u32 data_words) const override { return device_->bytes_per_pe(image, data_words); }
    Result<void> load(const Image &image, const LoadConfig &config) override;
    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) override;
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        return device_->gather(transfers, staging);
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override {
        return device_->scatter(transfers, staging);
    }
    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override { return device_->answer(answers, rows); }
    bool is_busy() override { return device_->is_busy(); }
    void all_ended() override { device_->all_ended(); }
    Result<DeviceStats> stats() override { return device_->stats(); }
    Result<RunCounts> counts() override { return device_->counts(); }

private:
    /// What came from outside, up to the next entry of another kind. `call`: the one that it is in.
    Result<void> give(const Request *call, bool &is_answered);
    Result<void> give(const RecordedEntry &entry, const Request *call);
    Result<void> print(const RecordedEntry &entry, const Request &call);
    /// What the PE stopped for is served. Nothing: it goes on.
    Result<std::optional<Request>> serve(const Request &request);
    Result<std::optional<Request>> serve_end(const Request &request, const RecordedEntry &end, bool is_answered);
    Result<void> take_late();

    // PEs that ran in turns (turns.cpp).
    Result<std::vector<Request>> run_turns(u32 passes);
    Result<u32> run_turn(u32 passes);
    Result<std::uint64_t> count_of(u32 pe);
    Result<bool> comes_to(const RecordedEntry &entry);
    Result<void> look_for_exit(const Request &call);
    Result<void> end_process(const RecordedEntry &end, std::vector<Request> &out);
    void leave_all(const Request &chosen, std::vector<Request> &out);
    bool tells_of(u32 pe) const { return print_ && process_of(pe) == chosen_; }
    Addresses addresses() const;
    u32 process_of(u32 pe) const { return pe % processes_; }
    bool is_same(const Request &request, const RecordedEntry &entry) const;
    static Request call_to_exit(const Request &request, u32 status);
    Error diverges(const Request &request, std::string_view recorded) const;
    std::string place(u32 text_index) const;
    std::string words_of(const Request &request) const;
    std::string words_of(const RecordedEntry &entry) const;

    std::unique_ptr<Device> device_;
    std::shared_ptr<Recording> recording_;
    const bool is_debugged_;
    std::function<void(std::string_view)> say_;
    std::function<void(u32 pe, int stream, std::string_view bytes)> print_;
    std::function<void(u32 pe, bool lives)> tell_of_thread_;
    const Image *image_ = nullptr;
    ReadOnlyData read_only_{};
    u32 data_bytes_ = 0, rows_ = 0;
    u32 processes_ = 1;
    u32 chosen_ = 0;  ///< the PE that is told of
    u32 member_ = 0;  ///< that the recording speaks of now
    AnswerRows answer_rows_;
    /// What a PE of several is.
    struct Member {
        bool lives = false;
        u32 left = 0;   ///< instructions of its turn
        u32 ahead = 0;  ///< it has executed so many of its next turns already, for gdb sees it before MIPS instructions
        bool in_call = false;
        std::optional<Request> stands;  ///< what it has stopped for, before the recording says so
    };
    std::vector<Member> members_;
    std::vector<Request> last_;    ///< by process: what one of its threads stopped for last
    std::vector<bool> has_ended_;  ///< by process
    bool is_over_ = false;
    bool is_begun_ = false, goes_on_ = false;  ///< after the recording's end
};

}  // namespace mog
