// engine.cpp: which call goes where, and the order of a round: what calls read, what they begin, what is done by it,
// what goes to PEs.
#include "runtime_host/mpi/engine.hpp"

#include <algorithm>

#include "runtime_host/mpi/call_names.hpp"
#include "runtime_host/mpi/combine.hpp"
#include "runtime_pe/include/mpi.h"
#include "support/text.hpp"

namespace mog::mpi {

namespace {

u32 failed(int error_class) {
    return static_cast<u32>(-error_class);
}

/// Numbers between those of collectives that are not used.
bool is_gap(u32 operation) {
    return operation > MOG_MPI_exscan && operation < MOG_MPI_split;
}

}  // namespace

Engine::Engine(Device &device, u32 nproc, u32 data_bytes, AnswerRows rows, const Settings &settings, Host host, Bridge *bridge)
    : nproc_(nproc),
      data_bytes_(data_bytes),
      checks_(settings.check),
      bridge_(bridge),
      host_(std::move(host)),
      limits_(settings.limits),
      delivery_(device, rows, data_bytes),
      communicators_(bridge ? World{nproc, bridge->process(), bridge->processes()} : World{nproc}),
      messages_(communicators_, delivery_, settings, host_, observers_, bridge),
      collectives_(communicators_, delivery_, messages_, host_, settings.check, bridge),
      files_(communicators_, delivery_, host_, bridge),
      windows_(communicators_, delivery_, bridge),
      has_ended_(nproc) {
    if (bridge) ending_.emplace(*bridge);
}

/// Numbers that waits of several operations name, one list after the other; a list outside of memory is left out.
Result<void> Engine::fetch_lists(std::span<const Request> calls) {
    fetches_.clear();
    u32 words = 0;
    for (const Request &q : calls) {
        const u32 *w = q.data() + MOG_Q_ARG;
        if ((w[0] & 0xff) != MOG_MPI_wait || w[2] <= 1 || w[1] % 4 != 0 || !delivery_.in_data(w[1], 4ull * w[2]))
            continue;
        fetches_.push_back({q[MOG_Q_PE], w[1], 4 * w[2], 4 * words, false});
        words += w[2];
    }
    lists_.resize(words);
    if (fetches_.empty()) return {};
    return delivery_.fetch(fetches_, {reinterpret_cast<u8 *>(lists_.data()), 4 * lists_.size()});
}

Result<void> Engine::serve(std::span<const Request> calls, std::vector<u32> &resumed) {
    if (Result<void> done = fetch_lists(calls); !done) return done;
    auto fetched = fetches_.begin();
    const double seconds = observers_.empty() ? 0 : host_.seconds();
    for (const Request &q : calls) {
        const u32 *w = q.data() + MOG_Q_ARG;
        std::span<const u32> list;
        if (fetched != fetches_.end() && fetched->pe == q[MOG_Q_PE]) {
            list = {lists_.data() + fetched->staging / 4, fetched->length / 4};
            ++fetched;
        } else if (w[2] == 1) {
            list = {w + 1, 1};
        }
        for (const auto &observer : observers_) observer->called({q[MOG_Q_PE], w}, seconds);
        serve_one({q[MOG_Q_PE], w}, list);
    }
    if (Result<void> done = windows_.end_round(); !done) return done;
    if (Result<void> done = collectives_.end_round(); !done) return done;
    if (Result<void> done = messages_.end_round(); !done) return done;
    if (Result<void> done = files_.end_round(); !done) return done;
    if (bridge_)
        if (Result<void> done = advance(); !done) return done;
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

Result<void> Engine::resume_others(std::vector<u32> &resumed) {
    return flush(resumed);
}

void Engine::serve_one(const MpiCall &call, std::span<const u32> list) {
    const u32 *w = call.words;
    switch (call.operation()) {
        case MOG_MPI_initialize:
        case MOG_MPI_yield:
            return delivery_.resume(call.pe, 0);
        case MOG_MPI_finalize:
            finalizing_.push_back(call.pe);
            if (w[1] != 0) {
                if (left_types_.count == 0 || call.pe < left_types_.first) left_types_.first = call.pe;
                left_types_.count += std::min(w[1], UINT32_MAX - left_types_.count);
            }
            return release_finalized();
        case MOG_MPI_abort:
            return abort(call);
        case MOG_MPI_send:
            return messages_.send(call);
        case MOG_MPI_receive:
            return messages_.receive(call);
        case MOG_MPI_probe:
            return messages_.probe(call);
        case MOG_MPI_wait:
            if (list.size() != w[2]) return delivery_.resume(call.pe, failed(MPI_ERR_ARG));
            return messages_.wait(call, list);
        case MOG_MPI_cancel:
            return messages_.cancel(call);
        case MOG_MPI_free:
            if (!communicators_.find(w[1], w[2], call.pe)) return delivery_.resume(call.pe, failed(MPI_ERR_COMM));
            free_communicator(w[1] & ~MOG_MPI_INTERNAL);
            return delivery_.resume(call.pe, 0);
        case MOG_MPI_join:
        case MOG_MPI_merge:
            return collectives_.join(call);
        case MOG_MPI_members:
            return members(call);
        case MOG_MPI_combine:
            return combine(call);
        case MOG_MPI_variable:
            return variable(call);
        case MOG_MPI_file_read:
        case MOG_MPI_file_write:
            return files_.move(call);
        case MOG_MPI_file_pointer:
            return files_.pointer(call);
        case MOG_MPI_file_size:
            return files_.size(call);
        case MOG_MPI_win_create:
        case MOG_MPI_win_attach:
        case MOG_MPI_win_detach:
        case MOG_MPI_win_access:
        case MOG_MPI_win_lock:
        case MOG_MPI_win_unlock:
            return windows_.serve(call);
        default:
            if (call.operation() >= MOG_MPI_barrier && call.operation() <= MOG_MPI_create && !is_gap(call.operation()))
                return collectives_.join(call);
            return delivery_.resume(call.pe, failed(MPI_ERR_UNSUPPORTED_OPERATION));
    }
}

/// A member frees it. With members in other processes it stays until all of those have, for their messages may be on their way.
void Engine::free_communicator(u32 context) {
    if (!communicators_.leave(context)) return;
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
    if (bytes == 0 || !delivery_.in_data(address, bytes)) return;
    std::string text(bytes, ' ');
    const Transfer transfer{call.pe, address, bytes, 0, false};
    if (delivery_.fetch({&transfer, 1}, {reinterpret_cast<u8 *>(text.data()), bytes})) aborted_->why = trim(text + std::string(text_of_error(call.words[6])));
}

void Engine::members(const MpiCall &call) {
    const u32 *w = call.words;
    const Communicator *c = communicators_.find(w[1], w[2], call.pe);
    if (c && call.has(MOG_MPI_REMOTE)) c = c->remote == MOG_MPI_NO_CONTEXT ? nullptr : &communicators_[c->remote];
    if (!c) return delivery_.resume(call.pe, failed(MPI_ERR_COMM));
    if (u64{w[3]} + w[4] > c->size) return delivery_.resume(call.pe, failed(MPI_ERR_RANK));
    if (!delivery_.in_data(w[5], u64{4} * w[4])) return delivery_.resume(call.pe, failed(MPI_ERR_BUFFER));
    std::vector<u32> ranks;
    for (u32 i = 0; i < w[4]; i++) ranks.push_back(communicators_.world_rank_of(*c, w[3] + i, call.pe));
    delivery_.put(call.pe, w[5], {reinterpret_cast<const u8 *>(ranks.data()), 4 * ranks.size()});
    delivery_.resume(call.pe, 0);
}

/// MPI_Reduce_local, at once: in the order of the operation, what comes in first.
void Engine::combine(const MpiCall &call) {
    const u32 in = call.words[4], inout = call.words[5], size = size_of_type(call.type());
    const u64 bytes = u64{size} * call.words[6];
    Combine *const do_combine = find_combine(call.type(), call.reduction());
    int error = size == 0 ? MPI_ERR_TYPE : do_combine ? MPI_SUCCESS : MPI_ERR_OP;
    if (error == MPI_SUCCESS &&
        (bytes > INT32_MAX || !delivery_.in_data(in, bytes) || !delivery_.in_data(inout, bytes)))
        error = MPI_ERR_BUFFER;
    if (error == MPI_SUCCESS && bytes != 0) {
        const auto length = static_cast<u32>(bytes), row = (length + 3) & ~u32{3};
        std::vector<u8> both(2 * std::size_t{row});
        const Transfer transfers[] = {{call.pe, in, length, 0, false}, {call.pe, inout, length, row, false}};
        if (delivery_.fetch(transfers, both)) {
            do_combine(both.data(), both.data() + row, call.words[6]);
            delivery_.put(call.pe, inout, {both.data(), length});
        } else {
            error = MPI_ERR_OTHER;
        }
    }
    delivery_.resume(call.pe, failed(error));
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
