// block.hpp: a block of threads while it runs: its warps, the parts of them that stand together, their frames, the barriers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime_host/ptx/code.hpp"
#include "runtime_host/ptx/code/context.h"
#include "runtime_host/ptx/compiled/compiled_kernel.hpp"
#include "runtime_host/ptx/engine.hpp"

namespace mog::ptx {

class Observer;

/// What all threads of this process that run a launch share.
struct Launch {
    const Program &program;
    const std::vector<std::unique_ptr<Code>> &codes;  ///< by Program::functions
    const std::unordered_map<std::uint64_t, std::uint32_t> &functions_at;
    const Code &kernel;
    LaunchShape shape;
    const std::byte *parameters;
    const LaunchOptions &options;
    std::uint32_t static_shared_bytes = 0, shared_bytes = 0;
    std::uint64_t local_bytes = 0;  ///< of a thread
    std::uint32_t number = 0;       ///< %gridid
    unsigned workers = 1;           ///< threads of this process that may run it
    std::atomic<std::uint64_t> next_block{0};
    std::atomic<bool> is_over{false};  ///< because of an error, or from outside
    std::mutex mutex{};                ///< of what follows
    std::optional<Error> error{};
    LaunchCounts counts{};
    std::uint64_t findings = 0;
    std::set<std::pair<std::string, const void *>> found{};  ///< kinds and operations of which it was said
    std::shared_ptr<void> shadow{};                          ///< what the observers of all threads share
    const Allocations *variables = nullptr;                  ///< of the module
    KernelBuild *build = nullptr;                            ///< of code for this kernel and blocks of this shape; nullptr: none is wanted
    const Addresses *addresses = nullptr;                    ///< of the module's variables and functions

    std::unordered_map<void *, std::uint64_t> heap{};  ///< of malloc in kernels, and bytes

    Fault fault = Fault::none;

    /// The first error counts.
    void fail(Error what, Fault kind);
    void allocated(void *memory, std::uint64_t bytes);
    /// Whether there was such an allocation.
    bool freed(void *memory);
    bool should_stop() const {
        return is_over.load(std::memory_order_relaxed) || (options.stop != nullptr && options.stop->load(std::memory_order_relaxed));
    }
};

/// Blocks that one thread of this process took from the queue of a launch and has not begun: several at once, for whoever takes one waits
/// until all that it has stored is in memory. Few, so that none waits long while others have nothing to do.
class TakenBlocks {
public:
    explicit TakenBlocks(Launch &launch) : launch_(launch), blocks_(launch.shape.grid.count()) {}
    /// The next one, in order; none: all were taken.
    std::optional<std::uint64_t> next() {
        if (begin_ == end_ && !take()) return {};
        return begin_++;
    }

private:
    bool take() {
        constexpr std::uint64_t most = 512, shares = 16;
        const std::uint64_t taken = launch_.next_block.load(std::memory_order_relaxed);
        if (taken >= blocks_) return false;
        const std::uint64_t wanted = std::clamp<std::uint64_t>((blocks_ - taken) / (shares * launch_.workers), 1, most);
        begin_ = launch_.next_block.fetch_add(wanted, std::memory_order_relaxed);
        end_ = std::min(begin_ + wanted, blocks_);
        if (begin_ < end_) return true;
        begin_ = end_;
        return false;
    }

