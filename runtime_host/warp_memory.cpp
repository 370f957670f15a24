// warp_memory.cpp: what was touched is copied out, cleared, and copied back in the other order.
#include "runtime_host/warp_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace mog {

namespace {

/// Words of a PE that are moved, or left, together: of 16 PEs, a page.
constexpr std::size_t piece_words = 64;
/// More than this is copied by one thread at a time, for the copies take room.
constexpr std::size_t much = 16u << 20;

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

bool all_zero(const std::uint32_t *words, std::size_t count) {
    return std::all_of(words, words + count, [](std::uint32_t word) { return word == 0; });
}

class Layer {
public:
    Layer(std::uint32_t *region, std::size_t words, std::size_t lanes, WarpLayout to)
        : region_(region), words_(words), lanes_(lanes), to_(to),
          head_(reinterpret_cast<std::uintptr_t>(region) % page_bytes()) {}

    void run(const PageMap &pages) {
        touched_ = pages.touched(region_, 4 * words_ * lanes_);
        find_pieces();
        std::unique_lock<std::mutex> alone(one_at_a_time_, std::defer_lock);
        if (4 * pieces_.size() * piece_words * lanes_ > much) alone.lock();
        written_.assign(touched_.size(), false);
        copies_.resize(pieces_.size() * piece_words * lanes_);
        for (std::size_t i = 0; i < pieces_.size(); i++) copy_out(pieces_[i], copy(i));
        clear();
        for (std::size_t i = 0; i < pieces_.size(); i++)
            for_each_run(pieces_[i], copy(i), [&](std::size_t at, const std::uint32_t *from, std::size_t count) {
                std::memcpy(region_ + at, from, 4 * count);
            });
    }

private:
    std::uint32_t *copy(std::size_t i) { return copies_.data() + i * piece_words * lanes_; }
    std::size_t length(std::size_t piece) const { return std::min(piece_words, words_ - piece * piece_words); }
    std::size_t page_of(std::size_t word) const { return (head_ + 4 * word) / page_bytes(); }
    /// The words of the region on a page.
    std::size_t first_word(std::size_t page) const { return page == 0 ? 0 : (page * page_bytes() - head_) / 4; }
    std::size_t end_word(std::size_t page) const { return std::min(words_ * lanes_, ((page + 1) * page_bytes() - head_) / 4); }

    void find_pieces() {
        std::vector<bool> used((words_ + piece_words - 1) / piece_words);
        for (std::size_t page = 0; page < touched_.size(); page++) {
            if (!touched_[page]) continue;
            const std::size_t end = end_word(page);
            for (std::size_t at = first_word(page); at < end;) {
                if (to_ == WarpLayout::one_after_other) {
                    used[at / lanes_ / piece_words] = true;
                    at = (at / lanes_ / piece_words + 1) * piece_words * lanes_;
                } else {
                    const std::size_t word = at % words_;
                    used[word / piece_words] = true;
                    at += length(word / piece_words) - word % piece_words;
                }
            }
        }
        for (std::size_t piece = 0; piece < used.size(); piece++)
            if (used[piece]) pieces_.push_back(piece);
    }

    /// A piece in the order it is to have, and the pages that it will be on.
    void copy_out(std::size_t piece, std::uint32_t *to) {
        const std::size_t begin = piece * piece_words, count = length(piece);
        for (std::size_t lane = 0; lane < lanes_; lane++) {
            if (to_ == WarpLayout::one_after_other) {
                for (std::size_t i = 0; i < count; i++) to[lane * piece_words + i] = region_[(begin + i) * lanes_ + lane];
                continue;
            }
            // What was never touched is not read either: that would count as a touch.
            const std::size_t at = lane * words_ + begin;
            if (!touched_[page_of(at)] && !touched_[page_of(at + count - 1)]) continue;
            for (std::size_t i = 0; i < count; i++) to[i * lanes_ + lane] = region_[at + i];
        }
        for_each_run(piece, to, [&](std::size_t at, const std::uint32_t *, std::size_t run) {
            for (std::size_t page = page_of(at); page <= page_of(at + run - 1); page++) written_[page] = true;
        });
    }

    /// Calls f(index in the region, words, how many) for what of the copy is not zero.
    template <typename F>
    void for_each_run(std::size_t piece, const std::uint32_t *copy, F f) const {
        const std::size_t begin = piece * piece_words, count = length(piece);
        if (to_ == WarpLayout::side_by_side) {
            if (!all_zero(copy, count * lanes_)) f(begin * lanes_, copy, count * lanes_);
            return;
        }
        for (std::size_t lane = 0; lane < lanes_; lane++)
            if (!all_zero(copy + lane * piece_words, count)) f(lane * words_ + begin, copy + lane * piece_words, count);
    }

    void clear() {
        for (std::size_t page = 0; page < touched_.size(); page++) {
            if (!touched_[page]) continue;
            const std::size_t first = first_word(page), end = end_word(page);
            const bool whole = 4 * (end - first) == page_bytes();
            if (!whole || written_[page]) std::memset(region_ + first, 0, 4 * (end - first));
            else madvise(region_ + first, page_bytes(), MADV_DONTNEED);
        }
    }

    static inline std::mutex one_at_a_time_;

    std::uint32_t *region_;
    std::size_t words_, lanes_;
    WarpLayout to_;
    std::size_t head_;  ///< bytes on the first page before the region
    std::vector<bool> touched_, written_;  ///< by page
    std::vector<std::size_t> pieces_;      ///< that are not empty
    std::vector<std::uint32_t> copies_;
};

}  // namespace

PageMap::PageMap() : file_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

PageMap::~PageMap() {
    if (file_ >= 0) close(file_);
}

std::vector<bool> PageMap::touched(const void *begin, std::size_t bytes) const {
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin) / page_bytes(),
                         last = (reinterpret_cast<std::uintptr_t>(begin) + bytes - 1) / page_bytes();
    std::vector<bool> touched(last - first + 1, true);
    std::uint64_t entries[8192];
    for (std::size_t page = 0; file_ >= 0 && page < touched.size();) {
        const std::size_t wanted = std::min(touched.size() - page, std::size(entries));
        const ssize_t got = pread(file_, entries, 8 * wanted, static_cast<off_t>(8 * (first + page)));
        if (got < 8) break;
        // In memory, or swapped out.
        for (std::size_t i = 0; i < static_cast<std::size_t>(got) / 8; i++) touched[page++] = entries[i] >> 62 != 0;
    }
    return touched;
}

double laying_seconds(const std::uint32_t *region, std::uint32_t words, std::uint32_t lanes, const PageMap &pages) {
    constexpr double seconds_per_byte = 1.5e-9;  // measured, with the page faults
    const std::vector<bool> touched = pages.touched(region, std::size_t{4} * words * lanes);
    return seconds_per_byte * static_cast<double>(page_bytes()) * static_cast<double>(std::count(touched.begin(), touched.end(), true));
}

void lay_warp(std::uint32_t *region, std::uint32_t words, std::uint32_t lanes, WarpLayout to, const PageMap &pages) {
    Layer(region, words, lanes, to).run(pages);
}

}  // namespace mog
