// syscalls_threads.cpp: the calls of threads: clone, their ends, futex, memory that they share, and who they are.
#include <algorithm>
#include <cerrno>
#include <chrono>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/syscalls.hpp"

namespace mog {

namespace {

using Clock = std::chrono::steady_clock;

std::uint32_t process_of(const Call &call) { return call.process->rank; }

std::int32_t tid_of(const Call &call, std::uint32_t pe) { return pid_of(call.services, pe); }

/// The thread of the caller's process that has a number, if it is alive.
std::optional<std::uint32_t> thread_of_tid(const Call &call, std::uint32_t tid) {
    const Threads *threads = call.services.threads;
    if (!threads) return static_cast<std::uint32_t>(tid_of(call, call.pe)) == tid ? std::optional(call.pe) : std::nullopt;
    for (const std::uint32_t pe : threads->of_process(process_of(call)))
        if (static_cast<std::uint32_t>(tid_of(call, pe)) == tid) return pe;
    return std::nullopt;
}

bool reply_word(Call &call, std::uint32_t address, std::uint32_t value) {
    std::uint8_t word[4];
    guest::put32(word, value);
    return call.reply(address, word);
}

/// When a wait is over: after a time, or at one by a clock. Nothing: the time makes no sense.
std::optional<Clock::time_point> deadline(Call &call, bool is_absolute, bool is_realtime) {
    const std::optional<struct timespec> time = guest::to_host_timespec(call.input[1].first<guest::timespec_bytes_MIPS>());
    if (!time) return std::nullopt;
    std::chrono::nanoseconds left = std::chrono::seconds(time->tv_sec) + std::chrono::nanoseconds(time->tv_nsec);
    if (is_absolute) {
        struct timespec now {};
        clock_gettime(is_realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
        left -= std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    }
    return Clock::now() + left;
}

std::int32_t futex_wait(Call &call, std::uint32_t operation, std::uint32_t bits, bool is_realtime) {
    if (bits == 0) return failure(EINVAL);
    if (guest::get32(call.input[0].data()) != call.args[2]) return failure(EAGAIN);
    Threads::Wait wait{call.args[0], bits, {}};
    if (call.args[3] != 0) {
        wait.until = deadline(call, operation == guest::FUTEX_WAIT_BITSET_MIPS, is_realtime);
        if (!wait.until) return failure(EINVAL);
    }
    call.services.threads->wait(call.pe, wait);
    call.outcome = Outcome::Park;
    return 0;
}

std::int32_t futex_wake(Call &call, std::uint32_t count, std::uint32_t bits) {
    if (bits == 0) return failure(EINVAL);
    call.woken = call.services.threads->wake(process_of(call), call.args[0], count, bits);
    return static_cast<std::int32_t>(call.woken.size());
}

/// Some go on, and others wait elsewhere from now on.
std::int32_t futex_requeue(Call &call) {
    const std::int32_t woken = futex_wake(call, call.args[2], UINT32_MAX);
    return woken + static_cast<std::int32_t>(call.services.threads->requeue(process_of(call), call.args[0], call.args[4], call.args[3]));
}

}  // namespace

std::int32_t sys_clone(Call &call) {
    constexpr std::uint32_t needed = guest::CLONE_VM_MIPS | guest::CLONE_THREAD_MIPS | guest::CLONE_SIGHAND_MIPS;
    const auto [flags, stack, parent_tid, pointer, child_tid] =
        std::array{call.args[0], call.args[1], call.args[2], call.args[3], call.args[4]};
    if ((flags & needed) != needed || stack == 0) {
        call.is_unsupported = true;
        return failure(ENOSYS);
    }
    Threads *threads = call.services.threads;
    const bool tells_parent = (flags & guest::CLONE_PARENT_SETTID_MIPS) != 0, clears = (flags & guest::CLONE_CHILD_CLEARTID_MIPS) != 0;
    const bool tells_child = (flags & guest::CLONE_CHILD_SETTID_MIPS) != 0;
    if ((tells_parent && !call.has_memory(parent_tid, 4)) || ((clears || tells_child) && !call.has_memory(child_tid, 4)))
        return failure(EFAULT);
    const std::optional<std::uint32_t> pe = threads ? threads->take(process_of(call)) : std::nullopt;
    if (!pe) {
        if (call.services.lacks_threads && (!threads || threads->is_short_of(process_of(call))))
            call.services.lacks_threads(process_of(call));
        return failure(EAGAIN);
    }
    const std::int32_t tid = tid_of(call, *pe);
    if (tells_parent) reply_word(call, parent_tid, static_cast<std::uint32_t>(tid));
    if (tells_child) reply_word(call, child_tid, static_cast<std::uint32_t>(tid));
    if (clears) threads->cleared_at_end(*pe) = child_tid;
    call.started = StartedThread{*pe, stack, {}};
    if (flags & guest::CLONE_SETTLS_MIPS) call.started->thread_pointer = pointer;
    return tid;
}

std::int32_t sys_exit(Call &call) {
    Threads *threads = call.services.threads;
    if (!threads || threads->alive(process_of(call)) <= 1) return sys_exit_group(call);
    if (const std::uint32_t cleared = threads->cleared_at_end(call.pe); cleared != 0 && reply_word(call, cleared, 0))
        call.woken = threads->wake(process_of(call), cleared, 1, UINT32_MAX);
    call.outcome = Outcome::ThreadExit;
    return 0;
}

std::int32_t sys_exit_group(Call &call) {
    call.outcome = Outcome::Exit;
    call.exit_status = call.args[0] & 0xffu;
    return 0;
}

std::int32_t sys_futex(Call &call) {
    constexpr std::uint32_t flags = guest::FUTEX_PRIVATE_FLAG_MIPS | guest::FUTEX_CLOCK_REALTIME_MIPS;
    const std::uint32_t operation = call.args[1] & ~flags;
    const bool is_realtime = (call.args[1] & guest::FUTEX_CLOCK_REALTIME_MIPS) != 0;
    if (call.args[0] % 4 != 0) return failure(EINVAL);
    if (!call.services.threads) {
        // A process of one thread that waits would wait for ever: nobody can wake it. That is what Linux does, and here somebody says so.
        call.is_unsupported = operation == guest::FUTEX_WAIT_MIPS || operation == guest::FUTEX_WAIT_BITSET_MIPS;
        return call.is_unsupported ? failure(ENOSYS) : 0;
    }
    switch (operation) {
        case guest::FUTEX_WAIT_MIPS: return futex_wait(call, operation, UINT32_MAX, is_realtime);
        case guest::FUTEX_WAIT_BITSET_MIPS: return futex_wait(call, operation, call.args[5], is_realtime);
        case guest::FUTEX_WAKE_MIPS: return futex_wake(call, call.args[2], UINT32_MAX);
        case guest::FUTEX_WAKE_BITSET_MIPS: return futex_wake(call, call.args[2], call.args[5]);
        case guest::FUTEX_CMP_REQUEUE_MIPS:
            if (guest::get32(call.input[0].data()) != call.args[5]) return failure(EAGAIN);
            [[fallthrough]];
        case guest::FUTEX_REQUEUE_MIPS: return call.args[4] % 4 == 0 ? futex_requeue(call) : failure(EINVAL);
        default: call.is_unsupported = true; return failure(ENOSYS);
    }
}

std::int32_t sys_sched_yield(Call &call) {
    if (call.services.threads) call.outcome = Outcome::Yield;
    return 0;
}

std::int32_t sys_gettid(Call &call) { return tid_of(call, call.pe); }

std::int32_t sys_set_tid_address(Call &call) {
    if (call.services.threads) call.services.threads->cleared_at_end(call.pe) = call.args[0];
    return tid_of(call, call.pe);
}

std::int32_t sys_set_thread_area(Call &call) {
    call.sets_thread_pointer = call.args[0];
    return 0;
}

std::int32_t sys_tgkill(Call &call) {
    if (static_cast<std::int32_t>(call.args[0]) != pid_of(call.services, process_of(call)) || !thread_of_tid(call, call.args[1]))
        return failure(ESRCH);
    return end_by_signal(call, call.args[2]);
}

std::int32_t sys_sched_getaffinity(Call &call) {
    const std::uint32_t processors = call.services.threads ? call.services.threads->advised() : 1;
    if (call.args[0] != 0 && !thread_of_tid(call, call.args[0])) return failure(ESRCH);
    // Whole words, as Linux has it: what does not fit is an error.
    const std::uint32_t bytes = (processors + 31) / 32 * 4;
    if (call.args[1] % 4 != 0 || call.args[1] < bytes) return failure(EINVAL);
    std::vector<std::uint8_t> mask(bytes);
    for (std::uint32_t i = 0; i < processors; ++i) mask[i / 8] = static_cast<std::uint8_t>(mask[i / 8] | 1u << i % 8);
    return call.reply(call.args[2], mask) ? static_cast<std::int32_t>(bytes) : failure(EFAULT);
}

// ---- memory ----------------------------------------------------------------------------------------------------------

std::int32_t sys_mmap2(Call &call) {
    const auto [length, flags] = std::array{call.args[1], call.args[3]};
    if (!call.services.threads || !(flags & guest::MAP_ANONYMOUS_MIPS) || (flags & guest::MAP_FIXED_MIPS)) {
        call.is_unsupported = true;
        return failure(ENOSYS);
    }
    const std::optional<Threads::Mapping> mapping =
        call.services.threads->map(process_of(call), length, guest::get32(call.input[0].data()));
    if (!mapping) {
        if (call.services.lacks_memory) call.services.lacks_memory(process_of(call), length);
        return failure(ENOMEM);
    }
    if (mapping->is_used) std::ranges::fill(call.replies.add(process_of(call), mapping->address, mapping->bytes), std::uint8_t{0});
    reply_word(call, MOG_DATA_BASE + 4 * MOG_CB_FLOOR, call.services.threads->floor(process_of(call)));
    return static_cast<std::int32_t>(mapping->address);
}

std::int32_t sys_munmap(Call &call) {
    Threads *threads = call.services.threads;
    if (!threads || !threads->unmap(process_of(call), call.args[0], call.args[1])) return failure(EINVAL);
    reply_word(call, MOG_DATA_BASE + 4 * MOG_CB_FLOOR, threads->floor(process_of(call)));
    return 0;
}

std::int32_t sys_mprotect(Call &call) { return call.has_memory(call.args[0], call.args[1]) ? 0 : failure(ENOMEM); }

}  // namespace mog
