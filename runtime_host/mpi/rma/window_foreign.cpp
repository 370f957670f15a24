// window_foreign.cpp: accesses whose origin and target are in two processes: at the origin, what goes with them; at the target, what came.
#include <cstring>

#include "runtime_host/mpi/rma/window_pieces.hpp"

namespace mog::mpi {

/// What came with foreign accesses, to staging_.
void WindowAccesses::fill_sides() {
    for (const Piece &piece : pieces_) {
        const ForeignAccess *const foreign = piece.access->call->foreign;
        if (!foreign) continue;
        const mog_mpi_access &a = piece.access->words;
        if (reads_origin(a)) std::memcpy(staging_.data() + piece.origin, foreign->origin.data() + piece.done, piece.bytes);
        if (a.kind == MOG_MPI_SWAP) std::memcpy(staging_.data() + piece.compare, foreign->compare.data() + piece.done, piece.bytes);
    }
}

/// What goes to another process travels in one frame: the origin's bytes of all, at most what its memory has.
Result<void> WindowAccesses::forward_some(std::span<Access> accesses) {
    check_all(accesses);
    MOG_TRY(fetch_runs(accesses));
    struct Sides {
        u32 origin = 0, compare = 0;
    };
    std::vector<Sides> sides(accesses.size());
    for (std::size_t begin = 0, end = 0; begin < accesses.size(); begin = end) {
        plan_.clear();
        for (; end < accesses.size() && plan_.has_room(2 * to_words(accesses[end].words.bytes)); end++) {
            const mog_mpi_access &a = accesses[end].words;
            if (a.bytes == 0) continue;
            if (reads_origin(a)) sides[end].origin = plan_.add(accesses[end].call->pe, a.origin, a.bytes);
            if (a.kind == MOG_MPI_SWAP) sides[end].compare = plan_.add(accesses[end].call->pe, a.compare, a.bytes);
        }
        MOG_TRY(delivery_.fetch(plan_, staging_));
        for (std::size_t i = begin; i < end; i++) {
            const mog_mpi_access &a = accesses[i].words;
            if (a.bytes == 0) continue;
            const auto side = [&](bool is_there, u32 at) {
                return std::span<const u8>(staging_).subspan(is_there ? at : 0, is_there ? a.bytes : 0);
            };
            accesses[i].call->forwarded++;
            forward_(*accesses[i].call, a,
                     std::span<const mog_mpi_target_run>(runs_).subspan(accesses[i].runs, a.runs == 0 ? 0 : a.run_count),
                     side(reads_origin(a), sides[i].origin), side(a.kind == MOG_MPI_SWAP, sides[i].compare));
        }
    }
    return {};
}

Result<int> WindowAccesses::copy_foreign(const Access &access) {
    const ForeignAccess &foreign = *access.call->foreign;
    const int error = each_piece(access, [&](const Piece &piece) {
        delivery_.put(piece.pe, piece.address, std::span(foreign.origin).subspan(piece.done, piece.bytes));
        return !delivery_.was_over();
    });
    MOG_TRY(delivery_.state());
    return error;
}

}  // namespace mog::mpi
