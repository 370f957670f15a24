// recorder.cpp
#include "runtime_host/replay/recorder.hpp"

#include <algorithm>

#include "runtime_host/linux/syscalls.hpp"
#include "support/files/hash.hpp"

namespace mog {

namespace {

/// Entries of a PE that are written at once; and of all together, of which there may be a million.
constexpr std::size_t most_of_one = 256 << 10, most_of_all = 64 << 20;
/// A run that is killed loses no more than the last ones.
constexpr std::chrono::seconds longest_wait{1};

}  // namespace

Result<void> Recorder::load(const Image &image, const LoadConfig &config) {
    LoadConfig told = config;
    told.turns = [this](u32 pe, u32 instructions) {
        kept_[pe].stands = kept_[pe].is_told = false;  // others may have woken it in the midst of the launch
        of(pe).turn(instructions);
    };
    MOG_TRY(device_->load(image, told));
    kept_.resize(config.nproc);
    processes_ = config.processes();
    streams_.resize(config.window_bytes != 0 ? 1 : processes_);
    has_turns_ = config.threads > 1 || config.window_bytes != 0;
    // Several devices have told their PEs already which of them it is.
    std::vector<Transfer> transfers;
    for (u32 pe = 0; pe < processes_; ++pe) transfers.push_back({pe, MOG_DATA_BASE + 4 * MOG_CB_DEVICE, sizeof(u32), 4 * pe, false});
    staging_.resize(sizeof(u32) * transfers.size());
    MOG_TRY(device_->gather(transfers, staging_));
    for (const Transfer &t : transfers) {
        const std::span<const std::uint8_t> number = std::span(staging_).subspan(t.staging, t.length);
        if (std::ranges::any_of(number, [](std::uint8_t byte) { return byte != 0; })) of(t.pe).memory(t.address, number);
    }
    return {};
}

void Recorder::stops(const Request &request) {
    const u32 stop = request[MOG_Q_STOP];
    Kept &kept = kept_[request[MOG_Q_PE]];
    if (stop == MOG_STOP_YIELD || kept.is_told) return;
    kept.stands = kept.is_told = true;
    kept.is_late = false;
    if (stop >= MOG_STOP_FIRST_FAULT) return of(request[MOG_Q_PE]).fault(request[MOG_Q_PC], stop);
    kept.call = request[MOG_Q_INFO] == 0 ? request[MOG_Q_NUMBER] : 0;
    // Registers that hold no argument may hold anything, which is not the same on each device.
    const SyscallRow *const row = request[MOG_Q_INFO] == 0 ? find_syscall(kept.call) : nullptr;
    of(request[MOG_Q_PE])
        .call(request[MOG_Q_PC], request[MOG_Q_NUMBER], request[MOG_Q_INFO],
              std::span(request).subspan(MOG_Q_ARG, row ? row->arguments.size() : 0));
}

RecordedEntries &Recorder::of(u32 pe) {
    const bool is_one = streams_.size() == 1 && processes_ != 1;
    Stream &stream = streams_[is_one ? 0 : pe % processes_];
    const u32 member = is_one ? pe : pe / processes_;
    if (stream.member != member) stream.entries.member(member);
    stream.member = member;
    return stream.entries;
}

/// Where PEs run in turns, it is known between which of them something comes.
RecordedEntries &Recorder::to(u32 pe) {
    Kept &kept = kept_[pe];
    if (!has_turns_ && !kept.stands && !kept.is_late) {
        kept.is_late = true;
        of(pe).late();
    }
    return of(pe);
}

Result<std::vector<Request>> Recorder::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    MOG_TRY(write_some());
    for (const u32 pe : active) kept_[pe].stands = kept_[pe].is_told = false;
    Result<std::vector<Request>> stopped = device_->run(active, passes, own_passes);
    if (stopped)
        for (const Request &request : *stopped) stops(request);
    return stopped;
}

