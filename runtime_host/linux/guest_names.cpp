// guest_names.cpp: tables of names. Where guest_abi.hpp or a .def file has a number, it is taken from there.
#include "runtime_host/linux/guest_names.hpp"

#include <cerrno>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/syscalls.hpp"

namespace mog::guest {

namespace {

struct Name {
    std::uint32_t value;
    std::string_view name;
};

#define MOG_OPEN_FLAG(name, number) {number, #name},
constexpr Name open_names[] = {
#include "runtime_host/linux/guest_open_flags.def"
    // Those that open() refuses or ignores.
    {0x0010, "O_DSYNC"},
    {0x2000, "O_LARGEFILE"},
    {0x8000, "O_DIRECT"},
    {0x40000, "O_NOATIME"},
    {0x200000, "O_PATH"},
};
constexpr Name poll_names[] = {{0x1, "POLLIN"},  {0x2, "POLLPRI"},   {0x4, "POLLOUT"},     {0x8, "POLLERR"},   {0x10, "POLLHUP"},
                               {0x20, "POLLNVAL"}, {0x40, "POLLRDNORM"}, {0x80, "POLLRDBAND"}, {0x100, "POLLWRBAND"}};
constexpr Name access_names[] = {{4, "R_OK"}, {2, "W_OK"}, {1, "X_OK"}};
constexpr Name flock_names[] = {{LOCK_SH_MIPS, "LOCK_SH"}, {LOCK_EX_MIPS, "LOCK_EX"}, {LOCK_UN_MIPS, "LOCK_UN"}, {LOCK_NB_MIPS, "LOCK_NB"}};
constexpr Name at_names[] = {{0x100, "AT_SYMLINK_NOFOLLOW"}, {0x200, "AT_REMOVEDIR"}, {0x400, "AT_SYMLINK_FOLLOW"}, {0x1000, "AT_EMPTY_PATH"}};
constexpr Name kind_names[] = {{0140000, "S_IFSOCK"}, {0120000, "S_IFLNK"}, {0100000, "S_IFREG"}, {0060000, "S_IFBLK"},
                               {0040000, "S_IFDIR"},  {0020000, "S_IFCHR"}, {0010000, "S_IFIFO"}};
constexpr Name whence_names[] = {{0, "SEEK_SET"}, {1, "SEEK_CUR"}, {2, "SEEK_END"}};
constexpr Name clock_names[] = {{0, "CLOCK_REALTIME"},           {1, "CLOCK_MONOTONIC"},     {2, "CLOCK_PROCESS_CPUTIME_ID"},
                                {3, "CLOCK_THREAD_CPUTIME_ID"},  {4, "CLOCK_MONOTONIC_RAW"}, {5, "CLOCK_REALTIME_COARSE"},
                                {6, "CLOCK_MONOTONIC_COARSE"}, {7, "CLOCK_BOOTTIME"}};
constexpr Name fcntl_names[] = {{F_DUPFD_MIPS, "F_DUPFD"}, {F_DUPFD_CLOEXEC_MIPS, "F_DUPFD_CLOEXEC"}, {F_GETFD_MIPS, "F_GETFD"},
                                {F_SETFD_MIPS, "F_SETFD"}, {F_GETFL_MIPS, "F_GETFL"},                 {F_SETFL_MIPS, "F_SETFL"}};
constexpr Name lock_names[] = {{F_RDLCK_MIPS, "F_RDLCK"}, {F_WRLCK_MIPS, "F_WRLCK"}, {F_UNLCK_MIPS, "F_UNLCK"}};
constexpr Name ioctl_names[] = {{TCGETS_MIPS, "TCGETS"}, {TIOCGWINSZ_MIPS, "TIOCGWINSZ"}, {FIONREAD_MIPS, "FIONREAD"},
                                {FIOCLEX_MIPS, "FIOCLEX"}, {FIONCLEX_MIPS, "FIONCLEX"}};
#define MOG_CALL_NAME(number, name) {number, #name},
constexpr Name call_names[] = {
#include "runtime_host/linux/syscall_names.def"
};

std::string_view find(std::span<const Name> names, std::uint32_t value) {
    for (const Name &name : names)
        if (name.value == value) return name.name;
    return {};
}

/// Names of the bits that are set; what remains in hexadecimal, nothing as `none`.
std::string join(std::span<const Name> names, std::uint32_t bits, std::string_view none) {
    std::string text(bits ? "" : none);
    for (const Name &name : names)
        if ((bits & name.value) == name.value) {
            text += fmt::format("{}{}", text.empty() ? "" : "|", name.name);
            bits &= ~name.value;
        }
    if (bits) text += fmt::format("{}{:#x}", text.empty() ? "" : "|", bits);
    return text;
}

std::string one_of(std::span<const Name> names, std::uint32_t value) {
    std::string_view name = find(names, value);
    return name.empty() ? fmt::format("{:#x}", value) : std::string(name);
}

}  // namespace

std::string_view call_name(std::uint32_t number) {
    const SyscallRow *row = find_syscall(number);
    return row ? row->name : find(call_names, number);
}

std::string errno_text(std::uint32_t guest_errno) {
    int host = guest_errno <= ERANGE ? static_cast<int>(guest_errno) : 0;
    switch (guest_errno) {
#define MOG_ERRNO(name, number) \
    case number:                \
        host = name;            \
        break;
#include "runtime_host/linux/guest_errno.def"
        default:
            break;
    }
    const char *name = host ? strerrorname_np(host) : nullptr;
    return name ? fmt::format("{} ({})", name, strerrordesc_np(host)) : fmt::format("{}", guest_errno);
}

std::string open_flags_text(std::uint32_t flags) {
    constexpr std::string_view modes[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
    std::string text(modes[flags & 3]);
    return flags & ~3u ? text + "|" + join(open_names, flags & ~3u, "") : text;
}

std::string at_flags_text(std::uint32_t flags) {
    return join(at_names, flags, "0");
}
std::string poll_events_text(std::uint32_t events) {
    return join(poll_names, events, "0");
}
std::string access_mode_text(std::uint32_t mode) {
    return join(access_names, mode, "F_OK");
}
std::string flock_text(std::uint32_t operation) {
    return join(flock_names, operation, "0");
}
std::string file_mode_text(std::uint32_t mode) {
    std::string_view kind = find(kind_names, mode & 0170000u);
    return fmt::format("{}{}{:#03o}", kind, kind.empty() ? "" : "|", mode & ~0170000u);
}

std::string whence_text(std::uint32_t whence) {
    return one_of(whence_names, whence);
}
std::string clock_text(std::uint32_t clock) {
    return one_of(clock_names, clock);
}
std::string fcntl_text(std::uint32_t command) {
    if (std::optional<LockCommand> lock = lock_command(command)) {
        constexpr std::string_view names[] = {"F_GETLK", "F_SETLK", "F_SETLKW"};
        return fmt::format("{}{}", names[lock->what], lock->wide ? "64" : "");
    }
    return one_of(fcntl_names, command);
}
std::string lock_type_text(std::uint32_t type) {
    return one_of(lock_names, type);
}
std::string ioctl_text(std::uint32_t request) {
    return one_of(ioctl_names, request);
}
std::string signal_text(std::uint32_t signal) {
    std::string_view name = signal_name(signal);
    return name.empty() ? fmt::format("{}", signal) : std::string(name);
}

std::string quoted(std::string_view bytes, std::size_t most) {
    std::string text = "\"";
    const std::string_view shown = bytes.substr(0, most);
    for (std::size_t i = 0; i < shown.size(); i++) {
        const unsigned char c = static_cast<unsigned char>(shown[i]);
        constexpr std::string_view plain = "\t\n\v\f\r\"\\", letters = "tnvfr\"\\";
        if (std::size_t at = plain.find(static_cast<char>(c)); at != std::string_view::npos) {
            text += '\\';
            text += letters[at];
        } else if (c >= ' ' && c < 0x7f) {
            text += static_cast<char>(c);
        } else {
            // As few digits as the next character allows.
            const bool digit_follows = i + 1 < shown.size() && shown[i + 1] >= '0' && shown[i + 1] <= '9';
            text += digit_follows ? fmt::format("\\{:03o}", c) : fmt::format("\\{:o}", c);
        }
    }
    return text + (bytes.size() > most ? "\"..." : "\"");
}

}  // namespace mog::guest
