// window_pieces.hpp: the pieces of an access to a window, one after the other: what a derived type of the target means there.
#pragma once

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/rma/window_access.hpp"

namespace mog::mpi {

/// Bytes of the largest type that the engine combines.
inline constexpr u32 most_element = 16;

/// Each has at least a byte, so they end.
template <typename Take>
int WindowAccesses::each_piece(const Access &access, Take take) {
    constexpr u32 most_piece = 4u << 20;
    const mog_mpi_access &a = access.words;
    const WindowPart &part = (*access.call->parts)[a.target];
    const std::int64_t base = part.is_dynamic ? 0 : part.ranges.empty() ? 0 : part.ranges.begin()->first;
    const std::int64_t displacement =
        part.is_dynamic ? std::int64_t{a.displacement} : std::int64_t{static_cast<std::int32_t>(a.displacement)} * part.unit;
    const std::int64_t place = base + displacement + a.offset;
    const mog_mpi_target_run whole{0, a.bytes, 1, 0};
    const std::span<const mog_mpi_target_run> runs =
        a.runs == 0 ? std::span(&whole, 1) : std::span<const mog_mpi_target_run>(runs_).subspan(access.runs, a.run_count);
    for (const mog_mpi_target_run &run : runs)
        if (run.bytes == 0 || run.count <= 0) return MPI_ERR_TYPE;
    if (runs.empty()) return MPI_ERR_TYPE;
    const u32 size = a.kind == MOG_MPI_ACCUMULATE ? size_of_type(a.type) : 1;
    // Those that combine pass through the host, whole elements at a time.
    const bool is_copied = a.kind < MOG_MPI_ACCUMULATE && !access.call->foreign;
    const u32 most = is_copied ? UINT32_MAX : most_piece / size * size;
    for (std::int64_t element = 0, done = 0; done < a.bytes; element++)
        for (const mog_mpi_target_run &run : runs)
            for (std::int64_t i = 0; i < run.count && done < a.bytes; i++) {
                const auto bytes = static_cast<u32>(std::min<std::int64_t>(run.bytes, a.bytes - done));
                const std::int64_t at = place + element * a.extent + run.offset + i * run.stride;
                if (!part.has(at, bytes) || (reads_origin(a) && !delivery_.has_room(static_cast<u32>(at), bytes))) return MPI_ERR_RMA_RANGE;
                if (bytes % size != 0) return MPI_ERR_TYPE;
                if (delivery_.is_over_after(64)) return MPI_SUCCESS;
                for (u32 cut = 0; cut < bytes;) {
                    const u32 length = std::min(most, bytes - cut);
                    if (!take(Piece{&access, part.pe, static_cast<u32>(at) + cut, length, static_cast<u32>(done) + cut}))
                        return MPI_SUCCESS;
                    cut += length;
                }
                done += bytes;
            }
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
