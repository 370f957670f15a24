// staged_file.hpp: files that other programs write for us, whole or not at all, as write_file() writes our own.
#pragma once

#include <filesystem>
#include <optional>

#include "support/result.hpp"

namespace mog {

/// For programs that write files themselves: a new name beside `path`, removed at the end of the process unless it is renamed, or
/// nothing if `path` is no file and has to be written as it is. `follows_links`: a link stays, and what it leads to is replaced.
struct Staged {
    std::filesystem::path temporary, place;
};
std::optional<Staged> stage_file(const std::filesystem::path &path, bool follows_links);
/// Makes the finished temporary the file.
Result<void> finish_staged(const Staged &file);

}  // namespace mog
