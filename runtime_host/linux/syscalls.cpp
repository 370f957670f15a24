// syscalls.cpp: the table, and the calls that have nothing to do with files.
#include "runtime_host/linux/syscalls.hpp"

#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <fmt/format.h>

#include "runtime_host/linux/guest_abi.hpp"

namespace mog {

namespace {

/// Numbers only, and nothing that others have to see in its place: a call that ends a PE prints its last line; nor what concerns other
/// threads.
constexpr bool is_plain(std::string_view arguments, Urgency urgency) {
    return urgency != Urgency::now && urgency != Urgency::threads && arguments.find_first_not_of("dfux") == std::string_view::npos;
}

constexpr bool fetches(std::string_view arguments) { return arguments.find_first_of(fetched_letters) != std::string_view::npos; }

constexpr SyscallRow rows[] = {
#define MOG_SYSCALL(name, arguments, trace, handler, urgency, remark)                                                       \
    {guest::call_##name, #name, arguments, trace, handler, Urgency::urgency, remark, is_plain(arguments, Urgency::urgency), \
     fetches(arguments)},
#include "runtime_host/linux/syscalls.def"
};
static_assert(std::is_sorted(std::begin(rows), std::end(rows),
                             [](const SyscallRow &a, const SyscallRow &b) { return a.number <= b.number; }),
              "syscalls.def: numbers ascend, and each is there once");

struct timespec since_start(const Call &call) {
    auto ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - call.services.start).count();
    struct timespec time {};
    time.tv_sec = ns / 1'000'000'000;
    time.tv_nsec = ns % 1'000'000'000;
    return time;
}

/// The guest's clock; an errno of the host, or 0.
int read_clock(const Call &call, std::uint32_t clock, struct timespec *time) {
    std::optional<int> host = guest::to_host_clock(clock);
    if (!host) return EINVAL;
    if (*host == CLOCK_PROCESS_CPUTIME_ID || *host == CLOCK_THREAD_CPUTIME_ID) {
        *time = since_start(call);
        return 0;
    }
    return clock_gettime(*host, time) == 0 ? 0 : errno;
}

}  // namespace

std::int32_t end_by_signal(Call &call, std::uint32_t signal) {
    if (signal >= guest::NSIG_MIPS) return failure(EINVAL);
    if (guest::signal_is_harmless(signal)) return 0;
    call.outcome = Outcome::Signal;
    call.signal = signal;
    return 0;
}

constinit const std::array<const SyscallRow *, detail::call_numbers> detail::row_of_number = [] {
    std::array<const SyscallRow *, call_numbers> row_of{};
    for (const SyscallRow &row : rows) row_of[row.number - guest::call_syscall] = &row;
    return row_of;
}();

std::int32_t pid_of(std::uint32_t host_pid, std::uint32_t rank) {
    std::uint32_t base = host_pid % 32000u + 1u;
    return static_cast<std::int32_t>((base * 65536u + rank) & 0x7fffffffu);
}

std::int32_t failure(int host_errno) { return -static_cast<std::int32_t>(guest::to_guest_errno(host_errno)); }

std::span<const SyscallRow> syscall_rows() { return rows; }

std::string syscalls_manual() {
    std::string text =
        "# System calls\n\n"
        "Made from `runtime_host/linux/syscalls.def` by `mogrun --list-system-calls`; a test keeps the two alike.\n\n"
        "A PE makes a system call as any program of Linux for MIPS (o32) does: `syscall`, the number in `$v0`, "
        "arguments in\n"
        "`$a0` to `$a3` and on the stack. The host serves all PEs that wait in one round. Any other number gives "
        "ENOSYS, and\n"
        "`mogrun` says once which it was.\n\n"
        "| Number | Name | Remark |\n|---|---|---|\n";
    for (const SyscallRow &row : rows) text += fmt::format("| {} | `{}` | {} |\n", row.number, row.name, row.remark);
    return text;
}

std::int32_t sys_mog_mpi(Call &call) {
    call.outcome = Outcome::Mpi;
    return 0;
}

std::int32_t sys_mog_native(Call &call) {
    const NativeFunctions *natives = call.services.natives;
    const std::optional<std::uint32_t> number = natives ? natives->find(call.path(0)) : std::nullopt;
    return number ? static_cast<std::int32_t>(*number) : failure(ENOSYS);
}

std::int32_t sys_mog_native_call(Call &call) {
    if (!call.services.natives || call.args[0] >= call.services.natives->size()) return failure(ENOSYS);
    call.outcome = Outcome::Native;
    return 0;
}

void Replies::clear() {
    transfers_.clear();
    staging_.clear();
}

