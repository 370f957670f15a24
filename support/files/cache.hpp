// cache.hpp: what was made once, kept across runs under a hash of everything it was made from. The folder is $MOG_CACHE_DIR, else
// $XDG_CACHE_HOME/mog, else ~/.cache/mog; where none can be written, nothing is kept and nothing fails.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mog {

/// The folder; empty if there is none. It need not exist.
std::filesystem::path cache_folder();

/// A name for what is made from these parts: the source, the options, the device, its driver.
std::string kernel_cache_key(std::initializer_list<std::string_view> parts);
/// The bytes stored under `key`, if they are there and whole.
std::optional<std::vector<std::uint8_t>> kernel_cache_load(const std::string &key);
/// Keeps `bytes` under `key`, with the compiler's messages beside it. Other processes see all of it or nothing.
void kernel_cache_store(const std::string &key, std::span<const std::uint8_t> bytes, std::string_view log);

}  // namespace mog
