// window_access.cpp
#include "runtime_host/mpi/window_access.hpp"

#include <algorithm>
#include <tuple>

#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

namespace {

/// What is fetched to the host together, unless one access has more.
constexpr u64 most_bytes = 64u << 20;

u32 aligned(u32 bytes) { return (bytes + 3) & ~u32{3}; }

bool overlaps(u32 a, u32 b, u32 bytes) { return a < b ? b - a < bytes : a - b < bytes; }

}  // namespace

bool WindowPart::has(std::int64_t address, u64 bytes) const {
    if (address < 0 || address > UINT32_MAX) return false;
    auto range = ranges.upper_bound(static_cast<u32>(address));
    if (range == ranges.begin()) return false;
    --range;
    // Ranges that were attached one after the other may touch.
    u64 end = u64{range->first} + range->second;
    for (++range; range != ranges.end() && range->first == end; ++range) end += range->second;
    return static_cast<u64>(address) + bytes <= end;
}

Result<void> WindowAccesses::perform(std::vector<WindowCall> &calls) {
    std::vector<Access> accesses, elsewhere;
    std::vector<mog_mpi_access> lists;
    for (std::size_t begin = 0, end = 0; begin < calls.size(); begin = end) {
        u64 bytes = 0;
        fetches_.clear();
        for (; end < calls.size() && (end == begin || bytes + calls[end].count * sizeof(mog_mpi_access) <= most_bytes); end++) {
            if (calls[end].foreign) continue;
            const auto length = static_cast<u32>(calls[end].count * sizeof(mog_mpi_access));
            fetches_.push_back({calls[end].pe, calls[end].list, length, static_cast<u32>(bytes), false});
            bytes += length;
        }
        lists.resize(bytes / sizeof(mog_mpi_access));
        if (!fetches_.empty()) MOG_TRY(delivery_.fetch(fetches_, {reinterpret_cast<u8 *>(lists.data()), bytes}));
        accesses.clear();
        elsewhere.clear();
        auto words = lists.begin();
        for (WindowCall &call : std::span(calls).subspan(begin, end - begin)) {
            if (call.foreign) accesses.push_back({.call = &call, .words = call.foreign->words});
            for (u32 k = 0; !call.foreign && k < call.count; k++, ++words)
                (is_elsewhere(call, *words) ? elsewhere : accesses).push_back({.call = &call, .words = *words});
        }
        MOG_TRY(in_pieces(elsewhere, &WindowAccesses::forward_some));
        MOG_TRY(in_pieces(accesses, &WindowAccesses::perform_some));
    }
    return {};
}

