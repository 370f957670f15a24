// host_room.cpp: a lower bound of what PEs take, against what there is.
#include "runtime_host/device/host_room.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "runtime_host/device/host_memory.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

using u64 = std::uint64_t;

constexpr u64 page = 4096, page_table = 2u << 20;  ///< what a page of page table entries covers

u64 pages_of(u64 bytes) { return (bytes + page - 1) / page * page; }

/// A line such as "MemAvailable:   123 kB", in bytes; 0: it is not there.
u64 kilobytes_in(const char *path, std::string_view name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
    return 0;
}

/// Two digits and zeros, not more: what is easily typed.
u64 rounded_down(u64 count) {
    u64 scale = 1;
    while (count / scale >= 100) scale *= 10;
    return count / scale * scale;
}

}  // namespace

u64 available_host_memory() {
    const u64 taken = kilobytes_in("/proc/self/status", "VmRSS:");
    const u64 allowed = host_memory_bytes(), free = kilobytes_in("/proc/meminfo", "MemAvailable:");
    u64 bytes = allowed > taken ? allowed - taken : 0;
    if (free != 0) bytes = std::min(bytes, free + kilobytes_in("/proc/meminfo", "SwapFree:"));
    if (const char *limit = std::getenv("MOG_HOST_MEMORY"))
        if (const std::optional<u64> size = parse_size(limit)) bytes = std::min(bytes, *size);
    return bytes;
}

u64 least_host_bytes_per_pe(const Image &image, const LoadConfig &config, bool interleaved) {
    const u64 memory = u64{4} * config.data_words, data = image.data.size(), arguments = 4 * config.startup.size();
    u64 touched = data + arguments;
    // What lies in whole pages; the PEs of small memories share some.
    if (!interleaved && memory % page == 0) touched = std::min(memory, pages_of(data) + pages_of(arguments));
    // A large start may be mapped from one copy, if PEs are few.
    constexpr u64 may_be_mapped = 32 << 10;
    if (data >= may_be_mapped) touched = std::min(touched, 2 * page);
    const u64 tables = std::min<u64>(memory / page * 8, memory >= page_table ? page : memory * page / page_table);
    const u64 state = 4 * (MOG_S_REGS + image.register_names.size());
    return touched + tables + state + service_bytes_per_pe;
}

std::string what_to_lower(u64 fit, u64 kib_each) {
    constexpr u64 least_kib = 16;  // hardly any program does with less
    std::string text = fit == 0 ? "not one would fit" : fmt::format("pass -n {} or less", rounded_down(fit));
    if (kib_each >= least_kib) text += fmt::format("{} --mem={}K", fit == 0 ? "; pass" : ", or", rounded_down(kib_each));
    return text;
}

Result<void> check_host_room(std::uint32_t nproc, u64 least_bytes_per_pe) {
    const u64 available = available_host_memory(), fit = available / least_bytes_per_pe;
    if (nproc <= fit) return {};
    return Error{fmt::format("{} PEs take {} of this machine's memory ({} KiB each before they use any), but {} are left: {}", nproc,
                             format_amount(least_bytes_per_pe * nproc), (least_bytes_per_pe + 1023) / 1024, format_amount(available),
                             what_to_lower(fit, 0))};
}

}  // namespace mog
