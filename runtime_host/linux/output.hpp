// output.hpp: what many PEs print, put together so that no line is torn. Each PE has its own line; whole lines leave in
// rank order at the end of each round of system calls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/output/collator.hpp"
#include "support/deadline.hpp"

namespace mog {

/// Where output goes.
struct OutputConfig {
    bool one_target = false;  ///< standard output and error are the same file or terminal: keep their order there
    /// Writes bytes to standard output (1) or error (2). Returns 0, or the errno because of which nothing can be written
    /// there any more.
    std::function<int(int stream, std::string_view bytes)> sink;
    /// How long the sink may wait for a reader: the service loop sets it. None: the sink never waits.
    std::shared_ptr<Deadline> deadline{};
    /// If it is there, it gets what PEs write, each write as it comes; `sink` gets MOG's own lines only. Returns 0, or the errno
    /// with which this write fails.
    std::function<int(std::uint32_t rank, int stream, std::string_view bytes)> by_pe{};
    /// Told of what PEs have written, each write as it comes; none: nobody is.
    std::function<void(std::uint32_t rank, int stream, std::string_view bytes)> told{};
};

/// Output as a command has it: on the standard streams of this process. `say` is told if they cannot take it.
OutputConfig to_standard_streams(std::function<void(std::string_view)> say);

class Output {
public:
    /// A line stays whole up to so many bytes; a longer one goes out in pieces, which may have others' lines between them. With tags
    /// each piece ends its line, and the next one begins with a tag again.
    static constexpr std::size_t longest_line = 64 << 10;
    /// Lines that are not finished are kept up to so many bytes of all PEs together; then those that are written go out in pieces.
    static constexpr std::size_t most_unfinished = 256 << 20;

    /// Of so many PEs. `tag`: each line begins with "[RANK] ", in which PE 0 is called `first_rank`. `collation`: equal lines are put
    /// together instead (collator.hpp), if there is more than one PE.
    Output(OutputConfig config, std::uint32_t nproc, bool tag = false, std::uint32_t first_rank = 0,
           std::optional<Collation> collation = {});

    /// What PEs write is not for the process's own streams.
    bool is_captured() const { return config_.by_pe != nullptr; }

    /// `bytes` that PE `rank` writes to stream 1 or 2. Returns 0, or the errno that broke the stream. What a single PE
    /// writes goes to the sink at once, so that it learns of its own write's failure, as without MOG.
    int write(std::uint32_t rank, int stream, std::string_view bytes);
    /// A line of MOG's own, with its newline, to stream 1 or 2, in its place among what PEs print.
    void put_line(int stream, std::string_view line);
    /// The PE's unfinished lines go out as they are: it ended, or waits for its user to answer. Nothing while writes are held: then it does
    /// not wait yet, but is asked again when they have gone.
    void finish_lines(std::uint32_t rank);
    /// It has ended, and the same is done when the writes go that are held.
    void end_lines(std::uint32_t rank);
    /// From now on what PEs write is kept, for their calls come in any order; until it goes on its way in the order of ranks, each one's
    /// writes in theirs: when it is released, or a line is wanted, or there is much of it. A single PE's writes never are.
    void hold() { holds_ = nproc_ > 1; }
    void release();
    /// A write now would be held, though nothing that was written to this stream has gone out yet: it is better tried when it can go, so
    /// that a stream that takes nothing is noticed by the second write.
    bool is_untried(int stream) const { return holds_ && !has_taken_[static_cast<std::size_t>(stream - 1)]; }
    /// Everything that is ready goes to the sink. A single PE's unfinished line does too.
    void flush();
    /// The same at the end of a round, but that lines may still wait for others that are equal.
    void end_round();
    /// The errno that broke stream 1 or 2; 0 if it is whole.
    int error(int stream) const { return errors_[static_cast<std::size_t>(stream - 1)]; }

    /// After flush(): lines that are not finished, and streams that broke (support/archive.hpp).
    static void carry(auto &self, auto &archive) { archive(self.unfinished_, self.lines_, self.errors_); }
    /// False: what was read cannot be of these PEs.
    bool is_sound() const;

private:
    struct Lines {
        std::array<std::string, 2> unfinished;
        std::array<bool, 2> tagged{};  ///< the tag of the unfinished line is already out
        static void carry(auto &self, auto &archive) { archive(self.unfinished, self.tagged); }
    };

    /// A write that is kept, and where its bytes are in held_bytes_.
    struct Held {
        std::uint32_t rank;
        int stream;
        std::size_t at, size;
    };

    void write_held();
    void put_unfinished(std::uint32_t rank);
    int assemble(std::uint32_t rank, int stream, std::string_view bytes);
    int take(std::uint32_t rank, int stream, std::string_view bytes);
    void emit(std::uint32_t rank, int stream, std::string_view bytes);
    void put(int stream, std::string_view bytes);
    void put_collated();
    Collator &collator(int stream) { return collators_[std::min(collators_.size(), static_cast<std::size_t>(stream)) - 1]; }
    void send();
    std::string take_unfinished(Lines &lines, int stream);

    OutputConfig config_;
    std::uint32_t nproc_, first_rank_;
    std::vector<Collator> collators_;  ///< one if both streams go to the same place, one for each if not; none without --collate
    bool tag_;                         ///< lines say whose they are, so that each piece has to be a line
    std::size_t unfinished_ = 0;       ///< bytes, of all PEs
    std::vector<std::unique_ptr<Lines>> lines_;
    struct Piece {
        int stream;
        std::size_t size;
    };
    std::string ready_;
    std::vector<Piece> pieces_;    ///< how ready_ divides into streams
    std::array<int, 2> errors_{};  ///< errno by which each stream broke
    std::array<bool, 2> has_taken_{};
    bool holds_ = false;
    std::vector<Held> held_;
    std::string held_bytes_;
    std::vector<std::uint32_t> ended_;  ///< while writes are held
};

}  // namespace mog
