// cuda_kernels.hpp: a program's interpreter on one CUDA device: its code, from mogcc or NVRTC, its three kernels, how many PEs make a
// block, and the kernels that NVRTC builds while PEs run, with more of what they execute compiled.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/cuda/cuda_info.hpp"
#include "runtime_host/devices/cuda/cuda_session.hpp"
#include "runtime_host/devices/tiers/kernel_tiers.hpp"

namespace mog {

/// The kernel mog_run, and the shape of its launches.
struct CudaRunKernel {
    CuFunction function = nullptr;
    int registers = 0;                              ///< of the device, that a thread takes
    std::uint32_t block = cuda_warp, resident = 0;  ///< PEs of a block, and on a multiprocessor at once
};

class CudaKernels {
public:
    /// `session`, `facts` and `info` of the device; they outlive this.
    CudaKernels(CudaSession &session, const CudaApi &api, const CudaDeviceFacts &facts, const DeviceInfo &info)
        : session_(session), api_(api), facts_(facts), info_(info) {}

    /// Loads the kernels for a run, or keeps those of the last one, if they are the same. Its context is current. Error: why the program
    /// cannot run on this device, or not in this way.
    Result<void> make(const Image &image, const LoadConfig &config);

    CuFunction init() const { return init_; }
    CuFunction transfer() const { return transfer_; }
    const CudaRunKernel &run() const { return run_; }
    /// What a block of mog_run takes of shared memory.
    std::size_t shared_bytes() const { return shared_bytes(run_.block); }
    /// To compiled blocks, by TEXT index; empty: there are none.
    const std::vector<std::uint32_t> &entries() const { return entries_; }
    /// They are of any program: mog_run has the buffer of spaces as a parameter, whether there is one or not.
    bool are_of_any_program() const { return of_any_program_; }
    bool is_switch() const { return use_switch_; }
    /// What is compiled is decided by what runs. Null: it is not.
    KernelTiers *tiers() { return has_tiers_ ? &*tiers_ : nullptr; }
    const KernelTiers *tiers() const { return has_tiers_ ? &*tiers_ : nullptr; }
    /// Before a launch: true if run() and entries() are others from now on. Those before are there until the next make(), for launches
    /// under way.
    Result<bool> change();
    /// After a run: waits for what is being built.
    void end();
    /// Fills in what is known of them.
    void describe(DeviceStats &stats, std::size_t superinstructions) const;

private:
    struct Tier;
    Result<CuModule> load_code(std::span<const std::uint8_t> code) const;
    Result<CuModule> embedded_module(const Image &image, std::string_view definitions);
    Result<CuModule> make_module(std::string_view source, std::string_view definitions, bool &cached) const;
    Result<CuModule> make_module(const TierSource &tier, TierParts &parts, bool &cached) const;
    Result<CuModule> link_module(const TierSource &tier, TierParts &parts, bool &cached) const;
    Result<void> load(const Image &image, const TierSource *tier, std::string definitions);
    const TierSource *begin_tiers(const Image &image, const LoadConfig &config, const Arithmetic &arithmetic);
    Result<std::unique_ptr<BuiltTier>> build_tier(const TierSource &source) const;
    std::string tier_name() const { return fmt::format("{}, in tiers{}", tier_definitions_, window_bytes_); }
    Result<CudaRunKernel> shaped(CuModule module) const;
    Result<CuFunction> function(CuModule module, const char *name) const;
    std::size_t shared_bytes(std::uint32_t block) const { return std::size_t{4} * nregs_ * block; }

    CudaSession &session_;
    const CudaApi &api_;
    const CudaDeviceFacts &facts_;
    const DeviceInfo &info_;
    CudaModule module_;
    std::vector<CudaModule> more_;     ///< with other kernels mog_run, the last one in use
    std::string built_as_;             ///< its definitions,
    const Image *built_of_ = nullptr;  ///< and whose interpreter it is
    CuFunction init_ = nullptr, transfer_ = nullptr;
    CudaRunKernel run_;
    std::string arithmetic_, embedded_;
    double build_seconds_ = 0;
    bool cached_ = false, use_switch_ = false, by_sectors_ = false;
    std::uint32_t nregs_ = 1, work_group_ = 0, window_bytes_ = 0;
    std::vector<std::uint32_t> entries_;
    std::function<void(std::string_view)> say_;

    bool has_tiers_ = false, of_any_program_ = false;
    std::string tier_definitions_;
    std::string part_definitions_;      ///< those of parts, which a run's sizes do not change
    TierParts parts_;                   ///< of the first kernel
    std::optional<KernelTiers> tiers_;  ///< perhaps of an earlier run. Behind all that its thread uses.
};

}  // namespace mog