std::span<std::uint8_t> Replies::add(std::uint32_t pe, std::uint32_t address, std::uint32_t length) {
    std::size_t at = staging_.size();
    staging_.resize(at + (std::size_t{length} + 3) / 4 * 4);
    transfers_.push_back({pe, address, length, static_cast<std::uint32_t>(at), false});
    return {staging_.data() + at, length};
}

void Replies::shorten(std::uint32_t length) {
    Transfer &last = transfers_.back();
    last.length = length;
    staging_.resize(last.staging + (std::size_t{length} + 3) / 4 * 4);
    if (length == 0) {
        transfers_.pop_back();
    } else if ((last.address & 3) == 0 && (length & 3) != 0 && length > 8) {
        // Whole words go faster than bytes: the rest travels alone.
        Transfer rest = last;
        last.length = length & ~3u;
        rest.address += last.length;
        rest.staging += last.length;
        rest.length = length & 3u;
        transfers_.push_back(rest);
    }
}

bool Call::has_memory(std::uint32_t address, std::uint64_t length) const { return services.addresses.has(address, length); }

bool Call::can_write(std::uint32_t address, std::uint64_t length) const { return services.addresses.can_be_written(address, length); }

bool Call::reply(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (!can_write(address, bytes.size())) return false;
    if (bytes.empty()) return true;
    std::memcpy(replies.add(process->rank, address, static_cast<std::uint32_t>(bytes.size())).data(), bytes.data(), bytes.size());
    return true;
}

std::int32_t sys_zero(Call &) { return 0; }
std::int32_t sys_getpid(Call &call) { return pid_of(call.services, call.process->rank); }
std::int32_t sys_getppid(Call &) { return 1; }
std::int32_t sys_getuid(Call &) { return static_cast<std::int32_t>(getuid()); }
std::int32_t sys_getgid(Call &) { return static_cast<std::int32_t>(getgid()); }

std::int32_t sys_kill(Call &call) {
    std::int32_t pid = static_cast<std::int32_t>(call.args[0]);
    // 0 means the PE's process group, in which it is alone.
    if (pid != 0 && pid != pid_of(call.services, call.process->rank)) return failure(ESRCH);
    return end_by_signal(call, call.args[1]);
}

std::int32_t sys_time(Call &call) {
    std::uint8_t word[4];
    std::int32_t now = static_cast<std::int32_t>(time(nullptr));
    guest::put32(word, static_cast<std::uint32_t>(now));
    if (call.args[0] && !call.reply(call.args[0], word)) return failure(EFAULT);
    return now;
}

std::int32_t sys_gettimeofday(Call &call) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (call.args[0] && !call.reply(call.args[0], guest::to_guest_timeval(now))) return failure(EFAULT);
    const std::uint8_t zone[8] = {};
    if (call.args[1] && !call.reply(call.args[1], zone)) return failure(EFAULT);
    return 0;
}

std::int32_t sys_clock_gettime(Call &call) {
    struct timespec now;
    if (int failed = read_clock(call, call.args[0], &now)) return failure(failed);
    return call.reply(call.args[1], guest::to_guest_timespec(now)) ? 0 : failure(EFAULT);
}

std::int32_t sys_clock_gettime64(Call &call) {
    struct timespec now;
    if (int failed = read_clock(call, call.args[0], &now)) return failure(failed);
    return call.reply(call.args[1], guest::to_guest_timespec64(now)) ? 0 : failure(EFAULT);
}

std::int32_t sys_clock_getres(Call &call) {
    std::optional<int> clock = guest::to_host_clock(call.args[0]);
    struct timespec resolution;
    if (!clock || clock_getres(*clock, &resolution) != 0) return failure(EINVAL);
    if (call.args[1] == 0) return 0;
    return call.reply(call.args[1], guest::to_guest_timespec(resolution)) ? 0 : failure(EFAULT);
}

