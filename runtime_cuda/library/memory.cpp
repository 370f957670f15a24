// memory.cpp: the table of allocations.
#include "runtime_cuda/library/memory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>

namespace mog::cuda {

namespace {

/// What cudaMalloc promises at least; and pages for large ones, which cost nothing until they are touched.
constexpr std::size_t alignment = 256;

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
    void *begin = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!begin) return {};
    const std::lock_guard lock(table().mutex);
    table().allocations[static_cast<const char *>(begin)] = {begin, bytes, kind, flags};
    table().used += bytes;
    table().checked.add(begin, bytes);
    return begin;
}

bool release(void *begin, bool device) {
    if (!begin) return true;
    {
        const std::lock_guard lock(table().mutex);
        const auto found = table().allocations.find(static_cast<const char *>(begin));
        if (found == table().allocations.end() || found->second.kind == Kind::registered) return false;
        if ((found->second.kind == Kind::host) == device) return false;
        table().used -= found->second.bytes;
        table().allocations.erase(found);
        table().checked.remove(begin);
    }
    std::free(begin);
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

void release_all() {
    std::map<const char *, Allocation> dropped;
    {
        const std::lock_guard lock(table().mutex);
        dropped.swap(table().allocations);
        table().used = 0;
        for (const auto &[begin, allocation] : dropped) table().checked.remove(begin);
    }
    for (const auto &[begin, allocation] : dropped)
        if (allocation.kind != Kind::registered) std::free(allocation.begin);
}

}  // namespace mog::cuda
