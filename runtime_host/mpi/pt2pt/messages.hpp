// messages.hpp: point to point: sends and receives that have not met yet, by the PE at which they meet, and what happens when they do.
//
// A message whose receive is there goes from PE to PE at once. One whose receive is not is kept in the store, if it is short and there is
// room, and its sender goes on; else the sender waits.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime_host/mpi/base/host.hpp"
#include "runtime_host/mpi/base/settings.hpp"
#include "runtime_host/mpi/comm/communicators.hpp"
#include "runtime_host/mpi/comm/leak_report.hpp"
#include "runtime_host/mpi/pt2pt/arrivals.hpp"
#include "runtime_host/mpi/pt2pt/operations.hpp"
#include "runtime_host/mpi/pt2pt/payload_store.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"

namespace mog::mpi {

/// A call as it comes: words as mpi_call.h has them.
struct MpiCall {
    u32 pe;
    const u32 *words;  ///< eight
    u32 operation() const { return words[0] & 0xff; }
    u32 flags() const { return words[0] >> 8 & 0xff; }
    u32 type() const { return words[0] >> 16 & 0xff; }
    u32 reduction() const { return words[0] >> 24; }
    bool has(u32 flag) const { return (flags() & flag) != 0; }
};

/// A PE that waits for what nobody will do.
struct Blocked {
    u32 pe;
    std::string text;                  ///< "{}" in it stands for the peer
    std::optional<std::int64_t> peer;  ///< a rank
};

class Observer;
using Observers = std::vector<std::unique_ptr<Observer>>;

class Messages {
public:
    /// `bridge`: to other processes; null: there are none.
    Messages(Communicators &communicators, Delivery &delivery, const Settings &settings, const Host &host, const Observers &observers,
             Bridge *bridge);

    void send(const MpiCall &call);
    void receive(const MpiCall &call);
    void probe(const MpiCall &call);
    void wait(const MpiCall &call, std::span<const u32> numbers);
    // The same with numbers that come some at a time.
    void begin_wait(u32 pe) { pes_[pe].epoch++; }
    /// How many of them are not done, and were not counted before in this wait.
    u32 count_pending(u32 pe, std::span<const u32> numbers);
    void end_wait(const MpiCall &call, u32 pending);
    void cancel(const MpiCall &call);
    /// After all calls of a round: messages that nobody has received are kept, or make their senders wait.
    Result<void> end_round();

    // What stood in a mailbox (mail.hpp), in the order in which it came there: receives that wait, messages whose bytes are in memory of
    // their PEs, and others, whose senders have gone on. Their `kind` and `flags` are set here; the first two have numbers of their PEs.
    void take_receive(const Operation &wanted);
    void take_message(const Operation &message);
    void take_message(const Operation &message, std::span<const u8> bytes);
    /// Whether a PE has receives, messages, or sends with numbers of its own here, so that what concerns it has to come here.
    bool has_some(u32 pe) const { return pes_[pe].posted.first != none || pes_[pe].arrived.count() != 0 || pes_[pe].named_sends != 0; }

    /// What a process says of messages between its PEs and ours. Error: of the device.
    Result<void> take(u32 process, Frame kind, FrameReader frame);
    /// After frames were taken, or communicators made: what can be sent or matched now.
    Result<void> advance();
    /// Bytes of long messages have yet to be sent.
    bool has_more_to_send() const { return !wanted_.empty(); }

    /// For MPI_T: messages that a PE has not received, receives of it that wait, bytes that are kept.
    u32 unexpected(u32 pe) const { return pes_[pe].arrived.count(); }
    u32 posted(u32 pe) const;
    u64 kept_bytes() const { return store_.used(); }

    /// Its PE does nothing until it is done, or until others are.
    bool is_waited_for(u32 i) const {
        const Pe &pe = pes_[table_[i].pe];
        return table_[i].has(Operation::blocking) || (pe.need != 0 && table_[i].epoch == pe.epoch);
    }
    /// What was begun and never done.
    std::vector<Leak> leaks() const;
    /// PEs that wait, and those of `asking`, ascending. `collectives`: what is to be told of operations of that kind.
    std::vector<Blocked> blocked(const std::map<u32, std::string> &collectives, std::span<const u32> asking) const;

    /// There is room for an operation that its PE does not wait for.
    bool may_begin() const { return table_.used() < most_operations_; }
    /// An operation of another kind, whose end is told by finish().
    u32 begin(const MpiCall &call, Operation::Kind kind, u32 result);
    /// An operation is done: its PE is told, and it is forgotten.
    void finish(u32 i, mog_mpi_result result);

