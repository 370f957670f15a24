// windows.cpp: making windows, what is attached to them, and the calls about them.
#include "runtime_host/mpi/rma/windows.hpp"

#include <set>

#include <fmt/format.h>

#include "abi/mpi_constants.h"

namespace mog::mpi {

void Windows::serve(const MpiCall &call) {
    const Communicator *c = communicators_.find(call.words[1], call.words[2], call.pe);
    // MPI_COMM_SELF is one context for all PEs: a window's own communicator is never that one.
    const int error = !c || c->is_self ? MPI_ERR_COMM : serve(call, *c);
    if (error != later) delivery_.resume(call.pe, static_cast<u32>(-error));
}

int Windows::serve(const MpiCall &call, const Communicator &c) {
    if (call.operation() == MOG_MPI_win_create) return create(call, c);
    const auto found = windows_.find(call.words[1] & ~MOG_MPI_INTERNAL);
    if (found == windows_.end()) return MPI_ERR_WIN;
    Window &window = found->second;
    switch (call.operation()) {
        case MOG_MPI_win_access: return access(call, window);
        case MOG_MPI_win_lock:
        case MOG_MPI_win_unlock: return lock(call, c, window);
        default: return attach(call, window);
    }
}

int Windows::create(const MpiCall &call, const Communicator &c) {
    const u32 *w = call.words;
    if (!delivery_.has_memory(w[3], w[4])) return MPI_ERR_BASE;
    if (static_cast<std::int32_t>(w[5]) <= 0) return MPI_ERR_DISP;
    const u32 context = w[1] & ~MOG_MPI_INTERNAL;
    Window &window = windows_[context];
    if (!window.parts) {
        if (!take(window, c.size * (bytes_of_part + bytes_of_range))) return windows_.erase(context), MPI_ERR_NO_MEM;
        window.parts = std::make_shared<WindowParts>(c.size);
        for (u32 rank = 0; c.span && rank < c.size; rank++)
            (*window.parts)[rank].is_elsewhere = !communicators_.world().is_here(communicators_.world_rank_of(c, rank, 0));
    }
    WindowPart &part = (*window.parts)[w[2]];
    if (part.is_dynamic) give_back(window, part.ranges.size() * bytes_of_range);
    part = {pe_of(c, w[2]), false, w[6] != 0, w[5], {}};
    if (!part.is_dynamic && w[4] != 0) part.ranges[w[3]] = w[4];
    return MPI_SUCCESS;
}

/// And detach. Ranges do not overlap, or a detach could not say which one it means.
int Windows::attach(const MpiCall &call, Window &window) {
    WindowPart &part = (*window.parts)[call.words[2]];
    const u32 base = call.words[3], bytes = call.words[4];
    if (!part.is_dynamic) return MPI_ERR_RMA_FLAVOR;
    if (call.operation() == MOG_MPI_win_detach) {
        if (part.ranges.erase(base) == 0) return MPI_ERR_BASE;
        give_back(window, bytes_of_range);
        return MPI_SUCCESS;
    }
    if (!delivery_.has_memory(base, bytes)) return MPI_ERR_RMA_ATTACH;
    const auto next = part.ranges.lower_bound(base);
    const bool meets_next = next != part.ranges.end() && next->first - base < (bytes == 0 ? 1 : bytes);
    const bool meets_last = next != part.ranges.begin() && base - std::prev(next)->first < std::prev(next)->second;
    if (meets_next || meets_last) return MPI_ERR_RMA_ATTACH;
    if (!take(window, bytes_of_range)) return MPI_ERR_NO_MEM;
    part.ranges[base] = bytes;
    return MPI_SUCCESS;
}

int Windows::access(const MpiCall &call, const Window &window) {
    const u32 list = call.words[3], count = call.words[4];
    if (list % 4 != 0 || !delivery_.has_memory(list, u64{count} * sizeof(mog_mpi_access))) return MPI_ERR_ARG;
    if (count == 0) return MPI_SUCCESS;
    calls_.push_back({call.pe, call.words[1] & ~MOG_MPI_INTERNAL, list, count, window.parts});
    return later;
}

/// And unlock.
int Windows::lock(const MpiCall &call, const Communicator &c, Window &window) {
    const u32 *w = call.words;
    if (w[3] != MOG_MPI_ALL_RANKS && w[3] >= window.parts->size()) return MPI_ERR_RANK;
    const bool locks = call.operation() == MOG_MPI_win_lock;
    const LockRequest request{c.span ? c.span->id : GlobalContext{}, locks, w[2], w[3], w[4] != 0, communicators_.world().rank_of(call.pe)};
    return c.span ? lock_elsewhere(call.pe, request, c) : change_locks(request, c, window);
}

int Windows::change_locks(const LockRequest &request, const Communicator &c, Window &window) {
    const auto [id, locks, me, target, exclusive, rank] = request;
    const bool is_all = target == MOG_MPI_ALL_RANKS;
    if (locks != 0) {
        if (!take(window, bytes_of_lock)) return MPI_ERR_NO_MEM;
        const WindowLocks::Taken taken = is_all ? window.locks.lock_all(me) : window.locks.lock(target, me, exclusive != 0);
        if (taken == WindowLocks::Taken::Twice) return give_back(window, bytes_of_lock), MPI_ERR_RMA_SYNC;
        return taken == WindowLocks::Taken::Yes ? MPI_SUCCESS : later;
    }
    std::vector<u32> granted;
    const bool had_it = is_all ? window.locks.unlock_all(me, granted) : window.locks.unlock(target, me, granted);
    if (had_it) give_back(window, bytes_of_lock);
    for (const u32 other : granted) answer_lock(communicators_.world_rank_of(c, other, 0), MPI_SUCCESS);
    return had_it ? MPI_SUCCESS : MPI_ERR_RMA_SYNC;
}

void Windows::forget(u32 context) {
    const auto found = windows_.find(context);
    if (found == windows_.end()) return;
    give_back(found->second, found->second.budgeted);
    windows_.erase(found);
}

Result<void> Windows::end_round() {
    if (calls_.empty()) return {};
    MOG_TRY(accesses_.perform(calls_));
    for (const WindowCall &call : calls_) {
        if (call.foreign) answer_access(call);
        else if (call.forwarded != 0) waiting_[call.pe] = {call.forwarded, call.error};
        else delivery_.resume(call.pe, static_cast<u32>(-call.error));
    }
    calls_.clear();
    foreign_.clear();
    return {};
}

std::vector<Blocked> Windows::blocked() const {
    std::vector<Blocked> all;
    const auto part = [](u32 target) { return target == MOG_MPI_ALL_RANKS ? std::string("all ranks") : fmt::format("rank {}", target); };
    const auto tell = [&](u32 pe, u32 target, bool exclusive, std::optional<std::int64_t> holder) {
        all.push_back({pe,
                       fmt::format("waits for {} lock of {} of a window, which {} locked", exclusive ? "an exclusive" : "a shared",
                                   part(target), holder ? "{} has" : "others have"),
                       holder});
    };
    std::set<u32> told;
    for (const auto &[context, window] : windows_) {
        const Communicator &c = communicators_[context];
        window.locks.each_waiting([&](u32 origin, u32 target, bool exclusive, std::int64_t holder) {
            if (!communicators_.world().is_here(communicators_.world_rank_of(c, origin, 0))) return;
            std::optional<std::int64_t> peer;
            if (holder >= 0) peer = communicators_.world_rank_of(c, static_cast<u32>(holder), 0);
            told.insert(pe_of(c, origin));
            tell(pe_of(c, origin), target, exclusive, peer);
        });
    }
    // What another process keeps, who has it knows that one.
    for (const auto &[pe, waiting] : waiting_)
        if (waiting.lock && !told.contains(pe)) tell(pe, waiting.lock->target, waiting.lock->exclusive != 0, {});
    return all;
}

bool Windows::restore() {
    for (const auto &[context, window] : windows_) {
        if (context >= communicators_.count() || !window.parts) return false;
        const Communicator &c = communicators_[context];
        if (c.is_self || window.parts->size() != c.size || !window.locks.is_sound(c.size)) return false;
        for (const WindowPart &part : *window.parts) {
            if ((part.pe != UINT32_MAX && part.pe >= communicators_.world().nproc)) return false;
            for (const auto &[address, bytes] : part.ranges)
                if (!delivery_.has_memory(address, bytes)) return false;
        }
        for (u32 rank = 0; rank < c.size; rank++)
            if ((*window.parts)[rank].is_elsewhere != !communicators_.world().is_here(communicators_.world_rank_of(c, rank, 0)))
                return false;
    }
    // Who waits for another process, waits for a lock.
    for (auto &[pe, waiting] : waiting_) {
        if (pe >= communicators_.world().nproc || waiting.answers == 0 || !waiting.lock) return false;
        const u32 context = communicators_.find_global(waiting.lock->context);
        if (context == MOG_MPI_NO_CONTEXT || !windows_.contains(context)) return false;
        waiting.span = communicators_[context].span;
        if (waiting.answers > waiting.span->processes.size() || waiting.next > waiting.span->processes.size()) return false;
        const bool is_all = waiting.lock->target == MOG_MPI_ALL_RANKS;
        if (is_all && waiting.lock->locks != 0 && waiting.next + waiting.answers != waiting.span->processes.size() + 1) return false;
        if (waiting.lock->rank != communicators_.world().rank_of(pe)) return false;
    }
    return true;
}

}  // namespace mog::mpi
