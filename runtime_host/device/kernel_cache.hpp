// kernel_cache.hpp: names for what is kept in the cache (support/files/cache.hpp) of programs and their runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime_host/device/device.hpp"
#include "support/files/cache.hpp"

namespace mog {

/// A number for a program, whatever it was compiled with besides.
std::uint64_t program_hash(const Image &image);
/// A name for what is learnt about runs of an image on devices (`names` says which, and what else matters): one for all numbers of PEs
/// between two powers of 2, and each way to load it.
std::string run_cache_key(std::string_view about, const Image &image, std::string_view names, const LoadConfig &config);

}  // namespace mog
