// shadow.hpp: who accessed which memory last, to find what is read before it is written, and accesses of threads that nothing orders.
//
// Two accesses are ordered by a barrier between them, by bar.warp.sync in a warp, or if both threads did something atomic or a fence since:
// that is taken for a lock or a flag, for what it means is not known. So nothing is reported that is in order, and something that is not
// may go unseen.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime_host/ptx/code.hpp"

namespace mog::ptx {

struct Access {
    static constexpr std::uint32_t nobody = 0xffffffff, nobody_in_particular = 0xfffffffe;
    std::uint64_t block = 0, event = 0;
    std::uint32_t thread = nobody;
    std::uint32_t epoch = 0, warp_epoch = 0;
    std::uint32_t instruction = 0;
    const Code *code = nullptr;
    bool is_atomic = false;
    std::uint32_t value = 0;  ///< what was written; whoever writes the same does no harm

    bool is_there() const { return thread != nobody; }
    bool is_by_thread() const { return thread < nobody_in_particular; }
};

/// Of a byte of shared memory, or a word of global memory. Two readers, so that one of them is another than the writer.
struct Cell {
    Access written;
    std::array<Access, 2> read;
};

/// The access that comes into conflict with another, or nullptr. `is_ordered(before)` says what holds between an earlier one and this.
template <typename IsOrdered>
const Access *conflict(const Cell &cell, const Access &now, bool reads, bool writes, bool is_same_value, IsOrdered is_ordered) {
    const auto clashes = [&](const Access &before) {
        if (!before.is_by_thread() || (before.thread == now.thread && before.block == now.block) || (before.is_atomic && now.is_atomic))
            return false;
        return !is_ordered(before);
    };
    const bool writes_same = writes && !reads && (is_same_value || cell.written.value == now.value);
    if (!writes_same && clashes(cell.written)) return &cell.written;
    if (!writes || is_same_value) return nullptr;
    for (const Access &before : cell.read)
        if (clashes(before)) return &before;
    return nullptr;
}

inline void note(Cell &cell, const Access &now, bool reads, bool writes) {
    if (reads && !writes) {
        // The latest of two different threads.
        Access &place = cell.read[0].is_by_thread() && cell.read[0].thread != now.thread ? cell.read[1] : cell.read[0];
        place = now;
    }
    if (writes) cell.written = now;
}

struct BlockShadow {
    BlockShadow(std::uint64_t shared_bytes, std::uint64_t threads)
        : cells(shared_bytes), synchronised(threads), warp_epochs((threads + warp_lanes - 1) / warp_lanes) {}

    std::vector<Cell> cells;                  ///< by byte of shared memory
    std::vector<std::uint64_t> synchronised;  ///< by thread: the event at which it last did something atomic
    std::vector<std::uint32_t> warp_epochs;
    std::uint64_t events = 0;

    bool is_ordered(const Access &before, const Access &now) const {
        if (before.epoch != now.epoch) return true;
        if (before.thread / warp_lanes == now.thread / warp_lanes && before.warp_epoch != now.warp_epoch) return true;
        return synchronised[before.thread] > before.event && synchronised[now.thread] > before.event;
    }
};

/// Of global memory, for all threads of the process that run a launch.
class GlobalShadow {
public:
    template <typename Do>
    void with_cell(std::uint64_t word, Do each) {
        Shard &shard = shards_[word % shards_.size()];
        const std::scoped_lock lock(shard.mutex);
        each(shard.cells[word]);
    }
    void note_synchronised(std::uint64_t block) {
        const std::scoped_lock lock(mutex_);
        synchronised_.insert(block);
    }
    bool has_synchronised(std::uint64_t block) {
        const std::scoped_lock lock(mutex_);
        return synchronised_.contains(block);
    }

private:
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, Cell> cells;
    };
    std::array<Shard, 64> shards_;
    std::mutex mutex_;
    std::unordered_set<std::uint64_t> synchronised_;
};

}  // namespace mog::ptx
