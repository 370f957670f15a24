// background.hpp: work for other programs that goes on while this one does something else, and never outlives it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog {

/// A shell that does work in a folder of its own under $TMPDIR, in a group of processes of its own, with none of our open files. It has the
/// priority that we have: with the lowest one a compiler would make no headway where PEs keep all processors busy. When this object or this
/// process comes to its end, in whatever way, so do they at once, and the folder is gone.
class BackgroundWork {
public:
    /// `script` is run by sh -e, with the folder as its own, where what it makes is to be; it may have been given files there before.
    static Result<BackgroundWork> make();
    BackgroundWork(BackgroundWork &&other) noexcept;
    BackgroundWork &operator=(BackgroundWork &&) = delete;
    ~BackgroundWork();

    const std::filesystem::path &folder() const { return folder_; }
    Result<void> start(const std::string &script);
    /// The script's success, once it has ended.
    std::optional<bool> ended() const;

private:
    explicit BackgroundWork(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path folder_;
    pid_t child_ = 0;
    OwnedFd lifeline_;  ///< the shell's standard input, which ends when we do
};

}  // namespace mog