/// As many at a time as there is room for.
Result<void> WindowAccesses::in_pieces(std::vector<Access> &accesses, Some some) {
    for (std::size_t first = 0, last = 0; first < accesses.size(); first = last) {
        for (u64 sum = 0; last < accesses.size() && (last == first || sum <= most_bytes); last++)
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
    const auto here = [&](u32 address) { return is_foreign || delivery_.in_data(address, a.bytes); };
    if (a.kind < MOG_MPI_PUT || a.kind > MOG_MPI_SWAP) return MPI_ERR_ARG;
    if (a.target >= access.call->parts->size()) return MPI_ERR_RANK;
    const WindowPart &part = (*access.call->parts)[a.target];
    if (part.pe == UINT32_MAX && (is_foreign || !part.is_elsewhere)) return MPI_ERR_WIN;
    if (!is_foreign && a.runs != 0 && (a.runs % 4 != 0 || !delivery_.in_data(a.runs, u64{a.run_count} * sizeof(mog_mpi_target_run)))) return MPI_ERR_TYPE;
    if ((reads_origin(a) && !here(a.origin)) || (gives_result(a) && !here(a.result)) || (a.kind == MOG_MPI_SWAP && !here(a.compare)))
        return MPI_ERR_BUFFER;
    if (a.kind != MOG_MPI_ACCUMULATE) return MPI_SUCCESS;
    const u32 size = size_of_type(a.type);
    if (size == 0 || a.bytes % size != 0) return MPI_ERR_TYPE;
    access.combine = find_combine(a.type, a.reduction);
    return access.combine ? MPI_SUCCESS : MPI_ERR_OP;
}

Result<void> WindowAccesses::fetch_runs(std::span<Access> accesses) {
    fetches_.clear();
    constexpr u32 bytes_of_run = sizeof(mog_mpi_target_run);
    u32 count = 0;
    for (Access &access : accesses) {
        const mog_mpi_access &a = access.words;
        if (a.bytes == 0 || a.runs == 0) continue;
        access.runs = count;
        if (a.run_count != 0 && !access.call->foreign)
            fetches_.push_back({access.call->pe, a.runs, a.run_count * bytes_of_run, count * bytes_of_run, false});
        count += a.run_count;
    }
    runs_.resize(count);
    for (const Access &access : accesses)
        if (access.call->foreign && access.words.bytes != 0) std::ranges::copy(access.call->foreign->runs, runs_.begin() + access.runs);
    if (fetches_.empty()) return {};
    return delivery_.fetch(fetches_, {reinterpret_cast<u8 *>(runs_.data()), runs_.size() * sizeof(mog_mpi_target_run)});
}

/// Appends them. Each has at least a byte, so they end; all of them are in the window.
int WindowAccesses::find_pieces(const Access &access, std::vector<Piece> &pieces) const {
    const mog_mpi_access &a = access.words;
    const WindowPart &part = (*access.call->parts)[a.target];
    const std::int64_t base = part.is_dynamic ? 0 : part.ranges.empty() ? 0 : part.ranges.begin()->first;
    const std::int64_t displacement =
        part.is_dynamic ? std::int64_t{a.displacement} : std::int64_t{static_cast<std::int32_t>(a.displacement)} * part.unit;
    const std::int64_t place = base + displacement + a.offset;
    const mog_mpi_target_run whole{0, a.bytes, 1, 0};
    const std::span<const mog_mpi_target_run> runs =
        a.runs == 0 ? std::span(&whole, 1) : std::span(runs_).subspan(access.runs, a.run_count);
    if (std::ranges::any_of(runs, [](const auto &run) { return run.bytes == 0 || run.count <= 0; })) return MPI_ERR_TYPE;
    const u32 size = a.kind == MOG_MPI_ACCUMULATE ? size_of_type(a.type) : 1;
    u32 left = a.bytes;
    for (std::int64_t element = 0; left != 0; element++) {
        if (runs.empty()) return MPI_ERR_TYPE;
        for (const mog_mpi_target_run &run : runs)
            for (std::int64_t i = 0; i < run.count && left != 0; i++) {
                const u32 bytes = std::min(run.bytes, left);
                const std::int64_t at = place + element * a.extent + run.offset + i * run.stride;
                if (!part.has(at, bytes)) return MPI_ERR_RMA_RANGE;
                if (bytes % size != 0) return MPI_ERR_TYPE;
                pieces.push_back({part.pe, static_cast<u32>(at), bytes});
                left -= bytes;
            }
    }
    return MPI_SUCCESS;
}

/// To copied_, or from there.
Result<void> WindowAccesses::copy(const Access &access) {
    const mog_mpi_access &a = access.words;
    const u32 pe = access.call->pe;
    u32 own = a.kind == MOG_MPI_PUT ? a.origin : a.result;
    for (const Piece &piece : copied_) {
        const auto [from_pe, from, to_pe, to] =
            a.kind == MOG_MPI_PUT ? std::tuple(pe, own, piece.pe, piece.address) : std::tuple(piece.pe, piece.address, pe, own);
        if (from_pe == to_pe && from != to && overlaps(from, to, piece.bytes)) {
            std::vector<u8> bytes(aligned(piece.bytes));
            const Transfer transfer{from_pe, from, piece.bytes, 0, false};
            MOG_TRY(delivery_.fetch({&transfer, 1}, bytes));
            delivery_.put(to_pe, to, std::span(bytes).first(piece.bytes));
        } else {
            delivery_.copy(from_pe, from, to_pe, to, piece.bytes);
        }
        own += piece.bytes;
    }
    return delivery_.spill();
}

void WindowAccesses::fail(Access &access, int error) {
    access.words.bytes = 0;
    if (access.call->error == MPI_SUCCESS) access.call->error = error;
}

void WindowAccesses::check_all(std::span<Access> accesses) const {
    for (Access &access : accesses)
        if (const int error = access.words.bytes == 0 ? MPI_SUCCESS : check(access); error != MPI_SUCCESS) fail(access, error);
}

Result<void> WindowAccesses::perform_some(std::span<Access> accesses) {
    check_all(accesses);
    MOG_TRY(fetch_runs(accesses));
    pieces_.clear();
    foreign_gets_.clear();
    for (Access &access : accesses) {
        if (access.words.bytes == 0) continue;
        const bool is_copied = access.words.kind < MOG_MPI_ACCUMULATE;
        access.pieces = static_cast<u32>(pieces_.size());
        copied_.clear();
        if (const int error = find_pieces(access, is_copied ? copied_ : pieces_); error != MPI_SUCCESS) {
            pieces_.resize(access.pieces);
            fail(access, error);
        } else if (is_copied) {
            if (access.call->foreign) copy_foreign(access);
            else MOG_TRY(copy(access));
        }
        access.piece_count = static_cast<u32>(pieces_.size()) - access.pieces;
    }
    if (!foreign_gets_.empty()) MOG_TRY(fetch_foreign());
    return pieces_.empty() ? Result<void>() : combine_all(accesses);
}

}  // namespace mog::mpi