/// The call's PE is nobody else's concern meanwhile; and what serves it serves one at a time.
void Recorder::serve_at_once(ServeAtOnce serve) {
    if (!serve) return device_->serve_at_once({});
    device_->serve_at_once([this, serve = std::move(serve)](const Request &call, std::vector<u32> &woken) {
        stops(call);
        const Served served = serve(call, woken);
        Kept &kept = kept_[call[MOG_Q_PE]];
        if (served == Served::runs_on || served == Served::yields) kept.stands = kept.is_told = false;
        return served;
    });
}

Result<void> Recorder::scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) {
    MOG_TRY(device_->scatter(transfers, staging));
    for (const Transfer &t : transfers) {
        const std::span<const std::uint8_t> bytes = staging.subspan(t.staging, t.length);
        if (!t.is_state) {
            to(t.pe).memory(t.address, bytes);
            continue;
        }
        u32 value = 0;
        std::copy_n(bytes.begin(), sizeof value, reinterpret_cast<std::uint8_t *>(&value));
        to(t.pe).state(t.address, value);
    }
    return {};
}

Result<void> Recorder::answer(std::span<const Answer> answers, AnswerRows rows) {
    MOG_TRY(device_->answer(answers, rows));
    for (const Answer &answer : answers) to(answer.pe).answer(answer.value, answer.failed);
    return {};
}

/// What another PE had is fetched from where it is now.
Result<void> Recorder::copy(std::span<const Copy> copies) {
    MOG_TRY(device_->copy(copies));
    constexpr std::size_t at_once = 16 << 20;
    for (std::size_t begin = 0; begin < copies.size();) {
        std::vector<Transfer> transfers;
        std::size_t bytes = 0, end = begin;
        for (; end < copies.size() && (end == begin || bytes + copies[end].length <= at_once); ++end) {
            transfers.push_back({copies[end].to_pe, copies[end].to, copies[end].length, static_cast<u32>(bytes), false});
            bytes += (copies[end].length + 3u) & ~3u;
        }
        staging_.resize(bytes);
        MOG_TRY(device_->gather(transfers, staging_));
        for (const Transfer &t : transfers) to(t.pe).memory(t.address, std::span(staging_).subspan(t.staging, t.length));
        begin = end;
    }
    return {};
}

void Recorder::printed(u32 pe, int stream, std::string_view bytes) {
    // Which of a process's threads it is, nobody says.
    const SyscallRow *const row = kept_.size() == processes_ ? find_syscall(kept_[pe].call) : nullptr;
    const bool is_in_memory = row && (row->handler == sys_write || row->handler == sys_writev);
    if (is_in_memory) return of(pe).printed(stream, static_cast<u32>(bytes.size()), fnv1a(bytes));
    of(pe).text(stream, {reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
}

void Recorder::has_ended(u32 pe, const PeEnd &end) {
    Kept &kept = kept_[pe];
    if (kept.has_ended) return;
    kept.has_ended = true;
    of(pe).end(static_cast<u32>(end.by), static_cast<u32>(end.status), static_cast<u32>(end.signal));
}

Result<void> Recorder::write(u32 stream) {
    RecordedEntries &entries = streams_[stream].entries;
    if (entries.bytes().empty()) return {};
    Result<void> written = writer_.append(stream, entries.bytes());
    entries.clear();
    return written;
}

/// All of it where there is much, or it has waited long; else that of a few PEs, if they have much.
Result<void> Recorder::write_some() {
    const auto now = std::chrono::steady_clock::now();
    bool all = now - written_ >= longest_wait;
    if (!all) {
        constexpr std::size_t looked_at = 64;
        for (std::size_t i = 0; i < std::min(looked_at, streams_.size()); ++i) {
            next_ = (next_ + 1) % streams_.size();
            const std::size_t bytes = streams_[next_].entries.bytes().size();
            if (bytes > most_of_one || bytes > most_of_all / streams_.size()) MOG_TRY(write(static_cast<u32>(next_)));
        }
        return {};
    }
    for (u32 stream = 0; stream < streams_.size(); ++stream) MOG_TRY(write(stream));
    written_ = std::chrono::steady_clock::now();
    return {};
}

Result<void> Recorder::finish() {
    for (u32 stream = 0; stream < streams_.size(); ++stream) MOG_TRY(write(stream));
    return writer_.finish();
}

}  // namespace mog
