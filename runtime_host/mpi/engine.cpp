// engine.cpp: which call goes where, and the order of a round: what calls read, what they begin, what is done by it,
// what goes to PEs.
#include "runtime_host/mpi/engine.hpp"

#include <algorithm>
#include <utility>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/combine.hpp"
#include "runtime_host/mpi/tools/call_names.hpp"
#include "support/text.hpp"

namespace mog::mpi {

namespace {

/// A wait that names several operations, or none: numbers in its PE's memory.
bool is_list(const Delivery &delivery, const u32 *w) {
    return (w[0] & 0xff) == MOG_MPI_wait && w[2] != 1 && w[1] % 4 == 0 && delivery.has_memory(w[1], 4ull * w[2]);
}

/// Numbers between those of collectives that are not used.
bool is_gap(u32 operation) { return operation > MOG_MPI_exscan && operation < MOG_MPI_split; }

}  // namespace

Engine::Engine(Device &device, u32 nproc, const Addresses &addresses, AnswerRows rows, const Settings &settings, Host host, Bridge *bridge,
               Mailboxes *mailboxes)
    : nproc_(nproc),
      checks_(settings.check),
      bridge_(bridge),
      host_(std::move(host)),
      limits_(settings.limits),
      delivery_(device, rows, addresses, host_.is_over),
      budget_(settings.limits.pending_bytes()),
      communicators_(bridge ? World{nproc, bridge->process(), bridge->processes()} : World{nproc}, budget_),
      messages_(communicators_, delivery_, settings, host_, observers_, bridge),
      collectives_(communicators_, delivery_, messages_, host_, settings.check, bridge),
      files_(communicators_, delivery_, host_, bridge),
      windows_(communicators_, delivery_, bridge),
      has_ended_(nproc) {
    if (mailboxes && !bridge) mail_.emplace(*mailboxes, device, rows, messages_, nproc);
    if (!bridge) return;
    ending_.emplace(*bridge);
    marks_.emplace(*bridge);
}

/// Numbers that waits of several operations name are fetched for as many calls as there is room; more than that, when it is their turn. How
/// many calls these are.
std::size_t Engine::plan_lists(std::span<const Request> calls) {
    lists_.clear();
    next_list_ = 0;
    std::size_t count = 0;
    for (const Request &q : calls) {
        const u32 *w = q.data() + MOG_Q_ARG;
        if (is_list(delivery_, w) && 4ull * w[2] <= most_staging) {
            if (!lists_.has_room(4ull * w[2])) break;
            lists_.add(q[MOG_Q_PE], w[1], 4 * w[2]);
        }
        count++;
    }
    return count;
}

Result<void> Engine::serve(std::span<const Request> calls, std::vector<u32> &resumed) { return unless_over(serve_round(calls, resumed)); }

Result<void> Engine::serve_round(std::span<const Request> calls, std::vector<u32> &resumed) {
    const double seconds = observers_.empty() ? 0 : host_.seconds();
    if (mail_) MOG_TRY(mail_->collect(calls));
    while (!calls.empty()) {
        const std::size_t count = plan_lists(calls);
        MOG_TRY(delivery_.fetch(lists_, listed_));
        for (const Request &q : calls.first(count)) {
            const MpiCall call{q[MOG_Q_PE], q.data() + MOG_Q_ARG};
            if (mail_ && mail_->is_done(call.pe)) {
                delivery_.resume(call.pe, 0);
                continue;
            }
            for (const auto &observer : observers_) observer->called(call, seconds);
            MOG_TRY(serve_one(call));
        }
        calls = calls.subspan(count);
    }
    MOG_TRY(tell_members());
    MOG_TRY(windows_.end_round());
    MOG_TRY(collectives_.end_round());
    MOG_TRY(messages_.end_round());
    MOG_TRY(files_.end_round());
    if (mail_) MOG_TRY(mail_->end_round());
    if (bridge_) MOG_TRY(advance());
    return flush(resumed);
}

/// What the round came to goes to the PEs.
Result<void> Engine::flush(std::vector<u32> &resumed) {
    const std::size_t before = resumed.size();
    if (Result<void> done = delivery_.flush(resumed); !done || observers_.empty()) return done;
    const double seconds = host_.seconds();
    for (std::size_t i = before; i < resumed.size(); i++)
        for (const auto &observer : observers_)
            if (!has_ended_[resumed[i]]) observer->resumed(resumed[i], seconds);
    return {};
}

Result<void> Engine::resume_others(std::vector<u32> &resumed) { return unless_over(flush(resumed)); }

/// Error: of the device, or the run is over.
Result<void> Engine::serve_one(const MpiCall &call) {
    const u32 *w = call.words;
    switch (call.operation()) {
        case MOG_MPI_initialize:
        case MOG_MPI_yield: delivery_.resume(call.pe, 0); break;
        case MOG_MPI_finalize:
            finalizing_.push_back(call.pe);
            if (w[1] != 0) {
                if (left_types_.count == 0 || call.pe < left_types_.first) left_types_.first = call.pe;
                left_types_.count += std::min(w[1], UINT32_MAX - left_types_.count);
            }
            release_finalized();
            break;
        case MOG_MPI_abort: abort(call); break;
        case MOG_MPI_send: messages_.send(call); break;
        case MOG_MPI_receive: messages_.receive(call); break;
        case MOG_MPI_probe: messages_.probe(call); break;
        case MOG_MPI_wait: return wait(call);
        case MOG_MPI_cancel: messages_.cancel(call); break;
        case MOG_MPI_free:
            if (communicators_.find(w[1], w[2], call.pe)) {
                free_communicator(w[1] & ~MOG_MPI_INTERNAL, w[2]);
                delivery_.resume(call.pe, 0);
            } else {
                delivery_.resume(call.pe, failed(MPI_ERR_COMM));
            }
            break;
        case MOG_MPI_join:
        case MOG_MPI_merge: collectives_.join(call); break;
        case MOG_MPI_members: return members(call);
        case MOG_MPI_combine: return combine(call);
        case MOG_MPI_variable:
            if (mail_) MOG_TRY(mail_->end());  // it may ask for counts of messages
            variable(call);
            break;
        case MOG_MPI_file_read:
        case MOG_MPI_file_write: files_.move(call); break;
        case MOG_MPI_file_pointer: files_.pointer(call); break;
        case MOG_MPI_file_size: files_.size(call); break;
        case MOG_MPI_win_create:
        case MOG_MPI_win_attach:
        case MOG_MPI_win_detach:
        case MOG_MPI_win_access:
        case MOG_MPI_win_lock:
        case MOG_MPI_win_unlock: windows_.serve(call); break;
        default:
            if (call.operation() >= MOG_MPI_barrier && call.operation() <= MOG_MPI_create && !is_gap(call.operation()))
                collectives_.join(call);
            else delivery_.resume(call.pe, failed(MPI_ERR_UNSUPPORTED_OPERATION));
    }
    return delivery_.state();
}

Result<void> Engine::wait(const MpiCall &call) {
    const u32 *w = call.words;
    if (w[2] == 1) {
        messages_.wait(call, {w + 1, 1});
        return {};
    }
    if (!is_list(delivery_, w)) {
        delivery_.resume(call.pe, failed(MPI_ERR_ARG));
        return {};
    }
    const u64 bytes = 4ull * w[2];
    const auto numbers = [](std::span<const u8> from) { return std::span(reinterpret_cast<const u32 *>(from.data()), from.size() / 4); };
    if (bytes <= most_staging) {
        const u32 at = w[2] == 0 ? 0 : lists_.transfers()[next_list_++].staging;
        messages_.wait(call, numbers(std::span<const u8>(listed_).subspan(at, bytes)));
    } else {
        u32 pending = 0;
        messages_.begin_wait(call.pe);
        Staging piece;
        std::vector<u8> listed;
        for (u64 done = 0; done < bytes; done += piece.bytes()) {
            piece.clear();
            piece.add(call.pe, static_cast<u32>(w[1] + done), static_cast<u32>(std::min(most_staging, bytes - done)));
            MOG_TRY(delivery_.fetch(piece, listed));
            pending += messages_.count_pending(call.pe, numbers(listed));
        }
        messages_.end_wait(call, pending);
    }
    // Each number is looked up.
    return delivery_.is_over_after(4 * bytes) ? Error{} : Result<void>();
}

/// A member frees it. With members in other processes it stays until all of those have, for their messages may be on their way.
void Engine::free_communicator(u32 context, u32 me) {
    if (!communicators_.leave(context, me)) return;
    const std::shared_ptr<const Span> span = communicators_[context].span;
    if (span)
        for (const u32 process : span->processes)
            if (process != bridge_->process()) bridge_->send(process, Frame::Left, head_bytes(span->id));
    process_left(context);
}

/// All members of a process have freed it.
void Engine::process_left(u32 context) {
    if (!communicators_.has_left(context)) return;
    const std::shared_ptr<const Span> span = communicators_[context].span;
    communicators_.release(context);
    collectives_.forget(context);
    files_.forget(context, span ? span->id : GlobalContext{});
    windows_.forget(context);
}

/// The first one counts.
void Engine::abort(const MpiCall &call) {
    constexpr u32 most_bytes = 512;
    if (aborted_) return;
    const u32 address = call.words[4], bytes = std::min(call.words[5], most_bytes);
    aborted_ = Abort{call.pe, static_cast<int>(call.words[3]), {}};
    if (bytes == 0 || !delivery_.has_memory(address, bytes)) return;
    std::string text(bytes, ' ');
    const Transfer transfer{call.pe, address, bytes, 0, false};
    if (delivery_.fetch({&transfer, 1}, {reinterpret_cast<u8 *>(text.data()), bytes}))
        aborted_->why = trim(text + std::string(text_of_error(call.words[6])));
}

Result<void> Engine::members(const MpiCall &call) {
    const u32 *w = call.words, first = w[3], count = w[4], address = w[5];
    const Communicator *c = communicators_.find(w[1], w[2], call.pe);
    if (c && call.has(MOG_MPI_REMOTE)) c = c->remote == MOG_MPI_NO_CONTEXT ? nullptr : &communicators_[c->remote];
    const int error = !c                                             ? MPI_ERR_COMM
                      : u64{first} + count > c->size                 ? MPI_ERR_RANK
                      : !delivery_.has_room(address, u64{4} * count) ? MPI_ERR_BUFFER
                                                                     : MPI_SUCCESS;
    delivery_.resume(call.pe, failed(error));
    if (error != MPI_SUCCESS || count == 0) return {};
    const auto context = static_cast<u32>(c - &communicators_[0]);
    if (c->is_self || context != members_.context || first != members_.first || count != members_.count) {
        MOG_TRY(tell_members());
        members_ = {c->is_self ? MOG_MPI_NO_CONTEXT : context, first, count, {}, {}};
        for (u32 i = 0; i < count; i++) members_.ranks.push_back(communicators_.world_rank_of(*c, first + i, call.pe));
    }
    members_.by.push_back({call.pe, address, 4 * count, 0, false});
    return {};
}

Result<void> Engine::tell_members() {
    const Asked asked = std::exchange(members_, {});
    if (asked.by.empty()) return {};
    return delivery_.put_many(asked.by, {reinterpret_cast<const u8 *>(asked.ranks.data()), 4 * asked.ranks.size()});
}

/// MPI_Reduce_local, at once: in the order of the operation, what comes in first.
Result<void> Engine::combine(const MpiCall &call) {
    constexpr u32 at_once = 4u << 20;
    const u32 in = call.words[4], inout = call.words[5], size = size_of_type(call.type());
    const u64 bytes = u64{size} * call.words[6];
    Combine *const do_combine = find_combine(call.type(), call.reduction());
    int error = size == 0 ? MPI_ERR_TYPE : do_combine ? MPI_SUCCESS : MPI_ERR_OP;
    if (error == MPI_SUCCESS && (bytes > INT32_MAX || !delivery_.has_memory(in, bytes) || !delivery_.has_room(inout, bytes)))
        error = MPI_ERR_BUFFER;
    Staging both;
    std::vector<u8> staging;
    for (u64 done = 0; error == MPI_SUCCESS && done < bytes;) {
        const auto length = static_cast<u32>(std::min<u64>(at_once / size * size, bytes - done)), offset = static_cast<u32>(done);
        both.clear();
        both.add(call.pe, in + offset, length);
        const u32 place = both.add(call.pe, inout + offset, length);
        MOG_TRY(delivery_.fetch(both, staging));
        do_combine(staging.data(), staging.data() + place, length / size);
        delivery_.put(call.pe, inout + offset, {staging.data(), length});
        done += length;
    }
    delivery_.resume(call.pe, failed(error));
    return {};
}

Result<void> Engine::settle() {
    if (!mail_) return {};
    MOG_TRY(mail_->settle());
    std::vector<u32> resumed;  // nobody: who waits for what is in a mailbox runs
    return flush(resumed);
}

Result<bool> Engine::restore() {
    if (has_ended_.size() != nproc_ || ended_ != static_cast<u32>(std::ranges::count(has_ended_, true))) return false;
    if (std::ranges::any_of(finalizing_, [&](u32 pe) { return pe >= nproc_; })) return false;
    if (ending_ && !ending_->is_sound()) return false;
    if (!budget_.is_sound() || !communicators_.is_sound() || !messages_.restore() || !collectives_.restore() || !files_.is_sound() ||
        !windows_.restore() || (send_counts_ && !send_counts_->is_sound(nproc_)))
        return false;
    if (mail_) MOG_TRY(mail_->begin_anew());
    return true;
}

void Engine::ended(u32 pe) {
    if (has_ended_[pe]) return;
    has_ended_[pe] = true;
    ended_++;
    release_finalized();
}

/// Once all PEs have come, in all processes.
void Engine::release_finalized() {
    if (finalizing_.size() + ended_ < nproc_) return;
    if (ending_ && !ending_->may_finalize()) return ending_->tell_finalizing();
    for (const u32 pe : finalizing_) delivery_.resume(pe, 0);
    // Each of them will end, and count among those that have.
    finalizing_.clear();
}

}  // namespace mog::mpi
