// compiled_kernel.hpp: a kernel for blocks of one shape, compiled by this machine's compiler while others interpret it, or found in the
// cache.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime_host/ptx/code/kernel_source.hpp"
#include "support/compilers/background.hpp"
#include "support/compilers/shared_object.hpp"

namespace mog::ptx {

struct Context;
enum class Left : unsigned;

/// Code that can be called. It stays until the process ends: threads may be in it.
struct CompiledKernel {
    std::uint32_t lanes = 32;       ///< of a unit
    std::uint32_t saved_bytes = 0;  ///< that a unit keeps while it waits, or while it runs
    bool waits = false;             ///< units wait at barriers, and so each has its own
    /// Runs all units of a block. 1: they are at different places, as Context::states has it.
    unsigned (*block)(Context *) = nullptr;
    /// Runs one, of code that waits at barriers.
    Left (*unit)(Context *, unsigned unit, unsigned entry, unsigned mask) = nullptr;
    SharedObject object;

    /// The line of PTX text that an instruction of the machine was made of; 0: it is not known. Takes a while.
    std::uint32_t line_of(std::uint64_t instruction) const;
};

/// When a kernel is compiled.
enum class Engine : std::uint8_t {
    automatic,    ///< in the background, once it has run for so long that this pays
    interpreter,  ///< never
    compiled,     ///< before it runs
};

/// One kernel and shape, from the first launch on. All functions may be called from several threads.
class KernelBuild {
public:
    using Source = std::function<Result<KernelSource>()>;
    explicit KernelBuild(Source source) : source_(std::move(source)) {}

    /// The code, once it is there.
    const CompiledKernel *ready() const { return ready_.load(std::memory_order_acquire); }
    /// Has it made, and waits for it. nullptr: it cannot be.
    const CompiledKernel *make();
    /// While it is interpreted: `spent` seconds went by since it was last told. Looks into the cache, starts the compiler, sees whether it
    /// has ended, each in its time.
    const CompiledKernel *look(double spent);
    /// Why it is interpreted, if that stays so; empty: it does not, or nobody has asked yet.
    std::string why_not() const;

private:
    enum class State : std::uint8_t { unknown, known, compiling, ready, cannot };

    void know();
    void begin();
    void end();
    void take(const std::vector<std::uint8_t> &library, bool is_new);
    void cannot(std::string why);

    Source source_;
    mutable std::mutex mutex_;
    State state_ = State::unknown;
    KernelSource made_;
    std::string key_, why_not_;
    std::optional<BackgroundWork> work_;
    double spent_ = 0;
    std::atomic<const CompiledKernel *> ready_{nullptr};
};

}  // namespace mog::ptx
