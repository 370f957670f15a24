// engine.cpp: launches: blocks handed out to the threads of this process.
#include "runtime_host/ptx/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>

#include "runtime_host/ptx/block.hpp"
#include "runtime_host/ptx/module.hpp"
#include "runtime_host/ptx/observer.hpp"

namespace mog::ptx {
namespace {

constexpr std::uint32_t most_shared_bytes = 227 * 1024;  // of a block; the most that a card has
constexpr std::size_t most_resident = 256;               // blocks of one thread of this process, where none has to wait for others

/// Threads that help with launches, from one to the next. They live as long as the process.
class Helpers {
public:
    static Helpers &get() {
        static Helpers *const helpers = new Helpers;  // never destroyed: its threads are not ended
        return *helpers;
    }

    /// Has `work` done by up to `count` threads beside the calling one, which does it too; returns when all are done.
    void run(unsigned count, const std::function<void()> &work) {
        Job job{&work, count, 0};
        if (count != 0) {
            {
                const std::scoped_lock lock(mutex_);
                jobs_.push_back(&job);
                for (; threads_ < count; ++threads_) std::thread([this] { serve(); }).detach();
            }
            wake_.notify_all();
        }
        work();
        if (count == 0) return;
        std::unique_lock lock(mutex_);
        std::erase(jobs_, &job);
        done_.wait(lock, [&] { return job.busy == 0; });
    }

private:
    struct Job {
        const std::function<void()> *work;
        unsigned wanted, busy;
    };

