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

/// What mogcc compiled, if it is for this device and these definitions and the driver takes it; else what NVRTC makes.
Result<CuModule> CudaKernels::make_module(const Image &image, std::string_view definitions) {
    CuModule module = nullptr;
    const auto load_code = [&](std::span<const u8> bytes) -> Result<void> {
        if (CuResult code = api_.cuModuleLoadDataEx(&module, bytes.data(), 0, nullptr, nullptr); code != 0)
            return cuda_error(api_, "cuModuleLoadDataEx", code);
        return {};
    };
    cached_ = false;
    embedded_.clear();
    Result<void> refused;
    if (const auto embedded = find_embedded_cuda(image, facts_.capability, definitions)) {
        refused = load_code(embedded->code);
        if (refused) {
            embedded_ = embedded->name;
            return module;
        }
    }
    // The driver may be older than the nvcc that made it, and NVRTC here as old as the driver.
    Result<const NvrtcApi *> nvrtc = nvrtc_api();
    if (!nvrtc) return refused ? nvrtc.error() : refused.error();
    const std::span<const u8> source = image.products.bytes(ProductKind::cuda);
    for (KernelCacheUse use : {KernelCacheUse::Take, KernelCacheUse::Replace}) {
        Result<CudaBuild> build = build_cuda_interpreter(**nvrtc, facts_.capability,
                                                         {reinterpret_cast<const char *>(source.data()), source.size()}, definitions, use);
        if (!build) return build.error();
        cached_ = build->cached;
        refused = load_code(build->code);
        // Code that was kept and that the driver does not take is made anew.
        if (refused || !cached_) break;
    }
    if (!refused) return refused.error();
    return module;
}

Result<void> CudaKernels::load(const Image &image, std::string definitions) {
    const auto begin = std::chrono::steady_clock::now();
    built_of_ = nullptr;
    const Result<CuModule> made = make_module(image, definitions);
    if (!made) return made.error();
    module_ = CudaModule(*made);
    struct {
        CuFunction &kernel;
        const char *name;
    } kernels[] = {{run_, "mog_run"}, {init_, "mog_init"}, {transfer_, "mog_transfer"}};
    for (auto &[kernel, name] : kernels)
        if (CuResult code = api_.cuModuleGetFunction(&kernel, module_.get(), name); code != 0)
            return cuda_error(api_, "cuModuleGetFunction", code);
    (void)api_.cuFuncGetAttribute(&registers_, registers_per_thread, run_);
    built_as_ = std::move(definitions);
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
    // A profile counts instructions in their places, which compiled code does not have.
    const bool may_compile = config.engine == Engine::Blocks || config.engine == Engine::Auto;
    entries_ = may_compile && !config.profile ? kernel_entry_table(image) : std::vector<u32>();
    if (entries_.empty() && config.engine == Engine::Blocks && !config.profile) return no_compiled_blocks();
    std::string definitions = cuda_definitions(*arithmetic, config, use_switch_, entries_);
    if (definitions == built_as_ && &image == built_of_) {
        cached_ = true;
        build_seconds_ = 0;
    } else {
        MOG_TRY(load(image, std::move(definitions)));
    }
    return choose_block(config);
}

/// PEs per block, a multiple of the warp: the size with which most PEs are resident at once, by the driver's own calculation from the
/// kernel's registers and shared memory; of equals the smallest, which waits for the fewest others.
Result<void> CudaKernels::choose_block(const LoadConfig &config) {
    const u32 fit = static_cast<u32>(facts_.shared_per_block / (4ull * nregs_));
    int limit = static_cast<int>(facts_.threads_per_block);
    (void)api_.cuFuncGetAttribute(&limit, most_threads, run_);
    const u32 most = std::min(fit, static_cast<u32>(std::max(1, limit)));
    if (config.work_group > most || most < cuda_warp)
        return Error{fmt::format("{} has room for {} PEs of this program in a block, not {}: {} KiB of shared memory for {} registers each",
                                 info_.id, most, std::max(config.work_group, cuda_warp), facts_.shared_per_block / 1024, nregs_)};
    // More shared memory than 48 KiB is given only when asked for.
    const u32 largest = config.work_group ? config.work_group : std::min(most / cuda_warp * cuda_warp, 256u);
    if (CuResult code = api_.cuFuncSetAttribute(run_, dynamic_shared, static_cast<int>(shared_bytes(largest))); code != 0)
        return cuda_error(api_, "cuFuncSetAttribute", code);
    const auto resident = [&](u32 block) {
        int blocks = 0;
        const CuResult code = api_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_, static_cast<int>(block), shared_bytes(block));
        return code == 0 ? static_cast<u32>(blocks) * block : 0u;
    };
    if (config.work_group) {
        block_ = config.work_group;
        resident_ = resident(block_);
        return {};
    }
    block_ = 0;
    for (u32 block = cuda_warp; block <= largest; block *= 2) {
        const u32 many = resident(block);
        if (block_ != 0 && many <= resident_) continue;
        block_ = block;
        resident_ = many;
    }
    return {};
}

void CudaKernels::describe(DeviceStats &stats, std::size_t superinstructions) const {
    stats.engine =
        fmt::format("CUDA kernel, {}{}, {} superinstructions, blocks of {}, {} PEs at once on a multiprocessor, {} registers each",
                    entries_.empty() ? "" : "compiled blocks and ", use_switch_ ? "switch" : "sequence", superinstructions, block_,
                    resident_, registers_);
    stats.arithmetic = arithmetic_;
    stats.build_seconds = build_seconds_;
    stats.cached = cached_;
    stats.embedded = embedded_;
}

}  // namespace mog
