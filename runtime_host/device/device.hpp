// device.hpp: what the service loop asks of a device. Implementations: reference_device.cpp (one switch, traces),
// host_device.cpp (the generated C++ interpreter), opencl_device.cpp, cuda_device.cpp, and device_group.cpp: several of these as one.
//
// One thread at a time calls functions of a device; one that may not have before calls enter_thread() first. A device holds at most
// one loaded program.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/image/image.hpp"
#include "assembler/profile/profile.hpp"
#include "interp_templates/launch_abi.h"
#include "support/result.hpp"

namespace mog {

class MemoryChecker;
class RaceChecker;

struct DeviceInfo {
    std::string id;           ///< what --device takes: "host", "opencl:0", "cuda:0"
    std::string description;  ///< "PoCL: pthread-Intel Xeon ..., 2 compute units, 21 GiB"
    std::string driver;       ///< what else may change how fast it is: the driver's version, the processor's name
    bool is_gpu = false;
    bool is_nvidia = false;   ///< made by NVIDIA: CUDA and OpenCL may both have it
    std::uint32_t units = 1;  ///< cores, compute units, multiprocessors
    std::uint32_t lanes = 1;  ///< PEs in lock step
    std::uint64_t memory_bytes = 0;
    bool maps_by_touch = false;  ///< what of DATA nobody touches takes no memory, and one mapping has all of it
    std::uint32_t fill_pes = 0;  ///< how many PEs keep it busy: what `mogrun` without -n starts
    std::uint32_t near_pes = 0;  ///< so many, with neighbouring numbers, run faster among themselves than with all others: caches; 0: no
};

/// How an interpreter comes to its subinterpreters: by comparing in sequence, which serves diverging lanes together, or
/// by a switch, for processors with a PE at a time. Blocks: hot code is compiled, and what is left interpreted in the one
/// way or the other, as suits the device. Lanes: so for several PEs at once, on the host. Native: there, all is compiled while it runs.
enum class Engine : std::uint8_t { Auto, Sequence, Switch, Blocks, Lanes, Native };

/// Whether code for lanes has loops twice, the second time for when all lanes go through it together: no; where they do all the same; and
/// where some of them have a few instructions of their own too.
enum class Divergence : std::uint8_t { Off, Simple, Guarded };

/// Who computes doubles: the device; pairs of floats, to some 45 bits; or integers, exactly.
enum class Doubles : std::uint8_t { Auto, Native, Pair, Soft };
/// "native", "pair", "soft", "auto".
std::string_view name_of(Doubles doubles);

/// How a kernel lays DATA of the PEs of a warp: their words side by side, or their sectors, of 32 bytes (space_private.h). Count: by
/// sectors, and what either layout takes is counted and remembered (memory_layout.hpp).
enum class MemoryLayout : std::uint8_t { Auto, Words, Sectors, Count };
/// Whether kernels are made so; of what mogcc compiles nothing is known yet, and it has words side by side.
inline bool is_by_sectors(MemoryLayout layout) { return layout == MemoryLayout::Sectors || layout == MemoryLayout::Count; }
/// "auto", "words", "sectors", "count".
std::string_view name_of(MemoryLayout layout);

/// Whether a kernel's launches put PEs that stand at the same place into one warp (regrouping.hpp). Auto: where launches say that it pays.
enum class Regroup : std::uint8_t { Auto, Off, Always };
/// "auto", "off", "always".
std::string_view name_of(Regroup how);

/// How a user wants devices to run PEs: the part of the options that is theirs.
struct DeviceOptions {
    Engine engine = Engine::Auto;              ///< Auto: blocks on CPUs and with CUDA, or lanes; else a sequence
    std::uint32_t warp = 0;                    ///< PEs whose words of DATA are interleaved, on OpenCL devices; 0: as the device has lanes
    MemoryLayout layout = MemoryLayout::Auto;  ///< Auto: words, unless an earlier run has counted (memory_layout.hpp)
    Regroup regroup = Regroup::Auto;           ///< on CUDA devices
    std::uint32_t work_group = 0;              ///< PEs per work-group; 0: the device chooses
    Doubles doubles = Doubles::Auto;           ///< Auto: native where the device has doubles, else soft
    std::optional<Divergence> divergence;      ///< nullopt: guarded in lanes, off on CUDA
    bool count = false;                        ///< count executed instructions, where that has to be asked for
    bool deterministic = false;                ///< nothing depends on how fast something was: no engine is picked by it
    std::optional<std::uint64_t>
        schedule;  ///< who shares memory runs in turns that this number says (thread_schedule.hpp): reference, host
    std::vector<std::uint32_t> trace_ranks;  ///< of --trace, ascending; empty: all
};

struct LoadConfig : DeviceOptions {
    std::uint32_t nproc = 1;
    /// Of these PEs so many are one process's, and share DATA: PE p has that of p mod processes(), whose first thread that is. Others
    /// wait in a pool until they are given registers and run.
    std::uint32_t threads = 1;
    std::uint32_t data_words = 0;               ///< DATA per PE, a multiple of 2
    std::uint32_t window_bytes = 0;             ///< of memory that all PEs share, whole pages; 0: the program has no window
    std::vector<std::uint32_t> startup;         ///< argc, argv, environment: the topmost words of DATA, even count
    bool fuel = false;                          ///< run() is told how many instructions each PE may execute
    bool profile = false;                       ///< count executions by TEXT index
    bool owns_process = true;                   ///< the process is ours: it may set variables that drivers read, and start others
    bool beside_others = false;                 ///< drivers of other devices work at the same time, in threads of their own
    bool fixed_slices = false;                  ///< launches have as many passes as they are given: several devices do not adapt them
    std::function<void(std::string_view)> say;  ///< gets sentences about what is done otherwise than one may expect; may be empty
    bool exact_slices = false;                  ///< a slice ends after exactly so many passes: somebody looks where PEs stand then
    bool debugged = false;                      ///< --gdb: passes are exact, each one instruction, and there are breaks, if it can
    bool restless = false;                      ///< tests: with Engine::Auto, the host changes engines in every round
    /// With a schedule: told of each turn that a thread has had, when it is over and before its call is served, with the instructions of
    /// it.
    std::function<void(std::uint32_t pe, std::uint32_t instructions)> turns;
    RaceChecker *races = nullptr;     ///< reference machine only: told of all accesses; threads have a schedule then
    MemoryChecker *memory = nullptr;  ///< reference machine only: follows all instructions
    /// Reference machine only: called with a line for every instruction of the PEs in `trace_ranks`.
    std::function<void(std::string_view)> trace;

