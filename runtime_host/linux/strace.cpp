// strace.cpp: the trace column of syscalls.def put to work. Structures are summarised as strace does without -v; what
// the call could not read, or did not fill, is shown as its address.
#include "runtime_host/linux/strace.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/guest_names.hpp"

namespace mog {

namespace {

constexpr std::size_t most_bytes = 32, most_parts = 32;  // as strace without -s
constexpr std::size_t whole = SIZE_MAX;

using Bytes = std::span<const std::uint8_t>;

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

std::string pointer(std::uint32_t address) { return address ? fmt::format("{:#x}", address) : "NULL"; }

/// Up to `most` bytes that the call put at an address; fewer if it put fewer there.
std::vector<std::uint8_t> filled(const TracedCall &call, std::uint32_t address, std::size_t most) {
    std::vector<std::uint8_t> bytes;
    for (const Transfer &t : call.replies.transfers().subspan(call.first_reply)) {
        if (t.is_state || t.address != address + bytes.size() || bytes.size() >= most) continue;
        Bytes part = call.replies.staging().subspan(t.staging, std::min<std::size_t>(t.length, most - bytes.size()));
        bytes.insert(bytes.end(), part.begin(), part.end());
    }
    return bytes;
}

/// The input that was fetched for argument `n`.
std::optional<Bytes> input(const TracedCall &call, std::size_t n) {
    std::size_t index = 0;
    for (std::size_t k = 0; k < n; k++) index += fetched_letters.find(call.row.arguments[k]) != std::string_view::npos;
    return call.input.at(index);
}

std::string time_text(const std::uint8_t *at) {
    const auto time = guest::structure_at<linux_timespec>(at);
    const std::uint32_t nanoseconds = static_cast<std::uint32_t>(time.nsec);
    if (nanoseconds == guest::UTIME_NOW_MIPS) return "UTIME_NOW";
    if (nanoseconds == guest::UTIME_OMIT_MIPS) return "UTIME_OMIT";
    return fmt::format("{{tv_sec={}, tv_nsec={}}}", time.sec, nanoseconds);
}

std::string lock(const std::uint8_t *at, bool is_wide) {
    guest::FileLock lock = guest::to_host_flock({at, guest::flock_bytes({guest::LockCommand::Get, is_wide})}, is_wide);
    return fmt::format("{{l_type={}, l_whence={}, l_start={}, l_len={}}}", guest::lock_type_text(lock.type),
                       guest::whence_text(lock.whence), lock.start, lock.length);
}

/// poll(): the descriptors asked about, or what was found of them.
std::string poll_list(Bytes list, bool found) {
    std::string text;
    for (std::size_t i = 0; i < list.size() / guest::pollfd_bytes_MIPS; i++) {
        guest::PollEntry entry = guest::to_host_pollfd(list, i);
        const std::uint32_t revents = static_cast<std::uint16_t>(entry.revents);
        if (found && revents == 0) continue;
        text += fmt::format("{}{{fd={}, {}={}}}", text.empty() ? "" : ", ", entry.fd, found ? "revents" : "events",
                            guest::poll_events_text(found ? revents : static_cast<std::uint16_t>(entry.events)));
    }
    return "[" + text + "]";
}

/// open() flags where no access mode belongs; one that stands there all the same is shown.
std::string without_access_mode(std::uint32_t flags) {
    constexpr std::string_view none = "O_RDONLY|";
    if (flags == 0) return "0";
    const std::string text = guest::open_flags_text(flags);
    return text.starts_with(none) ? text.substr(none.size()) : text;
}

/// What is shown of argument `n`, for the letters whose arguments are numbers. nullopt for other letters.
std::optional<std::string> number(const TracedCall &call, char letter, std::size_t n) {
    const std::uint32_t value = call.args[n];
    switch (letter) {
        case 'd':
        case 'f': return fmt::format("{}", static_cast<std::int32_t>(value));
        case 'u': return fmt::format("{}", value);
        case 'x': return value ? fmt::format("{:#x}", value) : "0";
        case 'p': return pointer(value);
        case 'm':
        case 'M': return fmt::format("{:#03o}", value);
        case 'k': return guest::file_mode_text(value);
        case 'l': return fmt::format("{}", guest::wide(value, call.args[n + 1]));
        case 'H': return fmt::format("{}", guest::wide(call.args[n + 1], value));
        case 'D': return value == guest::AT_FDCWD_MIPS ? "AT_FDCWD" : fmt::format("{}", static_cast<std::int32_t>(value));
        case 'O': return guest::open_flags_text(value);
        case 'o': return without_access_mode(value);
        case 'A': return guest::at_flags_text(value);
        case 'r': return guest::access_mode_text(value);
        case 'w': return guest::whence_text(value);
        case 'c': return guest::clock_text(value);
        case 'n': return guest::signal_text(value);
        case 'C': return guest::fcntl_text(value);
        case 'I': return guest::ioctl_text(value);
        case 'K': return guest::flock_text(value);
        default: return {};
    }
}

/// The same for what the call read.
std::optional<std::string> was_read(const TracedCall &call, char letter, std::size_t n) {
    std::optional<Bytes> in = input(call, n);
    if (!in || (call.args[n] == 0 && in->empty())) return pointer(call.args[n]);
    switch (letter) {
        case 's': return guest::quoted(text_of(*in), whole);
        case 'b': return guest::quoted(text_of(*in), most_bytes);
        case 't': return in->size() < guest::timespec_bytes_MIPS ? pointer(call.args[n]) : time_text(in->data());
        case 'T':
            if (in->size() < 2 * guest::timespec_bytes_MIPS) return pointer(call.args[n]);
            return fmt::format("[{}, {}]", time_text(in->data()), time_text(in->data() + sizeof(linux_timespec)));
        case 'q': return poll_list(*in, false);
        default: return {};
    }
}

/// The same for what the call filled.
std::string was_filled(const TracedCall &call, char letter, std::size_t n) {
    const std::uint32_t address = call.args[n];
    const std::vector<std::uint8_t> out = filled(call, address, letter == 'G' ? whole : 512);
    auto has = [&](std::size_t bytes) { return out.size() >= bytes; };
    switch (letter) {
        case 'B':
            if (call.result < 0) break;
            if (call.result == 0) return "\"\"";
            return guest::quoted(text_of(out), std::min<std::size_t>(most_bytes, static_cast<std::size_t>(call.result))) +
                   (out.size() <= most_bytes && static_cast<std::size_t>(call.result) > most_bytes ? "..." : "");
        case 'Z':
            if (out.empty()) break;
            return guest::quoted(text_of(out).substr(0, text_of(out).find('\0')), whole);
        case 'S': {
            if (!has(sizeof(linux_stat64))) break;
            const auto status = guest::structure_at<linux_stat64>(out.data());
            return fmt::format("{{st_mode={}, st_size={}, ...}}", guest::file_mode_text(status.mode), status.size);
        }
        case 'e':
            if (!has(sizeof(linux_timespec))) break;
            return time_text(out.data());
        case 'E': {
            if (!has(sizeof(linux_timespec64))) break;
            const auto time = guest::structure_at<linux_timespec64>(out.data());
            return fmt::format("{{tv_sec={}, tv_nsec={}}}", time.sec, time.nsec);
        }
        case 'v': {
            if (!has(sizeof(linux_timeval))) break;
            const auto time = guest::structure_at<linux_timeval>(out.data());
            return fmt::format("{{tv_sec={}, tv_usec={}}}", static_cast<std::uint32_t>(time.sec), time.usec);
        }
        case 'L': {
            if (!has(sizeof(linux_rlimit))) break;
            const auto limit = guest::structure_at<linux_rlimit>(out.data());
            return fmt::format("{{rlim_cur={}, rlim_max={}}}", limit.cur, limit.max);
        }
        case '8':
            if (!has(8)) break;
            return fmt::format("[{}]", guest::wide(guest::get32(&out[0]), guest::get32(&out[4])));
        case 'P':
            if (!has(8)) break;
            return fmt::format("[{}, {}]", guest::get32(&out[0]), guest::get32(&out[4]));
        case 'U': {
            if (!has(sizeof(linux_utsname))) break;
            const auto names = guest::structure_at<linux_utsname>(out.data());
            return fmt::format("{{sysname={}, nodename={}, ...}}", guest::quoted(names.sysname, whole),
                               guest::quoted(names.nodename, whole));
        }
        case 'G': {
            std::size_t entries = 0;
            for (std::size_t at = 0, length = 0; at + offsetof(linux_dirent64, type) < out.size(); at += length, entries++) {
                const std::uint8_t *low = &out[at + offsetof(linux_dirent64, reclen)];
                if (length = low[0] | std::size_t{low[1]} << 8; length == 0) break;
            }
            if (call.result < 0) break;
            return fmt::format("{} /* {} entries */", pointer(address), entries);
        }
        default: break;
    }
    return pointer(address);
}

/// The parts of readv and writev.
std::string vector_text(const TracedCall &call, std::size_t n, bool is_read) {
    std::optional<Bytes> in = input(call, n);
    if (!in) return pointer(call.args[n]);
    // writev: the bytes themselves, put together; how they were divided stays with the program.
    if (!is_read) return fmt::format("[{{iov_base={}, iov_len={}}}]", guest::quoted(text_of(*in), most_bytes), in->size());
    std::string text;
    for (std::size_t i = 0; i < std::min(most_parts, in->size() / guest::iovec_bytes_MIPS); i++) {
        guest::IoVector part = guest::to_host_iovec(*in, i);
        std::vector<std::uint8_t> out = filled(call, part.address, std::min<std::size_t>(part.length, most_bytes + 1));
        text += fmt::format("{}{{iov_base={}, iov_len={}}}", text.empty() ? "" : ", ",
                            call.result < 0 ? pointer(part.address) : guest::quoted(text_of(out), most_bytes), part.length);
    }
    return "[" + text + "]";
}

/// fcntl's third argument; empty if the command has none.
std::string fcntl_argument(const TracedCall &call, std::size_t n) {
    const std::uint32_t command = call.args[n - 1];
    if (std::optional<guest::LockCommand> what = guest::lock_command(command)) {
        std::optional<Bytes> in = input(call, n);
        const std::size_t bytes = guest::flock_bytes(*what);
        if (!in || in->size() < bytes) return pointer(call.args[n]);
        std::vector<std::uint8_t> out = filled(call, call.args[n], bytes);
        return lock(out.size() == bytes ? out.data() : in->data(), what->wide);
    }
    if (command == guest::F_GETFD_MIPS || command == guest::F_GETFL_MIPS) return {};
    if (command == guest::F_SETFD_MIPS && call.args[n] == guest::FD_CLOEXEC_MIPS) return "FD_CLOEXEC";
    return command == guest::F_SETFL_MIPS ? guest::open_flags_text(call.args[n])
                                          : fmt::format("{}", static_cast<std::int32_t>(call.args[n]));
}

std::string argument(const TracedCall &call, char letter, std::size_t n) {
    if (letter == 'a') return fcntl_argument(call, n);
    if (letter == 'i' || letter == 'j') return vector_text(call, n, letter == 'j');
    if (letter == 'F') {
        std::vector<std::uint8_t> out = filled(call, call.args[n], 4);
        return call.args[n - 1] == guest::FIONREAD_MIPS && out.size() == 4 ? fmt::format("[{}]", guest::get32(out.data()))
                                                                           : pointer(call.args[n]);
    }
    if (std::optional<std::string> text = number(call, letter, n)) return *text;
    if (std::string_view("sbtTq").find(letter) != std::string_view::npos)
        if (std::optional<std::string> text = was_read(call, letter, n)) return *text;
    return was_filled(call, letter, n);
}

std::string arguments(const TracedCall &call) {
    std::string text;
    const std::string_view letters = call.row.trace.substr(0, call.row.trace.find(':'));
    for (std::size_t n = 0; n < letters.size(); n++) {
        if (letters[n] == '-') continue;
        // open() has a mode only if it makes a file.
        if (letters[n] == 'M' && guest::open_flags_text(call.args[n - 1]).find("O_CREAT") == std::string::npos) continue;
        std::string shown = argument(call, letters[n], n);
        if (!shown.empty()) text += fmt::format("{}{}", text.empty() ? "" : ", ", shown);
    }
    return text;
}

std::string result(const TracedCall &call) {
    const std::string_view trace = call.row.trace;
    if (call.result < 0 && call.result > -4096) return "-1 " + guest::errno_text(static_cast<std::uint32_t>(-call.result));
    const std::uint32_t value = static_cast<std::uint32_t>(call.result);
    if (trace.ends_with(":p")) return pointer(value);
    if (trace.ends_with(":m")) return fmt::format("{:#03o}", value);
    if (trace.ends_with(":C") && call.args[1] == guest::F_GETFL_MIPS)
        return fmt::format("{:#x} (flags {})", value, guest::open_flags_text(value));
    if (trace.ends_with(":C") && call.args[1] == guest::F_GETFD_MIPS && value) return "0x1 (flags FD_CLOEXEC)";
    if (trace.ends_with(":q"))
        return value == 0 ? "0 (Timeout)" : fmt::format("{} ({})", value, poll_list(filled(call, call.args[0], whole), true));
    return fmt::format("{}", call.result);
}

}  // namespace

std::string strace_line(const TracedCall &call) { return fmt::format("{}({}) = {}", call.row.name, arguments(call), result(call)); }

std::string strace_line_without_result(const TracedCall &call) { return fmt::format("{}({}) = ?", call.row.name, arguments(call)); }

std::string strace_line_unknown(std::uint32_t number, std::span<const std::uint32_t, 8> args, std::int32_t result) {
    std::string_view name = guest::call_name(number);
    return fmt::format("{}({:#x}, {:#x}, {:#x}, {:#x}) = -1 {}", name.empty() ? fmt::format("syscall_{}", number) : std::string(name),
                       args[0], args[1], args[2], args[3], guest::errno_text(static_cast<std::uint32_t>(-result)));
}

}  // namespace mog
