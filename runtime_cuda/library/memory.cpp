// memory.cpp: the table of allocations.
#include "runtime_cuda/library/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace mog::cuda {

namespace {

/// What cudaMalloc promises at least.
constexpr std::size_t alignment = 256;
/// From so many bytes on memory of the device has pages of its own, which cost nothing until they are touched.
constexpr std::size_t large = std::size_t{1} << 20;

struct Table {
    std::mutex mutex;
    std::map<const char *, Allocation> allocations;
    std::size_t used = 0;
    ptx::Allocations checked;
};
Table &table() {
    static Table &kept = *new Table;  // kernels may run until the process ends
    return kept;
}

void *memory_for(std::size_t bytes, bool is_mapped) {
    if (!is_mapped) return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    void *const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return begin == MAP_FAILED ? nullptr : begin;
}

void give_back(const Allocation &allocation) {
    if (allocation.is_mapped) munmap(allocation.begin, allocation.bytes);
    else std::free(allocation.begin);
}

}  // namespace

const ptx::Allocations &allocations() { return table().checked; }

std::size_t memory_in_all() {
    static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t memory_left() {
    const std::lock_guard lock(table().mutex);
    const std::size_t used = table().used;
    return used < memory_in_all() ? memory_in_all() - used : 0;
}

std::optional<void *> allocate(std::size_t bytes, Kind kind, unsigned flags) {
    if (bytes == 0) return nullptr;
    if (bytes > memory_left()) return {};
    const bool is_mapped = kind == Kind::device && bytes >= large;
    void *begin = memory_for(bytes, is_mapped);
    if (!begin) return {};
    const std::lock_guard lock(table().mutex);
    table().allocations[static_cast<const char *>(begin)] = {begin, bytes, kind, flags, is_mapped};
    table().used += bytes;
    table().checked.add(begin, bytes);
    return begin;
}

bool release(void *begin, bool device) {
    if (!begin) return true;
    Allocation dropped;
    {
        const std::lock_guard lock(table().mutex);
        const auto found = table().allocations.find(static_cast<const char *>(begin));
        if (found == table().allocations.end() || found->second.kind == Kind::registered) return false;
        if ((found->second.kind == Kind::host) == device) return false;
        dropped = found->second;
        table().used -= dropped.bytes;
        table().allocations.erase(found);
        table().checked.remove(begin);
    }
    give_back(dropped);
    return true;
}

bool register_memory(void *begin, std::size_t bytes, unsigned flags) {
    if (find_allocation(begin)) return false;
    const std::lock_guard lock(table().mutex);
    table().allocations[static_cast<const char *>(begin)] = {begin, bytes, Kind::registered, flags};
    table().checked.add(begin, bytes);
    return true;
}

bool unregister_memory(void *begin) {
    const std::lock_guard lock(table().mutex);
    const auto found = table().allocations.find(static_cast<const char *>(begin));
    if (found == table().allocations.end() || found->second.kind != Kind::registered) return false;
    table().allocations.erase(found);
    table().checked.remove(begin);
    return true;
}

void know_variable(void *begin, std::size_t bytes) { table().checked.add(begin, bytes); }
void forget_variable(void *begin) { table().checked.remove(begin); }

std::optional<Allocation> find_allocation(const void *address) {
    const std::lock_guard lock(table().mutex);
    const char *at = static_cast<const char *>(address);
    auto found = table().allocations.upper_bound(at);
    if (found == table().allocations.begin()) return {};
    --found;
    if (at >= found->first + found->second.bytes) return {};
    return found->second;
}

bool stays(const void *address) { return find_allocation(address).has_value(); }

bool zero_at_first(void *begin, std::size_t bytes) {
    {
        const std::lock_guard lock(table().mutex);
        auto found = table().allocations.upper_bound(static_cast<const char *>(begin));
        if (bytes < large || found == table().allocations.begin()) return false;
        Allocation &allocation = (--found)->second;
        const std::size_t offset = static_cast<std::size_t>(static_cast<const char *>(begin) - found->first);
        if (!allocation.is_mapped || allocation.was_zeroed || offset > allocation.bytes || bytes > allocation.bytes - offset) return false;
        allocation.was_zeroed = true;
    }
    static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    char *const to = static_cast<char *>(begin), *const end = to + bytes;
    char *const first = to + (page - reinterpret_cast<std::uintptr_t>(to) % page) % page;
    char *const last = end - reinterpret_cast<std::uintptr_t>(end) % page;
    if (madvise(first, static_cast<std::size_t>(last - first), MADV_DONTNEED) != 0) return false;
    std::memset(to, 0, static_cast<std::size_t>(first - to));
    std::memset(last, 0, static_cast<std::size_t>(end - last));
    return true;
}

void release_all() {
    std::map<const char *, Allocation> dropped;
    {
        const std::lock_guard lock(table().mutex);
        dropped.swap(table().allocations);
        table().used = 0;
        for (const auto &[begin, allocation] : dropped) table().checked.remove(begin);
    }
    for (const auto &[begin, allocation] : dropped)
        if (allocation.kind != Kind::registered) give_back(allocation);
}

}  // namespace mog::cuda
