// recording_file.hpp: what --record keeps: for each PE what came to it from outside, so that one of them can run again alone.
//
// The form (docs/debugging.md says it in short): eight bytes that name it, a version, then sections: what it is, whose, how long, a
// checksum, and its bytes, compressed. A PE's sections in their order are its entries, each of which is in one section:
//
//     Call     it has stopped in a system call: where, which, with which arguments
//     Fault    it has stopped by a fault: where, by which
//     Answer   the result of its call; Failed: an errno
//     Memory   bytes that were put into its memory
//     State    a word that was put into its state
//     Late     what follows came while it ran, and the PE has it at its next stop
//     Printed  of what its call wrote to a standard stream: which, how much, a hash; Text: the bytes, where they cannot be had from memory
//     End      how it ended
//
// PEs that see each other's memory at any time ran in turns, and what they did has one order: threads of a process have their entries
// together, under the number of the process, and so have, as those of PE 0, all PEs of a run with a window. There are
//
//     Member   whose the next entries are: the number of the thread, or of the PE
//     Turn     it ran for so many instructions
//
// A run that was killed leaves a file without the last section; what was written until then can be replayed.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog {

/// What is recorded, as a whole.
struct RecordingHead {
    std::string program;  ///< its file
    std::uint64_t program_hash = 0;
    std::vector<std::string> arguments;
    std::string device;  ///< that ran it
    bool pairs = false;  ///< doubles were pairs of floats
    std::uint32_t nproc = 1, threads = 1, data_words = 0, window_bytes = 0;
    std::uint32_t first_rank = 0, world = 1;  ///< of several processes of one world, each of which has its own file
    std::vector<std::uint32_t> startup;       ///< LoadConfig::startup

    static void carry(auto &self, auto &archive) {
        archive(self.program, self.program_hash, self.arguments, self.device, self.pairs, self.nproc, self.threads, self.data_words,
                self.window_bytes, self.first_rank, self.world, self.startup);
    }
    /// They see each other's memory at any time, and have run in turns: threads of a process, or all.
    bool has_turns() const { return threads > 1 || has_one_order(); }
    bool has_one_order() const { return window_bytes != 0; }
};

enum class RecordedKind : std::uint8_t { Call = 1, Fault, Answer, Failed, Memory, State, Late, Printed, Text, End, Member, Turn };

struct RecordedEntry {
    RecordedKind kind{};
    std::uint32_t place = 0;  ///< Call, Fault: TEXT index; Memory, State: address or row
    std::uint32_t value =
        0;  ///< Call: number; Fault: why; Answer, State: it; Printed, Text: stream; End: by what; Member: which; Turn: instructions
    std::uint32_t count = 0;  ///< Printed: bytes; End: status
    std::uint32_t info = 0;   ///< Call: operand of the instruction; End: signal
    std::uint64_t hash = 0;   ///< Printed
    std::uint32_t arguments = 0;
    std::array<std::uint32_t, 8> argument{};  ///< of a call, so many
    std::span<const std::uint8_t> bytes;      ///< Memory, Text: valid until the next section is read
};

/// Entries of one PE that are not in the file yet.
class RecordedEntries {
public:
    void call(std::uint32_t place, std::uint32_t number, std::uint32_t info, std::span<const std::uint32_t> arguments);
    void fault(std::uint32_t place, std::uint32_t why);
    void answer(std::uint32_t value, bool failed);
    void memory(std::uint32_t address, std::span<const std::uint8_t> bytes);
    void state(std::uint32_t row, std::uint32_t value);
    void late();
    void printed(int stream, std::uint32_t count, std::uint64_t hash);
    void text(int stream, std::span<const std::uint8_t> bytes);
    void end(std::uint32_t by, std::uint32_t status, std::uint32_t signal);
    void member(std::uint32_t which);
    void turn(std::uint32_t instructions);

    const std::vector<std::uint8_t> &bytes() const { return bytes_; }
    /// They have gone.
    void clear() { std::vector<std::uint8_t>().swap(bytes_); }

private:
    void number(std::uint64_t value);
    void begin(RecordedKind kind) { bytes_.push_back(static_cast<std::uint8_t>(kind)); }
    void put(std::span<const std::uint8_t> bytes);

    std::vector<std::uint8_t> bytes_;
};

class RecordingWriter {
public:
    /// Into an empty file.
    explicit RecordingWriter(OwnedFd file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

    Result<void> begin(const RecordingHead &head);
    Result<void> append(std::uint32_t pe, std::span<const std::uint8_t> entries);
    /// Nothing follows.
    Result<void> finish();

private:
    Result<void> put(std::uint32_t type, std::uint32_t rank, std::span<const std::uint8_t> bytes);

    OwnedFd file_;
    std::string name_;
    std::vector<std::uint8_t> room_;
};

/// A recording as somebody finds it.
class Recording {
public:
    /// Error: it is not there, it is none, or it is damaged.
    static Result<std::shared_ptr<Recording>> open(const std::filesystem::path &path);

    const RecordingHead &head() const { return head_; }
    /// The run has ended, and not been killed.
    bool is_whole() const { return is_whole_; }
    /// What follows is the entries of this PE, or of those that it shares memory with, from the first on; its number is that among the PEs
    /// of the file.
    void choose(std::uint32_t pe);
    /// Its rank in the world.
    std::uint32_t rank() const { return head_.first_rank + pe_; }
    std::uint32_t pe() const { return pe_; }
    /// The next one; null: there is no more. It stays the next one until it is taken. Error: it is damaged.
    Result<const RecordedEntry *> next();
    void take() { has_next_ = false; }

private:
    struct Section {
        std::uint32_t type = 0, rank = 0;
        std::uint64_t size = 0, stored = 0, checksum = 0, at = 0;
    };
    Error damaged(std::string_view what) const;
    Result<std::vector<std::uint8_t>> read(const Section &section) const;
    Result<void> parse();

    std::filesystem::path path_;
    OwnedFd file_;
    RecordingHead head_;
    bool is_whole_ = false;
    std::vector<Section> sections_;
    std::uint32_t pe_ = 0;
    std::size_t next_section_ = 0;  ///< to be looked at
    std::vector<std::uint8_t> section_;
    std::size_t at_ = 0;  ///< in it
    RecordedEntry entry_;
    bool has_next_ = false;
};

}  // namespace mog
