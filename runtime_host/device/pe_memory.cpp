// pe_memory.cpp: pieces become transfers, in batches that staging memory can hold.
#include "runtime_host/device/pe_memory.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace mog {

namespace {

constexpr std::uint32_t batch_bytes = 64u << 20;

}  // namespace

MemoryError PeMemory::check(std::span<const mog_piece> pieces) const {
    for (const mog_piece &piece : pieces) {
        if (piece.pe >= nproc_) return {MOG_ERROR_PE, Error{fmt::format("there is no PE {}: they are 0 to {}", piece.pe, nproc_ - 1)}};
        if (piece.size && !piece.bytes) return {MOG_ERROR_ARGUMENT, Error{fmt::format("the piece of PE {} has no bytes", piece.pe)}};
        if (piece.size && !addresses_.has(piece.address, piece.size)) {
            const std::string window = addresses_.window_bytes == 0
                                           ? ""
                                           : fmt::format(", or {:#x} to {:#x}, which all PEs share", MOG_SHARED_BASE,
                                                         MOG_SHARED_BASE + addresses_.window_bytes - 1);
            return {MOG_ERROR_ADDRESS,
                    Error{fmt::format("{} bytes at {:#x} are not all in the memory of PE {}, which is {:#x} to {:#x}{}", piece.size,
                                      piece.address, piece.pe, MOG_DATA_BASE, MOG_DATA_BASE + addresses_.data_bytes - 1, window)}};
        }
    }
    return {};
}

/// Calls `move(transfers, staging, parts)` for batches; parts are pieces, long ones cut, in the order of the transfers.
template <typename Move>
MemoryError PeMemory::in_batches(std::span<const mog_piece> pieces, Move move) {
    if (MemoryError wrong = check(pieces); wrong.code != MOG_OK) return wrong;
    std::vector<Transfer> transfers;
    std::vector<mog_piece> parts;
    std::vector<std::uint8_t> staging;
    std::uint32_t at = 0;
    const auto flush = [&]() -> Result<void> {
        if (transfers.empty()) return {};
        staging.resize(at);
        Result<void> done = move(transfers, staging, parts);
        transfers.clear();
        parts.clear();
        at = 0;
        return done;
    };
    for (const mog_piece &piece : pieces)
        for (std::uint32_t done = 0; done < piece.size;) {
            const std::uint32_t size = std::min(piece.size - done, batch_bytes);
            if (std::uint64_t{at} + size > batch_bytes)
                if (Result<void> moved = flush(); !moved) return {MOG_ERROR_DEVICE, moved.error()};
            transfers.push_back({piece.pe, piece.address + done, size, at, false});
            parts.push_back({piece.pe, piece.address + done, size, static_cast<std::uint8_t *>(piece.bytes) + done});
            at += (size + 3u) & ~3u;
            done += size;
        }
    if (Result<void> moved = flush(); !moved) return {MOG_ERROR_DEVICE, moved.error()};
    return {};
}

MemoryError PeMemory::read(std::span<const mog_piece> pieces) {
    return in_batches(pieces, [&](std::span<const Transfer> transfers, std::span<std::uint8_t> staging, std::span<const mog_piece> parts) {
        Result<void> done = device_->gather(transfers, staging);
        for (std::size_t i = 0; done && i < parts.size(); i++)
            std::memcpy(parts[i].bytes, staging.data() + transfers[i].staging, parts[i].size);
        return done;
    });
}

MemoryError PeMemory::write(std::span<const mog_piece> pieces) {
    for (const mog_piece &piece : pieces)
        if (piece.pe < nproc_ && piece.size != 0 && addresses_.in_constants(piece.address, piece.size))
            return {MOG_ERROR_ADDRESS,
                    Error{fmt::format("{} bytes at {:#x} are read only: all PEs have them once", piece.size, piece.address)}};
    return in_batches(pieces, [&](std::span<const Transfer> transfers, std::span<std::uint8_t> staging, std::span<const mog_piece> parts) {
        for (std::size_t i = 0; i < parts.size(); i++) std::memcpy(staging.data() + transfers[i].staging, parts[i].bytes, parts[i].size);
        return device_->scatter(transfers, staging);
    });
}

}  // namespace mog
