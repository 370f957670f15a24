// multi_process_windows.cpp: windows with parts in several processes. Who wants something of a part asks the process that has it. A PE has
// one call at a time, so answers need nothing but its rank.
#include "abi/mpi_constants.h"
#include "runtime_host/mpi/rma/windows.hpp"

namespace mog::mpi {

namespace {

std::span<const u8> bytes_of(std::span<const mog_mpi_target_run> runs) {
    return {reinterpret_cast<const u8 *>(runs.data()), runs.size_bytes()};
}

std::vector<u8> take_bytes(FrameReader &frame, bool is_there, u32 count) {
    const std::span<const u8> bytes = frame.bytes(is_there ? count : 0);
    return {bytes.begin(), bytes.end()};
}

}  // namespace

Windows::Windows(Communicators &communicators, Delivery &delivery, Bridge *bridge)
    : communicators_(communicators),
      delivery_(delivery),
      bridge_(bridge),
      accesses_(delivery, [this](const WindowCall &call, const mog_mpi_access &words, std::span<const mog_mpi_target_run> runs,
                                 std::span<const u8> origin, std::span<const u8> compare) {
          const Communicator &c = communicators_[call.context];
          const World &world = communicators_.world();
          const AccessHead head{c.span->id, world.rank_of(call.pe), words};
          // A frame has three pieces; comparisons are of one element.
          std::vector<u8> sides(origin.begin(), origin.end());
          sides.insert(sides.end(), compare.begin(), compare.end());
          bridge_->send(world.process_of(communicators_.world_rank_of(c, words.target, 0)), Frame::Access, head_bytes(head), bytes_of(runs),
                        sides);
      }) {}

Windows::Window *Windows::find(const GlobalContext &id, u32 &context) {
    context = communicators_.find_global(id);
    const auto found = windows_.find(context);
    return found == windows_.end() ? nullptr : &found->second;
}

void Windows::take(Frame kind, FrameReader frame) {
    switch (kind) {
        case Frame::Access: return take_access(frame);
        case Frame::Accessed: return take_accessed(frame);
        case Frame::Lock: return take_lock(frame.take<LockRequest>());
        default: {  // Locked
            const auto answer = frame.take<LockAnswer>();
            if (communicators_.world().is_here(answer.rank)) answered(communicators_.world().pe_of(answer.rank), answer.error);
        }
    }
}

void Windows::take_access(FrameReader frame) {
    const auto head = frame.take<AccessHead>();
    ForeignAccess &access = foreign_.emplace_back();
    access.rank = head.rank;
    access.words = head.words;
    const mog_mpi_access &a = head.words;
    const std::span<const u8> runs = frame.bytes(a.runs == 0 ? 0 : std::size_t{a.run_count} * sizeof(mog_mpi_target_run));
    access.runs.resize(runs.size() / sizeof(mog_mpi_target_run));
    if (!runs.empty()) std::memcpy(access.runs.data(), runs.data(), runs.size());
    access.origin = take_bytes(frame, reads_origin(a), a.bytes);
    access.compare = take_bytes(frame, a.kind == MOG_MPI_SWAP, a.bytes);
    u32 context = 0;
    const Window *const window = find(head.context, context);
    WindowCall call{.foreign = &access};
    if (window && frame.is_good()) {
        call.parts = window->parts;
        calls_.push_back(std::move(call));
        return;
    }
    call.error = MPI_ERR_WIN;
    answer_access(call);
    foreign_.pop_back();
}

void Windows::answer_access(const WindowCall &call) {
    const ForeignAccess &access = *call.foreign;
    const AccessAnswer answer{access.rank, call.error, access.words.result};
    bridge_->send(communicators_.world().process_of(access.rank), Frame::Accessed, head_bytes(answer), access.result);
}

void Windows::take_accessed(FrameReader frame) {
    const auto answer = frame.take<AccessAnswer>();
    if (!communicators_.world().is_here(answer.rank)) return;
    const u32 pe = communicators_.world().pe_of(answer.rank);
    if (delivery_.has_memory(answer.address, frame.rest().size())) delivery_.put(pe, answer.address, frame.rest());
    answered(pe, answer.error);
}

/// Of all parts: one process after the other, in the same order for all, so that two who want them do not wait for each other.
int Windows::lock_elsewhere(u32 pe, const LockRequest &request, const Communicator &c) {
    const bool is_all = request.target == MOG_MPI_ALL_RANKS;
    const auto processes = static_cast<u32>(c.span->processes.size());
    waiting_[pe] = {is_all ? processes : 1, MPI_SUCCESS, request, c.span, 1};
    if (!is_all) {
        ask_lock(communicators_.world().process_of(communicators_.world_rank_of(c, request.target, 0)), request);
        return later;
    }
    // Who gives locks back has none to wait for.
    const std::shared_ptr<const Span> span = c.span;
    for (const u32 process : std::span(span->processes).first(request.locks != 0 ? 1 : processes)) ask_lock(process, request);
    return later;
}

void Windows::ask_lock(u32 process, const LockRequest &request) {
    if (process != bridge_->process()) return bridge_->send(process, Frame::Lock, head_bytes(request));
    take_lock(request);
}

void Windows::take_lock(const LockRequest &request) {
    u32 context = 0;
    Window *const window = find(request.context, context);
    const int error = window ? change_locks(request, communicators_[context], *window) : MPI_ERR_WIN;
    if (error != later) answer_lock(request.rank, error);
}

void Windows::answer_lock(u32 rank, int error) {
    const World &world = communicators_.world();
    if (world.is_here(rank)) return answered(world.pe_of(rank), error);
    bridge_->send(world.process_of(rank), Frame::Locked, head_bytes(LockAnswer{rank, error}));
}

void Windows::answered(u32 pe, int error) {
    const auto found = waiting_.find(pe);
    if (found == waiting_.end()) return delivery_.resume(pe, static_cast<u32>(-error));
    Waiting &waiting = found->second;
    if (waiting.error == MPI_SUCCESS) waiting.error = error;
    const bool takes_all = waiting.lock && waiting.lock->locks != 0 && waiting.lock->target == MOG_MPI_ALL_RANKS;
    if (--waiting.answers != 0 && takes_all && error == MPI_SUCCESS) {
        const LockRequest request = *waiting.lock;
        return ask_lock(waiting.span->processes[waiting.next++], request);
    }
    if (waiting.answers != 0 && !takes_all) return;
    delivery_.resume(pe, static_cast<u32>(-waiting.error));
    waiting_.erase(found);
}

}  // namespace mog::mpi
