// cuda_transfers.hpp: bytes between PEs' memory and the host's or staging memory of the device, by mog_transfer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/cuda/cuda_session.hpp"

namespace mog {

class CudaTransfers {
public:
    /// Where PEs are: DATA, `data_words` of each, and their states, `stride` of them in a row.
    struct Pes {
        CuFunction transfer = nullptr;
        CuPointer data = 0, state = 0;
        std::uint32_t data_words = 0, stride = 0;
    };

    explicit CudaTransfers(CudaSession &session) : session_(session) {}

    /// Moves all of them: to PEs, or from them. `into` gets what comes from PEs, `from` has what goes to them; without, the bytes stay in
    /// staging memory of the device, or come from there. Their context is current. `others_run`: so do launches in other streams, for
    /// which it shall not wait.
    Result<void> run(const Pes &pes, std::span<const Transfer> transfers, std::uint8_t *into, const std::uint8_t *from, bool to_pe,
                     bool others_run);

    /// Gives the device's memory back.
    void unload();

private:
    Result<void> make_room(std::uint64_t listed, std::uint64_t staged, bool others_run);

    CudaSession &session_;
    CudaMemory list_, staging_;
    PinnedMemory pinned_list_, pinned_staging_;
    std::vector<CudaMemory> outgrown_;  ///< freed when no launch is under way, for which that would wait
    std::vector<PinnedMemory> outgrown_pinned_;
};

}  // namespace mog
