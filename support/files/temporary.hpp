// temporary.hpp: files that must not outlive us, however we leave: by return, by exit, or by a signal.
#pragma once

#include <filesystem>
#include <string_view>

#include "support/result.hpp"

namespace mog {

/// From here on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove what is registered below before they end the process.
void remove_temporaries_on_signals();

/// Removes all that is registered now, for a process that ends without exit().
void remove_temporaries();

/// Removes `path` when the process ends, unless it is kept.
void remove_at_exit(const std::filesystem::path &path);
void keep(const std::filesystem::path &path);

/// A path in this process's own folder under $TMPDIR, which is made at the first call; the same for the same name. Removed with
/// the folder at exit.
Result<std::filesystem::path> temporary_file(std::string_view name);

}  // namespace mog
