// file_journal.hpp: what PEs have done to files by name since the last checkpoint, kept beside it, so that a run which is resumed finds
// them as they were: files that were made go, what was appended is cut, what was removed, emptied or renamed is there again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "runtime_host/linux/files.hpp"
#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog {

/// As something was before it was changed.
struct FileBefore {
    enum class Kind : std::uint8_t { Absent, File, Folder, Link, Renamed } kind = Kind::Absent;
    std::uint32_t checkpoint = 0;  ///< the last one that had begun
    std::string path, other;       ///< as PEs name it; what it was renamed to, or where a link leads
    std::uint32_t mode = 0;
    std::int64_t length = 0;
    bool has_content = false;
    std::string content;

    static void carry(auto &self, auto &archive) {
        archive(self.kind, self.checkpoint, self.path, self.other, self.mode, self.length, self.has_content, self.content);
    }
};

class FileJournal final : public FileChanges {
public:
    /// What a file has is kept up to this size, when it is to be lost.
    static constexpr std::int64_t most_content = 16 << 20;

    /// A new one, of the checkpoint with this name.
    static Result<std::unique_ptr<FileJournal>> create(const std::filesystem::path &checkpoint, const HostPaths &paths);

    /// From now on changes are those after this checkpoint, whose state was taken.
    void begin(std::uint32_t checkpoint);
    /// The run has ended.
    void remove();

    // Of a journal that cannot be written nobody is told: the run goes on, as it does without checkpoints.
    void changing(const Place &place, bool follows, bool loses) override;
    void changing(int fd) override;
    void renaming(const Place &from, const Place &to) override;

    /// Makes undone what was done after this checkpoint and is in its journal, the last first.
    static Result<void> undo(const std::filesystem::path &checkpoint, std::uint32_t number, const HostPaths &paths);

private:
    explicit FileJournal(const HostPaths &paths) : paths_(paths) {}
    std::string name_of(int fd) const;
    std::string name_of(const Place &place) const;
    void note(FileBefore before);
    void note_file(int fd, std::string name, bool loses);

    const HostPaths &paths_;
    std::filesystem::path file_name_;
    OwnedFd file_;
    std::uint32_t checkpoint_ = 0;
    std::map<std::string, bool> noted_;  ///< since begin(); and whether all was noted that could be lost
};

}  // namespace mog
