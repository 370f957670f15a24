// cuda_kernels.cpp: where code for a device comes from, and the shape of its launches.
#include "runtime_host/devices/cuda/cuda_kernels.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "runtime_host/device/kernel_setup.hpp"
#include "runtime_host/devices/cuda/cuda_embedded.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using Seconds = std::chrono::duration<double>;

/// Numbers of CUfunction_attribute.
enum FunctionAttribute { most_threads = 0, registers_per_thread = 4, dynamic_shared = 8 };

}  // namespace

/// A kernel that was built beside a run.
struct CudaKernels::Tier final : BuiltTier {
    CudaModule module;
    CudaRunKernel run;
};

// ---- code -----------------------------------------------------------------------------------------------------------

Result<CuModule> CudaKernels::load_code(std::span<const u8> code) const {
    CuModule module = nullptr;
    if (CuResult result = api_.cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr); result != 0)
        return cuda_error(api_, "cuModuleLoadDataEx", result);
    return module;
}

/// What mogcc compiled, if it is for this device and these definitions and the driver takes it, which may be older than the nvcc that made
/// it. Null: there is none.
Result<CuModule> CudaKernels::embedded_module(const Image &image, std::string_view definitions) {
    embedded_.clear();
    const auto embedded = find_embedded_cuda(image, facts_.capability, definitions);
    if (!embedded) return CuModule{};
    Result<CuModule> module = load_code(embedded->code);
    if (module) embedded_ = embedded->name;
    return module;
}

Result<CuModule> CudaKernels::make_module(std::string_view source, std::string_view definitions, bool &cached) const {
    Result<const NvrtcApi *> nvrtc = nvrtc_api();
    if (!nvrtc) return nvrtc.error();
    Result<CuModule> module = CuModule{};
    for (KernelCacheUse use : {KernelCacheUse::Take, KernelCacheUse::Replace}) {
        Result<CudaBuild> build = build_cuda_interpreter(**nvrtc, facts_.capability, source, definitions, use);
        if (!build) return build.error();
        cached = build->cached;
        module = load_code(build->code);
        // Code that was kept and that the driver does not take is made anew.
        if (module || !cached) break;
    }
    return module;
}

Result<CuModule> CudaKernels::link_module(const TierSource &tier, TierParts &parts, bool &cached) const {
    Result<const NvrtcApi *> nvrtc = nvrtc_api();
    if (!nvrtc) return nvrtc.error();
    std::vector<CudaPart> sources;
    for (const std::string &part : tier.parts) sources.push_back({part, part_definitions_});
    sources.push_back({tier.source, tier.of_any_program ? part_definitions_ : tier_definitions_});
    Result<CuModule> module = CuModule{};
    for (KernelCacheUse use : {KernelCacheUse::Take, KernelCacheUse::Replace}) {
        Result<CudaPartsBuild> build = link_cuda_parts(api_, **nvrtc, facts_.capability, sources, use);
        if (!build) return build.error();
        cached = build->cached;
        parts = {build->compiled, build->kept};
        module = load_code(build->code);
        // Code that was kept and that the driver does not take is made anew.
        if (module || build->kept == 0) break;
    }
    return module;
}

Result<CuModule> CudaKernels::make_module(const TierSource &tier, TierParts &parts, bool &cached) const {
    return tier.parts.empty() ? make_module(tier.source, tier_definitions_, cached) : link_module(tier, parts, cached);
}

Result<CuFunction> CudaKernels::function(CuModule module, const char *name) const {
    CuFunction found = nullptr;
    if (CuResult code = api_.cuModuleGetFunction(&found, module, name); code != 0) return cuda_error(api_, "cuModuleGetFunction", code);
    return found;
}

/// The image's own interpreter, or what an earlier run has found.
Result<void> CudaKernels::load(const Image &image, const TierSource *tier, std::string definitions) {
    const std::string as = tier ? tier_name() : definitions;
    parts_ = {};
    if (as == built_as_ && &image == built_of_) {
        cached_ = true;
        build_seconds_ = 0;
        return {};
    }
    const auto begin = std::chrono::steady_clock::now();
    built_of_ = nullptr;
    cached_ = false;
    Result<CuModule> made = CuModule{};
    if (tier) embedded_.clear();
    else made = embedded_module(image, definitions);
    if (!made || !*made) {
        Result<CuModule> compiled =
            tier ? make_module(*tier, parts_, cached_) : make_module(image.products.text(ProductKind::cuda), definitions, cached_);
        // Where there is no compiler, why the driver did not take what is there says more.
        if (!compiled) return made || nvrtc_api() ? compiled.error() : made.error();
        made = std::move(compiled);
    }
    more_.clear();
    module_ = CudaModule(*made);
    struct {
        CuFunction &kernel;
        const char *name;
    } kernels[] = {{init_, "mog_init"}, {transfer_, "mog_transfer"}};
    for (auto &[kernel, name] : kernels) {
        const Result<CuFunction> found = function(module_.get(), name);
        if (!found) return found.error();
        kernel = *found;
    }
    built_as_ = as;
    built_of_ = &image;
    build_seconds_ = Seconds(std::chrono::steady_clock::now() - begin).count();
    return {};
}

