// host_room.hpp: whether so many PEs can begin at all in the memory that this machine has left. A process that takes more is killed by
// the system, without a word.
#pragma once

#include <cstdint>
#include <string>

#include "runtime_host/device/device.hpp"
#include "support/result.hpp"

namespace mog {

/// Bytes of this machine's memory that the process can still get: what is free or can be freed, less where its control group allows less,
/// or MOG_HOST_MEMORY, which a user or a test may set (such as 512M).
std::uint64_t available_host_memory();

/// What a PE whose memory is the host's takes before it has run: its state, the pages that its data and its arguments stand in, page
/// tables, what the service loop keeps of it. Pages that it touches later come on top, and may be none, so this is the least.
/// `interleaved`: words of 16 PEs alternate, and share pages.
std::uint64_t least_host_bytes_per_pe(const Image &image, const LoadConfig &config, bool interleaved);

/// What the service loop keeps of each PE at least, wherever its memory is.
inline constexpr std::uint64_t service_bytes_per_pe = 88;

/// "pass -n 15000 or less, or --mem=64K": so many PEs would fit, or those that were asked for with so much memory each; too little of it is
/// not proposed.
std::string what_to_lower(std::uint64_t fit, std::uint64_t kib_each);

/// Whether config.nproc PEs fit that take so many bytes of the host each. Error: what was asked for, what it takes, what would fit.
Result<void> check_host_room(std::uint32_t nproc, std::uint64_t least_bytes_per_pe);

}  // namespace mog
