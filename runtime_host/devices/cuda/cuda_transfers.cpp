// cuda_transfers.cpp: lists of pieces, staging memory, and one launch for all of a list.
#include "runtime_host/devices/cuda/cuda_transfers.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "interp_templates/launch_abi.h"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A thread of the device moves a piece of this size; what is longer is shared among several.
constexpr u32 piece = 256, block = 64;

}  // namespace

/// For lists and bytes of a transfer.
Result<void> CudaTransfers::make_room(u64 listed, u64 staged, bool others_run) {
    if (!others_run) {
        outgrown_.clear();
        outgrown_pinned_.clear();
    }
    const auto grow = [this](auto &memory, auto &outgrown, u64 bytes) {
        if (memory.bytes() < bytes && memory.get()) outgrown.push_back(std::exchange(memory, {}));
        return session_.grow(memory, bytes);
    };
    MOG_TRY(grow(pinned_list_, outgrown_pinned_, listed));
    MOG_TRY(grow(list_, outgrown_, listed));
    MOG_TRY(grow(pinned_staging_, outgrown_pinned_, staged));
    return grow(staging_, outgrown_, staged);
}

Result<void> CudaTransfers::run(const Pes &pes, std::span<const Transfer> transfers, u8 *into, const u8 *from, bool to_pe,
                                bool others_run) {
    u64 staged = 0, pieces = 0, end = 0;
    for (const Transfer &t : transfers) {
        end = std::max(end, u64{t.staging} + t.length);
        staged = std::max(staged, (u64{t.staging} + t.length + 3) / 4 * 4);
        pieces += (t.length + piece - 1) / piece;
    }
    MOG_TRY(make_room(4 * MOG_T_WORDS * pieces, staged, others_run));
    u32 *record = static_cast<u32 *>(pinned_list_.get());
    u8 *const bytes = static_cast<u8 *>(pinned_staging_.get());
    for (const Transfer &t : transfers)
        for (u32 done = 0; done < t.length; done += piece, record += MOG_T_WORDS) {
            record[MOG_T_PE] = t.pe | (t.is_state ? MOG_T_STATE : 0u);
            record[MOG_T_ADDRESS] = t.address + done;
            record[MOG_T_LENGTH] = std::min(piece, t.length - done);
            record[MOG_T_STAGING] = t.staging + done;
        }
    MOG_TRY(session_.write(list_.get(), pinned_list_.get(), 4 * MOG_T_WORDS * pieces));
    if (from) {
        // The caller's bytes end with the last piece, which need not fill its word.
        std::memcpy(bytes, from, end);
        MOG_TRY(session_.write(staging_.get(), bytes, staged));
    }
    MOG_TRY(session_.launch(pes.transfer, static_cast<u32>(pieces), block, 0, list_.get(), staging_.get(), pes.data, pes.data_words,
                            pes.state, pes.stride, u32{to_pe}, u32{0}, static_cast<u32>(pieces)));
    if (into) MOG_TRY(session_.read(staging_.get(), bytes, staged));
    MOG_TRY(session_.finish());
    if (into)
        for (const Transfer &t : transfers) std::memcpy(into + t.staging, bytes + t.staging, t.length);
    return {};
}

void CudaTransfers::unload() {
    list_ = CudaMemory();
    staging_ = CudaMemory();
}

}  // namespace mog
