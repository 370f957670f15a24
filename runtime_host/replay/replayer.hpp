// replayer.hpp: --replay: a device that runs one PE of a recording (recorder.hpp) as another device does, and gives it at its calls what it
// was given then. Only what ends it comes through to the run: its own exit, faults, signals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime_host/device/device.hpp"
#include "runtime_host/replay/recording_file.hpp"

namespace mog {

class Replayer final : public Device {
public:
    using u32 = std::uint32_t;

    /// Of the PE that the recording is of now. `is_debugged`: a PE that was ended while it computed goes on computing, for somebody looks
    /// on.
    Replayer(std::unique_ptr<Device> device, std::shared_ptr<Recording> recording, bool is_debugged,
             std::function<void(std::string_view)> say)
        : device_(std::move(device)), recording_(std::move(recording)), is_debugged_(is_debugged), say_(std::move(say)) {}

    /// Who prints what it prints.
    void print_by(std::function<void(int stream, std::string_view bytes)> print) { print_ = std::move(print); }

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
    bool is_same(const Request &request, const RecordedEntry &entry) const;
    Error diverges(const Request &request, std::string_view recorded) const;
    std::string place(u32 text_index) const;
    std::string words_of(const Request &request) const;
    std::string words_of(const RecordedEntry &entry) const;

    std::unique_ptr<Device> device_;
    std::shared_ptr<Recording> recording_;
    const bool is_debugged_;
    std::function<void(std::string_view)> say_;
    std::function<void(int stream, std::string_view bytes)> print_;
    const Image *image_ = nullptr;
    u32 data_bytes_ = 0, rows_ = 0;
    AnswerRows answer_rows_;
    bool is_begun_ = false, goes_on_ = false;  ///< after the recording's end
};

}  // namespace mog
