// delivery.hpp: what a round of MPI calls does to the memory of PEs: copies between them, bytes from the host, answers. All of it is
// noted first, and given to the device in few transfers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime_host/device.hpp"
#include "runtime_host/syscalls.hpp"
#include "runtime_pe/mpi/mpi_abi.h"

namespace mog::mpi {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

class Delivery {
public:
    /// `data_bytes`: of each PE's memory.
    Delivery(Device &device, AnswerRows rows, u32 data_bytes) : device_(device), rows_(rows), data_bytes_(data_bytes) {}

    /// True if a PE's memory has these bytes. No bytes are anywhere.
    bool in_data(u32 address, u64 length) const {
        return length == 0 || (address >= MOG_DATA_BASE && u64{address} - MOG_DATA_BASE + length <= data_bytes_);
    }

    // Ranges that follow were checked. What is noted for the same place twice comes in any order.
    void copy(u32 from_pe, u32 from, u32 to_pe, u32 to, u32 bytes);
    void put(u32 pe, u32 address, std::span<const u8> bytes);
    /// `address` 0: nobody wants it.
    void put_result(u32 pe, u32 address, const mog_mpi_result &result);
    /// The PE goes on, and its call gives `value`.
    void resume(u32 pe, u32 value) { answers_.push_back({pe, value, false}); }

    /// Some bytes for many PEs, now: of `staging`, where transfers may share them.
    Result<void> put_many(std::span<const Transfer> transfers, std::span<const u8> staging);
    /// Copies that are noted, if they are many.
    Result<void> spill();
    /// Bytes of PEs to the host, now. Before what is noted: memory as PEs left it.
    Result<void> fetch(std::span<const Transfer> transfers, std::span<u8> staging) { return device_.gather(transfers, staging); }
    /// Does what is noted. PEs that go on are appended to `resumed`, in any order.
    Result<void> flush(std::vector<u32> &resumed);

private:
    Result<void> do_copies();

    Device &device_;
    AnswerRows rows_;
    u32 data_bytes_;
    std::vector<Copy> copies_;
    Replies replies_;
    std::vector<Answer> answers_;
};

}  // namespace mog::mpi
