// emulated_blocks.cpp: fibers that meet at votes and barriers as the lanes of a warp and the threads of a block do.
#include "tests/cuda/emulated_device.hpp"

#include <sys/mman.h>
#include <unistd.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "tests/cuda/emulated_races.hpp"

namespace mog_emulation {

namespace {

constexpr std::size_t stack_bytes = 128 * 1024;
// The stacks of a warp are used in turns: those that began alike in their pages would all want the same few lines of the processor's cache.
constexpr std::size_t stack_stagger = 5 * 64;
constexpr std::size_t most_shared = 99 * 1024;
constexpr std::size_t poison_bytes = 256;
constexpr unsigned warp_size = 32;

std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/* The first lane of a mask that has one. */
unsigned first_of(unsigned mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

#ifdef __x86_64__
// From one stack to another. swapcontext would ask the kernel for the signal mask each time, and lanes meet at each instruction. In place,
// for processors foresee where a jump goes that goes to the same place each time, but not a return that its call does not belong to.
class Context {
public:
    void begin(const GuardedMemory &stack, std::size_t free, void (*function)()) {
        // Where to go, and a return address that is none. Functions begin 8 bytes below a multiple of 16.
        void **top = reinterpret_cast<void **>((reinterpret_cast<std::uintptr_t>(stack.end()) - free) & ~std::uintptr_t{15});
        *--top = nullptr;
        *--top = reinterpret_cast<void *>(function);
        at_ = top;
    }
    void switch_to(Context &other) {
        void **from = &at_;
        void *to = other.at_;
        // What is not named as lost is on the stack, below what a function may have there without saying so.
        __asm__ volatile(
            "leaq -128(%%rsp), %%rsp\n\tpushq %%rbp\n\tpushq %%rbx\n\tleaq 1f(%%rip), %%rax\n\tpushq %%rax\n\t"
            "movq %%rsp, (%0)\n\tmovq %1, %%rsp\n\tpopq %%rax\n\tjmp *%%rax\n"
            "1:\tpopq %%rbx\n\tpopq %%rbp\n\tleaq 128(%%rsp), %%rsp"
            : "+D"(from), "+S"(to)
            :
            : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
              "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
    }

private:
    void *at_ = nullptr;
};
#else
class Context {
public:
    void begin(const GuardedMemory &stack, std::size_t free, void (*function)()) {
        getcontext(&at_);
        at_.uc_stack.ss_sp = stack.begin();
        at_.uc_stack.ss_size = stack.size() - free;
        at_.uc_link = nullptr;
        makecontext(&at_, function, 0);
    }
    void switch_to(Context &other) { swapcontext(&at_, &other.at_); }

private:
    ucontext_t at_ = {};
};
#endif

enum class LaneState { ready, waits, done };

struct Lane {
    MogLane index = {};
    LaneState state = LaneState::done;
    MogMeeting where = MOG_MEET_VOTE;  // while it waits
    unsigned mask = 0;
    unsigned value = 0;
    unsigned from = 0;
    unsigned result = 0;
    Context context;
    void *fiber = nullptr;
    unsigned barriers = 0;  // that it came to as the first of its mask
    char at_barrier[2] = {};
    GuardedMemory stack{stack_bytes};
};

/* Lanes of a launch that have returned; what they have read goes when all have. */
struct FormerLanes {
    std::mutex mutex;
    std::vector<std::unique_ptr<Lane>> lanes;
};

/* Runs one block at a time. */
class BlockRunner {
public:
    void run(const Launch &launch, std::uint64_t number, FormerLanes &former);
    unsigned meet(MogMeeting where, unsigned mask, unsigned value, unsigned from);
    const MogLane &lane() const { return current_->index; }

private:
    static void lane_begins();
    std::span<Lane *const> warp(std::size_t first) const {
        return std::span<Lane *const>(block_).subspan(first, std::min<std::size_t>(warp_size, block_.size() - first));
    }
    void make_room();
    void go_to(Lane &lane);
    void leave(Lane &lane);
    char *barrier_of(const Lane &lane);
    void run_warp(std::span<Lane *const> lanes);
    unsigned vote(std::span<Lane *const> lanes);
    [[noreturn]] void report_stuck() const;

    const Launch *launch_ = nullptr;
    std::vector<void *> values_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<Lane *> block_;
    Lane *current_ = nullptr;
    Context scheduler_;
    void *scheduler_fiber_ = nullptr;
    std::unique_ptr<GuardedMemory> shared_;
};

// Asked for at each word of a kernel: not by a call, though the library is loaded while a process runs.
__attribute__((tls_model("initial-exec"))) thread_local BlockRunner *running = nullptr;

void BlockRunner::lane_begins() {
    BlockRunner &runner = *running;
    Lane &lane = *runner.current_;
    races::acquire(&runner);
    races::acquire(&runner.launch_->kernel);
    runner.launch_->kernel->call(runner.values_.data());
    races::release(&runner.launch_->values);
    lane.state = LaneState::done;
    runner.leave(lane);
    std::abort();
}

unsigned BlockRunner::meet(MogMeeting where, unsigned mask, unsigned value, unsigned from) {
    Lane &lane = *current_;
    lane.state = LaneState::waits;
    lane.where = where;
    lane.mask = mask;
    lane.value = value;
    lane.from = from;
    char *const barrier = where == MOG_MEET_WARP || where == MOG_MEET_BLOCK ? barrier_of(lane) : nullptr;
    if (barrier) races::release(barrier);
    leave(lane);
    if (barrier) races::acquire(barrier);
    return lane.result;
}

void BlockRunner::go_to(Lane &lane) {
    current_ = &lane;
    races::switch_to(lane.fiber);
    scheduler_.switch_to(lane.context);
}

void BlockRunner::leave(Lane &lane) {
    races::switch_to(scheduler_fiber_);
    lane.context.switch_to(scheduler_);
}

/* Where those meet that come to the same barrier: at the first of them, at one of its places and the other by turns, for who is quick
 * may come to the next barrier before the others have left this one. */
char *BlockRunner::barrier_of(const Lane &lane) {
    const auto number = static_cast<std::size_t>(std::ranges::find(block_, &lane) - block_.begin());
    const std::size_t first =
        lane.where == MOG_MEET_BLOCK ? 0 : number / warp_size * warp_size + static_cast<std::size_t>(std::countr_zero(lane.mask));
    Lane &host = *block_[std::min(first, block_.size() - 1)];
    if (&host == &lane) return &host.at_barrier[host.barriers++ % 2];
    const bool is_there = host.state == LaneState::waits && host.where == lane.where && host.mask == lane.mask;
    return &host.at_barrier[(host.barriers - (is_there ? 1 : 0)) % 2];
}

/* Lanes of a mask that have all arrived, those that returned left aside, go on. Which ones do. */
unsigned BlockRunner::vote(std::span<Lane *const> lanes) {
    unsigned live = 0, waiting = 0, ready = 0;
    for (unsigned i = 0; i < lanes.size(); i++) {
        const Lane &lane = *lanes[i];
        if (lane.state == LaneState::done) continue;
        live |= 1u << i;
        if (lane.state == LaneState::waits && lane.where != MOG_MEET_BLOCK) waiting |= 1u << i;
    }
    while (waiting != 0) {
        const Lane &lane = *lanes[first_of(waiting)];
        const unsigned group = lane.mask & live;
        unsigned arrived = 0;
        unsigned votes = 0, least = ~0u;
        for (unsigned rest = waiting; rest != 0; rest &= rest - 1) {
            const unsigned bit = rest & -rest;
            const Lane &other = *lanes[first_of(rest)];
            if (other.where != lane.where || other.mask != lane.mask) continue;
            arrived |= bit;
            if (other.value) votes |= bit;
            least = std::min(least, other.value);
        }
        waiting &= ~arrived;
        // Who votes without being of the mask is told so when nothing moves any more.
        if (arrived != group) continue;
        for (unsigned rest = group; rest != 0; rest &= rest - 1) {
            Lane &other = *lanes[first_of(rest)];
            if (lane.where == MOG_MEET_SHUFFLE && (group & (1u << other.from)) == 0)
                give_up(fmt::format("{}: a shuffle takes from lane {}, which is not there", launch_->name, other.from));
            other.result = lane.where == MOG_MEET_LEAST ? least : lane.where == MOG_MEET_SHUFFLE ? lanes[other.from]->value : votes;
            other.state = LaneState::ready;
        }
        ready |= group;
    }
    return ready;
}

/* Until all of its lanes have returned, or wait for what other warps are to do. */
void BlockRunner::run_warp(std::span<Lane *const> lanes) {
    unsigned ready = 0;
    for (unsigned i = 0; i < lanes.size(); i++)
        if (lanes[i]->state == LaneState::ready) ready |= 1u << i;
    for (; ready != 0; ready = vote(lanes))
        for (; ready != 0; ready &= ready - 1) go_to(*lanes[first_of(ready)]);
}

void BlockRunner::report_stuck() const {
    std::string sentence = fmt::format("{}: a block cannot go on:", launch_->name);
    for (std::size_t i = 0; i < block_.size(); i++) {
        const Lane &lane = *block_[i];
        static constexpr const char *names[] = {"a vote of", "a reduction of", "a shuffle of", "__syncwarp of", "__syncthreads"};
        sentence += fmt::format("\n  thread {} ", i);
        if (lane.state == LaneState::done) sentence += "has returned";
        else sentence += fmt::format("is at {}", names[lane.where]);
        if (lane.state != LaneState::done && lane.where != MOG_MEET_BLOCK) sentence += fmt::format(" {:#010x}", lane.mask);
    }
    give_up(sentence);
}

/* What one block writes is none of the next one's business: where races are looked for, each has memory of its own. */
void BlockRunner::make_room() {
    if (!shared_ || races::watched) {
        shared_.reset();
        shared_ = std::make_unique<GuardedMemory>(most_shared + poison_bytes);
    }
}

void BlockRunner::run(const Launch &launch, std::uint64_t number, FormerLanes &former) {
    launch_ = &launch;
    running = this;
    values_.clear();
    for (const std::vector<std::byte> &value : launch.values) values_.push_back(const_cast<std::byte *>(value.data()));

    make_room();
    // Shared memory begins with no meaning, and what is behind it stays as it is.
    std::byte *const shared = shared_->end() - poison_bytes - round_up(launch.shared, 16);
    std::byte *const behind = shared + launch.shared;
    std::memset(shared, 0xcd, launch.shared);
    std::fill(behind, shared_->end(), std::byte{0xa5});

    const MogIndex grid = launch.grid;
    const MogIndex size = launch.block;
    const MogIndex block = {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                            static_cast<unsigned>(number / grid.x / grid.y)};
    const unsigned count = size.x * size.y * size.z;
    while (lanes_.size() < count) {
        lanes_.push_back(std::make_unique<Lane>());
        if (!lanes_.back()->stack.begin()) give_up("there is no memory for the stacks of threads");
    }
    block_.clear();
    for (unsigned i = 0; i < count; i++) {
        Lane &lane = *lanes_[i];
        lane.index = {{i % size.x, i / size.x % size.y, i / size.x / size.y}, block, size, grid, shared};
        lane.state = LaneState::ready;
        lane.context.begin(lane.stack, i % warp_size * stack_stagger, lane_begins);
        block_.push_back(&lane);
    }

    scheduler_fiber_ = races::this_fiber();
    for (Lane *lane : block_) lane->fiber = races::new_fiber();
    races::release(this);

    for (;;) {
        for (std::size_t first = 0; first < count; first += warp_size) run_warp(warp(first));
        bool all_wait = true;
        bool all_done = true;
        for (const Lane *lane : block_) {
            if (lane->state == LaneState::done) continue;
            all_done = false;
            if (lane->where != MOG_MEET_BLOCK) all_wait = false;
        }
        if (all_done) break;
        if (!all_wait) report_stuck();
        for (Lane *lane : block_)
            if (lane->state == LaneState::waits) lane->state = LaneState::ready;
    }
    if (std::any_of(behind, shared_->end(), [](std::byte b) { return b != std::byte{0xa5}; }))
        give_up(fmt::format("{}: block {} wrote behind its {} bytes of shared memory", launch.name, number, launch.shared));
    for (Lane *lane : block_) races::end_fiber(lane->fiber);
    if (races::watched) {
        const std::lock_guard lock(former.mutex);
        std::ranges::move(lanes_, std::back_inserter(former.lanes));
        lanes_.clear();
    }
    running = nullptr;
}

/* Runners that have nothing to do keep their stacks for the next launch. Never destroyed: streams may outlive main. */
struct Idle {
    std::mutex mutex;
    std::vector<std::unique_ptr<BlockRunner>> runners;
};
Idle &idle = *new Idle;

}  // namespace

GuardedMemory::GuardedMemory(std::size_t bytes) : size_(bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = round_up(bytes, page);
    if (inside < bytes) return;
    void *const at = mmap(nullptr, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return;
    pages_ = {static_cast<std::byte *>(at), inside + 2 * page};
    if (mprotect(pages_.data() + page, inside, PROT_READ | PROT_WRITE) != 0) return;
    begin_ = pages_.data() + page + inside - round_up(bytes, 16);
}

GuardedMemory::~GuardedMemory() {
    if (!pages_.empty()) munmap(pages_.data(), pages_.size());
}

void run_launch(const Launch &launch) {
    const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
    std::atomic<std::uint64_t> next = 0;
    FormerLanes former;
    const auto work = [&] {
        std::unique_ptr<BlockRunner> runner;
        {
            const std::lock_guard lock(idle.mutex);
            if (!idle.runners.empty()) {
                runner = std::move(idle.runners.back());
                idle.runners.pop_back();
            }
        }
        if (!runner) runner = std::make_unique<BlockRunner>();
        for (std::uint64_t number; (number = next++) < blocks;) runner->run(launch, number, former);
        const std::lock_guard lock(idle.mutex);
        idle.runners.push_back(std::move(runner));
    };
    races::release(&launch.kernel);
    const std::uint64_t threads = std::min<std::uint64_t>({4, std::max(1u, std::thread::hardware_concurrency()), blocks});
    std::vector<std::jthread> helpers;
    while (helpers.size() + 1 < threads) helpers.emplace_back(work);
    work();
    helpers.clear();
    races::acquire(&launch.values);
}

const MogEmulation for_kernels = {
    [] {
        if (!running) give_up("a kernel's word is used outside of a kernel");
        return &running->lane();
    },
    [](MogMeeting where, unsigned mask, unsigned value, unsigned from) { return running->meet(where, mask, value, from); },
    [] { races::release(&races::system_fence); },
};

void give_up(const std::string &sentence) {
    std::fprintf(stderr, "emulated CUDA: %s\n", sentence.c_str());
    std::abort();
}

}  // namespace mog_emulation