    Launch &launch_;
    std::uint64_t blocks_, begin_ = 0, end_ = 0;
};

/// The registers of a function that lanes are in.
struct Frame {
    std::byte *bytes = nullptr;
    const Code *code = nullptr;
    Frame *parent = nullptr;
    std::uint32_t return_to = 0;  ///< in the parent's code
    std::uint32_t call = 0;       ///< CallSite of the parent's code
    std::uint32_t live = 0;       ///< lanes that have not returned
    std::uint32_t depth = 0;
    std::uint32_t local_begin = 0;  ///< its memory of .local in that of the thread
};

/// Lanes of a warp that stand together.
struct Group {
    static constexpr std::uint32_t interpreted = 0xffffffff;
    enum class Waits : std::uint8_t { no, barrier, members, meeting };
    std::uint32_t mask = 0;
    std::uint32_t at = 0;
    Frame *frame = nullptr;
    Waits waits = Waits::no;
    std::uint8_t barrier = 0;
    std::uint32_t members = 0;            ///< lanes that it waits for
    std::uint64_t turns = 0;              ///< that it used up
    std::vector<std::uint32_t> meetings;  ///< into Warp::meetings, the next one last
    std::uint32_t unit = interpreted;     ///< of compiled code, that it is or was a part of
    std::uint32_t entry = 0;              ///< where compiled code goes on
};

/// A place where parts of a warp meet again that parted at a branch.
struct MeetingPlace {
    Frame *frame = nullptr;
    std::uint32_t at = 0;
    std::uint32_t expected = 0, here = 0;  ///< lanes
};

struct Warp {
    std::uint32_t number = 0;
    std::uint32_t live = 0;
    std::vector<Group> groups;
    std::size_t current = 0;
    std::vector<MeetingPlace> meetings;
    std::array<std::uint64_t, warp_lanes> brought{};  ///< what lanes bring that wait for others
    std::byte *local = nullptr;
    Frame *frame = nullptr;  ///< of the kernel
    bool is_ready = false;   ///< the frame is the block's; where code is compiled, only once it is wanted
    /// Turns of a part before those that wait for it at a meeting place go on without, for it may wait for them. Many at first: a part may
    /// just take long.
    static constexpr std::uint64_t most_patience = 64;
    std::uint64_t patience = most_patience;

    bool has_ready() const {
        for (const Group &group : groups)
            if (group.waits == Group::Waits::no) return true;
        return false;
    }
};

struct Barrier {
    std::uint32_t arrived = 0;
    std::uint32_t wanted = 0;              ///< threads; 0: all of the block
    std::uint32_t count = 0, threads = 0;  ///< whose predicate holds; that brought one
};

/// One block, and all that is used again for the next.
class BlockRun {
public:
    /// `blocks`: of the thread of this process that runs it.
    BlockRun(Launch &launch, Observer *observer, TakenBlocks &blocks);
    ~BlockRun();
    BlockRun(const BlockRun &) = delete;
    BlockRun &operator=(const BlockRun &) = delete;

    void begin(std::uint64_t number);
    bool is_compiled() const { return code_ != nullptr; }
    /// Blocks that came to their end since this was last asked: several, where compiled code goes through one after the other.
    std::uint64_t take_done() { return std::exchange(done_, 0); }
    enum class State : std::uint8_t { done, wants_turn, failed };
    /// Runs it until it is done, or waits for others all the time. Faults at addresses fail the launch.
    State run();

    /// For observers: ends the launch.
    void fail(const Warp &warp, const Op &op, std::uint32_t mask, const std::string &what, Fault kind);

    // For observers and what is called from kernels.
    Launch &launch() { return launch_; }
    const Dim3 &place() const { return place_; }
    std::uint64_t number() const { return number_; }
    const Machine &machine() const { return machine_; }
    Machine &machine() { return machine_; }
    /// Counts barriers that opened.
    std::uint32_t epoch() const { return epoch_; }
    /// "kernel k, block (0,0,0), thread (1,0,0), k.ptx:3".
    std::string where(const Warp &warp, const Group &group, unsigned lane) const;
    std::string where(const Warp &warp, const Code &code, std::uint32_t instruction, unsigned lane) const;

private:
    void fill_constants(Frame &frame, const Warp &warp, bool is_fresh);
    Frame *take_frame(const Code &code);
    void give_frame(Frame *frame);

