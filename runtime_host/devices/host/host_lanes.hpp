// host_lanes.hpp: a program's code for lanes, compiled for this machine when it turns out to be worth it: while the program runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/devices/host/engine_choice.hpp"
#include "support/compilers/background.hpp"
#include "support/compilers/host_compiler.hpp"

namespace mog {

/// The code for lanes of an image that has its source, as native code for what this processor has.
class HostLanes {
public:
    explicit HostLanes(const Image &image);

    /// Whether the image has the source, but none of its code, and this processor could run that.
    static bool can_be_made(const Image &image);

    /// A shared object with the kernels of lanes.c, as an earlier run left it in the kernel cache.
    std::optional<std::vector<std::uint8_t>> find() const;
    /// The same, compiled now. Error: there is no compiler, or it fails.
    Result<std::vector<std::uint8_t>> make() const;

    /// Begins to compile it on the side, which ends with this object at the latest. Error: likewise.
    Result<void> begin();
    bool has_begun() const { return work_.has_value(); }
    /// The shared object, when it is there, once. Error: the compiler failed.
    Result<std::optional<std::vector<std::uint8_t>>> poll();
    /// What has gone by since begin().
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }

private:
    void store(const std::vector<std::uint8_t> &library) const;

    const Image &image_;
    HostLibrary library_;
    std::string commands_, key_;
    std::optional<BackgroundWork> work_;
    std::chrono::steady_clock::time_point begun_;
};

/// When to compile for lanes, in a run that has no code for them. Compiling costs processor time, which is won back where PEs that do the
/// same thing at the same time go on doing so.
class LanesDecision {
public:
    /// `known`: the verdict of earlier runs, in which there was such code. `cost`: of compiling, in seconds of a processor, of which there
    /// are so many. `unfinished`: earlier runs that ended in the midst of it.
    LanesDecision(std::optional<EngineVerdict> known, double cost, unsigned cores = 1, UnfinishedLanes unfinished = {});

    /// After PEs ran in blocks, for so many seconds of processors. `together` is asked when something depends on it: of the PEs of a warp,
    /// the part that stand in the same place, from 0 to 1.
    template <typename F>
    void ran(double seconds, F together) {
        spent_ += seconds;
        if (!is_due_ && spent_ >= next_look_) look(together());
    }
    double spent() const { return spent_; }
    bool is_due() const { return is_due_; }
    /// What is known when the run ends before what was due is there.
    UnfinishedLanes unfinished() const { return {unfinished_.runs + 1, spent_}; }
    /// Why it is not, for --stats.
    std::string reason() const;

private:
    void look(double together);
    /// That a run which takes as long as the last one has its code before it ends, if that is begun at once.
    bool would_finish() const { return unfinished_.runs != 0 && unfinished_.seconds >= unfinished_.runs * cost_ * cores_; }

    // Parts of the cost: what has gone by in blocks when it is first asked where PEs stand, how often it is, when PEs that mostly stand
    // together are reason enough, and when a run has lasted so long that even a small chance is worth the cost. Where nearly all stand
    // together lanes are 2 to 9 times as fast, so that most of what a run loses is what it spends before it has them.
    static constexpr double first_look = 0.25, next_looks = 0.05, fair_run = 1, long_run = 8;
    static constexpr std::uint32_t enough_looks = 3;
    static constexpr double close_together = 0.4, all_together = 0.8;

    double cost_;
    unsigned cores_;
    UnfinishedLanes unfinished_;
    EngineVerdict known_{};  ///< times 1: nothing is known
    bool is_due_ = false;
    double spent_ = 0, next_look_ = 0, together_ = 0;
    std::uint32_t looks_ = 0;
};

}  // namespace mog
