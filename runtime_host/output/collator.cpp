// collator.cpp: the lines of PEs are sequences, of which one is made that has each of them in its order. A PE's lines that are there
// already, behind where the PE is, are joined; others are put before the next one that is, else at the end: so that what differs stands
// between what does not, by ranks.
#include "runtime_host/output/collator.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace mog {

namespace {

constexpr std::uint64_t gap = std::uint64_t{1} << 32;  // between places, for what comes between
constexpr std::size_t most_raw = 16 << 20;

}  // namespace

Collator::Collator(Collation collation, std::uint32_t nproc, std::uint32_t first_rank)
    : collation_(collation), first_rank_(first_rank), reached_(nproc) {}

void Collator::add(std::uint32_t rank, int stream, std::string_view bytes) {
    if (is_empty()) since_ = Clock::now();
    // Folded as late as there is memory for: the more is known of each PE, the better what they have in common is found.
    if (raw_.size() + bytes.size() > most_raw) fold_all();
    writes_.push_back({rank, stream, raw_.size(), bytes.size()});
    raw_ += bytes;
}

std::size_t Collator::bytes() const { return bytes_ + raw_.size() + writes_.size() * sizeof(Write); }

/// All that was written goes among what is folded, PE by PE.
void Collator::fold_all() {
    std::ranges::stable_sort(writes_, {}, &Write::rank);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < writes_.size(); i++) {
        const Write &write = writes_[i];
        std::string_view bytes = std::string_view(raw_).substr(write.at, write.size);
        while (!bytes.empty()) {
            const std::size_t end = bytes.find('\n');
            const bool is_whole = end != std::string_view::npos;
            const std::string_view text = bytes.substr(0, end);
            bytes.remove_prefix(is_whole ? end + 1 : bytes.size());
            if (!lines.empty() && !lines.back().is_whole && lines.back().stream == write.stream) {
                lines.back().text += text;
                lines.back().is_whole = is_whole;
            } else {
                lines.push_back({write.stream, std::string(text), is_whole});
            }
        }
        if (i + 1 == writes_.size() || writes_[i + 1].rank != write.rank) {
            fold(write.rank, lines);
            lines.clear();
        }
    }
    writes_.clear();
    raw_.clear();
}

/// The lines of one PE go among those of the others.
void Collator::fold(std::uint32_t rank, std::span<const Line> lines) {
    std::vector<std::optional<Entries::iterator>> found;
    std::uint64_t reached = reached_[rank];
    for (const Line &line : lines) {
        found.emplace_back();
        auto &texts = texts_[line.stream - 1];
        const auto same = texts.find(line.text);
        if (same == texts.end()) continue;
        const auto next = std::ranges::upper_bound(same->second, reached, {}, [](Entries::iterator entry) { return entry->place; });
        if (next == same->second.end()) continue;
        found.back() = *next;
        reached = (*next)->place;
    }
    Entries::iterator next = entries_.end();
    for (std::size_t i = lines.size(); i-- > 0;) {
        next = found[i] ? *found[i] : insert(lines[i], next);
        join(next, rank);
        if (i == lines.size() - 1) found.back() = next;
    }
    // Places may have changed while lines came between.
    if (!lines.empty()) reached_[rank] = (*found.back())->place;
}

Collator::Entries::iterator Collator::insert(const Line &line, Entries::iterator before) {
    const auto [same, is_new] = texts_[line.stream - 1].try_emplace(line.text);
    const std::uint64_t place = place_before(before);
    const auto entry = entries_.insert(before, {line.stream, same->first, place, {}});
    Same &others = same->second;
    others.insert(std::ranges::upper_bound(others, place, {}, [](Entries::iterator other) { return other->place; }), entry);
    bytes_ += sizeof(Entry) + (is_new ? line.text.size() + sizeof *same : 0);
    return entry;
}

/// A place for something new before another.
std::uint64_t Collator::place_before(Entries::iterator next) {
    const auto last = [&] { return next == entries_.begin() ? 0 : std::prev(next)->place; };
    if (next == entries_.end()) return last() + gap;
    if (next->place - last() < 2) {
        // No room: all get new places, and PEs are where they were.
        std::unordered_map<std::uint64_t, std::uint64_t> moved{{0, 0}};
        std::uint64_t place = 0;
        for (Entry &entry : entries_) {
            place += gap;
            moved[std::exchange(entry.place, place)] = place;
        }
        for (std::uint64_t &reached : reached_) reached = moved.at(reached);
    }
    return last() + (next->place - last()) / 2;
}

void Collator::join(Entries::iterator entry, std::uint32_t rank) {
    std::vector<RankRange> &ranges = entry->ranges;
    if (!ranges.empty() && ranges.back().last + 1 == rank) {
        ranges.back().last = rank;
    } else {
        ranges.push_back({rank, rank});
        bytes_ += sizeof(RankRange);
    }
}

void Collator::take(const std::function<void(int stream, std::string_view line)> &put) {
    fold_all();
    for (Entry &entry : entries_) {
        // PEs of different rounds come in any order.
        std::ranges::sort(entry.ranges, {}, &RankRange::first);
        std::vector<RankRange> ranges;
        for (const RankRange &range : entry.ranges) {
            if (!ranges.empty() && ranges.back().last + 1 == first_rank_ + range.first) ranges.back().last = first_rank_ + range.last;
            else ranges.push_back({first_rank_ + range.first, first_rank_ + range.last});
        }
        const bool is_one = ranges.size() == 1 && ranges.front().first == ranges.front().last;
        put(entry.stream, fmt::format("PE{} {}: {}\n", is_one ? "" : "s", fold_ranks(ranges), entry.text));
    }
    if (!entries_.empty()) std::ranges::fill(reached_, 0);
    entries_.clear();
    for (auto &texts : texts_) texts.clear();
    bytes_ = 0;
}

}  // namespace mog