Result<void> CudaKernels::make(const Image &image, const LoadConfig &config) {
    if (!image.products.has(ProductKind::cuda))
        return Error{
            fmt::format("this program has no CUDA interpreter in it, so {} cannot run it; compile it anew, or use "
                        "--device=reference",
                        info_.id)};
    Result<Arithmetic> arithmetic = choose_arithmetic(image, config.doubles, FloatAbilities{}, info_.id);
    if (!arithmetic) return arithmetic.error();
    arithmetic_ = arithmetic->description;
    nregs_ = static_cast<u32>(image.register_names.size());
    if (config.engine == Engine::Native) return Error{"--engine=native is for the device \"host\"; other devices compile blocks"};
    if (config.engine == Engine::Lanes) return Error{"--engine=lanes is for the device \"host\"; other devices have lanes of their own"};
    if (config.warp != 0 && config.warp != cuda_warp)
        return Error{fmt::format("--warp={}: a warp of {} has {} lanes", config.warp, info_.id, cuda_warp)};
    use_switch_ = config.engine == Engine::Switch;
    work_group_ = config.work_group;
    window_bytes_ = config.window_bytes;
    by_sectors_ = is_by_sectors(config.layout);
    say_ = config.say;
    // A profile counts instructions in their places, which compiled code does not have.
    const bool may_compile = config.engine == Engine::Blocks || config.engine == Engine::Auto;
    entries_ = may_compile && !config.profile ? kernel_entry_table(image) : std::vector<u32>();
    if (entries_.empty() && config.engine == Engine::Blocks && !config.profile) return no_compiled_blocks();
    const std::string definitions = cuda_definitions(*arithmetic, config, use_switch_, entries_);
    const TierSource *first = nullptr;
    of_any_program_ = false;
    has_tiers_ = !config.debugged && KernelTiers::is_wanted(image, config) && nvrtc_api();  // a kernel that changes has no breaks
    if (has_tiers_) {
        first = begin_tiers(image, config, *arithmetic);
    }
    if (first) {
        const Result<void> loaded = load(image, first, tier_definitions_);
        of_any_program_ = loaded && first->of_any_program;
        if (loaded) {
            entries_ = first->entries;
        } else {
            if (say_)
                say_(fmt::format("{}: the kernel that {} could not be built: {}", info_.id,
                                 first->of_any_program ? "the program has parts of" : "an earlier run has found", loaded.error().message));
            tiers_->begin_without();
            first = nullptr;
        }
    }
    if (!first) MOG_TRY(load(image, nullptr, definitions));
    const Result<CudaRunKernel> run = shaped(more_.empty() ? module_.get() : more_.back().get());
    if (!run) return run.error();
    run_ = *run;
    if (has_tiers_) tiers_->has_begun(build_seconds_, parts_);
    return {};
}

// ---- launches -------------------------------------------------------------------------------------------------------

/// Its mog_run. PEs per block, a multiple of the warp: the size with which most PEs are resident at once, by the driver's own calculation
/// from the kernel's registers and shared memory; of equals the smallest, which waits for the fewest others.
Result<CudaRunKernel> CudaKernels::shaped(CuModule module) const {
    const Result<CuFunction> found = function(module, "mog_run");
    if (!found) return found.error();
    CudaRunKernel run{*found};
    (void)api_.cuFuncGetAttribute(&run.registers, registers_per_thread, run.function);
    const u32 fit = static_cast<u32>(facts_.shared_per_block / (4ull * nregs_));
    int limit = static_cast<int>(facts_.threads_per_block);
    (void)api_.cuFuncGetAttribute(&limit, most_threads, run.function);
    const u32 most = std::min(fit, static_cast<u32>(std::max(1, limit)));
    if (work_group_ > most || most < cuda_warp)
        return Error{fmt::format("{} has room for {} PEs of this program in a block, not {}: {} KiB of shared memory for {} registers each",
                                 info_.id, most, std::max(work_group_, cuda_warp), facts_.shared_per_block / 1024, nregs_)};
    // More shared memory than 48 KiB is given only when asked for.
    const u32 largest = work_group_ ? work_group_ : std::min(most / cuda_warp * cuda_warp, 256u);
    if (CuResult code = api_.cuFuncSetAttribute(run.function, dynamic_shared, static_cast<int>(shared_bytes(largest))); code != 0)
        return cuda_error(api_, "cuFuncSetAttribute", code);
    const auto resident = [&](u32 block) {
        int blocks = 0;
        const CuResult code =
            api_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run.function, static_cast<int>(block), shared_bytes(block));
        return code == 0 ? static_cast<u32>(blocks) * block : 0u;
    };
    if (work_group_) {
        run.block = work_group_;
        run.resident = resident(run.block);
        return run;
    }
    run.block = 0;
    for (u32 block = cuda_warp; block <= largest; block *= 2) {
        const u32 many = resident(block);
        if (run.block != 0 && many <= run.resident) continue;
        run.block = block;
        run.resident = many;
    }
    return run;
}

