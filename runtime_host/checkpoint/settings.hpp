// settings.hpp: what a checkpoint says of its run beside its state: what is run, how, and where it prints.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/checkpoint/checkpoint_file.hpp"
#include "runtime_host/config/run_config.hpp"
#include "runtime_host/config/sweep.hpp"
#include "support/result.hpp"

namespace mog {

/// Where a standard stream stood, if that is a file.
struct StreamPlace {
    bool is_file = false;
    std::uint64_t device = 0, inode = 0;
    std::int64_t at = 0;
    static void carry(auto &self, auto &archive) { archive(self.is_file, self.device, self.inode, self.at); }
};

struct CheckpointSettings {
    std::string program;  ///< its file
    std::vector<std::string> arguments;
    std::string folder;  ///< where mogrun was started
    Options options;     ///< those that belong to the run, and not to the machine
    Printed printed;
    std::array<StreamPlace, 2> streams;  ///< standard output and error
    std::optional<Sweep> sweep;
    std::vector<std::string> environment;  ///< of a sweep, whose runs begin now and then

    static void carry(auto &self, auto &archive) {
        archive(self.program, self.arguments, self.folder, self.printed, self.streams, self.sweep, self.environment);
        auto &o = self.options;
        archive(o.nproc, o.threads, o.memory, o.window, o.doubles, o.deterministic);
        archive(o.tag_output, o.collate, o.stdin_mode, o.stdin_rank);
        archive(o.files.root, o.files.read_only, o.files.no_files, o.files.max_files);
        archive(o.timeout, o.fuel, o.abort_on_fault, o.fault_registers);
        archive(o.mpi.limits.eager_bytes, o.mpi.limits.buffer_bytes, o.mpi.check, o.checkpoint.every, o.sweep);
    }
};

/// Of a run that is loaded: what was decided then is said as if the user had.
CheckpointSettings settings_of(const RunConfig &config);
/// The place of this process's stream 1 or 2 now.
StreamPlace place_of_stream(int stream);

/// Of a checkpoint; options that it does not have are as in `options`. Error: it is damaged.
Result<CheckpointSettings> read_settings(const CheckpointReader &reader, Options options);

/// Standard streams of a process that goes on: files are cut where they were; of what else was printed and comes again, `say` is told.
Result<void> restore_streams(const CheckpointReader &reader, const CheckpointSettings &settings,
                             const std::function<void(std::string_view)> &say);

}  // namespace mog
