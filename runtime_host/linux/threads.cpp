// threads.cpp
#include "runtime_host/linux/threads.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <ranges>

#include "runtime_host/device/device.hpp"

namespace mog {

namespace {

/// Of what a process has, an eighth is for the stack of its first thread, between these bounds: it lies above what is mapped.
constexpr std::uint32_t least_first_stack = 64u << 10, most_first_stack = 8u << 20;
/// What stays free between the heap and what is mapped.
constexpr std::uint32_t gap = 4096;

}  // namespace

Threads::Threads(u32 processes, u32 threads, const Addresses &addresses, u32 advised)
    : processes_(processes), threads_(threads), addresses_(addresses), advised_(std::min(advised, threads)) {
    const std::size_t pes = std::size_t{processes} * threads;
    in_use_.assign(pes, false);
    std::fill_n(in_use_.begin(), processes, true);
    alive_.assign(processes, 1);
    was_full_.assign(processes, false);
    next_.assign(processes, 1);
    cleared_at_end_.assign(pes, 0);
    stacks_.resize(pes);
    waits_.resize(pes);
    rings_.resize(pes);
    buckets_.assign(std::bit_ceil(pes), nobody);
}

std::optional<std::uint32_t> Threads::take(u32 process) {
    if (alive_[process] == threads_) return std::nullopt;
    for (u32 i = 0; i < threads_; ++i) {
        const u32 thread = (next_[process] + i) % threads_, pe = process + thread * processes_;
        if (in_use_[pe]) continue;
        in_use_[pe] = true;
        ++alive_[process];
        next_[process] = (thread + 1) % threads_;
        return pe;
    }
    return std::nullopt;
}

void Threads::give_back(u32 pe) {
    const u32 process = process_of(pe);
    in_use_[pe] = false;
    cleared_at_end_[pe] = 0;
    stacks_[pe] = {};
    --alive_[process];
    was_full_[process] = false;
    // The one that was used last is in the caches.
    if (!uses_others_first_) next_[process] = pe / processes_;
}

void Threads::has_stack(u32 pe, u32 end) {
    stacks_[pe] = {};
    const auto memory = memory_.find(process_of(pe));
    if (memory == memory_.end()) return;
    auto mapping = memory->second.mapped.lower_bound(end);
    if (mapping == memory->second.mapped.begin()) return;
    --mapping;
    if (end - mapping->first <= mapping->second) stacks_[pe] = {mapping->first, end};
}

bool Threads::has_left_stack(u32 pe, u32 sp, u32 brk) const {
    const Stack own = stacks_[pe];
    if (own.begin == 0 || sp >= own.begin || sp < brk) return false;
    const u32 process = process_of(pe);
    const auto found = memory_.find(process);
    if (found == memory_.end()) return false;
    const Memory &memory = found->second;
    const auto below = memory.mapped.upper_bound(sp);
    if (below == memory.mapped.begin() || sp - std::prev(below)->first >= std::prev(below)->second) return true;
    const u32 begin = std::prev(below)->first;
    for (u32 other = process; other < stacks_.size(); other += processes_)
        if (in_use_[other] && stacks_[other].begin == begin) return true;
    return false;
}

std::vector<std::uint32_t> Threads::of_process(u32 process) const {
    std::vector<u32> pes;
    for (u32 pe = process; pe < in_use_.size(); pe += processes_)
        if (in_use_[pe]) pes.push_back(pe);
    return pes;
}

void Threads::end_process(u32 process) {
    for (const u32 pe : of_process(process)) {
        forget(pe);
        give_back(pe);
    }
    memory_.erase(process);
}

void Threads::begin_process(u32 process) {
    in_use_[process] = true;
    alive_[process] = 1;
    next_[process] = 1;
}

// ---- futexes ---------------------------------------------------------------------------------------------------------

std::uint32_t &Threads::first_with(std::uint64_t key) {
    // Words lie side by side, and processes have the same ones.
    constexpr std::uint64_t spreads = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio
    u32 *first = &buckets_[key * spreads >> 32 & (buckets_.size() - 1)];
    while (*first != nobody && key_of(*first) != key) first = &rings_[*first].next_ring;
    return *first;
}

/// To the ring of the word that it waits at.
void Threads::append(u32 pe) {
    waiting_++;
    u32 &first = first_with(key_of(pe));
    if (first == nobody) {
        rings_[pe] = {pe, pe, true};
        first = pe;
        return;
    }
    const u32 last = rings_[first].previous;
    rings_[pe] = {first, last};
    rings_[last].next = rings_[first].previous = pe;
}

void Threads::leave(u32 pe) {
    waiting_--;
    const Waiting own = rings_[pe];
    rings_[own.previous].next = own.next;
    rings_[own.next].previous = own.previous;
    if (!own.is_first) return;
    first_with(key_of(pe)) = own.next == pe ? own.next_ring : own.next;
    if (own.next == pe) return;
    rings_[own.next].is_first = true;
    rings_[own.next].next_ring = own.next_ring;
}

void Threads::wait(u32 pe, const Wait &wait) {
    waits_[pe] = wait;
    append(pe);
    if (wait.until) expiries_.emplace(*wait.until, pe);
}

void Threads::forget(u32 pe) {
    Wait &wait = waits_[pe];
    if (wait.address == 0) return;
    leave(pe);
    if (wait.until) {
        auto [at, end] = expiries_.equal_range(*wait.until);
        at = std::find_if(at, end, [&](const auto &entry) { return entry.second == pe; });
        if (at != end) expiries_.erase(at);
    }
    wait = {};
}

std::vector<std::uint32_t> Threads::wake(u32 process, u32 address, u32 count, u32 bits) {
    std::vector<u32> woken;
    const u32 first = first_with(key(process, address));
    if (first == nobody || count == 0) return woken;
    u32 pe = first;
    do {
        if ((waits_[pe].bits & bits) != 0) woken.push_back(pe);
        pe = rings_[pe].next;
    } while (pe != first && woken.size() < count);
    // Only who is first in the ring is looked for.
    for (const u32 one : std::views::reverse(woken)) forget(one);
    return woken;
}

std::uint32_t Threads::requeue(u32 process, u32 from, u32 to, u32 count) {
    if (from == to) return 0;
    u32 moved = 0;
    for (u32 pe; moved < count && (pe = first_with(key(process, from))) != nobody; ++moved) {
        leave(pe);
        waits_[pe].address = to;
        append(pe);
    }
    return moved;
}

std::vector<std::uint32_t> Threads::expired(Clock::time_point now) {
    std::vector<u32> pes;
    while (!expiries_.empty() && expiries_.begin()->first <= now) {
        pes.push_back(expiries_.begin()->second);
        forget(pes.back());
    }
    return pes;
}

std::optional<Threads::Clock::time_point> Threads::next_expiry() const {
    if (expiries_.empty()) return std::nullopt;
    return expiries_.begin()->first;
}

// ---- memory ----------------------------------------------------------------------------------------------------------

std::uint32_t Threads::top_of_mappings(u32 data_bytes) {
    const u32 stack = std::min(data_bytes, std::clamp(data_bytes / 8, least_first_stack, most_first_stack));
    return (MOG_DATA_BASE + data_bytes - stack) / page_bytes * page_bytes;
}

std::optional<Threads::Mapping> Threads::map(u32 process, u32 bytes, u32 brk) {
    if (bytes == 0 || bytes > addresses_.data_bytes) return std::nullopt;
    bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    Memory &memory = memory_[process];
    // The highest gap that is large enough, so that the heap keeps its room.
    const auto gap_at = std::find_if(memory.gaps.rbegin(), memory.gaps.rend(), [&](const auto &free) { return free.second >= bytes; });
    u32 end = memory.mapped.empty() ? top() : memory.mapped.begin()->first;
    if (gap_at != memory.gaps.rend()) {
        end = gap_at->first + gap_at->second;
        gap_at->second -= bytes;
        if (gap_at->second == 0) memory.gaps.erase(gap_at->first);
    } else if (const u32 begin = brk + gap; begin > end || end - begin < bytes) {
        return std::nullopt;
    }
    const Mapping mapping{end - bytes, bytes, memory.lowest != 0 && end > memory.lowest};
    memory.mapped.emplace(mapping.address, bytes);
    memory.lowest = memory.lowest == 0 ? mapping.address : std::min(memory.lowest, mapping.address);
    return mapping;
}

bool Threads::unmap(u32 process, u32 address, u32 bytes) {
    if (address % page_bytes != 0 || bytes == 0 || !addresses_.in_data(address, bytes)) return false;
    bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    const u32 end = address + bytes;
    Memory &memory = memory_[process];
    std::map<u32, u32> &mapped = memory.mapped;
    auto at = mapped.upper_bound(address);
    if (at != mapped.begin()) --at;
    while (at != mapped.end() && at->first < end) {
        const u32 from = at->first, to = from + at->second;
        if (to <= address) {
            ++at;
            continue;
        }
        at = mapped.erase(at);
        if (from < address) mapped.emplace(from, address - from);
        if (end < to) mapped.emplace(end, to - end);
        add_gap(memory, std::max(from, address), std::min(to, end));
    }
    // What lies below all that is mapped is no gap, but where the next mapping goes.
    while (!memory.gaps.empty() && (mapped.empty() || memory.gaps.begin()->first < mapped.begin()->first))
        memory.gaps.erase(memory.gaps.begin());
    return true;
}

/// With those beside it, it is one.
void Threads::add_gap(Memory &memory, u32 from, u32 to) {
    auto above = memory.gaps.lower_bound(from);
    if (above != memory.gaps.begin())
        if (const auto below = std::prev(above); below->first + below->second == from) {
            from = below->first;
            memory.gaps.erase(below);
        }
    if (above != memory.gaps.end() && above->first == to) {
        to += above->second;
        memory.gaps.erase(above);
    }
    memory.gaps.emplace(from, to - from);
}

std::uint32_t Threads::floor(u32 process) const {
    const auto found = memory_.find(process);
    return found == memory_.end() || found->second.mapped.empty() ? 0 : found->second.mapped.begin()->first;
}

std::uint32_t Threads::lowest_ever(u32 process) const {
    const auto found = memory_.find(process);
    return found == memory_.end() ? 0 : found->second.lowest;
}

// ---- written down ------------------------------------------------------------------------------------------------------

Threads::Saved Threads::saved() const {
    Saved saved;
    for (u32 pe = 0; pe < in_use_.size(); ++pe)
        if (in_use_[pe]) saved.threads.push_back({pe, cleared_at_end_[pe], stacks_[pe].begin, stacks_[pe].end});
    const Clock::time_point now = Clock::now();
    for (u32 pe = 0; pe < waits_.size(); ++pe) {
        if (waits_[pe].address == 0 || !rings_[pe].is_first) continue;
        u32 one = pe;
        do {
            const Wait &wait = waits_[one];
            saved.waiting.push_back({one, wait.address, wait.bits, {}});
            if (wait.until) saved.waiting.back().left = std::chrono::nanoseconds(*wait.until - now).count();
            one = rings_[one].next;
        } while (one != pe);
    }
    saved.next = next_;
    for (u32 process = 0; process < processes_; ++process)
        if (const auto memory = memory_.find(process); memory != memory_.end())
            saved.memory.push_back({process, memory->second.lowest, memory->second.mapped});
    return saved;
}

bool Threads::restore(const Saved &saved) {
    constexpr std::int64_t longest = 1'000'000'000'000'000'000;  // ns: what can be added to a time
    if (saved.next.size() != next_.size() || std::ranges::any_of(saved.next, [this](u32 next) { return next >= threads_; })) return false;
    next_ = saved.next;
    in_use_.assign(in_use_.size(), false);
    alive_.assign(processes_, 0);
    for (const Saved::Thread &thread : saved.threads) {
        if (thread.pe >= in_use_.size() || in_use_[thread.pe]) return false;
        in_use_[thread.pe] = true;
        ++alive_[process_of(thread.pe)];
        cleared_at_end_[thread.pe] = thread.cleared_at_end;
        stacks_[thread.pe] = {thread.stack_begin, thread.stack_end};
    }
    const Clock::time_point now = Clock::now();
    for (const Saved::Waiting &one : saved.waiting) {
        if (!is_alive(one.pe) || waits_[one.pe].address != 0 || one.address % 4 != 0 || !addresses_.in_data(one.address, 4)) return false;
        if (one.left && (*one.left > longest || *one.left < -longest)) return false;
        Wait waits{one.address, one.bits, {}};
        if (one.left) waits.until = now + std::chrono::nanoseconds(*one.left);
        wait(one.pe, waits);
    }
    for (const Saved::Mappings &one : saved.memory) {
        if (one.process >= processes_ || memory_.contains(one.process)) return false;
        Memory memory{one.mapped, {}, one.lowest};
        u32 end = 0;
        for (const auto &[address, bytes] : one.mapped) {
            if (address % page_bytes != 0 || bytes == 0 || bytes % page_bytes != 0 || !addresses_.in_data(address, bytes) || address < end)
                return false;
            if (end != 0 && end < address) add_gap(memory, end, address);
            end = address + bytes;
        }
        if (end != 0 && end < top()) add_gap(memory, end, top());
        memory_[one.process] = std::move(memory);
    }
    return true;
}

}  // namespace mog
