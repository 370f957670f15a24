// collector.hpp: what --profile-report knows of a run: where PEs are now and then, with the calls that led there; how much each one did;
// and how long it waited, for what.
//
// A slice ends after exactly so many instructions, whatever engine runs it, so that no clock is needed to look at a random place: a launch
// is cut after a number of instructions that is drawn. What all PEs have executed since the last look stands in equal parts at the places
// where they are found. The distance between two looks is adapted so that looking takes a small part of the time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/faults/stopped_pe.hpp"

namespace mog {

/// What a PE waits for: messages and other ranks; locks, other threads and channels; files, the clock and other processes.
enum class WaitFor : std::uint8_t { mpi, threads, calls };
inline constexpr std::size_t wait_kinds = 3;
using WaitSeconds = std::array<double, wait_kinds>;

/// Of a place with the calls that led there.
struct StackWeights {
    double instructions = 0, seconds = 0;  ///< of all PEs; of launches
    WaitSeconds waits{};                   ///< of all PEs
    std::uint64_t samples = 0;
};

/// How many of the PEs that a processor would run in lock step are found at one instruction, on average.
struct Together {
    double weight = 0, pes = 0;  ///< the second one is weighted by the first
};

/// Of one process.
struct RankWork {
    double instructions = 0;
    WaitSeconds waits{};
};

struct ProfilePopulation {
    std::uint32_t processes = 1, pes = 1;  ///< a process may have several PEs, its threads, as RunConfig::pes() says
    std::uint32_t data_bytes = 0;
};

class ProfileCollector {
public:
    using u32 = std::uint32_t;
    /// A TEXT index, and the MIPS addresses of the calls that led there, innermost first.
    using Stack = std::vector<u32>;
    struct HashStack {
        std::size_t operator()(const Stack &stack) const;
    };
    using Stacks = std::unordered_map<Stack, StackWeights, HashStack>;

    /// `cuts`: launches may be made to end where a look is due.
    ProfileCollector(const Image &image, const DeviceInfo &device, const ProfilePopulation &population, bool cuts);

    /// The passes of a launch that would have so many.
    u32 passes(u32 slice) const { return cuts_ && left_ < slice ? left_ : slice; }
    /// A launch of `pes`, ascending, had `passes` passes each, or `own_passes`, and took so long; some of them stopped.
    Result<void> ran(Device &device, std::span<const u32> pes, std::span<const Request> stopped, u32 passes,
                     std::span<const u32> own_passes, double seconds);

    // ---- PEs that wait. One thread at a time.

    void waits(u32 pe, WaitFor what);
    void goes_on(u32 pe);
    /// It has ended, or is no thread any more.
    void leaves(u32 pe);
    /// Between two launches: where some of those are that began to wait since the last time. `is_idle`: nobody runs, so that there is time.
    Result<void> look_at_waiting(Device &device, bool is_idle);
    /// Nobody goes on.
    void finish();

    // ---- what was found

    const Stacks &stacks() const { return stacks_; }
    const std::map<u32, Together> &together() const { return together_; }
    std::span<const RankWork> ranks() const { return ranks_; }
    /// PEs in a group of those that are looked at together.
    u32 group() const { return group_; }
    std::uint64_t looks() const { return looks_; }
    std::uint64_t samples() const { return samples_; }
    /// Stacks that are not told apart any more, for there were too many.
    std::uint64_t cut_stacks() const { return cut_stacks_; }
    double seconds_of_looks() const { return looking_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Wait {
        Clock::time_point since;  ///< none: it does not
        WaitFor what = WaitFor::calls;
        bool is_gone = false;  ///< it is no PE that runs or waits
        u32 look = 0;          ///< from 1: which of waiting_; 0: nobody looked
    };
    struct Waiting {
        Stack stack;
        double weight = 1;  ///< PEs that it stands for
    };

    Result<void> look(Device &device, std::span<const u32> pes);
    Result<std::vector<Stack>> stacks_of(Device &device, std::span<const u32> pes, bool in_call);
    StackWeights &weights_of(Stack stack);
    /// What PEs do with each other is done between launches, where many do at a time; the clock is looked at once for all of them.
    Clock::time_point time_of(WaitFor what) const { return what == WaitFor::mpi ? round_ : Clock::now(); }
    void plan_next();
    u32 draw(u32 below);

    const Image &image_;
    const DeviceInfo device_;
    const ProfilePopulation population_;
    const bool cuts_;
    const u32 group_;
    u32 left_;              ///< instructions to the next look
    double rate_ = 0;       ///< instructions of one PE in a second of launches
    double look_cost_ = 0;  ///< seconds, of one look
    std::size_t pes_ = 1;   ///< of the last launch
    Clock::time_point next_look_{}, next_look_at_waiting_{};
    Clock::time_point round_ = Clock::now();  ///< about now, between two launches
    double instructions_ = 0, seconds_ = 0;   ///< since the last look
    std::uint64_t random_ = 1;

    Stacks stacks_;
    std::map<u32, Together> together_;
    std::vector<RankWork> ranks_;
    std::vector<Wait> waits_;         ///< by PE
    std::vector<u32> began_to_wait_;  ///< since the last look at such
    std::vector<Waiting> waiting_;    ///< those that were looked at
    std::vector<u32> free_;           ///< places in it
    std::uint64_t looks_ = 0, samples_ = 0, cut_stacks_ = 0;
    double looking_ = 0;
};

}  // namespace mog