std::int32_t sys_times(Call &call) {
    struct timespec time = since_start(call);
    std::uint32_t ticks =
        static_cast<std::uint32_t>(time.tv_sec * guest::USER_HZ_MIPS + time.tv_nsec / (1'000'000'000 / guest::USER_HZ_MIPS));
    if (call.args[0] && !call.reply(call.args[0], guest::to_guest_tms(ticks, 0))) return failure(EFAULT);
    return static_cast<std::int32_t>(ticks & 0x7fffffffu);
}

std::int32_t sys_getrusage(Call &call) {
    if (call.args[0] != guest::RUSAGE_SELF_MIPS && call.args[0] != guest::RUSAGE_CHILDREN_MIPS) return failure(EINVAL);
    bool self = call.args[0] == guest::RUSAGE_SELF_MIPS;
    auto usage = guest::to_guest_rusage(self ? since_start(call) : timespec{}, self ? call.services.addresses.data_bytes / 1024 : 0);
    return call.reply(call.args[1], usage) ? 0 : failure(EFAULT);
}

std::int32_t sys_getrlimit(Call &call) {
    auto limit = guest::guest_rlimit(call.args[0], descriptor_limit(call), call.services.addresses.data_bytes);
    if (!limit) return failure(EINVAL);
    return call.reply(call.args[1], *limit) ? 0 : failure(EFAULT);
}

std::int32_t sys_uname(Call &call) {
    struct utsname name {};
    if (uname(&name) != 0) return failure(errno);
    return call.reply(call.args[0], guest::to_guest_utsname(name)) ? 0 : failure(EFAULT);
}

// Handlers are the guest library's affair. The one thing it cannot do by itself is to be spared the SIGPIPE of a write.
std::int32_t sys_rt_sigaction(Call &call) {
    std::uint32_t signal = call.args[0];
    if (signal == 0 || signal >= guest::NSIG_MIPS || call.args[3] != guest::sigset_bytes_MIPS) return failure(EINVAL);
    bool &ignores = call.process->ignores_sigpipe;
    const bool is_pipe = signal == guest::SIGPIPE_MIPS;
    const auto old = guest::to_guest_sigaction(is_pipe && ignores ? guest::SIG_IGN_MIPS : guest::SIG_DFL_MIPS);
    if (call.args[2] && !call.reply(call.args[2], old)) return failure(EFAULT);
    if (is_pipe && !call.input[0].empty()) ignores = guest::handler_of_sigaction(call.input[0]) == guest::SIG_IGN_MIPS;
    return 0;
}

// No signal comes from outside, so that none has to be held back; the mask is always seen empty.
std::int32_t sys_rt_sigprocmask(Call &call) {
    const std::array<std::uint8_t, guest::sigset_bytes_MIPS> none{};
    if (call.args[3] != none.size()) return failure(EINVAL);
    if (call.args[1] && !call.has_memory(call.args[1], none.size())) return failure(EFAULT);
    return call.args[2] && !call.reply(call.args[2], none) ? failure(EFAULT) : 0;
}

std::int32_t sys_nanosleep(Call &call) {
    using Clock = std::chrono::steady_clock;
    std::optional<struct timespec> duration = guest::to_host_timespec(call.input[0].first<8>());
    if (!duration) return failure(EINVAL);
    Clock::time_point &wake = *call.wake;
    if (wake == Clock::time_point{})
        wake = Clock::now() + std::chrono::seconds(duration->tv_sec) + std::chrono::nanoseconds(duration->tv_nsec);
    if (Clock::now() < wake) {
        call.outcome = Outcome::Block;
        return 0;
    }
    wake = {};
    return 0;
}

std::int32_t sys_brk(Call &call) {
    std::uint32_t now = guest::get32(call.input[0].data()), wanted = call.args[0];
    // As Linux does: a break that cannot be set leaves the old one, and either way the call returns what it is now.
    // Below the stack stays room for a few calls.
    constexpr std::uint32_t gap = 1024;
    // Of a process with threads, whose stacks are among what is mapped, that comes before the first one's.
    const std::uint32_t floor = call.services.threads ? call.services.threads->floor(call.process->rank) : 0;
    if (!call.has_memory(wanted, 0) || wanted > (floor != 0 ? floor : call.stack_pointer) - gap) {
        if (wanted > now && call.services.lacks_memory) call.services.lacks_memory(call.process->rank, wanted - now);
        return static_cast<std::int32_t>(now);
    }
    std::uint8_t word[4];
    guest::put32(word, wanted);
    call.reply(MOG_DATA_BASE + 4 * MOG_CB_BRK, word);
    return static_cast<std::int32_t>(wanted);
}

std::int32_t sys_getrandom(Call &call) {
    constexpr std::uint32_t known = guest::GRND_NONBLOCK_MIPS | guest::GRND_RANDOM_MIPS | guest::GRND_INSECURE_MIPS;
    if (call.args[2] & ~known) return failure(EINVAL);
    if (call.args[1] == 0) return 0;
    if (!call.can_write(call.args[0], call.args[1])) return failure(EFAULT);
    constexpr std::uint32_t most = 33554431;  // as Linux
    std::span<std::uint8_t> room = call.replies.add(call.process->rank, call.args[0], std::min(call.args[1], most));
    ssize_t n = getrandom(room.data(), room.size(), 0);
    call.replies.shorten(n < 0 ? 0 : static_cast<std::uint32_t>(n));
    return n < 0 ? failure(errno) : static_cast<std::int32_t>(n);
}

}  // namespace mog
