// run_options.cpp: variables of the environment become options of launches; counts become tables.
#include "runtime_cuda/library/run_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "runtime_cuda/library/device.hpp"
#include "runtime_cuda/library/errors.hpp"
#include "runtime_cuda/library/memory.hpp"
#include "support/environment.hpp"
#include "support/say.hpp"

namespace mog::cuda {

namespace {

struct Wishes {
    bool check, json, stats, trace;
    unsigned threads;
    ptx::Meeting meeting;
    ptx::Engine engine;
};

bool is_on(const char *variable) {
    const std::string value = environment_variable(variable);
    return !value.empty() && value != "0";
}

const Wishes &wishes() {
    static const Wishes asked = [] {
        Wishes read{};
        read.check = is_on("MOGCUDA_CHECK");
        read.stats = is_on("MOGCUDA_STATS");
        read.json = environment_variable("MOGCUDA_STATS") == "json";
        read.trace = is_on("MOGCUDA_TRACE");
        read.threads = static_cast<unsigned>(std::strtoul(environment_variable("MOGCUDA_THREADS").c_str(), nullptr, 10));
        const std::string meeting = environment_variable("MOGCUDA_MEETING", "lowest");
        read.meeting = meeting == "never"            ? ptx::Meeting::never
                       : meeting == "barriers"       ? ptx::Meeting::barriers
                       : meeting == "postdominators" ? ptx::Meeting::postdominators
                                                     : ptx::Meeting::lowest;
        const std::string engine = environment_variable("MOGCUDA_ENGINE", "auto");
        read.engine = engine == "compiled"      ? ptx::Engine::compiled
                      : engine == "interpreter" ? ptx::Engine::interpreter
                                                : ptx::Engine::automatic;
        return read;
    }();
    return asked;
}

struct Counted {
    std::mutex mutex;
    std::map<std::string, std::pair<std::uint64_t, ptx::LaunchCounts>> kernels;
    std::atomic<std::uint64_t> findings{0};
    bool shown = false;
};
Counted &counted() {
    static Counted &kept = *new Counted;
    return kept;
}

thread_local std::shared_ptr<std::atomic<std::uint64_t>> launch_findings;

double ratio(std::uint64_t a, std::uint64_t b) { return b ? static_cast<double>(a) / static_cast<double>(b) : 0; }

std::string as_text(const std::string &name, std::uint64_t launches, const ptx::LaunchCounts &counts) {
    std::string text = fmt::format("kernel {}: {} launches, {} blocks, {} threads\n", name, launches, counts.blocks, counts.threads);
    text += fmt::format("  {} warp instructions, {:.1f} lanes active of 32; {} branches, {} of them part lanes; {} barriers\n",
                        counts.warp_instructions, ratio(counts.thread_instructions, counts.warp_instructions), counts.branches,
                        counts.parting_branches, counts.barriers);
    text += fmt::format(
        "  global memory: {} accesses of warps, {:.2f} sectors of 32 bytes each; shared memory: {} accesses, {} bank conflicts; local "
        "memory: {} accesses\n",
        counts.global_accesses, ratio(counts.global_sectors, counts.global_accesses), counts.shared_accesses, counts.bank_conflicts,
        counts.local_accesses);
    text += "  by kind:";
    for (const auto &[kind, count] : counts.by_kind) text += fmt::format(" {} {}", kind, count);
    return text + "\n";
}

std::string as_json(const std::string &name, std::uint64_t launches, const ptx::LaunchCounts &counts) {
    std::string kinds, lanes;
    for (std::size_t n = 1; n < counts.by_lanes.size(); ++n) lanes += fmt::format("{}{}", n == 1 ? "" : ", ", counts.by_lanes[n]);
    for (const auto &[kind, count] : counts.by_kind) kinds += fmt::format("{}\"{}\": {}", kinds.empty() ? "" : ", ", kind, count);
    return fmt::format(
        "{{\"kernel\": \"{}\", \"launches\": {}, \"blocks\": {}, \"threads\": {}, \"warp_instructions\": {}, \"thread_instructions\": {}, "
        "\"branches\": {}, "
        "\"parting_branches\": {}, \"barriers\": {}, \"global_accesses\": {}, \"global_sectors\": {}, \"shared_accesses\": {}, "
        "\"bank_conflicts\": {}, \"shared_bytes\": {}, \"local_accesses\": {}, \"local_bytes\": {}, "
        "\"by_lanes\": [{}], \"by_kind\": {{{}}}}}\n",
        name, launches, counts.blocks, counts.threads, counts.warp_instructions, counts.thread_instructions, counts.branches,
        counts.parting_branches, counts.barriers, counts.global_accesses, counts.global_sectors, counts.shared_accesses,
        counts.bank_conflicts, counts.shared_bytes, counts.local_accesses, counts.local_bytes, lanes, kinds);
}

}  // namespace

ptx::LaunchOptions run_options(const ptx::KernelInfo &) {
    ptx::LaunchOptions options;
    // Not left to the engine, which would ask the system at each launch: that takes longer than a small kernel.
    options.threads = wishes().threads ? wishes().threads : static_cast<unsigned>(properties().multiProcessorCount);
    options.meeting = wishes().meeting;
    options.engine = wishes().engine;
    options.count = wishes().stats;
    options.check = wishes().check;
    options.allocations = &allocations();
    // Threads of the engine tell of them; one launch belongs to the thread that asks for its options.
    launch_findings = std::make_shared<std::atomic<std::uint64_t>>(0);
    options.found = [here = launch_findings](const ptx::Finding &finding) {
        ++*here;
        counted().findings++;
        tell(fmt::format("{}: {}", finding.kind, finding.text));
    };
    // Through the program's own buffer, so that its text and that of its kernels are in order.
    options.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
    return options;
}

bool was_found() { return launch_findings && *launch_findings > 0; }

void count_launch(const ptx::KernelInfo &kernel, const ptx::LaunchCounts &counts) {
    std::string engine;
    if (counts.compiled_blocks != 0) engine = fmt::format(", {} blocks compiled", counts.compiled_blocks);
    if (!counts.why_interpreted.empty()) engine = fmt::format(", interpreted: {}", counts.why_interpreted);
    if (wishes().trace) tell(fmt::format("{}: {} blocks, {} threads{}", kernel.name, counts.blocks, counts.threads, engine));
    if (!wishes().stats) return;
    // Programs of the driver API register no module that they take back at their end.
    [[maybe_unused]] static const int at_end = std::atexit(show_statistics);
    // mogrun leaves so where it still compiles in the background.
    [[maybe_unused]] static const int at_quick_end = std::at_quick_exit(show_statistics);
    const std::lock_guard lock(counted().mutex);
    auto &[launches, sum] = counted().kernels[kernel.name];
    launches++;
    sum.add(counts);
}

void show_statistics() {
    const std::lock_guard lock(counted().mutex);
    if (std::exchange(counted().shown, true)) return;
    if (wishes().stats || wishes().check) std::fflush(nullptr);  // what the program printed comes first
    for (const auto &[name, kernel] : counted().kernels)
        say_text(wishes().json ? as_json(name, kernel.first, kernel.second) : as_text(name, kernel.first, kernel.second));
    if (wishes().check && counted().findings) {
        tell(fmt::format("--check: {} findings", counted().findings.load()));
        _exit(1);  // a run that was to be checked does not succeed
    }
}

}  // namespace mog::cuda