// ---- kernels that change --------------------------------------------------------------------------------------------

/// What the run begins with; null: with what mogcc has compiled.
const TierSource *CudaKernels::begin_tiers(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic) {
    const u32 some[] = {0};
    tier_definitions_ = cuda_definitions(arithmetic, config, use_switch_, some);
    // The table tells parts of how many processes there are.
    LoadConfig of_one = config;
    of_one.nproc = config.threads;
    part_definitions_ = cuda_definitions(arithmetic, of_one, use_switch_, some);
    KernelTiers::Driver driver{Dialect::cuda, ProductKind::cuda, DriverCosts::cuda(), true};
    // Copies of loops for warps that agree are a kernel's own: whoever asks for them gets one piece.
    const bool has_copies = config.divergence && *config.divergence != Divergence::Off;
    // What mogcc has compiled for this device needs no compiler.
    const bool links = api_.links && !has_copies &&
                       !find_embedded_cuda(image, facts_.capability, cuda_definitions(arithmetic, config, use_switch_, entries_));
    // Of a run without threads no kernel asks for the processes.
    if (links) driver.links = RunSizes{config.threads == 1 ? 1 : config.processes(), config.window_bytes};
    const std::string names = fmt::format("sm_{}\n{}\n{}\n{} {}", facts_.capability, cuda_version_name((*nvrtc_api())->version),
                                          tier_definitions_, config.window_bytes, links ? "linked" : "");
    const bool again = tiers_ && tiers_->is_for(image, names);
    if (!again) tiers_.emplace(image, driver, names, [this](const TierSource &source) { return build_tier(source); });
    return tiers_->begin(again);
}

/// On a thread of its own.
Result<std::unique_ptr<BuiltTier>> CudaKernels::build_tier(const TierSource &source) const {
    MOG_TRY(session_.enter());
    auto tier = std::make_unique<Tier>();
    bool cached = false;
    const Result<CuModule> module = make_module(source, tier->parts, cached);
    if (!module) return module.error();
    tier->module = CudaModule(*module);
    const Result<CudaRunKernel> run = shaped(*module);
    if (!run) return run.error();
    tier->run = *run;
    return std::unique_ptr<BuiltTier>(std::move(tier));
}

Result<bool> CudaKernels::change() {
    if (!has_tiers_) return false;
    Result<std::unique_ptr<BuiltTier>> next = tiers_->take();
    if (!next) {
        if (say_)
            say_(fmt::format("{}: a kernel with more code compiled could not be built, so the run goes on without: {}", info_.id,
                             next.error().message));
        return false;
    }
    if (!*next) return false;
    auto &tier = static_cast<Tier &>(**next);
    entries_.assign(tiers_->entries().begin(), tiers_->entries().end());
    more_.push_back(std::move(tier.module));
    run_ = tier.run;
    of_any_program_ = false;
    built_as_ = tier_name();
    embedded_.clear();
    return true;
}

void CudaKernels::end() {
    if (tiers_) tiers_->end();
}

void CudaKernels::describe(DeviceStats &stats, std::size_t superinstructions) const {
    stats.engine =
        fmt::format("CUDA kernel, {}{}, {} superinstructions, {}blocks of {}, {} PEs at once on a multiprocessor, {} registers each",
                    entries_.empty() ? "" : "compiled blocks and ", use_switch_ ? "switch" : "sequence", superinstructions,
                    by_sectors_ ? "memory by sectors, " : "", run_.block, run_.resident, run_.registers);
    stats.arithmetic = arithmetic_;
    stats.build_seconds = build_seconds_;
    stats.cached = cached_;
    stats.embedded = embedded_;
    if (has_tiers_) stats.tiers = tiers_->stats();
}

}  // namespace mog
