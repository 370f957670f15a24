// window_locks.cpp
#include "runtime_host/mpi/rma/window_locks.hpp"

#include <algorithm>

namespace mog::mpi {

/// Who came before others goes before them, where both cannot have it.
bool WindowLocks::may_have(const Part &part, const Waiting &who) const {
    if (part.writer >= 0) return false;
    if (!who.exclusive) return true;
    return part.readers.empty() && all_.empty() && (all_waiting_.empty() || who.ticket < all_waiting_.front().ticket);
}

void WindowLocks::take(Part &part, const Waiting &who) {
    if (!who.exclusive) {
        part.readers.insert(who.origin);
        return;
    }
    part.writer = who.origin;
    writers_++;
}

WindowLocks::Taken WindowLocks::lock(u32 target, u32 origin, bool exclusive) {
    Part &part = parts_[target];
    if (part.writer == origin || part.readers.contains(origin)) return Taken::Twice;
    const Waiting who{tickets_++, origin, exclusive};
    if (part.waiting.empty() && may_have(part, who)) {
        take(part, who);
        return Taken::Yes;
    }
    part.waiting.push_back(who);
    if (exclusive) writers_waiting_.insert(who.ticket);
    return Taken::Waits;
}

WindowLocks::Taken WindowLocks::lock_all(u32 origin) {
    if (all_.contains(origin)) return Taken::Twice;
    all_waiting_.push_back({tickets_++, origin, false});
    std::vector<u32> granted;
    grant_all(granted);
    return granted.empty() ? Taken::Waits : Taken::Yes;
}

void WindowLocks::grant(Part &part, std::vector<u32> &granted) {
    while (!part.waiting.empty() && may_have(part, part.waiting.front())) {
        const Waiting who = part.waiting.front();
        part.waiting.pop_front();
        if (who.exclusive) writers_waiting_.erase(who.ticket);
        take(part, who);
        granted.push_back(who.origin);
    }
}

void WindowLocks::grant_all(std::vector<u32> &granted) {
    while (!all_waiting_.empty() && writers_ == 0 &&
           (writers_waiting_.empty() || all_waiting_.front().ticket < *writers_waiting_.begin())) {
        all_.insert(all_waiting_.front().origin);
        granted.push_back(all_waiting_.front().origin);
        all_waiting_.pop_front();
    }
}

bool WindowLocks::unlock(u32 target, u32 origin, std::vector<u32> &granted) {
    const auto found = parts_.find(target);
    if (found == parts_.end()) return false;
    Part &part = found->second;
    if (part.writer == origin) {
        part.writer = -1;
        writers_--;
    } else if (part.readers.erase(origin) == 0) {
        return false;
    }
    grant(part, granted);
    grant_all(granted);
    if (part.writer < 0 && part.readers.empty() && part.waiting.empty()) parts_.erase(found);
    return true;
}

bool WindowLocks::unlock_all(u32 origin, std::vector<u32> &granted) {
    if (all_.erase(origin) == 0) return false;
    // Only writers can have waited for this.
    if (all_.empty())
        for (auto &[target, part] : parts_) grant(part, granted);
    grant_all(granted);
    return true;
}

void WindowLocks::each_waiting(const std::function<void(u32, u32, bool, std::int64_t)> &tell) const {
    for (const auto &[target, part] : parts_)
        for (const Waiting &w : part.waiting) tell(w.origin, target, w.exclusive, part.writer);
    for (const Waiting &w : all_waiting_) tell(w.origin, MOG_MPI_ALL_RANKS, false, -1);
}

bool WindowLocks::is_sound(u32 ranks) const {
    u32 writers = 0;
    std::set<u64> tickets;
    const auto is_rank = [&](u32 rank) { return rank < ranks; };
    const auto waits = [&](const Waiting &who) {
        if (who.exclusive) tickets.insert(who.ticket);
        return is_rank(who.origin) && who.ticket < tickets_;
    };
    for (const auto &[target, part] : parts_) {
        if (!is_rank(target) || part.writer < -1 || part.writer >= std::int64_t{ranks}) return false;
        if (!std::ranges::all_of(part.readers, is_rank) || !std::ranges::all_of(part.waiting, waits)) return false;
        writers += part.writer >= 0;
    }
    return std::ranges::all_of(all_, is_rank) && std::ranges::all_of(all_waiting_, waits) && writers == writers_ &&
           tickets == writers_waiting_;
}

}  // namespace mog::mpi
