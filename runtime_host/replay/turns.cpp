// turns.cpp: PEs that saw each other's memory at any time, again: each turn of each of them, in the order in which they were.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/linux/syscalls.hpp"
#include "runtime_host/population/population.hpp"
#include "runtime_host/replay/replayer.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;

/// Of a run(): then somebody may look whether the run is to end.
constexpr u32 most_entries = 1u << 12;

}  // namespace

Result<std::uint64_t> Replayer::count_of(u32 pe) {
    std::array<u32, 2> count{};
    const std::array<Transfer, 2> transfers = {Transfer{pe, MOG_S_COUNT_LO, sizeof(u32), 0, true},
                                               Transfer{pe, MOG_S_COUNT_HI, sizeof(u32), sizeof(u32), true}};
    MOG_TRY(device_->gather(transfers, {reinterpret_cast<std::uint8_t *>(count.data()), sizeof count}));
    return count[0] | std::uint64_t{count[1]} << 32;
}

/// Some of the turn of the member that the recording speaks of; how many instructions that was. Under gdb it may be less than it could be,
/// or a little more.
Result<u32> Replayer::run_turn(u32 passes) {
    Member &member = members_[member_];
    const u32 allowed = std::min(passes, member.left);
    std::uint64_t before = 0;
    if (is_debugged_) {
        const Result<std::uint64_t> count = count_of(member_);
        if (!count) return count.error();
        before = *count;
    }
    const Result<std::vector<Request>> stopped = device_->run({&member_, 1}, allowed, {});
    if (!stopped) return stopped.error();
    u32 done = allowed;
    if (is_debugged_) {
        const Result<std::uint64_t> count = count_of(member_);
        if (!count) return count.error();
        done = *count > before ? static_cast<u32>(*count - before) : 0;
    }
    member.ahead += done > member.left ? done - member.left : 0;
    member.left -= std::min(done, member.left);
    for (const Request &request : *stopped) {
        if (request[MOG_Q_STOP] == MOG_STOP_YIELD) continue;
        if (request[MOG_Q_PE] == member_) member.left = 0;  // the instruction that it stops in may not be counted
        members_[request[MOG_Q_PE]].stands = request;
    }
    return done;
}

/// A call or a fault that the recording has. False: gdb has kept the member from coming to it.
Result<bool> Replayer::comes_to(const RecordedEntry &entry) {
    Member &member = members_[member_];
    if (!member.stands && is_debugged_) {
        // A fault that gdb was shown is one when gdb lets it.
        member.left = 1;
        const Result<u32> done = run_turn(1);
        if (!done) return done.error();
        member.left = 0;
        if (!member.stands && *done == 0) return false;
    }
    if (!member.stands)
        return Error{fmt::format("the replay of PE {} is not the run that was recorded: a PE goes on, and the recording has {}",
                                 recording_->rank(), words_of(entry))};
    if (!is_same(*member.stands, entry)) return diverges(*member.stands, words_of(entry));
    last_[process_of(member_)] = *member.stands;
    member.in_call = entry.kind == RecordedKind::Call;
    return true;
}

/// A thread that calls exit() is no more; if it was the last one, its process's end follows.
Result<void> Replayer::look_for_exit(const Request &call) {
    const SyscallRow *const row = call[MOG_Q_STOP] == MOG_STOP_SYS && call[MOG_Q_INFO] == 0 ? find_syscall(call[MOG_Q_NUMBER]) : nullptr;
    if (!row || row->handler != sys_exit || processes_ == members_.size()) return {};
    const Result<const RecordedEntry *> next = recording_->next();
    if (!next) return next.error();
    if (*next && (*next)->kind == RecordedKind::End) return {};
    members_[member_].lives = false;
    if (tell_of_thread_) tell_of_thread_(member_, false);
    return {};
}

/// One is told of; when it has ended, the others are not wanted any more.
void Replayer::leave_all(const Request &chosen, std::vector<Request> &out) {
    is_over_ = true;
    out.push_back(chosen);
    for (u32 process = 0; process < processes_; ++process) {
        if (has_ended_[process] || process == chosen_) continue;
        Request request{};
        request[MOG_Q_PE] = process;
        out.push_back(call_to_exit(request, 0));
    }
    std::ranges::sort(out, {}, [](const Request &request) { return request[MOG_Q_PE]; });
}

Result<void> Replayer::end_process(const RecordedEntry &end, std::vector<Request> &out) {
    const u32 process = process_of(member_);
    const Request &request = last_[process];
    has_ended_[process] = true;
    if (process != chosen_) {
        out.push_back(call_to_exit(request, 0));
        return {};
    }
    const Result<std::optional<Request>> ended = serve_end(request, end, !members_[request[MOG_Q_PE]].in_call);
    if (!ended) return ended.error();
    if (*ended) leave_all(**ended, out);
    return {};
}

Result<std::vector<Request>> Replayer::run_turns(u32 passes) {
    std::vector<Request> out;
    for (u32 entries = 0; entries < most_entries && passes != 0 && out.empty() && !is_over_; ++entries) {
        if (Member &member = members_[member_]; member.left != 0) {
            if (member.stands) return diverges(*member.stands, "more instructions before that");
            const Result<u32> done = run_turn(passes);
            if (!done) return done.error();
            if (member.left != 0) return out;  // it is not for it alone to run, or gdb wants something else
            passes -= std::min(passes, *done);
        }
        const Result<const RecordedEntry *> next = recording_->next();
        if (!next) return next.error();
        if (!*next) {
            say_(fmt::format("the recording of PE {} ends here{}", recording_->rank(),
                             recording_->is_whole() ? "" : ": its run was killed"));
            leave_all(call_to_exit(last_[chosen_], unknown_status), out);
            return out;
        }
        const RecordedEntry &entry = **next;
        switch (entry.kind) {
            case RecordedKind::Member:
                if (entry.value >= members_.size())
                    return Error{fmt::format("the recording of PE {} is damaged: it has a member {}", recording_->rank(), entry.value)};
                member_ = entry.value;
                break;
            case RecordedKind::Turn: {
                Member &member = members_[member_];
                const u32 ahead = std::min(member.ahead, entry.value);
                member.ahead -= ahead;
                member.left = entry.value - ahead;
                if (!member.lives && tell_of_thread_) tell_of_thread_(member_, true);
                member.lives = true;
                break;
            }
            case RecordedKind::Call:
            case RecordedKind::Fault: {
                const Result<bool> comes = comes_to(entry);
                if (!comes) return comes.error();
                if (!*comes) return out;
                recording_->take();
                MOG_TRY(look_for_exit(*std::exchange(members_[member_].stands, std::nullopt)));
                continue;
            }
            case RecordedKind::Answer:
            case RecordedKind::Failed:
                members_[member_].in_call = false;
                MOG_TRY(give(entry, nullptr));
                break;
            case RecordedKind::End: MOG_TRY(end_process(entry, out)); break;
            default: MOG_TRY(give(entry, &last_[process_of(member_)])); break;
        }
        recording_->take();
    }
    return out;
}

}  // namespace mog
