// device_group_runs.cpp: launches and transfers of several devices at once, and what they tell afterwards.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <map>

#include <fmt/format.h>

#include "runtime_host/devices/group/device_group.hpp"

namespace mog {

using Seconds = std::chrono::duration<double>;

Result<void> DeviceGroup::on_each(std::span<Child *const> children, const std::function<Result<void>(Child &)> &task) {
    std::exception_ptr thrown;
    const auto attempt = [&](const std::function<void()> &part) {
        try {
            part();
        } catch (...) {
            thrown = std::current_exception();  // once all are done
        }
    };
    const auto do_it = [&](Child *child) { child->outcome = task(*child); };
    const auto own = std::ranges::find(children, &children_.front());
    const auto of_others = [&](auto part) {
        for (Child *child : children)
            if (child != &children_.front()) attempt([&] { part(child); });
    };
    of_others([&](Child *child) { child->thread->start([&do_it, child] { do_it(child); }); });
    if (own != children.end()) attempt([&] { do_it(*own); });
    of_others([](Child *child) { child->thread->wait(); });
    if (thrown) std::rethrow_exception(thrown);
    for (const Child *child : children)
        if (!child->outcome) return name(*child, child->outcome.error());
    return {};
}

std::vector<DeviceGroup::Child *> DeviceGroup::everyone() {
    std::vector<Child *> all;
    for (Child &child : children_) all.push_back(&child);
    return all;
}

/// Those that were loaded: there may be fewer PEs than devices.
std::vector<DeviceGroup::Child *> DeviceGroup::with_pes() {
    std::vector<Child *> some = everyone();
    std::erase_if(some, [](const Child *child) { return child->count == 0; });
    return some;
}

// ---- launches -------------------------------------------------------------------------------------------------------

/// A fast device shall not wait for a slow one.
void DeviceGroup::plan_passes(std::span<Child *const> children, u32 passes) {
    std::vector<double> seconds;
    for (const Child *child : children) seconds.push_back(child->pace.seconds(static_cast<u32>(child->active.size()), passes));
    const std::vector<u32> shares = split_passes(passes, seconds);
    for (std::size_t i = 0; i < children.size(); i++) children[i]->passes = shares[i];
}

Result<std::vector<Request>> DeviceGroup::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    std::vector<Child *> running;
    auto next = active.begin();
    for (Child &child : children_) {
        const auto begin = next;
        next = std::lower_bound(begin, active.end(), child.first + child.count);
        if (begin == next) continue;
        child.active.assign(begin, next);
        for (u32 &pe : child.active) pe -= child.first;
        const auto at = static_cast<std::size_t>(begin - active.begin());
        child.own_passes = own_passes.empty() ? own_passes : own_passes.subspan(at, child.active.size());
        child.passes = passes;
        running.push_back(&child);
    }
    if (adapts_ && own_passes.empty()) plan_passes(running, passes);
    MOG_TRY(on_each(running, [](Child &child) -> Result<void> {
        const auto begin = std::chrono::steady_clock::now();
        Result<std::vector<Request>> stopped = child.device->run(child.active, child.passes, child.own_passes);
        if (!stopped) return stopped.error();
        child.stopped = *std::move(stopped);
        const double seconds = Seconds(std::chrono::steady_clock::now() - begin).count();
        child.seconds += seconds;
        if (child.own_passes.empty())
            child.pace.ran(static_cast<u32>(child.active.size()), static_cast<u32>(child.stopped.size()), child.passes, seconds);
        return {};
    }));
    std::vector<Request> stopped;
    for (Child *child : running) {
        for (Request &request : child->stopped) request[MOG_Q_PE] += child->first;
        if (stopped.empty()) stopped = std::move(child->stopped);
        else stopped.insert(stopped.end(), child->stopped.begin(), child->stopped.end());
    }
    return stopped;
}

// ---- transfers ------------------------------------------------------------------------------------------------------

DeviceGroup::Child &DeviceGroup::child_of(u32 pe) {
    return *std::ranges::find_if(children_, [&](const Child &child) { return pe - child.first < child.count; });
}

/// Gives each child its transfers, with staging bytes of its own: some devices read or write all that lies between the first and the
/// last one.
std::vector<DeviceGroup::Child *> DeviceGroup::share_out(std::span<const Transfer> transfers) {
    for (Child &child : children_) {
        child.transfers.clear();
        child.places.clear();
    }
    std::vector<Child *> some;
    for (const Transfer &transfer : transfers) {
        Child &child = child_of(transfer.pe);
        if (child.transfers.empty()) some.push_back(&child);
        Transfer own = transfer;
        own.pe -= child.first;
        own.staging = child.transfers.empty() ? 0 : child.transfers.back().staging + ((child.transfers.back().length + 3u) & ~3u);
        child.transfers.push_back(own);
        child.places.push_back(transfer.staging);
    }
    for (Child *child : some) child->staging.resize(child->transfers.back().staging + ((child->transfers.back().length + 3u) & ~3u));
    return some;
}

Result<void> DeviceGroup::gather(std::span<const Transfer> transfers, std::span<u8> staging) {
    if (children_.size() == 1) return children_.front().device->gather(transfers, staging);
    return on_each(share_out(transfers), [&](Child &child) -> Result<void> {
        MOG_TRY(child.device->gather(child.transfers, child.staging));
        for (std::size_t i = 0; i < child.transfers.size(); i++)
            std::memcpy(staging.data() + child.places[i], child.staging.data() + child.transfers[i].staging, child.transfers[i].length);
        return {};
    });
}

