// remote_messages.cpp: messages to and from other processes.
//
// Short ones go with their bytes, as long as those that the other process has not received yet stay within a bound
// (credit); it gives back what was received. All others are announced, and their bytes go when the receiver has matched
// them. What a PE sends is matched in the order in which it was sent, for both kinds take the same way.
#include <algorithm>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/pt2pt/messages.hpp"
#include "runtime_host/mpi/pt2pt/observer.hpp"

namespace mog::mpi {

using Kind = Operation::Kind;

namespace {

constexpr u32 piece_bytes = 256 << 10;         // of a long message, in a frame
constexpr std::size_t most_queued = 16 << 20;  // bytes to others that have not gone, before more of long messages is fetched

/// What a message costs of the credit: an empty one takes memory, too.
u64 cost_of(u32 bytes) { return u64{64} + bytes; }

std::span<const u8> bytes_of(std::string_view text) { return {reinterpret_cast<const u8 *>(text.data()), text.size()}; }

u32 rounded(u32 bytes) { return (bytes + 3) & ~u32{3}; }

}  // namespace

/// Sends of a round, in their order.
Result<void> Messages::send_remote() {
    const World &world = communicators_.world();
    Staging plan;
    std::vector<u8> staging;
    std::vector<u32> places;  ///< of bytes in staging; none: its bytes do not go with it
    for (std::size_t begin = 0, end = 0; begin < remote_.size(); begin = end) {
        plan.clear();
        places.clear();
        for (; end < remote_.size(); end++) {
            const Operation &o = table_[remote_[end]];
            u64 &unpaid = unpaid_[world.process_of(o.to)];
            const bool eager = communicators_[o.context].span && !o.has(Operation::synchronous) && o.bytes <= limits_.eager_bytes &&
                               unpaid + cost_of(o.bytes) <= credit();
            if (eager && !plan.has_room(o.bytes)) break;
            if (eager) unpaid += cost_of(o.bytes);
            places.push_back(eager ? plan.add(o.pe, o.address, o.bytes) : none);
        }
        MOG_TRY(delivery_.fetch(plan, staging));
        for (std::size_t k = begin; k < end; k++)
            send_one_remote(remote_[k], places[k - begin] == none
                                            ? std::optional<std::span<const u8>>()
                                            : std::span<const u8>(staging).subspan(places[k - begin], table_[remote_[k]].bytes));
    }
    remote_.clear();
    return {};
}

/// With its bytes, or only announced.
void Messages::send_one_remote(u32 i, std::optional<std::span<const u8>> bytes) {
    Operation &o = table_[i];
    const std::shared_ptr<const Span> &span = communicators_[o.context].span;
    // It is there, for its sender is a member that has not left.
    if (!span) {
        delivery_.resume(o.pe, static_cast<u32>(-MPI_ERR_COMM));
        table_.remove(i);
        return;
    }
    const std::string place = checks_ ? host_.place_of(o.pe) : std::string();
    const Envelope envelope{span->id,  o.context & MOG_MPI_INTERNAL,  o.peer, o.tag, o.to, o.bytes, i, o.type,
                            o.payload, static_cast<u32>(place.size())};
    const u32 process = communicators_.world().process_of(o.to);
    if (bytes) {
        bridge_->send(process, Frame::Eager, head_bytes(envelope), bytes_of(place), *bytes);
        delivery_.resume(o.pe, 0);
        table_.remove(i);
    } else {
        bridge_->send(process, Frame::Announced, head_bytes(envelope), bytes_of(place));
        if (checks_) places_[i] = place;
        if (!o.has(Operation::blocking)) delivery_.resume(o.pe, i + 1);
    }
}

Result<void> Messages::take(u32 process, Frame kind, FrameReader frame) {
    switch (kind) {
        case Frame::Eager:
        case Frame::Announced: arrive(process, kind, frame); break;
        case Frame::Wanted: send_wanted(process, frame.take<Piece>()); break;
        case Frame::Data: take_data(frame); break;
        case Frame::Cancel: withdraw(process, frame.take<Withdrawal>()); break;
        case Frame::Cancelled: {
            const u32 i = frame.take<Withdrawal>().sender;
            if (i < table_.count() && table_[i].kind == Kind::Send && table_[i].has(Operation::remote))
                finish(i, {MOG_MPI_DONE | MOG_MPI_CANCELLED, MPI_ANY_SOURCE, MPI_ANY_TAG, 0});
            break;
        }
        default: {  // Credit
            const u64 bytes = frame.take<u64>();
            unpaid_[process] -= std::min(unpaid_[process], bytes);
        }
    }
    return {};
}

/// A message for one of our PEs. Its sender may know a communicator that is not made here yet.
void Messages::arrive(u32 process, Frame kind, FrameReader frame) {
    const std::span<const u8> all = frame.rest();
    const auto envelope = frame.take<Envelope>();
    const std::span<const u8> place_text = frame.bytes(envelope.place_bytes);
    const u32 context = communicators_.find_global(envelope.context);
    if (context == MOG_MPI_NO_CONTEXT || early_.contains(envelope.context)) {
        early_[envelope.context].push_back({process, kind, {all.begin(), all.end()}});
        return;
    }
    const World &world = communicators_.world();
    const Communicator &c = communicators_[context];
    const auto source = static_cast<u32>(envelope.source);
    if (!frame.is_good() || !world.is_here(envelope.to) || source >= c.size ||
        (kind == Frame::Eager && frame.rest().size() != envelope.bytes))
        return;
    u32 place = static_cast<u32>(arrivals_.size());
    if (free_arrivals_.empty()) {
        arrivals_.emplace_back();
    } else {
        place = free_arrivals_.back();
        free_arrivals_.pop_back();
    }
    arrivals_[place] = {process, envelope.number, kind == Frame::Eager, {frame.rest().begin(), frame.rest().end()}};
    const u32 i = table_.add();
    Operation &o = table_[i];
    o.kind = Kind::Send;
    o.flags = Operation::detached | Operation::remote;
    o.pe = communicators_.world_rank_of(c, source, 0);
    o.to = world.pe_of(envelope.to);
    o.context = context | envelope.internal;
    o.peer = envelope.source;
    o.tag = envelope.tag;
    o.bytes = envelope.bytes;
    o.type = static_cast<u8>(envelope.type);
    o.payload = place;
    if (place_text.empty()) places_.erase(i);
    else places_[i].assign(place_text.begin(), place_text.end());
    for (const auto &observer : observers_) observer->arrived(i, process, envelope.serial, o);
    offer(i);
}

/// It leaves the table.
Messages::Arrival Messages::take_arrival(u32 message) {
    const u32 place = table_[message].payload;
    Arrival arrival = std::move(arrivals_[place]);
    arrivals_[place] = {};
    free_arrivals_.push_back(place);
    table_.remove(message);
    return arrival;
}

void Messages::meet_remote(u32 m, u32 r) {
    const Operation message = table_[m];
    const Arrival arrival = take_arrival(m);
    Operation &receive = table_[r];
    const u32 bytes = std::min(message.bytes, receive.bytes);
    if (arrival.is_eager) {
        delivery_.put(receive.pe, receive.address, std::span(arrival.bytes).first(bytes));
        give_credit(arrival.process, cost_of(message.bytes));
    } else {
        bridge_->send(arrival.process, Frame::Wanted, head_bytes(Piece{arrival.number, r, 0, bytes}));
        if (bytes != 0) {
            receive.kind = Kind::Arriving;
            receive.peer = message.peer;
            receive.tag = message.tag;
            receive.bytes = receive.payload = bytes;
            receive.to = message.bytes;
            return;
        }
    }
    finish(r, received(message, receive.bytes));
}

void Messages::give_credit(u32 process, u64 bytes) {
    returned_[process] += bytes;
    if (returned_[process] < credit() / 4) return;
    bridge_->send(process, Frame::Credit, head_bytes(returned_[process]));
    returned_[process] = 0;
}

void Messages::take_data(FrameReader frame) {
    const auto piece = frame.take<Piece>();
    const std::span<const u8> bytes = frame.rest();
    if (piece.receiver >= table_.count() || table_[piece.receiver].kind != Kind::Arriving) return;
    Operation &o = table_[piece.receiver];
    if (u64{piece.at} + bytes.size() > o.bytes || bytes.size() > o.payload) return;
    delivery_.put(o.pe, o.address + piece.at, bytes);
    o.payload -= static_cast<u32>(bytes.size());
    if (o.payload != 0) return;
    Operation message = o;
    message.bytes = o.to;
    finish(piece.receiver, received(message, o.bytes));
}

void Messages::send_wanted(u32 process, const Piece &piece) {
    if (piece.sender >= table_.count()) return;
    const Operation &o = table_[piece.sender];
    if (o.kind != Kind::Send || !o.has(Operation::remote) || o.has(Operation::detached) || piece.bytes > o.bytes) return;
    if (piece.bytes == 0) finish(piece.sender, {MOG_MPI_DONE, 0, 0, 0});
    else wanted_.push_back({piece.sender, process, piece});
}

/// The sender cancels: in time, if nobody has matched it.
void Messages::withdraw(u32 process, const Withdrawal &withdrawal) {
    const auto tell = [&] { bridge_->send(process, Frame::Cancelled, head_bytes(withdrawal)); };
    for (auto &[context, frames] : early_)
        for (auto frame = frames.begin(); frame != frames.end(); ++frame)
            if (frame->process == process && frame->kind == Frame::Announced &&
                FrameReader(frame->bytes).take<Envelope>().number == withdrawal.sender) {
                frames.erase(frame);
                return tell();
            }
    if (!communicators_.world().is_here(withdrawal.to)) return;
    Arrivals &arrived = pes_[communicators_.world().pe_of(withdrawal.to)].arrived;
    for (u32 i = arrived.first(); i != none; i = table_[i].next) {
        if (!table_[i].has(Operation::remote)) continue;
        const Arrival &arrival = arrivals_[table_[i].payload];
        if (arrival.process != process || arrival.number != withdrawal.sender || arrival.is_eager) continue;
        arrived.take(table_, i);
        for (const auto &observer : observers_) observer->cancelled(i);
        take_arrival(i);
        return tell();
    }
}

void Messages::replay_early() {
    for (auto at = early_.begin(); at != early_.end();) {
        if (communicators_.find_global(at->first) == MOG_MPI_NO_CONTEXT) {
            ++at;
            continue;
        }
        const std::deque<EarlyFrame> frames = std::move(at->second);
        at = early_.erase(at);
        for (const EarlyFrame &frame : frames) arrive(frame.process, frame.kind, FrameReader(frame.bytes));
    }
}

/// What was read, as far as it is no operation.
bool Messages::is_sound_remote() const {
    const World &world = communicators_.world();
    const auto is_other = [&](u32 process) { return process < world.processes && process != world.process; };
    std::vector<bool> is_free(arrivals_.size());
    for (const u32 place : free_arrivals_) {
        if (place >= arrivals_.size() || is_free[place]) return false;
        is_free[place] = true;
    }
    for (u32 place = 0; place < arrivals_.size(); place++)
        if (!is_free[place] && !is_other(arrivals_[place].process)) return false;
    for (const auto &[context, frames] : early_)
        for (const EarlyFrame &frame : frames)
            if (!is_other(frame.process) || (frame.kind != Frame::Eager && frame.kind != Frame::Announced)) return false;
    return unpaid_.size() == world.processes && returned_.size() == world.processes;
}

/// A message to another process that has not been received, or from one. `used`: arrivals.
bool Messages::is_sound_remote(const Operation &o, std::vector<bool> &used) const {
    const World &world = communicators_.world();
    const u32 context = o.context & ~MOG_MPI_INTERNAL;
    if ((o.kind != Kind::Send && o.kind != Kind::Held) || context >= communicators_.count()) return false;
    if (!o.has(Operation::detached))
        return o.kind == Kind::Send && o.pe < world.nproc && o.to < world.size() && !world.is_here(o.to) &&
               delivery_.has_memory(o.address, o.bytes) && (o.result == 0 || delivery_.has_memory(o.result, sizeof(mog_mpi_result)));
    if (o.pe >= world.size() || world.is_here(o.pe) || o.to >= world.nproc || o.payload >= used.size()) return false;
    if (used[o.payload]) return false;
    used[o.payload] = true;
    const Arrival &arrival = arrivals_[o.payload];
    return arrival.bytes.size() == (arrival.is_eager ? o.bytes : 0);
}

/// Bytes of long messages go as fast as the other side takes them.
Result<void> Messages::advance() {
    replay_early();
    while (!wanted_.empty() && bridge_->queued() < most_queued) {
        std::vector<Wanted> now;
        fetches_.clear();
        u32 staged = 0;
        while (!wanted_.empty() && staged < most_queued / 4) {
            Wanted &wanted = wanted_.front();
            const Operation &o = table_[wanted.operation];
            const u32 bytes = std::min(piece_bytes, wanted.piece.bytes - wanted.piece.at);
            fetches_.push_back({o.pe, o.address + wanted.piece.at, bytes, staged, false});
            now.push_back(wanted);
            staged += rounded(bytes);
            wanted.piece.at += bytes;
            if (wanted.piece.at == wanted.piece.bytes) wanted_.pop_front();
        }
        std::vector<u8> staging(staged);
        MOG_TRY(delivery_.fetch(fetches_, staging));
        for (std::size_t i = 0; i < now.size(); i++) {
            const Piece &piece = now[i].piece;
            bridge_->send(now[i].process, Frame::Data, head_bytes(piece), {staging.data() + fetches_[i].staging, fetches_[i].length});
            if (piece.at + fetches_[i].length == piece.bytes) finish(now[i].operation, {MOG_MPI_DONE, 0, 0, 0});
        }
        MOG_TRY(bridge_->flush());
    }
    return {};
}

}  // namespace mog::mpi