    std::uint32_t processes() const { return nproc / threads; }
};

/// Of accesses to DATA by lanes of warps that stood together, in sectors of 32 bytes, how many a layout has them touch, and how many they
/// find in no cache of their warp's (memory_layout.hpp).
struct LayoutCounts {
    std::uint64_t touched = 0, fetched = 0;
};
struct CountedLayouts {
    LayoutCounts words, sectors;
};

struct DevicePart;

/// What a device has to tell about a run, for --stats.
struct DeviceStats {
    std::string engine;      ///< "reference switch", "OpenCL kernel, WARP 32, work-groups of 64"
    std::string arithmetic;  ///< "floats native, doubles in software"; empty: the program has no floats
    /// What "auto" picked of several engines, and why; empty: there was nothing to pick, or it was asked for.
    struct Choice {
        std::string engine, reason;
        std::uint32_t trials = 0;
    } choice;
    bool in_lanes = false;                 ///< PEs of a warp are executed together, on the host
    std::optional<double> lanes_seconds;   ///< the code for lanes was compiled for or beside the run, which took so long;
    std::uint32_t lanes_instructions = 0;  ///< MOG instructions, if MOG did that itself, and no compiler of the machine
    double lane_occupancy = 0;             ///< of the lanes of a warp, the part that executes, on average; 0: not known
    /// Copies of loops for when all lanes go through them together. Of instructions that lanes execute together, one is counted.
    struct Guarded {
        std::uint32_t regions = 0;
        std::uint64_t of_instructions = 0;               ///< in lanes, in such copies or not
        std::uint64_t asked = 0, held = 0;               ///< whether a copy may be entered; and it might
        std::uint64_t instructions = 0, as_scalars = 0;  ///< in copies; those that were executed once for all lanes
    };
    std::optional<Guarded> guarded;         ///< none: no lanes have run
    std::optional<CountedLayouts> layouts;  ///< with MemoryLayout::Count
    /// PEs put into other warps. None: there is but one, or it was not asked for.
    struct Regrouped {
        std::uint64_t launches = 0, regrouped = 0;  ///< those with several warps; those of them whose PEs were put in order
        std::uint64_t moves = 0;                    ///< how often a PE had another warp than in the launch before
        double seconds = 0;                         ///< that it took to put them in order
        /// Auto: launches with and without were compared so often; by the last time, with it they did so many times as much in a second.
        std::uint32_t trials = 0;
        double gain = 0;
    };
    std::optional<Regrouped> regrouped;
    double build_seconds = 0;  ///< making the interpreter ready: compiling it or finding it in the cache
    bool cached = false;       ///< it was found in the kernel cache
    std::string embedded;      ///< it is machine code that mogcc put into the program: for what, "sm_90"; empty: it is not
    /// What was compiled while the program ran.
    struct Native {
        std::uint32_t functions = 0, instructions = 0;  ///< MOG instructions in them
        std::size_t bytes = 0;                          ///< of machine code
        double seconds = 0;                             ///< that it took
        std::uint32_t vector_loops = 0;                 ///< loops in it of which several rounds may be done at once
        std::uint64_t vector_rounds = 0;                ///< that were, of all PEs
        std::uint32_t accesses = 0, asking = 0;         ///< loads and stores in it, and those that ask first whether they may
        std::set<std::string> left;                     ///< instructions in it that the interpreter does, by name
        std::string why_asking;                         ///< why it is not the processor that checks addresses; empty: it does
    };
    std::optional<Native> native;  ///< none: the device has no such compiler, or did not use it
    std::vector<bool> in_native;   ///< by TEXT index: it is in such code; may be empty
    /// Kernels of a run that changed while it went on, the first one first.
    /// Of a kernel that was linked from parts: those that were compiled for it, and those that had been for others.
    struct TierParts {
        std::size_t compiled = 0, kept = 0;
    };
    struct Tier {
        double begins = 0, build_seconds = 0;           ///< after so many seconds of launches; what making it took
        std::uint32_t functions = 0, instructions = 0;  ///< that it has compiled; MOG instructions
        TierParts parts{};
        double interpreted = 0, executed = 0;  ///< MOG instructions of a PE while it ran, by samples
    };
    struct Tiers {
        std::vector<Tier> kernels;
        bool remembered = false;                        ///< the first one is what an earlier run had found
        std::string failure;                            ///< why the last one was not made; empty: nothing failed
        std::map<std::uint32_t, double> interpreted{};  ///< MOG instructions of a PE, by TEXT index
    };
    std::optional<Tiers> tiers;     ///< none: what is compiled was decided beforehand
    bool counted = false;           ///< `executed` is known
    std::uint64_t executed = 0;     ///< MOG instructions, over all PEs
    std::uint64_t retired = 0;      ///< MIPS instructions, nops apart; 0 if the device does not know
    std::uint64_t attempts = 0;     ///< subinterpreters that the program's sequence would try for them; 0: not known
    std::vector<DevicePart> parts;  ///< of several devices, what each did; else empty
};

/// One of several devices in a run: PEs `first` to `first` + `count` - 1 were its own, `seconds` went by in its launches.
struct DevicePart {
    DeviceInfo info;
    std::uint32_t first = 0, count = 0;
    double seconds = 0;
    DeviceStats stats;
};

/// One PE that stopped: a SYSBUF record of launch_abi.h.
using Request = std::array<std::uint32_t, MOG_Q_WORDS>;

/// `length` bytes between memory of a PE and a place in the staging bytes. The caller has checked the range (addresses.hpp).
struct Transfer {
    std::uint32_t pe = 0;
    std::uint32_t address = 0;  ///< in DATA or the window; or the state row if `is_state`, with length 4
    std::uint32_t length = 0;
    std::uint32_t staging = 0;  ///< byte offset, a multiple of 4
    bool is_state = false;
};

/// The result of a system call, for the PE that made it.
struct Answer {
    std::uint32_t pe = 0;
    std::uint32_t value = 0;  ///< $v0
    bool failed = false;      ///< $a3
};
/// The rows of the state that have these registers.
struct AnswerRows {
    std::uint32_t v0 = 0, a3 = 0;
};

/// `length` bytes from memory of one PE to that of another one, or of the same where the ranges do not overlap. The caller has checked
/// both.
struct Copy {
    std::uint32_t from_pe = 0, from = 0;  ///< an address in DATA, or in the window
    std::uint32_t to_pe = 0, to = 0;
    std::uint32_t length = 0;
};

/// What a device offers that runs PEs while the host serves the calls of others: several launches at a time, whose PEs stop one by one.
/// Transfers and answers are for PEs that have stopped.
class ConcurrentLaunches {
public:
    virtual ~ConcurrentLaunches() = default;