Result<void> DeviceGroup::find_not_zero(std::span<const Range> ranges, std::span<u32> found) {
    return on_each(with_pes(), [&](Child &child) -> Result<void> {
        std::vector<Range> own;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            if (ranges[i].pe - child.first >= child.count) continue;
            own.push_back({ranges[i].pe - child.first, ranges[i].begin, ranges[i].end});
            places.push_back(i);
        }
        std::vector<u32> own_found(own.size());
        MOG_TRY(child.device->find_not_zero(own, own_found));
        for (std::size_t i = 0; i < own.size(); ++i) found[places[i]] = own_found[i];
        return {};
    });
}

Result<void> DeviceGroup::scatter(std::span<const Transfer> transfers, std::span<const u8> staging) {
    if (children_.size() == 1) return children_.front().device->scatter(transfers, staging);
    return on_each(share_out(transfers), [&](Child &child) -> Result<void> {
        for (std::size_t i = 0; i < child.transfers.size(); i++)
            std::memcpy(child.staging.data() + child.transfers[i].staging, staging.data() + child.places[i], child.transfers[i].length);
        return child.device->scatter(child.transfers, child.staging);
    });
}

/// Within a device by its own way; between two through the host.
Result<void> DeviceGroup::copy(std::span<const Copy> copies) {
    if (children_.size() == 1) return children_.front().device->copy(copies);
    for (Child &child : children_) child.copies.clear();
    std::vector<Copy> between;
    for (const Copy &copy : copies) {
        Child &child = child_of(copy.from_pe);
        if (&child != &child_of(copy.to_pe)) between.push_back(copy);
        else child.copies.push_back({copy.from_pe - child.first, copy.from, copy.to_pe - child.first, copy.to, copy.length});
    }
    std::vector<Child *> some;
    for (Child &child : children_)
        if (!child.copies.empty()) some.push_back(&child);
    MOG_TRY(on_each(some, [](Child &child) { return child.device->copy(child.copies); }));
    return Device::copy(between);
}

// ---- afterwards -----------------------------------------------------------------------------------------------------

bool DeviceGroup::looks_for_hot_code() const {
    return std::ranges::any_of(children_, [](const Child &child) { return child.count != 0 && child.device->looks_for_hot_code(); });
}

/// Each is asked: it keeps what it has found, for the process may end.
bool DeviceGroup::is_busy() {
    bool busy = false;
    for (Child &child : children_) busy |= child.count != 0 && child.device->is_busy();
    return busy;
}

void DeviceGroup::seen(std::span<const u32> pes, std::span<const u32> at, double instructions) {
    for (Child &child : children_) {
        if (child.count == 0 || !child.device->looks_for_hot_code()) continue;
        std::vector<u32> own, places;
        for (std::size_t i = 0; i < pes.size(); i++) {
            if (pes[i] - child.first >= child.count) continue;
            own.push_back(pes[i] - child.first);
            places.push_back(at[i]);
        }
        child.device->seen(own, places, instructions);
    }
}

void DeviceGroup::all_ended() {
    std::vector<u32> pes;
    std::vector<double> seconds;
    for (const Child &child : children_) {
        pes.push_back(child.count);
        seconds.push_back(child.seconds);
    }
    remembered_->learn(pes, seconds);
}

Result<DeviceStats> DeviceGroup::stats() {
    MOG_TRY(on_each(with_pes(), [](Child &child) -> Result<void> {
        Result<DeviceStats> stats = child.device->stats();
        if (!stats) return stats.error();
        child.stats = *std::move(stats);
        return {};
    }));
    DeviceStats sum;
    sum.cached = sum.counted = true;
    bool retires = true, attempts = true;
    for (const Child *child : with_pes()) {
        const DeviceStats &own = child->stats;
        sum.parts.push_back({child->info, child->first, child->count, child->seconds, own});
        sum.build_seconds = std::max(sum.build_seconds, own.build_seconds);
        sum.cached = sum.cached && own.cached;
        sum.counted = sum.counted && own.counted;
        sum.executed += own.executed;
        sum.retired += own.retired;
        sum.attempts += own.attempts;
        retires = retires && own.retired != 0;
        attempts = attempts && own.attempts != 0;
        if (sum.arithmetic.empty()) sum.arithmetic = own.arithmetic;
        else if (sum.arithmetic != own.arithmetic) sum.arithmetic = "not the same on all devices";
    }
    if (!retires) sum.retired = 0;
    if (!attempts) sum.attempts = 0;
    sum.engine = fmt::format("{} devices at once", sum.parts.size());
    return sum;
}

Result<RunCounts> DeviceGroup::counts() {
    RunCounts sum;
    std::map<std::pair<u32, u32>, std::uint64_t> jumps;
    for (const Child *child : with_pes()) {
        const Result<RunCounts> own = child->device->counts();
        if (!own) return name(*child, own.error());
        for (const auto &[into, from] : {std::pair{&sum.executed, &own->executed}, std::pair{&sum.taken, &own->taken}}) {
            into->resize(std::max(into->size(), from->size()));
            for (std::size_t i = 0; i < from->size(); i++) (*into)[i] += (*from)[i];
        }
        for (const RunCounts::Jump &jump : own->jumps) jumps[{jump.from, jump.to}] += jump.count;
    }
    for (const auto &[way, count] : jumps) sum.jumps.push_back({way.first, way.second, count});
    return sum;
}

}  // namespace mog
