// recorder.hpp: --record: a device that runs PEs as another one does, and keeps what comes to each of them from outside: all that is put
// into its memory and registers while it does not run itself. Whoever gives it the same again, at the same calls, has it do the same again
// (replayer.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/population/population.hpp"
#include "runtime_host/replay/recording_file.hpp"

namespace mog {

class Recorder final : public Device {
public:
    using u32 = std::uint32_t;

    Recorder(std::unique_ptr<Device> device, RecordingWriter writer) : device_(std::move(device)), writer_(std::move(writer)) {}

    /// After load(): what the run is.
    Result<void> begin(const RecordingHead &head) { return writer_.begin(head); }

    // ---- what the run tells

    /// A call of the PE's has written this to a standard stream.
    void printed(u32 pe, int stream, std::string_view bytes);
    void has_ended(u32 pe, const PeEnd &end);
    /// All have.
    Result<void> finish();

    // ---- Device

    const DeviceInfo &info() const override { return device_->info(); }
    Result<void> enter_thread() override { return device_->enter_thread(); }
    std::uint64_t bytes_per_pe(const Image &image, u32 data_words) const override { return device_->bytes_per_pe(image, data_words); }
    Result<std::uint64_t> room(const Image &image, u32 data_words) override { return device_->room(image, data_words); }
    Result<void> load(const Image &image, const LoadConfig &config) override;
    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) override;
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        return device_->gather(transfers, staging);
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override;
    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override;
    Result<void> copy(std::span<const Copy> copies) override;
    void serve_at_once(ServeAtOnce serve) override;
    std::uint32_t enough_pes() const override { return device_->enough_pes(); }
    void ended(u32 process) override { device_->ended(process); }
    bool looks_for_hot_code() const override { return device_->looks_for_hot_code(); }
    void seen(std::span<const u32> pes, std::span<const u32> at, double instructions) override { device_->seen(pes, at, instructions); }
    bool is_busy() override { return device_->is_busy(); }
    void all_ended() override { device_->all_ended(); }
    Result<DeviceStats> stats() override { return device_->stats(); }
    Result<RunCounts> counts() override { return device_->counts(); }

private:
    /// Entries in one order: a PE's, or of several that see each other's memory.
    struct Stream {
        RecordedEntries entries;
        u32 member = 0;  ///< whose the last ones are
    };
    struct Kept {
        u32 call = 0;          ///< the number of the one that it is in
        bool stands = true;    ///< it has stopped, or not begun
        bool is_told = false;  ///< of that stop there is an entry
        bool is_late = false;  ///< what comes now, comes while it runs, and there is an entry that says so
        bool has_ended = false;
    };
    void stops(const Request &request);
    /// For what a PE did.
    RecordedEntries &of(u32 pe);
    /// For what is put into a PE.
    RecordedEntries &to(u32 pe);
    Result<void> write_some();
    Result<void> write(u32 stream);

    std::unique_ptr<Device> device_;
    RecordingWriter writer_;
    std::vector<Kept> kept_;
    std::vector<Stream> streams_;
    u32 processes_ = 1;
    bool has_turns_ = false;  ///< PEs see each other's memory, and run in turns
    std::size_t next_ = 0;    ///< whose entries are written next
    std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
    std::vector<std::uint8_t> staging_;
};

}  // namespace mog
