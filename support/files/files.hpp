// files.hpp: whole files in and out, with errors that name the file and say what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// The bytes of a file; "-" is standard input.
Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path &path);
/// The same for a file that others may have put there: a pipe is not waited for, a device not read. Error: it is no regular file.
Result<std::vector<std::uint8_t>> read_regular_file(const std::filesystem::path &path);
/// The same as text.
Result<std::string> read_text_file(const std::filesystem::path &path);

/// Writes a file, replacing it whole or not at all: until the end it is a temporary beside it, which signals remove
/// (temporary.hpp). "-" is standard output; devices, pipes and /dev/fd/N are written as they are. `permissions` are those of a new
/// file before the umask.
Result<void> write_file(const std::filesystem::path &path, std::span<const std::uint8_t> bytes, unsigned permissions = 0666);
Result<void> write_text_file(const std::filesystem::path &path, std::string_view text);

/// Writes all bytes to a descriptor that blocks; false with errno set if that fails.
bool write_all(int fd, std::span<const std::uint8_t> bytes);

/// The descriptor that a path such as /dev/stdout or /dev/fd/5 stands for, or -1. (What such a path leads to may well be a file, but it is
/// written to, not replaced.)
int descriptor_named(const std::filesystem::path &path);

/// True if two descriptors are of one file.
bool same_file(int a, int b);

/// A view of text as bytes.
inline std::span<const std::uint8_t> as_byte_span(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

}  // namespace mog
