// memory_layout.hpp: how DATA of the PEs of a warp is laid, decided by what a run has counted (--memory-layout=count), which is kept with
// the program for later runs. What is not counted has words side by side.
#pragma once

#include <optional>

#include "runtime_host/device/device.hpp"

namespace mog {

/// What a sector costs that is not in the caches, in touches of one that is: memory gives a multiprocessor so much less at a time. Of an
/// H100, 128 bytes of L1 in a cycle, and some 16 to 32 from behind it. No card has measured it for MOG's kernels.
inline constexpr double cost_of_fetch = 4;
/// Sectors are taken only where they cost so much less: finding a word in them takes a few instructions more.
inline constexpr double worth_sectors = 0.75;

/// Words or sectors.
MemoryLayout cheaper_layout(const CountedLayouts &counted);

/// Of any device: what lanes do is the program's.
std::optional<CountedLayouts> remembered_layouts(const Image &image);
void remember_layouts(const Image &image, const CountedLayouts &counted);

/// What `wanted` is for this program: nothing is left to choose.
MemoryLayout layout_for(const Image &image, MemoryLayout wanted);

}  // namespace mog
