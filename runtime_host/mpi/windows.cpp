// windows.cpp
#include "runtime_host/mpi/windows.hpp"

#include <fmt/format.h>

#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

namespace {

constexpr int answered_later = -1;

}  // namespace

void Windows::serve(const MpiCall &call) {
    const Communicator *c = communicators_.find(call.words[1], call.words[2], call.pe);
    // MPI_COMM_SELF is one context for all PEs: a window's own communicator is never that one.
    const int error = !c || c->is_self ? MPI_ERR_COMM : c->span ? MPI_ERR_UNSUPPORTED_OPERATION : serve(call, *c);
    if (error != answered_later) delivery_.resume(call.pe, static_cast<u32>(-error));
}

int Windows::serve(const MpiCall &call, const Communicator &c) {
    if (call.operation() == MOG_MPI_win_create) return create(call, c);
    const auto found = windows_.find(call.words[1] & ~MOG_MPI_INTERNAL);
    if (found == windows_.end()) return MPI_ERR_WIN;
    Window &window = found->second;
    switch (call.operation()) {
        case MOG_MPI_win_access:
            return access(call, window);
        case MOG_MPI_win_lock:
            return lock(call, window);
        case MOG_MPI_win_unlock:
            return unlock(call, c, window);
        default:
            return attach(call, window.parts[call.words[2]]);
    }
}

int Windows::create(const MpiCall &call, const Communicator &c) {
    const u32 *w = call.words;
    if (!delivery_.in_data(w[3], w[4])) return MPI_ERR_BASE;
    if (static_cast<std::int32_t>(w[5]) <= 0) return MPI_ERR_DISP;
    Window &window = windows_[w[1] & ~MOG_MPI_INTERNAL];
    window.parts.resize(c.size);
    WindowPart &part = window.parts[w[2]];
    part = {pe_of(c, w[2]), w[6] != 0, w[5], {}};
    if (!part.is_dynamic && w[4] != 0) part.ranges[w[3]] = w[4];
    return MPI_SUCCESS;
}

/// And detach. Ranges do not overlap, or a detach could not say which one it means.
int Windows::attach(const MpiCall &call, WindowPart &part) {
    const u32 base = call.words[3], bytes = call.words[4];
    if (!part.is_dynamic) return MPI_ERR_RMA_FLAVOR;
    if (call.operation() == MOG_MPI_win_detach) return part.ranges.erase(base) != 0 ? MPI_SUCCESS : MPI_ERR_BASE;
    if (!delivery_.in_data(base, bytes)) return MPI_ERR_RMA_ATTACH;
    const auto next = part.ranges.lower_bound(base);
    const bool meets_next = next != part.ranges.end() && next->first - base < (bytes == 0 ? 1 : bytes);
    const bool meets_last = next != part.ranges.begin() && base - std::prev(next)->first < std::prev(next)->second;
    if (meets_next || meets_last) return MPI_ERR_RMA_ATTACH;
    part.ranges[base] = bytes;
    return MPI_SUCCESS;
}

int Windows::access(const MpiCall &call, const Window &window) {
    const u32 list = call.words[3], count = call.words[4];
    if (list % 4 != 0 || !delivery_.in_data(list, u64{count} * sizeof(mog_mpi_access))) return MPI_ERR_ARG;
    if (count == 0) return MPI_SUCCESS;
    calls_.push_back({call.pe, list, count, &window.parts, MPI_SUCCESS});
    return answered_later;
}

int Windows::lock(const MpiCall &call, Window &window) {
    const u32 me = call.words[2], target = call.words[3];
    if (target != MOG_MPI_ALL_RANKS && target >= window.parts.size()) return MPI_ERR_RANK;
    const WindowLocks::Taken taken =
        target == MOG_MPI_ALL_RANKS ? window.locks.lock_all(me) : window.locks.lock(target, me, call.words[4] != 0);
    if (taken == WindowLocks::Taken::Twice) return MPI_ERR_RMA_SYNC;
    return taken == WindowLocks::Taken::Yes ? MPI_SUCCESS : answered_later;
}

int Windows::unlock(const MpiCall &call, const Communicator &c, Window &window) {
    const u32 me = call.words[2], target = call.words[3];
    std::vector<u32> granted;
    const bool had_it = target == MOG_MPI_ALL_RANKS ? window.locks.unlock_all(me, granted) : window.locks.unlock(target, me, granted);
    for (const u32 rank : granted) delivery_.resume(pe_of(c, rank), MPI_SUCCESS);
    return had_it ? MPI_SUCCESS : MPI_ERR_RMA_SYNC;
}

Result<void> Windows::end_round() {
    if (calls_.empty()) return {};
    MOG_TRY(accesses_.perform(calls_));
    for (const WindowCall &call : calls_) delivery_.resume(call.pe, static_cast<u32>(-call.error));
    calls_.clear();
    return {};
}

std::vector<Stuck> Windows::stuck() const {
    std::vector<Stuck> all;
    for (const auto &[context, window] : windows_) {
        const Communicator &c = communicators_[context];
        window.locks.each_waiting([&](u32 origin, u32 target, bool exclusive, std::int64_t holder) {
            const std::string part = target == MOG_MPI_ALL_RANKS ? "all ranks" : fmt::format("rank {}", target);
            const std::string who = holder < 0 ? "others have" : "{} has";
            std::optional<std::int64_t> peer;
            if (holder >= 0) peer = communicators_.world_rank_of(c, static_cast<u32>(holder), 0);
            const std::string_view kind = exclusive ? "an exclusive" : "a shared";
            all.push_back({pe_of(c, origin), fmt::format("waits for {} lock of {} of a window, which {} locked", kind, part, who), peer});
        });
    }
    return all;
}

}  // namespace mog::mpi
