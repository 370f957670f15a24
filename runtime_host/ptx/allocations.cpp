// allocations.cpp: the memory that kernels may use, by address.
#include <fmt/format.h>

#include "runtime_host/ptx/engine.hpp"

namespace mog::ptx {

void Allocations::add(const void *begin, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    ranges_[reinterpret_cast<std::uintptr_t>(begin)] = bytes;
    version_.fetch_add(1, std::memory_order_release);
}

void Allocations::remove(const void *begin) {
    const std::scoped_lock lock(mutex_);
    ranges_.erase(reinterpret_cast<std::uintptr_t>(begin));
    version_.fetch_add(1, std::memory_order_release);
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Allocations::find(std::uint64_t address) const {
    const std::scoped_lock lock(mutex_);
    auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return std::nullopt;
    --after;
    if (address - after->first >= after->second) return std::nullopt;
    return *after;
}

bool Allocations::holds(std::uint64_t address, std::uint64_t bytes) const {
    const auto range = find(address);
    return range && bytes <= range->second - (address - range->first);
}

std::string Allocations::describe(std::uint64_t address) const {
    if (const auto range = find(address))
        return fmt::format("{} bytes into an allocation of {} bytes", address - range->first, range->second);
    const std::scoped_lock lock(mutex_);
    const auto after = ranges_.upper_bound(address);
    constexpr std::uint64_t far = std::uint64_t{1} << 20;
    if (after != ranges_.begin()) {
        const auto before = std::prev(after);
        const std::uint64_t behind = address - before->first - before->second;
        if (behind < far) return fmt::format("{} bytes behind an allocation of {} bytes", behind, before->second);
    }
    if (after != ranges_.end() && after->first - address < far)
        return fmt::format("{} bytes before an allocation of {} bytes", after->first - address, after->second);
    return "no allocation is near";
}

}  // namespace mog::ptx
