// window_access.cpp: from the lists of PEs to single accesses, what is wrong with these, and their pieces. However many there are and
// however long, what the host has of them at a time is bounded.
#include "runtime_host/mpi/rma/window_access.hpp"

#include <algorithm>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/rma/window_pieces.hpp"

namespace mog::mpi {

namespace {

/// That are looked at together.
constexpr std::size_t most_accesses = std::size_t{1} << 17;

}  // namespace

bool WindowPart::has(std::int64_t address, u64 bytes) const {
    if (address < 0 || address > UINT32_MAX) return false;
    auto range = ranges.upper_bound(static_cast<u32>(address));
    if (range == ranges.begin()) return false;
    --range;
    // Ranges that were attached one after the other may touch.
    const u64 wanted = static_cast<u64>(address) + bytes;
    u64 end = u64{range->first} + range->second;
    for (++range; end < wanted && range != ranges.end() && range->first == end; ++range) end += range->second;
    return wanted <= end;
}

Result<void> WindowAccesses::perform(std::vector<WindowCall> &calls) {
    u32 next = 0;
    for (std::size_t call = 0; call < calls.size();) MOG_TRY(perform_listed(calls, call, next));
    return {};
}

/// Some accesses: from `next` of `call` on, where the next ones go on.
Result<void> WindowAccesses::perform_listed(std::vector<WindowCall> &calls, std::size_t &call, u32 &next) {
    struct Listed {
        WindowCall *call;
        u32 count;
    };
    std::vector<Listed> listed;
    std::size_t room = most_accesses;
    plan_.clear();
    while (call < calls.size() && room != 0) {
        WindowCall &now = calls[call];
        const u32 count = now.foreign ? 1 : static_cast<u32>(std::min<std::size_t>(now.count - next, room));
        listed.push_back({&now, count});
        if (!now.foreign)
            plan_.add(now.pe, static_cast<u32>(now.list + next * sizeof(mog_mpi_access)), static_cast<u32>(count * sizeof(mog_mpi_access)));
        room -= count;
        next += count;
        if (!now.foreign && next < now.count) break;
        call++;
        next = 0;
    }
    std::vector<u8> lists;
    MOG_TRY(delivery_.fetch(plan_, lists));
    std::vector<Access> accesses, elsewhere;
    const auto *words = reinterpret_cast<const mog_mpi_access *>(lists.data());
    for (const Listed &some : listed) {
        if (some.call->foreign) accesses.push_back({.call = some.call, .words = some.call->foreign->words});
        for (u32 k = 0; !some.call->foreign && k < some.count; k++, ++words)
            (is_elsewhere(*some.call, *words) ? elsewhere : accesses).push_back({.call = some.call, .words = *words});
    }
    MOG_TRY(in_pieces(elsewhere, &WindowAccesses::forward_some));
    return in_pieces(accesses, &WindowAccesses::perform_some);
}

/// As many at a time as there is room for.
Result<void> WindowAccesses::in_pieces(std::vector<Access> &accesses, Some some) {
    for (std::size_t first = 0, last = 0; first < accesses.size(); first = last) {
        for (u64 sum = 0; last < accesses.size() && (last == first || sum <= most_staging); last++)
            sum += 3ull * accesses[last].words.bytes + sizeof(mog_mpi_target_run) * u64{accesses[last].words.run_count} + 64;
        MOG_TRY((this->*some)(std::span(accesses).subspan(first, last - first)));
    }
    return {};
}

bool reads_origin(const mog_mpi_access &a) {
    return a.kind != MOG_MPI_GET && (a.kind != MOG_MPI_ACCUMULATE || a.reduction != (MPI_NO_OP & 0xff));
}

bool gives_result(const mog_mpi_access &a) {
    return a.kind == MOG_MPI_GET || a.kind == MOG_MPI_SWAP || (a.kind == MOG_MPI_ACCUMULATE && a.result != 0);
}

bool WindowAccesses::is_elsewhere(const WindowCall &call, const mog_mpi_access &access) {
    return access.target < call.parts->size() && (*call.parts)[access.target].is_elsewhere;
}

/// What is wrong with an access; runs are looked at later. Without bytes there is nothing to do, and nothing to be wrong with.
int WindowAccesses::check(Access &access) const {
    const mog_mpi_access &a = access.words;
    // What came from another process has been looked at there.
    const bool is_foreign = access.call->foreign != nullptr;
    const auto here = [&](u32 address) { return is_foreign || delivery_.has_memory(address, a.bytes); };
    if (a.kind < MOG_MPI_PUT || a.kind > MOG_MPI_SWAP) return MPI_ERR_ARG;
    if (a.target >= access.call->parts->size()) return MPI_ERR_RANK;
    const WindowPart &part = (*access.call->parts)[a.target];
    if (part.pe == UINT32_MAX && (is_foreign || !part.is_elsewhere)) return MPI_ERR_WIN;
    if (!is_foreign && a.runs != 0 && (a.runs % 4 != 0 || !delivery_.has_memory(a.runs, u64{a.run_count} * sizeof(mog_mpi_target_run))))
        return MPI_ERR_TYPE;
    if ((reads_origin(a) && !here(a.origin)) || (gives_result(a) && !is_foreign && !delivery_.has_room(a.result, a.bytes)) ||
        (a.kind == MOG_MPI_SWAP && !here(a.compare)))
        return MPI_ERR_BUFFER;
    // One element is compared, all of it at once.
    if (a.kind == MOG_MPI_SWAP) return a.bytes <= most_element && a.runs == 0 ? MPI_SUCCESS : MPI_ERR_COUNT;
    if (a.kind != MOG_MPI_ACCUMULATE) return MPI_SUCCESS;
    const u32 size = size_of_type(a.type);
    if (size == 0 || a.bytes % size != 0) return MPI_ERR_TYPE;
    access.combine = find_combine(a.type, a.reduction);
    return access.combine ? MPI_SUCCESS : MPI_ERR_OP;
}

/// Of one access they may take as much as its PE's memory.
Result<void> WindowAccesses::fetch_runs(std::span<Access> accesses) {
    constexpr u32 bytes_of_run = sizeof(mog_mpi_target_run);
    std::vector<Transfer> fetches;
    u64 count = 0;
    for (Access &access : accesses) {
        const mog_mpi_access &a = access.words;
        if (a.bytes == 0 || a.runs == 0) continue;
        access.runs = static_cast<u32>(count);
        if (a.run_count != 0 && !access.call->foreign)
            fetches.push_back({access.call->pe, a.runs, a.run_count * bytes_of_run, static_cast<u32>(count * bytes_of_run), false});
        count += a.run_count;
    }
    if (runs_.capacity() * bytes_of_run > 2 * most_staging) runs_ = {};
    runs_.resize(count);
    for (const Access &access : accesses)
        if (access.call->foreign && access.words.bytes != 0 && access.words.runs != 0)
            std::ranges::copy(access.call->foreign->runs, runs_.begin() + access.runs);
    return delivery_.fetch(fetches, {reinterpret_cast<u8 *>(runs_.data()), runs_.size() * sizeof(mog_mpi_target_run)});
}

/// What is put or got.
Result<int> WindowAccesses::copy(const Access &access) {
    const mog_mpi_access &a = access.words;
    const u32 pe = access.call->pe;
    const bool puts = a.kind == MOG_MPI_PUT;
    const int error = each_piece(access, [&](const Piece &piece) {
        const u32 own = (puts ? a.origin : a.result) + piece.done;
        if (puts) delivery_.copy(pe, own, piece.pe, piece.address, piece.bytes);
        else delivery_.copy(piece.pe, piece.address, pe, own, piece.bytes);
        return !delivery_.was_over();
    });
    MOG_TRY(delivery_.state());
    return error;
}

void WindowAccesses::fail(Access &access, int error) {
    access.words.bytes = 0;
    if (access.call->error == MPI_SUCCESS) access.call->error = error;
}

void WindowAccesses::check_all(std::span<Access> accesses) const {
    for (Access &access : accesses)
        if (const int error = access.words.bytes == 0 ? MPI_SUCCESS : check(access); error != MPI_SUCCESS) fail(access, error);
}

Result<int> WindowAccesses::perform_one(const Access &access) {
    ForeignAccess *const foreign = access.call->foreign;
    if (!foreign && access.words.kind < MOG_MPI_ACCUMULATE) return copy(access);
    if (!foreign) return combine(access);
    if (access.words.kind == MOG_MPI_PUT) return copy_foreign(access);
    if (gives_result(access.words)) foreign->result.resize(access.words.bytes);
    const Result<int> done = combine(access);
    if (done && *done != MPI_SUCCESS) foreign->result.clear();
    return done;
}

Result<void> WindowAccesses::perform_some(std::span<Access> accesses) {
    check_all(accesses);
    MOG_TRY(fetch_runs(accesses));
    for (Access &access : accesses) {
        const mog_mpi_access &a = access.words;
        if (a.bytes == 0) continue;
        // Nothing of one that is wrong is done; what lies in one piece is right or wrong at once.
        const int error = a.runs == 0 ? MPI_SUCCESS : each_piece(access, [this](const Piece &) { return !delivery_.was_over(); });
        const Result<int> done = error == MPI_SUCCESS ? perform_one(access) : error;
        if (!done) return done.error();
        if (*done != MPI_SUCCESS) fail(access, *done);
    }
    return combine_pieces();
}

}  // namespace mog::mpi
