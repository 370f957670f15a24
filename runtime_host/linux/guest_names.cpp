// guest_names.cpp: the tables of abi/ as names.
#include "runtime_host/linux/guest_names.hpp"

#include <cerrno>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "runtime_host/linux/guest_abi.hpp"

namespace mog::guest {

namespace {

struct Name {
    std::uint32_t value;
    std::string_view name;
};

// One array for each group of the table. Of open flags, those that open() refuses or ignores stand behind the others.
#define MOG_OPEN_FLAG(name, value) {value, #name},
#define MOG_OPEN_FLAG_UNSERVED(name, value) {value, #name},
constexpr Name open_names[] = {
#include "abi/constants.def"
};
#define MOG_OPEN_MODE(name, value) {value, #name},
constexpr Name open_modes[] = {
#include "abi/constants.def"
};
#define MOG_POLL_EVENT(name, value) {value, #name},
constexpr Name poll_names[] = {
#include "abi/constants.def"
};
#define MOG_ACCESS_MODE(name, value) {value, #name},
constexpr Name access_names[] = {
#include "abi/constants.def"
};
#define MOG_FLOCK(name, value) {value, #name},
constexpr Name flock_names[] = {
#include "abi/constants.def"
};
#define MOG_AT_FLAG(name, value) {value, #name},
constexpr Name at_names[] = {
#include "abi/constants.def"
};
#define MOG_FILE_KIND(name, value) {value, #name},
constexpr Name kind_names[] = {
#include "abi/constants.def"
};
#define MOG_WHENCE(name, value) {value, #name},
constexpr Name whence_names[] = {
#include "abi/constants.def"
};
#define MOG_CLOCK(name, value) {value, #name},
constexpr Name clock_names[] = {
#include "abi/constants.def"
};
#define MOG_FCNTL(name, value) {value, #name},
#define MOG_FCNTL_LOCK(name, value) {value, #name},
constexpr Name fcntl_names[] = {
#include "abi/constants.def"
};
#define MOG_LOCK_KIND(name, value) {value, #name},
constexpr Name lock_names[] = {
#include "abi/constants.def"
};
#define MOG_IOCTL(name, value) {value, #name},
constexpr Name ioctl_names[] = {
#include "abi/constants.def"
};
#define MOG_LINUX_CALL(number, name) {number, #name},
constexpr Name call_names[] = {
#include "abi/syscalls.def"
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

std::string_view call_name(std::uint32_t number) { return find(call_names, number); }

std::string errno_text(std::uint32_t guest_errno) {
    int host = guest_errno <= ERANGE ? static_cast<int>(guest_errno) : 0;
    switch (guest_errno) {
#define MOG_ERRNO(name, number) \
    case number:                \
        host = name;            \
        break;
#include "abi/errno.def"
        default: break;
    }
    const char *name = host ? strerrorname_np(host) : nullptr;
    return name ? fmt::format("{} ({})", name, strerrordesc_np(host)) : fmt::format("{}", guest_errno);
}

std::string open_flags_text(std::uint32_t flags) {
    std::string text(find(open_modes, flags & O_ACCMODE_MIPS));
    const std::uint32_t others = flags & ~O_ACCMODE_MIPS;
    return others ? text + "|" + join(open_names, others, "") : text;
}

std::string at_flags_text(std::uint32_t flags) { return join(at_names, flags, "0"); }
std::string poll_events_text(std::uint32_t events) { return join(poll_names, events, "0"); }
std::string access_mode_text(std::uint32_t mode) { return join(access_names, mode, "F_OK"); }
std::string flock_text(std::uint32_t operation) { return join(flock_names, operation, "0"); }
std::string file_mode_text(std::uint32_t mode) {
    std::string_view kind = find(kind_names, mode & S_IFMT_MIPS);
    return fmt::format("{}{}{:#03o}", kind, kind.empty() ? "" : "|", mode & ~S_IFMT_MIPS);
}

std::string whence_text(std::uint32_t whence) { return one_of(whence_names, whence); }
std::string clock_text(std::uint32_t clock) { return one_of(clock_names, clock); }
std::string fcntl_text(std::uint32_t command) { return one_of(fcntl_names, command); }
std::string lock_type_text(std::uint32_t type) { return one_of(lock_names, type); }
std::string ioctl_text(std::uint32_t request) { return one_of(ioctl_names, request); }
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