    void find_place();
    bool begin_next();
    void begin_warp(Warp &warp);
    void begin_units(bool has_states);
    void begin_code();
    bool run_code();
    void run_unit(Warp &warp);
    std::string where_in_code() const;
    static unsigned char *frame_of_unit(Context *context, unsigned unit);
    static CalledFrame *enter_function(Context *context, unsigned unit, unsigned function, unsigned local_begin, unsigned depth);
    static unsigned char *bytes_of_frame(CalledFrame *frame);
    static void drop_frame(Context *context, CalledFrame *frame);
    static void run_in_frame(Context *context, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask);
    static void run_rest_in_frame(Context *context, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask);
    static void stand_at(Context *context, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask);
    static void link_call(Context *context, unsigned unit, CalledFrame *callee, CalledFrame *in, unsigned instruction);
    static std::uint32_t barrier_of(const Code &code, unsigned instruction);
    void run_ops(const Frame &frame, unsigned unit, std::uint32_t begin, std::uint32_t end, unsigned mask);

    State run_turns();
    bool run_warp(Warp &warp);
    void fail_at_address();
    template <bool observed>
    void run_group(Warp &warp, std::int64_t &fuel);
    bool pick(Warp &warp);
    static std::uint32_t lowest_of_others(const Warp &warp);
    void merge(Warp &warp);
    static bool comes_before(const Group &a, const Group &b);
    bool same_place(const Group &a, const Group &b) const;
    Group &split(Warp &warp, std::size_t group, std::uint32_t mask);
    void remove(Warp &warp, std::size_t group) {
        warp.groups[group] = std::move(warp.groups.back());
        warp.groups.pop_back();
    }

    void branch(Warp &warp, const Op &op, std::uint32_t taken);
    void branch_table(Warp &warp, const Op &op, std::uint32_t mask);
    void plan_meeting(Warp &warp, std::size_t group, std::uint32_t at, Frame *frame);
    void plan_meeting(Warp &warp, const Op &op);
    bool comes_to_meeting(Warp &warp, std::size_t group);
    void settle(Warp &warp);
    void look_at_meetings(Warp &warp);
    bool let_go(Warp &warp);

    bool call(Warp &warp, const Op &op, std::uint32_t mask);
    void ret(Warp &warp, std::uint32_t mask);
    void exit(Warp &warp, std::uint32_t mask);
    bool builtin(const Warp &warp, const Frame &frame, const Op &op, const CallSite &site, std::uint32_t mask);
    void copy_passed(const Frame &from_frame, const Passed &from, const Frame &to_frame, const Passed &to, std::uint32_t mask);
    std::uint64_t passed_value(const Frame &frame, const Passed &passed, unsigned lane) const;

    void barrier(Warp &warp, const Op &op, std::uint32_t mask);
    void look_at_barrier(std::size_t number);
    void together(Warp &warp, const Op &op, std::uint32_t mask);
    void look_at_members(Warp &warp);
    void clock(const Op &op, std::uint32_t mask);

    void fail_of_deadlock();

    Launch &launch_;
    Observer *observer_;
    TakenBlocks &blocks_;
    Machine machine_;
    std::vector<Warp> warps_;
    std::array<Barrier, 17> barriers_{};  // the last is of the cluster
    std::unordered_map<const Code *, std::vector<Frame *>> free_frames_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::byte *shared_ = nullptr;
    std::byte *local_ = nullptr;
    std::size_t local_bytes_ = 0;  // of all threads
    std::uint64_t number_ = 0;
    Dim3 place_;
    std::uint32_t threads_ = 0, live_ = 0, epoch_ = 0;
    bool failed_ = false;
    // For what is said of faults: who runs, and what.
    const Warp *running_ = nullptr;
    const Op *volatile current_ = nullptr;
    const Code *current_code_ = nullptr;  // that current_ is of, while compiled code has it done
    // Of compiled code.
    const CompiledKernel *code_ = nullptr;
    Context context_{};
    std::vector<Group> stood_;  // that the interpreter goes on with
    std::vector<std::byte> saved_;
    std::vector<UnitState> states_;
    bool is_code_fresh_ = false;  // nothing of the block has run
    bool is_any_warp_ready_ = false;
    std::uint64_t done_ = 0;
    volatile bool is_in_code_ = false;
};

}  // namespace mog::ptx