    /// Between rounds (support/archive.hpp); of several processes, at a mark: no bytes of long messages are on their way then.
    static void carry(auto &self, auto &archive) {
        archive(self.pes_, self.table_, self.store_, self.envelopes_, self.places_, self.said_);
        archive(self.arrivals_, self.free_arrivals_, self.remote_sent_, self.early_, self.unpaid_, self.returned_);
    }
    /// After it was read. False: it does not fit together.
    bool restore();
    /// It is a collective of this PE.
    bool is_collective(u32 i, u32 pe) const {
        return i < table_.count() && table_[i].kind == Operation::Kind::Collective && table_[i].pe == pe;
    }

private:
    struct Pe {
        OperationList posted;
        Arrivals arrived;
        u32 epoch = 0;  ///< counts its waits
        u32 need = 0;   ///< operations that it waits for; 0: it does not wait
        u32 named_sends = 0;
        static void carry(auto &self, auto &archive) { archive(self.posted, self.arrived, self.epoch, self.need); }
    };
    /// What a receive with so much room comes to.
    static mog_mpi_result received(const Operation &message, u32 room);
    bool offer(u32 message);
    u32 find_arrived(u32 pe, const Operation &wanted);
    Operation *find_pending(u32 number, u32 pe);
    void name(u32 i);
    void forget_name(const Operation &o);
    void meet(u32 message, u32 receive);
    void take_payload(const Operation &message, u32 pe, u32 address, u32 bytes);
    void answer_probe(u32 probe, u32 message);
    void note_place(u32 i);
    /// World ranks, of a send.
    u32 sender_of(const Operation &o) const {
        return o.has(Operation::remote) && o.has(Operation::detached) ? o.pe : communicators_.world().rank_of(o.pe);
    }
    u32 receiver_of(const Operation &o) const {
        return o.has(Operation::remote) && !o.has(Operation::detached) ? o.to : communicators_.world().rank_of(o.to);
    }
    void check_types(u32 message, u32 receive);
    Blocked describe(const Operation &o, bool asks_on) const;
    bool has_envelope(const MpiCall &call, bool is_send, Operation &o);
    bool keep(Operation &o);
    void forget_kept(u32 message);

    // Other processes (remote_messages.cpp).
    struct Arrival {
        u32 process = 0, number = 0;  ///< whose, and what it is called there
        bool is_eager = false;
        std::vector<u8> bytes;  ///< of an eager one
        static void carry(auto &self, auto &archive) { archive(self.process, self.number, self.is_eager, self.bytes); }
    };
    struct EarlyFrame {
        u32 process = 0;
        Frame kind{};
        std::vector<u8> bytes;
        static void carry(auto &self, auto &archive) { archive(self.process, self.kind, self.bytes); }
    };
    /// A message whose receiver waits for its bytes.
    struct Wanted {
        u32 operation, process;
        Piece piece;
    };
    Result<void> send_remote();
    void send_one_remote(u32 i, std::optional<std::span<const u8>> bytes);
    void arrive(u32 process, Frame kind, FrameReader frame);
    void meet_remote(u32 message, u32 receive);
    Arrival take_arrival(u32 message);
    void take_data(FrameReader frame);
    void send_wanted(u32 process, const Piece &piece);
    void withdraw(u32 process, const Withdrawal &withdrawal);
    void give_credit(u32 process, u64 bytes);
    void replay_early();
    bool is_sound_remote(const Operation &o, std::vector<bool> &used) const;
    bool is_sound_remote() const;
    u64 credit() const { return std::max<u64>(limits_.buffer_bytes / bridge_->processes(), 64 << 10); }

    Communicators &communicators_;
    Delivery &delivery_;
    Bridge *bridge_;
    const Limits limits_;
    const u32 most_operations_;
    const bool checks_;
    const Host &host_;
    const Observers &observers_;
    std::vector<Pe> pes_;
    std::unordered_map<u64, u32> named_;  ///< what its PE has given a number, by PE and number
    OperationTable table_;
    PayloadStore store_;
    u64 envelopes_ = 0;                            ///< messages that are kept, with bytes or without
    std::unordered_map<u32, std::string> places_;  ///< with checks: where operations that stay were begun
    u32 said_ = 0;
    std::vector<u32> undecided_;  ///< sends of this round that found no receive
    std::vector<Transfer> fetches_;
    std::vector<u32> remote_;  ///< of these, those to other processes
    std::vector<Arrival> arrivals_;
    std::vector<u32> free_arrivals_;
    u32 remote_sent_ = 0;
    std::deque<Wanted> wanted_;
    std::map<GlobalContext, std::deque<EarlyFrame>> early_;  ///< messages in communicators that are not made here yet
    std::vector<u64> unpaid_, returned_;  ///< by process: bytes of eager messages to it, and from it that it has not been told of
};

}  // namespace mog::mpi
