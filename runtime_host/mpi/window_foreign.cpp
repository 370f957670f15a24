// window_foreign.cpp: accesses whose origin and target are in two processes: at the origin, what goes with them; at the target, what came.
#include <cstring>

#include "runtime_host/mpi/window_access.hpp"

namespace mog::mpi {

/// Room for what an access reads of its origin, where it is fetched.
void WindowAccesses::stage_sides(Access &access) {
    const mog_mpi_access &a = access.words;
    const auto side = [&](u32 address) { return access.call->foreign ? reserve(a.bytes) : stage(access.call->pe, address, a.bytes); };
    if (reads_origin(a)) access.origin = side(a.origin);
    if (a.kind == MOG_MPI_SWAP) access.compare = side(a.compare);
}

/// All that was staged, to staging_; of foreign ones, what came.
Result<void> WindowAccesses::fetch_sides(std::span<Access> accesses) {
    staging_.resize(staged_);
    if (!fetches_.empty()) MOG_TRY(delivery_.fetch(fetches_, staging_));
    for (const Access &access : accesses) {
        const ForeignAccess *const foreign = access.call->foreign;
        if (!foreign || access.piece_count == 0) continue;
        if (!foreign->origin.empty()) std::memcpy(staging_.data() + access.origin, foreign->origin.data(), foreign->origin.size());
        if (!foreign->compare.empty()) std::memcpy(staging_.data() + access.compare, foreign->compare.data(), foreign->compare.size());
    }
    return {};
}

Result<void> WindowAccesses::forward_some(std::span<Access> accesses) {
    check_all(accesses);
    MOG_TRY(fetch_runs(accesses));
    fetches_.clear();
    staged_ = 0;
    for (Access &access : accesses)
        if (access.words.bytes != 0) stage_sides(access);
    MOG_TRY(fetch_sides(accesses));
    for (Access &access : accesses) {
        const mog_mpi_access &a = access.words;
        if (a.bytes == 0) continue;
        const auto side = [&](bool is_there, u32 at) { return std::span<const u8>(staging_).subspan(is_there ? at : 0, is_there ? a.bytes : 0); };
        access.call->forwarded++;
        forward_(*access.call, a, std::span(runs_).subspan(access.runs, a.runs == 0 ? 0 : a.run_count), side(reads_origin(a), access.origin),
                 side(a.kind == MOG_MPI_SWAP, access.compare));
    }
    return {};
}

/// What is got is fetched for all of them together.
void WindowAccesses::copy_foreign(const Access &access) {
    ForeignAccess &foreign = *access.call->foreign;
    u32 done = 0;
    foreign.result.resize(access.words.kind == MOG_MPI_GET ? access.words.bytes : 0);
    for (const Piece &piece : copied_) {
        if (access.words.kind == MOG_MPI_PUT) delivery_.put(piece.pe, piece.address, std::span(foreign.origin).subspan(done, piece.bytes));
        else foreign_gets_.push_back({&foreign, done, piece.pe, piece.address, piece.bytes});
        done += piece.bytes;
    }
}

Result<void> WindowAccesses::fetch_foreign() {
    fetches_.clear();
    staged_ = 0;
    for (const ForeignGet &get : foreign_gets_) stage(get.pe, get.address, get.bytes);
    staging_.resize(staged_);
    MOG_TRY(delivery_.fetch(fetches_, staging_));
    for (std::size_t i = 0; i < foreign_gets_.size(); i++) {
        const ForeignGet &get = foreign_gets_[i];
        std::memcpy(get.access->result.data() + get.at, staging_.data() + fetches_[i].staging, get.bytes);
    }
    return {};
}

}  // namespace mog::mpi