    /// How many launches there may be at a time.
    virtual std::uint32_t most() const = 0;
    /// Begins a launch of PEs, ascending and in no other launch, for at most `passes` passes each.
    virtual Result<void> start(std::span<const std::uint32_t> pes, std::uint32_t passes) = 0;

    /// A launch that is over.
    struct Over {
        std::uint32_t pes = 0, stopped = 0;
        double seconds = 0;
        bool early = false;  ///< it was asked to end
    };
    struct News {
        std::vector<Request> stopped;       ///< in any order
        std::vector<std::uint32_t> others;  ///< PEs of launches that are over, which can go on
        std::vector<Over> over;
    };
    /// What has happened since, added to what is there.
    virtual Result<void> take(News &news) = 0;
    /// Asks all launches to end soon; or the one in which fewest PEs still run, if it has not been asked.
    virtual Result<void> end_all() = 0;
    virtual Result<void> end_smallest() = 0;
};

/// Messages of MPI that go from PE to PE within a launch, on devices that have mailboxes for them (MOG_M_... of launch_abi.h).
class Mailboxes {
public:
    virtual ~Mailboxes() = default;
    /// Where a PE's begins, for transfers: behind its DATA.
    virtual std::uint32_t address() const = 0;
    /// What is done with them in the launches of run() from now on: one of MOG_MAIL_...
    virtual void use(std::uint32_t how) = 0;
    /// How much was left and taken in the last launch (MOG_N_MOVED).
    virtual std::uint32_t moved() const = 0;
};

class Device {
public:
    virtual ~Device() = default;