    void serve() {
        std::unique_lock lock(mutex_);
        while (true) {
            wake_.wait(lock, [&] { return std::ranges::any_of(jobs_, [](const Job *job) { return job->wanted != 0; }); });
            Job &job = **std::ranges::find_if(jobs_, [](const Job *one) { return one->wanted != 0; });
            --job.wanted;
            ++job.busy;
            lock.unlock();
            (*job.work)();
            lock.lock();
            if (--job.busy == 0) done_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::vector<Job *> jobs_;
    unsigned threads_ = 0;
};

/// What one thread of this process does for a launch.
void work_on(Launch &launch) {
    TakenBlocks blocks(launch);
    const std::unique_ptr<Observer> observer = make_observer(launch);
    std::vector<std::unique_ptr<BlockRun>> all;
    std::vector<BlockRun *> idle;
    std::deque<BlockRun *> active;
    std::uint64_t done = 0, compiled = 0;
    bool wants_more = true;
    using Clock = std::chrono::steady_clock;
    const bool looks = launch.build != nullptr && launch.options.engine == Engine::automatic;
    Clock::time_point before = looks ? Clock::now() : Clock::time_point();
    const auto look = [&] {
        if (!looks || launch.build->ready() != nullptr) return;
        const Clock::time_point now = Clock::now();
        launch.build->look(std::chrono::duration<double>(now - before).count());
        before = now;
    };
    while (!launch.should_stop()) {
        if (active.empty() || (wants_more && (launch.options.cooperative || active.size() < most_resident))) {
            if (const std::optional<std::uint64_t> number = blocks.next()) {
                if (idle.empty()) {
                    all.push_back(std::make_unique<BlockRun>(launch, observer.get(), blocks));
                    idle.push_back(all.back().get());
                }
                look();
                idle.back()->begin(*number);
                active.push_front(idle.back());
                idle.pop_back();
            }
            wants_more = false;
        }
        if (active.empty()) break;
        BlockRun *const block = active.front();
        active.pop_front();
        const BlockRun::State state = block->run();
        const std::uint64_t ended = block->take_done();
        done += ended;
        if (block->is_compiled()) compiled += ended;
        switch (state) {
            case BlockRun::State::done: idle.push_back(block); break;
            case BlockRun::State::wants_turn:
                active.push_back(block);
                wants_more = true;
                // Others may be what it waits for, in other threads of this process.
                if (active.size() == 1) std::this_thread::yield();
                break;
            case BlockRun::State::failed: break;
        }
    }
    look();
    if (observer != nullptr) observer->finish();
    const std::scoped_lock lock(launch.mutex);
    launch.counts.blocks += done;
    launch.counts.threads += done * launch.shape.block.count();
    launch.counts.compiled_blocks += compiled;
}

Result<void> check_shape(const KernelInfo &kernel, const LaunchShape &shape) {
    const auto wrong = [&](std::string what) { return Error{std::move(what), fmt::format("kernel {}", kernel.name)}; };
    const Dim3 &grid = shape.grid, &block = shape.block;
    constexpr std::uint32_t most_rows = 65535, most_x = 0x7fffffff, most_z_threads = 64, most_threads = 1024;
    if (grid.count() == 0 || grid.x > most_x || grid.y > most_rows || grid.z > most_rows)
        return wrong(fmt::format("a grid of {} x {} x {} blocks is not possible", grid.x, grid.y, grid.z));
    if (block.count() == 0 || block.x > most_threads || block.y > most_threads || block.z > most_z_threads ||
        block.count() > kernel.max_threads)
        return wrong(fmt::format("a block of {} x {} x {} threads is not possible: there may be 1 to {}", block.x, block.y, block.z,
                                 kernel.max_threads));
    if (kernel.required_block && !(*kernel.required_block == block))
        return wrong(fmt::format("it wants blocks of {} x {} x {} threads", kernel.required_block->x, kernel.required_block->y,
                                 kernel.required_block->z));
    if (std::uint64_t{kernel.static_shared_bytes} + shape.dynamic_shared_bytes > most_shared_bytes)
        return wrong(fmt::format("{} bytes of shared memory are wanted, and a block may have {}",
                                 std::uint64_t{kernel.static_shared_bytes} + shape.dynamic_shared_bytes, most_shared_bytes));
    return {};
}

}  // namespace

void LaunchCounts::add(const LaunchCounts &other) {
    blocks += other.blocks;
    threads += other.threads;
    compiled_blocks += other.compiled_blocks;
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    branches += other.branches;
    parting_branches += other.parting_branches;
    global_accesses += other.global_accesses;
    global_sectors += other.global_sectors;
    shared_accesses += other.shared_accesses;
    shared_bytes += other.shared_bytes;
    local_accesses += other.local_accesses;
    local_bytes += other.local_bytes;
    bank_conflicts += other.bank_conflicts;
    barriers += other.barriers;
    if (!other.why_interpreted.empty()) why_interpreted = other.why_interpreted;
    for (std::size_t lanes = 0; lanes < by_lanes.size(); ++lanes) by_lanes[lanes] += other.by_lanes[lanes];
    for (const auto &[kind, count] : other.by_kind) by_kind[kind] += count;
}

Result<LaunchCounts> launch(Module &module, std::string_view name, const LaunchShape &shape, const void *parameters,
                            const LaunchOptions &options) {
    Module::Inside &inside = module.inside();
    const auto kernel = inside.kernels.find(name);
    const auto ends_by = [&](Fault fault) {
        if (options.fault != nullptr) *options.fault = fault;
    };
    ends_by(Fault::bad_shape);
    if (kernel == inside.kernels.end()) return Error{fmt::format("no kernel is called {}", name), inside.program.name};
    if (auto checked = check_shape(kernel->second, shape); !checked) return checked.error();
    const auto given = std::ranges::find(inside.registers, name, &GivenRegisters::function);
    LaunchOptions how = options;
    if (given != inside.registers.end()) {
        if (given->has_words()) how.meeting = Meeting::postdominators;
        if (std::string why = objection_to(*given, shape.block.x, shape.block.y, shape.block.z); !why.empty())
            return Error{std::move(why), inside.program.name};
    }
    Launch run{inside.program,
               inside.codes,
               inside.functions_at,
               *inside.codes[inside.kernel_functions.find(name)->second],
               shape,
               static_cast<const std::byte *>(parameters),
               how};
    run.static_shared_bytes = kernel->second.static_shared_bytes;
    run.shared_bytes = kernel->second.static_shared_bytes + shape.dynamic_shared_bytes;
    run.local_bytes = inside.local_bytes.find(name)->second;
    run.number = inside.launches.fetch_add(1);
    run.variables = &inside.variables;
    run.addresses = &inside.addresses;
    const bool is_plain = !how.count && !how.check && !how.cooperative && how.meeting == Meeting::lowest;
    if (how.engine != Engine::interpreter && is_plain) {
        run.build = &inside.build_of(inside.kernel_functions.find(name)->second, shape.block);
        if (how.engine == Engine::compiled && run.build->make() == nullptr) run.counts.why_interpreted = run.build->why_not();
    }
    const std::uint64_t blocks = shape.grid.count();
    unsigned threads = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, blocks));
    run.workers = threads;
    Helpers::get().run(threads - 1, [&] { work_on(run); });
    ends_by(run.fault);
    if (run.error) return *run.error;
    if (run.should_stop()) ends_by(Fault::stopped);
    if (run.should_stop()) return Error{"the launch was stopped", fmt::format("kernel {}", name)};
    if (run.findings != 0) {
        ends_by(Fault::checks);
        return Error{fmt::format("{} mistakes were found", run.findings), fmt::format("kernel {}", name)};
    }
    return std::move(run.counts);
}

}  // namespace mog::ptx
