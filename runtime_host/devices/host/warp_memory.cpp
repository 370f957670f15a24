// warp_memory.cpp: what was touched is copied out, cleared, and copied back in the other order.
#include "runtime_host/devices/host/warp_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "runtime_host/device/host_memory.hpp"

namespace mog {

namespace {

/// Words of a PE that are moved, or left, together: of 16 PEs, a page.
constexpr std::size_t piece_words = 64;
/// More than this is copied by one thread at a time, for the copies take room.
constexpr std::size_t much = 16u << 20;

/// to[column * to_stride + row] = from[row * from_stride + column], for multiples of four rows and columns.
void transpose(const std::uint32_t *from, std::size_t from_stride, std::uint32_t *to, std::size_t to_stride, std::size_t rows,
               std::size_t columns) {
    typedef std::uint32_t Four __attribute__((vector_size(16)));
    for (std::size_t row = 0; row < rows; row += 4)
        for (std::size_t column = 0; column < columns; column += 4) {
            Four in[4];
            for (std::size_t i = 0; i < 4; i++) std::memcpy(&in[i], from + (row + i) * from_stride + column, sizeof in[i]);
            const Four low01 = __builtin_shuffle(in[0], in[1], Four{0, 4, 1, 5}),
                       high01 = __builtin_shuffle(in[0], in[1], Four{2, 6, 3, 7});
            const Four low23 = __builtin_shuffle(in[2], in[3], Four{0, 4, 1, 5}),
                       high23 = __builtin_shuffle(in[2], in[3], Four{2, 6, 3, 7});
            const Four out[4] = {__builtin_shuffle(low01, low23, Four{0, 1, 4, 5}), __builtin_shuffle(low01, low23, Four{2, 3, 6, 7}),
                                 __builtin_shuffle(high01, high23, Four{0, 1, 4, 5}), __builtin_shuffle(high01, high23, Four{2, 3, 6, 7})};
            for (std::size_t i = 0; i < 4; i++) std::memcpy(to + (column + i) * to_stride + row, &out[i], sizeof out[i]);
        }
}

bool all_zero(const std::uint32_t *words, std::size_t count) {
    return std::all_of(words, words + count, [](std::uint32_t word) { return word == 0; });
}

/// A byte for each thing, 1: marked. There are many, and few are marked, in runs.
class Marks {
public:
    void clear(std::size_t count) { marks_.assign(count, 0); }
    void set(std::size_t begin, std::size_t end) { std::memset(marks_.data() + begin, 1, end - begin); }
    bool operator[](std::size_t i) const { return marks_[i] != 0; }

    /// Calls f(begin, end) for each run.
    template <typename F>
    void for_each_run(F f) const {
        const unsigned char *const all = marks_.data(), *const end = all + marks_.size();
        for (const unsigned char *at = all; at < end;) {
            const auto *begin = static_cast<const unsigned char *>(std::memchr(at, 1, end - at));
            if (!begin) return;
            const auto *behind = static_cast<const unsigned char *>(std::memchr(begin, 0, end - begin));
            at = behind ? behind : end;
            f(static_cast<std::size_t>(begin - all), static_cast<std::size_t>(at - all));
        }
    }

private:
    std::vector<unsigned char> marks_;
};

class Layer {
public:
    Layer(std::uint32_t *region, std::size_t words, std::size_t lanes, WarpLayout to, std::size_t kept_once)
        : region_(region),
          words_(words),
          lanes_(lanes),
          to_(to),
          kept_once_(kept_once),
          head_(reinterpret_cast<std::uintptr_t>(region) % page_bytes()) {}

    void run(const PageMap &pages) {
        touched_ = pages.touched(region_, 4 * words_ * lanes_);
        // Pages of what is kept once hold something though nobody has touched them here.
        if (kept_once_ != 0)
            for (std::size_t lane = 0; lane < lanes_; lane++)
                touched_.push_back({page_of(lane * words_), page_of(lane * words_ + kept_once_)});
        find_pieces();
        std::unique_lock<std::mutex> alone(one_at_a_time_, std::defer_lock);
        if (4 * pieces_.size() * piece_words * lanes_ > much) alone.lock();
        const std::size_t pages_in_all = page_of(words_ * lanes_ - 1) + 1;
        was_touched_.clear(pages_in_all);
        for (const PageRun &run : touched_) was_touched_.set(run.begin, run.end);
        written_.clear(pages_in_all);
        copies_.resize(pieces_.size() * piece_words * lanes_);
        for (std::size_t i = 0; i < pieces_.size(); i++) {
            copy_out(pieces_[i], copy(i));
            find_copies(pieces_[i], copy(i));
        }
        for (const Copy &copy : to_write_) written_.set(page_of(copy.at), page_of(copy.at + copy.count - 1) + 1);
        // Pages of the region's own in place of all it has. Where the system has no room for that, they become its own by being written.
        if (kept_once_ == 0)
            for (const PageRun &run : touched_) clear(run);
        else if (!map_zeroed_pages(region_, 4 * words_ * lanes_))
            for (const PageRun &run : touched_)
                std::memset(region_ + first_word(run.begin), 0, 4 * (end_word(run.end - 1) - first_word(run.begin)));
        populate();
        for (const Copy &copy : to_write_) std::memcpy(region_ + copy.at, copy.from, 4 * copy.count);
    }

private:
    /// Words of a piece that are not all zero, and where in the region they will be.
    struct Copy {
        std::size_t at;
        const std::uint32_t *from;
        std::size_t count;
    };