    virtual const DeviceInfo &info() const = 0;

    /// This thread calls the following functions. For drivers that keep something for each thread.
    virtual Result<void> enter_thread() { return {}; }

    /// Bytes on the device for one PE of this image: DATA, state, SYSBUF.
    virtual std::uint64_t bytes_per_pe(const Image &image, std::uint32_t data_words) const = 0;

    /// How many PEs of this image it has room for, to be asked before load(). On CPUs no number: pages that nobody touches take none.
    virtual Result<std::uint64_t> room(const Image &, std::uint32_t /*data_words*/) { return UINT64_MAX; }

    /// Builds the interpreter (or finds it in the kernel cache), allocates and initialises every PE. The image outlives
    /// the device. Error: what is missing, in one sentence.
    virtual Result<void> load(const Image &image, const LoadConfig &config) = 0;

    /// Runs the listed PEs (ascending, none twice) for at most `passes` passes through the interpreter each, and
    /// returns the records of those that stopped, ascending by PE. The others stay ready to go on. If the program was
    /// loaded with `fuel`, `own_passes` has the passes of each listed PE instead, at least 1, and a pass is one
    /// instruction.
    virtual Result<std::vector<Request>> run(std::span<const std::uint32_t> active, std::uint32_t passes,
                                             std::span<const std::uint32_t> own_passes = {}) = 0;

    /// What became of a call in the midst of a launch: it is for the time when that is over; it is served, and its PE may run on; it may,
    /// once others had their turn; or its PE waits for something else, or has ended; or it has ended, and in its place another begins, all
    /// of whose memory and state are there.
    enum class Served : std::uint8_t { later, runs_on, yields, rests, begins };
    static bool goes_on(Served served) { return served == Served::runs_on || served == Served::begins; }
    /// Serves the call of a PE that has just stopped, if it can. `woken` gets PEs that rested and now can run, in the same launch even.
    using ServeAtOnce = std::function<Served(const Request &call, std::vector<std::uint32_t> &woken)>;
    /// Devices that can ask in the midst of run() do, from any thread, several at a time. Nothing: they do not, or no more.
    virtual void serve_at_once(ServeAtOnce) {}

    /// So many PEs keep it as busy as all would. Where caches matter, few that run for long are faster than all that run briefly.
    virtual std::uint32_t enough_pes() const { return UINT32_MAX; }

    /// The other way to run PEs; null: there is none. While it is used, run() is not.
    virtual ConcurrentLaunches *concurrent() { return nullptr; }

    /// Whether threads sleep in futex(), from the next run() on: if none does, nobody need be woken.
    virtual void threads_sleep(bool /*some*/) {}
    /// Null: it has none, or the program has no use for them.
    virtual Mailboxes *mailboxes() { return nullptr; }

    /// DATA and state of PEs, without the window, are this process's own memory: a process that it forks has them as they are then, and can
    /// call gather(), as several threads can at a time while nothing runs.
    virtual bool memory_is_ours() const { return false; }

