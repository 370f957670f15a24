// history.cpp
#include "runtime_host/gdb/history.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace mog::gdb {

namespace {

/// Instructions between two snapshots: so many that looking at all of memory takes little beside them.
constexpr std::uint64_t least_interval = 1u << 20;
constexpr std::uint32_t bytes_for_instruction = 4;

constexpr std::array<std::uint8_t, 4096> zeros{};

}  // namespace

History::History(Device &device, u32 pes, u32 data_bytes, u32 rows, u64 limit)
    : device_(device),
      data_bytes_(data_bytes),
      rows_(rows),
      limit_(limit),
      interval_(std::max<u64>(least_interval, data_bytes / bytes_for_instruction)),
      lines_(pes) {}

bool History::begin(u32 pe) {
    lines_[pe] = std::make_unique<Line>();
    lines_[pe]->pages.resize((data_bytes_ + page_bytes - 1) / page_bytes);
    snapshot(pe);
    if (bytes_ <= limit_) return true;
    bytes_ -= lines_[pe]->bytes;
    lines_[pe].reset();
    return false;
}

void History::end() {
    for (std::unique_ptr<Line> &line : lines_) line.reset();
    bytes_ = 0;
    past_ = 0;
}

// ---- devices ------------------------------------------------------------------------------------------------------------------

std::vector<History::u32> History::state(u32 pe) {
    std::vector<u32> words(rows_);
    std::vector<Transfer> transfers(rows_);
    for (u32 row = 0; row < rows_; ++row) transfers[row] = {pe, row, sizeof(u32), u32{sizeof(u32)} * row, true};
    (void)device_.gather(transfers, {reinterpret_cast<std::uint8_t *>(words.data()), sizeof(u32) * words.size()});
    return words;
}

void History::set_state(u32 pe, std::span<const u32> state) {
    std::vector<Transfer> transfers(rows_);
    for (u32 row = 0; row < rows_; ++row) transfers[row] = {pe, row, sizeof(u32), u32{sizeof(u32)} * row, true};
    (void)device_.scatter(transfers, {reinterpret_cast<const std::uint8_t *>(state.data()), state.size_bytes()});
}

History::u64 History::count(u32 pe) {
    static_assert(MOG_S_COUNT_HI == MOG_S_COUNT_LO + 1);
    std::array<u32, 2> words{};
    const std::array transfers = {Transfer{pe, MOG_S_COUNT_LO, 4, 0, true}, Transfer{pe, MOG_S_COUNT_HI, 4, 4, true}};
    (void)device_.gather(transfers, {reinterpret_cast<std::uint8_t *>(words.data()), sizeof words});
    return words[0] | u64{words[1]} << 32;
}

template <typename Use>
void History::for_pages(u32 pe, Use use) {
    constexpr u32 at_once = 64 * page_bytes;
    std::vector<std::uint8_t> room(at_once);
    for (u32 at = 0; at < data_bytes_; at += at_once) {
        const u32 bytes = std::min(at_once, data_bytes_ - at);
        const Transfer transfer{pe, MOG_DATA_BASE + at, bytes, 0, false};
        if (!device_.gather({&transfer, 1}, room)) return;
        for (u32 in = 0; in < bytes; in += page_bytes)
            use((at + in) / page_bytes, std::span<const std::uint8_t>(room).subspan(in, std::min(page_bytes, bytes - in)));
    }
}

// ---- the present --------------------------------------------------------------------------------------------------------------

void History::account(Line &line, std::int64_t bytes) {
    line.bytes += static_cast<u64>(bytes);
    bytes_ += static_cast<u64>(bytes);
}

void History::snapshot(u32 pe) {
    Line &line = *lines_[pe];
    Snapshot *const last = line.snapshots.empty() ? nullptr : &line.snapshots.back();
    std::uint64_t more = 0;
    for_pages(pe, [&](u32 page, std::span<const std::uint8_t> now) {
        Content &kept = line.pages[page];
        if (std::memcmp(kept ? kept->data() : zeros.data(), now.data(), now.size()) == 0) return;
        if (last) last->pages.emplace_back(page, std::move(kept));
        kept = std::make_unique<Page>();
        more += page_bytes + (last ? sizeof last->pages.back() : 0);
        std::memcpy(kept->data(), now.data(), now.size());
    });
    line.snapshots.push_back({count(pe), line.dropped + line.events.size(), state(pe), {}});
    account(line, static_cast<std::int64_t>(more + sizeof(Snapshot) + sizeof(u32) * rows_));
}

void History::look(u32 pe) {
    if (!has(pe)) return;
    if (count(pe) - lines_[pe]->snapshots.back().at >= interval_) snapshot(pe);
    while (bytes_ > limit_) {
        const u64 before = bytes_;
        drop_oldest();
        if (bytes_ == before) break;
    }
}

