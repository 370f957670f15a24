// result_file.hpp: files that a run writes for its user: profiles, pictures, traces, cores. Programs nobody trusts may be at work in
// the same folder, and put links and pipes under any name there. So the folder is opened before PEs start, and names in it are never
// followed or waited for: what is written is new, and takes the name at the end.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog {

/// An open folder in which files are made.
class ResultFolder {
public:
    /// Empty: the current one. Error, an errno: ENOTDIR and the like.
    static Result<std::shared_ptr<const ResultFolder>> open(const std::filesystem::path &path);
    explicit ResultFolder(OwnedFd folder) : folder_(std::move(folder)) {}

    /// A new file without a name that could be known, and its name; 0600 or the like as `mode` says. -1 and errno if there is none.
    OwnedFd create(mode_t mode, std::string *temporary) const;
    /// It gets its name, in place of what has it. False and errno: it does not, and is gone.
    bool name(const std::string &temporary, const std::string &name) const;
    void remove(const std::string &temporary) const;
    int fd() const { return folder_.get(); }

private:
    OwnedFd folder_;
};

class ResultFile {
public:
    /// Before PEs start. "-" and /dev/stdout are standard output; other devices in /dev are written as they are. Error: a pipe, a
    /// socket or a device has the name, or its folder is not there.
    static Result<ResultFile> open(const std::filesystem::path &path);

    /// Writes all of it: a file is replaced whole or not at all.
    Result<void> write(std::string_view bytes) const;
    /// The file, empty and with its name, to be written from now on; before PEs start too.
    Result<OwnedFd> begin() const;

private:
    std::filesystem::path path_;
    std::shared_ptr<const ResultFolder> folder_;
    std::string name_;
    std::shared_ptr<OwnedFd> device_;
};

}  // namespace mog