    /// DATA or state of PEs -> staging.
    virtual Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) = 0;
    /// Staging -> DATA or state of PEs.
    virtual Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) = 0;

    /// Words of a PE's DATA, addresses that are multiples of 4.
    struct Range {
        std::uint32_t pe = 0, begin = 0, end = 0;
    };
    /// After the last run, or for a PE that is about to end: of each range the first address whose word is not zero; its end: all are.
    virtual Result<void> find_not_zero(std::span<const Range> ranges, std::span<std::uint32_t> found);

    /// Adds to a list, ascending, what of a range need not be as it was loaded. For one thread, of the process that asked for it.
    using Changes = std::function<void(const Range &range, std::vector<Range> &parts)>;
    /// Where that can be told without reading memory; else nothing.
    virtual Changes changes() const { return {}; }

    /// Results of calls, each for a PE that stopped and has not run since; it has them when it runs, and whoever looks before finds
    /// them in its state.
    virtual Result<void> answer(std::span<const Answer> answers, AnswerRows rows);

    /// DATA of PEs -> DATA of PEs, in any order. Unless a device has a better way, the bytes pass through the host.
    virtual Result<void> copy(std::span<const Copy> copies);

    /// The first words of a PE's state become those of another one's.
    virtual Result<void> copy_state(std::uint32_t from_pe, std::uint32_t to_pe, std::uint32_t words);

    /// Some PEs that do not run are as they were when they were loaded. Those of them that are: in lanes only all PEs of a warp are
    /// together. In the midst of a launch it is asked only for one whose call is being served. Null: it cannot, see SlottedDevice.
    virtual std::optional<std::vector<std::uint32_t>> restart(std::span<const std::uint32_t> /*pes*/) { return std::nullopt; }
    /// A process has ended, whose number its first PE has: nobody asks for its memory any more.
    virtual void ended(std::uint32_t /*process*/) {}

    /// Whether it wants to know where PEs are now and then, by seen(), to compile what is executed most.
    virtual bool looks_for_hot_code() const { return false; }
    /// These PEs, which can go on, stand at these TEXT indices, each about so many instructions after the last such look.
    virtual void seen(std::span<const std::uint32_t> /*pes*/, std::span<const std::uint32_t> /*at*/, double /*instructions*/) {}

    /// Of a program that was loaded with `debugged`: whether PEs can be stopped by the following two.
    virtual bool can_break() const { return false; }
    /// These TEXT indices, ascending, are breaks from now on, and no others: who comes there in a run that heeds them stops by what
    /// text_with_breaks() has there (assembler/image/breaks.hpp).
    virtual Result<void> set_breaks(std::span<const std::uint32_t> /*places*/) { return Error{info().id + " has no breaks"}; }
    /// Whether the next runs heed breaks; those that do not are as fast as if there were none.
    virtual void heed_breaks(bool /*heeds*/) {}

    /// After the last run: it has begun something on the side that nobody can stop, and whoever destroys it waits for that. A process that
    /// has nothing else to do ends instead.
    virtual bool is_busy() { return false; }

    /// After the last run, where no PE was ended by a limit of time or another's fault: what it took says how fast the device is.
    virtual void all_ended() {}

    /// After the last run: lets go of the PEs and their memory. True if it keeps what it built, so that it loads the same image
    /// again, to be run in the same way, in less time.
    virtual bool unload() { return false; }

    /// After the last run: what happened.
    virtual Result<DeviceStats> stats() = 0;

    /// After the last run of a program that was loaded with `profile`: what was counted. Error: the device cannot count.
    virtual Result<RunCounts> counts() { return Error{info().id + " does not count for profiles"}; }

protected:
    /// Calls `stage` with transfers out of PEs and into them, through the same places of so many bytes, until all copies are done.
    using Stage = std::function<Result<void>(std::span<const Transfer> from, std::span<const Transfer> to, std::uint32_t bytes)>;
    static Result<void> copy_in_stages(std::span<const Copy> copies, const Stage &stage);
};

/// An id as `open_device` takes it split into its parts: "opencl:1" -> {"opencl", 1}. No number: 0.
struct DeviceId {
    std::string_view kind;
    std::uint32_t number = 0;
};
/// The parts of a device id; kind is empty if it is not one.
DeviceId parse_device_id(std::string_view id);

/// Tells PEs their numbers, of a program that is loaded: its PE 0 is number `first` of `world`.
Result<void> number_pes(Device &device, std::uint32_t count, std::uint32_t first, std::uint32_t world);

/// What a device says that was asked for compiled blocks where the program has none.
Error no_compiled_blocks();

}  // namespace mog
