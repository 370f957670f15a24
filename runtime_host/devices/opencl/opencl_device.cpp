// opencl_device.cpp: buffers, launches and transfers on an OpenCL device.
//
// A device bounds the size of one buffer, often to a quarter of its memory, so DATA lives in banks: each holds a run of
// consecutive PEs in whole warps and is launched on its own. Kernels count PEs within their bank; work-items find their
// place in a shared list by the global offset of the launch.
#include "runtime_host/devices/opencl/opencl_device.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/any_program.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/image/spaces.hpp"
#include "runtime_host/device/host_memory.hpp"
#include "runtime_host/device/host_room.hpp"
#include "runtime_host/device/kernel_setup.hpp"
#include "runtime_host/device/start_state.hpp"
#include "runtime_host/device/thread_pool.hpp"
#include "runtime_host/devices/host/native/native_code.hpp"
#include "runtime_host/devices/opencl/kernel_turns.hpp"
#include "runtime_host/devices/opencl/opencl_info.hpp"
#include "runtime_host/devices/opencl/opencl_limits.hpp"
#include "runtime_host/devices/opencl/opencl_session.hpp"
#include "runtime_host/devices/opencl/served_code.hpp"
#include "runtime_host/devices/tiers/kernel_tiers.hpp"
#include "runtime_host/devices/tiers/memory_layout.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 page = 4096;

struct Bank {
    u32 first = 0, count = 0;
    u32 slots = 0;                           ///< PEs that there is room for
    u32 stride = 0;                          ///< words from one row of the state to the next
    u32 *memory = nullptr, *rows = nullptr;  ///< CPU devices: what `data` and `state` stand on
    ClBuffer data, state, requests, nrequests;
};

/// A kernel that was built while others ran.
struct OpenClTier final : BuiltTier {
    OpenClBuild build;
    ClKernel run;
};

class OpenClDevice final : public Device {
public:
    OpenClDevice(const OpenClApi &cl, OpenClDeviceFacts facts, DeviceInfo info)
        : cl_(cl), facts_(std::move(facts)), info_(std::move(info)) {}

    const DeviceInfo &info() const override { return info_; }

    u64 bytes_per_pe(const Image &image, u32 data_words) const override { return kernel_bytes_per_pe(image, data_words); }

    Result<u64> room(const Image &image, u32 data_words) override { return opencl_room(facts_, bytes_per_pe(image, data_words)); }

    Result<void> load(const Image &image, const LoadConfig &config) override;
    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) override;
    Result<void> gather(std::span<const Transfer> transfers, std::span<u8> staging) override;
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const u8> staging) override;
    Result<void> copy(std::span<const Copy> copies) override;
    bool looks_for_hot_code() const override { return has_tiers_; }
    bool is_busy() override { return tiers_ && tiers_->is_building(); }
    void seen(std::span<const u32> /*pes*/, std::span<const u32> at, double instructions) override {
        if (has_tiers_) tiers_->seen(at, instructions);
    }
    bool can_break() const override { return debugged_of_ != nullptr; }
    Result<void> set_breaks(std::span<const u32> places) override;
    void heed_breaks(bool heeds) override { heeds_breaks_ = heeds && with_breaks_; }
    bool unload() override;
    Result<DeviceStats> stats() override;
    Result<RunCounts> counts() override { return counts_of_launches_.total(); }
    void serve_at_once(ServeAtOnce serve) override { serve_at_once_ = std::move(serve); }
    /// The fewer take turns, the longer each finds its memory in the caches.
    u32 enough_pes() const override {
        constexpr u32 of_a_core = 4;
        return served_ ? facts_.units * of_a_core : UINT32_MAX;
    }

private:
    Result<void> choose_groups(std::size_t nregs, const LoadConfig &config);
    Result<void> make_kernels(const Image &image, const LoadConfig &config);
    Result<void> build(const Image &image, std::string_view source, std::string options);
    bool may_compile_here(const Image &image, const LoadConfig &config) const;
    Result<bool> begin_native(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic);
    Result<void> build_own(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic);
    Result<void> begin_tiers(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic);
    Result<ClBuffer> tell_program(const Image &image, std::optional<NativeHook> native);
    ServedCode::Owner owner_of(const u32 *memory) const;
    NativeMemory native_memory() const;
    Result<bool> begin_with_any(const Image &image, const LoadConfig &config);
    Result<void> begin_with_interpreter(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic);
    Result<std::unique_ptr<BuiltTier>> build_tier(const TierSource &source) const;
    Result<void> change_tier();
    std::string options_for(const Arithmetic &arithmetic, const LoadConfig &config, std::span<const u32> entries) const;
    Result<void> plan_banks();
    Result<void> make_banks(const Image &image, const LoadConfig &config);
    Result<void> start_on_device(const Image &image, const LoadConfig &config);
    Result<void> start_on_host(const Image &image, const LoadConfig &config);
    Result<void> map(const Bank &bank);
    Result<void> unmap(const Bank &bank);
    /// Of threads, there is one bank.
    u64 data_bytes(const Bank &bank) const { return 4ull * (processes_ != nproc_ ? processes_ : bank.slots) * laid_words_; }
    u64 state_bytes(const Bank &bank) const { return 4ull * bank.stride * (MOG_S_REGS + nregs_); }
    Result<void> warm_up();
    Result<void> launch_banks(u32 passes);
    Result<void> launch_each_bank(u32 passes);
    Result<std::vector<Request>> run_turns(std::span<const u32> active, u32 passes, std::span<const u32> own_passes);
    Result<void> launch_run(u32 count);
    Result<void> launch_run(OpenClSession &cl, cl_kernel kernel, std::span<const cl_mem> more, u32 count) const;
    Result<void> launch_transfer(u32 count);
    Result<void> add_counts();
    /// Without `into` or `from` the bytes go to staging memory of the device, or come from there.
    Result<void> transfer(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe);
    Result<void> transfer_pes(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe);
    Result<std::vector<Transfer>> transfer_window(std::span<const Transfer> transfers, u8 *into, const u8 *from);
    Result<void> make_spaces(const Image &image, const LoadConfig &config);
    Result<void> transfer_on_host(std::span<const Transfer> transfers, u8 *into, const u8 *from);
    std::size_t bank_of(u32 pe) const { return pe / bank_pes_; }

    OpenClSession cl_;
    OpenClDeviceFacts facts_;
    DeviceInfo info_;
    OpenClBuild build_;
    std::string built_as_;             ///< its options,
    const Image *built_of_ = nullptr;  ///< and whose interpreter it is
    std::string arithmetic_;
    ClKernel init_, run_, transfer_;
    u32 nproc_ = 0, processes_ = 0, data_words_ = 0, laid_words_ = 0, nregs_ = 1, bank_pes_ = 1, work_group_ = 1;
    HostMemory memory_, rows_;  ///< CPU devices: what DATA and state of all banks stand on
    std::vector<Bank> banks_;
    std::vector<u32> entries_;  ///< to compiled blocks, by TEXT index; empty: there are none
    ClBuffer text_, cpool_, code_map_, entry_of_, spaces_, active_, list_, staging_;
    ClBuffer program_;               ///< what the interpreter is told of the program, if it is one for any
    HostMemory window_memory_;       ///< CPU devices: what spaces_ stands on
    u64 space_bytes_ = 0;            ///< in spaces_ (assembler/image/spaces.hpp)
    u64 window_at_ = 0;              ///< bytes in it before the window,
    u32 window_bytes_ = 0;           ///< which has so many; 0: there is none
    std::span<const u8> constants_;  ///< what no PE may write, if all have it once: the image's,
    u32 constants_bytes_ = 0;        ///< so many
    u64 list_bytes_ = 0, staging_bytes_ = 0;
    std::vector<u32> local_;   ///< PE numbers within their banks, or records of a transfer list
    std::vector<u32> counts_;  ///< stopped PEs by bank
    std::vector<u32> bank_begin_;
    bool use_switch_ = false, fuel_ = false, by_sectors_ = false;
    const Image *debugged_of_ = nullptr;  ///< the program, if it is debugged
    /// What kernels are given instead of the members of these names, where PEs heed breaks.
    struct WithBreaks {
        ClBuffer text, entry_of, program;
        std::optional<NativeCode> native;
    };
    std::optional<WithBreaks> with_breaks_;
    bool heeds_breaks_ = false;
    /// PEs live in the host's memory, word after word: it starts them and serves their calls without kernels, which would take long to
    /// compile.
    bool on_host_ = false;
    std::size_t superinstructions_ = 0;
    bool counting_ = false;
    bool profiling_ = false;
    ClBuffer profile_;  ///< two counters for each TEXT index, of one launch
    LaunchCounts counts_of_launches_;
    std::optional<NativeCode> native_;  ///< what this process compiles while PEs run, and kernels call
    std::optional<ServedCode> served_;  ///< by way of this
    ServeAtOnce serve_at_once_;         ///< which asks it
    std::optional<KernelTurns> turns_;  ///< PEs that may wait for each other have their turns within launches,
    std::atomic<bool> in_launch_{false};
    bool native_all_ = false, native_floats_ = false, in_order_ = false;
    bool has_tiers_ = false;  ///< what kernels have compiled is decided while PEs run
    std::string tier_options_;
    std::function<void(std::string_view)> say_;
    std::optional<KernelTiers> tiers_;  ///< perhaps of an earlier run. Behind all that its thread uses.
};

