// messages.cpp: matching. A PE's messages meet its receives in the order in which both came; among those that fit, the first one.
#include "runtime_host/mpi/pt2pt/messages.hpp"

#include <algorithm>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/pt2pt/observer.hpp"

namespace mog::mpi {

using Kind = Operation::Kind;

namespace {

// What the host has for each beside its bytes: an entry of the table, and of chains (arrivals.hpp), or who has come to a collective.
constexpr u64 bytes_of_envelope = 96, bytes_of_operation = 128;
// To look at one of a list takes as long as copying so many bytes.
constexpr u64 bytes_of_look = 64;

u32 state_of(int error_class) { return MOG_MPI_DONE | static_cast<u32>(error_class) << 8; }

mog_mpi_result envelope(const Operation &message) { return {MOG_MPI_DONE, message.peer, message.tag, message.bytes}; }

}  // namespace

mog_mpi_result Messages::received(const Operation &message, u32 room) {
    mog_mpi_result result = envelope(message);
    if (message.bytes > room) {
        result.state = state_of(MPI_ERR_TRUNCATE);
        result.bytes = room;
    }
    return result;
}

Messages::Messages(Communicators &communicators, Delivery &delivery, const Settings &settings, const Host &host, const Observers &observers,
                   Bridge *bridge)
    : communicators_(communicators),
      delivery_(delivery),
      bridge_(bridge),
      limits_(settings.limits),
      most_operations_(static_cast<u32>(std::min<u64>(settings.limits.pending_bytes() / bytes_of_operation, INT32_MAX))),
      checks_(settings.check),
      host_(host),
      observers_(observers),
      pes_(communicators.world().nproc),
      store_(settings.limits.buffer_bytes),
      unpaid_(communicators.world().processes),
      returned_(communicators.world().processes) {}

/// Words 1 to 7 of sends, receives and probes. False: the PE was told what is wrong.
bool Messages::has_envelope(const MpiCall &call, bool is_send, Operation &o) {
    const u32 *w = call.words;
    const Communicator *c = communicators_.find(w[1], w[2], call.pe);
    const bool to_remote = c && Communicators::sends_to_remote(*c, w[1], call.has(MOG_MPI_REMOTE));
    const auto peer = static_cast<std::int32_t>(w[3]), tag = static_cast<std::int32_t>(w[4]);
    int error = MPI_SUCCESS;
    // Messages of a group that has freed the communicator may still be received.
    if (!c || (to_remote && is_send && c->remote == MOG_MPI_NO_CONTEXT)) error = MPI_ERR_COMM;
    else if (w[3] >= (to_remote ? c->remote_size : c->size) && (is_send || peer != MPI_ANY_SOURCE)) error = MPI_ERR_RANK;
    else if (tag < 0 && (is_send || tag != MPI_ANY_TAG)) error = MPI_ERR_TAG;
    else if (!delivery_.has_buffer(w[5], w[6], !is_send)) error = MPI_ERR_BUFFER;
    else if (w[7] != 0 && (w[7] % 4 != 0 || !delivery_.has_room(w[7], sizeof(mog_mpi_result)))) error = MPI_ERR_ARG;
    else if (call.has(MOG_MPI_NONBLOCKING) && !may_begin()) error = MPI_ERR_NO_MEM;
    if (error != MPI_SUCCESS) {
        delivery_.resume(call.pe, failed(error));
        return false;
    }
    o.pe = call.pe;
    o.context = w[1];
    o.peer = is_send ? static_cast<std::int32_t>(w[2]) : peer;
    o.tag = tag;
    o.address = w[5];
    o.bytes = w[6];
    o.result = w[7];
    o.type = static_cast<u8>(call.type());
    if (is_send) o.to = communicators_.world_rank_of(to_remote ? communicators_[c->remote] : *c, w[3], call.pe);
    if (is_send && to_remote) o.context = c->remote | (w[1] & MOG_MPI_INTERNAL);
    if (!call.has(MOG_MPI_NONBLOCKING)) o.flags |= Operation::blocking;
    return true;
}

void Messages::send(const MpiCall &call) {
    Operation o;
    if (!has_envelope(call, true, o)) return;
    o.kind = Kind::Send;
    o.flags |= Operation::unanswered;
    if (call.has(MOG_MPI_SYNCHRONOUS)) o.flags |= Operation::synchronous;
    const World &world = communicators_.world();
    const bool is_here = world.is_here(o.to);
    if (is_here) o.to = world.pe_of(o.to);
    else {
        o.flags |= Operation::remote;
        o.payload = ++remote_sent_;
    }
    const u32 i = table_.add();
    table_[i] = o;
    for (const auto &observer : observers_) observer->sent(i, o);
    if (!is_here || !offer(i)) undecided_.push_back(i);
}

/// A message meets what its PE looks for. False: no receive, so that it waits for one.
bool Messages::offer(u32 i) {
    const Operation o = table_[i];
    Pe &to = pes_[o.to];
    for (u32 r = to.posted.first; r != none;) {
        const u32 next = table_[r].next;
        if (fits(table_[r], o)) {
            to.posted.take(table_, r);
            if (table_[r].kind == Kind::Receive) {
                meet(i, r);
                return true;
            }
            const bool takes = table_[r].has(Operation::matched);
            answer_probe(r, i);
            if (takes) return false;
        }
        if (delivery_.is_over_after(bytes_of_look)) return true;
        r = next;
    }
    to.arrived.append(table_, i);
    return false;
}

namespace {

u64 name_of(u32 pe, u32 number) { return u64{pe} << 32 | number; }

}  // namespace

void Messages::name(u32 i) {
    const Operation &o = table_[i];
    named_[name_of(o.pe, o.number)] = i;
    pes_[o.pe].named_sends += o.kind == Kind::Send;
}

void Messages::forget_name(const Operation &o) {
    named_.erase(name_of(o.pe, o.number));
    pes_[o.pe].named_sends -= o.kind == Kind::Send;
}

void Messages::take_receive(const Operation &wanted) {
    const u32 i = table_.add();
    table_[i] = wanted;
    table_[i].kind = Kind::Receive;
    name(i);
    pes_[wanted.pe].posted.append(table_, i);
    note_place(i);
}

void Messages::take_message(const Operation &message) {
    const u32 i = table_.add();
    table_[i] = message;
    table_[i].kind = Kind::Send;
    name(i);
    if (!offer(i)) note_place(i);
}

void Messages::take_message(const Operation &message, std::span<const u8> bytes) {
    const u32 i = table_.add();
    Operation &o = table_[i] = message;
    o.kind = Kind::Send;
    o.flags = Operation::detached;
    if (o.bytes != 0) {
        o.payload = store_.take(o.bytes, true);
        std::ranges::copy(bytes, store_.at(o.payload, o.bytes).begin());
    }
    envelopes_++;
    if (!offer(i)) note_place(i);
}

/// The operation that a PE calls by this number, if it is not done; null if there is none.
Operation *Messages::find_pending(u32 number, u32 pe) {
    if (number < MOG_M_NUMBERS) return table_.pending(number, pe);
    const auto found = named_.find(name_of(pe, number));
    return found == named_.end() ? nullptr : &table_[found->second];
}

/// Of many messages all may have to be looked at.
u32 Messages::find_arrived(u32 pe, const Operation &wanted) {
    const Arrivals &arrived = pes_[pe].arrived;
    delivery_.is_over_after(bytes_of_look * arrived.count());
    return arrived.find(table_, wanted);
}

void Messages::receive(const MpiCall &call) {
    Operation o;
    u32 message = none;
    if (call.has(MOG_MPI_MATCHED)) {
        // Word 3 is a message that a probe took.
        message = call.words[3];
        std::array<u32, 8> words{call.words[0], MOG_MPI_SELF, 0, 0, 0, call.words[5], call.words[6], call.words[7]};
        if (message >= table_.count() || table_[message].kind != Kind::Held || table_[message].to != call.pe)
            return delivery_.resume(call.pe, failed(MPI_ERR_REQUEST));
        if (!has_envelope({call.pe, words.data()}, false, o)) return;
    } else {
        if (!has_envelope(call, false, o)) return;
        message = find_arrived(call.pe, o);
        if (message != none) pes_[call.pe].arrived.take(table_, message);
    }
    o.kind = Kind::Receive;
    if (message != none) o.flags |= Operation::unanswered;
    const u32 i = table_.add();
    table_[i] = o;
    if (message != none) {
        meet(message, i);
        // The bytes of one from another process may be there yet.
        Operation &receive = table_[i];
        if (receive.kind != Kind::Arriving) return;
        receive.flags &= static_cast<u8>(~Operation::unanswered);
        if (!receive.has(Operation::blocking)) delivery_.resume(call.pe, i + 1);
        return;
    }
    pes_[call.pe].posted.append(table_, i);
    if (o.has(Operation::blocking)) return;
    note_place(i);
    delivery_.resume(call.pe, i + 1);
}

/// Both are in no list any more.
void Messages::meet(u32 m, u32 r) {
    const Operation message = table_[m], receive = table_[r];
    for (const auto &observer : observers_) observer->met(m, message, receive);
    if (checks_ && message.type != receive.type) check_types(m, r);
    if (message.has(Operation::remote)) return meet_remote(m, r);
    take_payload(message, receive.pe, receive.address, std::min(message.bytes, receive.bytes));
    const mog_mpi_result result = received(message, receive.bytes);
    if (message.has(Operation::detached)) forget_kept(m);
    else finish(m, {MOG_MPI_DONE, 0, 0, 0});
    finish(r, result);
}

void Messages::take_payload(const Operation &message, u32 pe, u32 address, u32 bytes) {
    if (!message.has(Operation::detached)) return delivery_.copy(message.pe, message.address, pe, address, bytes);
    delivery_.put(pe, address, store_.at(message.payload, bytes));
    if (message.bytes != 0) store_.give_back(message.payload, message.bytes);
}

void Messages::probe(const MpiCall &call) {
    Operation o;
    if (!has_envelope(call, false, o)) return;
    o.kind = Kind::Probe;
    o.flags |= Operation::blocking;
    if (call.has(MOG_MPI_MATCHED)) o.flags |= Operation::matched;
    const u32 message = find_arrived(call.pe, o);
    if (message == none && call.has(MOG_MPI_NONBLOCKING)) return delivery_.resume(call.pe, 0);
    const u32 i = table_.add();
    table_[i] = o;
    if (message == none) return pes_[call.pe].posted.append(table_, i);
    if (o.has(Operation::matched)) pes_[call.pe].arrived.take(table_, message);
    answer_probe(i, message);
}

/// The probe is in no list; nor is the message, if it is to be taken.
void Messages::answer_probe(u32 i, u32 message) {
    const Operation probe = table_[i];
    delivery_.put_result(probe.pe, probe.result, envelope(table_[message]));
    delivery_.resume(probe.pe, probe.has(Operation::matched) ? message + 1 : 1);
    if (probe.has(Operation::matched)) table_[message].kind = Kind::Held;
    table_.remove(i);
}

void Messages::wait(const MpiCall &call, std::span<const u32> numbers) {
    begin_wait(call.pe);
    end_wait(call, count_pending(call.pe, numbers));
}

u32 Messages::count_pending(u32 pe, std::span<const u32> numbers) {
    const u32 epoch = pes_[pe].epoch;
    u32 pending = 0;
    for (const u32 number : numbers) {
        Operation *o = find_pending(number, pe);
        if (!o || o->epoch == epoch) continue;
        o->epoch = epoch;
        pending++;
    }
    return pending;
}

void Messages::end_wait(const MpiCall &call, u32 pending) {
    Pe &pe = pes_[call.pe];
    const u32 done = call.words[2] - pending, need = call.words[3];
    pe.need = need <= done ? 0 : std::min(need - done, pending);
    if (pe.need == 0) delivery_.resume(call.pe, std::min<u32>(done, INT32_MAX));
}

void Messages::cancel(const MpiCall &call) {
    if (Operation *o = find_pending(call.words[1], call.pe)) {
        const u32 i = table_.index_of(*o);
        if (o->kind == Kind::Send && o->has(Operation::remote)) {
            bridge_->send(communicators_.world().process_of(o->to), Frame::Cancel, head_bytes(Withdrawal{i, o->to}));
        } else if (o->kind == Kind::Receive || o->kind == Kind::Send) {
            if (o->kind == Kind::Send)
                for (const auto &observer : observers_) observer->cancelled(i);
            if (o->kind == Kind::Receive) pes_[o->pe].posted.take(table_, i);
            else pes_[o->to].arrived.take(table_, i);
            finish(i, {MOG_MPI_DONE | MOG_MPI_CANCELLED, MPI_ANY_SOURCE, MPI_ANY_TAG, 0});
        }
    }
    delivery_.resume(call.pe, 0);
}

u32 Messages::posted(u32 pe) const {
    u32 count = 0;
    for (u32 r = pes_[pe].posted.first; r != none && !delivery_.is_over_after(bytes_of_look); r = table_[r].next)
        count += table_[r].kind == Kind::Receive;
    return count;
}

u32 Messages::begin(const MpiCall &call, Operation::Kind kind, u32 result) {
    const u32 i = table_.add();
    Operation &o = table_[i];
    o.pe = call.pe;
    o.kind = kind;
    o.result = result;
    if (!call.has(MOG_MPI_NONBLOCKING)) o.flags = Operation::blocking;
    return i;
}

void Messages::finish(u32 i, mog_mpi_result result) {
    const Operation o = table_[i];
    table_.remove(i);
    if (o.number != 0) forget_name(o);
    if (o.has(Operation::blocking)) {
        if (o.kind != Kind::Send) delivery_.put_result(o.pe, o.result, result);
        return delivery_.resume(o.pe, failed(static_cast<int>(result.state >> 8)));
    }
    if (o.has(Operation::unanswered)) {
        // A send that is done in its call needs no result block: 0 says it all.
        if (o.kind != Kind::Send) delivery_.put_result(o.pe, o.result, result);
        return delivery_.resume(o.pe, 0);
    }
    delivery_.put_result(o.pe, o.result, result);
    Pe &pe = pes_[o.pe];
    if (pe.need != 0 && o.epoch == pe.epoch && --pe.need == 0) delivery_.resume(o.pe, 0);
}

/// A message that nobody has received: its PE goes on if there is room for it here.
bool Messages::keep(Operation &o) {
    if (o.has(Operation::synchronous) || o.bytes > limits_.eager_bytes) return false;
    if (store_.used() + bytes_of_envelope * (envelopes_ + 1) + o.bytes > limits_.buffer_bytes) return false;
    if (o.bytes != 0 && (o.payload = store_.take(o.bytes)) == none) return false;
    o.flags |= Operation::detached;
    envelopes_++;
    return true;
}

/// It has been received, and its bytes were taken.
void Messages::forget_kept(u32 message) {
    envelopes_--;
    table_.remove(message);
}

Result<void> Messages::end_round() {
    fetches_.clear();
    for (const u32 i : undecided_) {
        Operation &o = table_[i];
        if (!o.has(Operation::unanswered) || (o.kind != Kind::Send && o.kind != Kind::Held)) continue;
        // A number may stand here twice, if it was used again in this round.
        o.flags &= static_cast<u8>(~Operation::unanswered);
        if (o.has(Operation::remote)) {
            remote_.push_back(i);
            continue;
        }
        if (keep(o)) {
            note_place(i);
            if (o.bytes != 0) fetches_.push_back({o.pe, o.address, o.bytes, o.payload, false});
            delivery_.resume(o.pe, 0);
        } else if (!o.has(Operation::blocking)) {
            note_place(i);
            delivery_.resume(o.pe, i + 1);
        }
    }
    undecided_.clear();
    if (!fetches_.empty()) MOG_TRY(delivery_.fetch(fetches_, store_.all()));
    return remote_.empty() ? Result<void>() : send_remote();
}

bool Messages::restore() {
    const u32 nproc = communicators_.world().nproc;
    if (pes_.size() != nproc || !table_.is_sound() || !store_.is_sound()) return false;
    if (!is_sound_remote()) return false;
    u64 kept = 0;
    std::vector<bool> used(arrivals_.size());
    for (const u32 place : free_arrivals_) used[place] = true;
    for (u32 i = 0; i < table_.count(); i++) {
        const Operation &o = table_[i];
        if (o.kind == Kind::Free) continue;
        if (o.has(Operation::remote)) {
            if (!is_sound_remote(o, used)) return false;
            continue;
        }
        const bool is_message = o.kind == Kind::Send || o.kind == Kind::Held, is_kept = o.has(Operation::detached);
        if (o.kind > Kind::Collective || o.kind == Kind::Arriving || (is_kept && !is_message)) return false;
        if (o.pe >= nproc || (is_message && o.to >= nproc) || (o.context & ~MOG_MPI_INTERNAL) >= communicators_.count()) return false;
        kept += is_kept;
        if (is_kept ? o.bytes != 0 && !store_.has(o.payload, o.bytes) : !delivery_.has_memory(o.address, o.bytes)) return false;
        if (o.result != 0 && !delivery_.has_memory(o.result, sizeof(mog_mpi_result))) return false;
        if (o.number != 0 && (o.has(Operation::detached) || (o.kind != Kind::Send && o.kind != Kind::Receive && o.kind != Kind::Held)))
            return false;
        if (o.number != 0) name(i);
    }
    if (kept != envelopes_ || std::ranges::count(used, false) != 0) return false;
    for (u32 pe = 0; pe < nproc; pe++) {
        const auto is_posted = [&](const Operation &o) { return o.pe == pe && (o.kind == Kind::Receive || o.kind == Kind::Probe); };
        if (!pes_[pe].posted.is_sound(table_, is_posted) || !pes_[pe].arrived.restore(table_, pe)) return false;
    }
    return true;
}

}  // namespace mog::mpi
