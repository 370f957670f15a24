// collator.hpp: the same line of many PEs as one line: "PEs 0-65534: text". The lines of each PE stay in their order.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime_host/output/ranks.hpp"

namespace mog {

/// How lines of PEs are put together.
struct Collation {
    std::uint32_t world = 1;  ///< PEs of all processes
    /// How long a line waits for other PEs to print it too, while some run on; negative: until somebody takes what there is.
    std::chrono::milliseconds patience{1000};
};

class Collator {
public:
    /// Of so many PEs, of which PE 0 is called `first_rank`.
    Collator(Collation collation, std::uint32_t nproc, std::uint32_t first_rank);

    /// What a PE printed, in the order in which it did: lines. The last one may go on with what the PE prints next to the same stream.
    void add(std::uint32_t rank, int stream, std::string_view bytes);
    /// How much memory is taken, about.
    std::size_t bytes() const;
    /// Lines have waited long enough.
    bool is_due() const { return !is_empty() && collation_.patience.count() >= 0 && Clock::now() - since_ > collation_.patience; }
    /// All lines as they are to be printed, each with its newline. After that there are none.
    void take(const std::function<void(int stream, std::string_view line)> &put);

private:
    using Clock = std::chrono::steady_clock;
    struct Entry {
        int stream;
        std::string_view text;
        std::uint64_t place;  ///< ascending along the list
        std::vector<RankRange> ranges;
    };
    using Entries = std::list<Entry>;
    /// Who printed one text to one stream: ascending by place, for PEs may print it again and again.
    using Same = std::vector<Entries::iterator>;
    struct Line {
        int stream;
        std::string text;
        bool is_whole;
    };

    /// In raw_.
    struct Write {
        std::uint32_t rank;
        int stream;
        std::size_t at, size;
    };

    bool is_empty() const { return entries_.empty() && writes_.empty(); }
    void fold_all();
    void fold(std::uint32_t rank, std::span<const Line> lines);
    Entries::iterator insert(const Line &line, Entries::iterator before);
    void join(Entries::iterator entry, std::uint32_t rank);
    std::uint64_t place_before(Entries::iterator next);

    Collation collation_;
    std::uint32_t first_rank_;
    Entries entries_;
    std::unordered_map<std::string, Same> texts_[2];  ///< by stream
    std::vector<std::uint64_t> reached_;              ///< by PE: the place of its last line, 0 if it has none
    std::vector<Write> writes_;                       ///< what is not folded yet
    std::string raw_;
    std::size_t bytes_ = 0;  ///< of what is
    Clock::time_point since_{};
};

}  // namespace mog
