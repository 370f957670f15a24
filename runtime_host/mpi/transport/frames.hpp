// frames.hpp: what processes of one world tell each other: frames, each a head and bytes behind it.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime_host/mpi/base/delivery.hpp"

namespace mog::mpi {

enum class Frame : u32 {
    // A message of a PE:
    Eager,      ///< Envelope, the sender's place, and the bytes
    Announced,  ///< Envelope and the place: its bytes are asked for when it is matched
    Wanted,     ///< Piece: the receiver has matched it, and takes so many bytes
    Data,       ///< Piece and some of the bytes
    Cancel,     ///< Withdrawal: the sender takes an announced message back,
    Cancelled,  ///< Withdrawal: which was in time
    Credit,     ///< u64: bytes of eager messages that have been received
    // One-sided communication, and shared pointers of files:
    Access,      ///< AccessHead, runs, what is read of the origin: to a part of a window that is there
    Accessed,    ///< AccessAnswer, and what was there before
    Lock,        ///< LockRequest
    Locked,      ///< LockAnswer
    Pointer,     ///< PointerRequest
    PointerWas,  ///< PointerAnswer
    // Others:
    Left,        ///< GlobalContext: all members there have freed it
    Collective,  ///< CollectiveHead, key and a part of the operation
    Finalizing,  ///< all PEs of the sender have come to MPI_Finalize, or ended
    Finalized,   ///< so it is everywhere
    End,         ///< i32: the run is over, with this status
    // Of the end, which do not count as on their way:
    Idle,      ///< Counts: nothing can run here
    Ask,       ///< u32: of the wave of questions with this number: is it still so?
    Answer,    ///< Counts
    Deadlock,  ///< nothing can run anywhere, and nothing is on its way
    Done,      ///< all PEs of the sender have ended
    Quit,      ///< so it is everywhere
    Report,    ///< u32: which one; what process 0 is told at the end, of what this one saw
    Clock,     ///< ClockFace (bridge.cpp): what time it is, or a question for it
    // Of marks, at which all are written down together (marks.hpp), which do not count either.
    MarkWanted,   ///< the next one is to be the last
    MarkAsk,      ///< which one; PEs rest from now on
    MarkAnswer,   ///< how many frames were sent and received
    MarkThere,    ///< nothing is on its way
    MarkSaid,     ///< yes to something, or why not
    MarkVerdict,  ///< what all have said to it
};
inline bool is_counted(Frame kind) { return kind < Frame::Idle; }

/// A communicator with members in several processes: it has the same name in all of them, and no other one ever has it.
struct GlobalContext {
    u32 leader = 0, serial = 0, group = 0;
    auto operator<=>(const GlobalContext &) const = default;
    static void carry(auto &self, auto &archive) { archive(self.leader, self.serial, self.group); }
};

struct Envelope {
    GlobalContext context;
    u32 internal;  ///< MOG_MPI_INTERNAL or 0
    std::int32_t source, tag;
    u32 to;  ///< world rank
    u32 bytes, number, type;
    u32 serial;       ///< of those that the process has sent to others
    u32 place_bytes;  ///< "in main at t.c:7", with --mpi-check; else 0
};
struct Piece {
    u32 sender, receiver;  ///< numbers of operations, in the process of each
    u32 at, bytes;
};
struct Withdrawal {
    u32 sender;
    u32 to;  ///< world rank of the receiver
};
struct AccessHead {
    GlobalContext context;
    u32 rank;  ///< world rank of the origin
    mog_mpi_access words;
};
struct AccessAnswer {
    u32 rank;
    std::int32_t error;
    u32 address;  ///< for the result
};
struct LockRequest {
    GlobalContext context;
    u32 locks;           ///< 0: unlocks
    u32 origin, target;  ///< ranks of the window, or MOG_MPI_ALL_RANKS: all that are there
    u32 exclusive;
    u32 rank;  ///< world rank of the origin
    static void carry(auto &self, auto &archive) { archive(self.context, self.locks, self.origin, self.target, self.exclusive, self.rank); }
};
struct LockAnswer {
    u32 rank;  ///< world rank of the origin
    std::int32_t error;
};
struct PointerRequest {
    GlobalContext context;
    u32 rank, address;  ///< world rank of who asks, and where it wants to know what the pointer was
    u32 sets, padding;
    std::int64_t number;
};
struct PointerAnswer {
    u32 rank, address;
    std::int64_t before;
};
struct CollectiveHead {
    u32 key_bytes, stage;
};
struct Counts {
    u32 wave, is_idle;
    u64 sent, received;
};

/// Reads what was appended, in the same order. What is not there reads as zeros, and is_good() says so.
class FrameReader {
public:
    explicit FrameReader(std::span<const u8> bytes) : rest_(bytes) {}

    template <typename T>
    T take() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        const std::span<const u8> from = bytes(sizeof value);
        if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
        return value;
    }
    std::span<const u8> bytes(std::size_t count) {
        if (count > rest_.size()) {
            is_good_ = false;
            return {};
        }
        const std::span<const u8> taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }
    std::string text() {
        const std::span<const u8> taken = bytes(take<u64>());
        return {taken.begin(), taken.end()};
    }
    std::span<const u8> rest() const { return rest_; }
    bool is_good() const { return is_good_; }

private:
    std::span<const u8> rest_;
    bool is_good_ = true;
};

/// What a FrameReader takes.
template <typename T>
void append(std::vector<u8> &out, const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = out.size();
    out.resize(at + sizeof value);
    std::memcpy(out.data() + at, &value, sizeof value);
}
/// Its length, and the text.
inline void append_text(std::vector<u8> &out, std::string_view text) {
    append(out, u64{text.size()});
    out.insert(out.end(), text.begin(), text.end());
}

template <typename T>
std::span<const u8> head_bytes(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const u8 *>(&value), sizeof value};
}

}  // namespace mog::mpi
