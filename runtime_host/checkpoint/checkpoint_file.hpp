// checkpoint_file.hpp: the file that checkpoints are in: a header, then records. A checkpoint is some records at the end of the others, and
// is there once the header says so; the last one is what counts. Its memory is in the records of all checkpoints from the first on, for
// each has only what changed. docs/checkpoints.md says the form in full.
//
// Whoever uses a file holds a lock on it (flock), and so does a process that it has forked to write.
#pragma once

#include <sys/uio.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog {

/// What a record has; in each checkpoint one of Settings, State and End.
enum class RecordType : std::uint32_t { Settings = 1, State, Registers, Memory, End };

/// What stands before the bytes of a record.
struct RecordHead {
    RecordType type{};
    std::uint32_t checkpoint = 0;               ///< its number, from 1
    std::uint64_t size = 0, stored = 0;         ///< bytes, and how many they are compressed
    std::uint64_t checksum = 0, head_hash = 0;  ///< of the bytes as they are stored; of what stands before it
};

/// Bytes that were printed since the run's start, by stream (1 and 2): kept in the file while the run goes on, so that whoever resumes a
/// run that was killed can tell how much of it comes again.
struct Printed {
    std::array<std::uint64_t, 2> bytes{};
    static void carry(auto &self, auto &archive) { archive(self.bytes); }
};

/// Of a world of several processes each writes a file of its own. A checkpoint counts once all of them have it.
struct PartOfWorld {
    std::uint64_t life = 0;  ///< a number of the run, since it began or was gone on with, which all parts have and no other run
    std::uint32_t process = 0, processes = 1;
};
/// Where a process's part is of the checkpoint with this name.
std::filesystem::path place_of_part(const std::filesystem::path &checkpoint, std::uint32_t process);

class CheckpointFile {
public:
    /// A new one beside `place`, without its name. Error: the folder is not there, or may not be written.
    static Result<std::unique_ptr<CheckpointFile>> create(const std::filesystem::path &place, const PartOfWorld &part = {});
    ~CheckpointFile();
    CheckpointFile(const CheckpointFile &) = delete;
    CheckpointFile &operator=(const CheckpointFile &) = delete;

    // ---- a checkpoint: begin(), records, commit()

    void begin(std::uint32_t checkpoint);
    /// Compresses the bytes and writes them. Several threads may.
    Result<void> append(RecordType type, std::span<const std::uint8_t> bytes);
    /// All records are on the disk, and then the header says that they are there.
    Result<void> commit();
    /// It takes its name, in place of another file. Once for each; not before commit().
    Result<void> take_name();
    /// Whether it stays even without its name: others may count on it.
    void keep(bool is_kept) { is_kept_ = is_kept; }

    /// What a forked process has done to the file is seen here; `has_name`: it has given the name, too. False: it has not committed this
    /// checkpoint.
    bool look(std::uint32_t checkpoint, bool has_name);
    std::uint64_t committed_bytes() const { return committed_; }
    std::uint64_t appended_bytes() const { return end_ - committed_; }
    Printed &printed();
    int fd() const { return file_.get(); }
    int folder() const { return folder_.get(); }
    bool has_name() const { return has_name_; }
    /// It is what has the name now, whoever gave it.
    bool is_in_place() const;

private:
    CheckpointFile() = default;
    Result<void> failed(const char *what) const;

    std::filesystem::path place_;
    std::string temporary_;
    OwnedFd file_, folder_;
    void *header_ = nullptr;  ///< mapped
    bool has_name_ = false, is_kept_ = false;
    std::uint32_t checkpoint_ = 0;
    std::uint64_t committed_ = 0;
    std::atomic<std::uint64_t> end_ = 0;
};

/// A file as somebody finds it.
class CheckpointReader {
public:
    /// The last checkpoint of one process. Error: it is not there, it is none, it is damaged, or another run uses it.
    static Result<std::unique_ptr<CheckpointReader>> open(const std::filesystem::path &place);

    // Of a world of several processes:

    /// Whether the part with this name is meant, or the one that would have got it next.
    enum class Which { Named, New };
    /// To find out what there is. Null: it is not there, or no checkpoint in it is whole. Error: as open().
    static Result<std::unique_ptr<CheckpointReader>> look(const std::filesystem::path &place, Which which);
    const PartOfWorld &part() const { return part_; }
    /// Checkpoints that this file has, as far as its header says.
    std::vector<std::uint32_t> whole() const;
    /// That one is meant. Error: it is damaged.
    Result<void> choose(std::uint32_t checkpoint);
    /// It gets its name, if it has it not: all parts are there.
    Result<void> take_name();

    struct Record {
        RecordHead head;
        std::uint64_t at = 0;  ///< of its bytes in the file
    };
    /// All of them, in order; those before the last checkpoint, too.
    const std::vector<Record> &records() const { return records_; }
    std::uint32_t last_checkpoint() const { return last_; }
    /// The record of the last checkpoint of this type; null: there is none.
    const Record *last(RecordType type) const;
    Result<std::vector<std::uint8_t>> bytes(const Record &record) const;
    /// Its bytes are what was written.
    Result<void> verify(const Record &record) const;
    const Printed &printed() const { return printed_; }
    const std::filesystem::path &place() const { return place_; }
    int fd() const { return file_.get(); }

private:
    CheckpointReader() = default;
    Error damaged(std::string_view what) const;
    std::filesystem::path file_name() const;
    Result<bool> lock();
    Result<std::vector<std::uint8_t>> stored(const Record &record) const;
    Result<void> read_header();
    Result<void> read_heads();

    std::filesystem::path place_;
    Which which_ = Which::Named;
    OwnedFd file_;
    struct Whole {
        std::uint32_t checkpoint;
        std::uint64_t bytes;
    };
    std::vector<Whole> whole_;
    PartOfWorld part_;
    std::uint64_t committed_ = 0;
    std::uint32_t last_ = 0;
    Printed printed_;
    std::vector<Record> records_;
};

}  // namespace mog
