// program_run.hpp: one run of a program, step by step: a device is opened, PEs are loaded, each with its own start if it has one, and
// run in one piece or in several. mogrun (standalone_run.cpp) and the library (libmog.cpp) run programs in this way.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/config/run_config.hpp"
#include "runtime_host/run/stats.hpp"
#include "runtime_host/service/service_loop.hpp"
#include "support/files/result_file.hpp"

namespace mog {

/// What kind of failure ended a run before the program did.
enum class RunFailure { None, Input, Device, Pe };

class ProgramRun {
public:
    /// The image outlives the run. What is decided when a run is loaded need not be set in `config`.
    ProgramRun(const Image &image, RunConfig config) : image_(image), config_(std::move(config)) {}
    ProgramRun(const ProgramRun &) = delete;
    ProgramRun &operator=(const ProgramRun &) = delete;

    /// Devices that ended runs have left: one that was set up in the same way is loaded in less time.
    using FindDevice = std::function<std::unique_ptr<Device>(const std::string &id, const LoadConfig &config)>;

    /// Opens the device, loads the PEs, up to before their first instruction. After an error, failure() says of what kind.
    Result<void> load(const FindDevice &find = {});
    RunFailure failure() const { return failure_; }

    // What follows is for loaded runs.

    ServiceLoop &loop() { return *loop_; }
    const ServiceLoop &loop() const { return *loop_; }
    Device &device() { return *device_; }
    const RunConfig &config() const { return config_; }
    std::uint32_t nproc() const { return config_.nproc; }
    std::uint32_t data_bytes() const { return config_.data_bytes(); }
    std::uint32_t window_bytes() const { return config_.window_bytes; }
    PeMemory memory() { return {*device_, nproc(), config_.addresses()}; }
    /// Of a run that has ended.
    Result<RunStats> stats();
    /// Of a run that has ended: the file of --mpi-matrix, if one is wanted and there were messages.
    Result<void> write_mpi_matrix() const;
    /// Of a run that has ended, with --profile: its file.
    Result<void> write_profile(std::string_view text) const { return profile_->write(text); }
    /// Of a run that has ended: the file of --profile-report, if one is wanted.
    Result<void> write_profile_report();
    /// Of a sweep that has ended: the file of --results, and in a sentence which runs failed.
    Result<void> tell_runs(const std::function<void(std::string_view)> &say) const;
    /// The device, for the next one who wants such a one; after that no more of this run.
    std::unique_ptr<Device> take_device() { return std::move(device_); }

private:
    Result<void> fail(RunFailure failure, Error error);
    Result<void> open_result_files();
    Result<void> open_device_for_run(const FindDevice &find);
    Result<void> join_world();
    Result<void> check_ranks();
    Result<void> check_record() const;
    Result<void> check_replay();
    Result<void> take_turns();
    Result<void> begin_recording();
    Result<void> check_own_starts();
    struct Starts;
    Result<void> add_start(std::uint32_t pe, std::span<const std::string> arguments, std::span<const std::string> environment,
                           Starts &starts);
    Result<void> start_own();
    Result<void> make_sweep();
    Result<void> start_run(std::uint32_t run);
    void make_loop();

    const Image &image_;
    RunConfig config_;
    RunFailure failure_ = RunFailure::None;
    RunStats stats_;
    LoadConfig load_;
    std::optional<ResultFile> profile_, profile_report_, mpi_matrix_, run_table_, record_;
    std::unique_ptr<Device> device_;
    std::shared_ptr<RaceChecker> races_;  // what the device and the loop tell
    std::shared_ptr<MemoryChecker> memory_;
    bool checks_memory_ = false;
    std::unique_ptr<CodeSamples> samples_;  // for --stats, and devices that look for hot code
    std::unique_ptr<ProfileCollector> collector_;
    std::unique_ptr<ServiceLoop> loop_;  // uses the device, and these
};

}  // namespace mog