/// Of the PE that has most.
void History::drop_oldest() {
    Line *largest = nullptr;
    for (const std::unique_ptr<Line> &line : lines_)
        if (line && !line->is_past && (!largest || line->bytes > largest->bytes)) largest = &*line;
    if (!largest) return;
    Line &line = *largest;
    // Nothing but the last snapshot: then what came since is too much, and a new one begins the history.
    if (line.snapshots.size() == 1) {
        if (line.events.empty()) return;
        const auto pe =
            static_cast<u32>(std::ranges::find_if(lines_, [&](const auto &other) { return &*other == largest; }) - lines_.begin());
        snapshot(pe);
    }
    Snapshot &oldest = line.snapshots.front();
    std::int64_t less = static_cast<std::int64_t>(sizeof(Snapshot) + sizeof(u32) * rows_);
    for (const auto &[page, content] : oldest.pages)
        less += static_cast<std::int64_t>(sizeof oldest.pages.front()) + (content ? page_bytes : 0);
    line.snapshots.pop_front();
    for (; line.dropped < line.snapshots.front().event; ++line.dropped) {
        less += static_cast<std::int64_t>(sizeof(Event) + line.events.front().bytes.size());
        line.events.pop_front();
    }
    account(line, -less);
}

void History::wrote(u32 pe, u32 address, std::span<const std::uint8_t> bytes, bool is_state) {
    if (!has(pe)) return;
    Line &line = *lines_[pe];
    line.events.push_back({count(pe), address, is_state, {bytes.begin(), bytes.end()}});
    account(line, static_cast<std::int64_t>(sizeof(Event) + bytes.size()));
}

// ---- the past -----------------------------------------------------------------------------------------------------------------

History::u64 History::snapshot_before(u32 pe, u64 at) const {
    u64 found = first(pe);
    for (const Snapshot &snapshot : lines_[pe]->snapshots)
        if (snapshot.at <= at) found = snapshot.at;
    return found;
}

void History::leave_present(u32 pe) {
    Line &line = *lines_[pe];
    if (line.is_past) return;
    line.present = count(pe);
    line.is_past = true;
    ++past_;
}

void History::restore(u32 pe, u64 at) {
    Line &line = *lines_[pe];
    leave_present(pe);
    std::size_t k = 0;
    while (k + 1 < line.snapshots.size() && line.snapshots[k + 1].at <= at) ++k;
    std::unordered_map<u32, const Page *> then;
    for (std::size_t i = k; i < line.snapshots.size(); ++i)
        for (const auto &[page, content] : line.snapshots[i].pages) then.try_emplace(page, content.get());
    for_pages(pe, [&](u32 page, std::span<const std::uint8_t> now) {
        const auto found = then.find(page);
        const Page *const content = found != then.end() ? found->second : line.pages[page].get();
        const std::span<const std::uint8_t> wanted(content ? content->data() : zeros.data(), now.size());
        if (std::memcmp(wanted.data(), now.data(), now.size()) == 0) return;
        const Transfer transfer{pe, MOG_DATA_BASE + page * page_bytes, static_cast<u32>(now.size()), 0, false};
        (void)device_.scatter({&transfer, 1}, wanted);
    });
    set_state(pe, line.snapshots[k].state);
    line.next_event = line.snapshots[k].event;
}

bool History::apply(u32 pe) {
    Line &line = *lines_[pe];
    if (!line.is_past) return false;
    const u64 now = count(pe);
    bool has_come = false;
    for (; line.next_event < line.dropped + line.events.size(); ++line.next_event) {
        const Event &event = line.events[line.next_event - line.dropped];
        if (event.at > now) break;
        if (!event.is_state) will_write(pe, event.address, static_cast<u32>(event.bytes.size()));
        const Transfer transfer{pe, event.address, static_cast<u32>(event.bytes.size()), 0, event.is_state};
        (void)device_.scatter({&transfer, 1}, event.bytes);
        has_come = true;
    }
    return has_come;
}

History::u64 History::next(u32 pe) const {
    const Line &line = *lines_[pe];
    const std::size_t event = line.next_event - line.dropped;
    return event < line.events.size() ? std::min(line.present, line.events[event].at) : line.present;
}

bool History::arrives(u32 pe) {
    Line &line = *lines_[pe];
    if (!line.is_past || line.next_event < line.dropped + line.events.size() || count(pe) < line.present) return false;
    line.is_past = false;
    --past_;
    return true;
}

// ---- undoing ------------------------------------------------------------------------------------------------------------------

void History::will_write(u32 pe, u32 address, u32 bytes) {
    if (!undos_ || address - MOG_DATA_BASE >= data_bytes_ || bytes == 0) return;
    Undo undo{address, std::vector<std::uint8_t>(std::min(bytes, data_bytes_ - (address - MOG_DATA_BASE)))};
    const Transfer transfer{pe, address, static_cast<u32>(undo.bytes.size()), 0, false};
    (void)device_.gather({&transfer, 1}, undo.bytes);
    undos_->push_back(std::move(undo));
}

History::Point History::point(u32 pe) { return {state(pe), lines_[pe]->next_event, undos_ ? undos_->size() : 0}; }

void History::back_to(u32 pe, const Point &point) {
    Line &line = *lines_[pe];
    leave_present(pe);
    for (; undos_ && undos_->size() > point.undos; undos_->pop_back()) {
        const Undo &undo = undos_->back();
        const Transfer transfer{pe, undo.address, static_cast<u32>(undo.bytes.size()), 0, false};
        (void)device_.scatter({&transfer, 1}, undo.bytes);
    }
    set_state(pe, point.state);
    line.next_event = point.event;
}

}  // namespace mog::gdb