    std::uint32_t *copy(std::size_t i) { return copies_.data() + i * piece_words * lanes_; }
    std::size_t length(std::size_t piece) const { return std::min(piece_words, words_ - piece * piece_words); }
    std::size_t page_of(std::size_t word) const { return (head_ + 4 * word) / page_bytes(); }
    /// The words of the region on a page.
    std::size_t first_word(std::size_t page) const { return page == 0 ? 0 : (page * page_bytes() - head_) / 4; }
    std::size_t end_word(std::size_t page) const { return std::min(words_ * lanes_, ((page + 1) * page_bytes() - head_) / 4); }

    void find_pieces() {
        Marks used;
        used.clear((words_ + piece_words - 1) / piece_words);
        // Words of a PE.
        const auto use = [&](std::size_t begin, std::size_t end) { used.set(begin / piece_words, (end - 1) / piece_words + 1); };
        for (const PageRun &run : touched_) {
            const std::size_t begin = first_word(run.begin), end = end_word(run.end - 1);
            if (to_ == WarpLayout::one_after_other) {
                use(begin / lanes_, (end - 1) / lanes_ + 1);
                continue;
            }
            for (std::size_t lane = begin / words_; lane <= (end - 1) / words_; lane++)
                use(std::max(begin, lane * words_) - lane * words_, std::min(end, (lane + 1) * words_) - lane * words_);
        }
        used.for_each_run([&](std::size_t begin, std::size_t end) {
            for (std::size_t piece = begin; piece < end; piece++) pieces_.push_back(piece);
        });
    }

    /// A piece in the order it is to have.
    void copy_out(std::size_t piece, std::uint32_t *to) {
        const std::size_t begin = piece * piece_words, count = length(piece);
        const bool by_fours = count % 4 == 0 && lanes_ % 4 == 0;
        if (to_ == WarpLayout::one_after_other) {
            const std::uint32_t *from = region_ + begin * lanes_;
            if (by_fours) return transpose(from, lanes_, to, piece_words, count, lanes_);
            for (std::size_t lane = 0; lane < lanes_; lane++)
                for (std::size_t i = 0; i < count; i++) to[lane * piece_words + i] = from[i * lanes_ + lane];
            return;
        }
        // What was never touched is not read either: that would count as a touch.
        const auto touched = [&](std::size_t lane) {
            const std::size_t at = lane * words_ + begin;
            return was_touched_[page_of(at)] || was_touched_[page_of(at + count - 1)];
        };
        for (std::size_t lane = 0; lane < lanes_;) {
            std::size_t many = 0;
            while (by_fours && many < 4 && lane + many < lanes_ && touched(lane + many)) many++;
            if (many == 4) transpose(region_ + lane * words_ + begin, words_, to + lane, lanes_, 4, count);
            else if (touched(lane))
                for (std::size_t i = 0; i < count; i++) to[i * lanes_ + lane] = region_[lane * words_ + begin + i];
            lane += many == 4 ? 4 : 1;
        }
    }

    /// What of a copied piece is to be written.
    void find_copies(std::size_t piece, const std::uint32_t *copy) {
        const std::size_t begin = piece * piece_words, count = length(piece);
        if (to_ == WarpLayout::side_by_side) {
            if (!all_zero(copy, count * lanes_)) to_write_.push_back({begin * lanes_, copy, count * lanes_});
            return;
        }
        for (std::size_t lane = 0; lane < lanes_; lane++)
            if (!all_zero(copy + lane * piece_words, count)) to_write_.push_back({lane * words_ + begin, copy + lane * piece_words, count});
    }

    /// Pages that get nothing are given back, neighbours together: each time the other processors are told.
    void clear(const PageRun &run) {
        std::size_t kept = run.begin;  // none before it is to be given back
        const auto give_back = [&](std::size_t end) {
            if (kept < end) madvise(region_ + first_word(kept), (end - kept) * page_bytes(), MADV_DONTNEED);
        };
        for (std::size_t page = run.begin; page < run.end; page++) {
            const std::size_t first = first_word(page), end = end_word(page);
            if (4 * (end - first) == page_bytes() && !written_[page]) continue;
            give_back(page);
            kept = page + 1;
            std::memset(region_ + first, 0, 4 * (end - first));
        }
        give_back(run.end);
    }

    /// Takes the pages that are new all at once, which is faster than a fault for each. A system that cannot has the faults.
    void populate() {
#ifdef MADV_POPULATE_WRITE
        char *const base = reinterpret_cast<char *>(region_) - head_;
        written_.for_each_run([&](std::size_t begin, std::size_t end) {
            if (end - begin > 1) madvise(base + begin * page_bytes(), (end - begin) * page_bytes(), MADV_POPULATE_WRITE);
        });
#endif
    }

    static inline std::mutex one_at_a_time_;

    std::uint32_t *region_;
    std::size_t words_, lanes_;
    WarpLayout to_;
    std::size_t kept_once_;
    std::size_t head_;  ///< bytes on the first page before the region
    std::vector<PageRun> touched_;
    Marks was_touched_, written_;      ///< by page
    std::vector<std::size_t> pieces_;  ///< that are not empty, ascending
    std::vector<std::uint32_t> copies_;
    std::vector<Copy> to_write_;
};

}  // namespace

double relayout_seconds(const std::uint32_t *region, std::uint32_t words, std::uint32_t lanes, const PageMap &pages) {
    constexpr double seconds_per_byte = 1e-9;  // measured, with the page faults
    std::size_t touched = 0;
    for (const PageRun &run : pages.touched(region, std::size_t{4} * words * lanes)) touched += run.end - run.begin;
    return seconds_per_byte * static_cast<double>(page_bytes() * touched);
}

void lay_warp(std::uint32_t *region, std::uint32_t words, std::uint32_t lanes, WarpLayout to, const PageMap &pages, std::size_t kept_once) {
    Layer(region, words, lanes, to, kept_once).run(pages);
}

}  // namespace mog
