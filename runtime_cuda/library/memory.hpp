// memory.hpp: memory that programs allocate for kernels: all of it the host's, with what CUDA would say of it.
#pragma once

#include <cstddef>
#include <optional>

#include "runtime_host/ptx/engine.hpp"

namespace mog::cuda {

enum class Kind { device, host, managed, registered };

struct Allocation {
    void *begin;
    std::size_t bytes;
    Kind kind;
    unsigned flags;
    bool is_mapped = false;  ///< has pages of its own, from mmap
    bool was_zeroed = false;
};

/// The table for the engine's checks.
const ptx::Allocations &allocations();

/// How much there may be in all, and how much is left.
std::size_t memory_in_all();
std::size_t memory_left();

/// Zero bytes: nullptr. An empty result: there is no room.
std::optional<void *> allocate(std::size_t bytes, Kind kind, unsigned flags = 0);
/// False: nothing was allocated at this address as one of these kinds. nullptr is nothing, and freed.
bool release(void *begin, bool device);
/// Memory of the program's own. False: it is known already.
bool register_memory(void *begin, std::size_t bytes, unsigned flags);
bool unregister_memory(void *begin);
/// A module's variables, for the checks.
void know_variable(void *begin, std::size_t bytes);
void forget_variable(void *begin);
/// The allocation in which an address is.
std::optional<Allocation> find_allocation(const void *address);
/// Whether copies from it may happen later: other memory of the host is the program's again as soon as a call returns.
bool stays(const void *address);

/// Zeros in large memory of the device that is filled with them for the first time, without its pages being touched: programs often clear
/// more than they use. False: nothing has been done, for that is not what is asked for. Later times are no cheaper so, where all is written
/// again.
bool zero_at_first(void *begin, std::size_t bytes);

/// Gives all back, as when a device is reset.
void release_all();

}  // namespace mog::cuda
