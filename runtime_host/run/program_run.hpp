// program_run.hpp: one run of a program, step by step: a device is opened, PEs are loaded, each with its own start if it has one, and
// run in one piece or in several. mogrun (run_program.cpp) and the library (libmog.cpp) run programs in this way.
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
#include "support/cancel.hpp"
#include "runtime_host/linux/native_calls.hpp"
#include "runtime_host/run/options.hpp"
#include "support/files/result_file.hpp"
#include "runtime_host/service/service_loop.hpp"
#include "runtime_host/run/stats.hpp"

namespace mog {

/// What kind of failure ended a run before the program did.
enum class RunFailure { None, Input, Device, Pe };

/// Strings that many PEs may share.
using Words = std::shared_ptr<const std::vector<std::string>>;

/// How a PE starts, where it differs from the others.
struct OwnStart {
    Words arguments, environment;              ///< null: those of all
    std::shared_ptr<const std::string> input;  ///< null: that of all
};

struct RunSetup {
    Options options;
    bool fill = false;  ///< without a number of PEs fill the device instead of running one
    Words arguments, environment;
    std::shared_ptr<const std::string> input;  ///< null: as the options say
    std::unordered_map<std::uint32_t, OwnStart> own;
    OutputConfig output;                             ///< its nproc and tag are set here
    std::function<void(std::string_view)> say;       ///< messages about PEs, without newline at the end
    std::function<void(std::string_view)> trace;     ///< lines of --trace, with it
    std::function<void(const RunProgress &)> progress{};
    Cancel *cancel = nullptr;
    const NativeFunctions *natives = nullptr;
    mpi::Bridge *bridge = nullptr;  ///< to other processes of the same program, whose PEs are in one world with ours; outlives the run
    bool keeps_causes = false;  ///< for ServiceLoop::cause_of()
    bool owns_process = true;  ///< its umask and environment may be changed
    std::string memory_hint = "--mem SIZE or MOG_MEM";
};

class ProgramRun {
public:
    /// The image outlives the run.
    ProgramRun(const Image &image, RunSetup setup) : image_(image), setup_(std::move(setup)) {}

    /// Devices that ended runs have left: one that was set up in the same way is loaded in less time.
    using FindDevice = std::function<std::unique_ptr<Device>(const std::string &id, const LoadConfig &config)>;

    /// Opens the device, loads the PEs, up to before their first instruction. After an error, failure() says of what kind.
    Result<void> load(const FindDevice &find = {});
    RunFailure failure() const { return failure_; }

    // What follows is for loaded runs.

    ServiceLoop &loop() { return *loop_; }
    const ServiceLoop &loop() const { return *loop_; }
    Device &device() { return *device_; }
    std::uint32_t nproc() const { return stats_.nproc; }
    std::uint32_t data_bytes() const { return stats_.data_bytes; }
    const LoadConfig &load_config() const { return load_; }
    PeMemory memory() { return {*device_, stats_.nproc, stats_.data_bytes}; }
    /// Of a run that has ended.
    Result<RunStats> stats();
    /// Of a run that has ended: the file of --mpi-matrix, if one is wanted and there were messages.
    Result<void> write_mpi_matrix() const;
    /// Of a run that has ended, with --profile: its file.
    Result<void> write_profile(std::string_view text) const { return profile_->write(text); }
    /// The device, for the next one who wants such a one; after that no more of this run.
    std::unique_ptr<Device> take_device() { return std::move(device_); }

private:
    Result<void> fail(RunFailure failure, Error error);
    Result<void> open_result_files();
    Result<void> open_device_for_run(const FindDevice &find);
    Result<void> join_world();
    Result<void> check_ranks();
    Result<void> check_own_starts();
    Result<void> start_own();
    void make_loop(std::shared_ptr<const HostPaths> paths);

    const Image &image_;
    RunSetup setup_;
    RunFailure failure_ = RunFailure::None;
    RunStats stats_;
    LoadConfig load_;
    std::uint32_t first_rank_ = 0, world_size_ = 0;
    std::optional<ResultFile> profile_, mpi_matrix_;
    std::shared_ptr<OwnedFd> mpi_trace_;
    std::unique_ptr<Device> device_;
    std::unique_ptr<CodeSamples> samples_;  // for --stats
    std::unique_ptr<ServiceLoop> loop_;  // uses the device, and these
};

}  // namespace mog
