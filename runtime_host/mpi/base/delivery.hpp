// delivery.hpp: what a round of MPI calls does to the memory of PEs: copies between them, bytes from the host, answers. All of it is
// noted first, and given to the device in few transfers; where it grows beyond bounds, some of it before the round's end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi/mpi_call.h"
#include "runtime_host/device/addresses.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/linux/syscalls.hpp"
#include "runtime_host/mpi/base/round_end.hpp"
#include "runtime_host/mpi/base/staging.hpp"

namespace mog::mpi {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// What a call gives that fails, for resume().
inline u32 failed(int error_class) { return static_cast<u32>(-error_class); }

class Delivery {
public:
    /// `addresses`: where PEs have memory. `is_over`: as RoundEnd has it.
    Delivery(Device &device, AnswerRows rows, const Addresses &addresses, std::function<bool()> is_over)
        : device_(device), rows_(rows), addresses_(addresses), end_(std::move(is_over)) {}

    /// True if a PE's memory has these bytes. No bytes are anywhere.
    bool has_memory(u32 address, u64 length) const { return length == 0 || addresses_.has(address, length); }
    /// The same, of memory that the host may write.
    bool can_be_set(u32 address, u64 length) const { return length == 0 || addresses_.can_be_set(address, length); }
    /// The same, of memory that the PE may write: what is received goes there.
    bool has_room(u32 address, u64 length) const { return length == 0 || addresses_.can_be_written(address, length); }
    /// The one or the other, of a call's buffer.
    bool has_buffer(u32 address, u64 length, bool is_received) const {
        return is_received ? has_room(address, length) : has_memory(address, length);
    }

    // Ranges that follow were checked. What is noted for the same place twice comes in any order. A failure of the device is told by the
    // next function that returns a result.
    void copy(u32 from_pe, u32 from, u32 to_pe, u32 to, u32 bytes);
    void put(u32 pe, u32 address, std::span<const u8> bytes);
    /// `address` 0: nobody wants it.
    void put_result(u32 pe, u32 address, const mog_mpi_result &result);
    /// The PE goes on, and its call gives `value`.
    void resume(u32 pe, u32 value) { answers_.push_back({pe, value, false}); }

    // Those that return a result fail when the round is to be left (is_over): all that is under way then ends where it is.

    /// Some bytes for many PEs, now: of `staging`, where transfers may share them.
    Result<void> put_many(std::span<const Transfer> transfers, std::span<const u8> staging);
    /// Bytes of PEs to the host, now. Mostly before what is noted: memory as PEs left it.
    Result<void> fetch(std::span<const Transfer> transfers, std::span<u8> staging);
    /// The same, to a buffer that becomes as large as it has to be.
    Result<void> fetch(const Staging &plan, std::vector<u8> &staging);
    /// What has gone wrong with what was noted, or that the round is to be left.
    Result<void> state();
    /// Does what is noted. PEs that go on are appended to `resumed`, in any order.
    Result<void> flush(std::vector<u32> &resumed);

    /// After a step that took about as long as copying so many bytes: the round is to be left.
    bool is_over_after(u64 bytes) { return end_.is_due_after(bytes); }
    bool was_over() const { return end_.was_due(); }

private:
    void do_copies();
    void do_puts();
    Result<void> move_within(u32 pe, u32 from, u32 to, u32 bytes);
    void keep_failure(Result<void> done) {
        if (!done && failed_) failed_ = std::move(done);
    }

    Device &device_;
    AnswerRows rows_;
    Addresses addresses_;
    RoundEnd end_;
    Result<void> failed_;  ///< of what was done before the round's end
    std::vector<Copy> copies_;
    u64 copied_ = 0;  ///< bytes of these
    Replies replies_;
    std::vector<u8> moved_;
    std::vector<Answer> answers_;
};

}  // namespace mog::mpi
