// operations.hpp: what PEs have begun and the engine has not done yet: a table with a free list, and lists in it.
#pragma once

#include <string_view>
#include <vector>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/base/delivery.hpp"

namespace mog::mpi {

inline constexpr u32 none = UINT32_MAX;

struct Operation {
    enum class Kind : u8 { Free, Send, Receive, Arriving, Probe, Held, Collective };  ///< Arriving: a receive whose bytes are on their way
    // Bits of flags.
    static constexpr u8 blocking = 1;    ///< its PE waits in the call itself
    static constexpr u8 unanswered = 2;  ///< nonblocking, and the call has not returned yet
    static constexpr u8 detached = 4;    ///< a send whose bytes are kept here: its PE has gone on
    static constexpr u8 matched = 8;     ///< a probe that takes the message out
    static constexpr u8 synchronous = 16;
    static constexpr u8 remote = 32;  ///< a send to another process, or from one: then it is detached, too

    u32 pe = 0;  ///< whose it is; of a message from another process: the world rank that sent it
    u32 next = none, prev = none;
    u32 next_alike = none, prev_alike = none;  ///< of messages that have arrived
    u32 context = 0;
    std::int32_t peer = 0;  ///< of a receive: the source, or any; of a send: the sender's own rank
    std::int32_t tag = 0;
    u32 address = 0, bytes = 0;
    u32 result = 0;      ///< address of a result block, or 0
    u32 payload = none;  ///< of a detached send: where its bytes are in the store, or among arrivals; Arriving: bytes yet to come
    u32 to = 0;          ///< of a send: the PE it is for, or if that is elsewhere its world rank; Arriving: bytes of the message
    u32 epoch = 0;       ///< the wait of its PE that counts it
    u32 number = 0;      ///< of a receive out of a mailbox: what its PE calls it
    Kind kind = Kind::Free;
    u8 flags = 0, type = 0;

    bool has(u8 flag) const { return (flags & flag) != 0; }

    static void carry(auto &self, auto &archive) {
        archive(self.pe, self.next, self.prev, self.context, self.peer, self.tag, self.address, self.bytes, self.result, self.payload,
                self.to, self.epoch, self.number, self.kind, self.flags, self.type);
    }
};

class OperationTable {
public:
    Operation &operator[](u32 i) { return all_[i]; }
    const Operation &operator[](u32 i) const { return all_[i]; }
    u32 count() const { return static_cast<u32>(all_.size()); }
    u32 index_of(const Operation &o) const { return static_cast<u32>(&o - all_.data()); }
    /// Those that are not free.
    u32 used() const { return used_; }

    /// References to others are invalid afterwards.
    u32 add() {
        used_++;
        if (free_ == none) {
            all_.emplace_back();
            return count() - 1;
        }
        const u32 i = free_;
        free_ = all_[i].next;
        all_[i] = {};
        return i;
    }
    void remove(u32 i) {
        used_--;
        all_[i].kind = Operation::Kind::Free;
        all_[i].next = free_;
        free_ = i;
    }
    /// The operation with this number of a PE that is not done; null if there is none.
    Operation *pending(u32 number, u32 pe) {
        if (number == 0 || number > count()) return nullptr;
        Operation &o = all_[number - 1];
        return o.pe == pe && o.kind != Operation::Kind::Free && o.kind != Operation::Kind::Held && !o.has(Operation::detached) ? &o
                                                                                                                               : nullptr;
    }

    static void carry(auto &self, auto &archive) { archive(self.all_, self.free_, self.used_); }
    /// True: each one is free, and in the list of those, or used.
    bool is_sound() const {
        u32 free = 0;
        std::vector<bool> seen(all_.size());
        for (u32 i = free_; i != none; i = all_[i].next, free++) {
            if (i >= count() || all_[i].kind != Operation::Kind::Free || seen[i]) return false;
            seen[i] = true;
        }
        u32 used = 0;
        for (const Operation &o : all_) used += o.kind != Operation::Kind::Free;
        return used == used_ && free + used == count();
    }

private:
    std::vector<Operation> all_;
    u32 free_ = none, used_ = 0;
};

/// Operations in the order in which they came, linked by two of their members.
template <u32 Operation::*Next, u32 Operation::*Prev>
struct LinkedOperations {
    u32 first = none, last = none;

    void append(OperationTable &table, u32 i) {
        table[i].*Prev = last;
        table[i].*Next = none;
        (last == none ? first : table[last].*Next) = i;
        last = i;
    }
    void take(OperationTable &table, u32 i) {
        const u32 prev = table[i].*Prev, next = table[i].*Next;
        (prev == none ? first : table[prev].*Next) = next;
        (next == none ? last : table[next].*Prev) = prev;
    }

    static void carry(auto &self, auto &archive) { archive(self.first, self.last); }
    /// True: from the first one to the last it is a list of such as `may_have` says yes to, each once.
    bool is_sound(const OperationTable &table, const auto &may_have) const {
        u32 before = none, length = 0;
        for (u32 i = first; i != none; before = i, i = table[i].*Next)
            if (i >= table.count() || table[i].*Prev != before || length++ == table.count() || !may_have(table[i])) return false;
        return before == last;
    }
};
using OperationList = LinkedOperations<&Operation::next, &Operation::prev>;
using OperationChain = LinkedOperations<&Operation::next_alike, &Operation::prev_alike>;

/// A message is one that a receive or a probe is looking for.
inline bool fits(const Operation &wanted, const Operation &message) {
    return wanted.context == message.context && (wanted.peer == message.peer || wanted.peer == MPI_ANY_SOURCE) &&
           (wanted.tag == message.tag || wanted.tag == MPI_ANY_TAG);
}

/// The function of MPI that an operation (MOG_MPI_...) is told as: "MPI_Comm_split".
inline std::string_view function_of(u32 operation) {
    switch (operation) {
#define MOG_NAME(name, number, function, ...) \
    case number: return function;
        MOG_MPI_OPERATIONS(MOG_NAME)
#undef MOG_NAME
        default: return "MPI_Unknown";
    }
}

}  // namespace mog::mpi
