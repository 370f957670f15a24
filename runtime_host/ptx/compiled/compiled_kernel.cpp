// compiled_kernel.cpp: from source to code: the cache, the compiler, the loader.
#include "runtime_host/ptx/compiled/compiled_kernel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <thread>

#include "support/compilers/host_compiler.hpp"
#include "support/compilers/simd.hpp"
#include "support/files/cache.hpp"
#include "support/files/files.hpp"
#include "support/subprocess.hpp"

namespace mog::ptx {
namespace {

constexpr const char *source_name = "kernel.cpp", *library_name = "kernel.so";
// Seconds of interpretation after which the cache is looked into, and after which a kernel is compiled. What g++ takes for a small one.
constexpr double before_cache = 0.003, before_compiler = 0.1;
// Compilers at work in the background for this process: one for every second core at most.
std::atomic<unsigned> at_work{0};
constexpr auto look_again = std::chrono::milliseconds(5);

Command compilation(const Command &compiler) {
    Command command = compiler;
    // What is computed is what the interpreter computes: nothing contracted, integers wrap, memory has no types. Lines are for faults.
    // Its walks over memory are cut short: kernels have much of it on the stack, and they are most of what takes longer than kernels grow.
    for (const char *const option : {"--param=sccvn-max-alias-queries-per-access=100", "-std=c++20", "-O2", "-g1", "-w", "-shared", "-fPIC",
                                     "-fno-exceptions", "-fno-asynchronous-unwind-tables", "-ffp-contract=off", "-fwrapv",
                                     "-fno-strict-aliasing", "-fno-trapping-math", "-fno-math-errno", "-fno-semantic-interposition"})
        command.emplace_back(option);
    if (const char *const machine = machine_option(best_simd())) command.emplace_back(machine);
    for (const char *const word : {source_name, "-o", library_name}) command.emplace_back(word);
    return command;
}

}  // namespace

void KernelBuild::cannot(std::string why) {
    state_ = State::cannot;
    why_not_ = std::move(why);
    if (work_) --at_work;
    work_.reset();
}

std::string KernelBuild::why_not() const {
    const std::scoped_lock lock(mutex_);
    return why_not_;
}

/// Writes the source, and sees whether it was compiled before.
void KernelBuild::know() {
    if (state_ != State::unknown) return;
    const Result<Command> compiler = usable_host_compiler();
    if (!compiler) return cannot(compiler.error().text());
    auto source = source_();
    if (!source) return cannot(source.error().text());
    made_ = std::move(*source);
    key_ = kernel_cache_key({"ptx", made_.text, quote(compilation(*compiler))});
    state_ = State::known;
    if (const auto known = kernel_cache_load(key_)) take(*known, false);
}

void KernelBuild::begin() {
    const Result<Command> compiler = usable_host_compiler();
    if (!compiler) return cannot(compiler.error().text());
    Result<BackgroundWork> work = BackgroundWork::make();
    if (!work) return cannot(work.error().text());
    if (const auto written = write_text_file(work->folder() / source_name, made_.text); !written) return cannot(written.error().text());
    if (const auto started = work->start(quote(compilation(*compiler))); !started) return cannot(started.error().text());
    work_.emplace(*std::move(work));
    ++at_work;
    state_ = State::compiling;
}

/// Takes what the compiler made, if it has ended.
void KernelBuild::end() {
    const std::optional<bool> succeeded = work_->ended();
    if (!succeeded) return;
    if (!*succeeded) {
        const auto log = read_text_file(work_->folder() / "log");
        std::string first = log ? log->substr(0, log->find('\n')) : "";
        if (log && first.find("error") == first.npos) {
            const std::size_t error = log->find("error");
            if (error != log->npos) first = log->substr(error, log->find('\n', error) - error);
        }
        return cannot(fmt::format("the C++ compiler failed: {}", first));
    }
    const auto library = read_file(work_->folder() / library_name);
    if (!library) return cannot(library.error().text());
    take(*library, true);
    if (work_) --at_work;
    work_.reset();
}

void KernelBuild::take(const std::vector<std::uint8_t> &library, bool is_new) {
    auto kernel = std::make_unique<CompiledKernel>();
    Result<SharedObject> loaded = SharedObject::load(library);
    if (!loaded) return cannot(loaded.error().text());
    kernel->object = *std::move(loaded);
    const auto symbol = [&](const char *name) { return kernel->object.symbol(name); };
    kernel->lanes = made_.lanes;
    kernel->waits = made_.waits;
    const auto *const saved = static_cast<const unsigned *>(symbol("mog_saved_bytes"));
    kernel->saved_bytes = saved == nullptr ? 0 : *saved;
    kernel->block = reinterpret_cast<unsigned (*)(Context *)>(symbol("mog_block"));
    kernel->unit = reinterpret_cast<Left (*)(Context *, unsigned, unsigned, unsigned)>(symbol("mog_unit"));
    if (kernel->block == nullptr) return cannot("what was compiled lacks a function");
    if (is_new) kernel_cache_store(key_, library, made_.text);
    state_ = State::ready;
    ready_.store(kernel.release(), std::memory_order_release);
}

const CompiledKernel *KernelBuild::make() {
    if (const CompiledKernel *const code = ready()) return code;
    const std::scoped_lock lock(mutex_);
    know();
    if (state_ == State::known) begin();
    while (state_ == State::compiling) {
        end();
        if (state_ == State::compiling) std::this_thread::sleep_for(look_again);
    }
    return ready();
}

const CompiledKernel *KernelBuild::look(double spent) {
    if (const CompiledKernel *const code = ready()) return code;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return nullptr;
    spent_ += spent;
    if (state_ == State::unknown && spent_ >= before_cache) know();
    const unsigned most = std::max(1u, std::thread::hardware_concurrency() / 2);
    if (state_ == State::known && spent_ >= before_compiler && at_work.load() < most) begin();
    if (state_ == State::compiling) end();
    return ready();
}

std::uint32_t CompiledKernel::line_of(std::uint64_t instruction) const {
    if (!program_exists("addr2line")) return 0;
    const auto answer = capture_command({"addr2line", "-e", fmt::format("/proc/{}/fd/{}", getpid(), object.file()), "-i",
                                         fmt::format("{:#x}", instruction - object.base())});
    if (!answer) return 0;
    // Words of vectors.h are inlined into lines of the kernel: those are of the file "kernel".
    for (std::size_t at = answer->find("kernel:"); at != answer->npos; at = answer->find("kernel:", at + 1)) {
        std::uint32_t line = 0;
        const char *const begin = answer->data() + at + std::strlen("kernel:");
        if (std::from_chars(begin, answer->data() + answer->size(), line).ec == std::errc()) return line;
    }
    return 0;
}

}  // namespace mog::ptx
