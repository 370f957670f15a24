// cuda_launches.cpp: streams, lists and records of the launches under way.
#include "runtime_host/devices/cuda/cuda_launches.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace mog {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Clock = std::chrono::steady_clock;

/// Some tens of microseconds where lanes are in step. Each look leads out of compiled blocks and back.
constexpr u32 passes_per_look = 16384;

}  // namespace

// ---- answers --------------------------------------------------------------------------------------------------------

void WaitingAnswers::reset(u32 nproc) {
    flags_.assign(nproc, 0);
    values_.assign(nproc, 0);
    count_ = 0;
}

void WaitingAnswers::put(std::span<const Answer> answers) {
    for (const Answer &a : answers) {
        count_ += flags_[a.pe] == 0;
        flags_[a.pe] = MOG_A_ANSWERED | (a.failed ? MOG_A_FAILED : 0u);
        values_[a.pe] = a.value;
    }
}

void WaitingAnswers::write(u32 *element, u32 pe) {
    const u32 flags = std::exchange(flags_[pe], 0);
    count_ -= flags != 0;
    element[0] = pe | flags;
    element[1] = values_[pe];
}

std::vector<Answer> WaitingAnswers::take() {
    std::vector<Answer> answers;
    for (u32 pe = 0; count_ != 0; pe++)
        if (const u32 flags = std::exchange(flags_[pe], 0)) {
            answers.push_back({pe, values_[pe], (flags & MOG_A_FAILED) != 0});
            count_--;
        }
    return answers;
}

// ---- launches -------------------------------------------------------------------------------------------------------

CudaLaunches::CudaLaunches(CudaSession &session, WaitingAnswers &answers, u32 nproc, Launch launch, Ran ran)
    : session_(session), answers_(answers), nproc_(nproc), launch_(std::move(launch)), ran_(std::move(ran)) {}

/// With room for all PEs: whatever frees memory waits for all that runs.
Result<void> CudaLaunches::make(Slot &slot) {
    const auto take = [](auto &to, auto made) -> Result<void> {
        if (!made) return made.error();
        to = *std::move(made);
        return {};
    };
    MOG_TRY(take(slot.stream, session_.make_stream(&slot == slots_.data() ? 0u : 1u)));
    MOG_TRY(take(slot.list, session_.make_pinned(4ull * MOG_A_WORDS * nproc_)));
    MOG_TRY(take(slot.records, session_.make_mapped(sizeof(Request) * u64{nproc_}, slot.buffers.requests)));
    MOG_TRY(take(slot.active, session_.make_memory(4ull * MOG_A_WORDS * nproc_)));
    MOG_TRY(take(slot.nrequests, session_.make_memory(4ull * MOG_N_WORDS)));
    MOG_TRY(take(slot.head, session_.make_pinned(4ull * MOG_N_WORDS)));
    slot.buffers.nrequests = slot.nrequests.get();
    slot.buffers.active = slot.active.get();
    slot.buffers.stream = slot.stream.get();
    slot.stopped.resize(nproc_);
    // The word that says which launch ends early is written at any time from now on.
    MOG_TRY(session_.fill_with_zeros(slot.buffers.nrequests, 4ull * MOG_N_WORDS));
    return session_.finish();
}

Result<void> CudaLaunches::start(std::span<const u32> pes, u32 passes) {
    MOG_TRY(session_.enter());
    Slot &slot = *std::ranges::find_if(slots_, [](const Slot &s) { return s.pes.empty(); });
    if (!slot.stream.get()) MOG_TRY(make(slot));
    u32 *element = words_at(slot.list);
    for (const u32 pe : pes) {
        answers_.write(element, pe);
        element += MOG_A_WORDS;
    }
    MOG_TRY(session_.write(slot.buffers.active, slot.list.get(), 4ull * MOG_A_WORDS * pes.size(), slot.buffers.stream));
    u32 *head = words_at(slot.head);
    head[0] = 0;
    head[MOG_N_PASSES_PER_LOOK] = passes_per_look;
    head[MOG_N_LAUNCH] = ++last_;
    head[MOG_N_AT_BLOCKS] = passes >= 2 * MOG_PASSES_KEPT;
    MOG_TRY(session_.write(slot.buffers.nrequests, head, 4ull * MOG_N_ENDS, slot.buffers.stream));
    MOG_TRY(session_.write(slot.buffers.nrequests + 4 * MOG_N_AT_BLOCKS, head + MOG_N_AT_BLOCKS, 4, slot.buffers.stream));
    MOG_TRY(launch_(slot.buffers, passes, static_cast<u32>(pes.size())));
    slot.pes.assign(pes.begin(), pes.end());
    slot.seen = 0;
    slot.early = false;
    slot.start = Clock::now();
    return {};
}