Result<void> OpenClDevice::choose_groups(std::size_t nregs, const LoadConfig &config) {
    // On a CPU registers are private.
    u64 fit = on_host_ ? facts_.max_work_group : facts_.local_memory / (4 * nregs);
    // The work-items of a group run one after the other, and each core is to have one.
    work_group_ = turns_ ? 1 : config.work_group ? config.work_group : choose_work_group(facts_, nregs, config.nproc, use_switch_);
    if (work_group_ == 0 || work_group_ > fit)
        return Error{fmt::format("{} has {} KiB of local memory: room for the {} registers of {} PEs per work-group, not {}", info_.id,
                                 facts_.local_memory / 1024, nregs, fit, std::max(1u, work_group_))};
    std::size_t limit = 0;
    cl_int code = cl_.api().clGetKernelWorkGroupInfo(run_.get(), facts_.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clGetKernelWorkGroupInfo", code);
    if (work_group_ > limit) {
        if (config.work_group)
            return Error{fmt::format("{} takes at most {} PEs of this program in a work-group, not {}", info_.id, limit, work_group_)};
        work_group_ = static_cast<u32>(std::max<std::size_t>(1, limit));
    }
    return {};
}

Result<void> OpenClDevice::make_kernels(const Image &image, const LoadConfig &config) {
    if (!image.products.has(ProductKind::opencl))
        return Error{fmt::format("this program has no OpenCL interpreter in it, so {} cannot run it; use --device=reference", info_.id)};
    Result<Arithmetic> arithmetic = choose_arithmetic(image, config.doubles, facts_.computes, info_.id);
    if (!arithmetic) return arithmetic.error();
    arithmetic_ = arithmetic->description;
    if (config.engine == Engine::Lanes) return Error{"--engine=lanes is for the device \"host\"; other devices have lanes of their own"};
    if (use_switch_ && config.owns_process) prepare_switch_build(facts_);
    // A profile counts instructions in their places, which compiled code does not have.
    const bool may_compile = config.engine == Engine::Blocks || config.engine == Engine::Auto;
    entries_ = may_compile && !config.profile ? kernel_entry_table(image) : std::vector<u32>();
    if (entries_.empty() && config.engine == Engine::Blocks && !config.profile) return no_compiled_blocks();
    counting_ = config.count;
    profiling_ = config.profile;
    program_ = ClBuffer();
    served_.reset();
    turns_.reset();
    native_.reset();
    has_tiers_ = false;
    if (may_compile_here(image, config)) {
        const Result<bool> begun = begin_native(image, config, *arithmetic);
        if (!begun) return begun.error();
        if (*begun) return {};
    }
    if (config.engine == Engine::Native)
        return Error{fmt::format(
            "--engine=native: code is compiled while a program runs on x86-64 processors with AVX and BMI2, by PoCL and with no --warp or "
            "--profile: not on {}; --engine=blocks has its driver compile",
            info_.id)};
    has_tiers_ = !config.debugged && KernelTiers::is_wanted(image, config);  // a kernel that changes has no breaks
    if (has_tiers_) return begin_tiers(image, config, *arithmetic);
    return build_own(image, config, *arithmetic);
}

/// What mogcc wrote for the program: with blocks compiled or, where that was nobody's wish and the driver cannot, without.
Result<void> OpenClDevice::build_own(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic) {
    const std::string_view source = image.products.text(ProductKind::opencl);
    Result<void> built = build(image, source, options_for(arithmetic, config, entries_));
    if (built || entries_.empty() || config.engine != Engine::Auto) return built;
    if (config.say)
        config.say(
            fmt::format("{}: a kernel with code compiled could not be built, so all is interpreted: {}", info_.id, built.error().message));
    entries_.clear();
    return build(image, source, options_for(arithmetic, config, entries_));
}

std::string OpenClDevice::options_for(const Arithmetic &arithmetic, const LoadConfig &config, std::span<const u32> entries) const {
    std::string options = kernel_definitions(arithmetic, config, use_switch_, entries);
    if (facts_.is_cpu) options += " -DMOG_CPU";
    if (on_host_) options += " -DMOG_HOST_MEMORY";
    if (has_tiers_ && entries.empty()) options += " -DMOG_PLAIN";
    if (native_) options += " -DMOG_CALLS_HOST";
    return options;
}

/// Builds the kernels, or keeps those of the last run.
Result<void> OpenClDevice::build(const Image &image, std::string_view source, std::string options) {
    const std::string as = has_tiers_ ? options + ", in tiers" : options;
    if (as == built_as_ && &image == built_of_) {
        build_.cached = true;
        build_.seconds = 0;
        return {};
    }
    built_of_ = nullptr;
    Result<OpenClBuild> build = build_interpreter(cl_.api(), cl_.context(), facts_, source, options);
    if (!build) return build.error();
    build_ = *std::move(build);
    struct {
        ClKernel &kernel;
        const char *name;
    } kernels[] = {{run_, "mog_run"}, {init_, "mog_init"}, {transfer_, "mog_transfer"}};
    for (auto &[kernel, name] : std::span(kernels).first(on_host_ ? 1 : 3)) {
        Result<ClKernel> made = cl_.make_kernel(build_.program.get(), name);
        if (!made) return made.error();
        kernel = *std::move(made);
    }
    built_as_ = as;
    built_of_ = &image;
    return {};
}

/// Whether code of the device "host" may be compiled while PEs run: where kernels can call it, and what is compiled may be decided by what
/// runs.
bool OpenClDevice::may_compile_here(const Image &image, const LoadConfig &config) const {
    const bool wanted = config.engine == Engine::Native || KernelTiers::is_wanted(image, config);
    return wanted && facts_.is_this_process && on_host_ && !config.profile && NativeCode::is_possible(image);
}

/// Of CPUs.
NativeMemory OpenClDevice::native_memory() const {
    NativeMemory memory;
    memory.data_bytes = 4 * data_words_;
    memory.constants = constants_.data();
    memory.constants_bytes = constants_bytes_;
    if (window_bytes_ == 0) return memory;
    memory.window = static_cast<u8 *>(window_memory_.data()) + window_at_;
    memory.window_bytes = window_bytes_;
    return memory;
}

/// An interpreter of any program, which calls what is compiled in this process. False: there is none for this program.
Result<bool> OpenClDevice::begin_native(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic) {
    // Its addresses are offsets of 31 bits.
    if (data_words_ > 0x7fffffff / 4) return false;
    native_floats_ = !arithmetic.fcsr && arithmetic.doubles == Arithmetic::How::Native;
    native_all_ = config.engine == Engine::Native || config.debugged;
    // Those that may wait for each other have turns. Not where debuggers look on; and a launch has one bank.
    const bool has_turns = (processes_ != nproc_ || window_bytes_ != 0) && banks_.size() == 1 && !config.debugged;
    // The kernel counts what its own turns execute, and whose turn it is depends on nothing where the kernel has all of them.
    in_order_ = config.deterministic;
    const bool has_native_turns = has_turns && !in_order_ && !config.count;
    NativeMemory lies = native_memory();
    lies.turns = has_native_turns;
    native_.emplace(image, lies, native_all_, native_floats_);
    entries_.assign(image.text.size() + 1, 0);
    native_->add_entries(entries_);
    // Threads of a process have one memory, which does not tell whose it is; and of those that share memory some wait for others by the
    // system's calls: a PE that rests has its registers in the state, where a kernel puts them at the end of a slice only.
    if (processes_ == nproc_ && window_bytes_ == 0)
        served_.emplace(
            image, native_->hook(), 4 * data_words_, [this](const u32 *memory) { return owner_of(memory); }, serve_at_once_);
    std::optional<NativeTurns> natives;
    if (has_native_turns) {
        const Bank &bank = banks_.front();
        Result<NativeTurns> made = NativeTurns::make(*native_, nproc_, nregs_, bank.rows, bank.stride);
        if (!made) return made.error();
        natives = *std::move(made);
    }
    if (has_turns) turns_.emplace(in_order_ ? 1 : facts_.units, nproc_, std::move(natives));
    const Result<bool> begun = begin_with_any(image, config);
    if (!begun || !*begun) {
        served_.reset();
        turns_.reset();
        native_.reset();
    }
    return begun;
}

Result<void> OpenClDevice::set_breaks(std::span<const u32> places) {
    heeds_breaks_ = false;
    with_breaks_.reset();
    if (places.empty()) return {};
    const Image &image = *debugged_of_;
    WithBreaks &code = with_breaks_.emplace();
    KernelBreaks breaks(image, native_ ? std::span<const u32>() : std::span<const u32>(entries_), places);
    if (native_) {
        std::vector<bool> at(image.text.size());
        for (const u32 place : places) at[place] = true;
        code.native.emplace(image, native_memory(), native_all_, native_floats_, std::move(at));
        breaks.entries.assign(entries_.size(), 0);
        code.native->add_entries(breaks.entries);
    }
    const auto fill = [&](ClBuffer &buffer, Result<ClBuffer> made) -> Result<void> {
        if (!made) return made.error();
        buffer = *std::move(made);
        return {};
    };
    if (native_) MOG_TRY(fill(code.program, tell_program(image, code.native->hook())));
    if (!breaks.entries.empty()) MOG_TRY(fill(code.entry_of, cl_.make_filled(breaks.entries.data(), 4 * breaks.entries.size())));
    return fill(code.text, cl_.make_filled(breaks.text.data(), 2 * breaks.text.size()));
}

/// The first kernel of a run whose kernels change.
Result<void> OpenClDevice::begin_tiers(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic) {
    say_ = config.say;
    const u32 some[] = {0};
    tier_options_ = options_for(arithmetic, config, some);
    const std::string names = fmt::format("{}\n{}\n{}\n{} {}", facts_.platform, facts_.name, facts_.driver, facts_.warp, tier_options_);
    const bool again = tiers_ && tiers_->is_for(image, names);
    if (!again)
        tiers_.emplace(image,
                       KernelTiers::Driver{Dialect::opencl, ProductKind::opencl, facts_.is_cpu ? DriverCosts::pocl() : DriverCosts::cuda(),
                                           facts_.is_nvidia, !facts_.is_cpu},
                       names, [this](const TierSource &source) { return build_tier(source); });
    if (const TierSource *first = tiers_->begin(again)) {
        entries_ = first->entries;
        const Result<void> built = build(image, first->source, tier_options_);
        if (built) return {};
        if (say_) say_(fmt::format("{}: the kernel that an earlier run has found could not be built: {}", info_.id, built.error().message));
        tiers_->begin_without();
    }
    if (facts_.is_nvidia) return build_own(image, config, arithmetic);
    // Drivers of other GPUs may take a minute for all of a program's code (bench/opencl/targets.py).
    entries_.clear();
    return begin_with_interpreter(image, config, arithmetic);
}

/// With nothing compiled.
Result<void> OpenClDevice::begin_with_interpreter(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic) {
    const Result<bool> begun = begin_with_any(image, config);
    if (!begun || *begun) return begun ? Result<void>() : begun.error();
    return build(image, image.products.text(ProductKind::opencl), options_for(arithmetic, config, entries_));
}

/// With an interpreter that serves any program, which the driver has compiled since the first one that ran here. False: there is none for
/// this program.
Result<bool> OpenClDevice::begin_with_any(const Image &image, const LoadConfig &config) {
    const Image every = image_of_every_instruction(keeps_fcsr(image));
    // It computes with what the program may do without.
    const Doubles wish = config.doubles == Doubles::Auto ? wished_doubles(image) : config.doubles;
    const Result<Arithmetic> of_all = choose_arithmetic(every, wish, facts_.computes, info_.id);
    if (!on_host_ || has_own_spaces(image) || !of_all) return false;
    const Result<std::string> source = generate_for_any_program(every);
    if (!source) return source.error();
    LoadConfig any = config;
    any.threads = 1;  // it is told how many processes there are
    MOG_TRY(build(image, *source, options_for(*of_all, any, entries_)));
    std::optional<NativeHook> native;
    if (native_) native = served_ ? served_->hook() : native_->hook();
    Result<ClBuffer> made = tell_program(image, native);
    if (!made) return made.error();
    program_ = *std::move(made);
    return true;
}

/// What the interpreter for any program is told of this one, and of what is compiled of it here, if anything is.
Result<ClBuffer> OpenClDevice::tell_program(const Image &image, std::optional<NativeHook> native) {
    HostFunctions host;
    if (native) host.compiled = {reinterpret_cast<std::uintptr_t>(native->run), reinterpret_cast<std::uintptr_t>(native->code)};
    if (turns_) host.turns = turns_->hook();
    const std::vector<u32> told = told_of_program(image, host, {processes_, window_bytes_});
    return cl_.make_filled(told.data(), 4 * told.size());
}

ServedCode::Owner OpenClDevice::owner_of(const u32 *memory) const {
    const auto bank =
        std::ranges::find_if(banks_, [&](const Bank &b) { return memory >= b.memory && memory < b.memory + data_bytes(b) / 4; });
    const auto pe = static_cast<u32>(static_cast<u64>(memory - bank->memory) / data_words_);
    return {bank->first + pe, bank->rows + pe, bank->stride};
}

/// On a thread of its own: a kernel with other code compiled, launched once, for only then PoCL compiles it to the end.
Result<std::unique_ptr<BuiltTier>> OpenClDevice::build_tier(const TierSource &source) const {
    auto tier = std::make_unique<OpenClTier>();
    Result<OpenClBuild> build = build_interpreter(cl_.api(), cl_.context(), facts_, source.source, tier_options_);
    if (!build) return build.error();
    tier->build = *std::move(build);
    OpenClSession beside(cl_.api());
    MOG_TRY(beside.open_beside(cl_, facts_.id));
    Result<ClKernel> run = beside.make_kernel(tier->build.program.get(), "mog_run");
    if (!run) return run.error();
    tier->run = *std::move(run);
    std::size_t limit = 0;
    cl_int code = cl_.api().clGetKernelWorkGroupInfo(tier->run.get(), facts_.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clGetKernelWorkGroupInfo", code);
    if (work_group_ > limit) return Error{fmt::format("{} takes at most {} PEs of it in a work-group", info_.id, limit)};
    // It does nothing, and PEs have their memory for themselves.
    Result<ClBuffer> any = beside.make_buffer(4);
    if (!any) return any.error();
    cl_mem buffer = any->get();
    const u32 none = 0, one = 1;
    MOG_TRY(beside.set_arguments<MOG_ARG_RUN_LOCAL>(tier->run.get(), buffer, buffer, buffer, buffer, data_words_, buffer, one, buffer,
                                                    buffer, buffer, one, none, none));
    const cl_mem more[] = {buffer, buffer};
    MOG_TRY(launch_run(beside, tier->run.get(), std::span(more).first(space_bytes_ == 0 ? 1 : 2), 1));
    MOG_TRY(beside.finish());
    return std::unique_ptr<BuiltTier>(std::move(tier));
}

/// Between two launches: PEs go on with the next kernel, if there is one. All that is its own are the entries to what it has compiled.
Result<void> OpenClDevice::change_tier() {
    Result<std::unique_ptr<BuiltTier>> next = tiers_->take();
    if (!next) {
        if (say_)
            say_(fmt::format("{}: a kernel with hot code compiled could not be built, so the run goes on without: {}", info_.id,
                             next.error().message));
        return {};
    }
    if (!*next) return {};
    auto &tier = static_cast<OpenClTier &>(**next);
    entries_.assign(tiers_->entries().begin(), tiers_->entries().end());
    Result<ClBuffer> made = cl_.make_filled(entries_.data(), 4 * entries_.size());
    if (!made) return made.error();
    entry_of_ = *std::move(made);
    program_ = ClBuffer();
    run_ = std::move(tier.run);
    build_.program = std::move(tier.build.program);
    built_as_ = tier_options_ + ", in tiers";
    return {};
}

/// Divides the PEs into banks. What memory of the host those need is taken now: should it fail, no kernel has been
/// built in vain.
Result<void> OpenClDevice::plan_banks() {
    u64 warp = facts_.warp;
    u64 most = facts_.max_allocation / (4ull * laid_words_ * warp) * warp;
    bank_pes_ = static_cast<u32>(std::min<u64>(most, round_up(nproc_, warp)));
    // Banks of about the same size keep the device busy to the end.
    u64 banks = (nproc_ + bank_pes_ - 1) / bank_pes_;
    bank_pes_ = static_cast<u32>(round_up((nproc_ + banks - 1) / banks, warp));
    if (processes_ != nproc_) bank_pes_ = nproc_;

    banks_.clear();
    u64 words = 0, row_words = 0;
    for (u32 first = 0; first < nproc_; first += bank_pes_) {
        Bank &bank = banks_.emplace_back();
        bank.first = first;
        bank.count = std::min(bank_pes_, nproc_ - first);
        bank.slots = static_cast<u32>(round_up(bank.count, warp));
        bank.stride = facts_.is_cpu ? row_stride(bank.slots) : bank.slots;
        words += round_up(data_bytes(bank), page) / 4;
        row_words += round_up(state_bytes(bank), page) / 4;
    }
    if (!facts_.is_cpu) return {};
    Result<HostMemory> memory = HostMemory::allocate(4 * words, nproc_);
    if (!memory) return memory.error();
    Result<HostMemory> rows = HostMemory::allocate(4 * row_words, nproc_);
    if (!rows) return rows.error();
    memory_ = *std::move(memory);
    rows_ = *std::move(rows);
    u32 *next = memory_.words(), *next_row = rows_.words();
    for (Bank &bank : banks_) {
        bank.memory = next;
        bank.rows = next_row;
        next += round_up(data_bytes(bank), page) / 4;
        next_row += round_up(state_bytes(bank), page) / 4;
    }
    return {};
}

Result<void> OpenClDevice::make_banks(const Image &image, const LoadConfig &config) {
    for (Bank &bank : banks_) {
        const cl_mem_flags flags = CL_MEM_READ_WRITE | (facts_.is_cpu ? CL_MEM_USE_HOST_PTR : cl_mem_flags{0});
        struct {
            ClBuffer &buffer;
            u64 bytes;
            cl_mem_flags flags;
            void *host;
        } buffers[] = {{bank.data, data_bytes(bank), flags, bank.memory},
                       {bank.state, state_bytes(bank), flags, bank.rows},
                       {bank.requests, 4ull * bank.count * MOG_Q_WORDS, CL_MEM_READ_WRITE, nullptr},
                       {bank.nrequests, 4, CL_MEM_READ_WRITE, nullptr}};
        for (auto &wanted : buffers) {
            Result<ClBuffer> buffer = cl_.make_buffer(wanted.bytes, wanted.flags, wanted.host);
            if (!buffer) return buffer.error();
            wanted.buffer = *std::move(buffer);
        }
    }
    return on_host_ ? start_on_host(image, config) : start_on_device(image, config);
}

Result<void> OpenClDevice::start_on_device(const Image &image, const LoadConfig &config) {
    const std::vector<u32> words = initial_data(image, config);
    Result<ClBuffer> initial = cl_.make_filled(words.data(), 4 * words.size());
    if (!initial) return initial.error();
    Result<ClBuffer> startup = cl_.make_filled(config.startup.data(), 4 * config.startup.size());
    if (!startup) return startup.error();
    for (Bank &bank : banks_) {
        if (!facts_.is_cpu) MOG_TRY(cl_.fill_with_zeros(bank.data.get(), data_bytes(bank)));
        MOG_TRY(cl_.set_arguments<MOG_ARG_INIT_LOCAL>(init_.get(), initial->get(), static_cast<u32>(words.size()), startup->get(),
                                                      static_cast<u32>(config.startup.size()), bank.data.get(), data_words_,
                                                      bank.state.get(), bank.stride, processes_, image.entry, bank.count));
        MOG_TRY(cl_.set_local(init_.get(), MOG_ARG_INIT_LOCAL, std::size_t{4} * work_group_));
        MOG_TRY(cl_.launch(init_.get(), work_group_, bank.count));
    }
    MOG_TRY(cl_.finish());

    // mog_init counts PEs within a bank; those of later banks are told their number here.
    std::vector<Transfer> transfers;
    std::vector<u8> staging;
    for (u32 pe = banks_.front().count; pe < nproc_; pe++) {
        u32 at = static_cast<u32>(staging.size());
        transfers.push_back({pe, MOG_DATA_BASE + 4 * MOG_CB_IPROC, 4, at, false});
        staging.resize(at + 4);
        std::memcpy(staging.data() + at, &pe, 4);
    }
    return scatter(transfers, staging);
}

Result<void> OpenClDevice::start_on_host(const Image &image, const LoadConfig &config) {
    ThreadPool pool;
    const StartData start(image, processes_, data_words_);
    for (const Bank &bank : banks_) {
        MOG_TRY(map(bank));
        pool.for_each(std::min(bank.count, processes_), [&](std::size_t i) {
            write_start_state(image, config, start, bank.first + static_cast<u32>(i), bank.memory + i * data_words_, bank.rows + i,
                              bank.stride);
        });
        MOG_TRY(unmap(bank));
    }
    return cl_.finish();
}

Result<void> OpenClDevice::map(const Bank &bank) {
    MOG_TRY(cl_.map(bank.data.get(), data_bytes(bank)));
    return cl_.map(bank.state.get(), state_bytes(bank));
}

Result<void> OpenClDevice::unmap(const Bank &bank) {
    MOG_TRY(cl_.unmap(bank.data.get(), bank.memory));
    return cl_.unmap(bank.state.get(), bank.rows);
}

/// Launches mog_run, whose arguments are set but for the last: the entries of compiled blocks or the counters of a profile,
/// what is told of the program, the words of other spaces than "private", and local memory.
Result<void> OpenClDevice::launch_run(u32 count) {
    std::vector<cl_mem> more;
    ClBuffer &entries = heeds_breaks_ ? with_breaks_->entry_of : entry_of_;
    ClBuffer &program = heeds_breaks_ && with_breaks_->program ? with_breaks_->program : program_;
    // An interpreter of any program has both in any case.
    ClBuffer *const spaces = space_bytes_ != 0 ? &spaces_ : program_ ? &program : nullptr;
    for (const ClBuffer *buffer :
         {entries_.empty() ? nullptr : &entries, profiling_ ? &profile_ : nullptr, program_ ? &program : nullptr, spaces})
        if (buffer) more.push_back(buffer->get());
    return launch_run(cl_, run_.get(), more, count);
}

Result<void> OpenClDevice::launch_run(OpenClSession &cl, cl_kernel kernel, std::span<const cl_mem> more, u32 count) const {
    cl_uint next = MOG_ARG_RUN_LOCAL;
    for (const cl_mem &argument : more) {
        const cl_int code = cl.api().clSetKernelArg(kernel, next++, sizeof argument, &argument);
        if (code != CL_SUCCESS) return opencl_error("clSetKernelArg", code);
    }
    if (!on_host_) MOG_TRY(cl.set_local(kernel, next, std::size_t{4} * nregs_ * work_group_));
    return cl.launch(kernel, work_group_, count);
}

/// Launches mog_transfer, whose arguments are set but for the last: local memory, which it does not use.
Result<void> OpenClDevice::launch_transfer(u32 count) {
    const u32 group = static_cast<u32>(std::min<u64>(64, facts_.max_work_group));
    MOG_TRY(cl_.set_local(transfer_.get(), MOG_ARG_TRANSFER_LOCAL, std::size_t{4} * group));
    return cl_.launch(transfer_.get(), group, count);
}

/// Takes over what a launch counted, before its 32-bit counters can overflow.
Result<void> OpenClDevice::add_counts() {
    MOG_TRY(cl_.read(profile_.get(), counts_of_launches_.counters(), counts_of_launches_.bytes()));
    counts_of_launches_.take_over();
    return cl_.fill_with_zeros(profile_.get(), counts_of_launches_.bytes());
}

/// Some drivers compile a kernel when it is first launched, for the work-group size of that launch. That is part of
/// building it.
Result<void> OpenClDevice::warm_up() {
    auto begin = std::chrono::steady_clock::now();
    cl_mem text = text_.get(), cpool = cpool_.get(), code_map = code_map_.get(), list = active_.get();
    Bank &bank = banks_.front();
    cl_mem data = bank.data.get(), state = bank.state.get(), requests = bank.requests.get(), nrequests = bank.nrequests.get();
    const u32 none = 0, one = 1;
    // With no work-items to serve, each of them returns at once.
    MOG_TRY(cl_.set_arguments<MOG_ARG_RUN_LOCAL>(run_.get(), text, cpool, code_map, data, data_words_, state, bank.stride, requests,
                                                 nrequests, list, one, none, none));
    MOG_TRY(launch_run(1));
    if (!on_host_) {
        MOG_TRY(cl_.set_arguments<MOG_ARG_TRANSFER_LOCAL>(transfer_.get(), list, requests, data, data_words_, state, bank.stride, none,
                                                          none, none));
        MOG_TRY(launch_transfer(1));
    }
    MOG_TRY(cl_.finish());
    build_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return {};
}

Result<void> OpenClDevice::load(const Image &image, const LoadConfig &wanted) {
    LoadConfig config = wanted;
    if (tiers_) tiers_->end();
    if (config.warp != 0) facts_.warp = config.warp;
    if (config.threads > 1) facts_.warp = 1;  // they share words, which are not interleaved then
    on_host_ = facts_.is_cpu && facts_.warp == 1;
    // Interleaved memory is for lanes in step, which a sequence serves together.
    use_switch_ =
        config.engine == Engine::Switch || (config.engine != Engine::Sequence && facts_.is_cpu &&
                                            (config.engine == Engine::Auto || config.engine == Engine::Native || facts_.warp == 1));
    config.fuel |= config.debugged && !use_switch_;  // only so a pass of a sequence is one instruction
    fuel_ = config.fuel;
    debugged_of_ = config.debugged ? &image : nullptr;
    heeds_breaks_ = false;
    with_breaks_.reset();
    nproc_ = config.nproc;
    processes_ = config.processes();
    data_words_ = config.data_words;
    if (config.layout == MemoryLayout::Count) return Error{"--memory-layout=count is for CUDA devices; others use what these have counted"};
    config.layout = facts_.warp == 1 ? MemoryLayout::Words : layout_for(image, config.layout);
    by_sectors_ = config.layout == MemoryLayout::Sectors;
    laid_words_ = laid_words(config);
    nregs_ = static_cast<u32>(image.register_names.size());
    MOG_TRY(check_opencl_memory(facts_, info_.id, processes_, laid_words_, bytes_per_pe(image, laid_words_)));
    if (facts_.is_cpu) MOG_TRY(check_host_room(nproc_, least_host_bytes_per_pe(image, config, !on_host_)));
    MOG_TRY(plan_banks());
    if (!cl_.context()) MOG_TRY(cl_.open(facts_.id));
    MOG_TRY(make_spaces(image, config));  // of which native code is told
    MOG_TRY(make_kernels(image, config));
    MOG_TRY(choose_groups(nregs_, config));
    const KernelConstants constants(image, config, use_switch_, entries_, has_tiers_);
    superinstructions_ = constants.text.superinstructions;
    ClBuffer *const of_part[] = {&text_, &cpool_, &code_map_, &entry_of_};
    for (std::size_t i = 0; i < constants.parts.size(); i++) {
        if (constants.parts[i].empty()) continue;
        Result<ClBuffer> made = cl_.make_filled(constants.parts[i].data(), constants.parts[i].size());
        if (!made) return made.error();
        *of_part[i] = *std::move(made);
    }
    Result<ClBuffer> active = cl_.make_buffer((config.fuel ? 8ull : 4ull) * nproc_);
    if (!active) return active.error();
    active_ = *std::move(active);
    if (profiling_) {
        counts_of_launches_.start(image);
        Result<ClBuffer> counters = cl_.make_buffer(counts_of_launches_.bytes());
        if (!counters) return counters.error();
        profile_ = *std::move(counters);
        MOG_TRY(cl_.fill_with_zeros(profile_.get(), counts_of_launches_.bytes()));
    }
    MOG_TRY(make_banks(image, config));
    MOG_TRY(warm_up());
    if (has_tiers_) tiers_->has_begun(build_.seconds);
    return {};
}

/// Runs those of each bank that local_ and bank_begin_ have, to the end.
Result<void> OpenClDevice::launch_banks(u32 passes) {
    in_launch_ = true;
    const Result<void> done = launch_each_bank(passes);
    in_launch_ = false;
    return done;
}

Result<void> OpenClDevice::launch_each_bank(u32 passes) {
    const u32 zero = 0;
    cl_mem text = (heeds_breaks_ ? with_breaks_->text : text_).get(), cpool = cpool_.get(), code_map = code_map_.get(),
           list = active_.get();
    for (std::size_t b = 0; b < banks_.size(); b++) {
        if (bank_begin_[b] == bank_begin_[b + 1]) continue;
        Bank &bank = banks_[b];
        MOG_TRY(cl_.write(bank.nrequests.get(), &zero, 4));
        cl_mem data = bank.data.get(), state = bank.state.get(), requests = bank.requests.get(), nrequests = bank.nrequests.get();
        const u32 first = bank_begin_[b], count = bank_begin_[b + 1] - first;
        MOG_TRY(cl_.set_arguments<MOG_ARG_RUN_LOCAL>(run_.get(), text, cpool, code_map, data, data_words_, state, bank.stride, requests,
                                                     nrequests, list, passes, first, count));
        MOG_TRY(launch_run(count));
    }
    return cl_.finish();
}

/// PEs that may wait for each other: a work-item for each core runs one after the other.
Result<std::vector<Request>> OpenClDevice::run_turns(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    const auto memory_of = [this](u32 pe) { return banks_.front().memory + std::size_t{pe % processes_} * data_words_; };
    turns_->begin(active, own_passes,
                  {.passes = passes,
                   .turn_passes = TurnsOfPes::longest_turn(false),
                   .processes = processes_,
                   .in_order = in_order_,
                   .memory_of = memory_of},
                  serve_at_once_);
    bank_begin_ = {0, turns_->work_items()};
    const Result<void> done = launch_banks(passes);
    const std::span<const Request> stopped = turns_->end();
    if (!done) return done.error();
    std::vector<Request> requests(stopped.begin(), stopped.end());
    std::ranges::sort(requests, {}, [](const Request &request) { return request[MOG_Q_PE]; });
    return requests;
}

Result<std::vector<Request>> OpenClDevice::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    if (turns_) return run_turns(active, passes, own_passes);
    if (has_tiers_) MOG_TRY(change_tier());
    const auto launched = std::chrono::steady_clock::now();
    // With passes of its own beside each PE, the list has two words for each.
    const std::size_t words = fuel_ ? 2 : 1;
    local_.resize(active.size() * words);
    bank_begin_.assign(banks_.size() + 1, static_cast<u32>(active.size()));
    for (std::size_t i = active.size(); i-- > 0;) {
        std::size_t bank = bank_of(active[i]);
        local_[i * words] = active[i] - banks_[bank].first;
        if (words == 2) local_[i * words + 1] = own_passes.empty() ? passes : own_passes[i];
        bank_begin_[bank] = static_cast<u32>(i);
    }
    for (std::size_t bank = banks_.size(); bank-- > 0;)  // a bank without active PEs ends where it begins
        bank_begin_[bank] = std::min(bank_begin_[bank], bank_begin_[bank + 1]);
    MOG_TRY(cl_.write(active_.get(), local_.data(), 4 * local_.size()));
    MOG_TRY(launch_banks(passes));
    if (has_tiers_) tiers_->ran(std::chrono::duration<double>(std::chrono::steady_clock::now() - launched).count());
    if (profiling_) MOG_TRY(add_counts());

    std::vector<Request> stopped;
    for (std::size_t b = 0; b < banks_.size(); b++) {
        if (bank_begin_[b] == bank_begin_[b + 1]) continue;
        u32 count = 0;
        MOG_TRY(cl_.read(banks_[b].nrequests.get(), &count, 4));
        if (count > bank_begin_[b + 1] - bank_begin_[b])
            return Error{fmt::format("{} reports more stopped PEs than ran: its memory is damaged", info_.id)};
        std::size_t begin = stopped.size();
        stopped.resize(begin + count);
        MOG_TRY(cl_.read(banks_[b].requests.get(), stopped.data() + begin, sizeof(Request) * count));
        for (std::size_t i = begin; i < stopped.size(); i++) stopped[i][MOG_Q_PE] += banks_[b].first;
        std::sort(stopped.begin() + static_cast<std::ptrdiff_t>(begin), stopped.end(),
                  [](const Request &x, const Request &y) { return x[MOG_Q_PE] < y[MOG_Q_PE]; });
    }
    return stopped;
}

/// On CPUs in pages of the host, of which untouched ones take no memory.
Result<void> OpenClDevice::make_spaces(const Image &image, const LoadConfig &config) {
    const SpaceBuffer buffer = space_buffer(image, config.window_bytes);
    space_bytes_ = 4 * buffer.words;
    window_at_ = 4 * buffer.window_at;
    window_bytes_ = config.window_bytes;
    constants_ = buffer.constants;
    constants_bytes_ = static_cast<u32>(buffer.constants.size());
    spaces_ = ClBuffer();
    if (space_bytes_ == 0) return {};
    if (space_bytes_ > facts_.max_allocation)
        return Error{fmt::format("{} gives {} of memory at once, and what PEs share takes {}: --shared-memory lowers it", info_.id,
                                 format_amount(facts_.max_allocation), format_amount(space_bytes_))};
    if (facts_.is_cpu) {
        Result<HostMemory> memory = HostMemory::allocate_mappable(space_bytes_);
        if (!memory) return memory.error();
        window_memory_ = *std::move(memory);
    }
    Result<ClBuffer> spaces = facts_.is_cpu ? cl_.make_buffer(space_bytes_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, window_memory_.data())
                                            : cl_.make_buffer(space_bytes_);
    if (!spaces) return spaces.error();
    spaces_ = *std::move(spaces);
    if (!facts_.is_cpu) MOG_TRY(cl_.fill_with_zeros(spaces_.get(), space_bytes_));
    if (constants_bytes_ != 0) MOG_TRY(cl_.write(spaces_.get(), constants_.data(), constants_bytes_, 4 * buffer.constants_at));
    return cl_.write(spaces_.get(), buffer.header.data(), 4 * buffer.header.size());
}

/// Those of a list that are to the window or to constants are done here; what is left is the others'.
Result<std::vector<Transfer>> OpenClDevice::transfer_window(std::span<const Transfer> transfers, u8 *into, const u8 *from) {
    std::vector<Transfer> others;
    for (const Transfer &t : transfers) {
        if (read_constants(t, constants_, into)) continue;
        if (!is_in_window(t, window_bytes_)) {
            others.push_back(t);
            continue;
        }
        const u64 at = window_at_ + (t.address - MOG_SHARED_BASE);
        MOG_TRY(into ? cl_.read(spaces_.get(), into + t.staging, t.length, at) : cl_.write(spaces_.get(), from + t.staging, t.length, at));
    }
    return others;
}

/// What `transfer` does, where PEs are on the host.
Result<void> OpenClDevice::transfer_on_host(std::span<const Transfer> transfers, u8 *into, const u8 *from) {
    std::vector<bool> mapped(banks_.size());
    const bool has_window = std::ranges::any_of(transfers, [&](const Transfer &t) { return is_in_window(t, window_bytes_); });
    if (has_window && !in_launch_) MOG_TRY(cl_.map(spaces_.get(), space_bytes_));
    for (const Transfer &t : transfers) {
        if (read_constants(t, constants_, into)) continue;
        if (is_in_window(t, window_bytes_)) {
            u8 *bytes = static_cast<u8 *>(window_memory_.data()) + window_at_ + (t.address - MOG_SHARED_BASE);
            if (into) std::memcpy(into + t.staging, bytes, t.length);
            else std::memcpy(bytes, from + t.staging, t.length);
            continue;
        }
        const std::size_t b = bank_of(t.pe);
        const Bank &bank = banks_[b];
        // A kernel that asks has it, and others wait for the kernel's end.
        if (!mapped[b] && !in_launch_) {
            MOG_TRY(map(bank));
            mapped[b] = true;
        }
        const std::size_t pe = t.pe - bank.first;
        u8 *bytes = place_of(t, bank.memory + (processes_ != nproc_ ? pe % processes_ : pe) * data_words_, bank.rows + pe, bank.stride);
        if (into) std::memcpy(into + t.staging, bytes, t.length);
        else std::memcpy(bytes, from + t.staging, t.length);
    }
    if (has_window && !in_launch_) MOG_TRY(cl_.unmap(spaces_.get(), window_memory_.data()));
    for (std::size_t b = 0; b < banks_.size(); b++)
        if (mapped[b]) MOG_TRY(unmap(banks_[b]));
    return {};
}

Result<void> OpenClDevice::transfer(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe) {
    if (to_pe) MOG_TRY(check_targets(transfers, constants_bytes_));
    if (on_host_) return transfer_on_host(transfers, into, from);
    const auto is_shared = [&](const Transfer &t) { return is_in_window(t, window_bytes_) || is_in_constants(t, constants_bytes_); };
    if ((into || from) && std::ranges::any_of(transfers, is_shared)) {
        const Result<std::vector<Transfer>> others = transfer_window(transfers, into, from);
        if (!others) return others.error();
        return transfer_pes(*others, into, from, to_pe);
    }
    return transfer_pes(transfers, into, from, to_pe);
}

Result<void> OpenClDevice::transfer_pes(std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe) {
    if (transfers.empty()) return {};
    // Records in the order of banks; within one bank the order does not matter, for ranges never overlap.
    local_.resize(transfers.size() * MOG_T_WORDS);
    bank_begin_.assign(banks_.size() + 1, 0);
    u64 staged = 0;
    for (const Transfer &t : transfers) {
        bank_begin_[bank_of(t.pe) + 1]++;
        staged = std::max<u64>(staged, u64{t.staging} + t.length);
    }
    for (std::size_t b = 0; b < banks_.size(); b++) bank_begin_[b + 1] += bank_begin_[b];
    std::vector<u32> next(bank_begin_.begin(), bank_begin_.end() - 1);
    for (const Transfer &t : transfers) {
        std::size_t b = bank_of(t.pe);
        u32 *record = local_.data() + std::size_t{next[b]++} * MOG_T_WORDS;
        record[MOG_T_PE] = (t.pe - banks_[b].first) | (t.is_state ? MOG_T_STATE : 0u);
        record[MOG_T_ADDRESS] = t.address;
        record[MOG_T_LENGTH] = t.length;
        record[MOG_T_STAGING] = t.staging;
    }
    struct {
        ClBuffer &buffer;
        u64 &size;
        u64 wanted;
    } grown[] = {{list_, list_bytes_, 4 * local_.size()}, {staging_, staging_bytes_, round_up(staged, 4)}};
    for (auto &[buffer, size, wanted] : grown) {
        if (size >= wanted) continue;
        size = 0;
        buffer = ClBuffer();
        u64 room = std::min<u64>(std::max<u64>(wanted, wanted + wanted / 2), std::max(wanted, facts_.max_allocation));
        Result<ClBuffer> made = cl_.make_buffer(room);
        if (!made) return made.error();
        buffer = *std::move(made);
        size = room;
    }
    MOG_TRY(cl_.write(list_.get(), local_.data(), 4 * local_.size()));
    if (from) MOG_TRY(cl_.write(staging_.get(), from, staged));
    cl_mem list = list_.get(), staging = staging_.get();
    for (std::size_t b = 0; b < banks_.size(); b++) {
        cl_mem data = banks_[b].data.get(), state = banks_[b].state.get();
        const u32 first = bank_begin_[b], count = bank_begin_[b + 1] - first;
        MOG_TRY(cl_.set_arguments<MOG_ARG_TRANSFER_LOCAL>(transfer_.get(), list, staging, data, data_words_, state, banks_[b].stride,
                                                          u32{to_pe}, first, count));
        MOG_TRY(launch_transfer(count));
    }
    if (!into) return cl_.finish();
    if (window_bytes_ == 0 && constants_bytes_ == 0) return cl_.read(staging_.get(), into, staged);
    // Between them stands what came from the window, or is constant.
    std::vector<u8> bytes(staged);
    MOG_TRY(cl_.read(staging_.get(), bytes.data(), staged));
    for (const Transfer &t : transfers) std::memcpy(into + t.staging, bytes.data() + t.staging, t.length);
    return {};
}

Result<void> OpenClDevice::gather(std::span<const Transfer> transfers, std::span<u8> staging) {
    return transfer(transfers, staging.data(), nullptr, false);
}

Result<void> OpenClDevice::scatter(std::span<const Transfer> transfers, std::span<const u8> staging) {
    return transfer(transfers, nullptr, staging.data(), true);
}

/// The bytes stay on the device.
Result<void> OpenClDevice::copy(std::span<const Copy> copies) {
    MOG_TRY(check_targets(copies, constants_bytes_));
    const auto reads_constants = [this](const Copy &c) { return c.from - constants_base < constants_bytes_; };
    if (on_host_ || window_bytes_ != 0 || std::ranges::any_of(copies, reads_constants)) return Device::copy(copies);
    return copy_in_stages(copies, [this](std::span<const Transfer> from, std::span<const Transfer> to, u32) -> Result<void> {
        MOG_TRY(transfer(from, nullptr, nullptr, false));
        return transfer(to, nullptr, nullptr, true);
    });
}

bool OpenClDevice::unload() {
    if (tiers_) tiers_->end();
    debugged_of_ = nullptr;
    with_breaks_.reset();
    for (ClBuffer *buffer : {&text_, &cpool_, &code_map_, &entry_of_, &spaces_, &program_, &active_, &list_, &staging_, &profile_})
        *buffer = ClBuffer();
    list_bytes_ = staging_bytes_ = 0;
    banks_.clear();
    memory_ = {};
    rows_ = {};
    window_memory_ = {};
    return true;
}

Result<DeviceStats> OpenClDevice::stats() {
    DeviceStats stats;
    stats.engine =
        fmt::format("OpenCL kernel{}, {}{}, {} superinstructions, WARP {}{}, work-groups of {}", program_ ? " of any program" : "",
                    entries_.empty() ? "" : "compiled blocks and ", use_switch_ ? "switch" : "sequence", superinstructions_, facts_.warp,
                    by_sectors_ ? ", memory by sectors" : "", work_group_);
    stats.arithmetic = arithmetic_;
    if (has_tiers_) stats.tiers = tiers_->stats();
    if (native_) {
        stats.native = native_->stats();
        stats.native->why_asking = "memory is the driver's";
        stats.in_native = native_->compiled();
    }
    stats.build_seconds = build_.seconds;
    stats.cached = build_.cached;
    stats.counted = counting_;
    if (!counting_) return stats;
    std::vector<u32> row;
    for (Bank &bank : banks_) {
        row.resize(bank.count);
        for (u32 half : {MOG_S_COUNT_LO, MOG_S_COUNT_HI}) {
            MOG_TRY(cl_.read(bank.state.get(), row.data(), 4ull * bank.count, 4ull * half * bank.stride));
            for (u32 count : row) stats.executed += u64{count} << (half == MOG_S_COUNT_HI ? 32 : 0);
        }
    }
    return stats;
}

}  // namespace

std::vector<DeviceInfo> list_opencl_devices(const Image *image, std::vector<std::string> *notes) {
    std::vector<DeviceInfo> list;
    for (const OpenClDeviceFacts &facts : find_opencl_devices(notes)) list.push_back(describe_opencl_device(facts, list.size(), image));
    return list;
}

Result<std::unique_ptr<Device>> make_opencl_device(u32 number) {
    Result<const OpenClApi *> api = opencl_api();
    if (!api) return api.error();
    std::vector<std::string> notes;
    std::vector<OpenClDeviceFacts> devices = find_opencl_devices(&notes);
    if (devices.empty()) return Error{notes.empty() ? "there is no OpenCL device here" : notes.front()};
    if (number >= devices.size())
        return Error{fmt::format("there is no device opencl:{}; the last one is opencl:{}", number, devices.size() - 1)};
    DeviceInfo info = describe_opencl_device(devices[number], number, nullptr);
    return std::unique_ptr<Device>(std::make_unique<OpenClDevice>(**api, devices[number], std::move(info)));
}

}  // namespace mog
