// linear_scan.cpp: by register, the ranges that are taken; whatever overlaps is found by its begin.
#include "assembler/registers/linear_scan.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace mog::registers {
namespace {

class Registers {
public:
    Registers(std::span<const Interval> intervals, unsigned count) : intervals_(intervals), taken_(count) {}

    void take(std::uint32_t interval, unsigned first) {
        for (unsigned r = first; r < first + intervals_[interval].registers; ++r)
            for (const LiveRange &range : intervals_[interval].ranges) taken_[r].emplace(range.from, Taken{range.to, interval});
    }
    void give_back(std::uint32_t interval, unsigned first) {
        for (unsigned r = first; r < first + intervals_[interval].registers; ++r)
            for (const LiveRange &range : intervals_[interval].ranges) taken_[r].erase(range.from);
    }
    /// Those that are in the way of an interval in registers from `first` on.
    std::set<std::uint32_t> in_the_way(const Interval &interval, unsigned first) const {
        std::set<std::uint32_t> found;
        for (unsigned r = first; r < first + interval.registers; ++r)
            for (const LiveRange &range : interval.ranges) {
                auto at = taken_[r].upper_bound(range.from);
                if (at != taken_[r].begin()) --at;
                for (; at != taken_[r].end() && at->first < range.to; ++at)
                    if (at->second.to > range.from) found.insert(at->second.by);
            }
        return found;
    }

private:
    struct Taken {
        std::uint32_t to, by;
    };
    std::span<const Interval> intervals_;
    std::vector<std::map<std::uint32_t, Taken>> taken_;
};

}  // namespace

Assignment linear_scan(std::span<const Interval> intervals, unsigned registers) {
    Assignment result;
    result.first.assign(intervals.size(), Assignment::none);
    std::vector<std::uint32_t> order(intervals.size());
    std::iota(order.begin(), order.end(), 0);
    // Of those that begin together the wide ones first: behind narrow ones there may be no neighbours left.
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t from_a = intervals[a].ranges.front().from, from_b = intervals[b].ranges.front().from;
        return from_a != from_b ? from_a < from_b : intervals[a].registers > intervals[b].registers;
    });
    Registers taken(intervals, registers);
    for (const std::uint32_t interval : order) {
        const Interval &of = intervals[interval];
        double least = of.cost;
        unsigned place = Assignment::none;
        std::set<std::uint32_t> others;
        for (unsigned first = 0; first + of.registers <= registers; ++first) {
            if (!may_begin(first, of.registers)) continue;
            auto there = taken.in_the_way(of, first);
            double cost = 0;
            for (const std::uint32_t other : there) cost += intervals[other].cost;
            if (there.empty() || cost < least) {
                least = cost;
                place = first;
                others = std::move(there);
            }
            if (others.empty() && place == first) break;
        }
        if (place == Assignment::none) {
            if (of.cost == Interval::cannot) {
                result.unplaced = interval;
                return result;
            }
            result.spilled.push_back(interval);
            continue;
        }
        for (const std::uint32_t other : others) {
            taken.give_back(other, result.first[other]);
            result.first[other] = Assignment::none;
            result.spilled.push_back(other);
        }
        taken.take(interval, place);
        result.first[interval] = place;
    }
    std::ranges::sort(result.spilled);
    return result;
}

}  // namespace mog::registers