bool CudaLaunches::some_run() const {
    return std::ranges::any_of(slots_, [](const Slot &slot) { return !slot.pes.empty(); });
}

/// Those that are there, up to an eighth of all, so that the device has PEs to run while the rest is read. Their places are as they were,
/// after this, for the next launch.
bool CudaLaunches::read_records(Slot &slot, News &news) {
    const std::size_t end = std::min(slot.pes.size(), slot.seen + std::max<std::size_t>(slot.pes.size() / 8, 1024));
    u32 *record = words_at(slot.records) + std::size_t{slot.seen} * MOG_Q_WORDS;
    for (; slot.seen < end; slot.seen++, record += MOG_Q_WORDS) {
        // The kernel writes it last.
        if (std::atomic_ref(record[MOG_Q_STOP]).load(std::memory_order_acquire) == MOG_STOP_RUNNING) return true;
        std::memcpy(news.stopped.emplace_back().data(), record, sizeof(Request));
        slot.stopped[record[MOG_Q_PE]] = true;
        record[MOG_Q_STOP] = MOG_STOP_RUNNING;
    }
    return slot.seen == slot.pes.size();
}

void CudaLaunches::finish(Slot &slot, News &news) {
    for (const u32 pe : slot.pes)
        if (!slot.stopped[pe]) news.others.push_back(pe);
        else slot.stopped[pe] = false;
    const auto now = Clock::now();
    const auto seconds_since = [&](Clock::time_point then) { return std::chrono::duration<double>(now - then).count(); };
    news.over.push_back({static_cast<u32>(slot.pes.size()), slot.seen, seconds_since(slot.start), slot.early});
    ran_(seconds_since(std::max(slot.start, told_)));
    told_ = now;
    slot.pes.clear();
}

Result<void> CudaLaunches::take(News &news) {
    MOG_TRY(session_.enter());
    for (Slot &slot : slots_) {
        if (slot.pes.empty()) continue;
        // Asked first: what is done then has left all its records.
        const Result<bool> done = session_.is_done(slot.buffers.stream);
        if (!done) return done.error();
        const bool all = read_records(slot, news);
        if (*done && all) finish(slot, news);
    }
    return {};
}

/// By a copy in the session's own stream, which no kernel holds up; kernels find it in their cache, not across the bus. The launch may not
/// have begun yet, and may be over before the copy is done.
Result<void> CudaLaunches::end(Slot &slot) {
    slot.early = true;
    u32 *number = words_at(slot.head) + MOG_N_ENDS;
    *number = words_at(slot.head)[MOG_N_LAUNCH];
    return session_.write(slot.buffers.nrequests + 4 * MOG_N_ENDS, number, 4);
}

Result<void> CudaLaunches::end_all() {
    MOG_TRY(session_.enter());
    for (Slot &slot : slots_)
        if (!slot.pes.empty()) MOG_TRY(end(slot));
    return {};
}

Result<void> CudaLaunches::end_smallest() {
    MOG_TRY(session_.enter());
    Slot *smallest = nullptr;
    for (Slot &slot : slots_)
        if (!slot.pes.empty() && (!smallest || slot.running() < smallest->running())) smallest = &slot;
    return smallest && !smallest->early ? end(*smallest) : Result<void>();
}

}  // namespace mog
