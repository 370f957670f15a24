// history.hpp: what PEs were before, for a debugger that goes back: snapshots now and then, and all that came from outside. A PE between
// two snapshots is had by running from the first one, and getting the same again; so the device has to count instructions, and a PE's
// memory is nobody else's.
//
// A place in a PE's history is how many instructions it has executed. A snapshot has the registers, and of memory the pages that changed
// until the next one, as they were; the last one's are kept whole. Where there is too much of it, the oldest snapshots go.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog::gdb {

class History {
public:
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;

    /// Of PEs with so much memory, whose state has so many rows. `limit`: bytes, of all PEs together; one interval between snapshots may
    /// come to that, of each PE.
    History(Device &device, u32 pes, u32 data_bytes, u32 rows, u64 limit);

    /// It begins where the PE stands. False: there is no room for it.
    bool begin(u32 pe);
    void end();
    bool has(u32 pe) const { return pe < lines_.size() && lines_[pe] != nullptr; }
    u64 limit() const { return limit_; }
    u64 bytes() const { return bytes_; }

    /// Instructions that a PE has executed, where it stands.
    u64 count(u32 pe);
    /// Where its history begins, and the present.
    u64 first(u32 pe) const { return lines_[pe]->snapshots.front().at; }
    u64 present(u32 pe) { return is_past(pe) ? lines_[pe]->present : count(pe); }
    /// The snapshot at that count, or the last one before it.
    u64 snapshot_before(u32 pe, u64 at) const;

    // ---- in the present

    /// Somebody else has put this there.
    void wrote(u32 pe, u32 address, std::span<const std::uint8_t> bytes, bool is_state);
    /// It has run: a snapshot may be due.
    void look(u32 pe);

    // ---- in the past

    bool has_past() const { return past_ != 0; }
    bool is_past(u32 pe) const { return has(pe) && lines_[pe]->is_past; }
    /// It stands where the snapshot at this count, or before it, was made.
    void restore(u32 pe, u64 at);
    /// What came from outside where it stands now, if it has not come yet. True: something did.
    bool apply(u32 pe);
    /// How far it may run before something comes from outside, or the present.
    u64 next(u32 pe) const;
    /// It is in the present again, if that is so.
    bool arrives(u32 pe);

    // ---- a few instructions, each of which can be undone

    struct Undo {
        u32 address = 0;
        std::vector<std::uint8_t> bytes;
    };
    /// A PE as it stands, without its memory.
    struct Point {
        std::vector<u32> state;
        std::size_t event = 0, undos = 0;
    };
    /// While there is a list, what is overwritten goes there.
    void keep_undos(std::vector<Undo> *undos) { undos_ = undos; }
    void will_write(u32 pe, u32 address, u32 bytes);
    Point point(u32 pe);
    /// Back to a point, from which all that was overwritten is in the list.
    void back_to(u32 pe, const Point &point);

private:
    static constexpr u32 page_bytes = 4096;
    using Page = std::array<std::uint8_t, page_bytes>;
    using Content = std::unique_ptr<Page>;  ///< null: zeros

    struct Snapshot {
        u64 at = 0;
        std::size_t event = 0;  ///< the first one that comes after it
        std::vector<u32> state;
        std::vector<std::pair<u32, Content>> pages;  ///< that changed until the next one, as they were
    };
    struct Event {
        u64 at = 0;
        u32 address = 0;
        bool is_state = false;
        std::vector<std::uint8_t> bytes;
    };
    struct Line {
        std::deque<Snapshot> snapshots;
        std::deque<Event> events;
        std::size_t dropped = 0;     ///< events that are there no more
        std::vector<Content> pages;  ///< as they were at the last snapshot
        bool is_past = false;
        u64 present = 0;
        std::size_t next_event = 0;  ///< in the past: the first that has not come
        u64 bytes = 0;
    };
    void snapshot(u32 pe);
    void leave_present(u32 pe);
    void drop_oldest();
    void account(Line &line, std::int64_t bytes);
    std::vector<u32> state(u32 pe);
    void set_state(u32 pe, std::span<const u32> state);
    /// Calls use(page, bytes) for each page of its memory.
    template <typename Use>
    void for_pages(u32 pe, Use use);

    Device &device_;
    u32 data_bytes_, rows_;
    u64 limit_, interval_, bytes_ = 0;
    std::vector<std::unique_ptr<Line>> lines_;  ///< by PE; null: none
    u32 past_ = 0;                              ///< PEs that are there
    std::vector<Undo> *undos_ = nullptr;
};

}  // namespace mog::gdb
