// cuda_kernels.hpp: a program's interpreter on one CUDA device: its code, from mogcc or NVRTC, its three kernels, and how many PEs make a
// block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/cuda/cuda_info.hpp"
#include "runtime_host/devices/cuda/cuda_session.hpp"

namespace mog {

class CudaKernels {
public:
    /// `facts` and `info` of the device; they and the driver outlive this.
    CudaKernels(const CudaApi &api, const CudaDeviceFacts &facts, const DeviceInfo &info) : api_(api), facts_(facts), info_(info) {}

    /// Loads the kernels for a run, or keeps those of the last one, if they are the same. Its context is current. Error: why the program
    /// cannot run on this device, or not in this way.
    Result<void> make(const Image &image, const LoadConfig &config);

    CuFunction init() const { return init_; }
    CuFunction run() const { return run_; }
    CuFunction transfer() const { return transfer_; }
    /// PEs of a block of mog_run, and what it takes of shared memory.
    std::uint32_t block() const { return block_; }
    std::size_t shared_bytes() const { return shared_bytes(block_); }
    /// To compiled blocks, by TEXT index; empty: there are none.
    const std::vector<std::uint32_t> &entries() const { return entries_; }
    bool is_switch() const { return use_switch_; }
    /// Fills in what is known of them.
    void describe(DeviceStats &stats, std::size_t superinstructions) const;

private:
    Result<CuModule> make_module(const Image &image, std::string_view definitions);
    Result<void> load(const Image &image, std::string definitions);
    Result<void> choose_block(const LoadConfig &config);
    std::size_t shared_bytes(std::uint32_t block) const { return std::size_t{4} * nregs_ * block; }

    const CudaApi &api_;
    const CudaDeviceFacts &facts_;
    const DeviceInfo &info_;
    CudaModule module_;
    std::string built_as_;             ///< its definitions,
    const Image *built_of_ = nullptr;  ///< and whose interpreter it is
    CuFunction init_ = nullptr, run_ = nullptr, transfer_ = nullptr;
    std::string arithmetic_, embedded_;
    double build_seconds_ = 0;
    bool cached_ = false, use_switch_ = false;
    int registers_ = 0;  ///< of the device, that a thread of mog_run takes
    std::uint32_t nregs_ = 1, block_ = cuda_warp, resident_ = 0;
    std::vector<std::uint32_t> entries_;
};

}  // namespace mog
