// kernel_cache.hpp: compiled interpreters kept across runs, under a hash of everything they were made from. The folder
// is $MOG_CACHE_DIR, else $XDG_CACHE_HOME/mog, else ~/.cache/mog; where none can be written, nothing is kept and
// nothing fails.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

/// The folder; empty if there is none. It need not exist.
std::filesystem::path cache_folder();

/// A name for what is made from these parts: the source, the options, the device, its driver.
std::string kernel_cache_key(std::initializer_list<std::string_view> parts);
/// A number for a program, whatever it was compiled with besides.
std::uint64_t program_hash(const Image &image);
/// A name for what is learnt about runs of an image on devices (`names` says which, and what else matters): one for all numbers of PEs
/// between two powers of 2, and each way to load it.
std::string run_cache_key(std::string_view about, const Image &image, std::string_view names, const LoadConfig &config);
/// The bytes stored under `key`, if they are there and whole.
std::optional<std::vector<std::uint8_t>> kernel_cache_load(const std::string &key);
/// Keeps `bytes` under `key`, with the compiler's messages beside it. Other processes see all of it or nothing.
void kernel_cache_store(const std::string &key, std::span<const std::uint8_t> bytes, std::string_view log);

}  // namespace mog
