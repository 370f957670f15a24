// kernel_tiers.hpp: what a kernel has compiled, decided by what runs. A run begins with the interpreter alone, which a driver builds fast,
// with what mogcc has guessed where interpreting is slow, or with what an earlier run has found. While it goes on, samples tell where time
// is lost; once that is as much as building takes, a kernel with that code compiled is built on another thread, and the device changes to
// it between two launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "assembler/blocks/sampled_choice.hpp"
#include "assembler/emit/any_program.hpp"
#include "assembler/emit/generate.hpp"
#include "runtime_host/device/device.hpp"

namespace mog {

/// What a kernel with code compiled is made from.
struct TierSource {
    std::string source;
    std::vector<std::string> parts;      ///< linked with it (kernel_parts.hpp); of a kernel that is one source none
    std::vector<std::uint32_t> entries;  ///< into it: entry_table() of its plan
    std::vector<bool> compiled;          ///< by TEXT index
    std::uint32_t functions = 0, instructions = 0;
    bool of_any_program = false;  ///< the interpreter is among the parts, and is any program's

    static void carry(auto &self, auto &archive) {
        archive(self.source, self.parts, self.entries, self.compiled, self.functions, self.instructions, self.of_any_program);
    }
};

/// How many parts a kernel was linked from: those that the driver compiled for it, and those that other kernels had.
using TierParts = DeviceStats::TierParts;

/// What a device has made of it.
class BuiltTier {
public:
    virtual ~BuiltTier() = default;
    TierParts parts;
};

/// Made and used by the thread that runs PEs.
class KernelTiers {
public:
    /// Called on a thread of its own, while kernels are launched. Error: the driver refused.
    using Build = std::function<Result<std::unique_ptr<BuiltTier>>(const TierSource &)>;

    /// Whether what is compiled is to be decided by what runs: neither mogcc's options nor the run's have decided it, and nothing that
    /// depends on time is forbidden. (MOG_TIERS=none: no.)
    static bool is_wanted(const Image &image, const LoadConfig &config);

    /// What drivers differ in.
    struct Driver {
        Dialect dialect;
        ProductKind product;  ///< the interpreter's source
        DriverCosts costs;
        bool begins_compiled;   ///< a run that nothing is known of begins with what mogcc has compiled, rather than with nothing
        bool by_warps = false;  ///< GenerateOptions::by_warps
        /// The driver links: kernels are in parts (kernel_parts.hpp), for a run of these sizes. Of the one that a run begins with all that
        /// other programs may have is a part, for then most of it is there; of what is built later, long functions of libraries.
        std::optional<RunSizes> links{};
    };

    /// The image outlives it. `names`: whatever else a kernel depends on: the device, its driver's version, options.
    KernelTiers(const Image &image, const Driver &driver, std::string_view names, Build build);
    ~KernelTiers();
    KernelTiers(const KernelTiers &) = delete;
    KernelTiers &operator=(const KernelTiers &) = delete;

    /// Whether it is what those arguments would make: then it may be used again.
    bool is_for(const Image &image, std::string_view names) const { return &image == &image_ && names == names_; }

    /// Before a run: what it begins with; none: with the image's own source. A kernel in parts always has a source here. `again`: with what
    /// the last run of this object ended with.
    const TierSource *begin(bool again);
    /// What it should have begun with could not be built: it begins with the image's own, and no kernel of it is linked.
    void begin_without();
    /// The first kernel is ready, after so many seconds.
    void has_begun(double build_seconds, TierParts parts = {});

    /// PEs were seen at these TEXT indices, each after about so many instructions.
    void seen(std::span<const std::uint32_t> at, double instructions);
    /// A launch took so long. Perhaps begins to build.
    void ran(double seconds);
    /// Between two launches: the next kernel, once it is ready, else null; whoever takes it changes to it and to entries(). Error: there
    /// will be none, and why.
    Result<std::unique_ptr<BuiltTier>> take();
    /// To the code that the kernel has compiled, by TEXT index; empty: it has none.
    std::span<const std::uint32_t> entries() const;

    /// After a run: what it has found is kept for the next one. Waits for what is being built, which nothing stops.
    void end();
    /// After a run: whether end() would have to wait for longer than is worth it. Then what was found is kept now: for the next run, which
    /// will not find that kernel.
    bool is_building();

    const DeviceStats::Tiers &stats() const { return stats_; }

private:
    struct Outcome {
        TierSource source;
        Result<std::unique_ptr<BuiltTier>> built = std::unique_ptr<BuiltTier>();
        double seconds = 0;
    };

    void start(CodeChoice choice);
    void forget();
    Outcome make(const CodeChoice &choice, const SampledCode &samples) const;
    bool in_parts() const;
    /// Short functions are better joined: what calls them goes through no table then, and with them registers stay where they are.
    LibraryGroups library_groups() const { return in_parts() ? LibraryGroups::long_apart : LibraryGroups::joined; }
    Result<TierSource> first_in_parts();
    Result<TierSource> write(const CodeChoice &choice, const SampledCode &samples) const;
    void wait();

    const Image &image_;
    Driver driver_;
    const std::string names_, key_;
    const Build build_;
    SampledCode samples_;
    std::optional<SampledChoice> choice_;
    std::optional<TierSource> now_;    ///< without a source: what mogcc has compiled
    bool is_first_ = false;            ///< it has a source, and is no more than that
    double launches_ = 0, asked_ = 0;  ///< seconds of this run; of them when it was last asked whether building pays
    std::thread thread_;
    bool is_building_ = false;  ///< or has built what nobody has taken yet
    bool is_overdue_ = false;   ///< what is being built: it is waited for
    std::atomic<bool> is_ready_ = false;
    Outcome outcome_;  ///< the thread's, until it is ready
    DeviceStats::Tiers stats_;
};

}  // namespace mog
