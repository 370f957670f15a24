// startup.cpp: sizes of memory and the start-up block.
#include "runtime_host/run/startup.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "assembler/image/spaces.hpp"
#include "runtime_host/faults/stopped_pe.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

constexpr std::uint64_t page = 4096, mebi = 1 << 20;
// Heap and stack together:
constexpr std::uint64_t free_room = 256 << 20;         // by default, where PEs are few and what they do not touch costs nothing,
constexpr std::uint64_t one_room = 16 << 20;           // ... or is there for nobody else;
constexpr std::uint64_t thread_room = 96 << 10;        // ... and more for each thread beyond the first,
constexpr std::uint64_t least_thread_room = 32 << 10;  // ... for those that few programs have,
constexpr std::uint64_t small_room = 128 << 10;        // ... at least, where they are many ...
constexpr std::uint64_t scarce_room = 64 << 10;        // ... and where the device is full
constexpr std::uint64_t least_room = 4 << 10;          // below this nothing can start
constexpr std::uint32_t usual_threads = 1024;          // more are few programs'
// User addresses of MIPS Linux end here.
constexpr std::uint64_t most_addresses = 0x7fff0000u - MOG_DATA_BASE;

}  // namespace

std::uint32_t choose_threads(const Image &image, const DeviceInfo &device, std::uint32_t nproc, std::uint32_t wanted) {
    // Where memory that nobody touches costs nothing, there may be more than almost any program starts.
    constexpr std::uint32_t in_all = 1u << 18, least = 4, many = 8192;
    if (wanted != 0) return wanted;
    return thread_pointer_register(image) ? std::clamp(in_all / nproc, least, device.is_gpu ? usual_threads : many) : 1;
}

Result<std::uint32_t> choose_memory(const Image &image, const DeviceInfo &device, std::uint32_t nproc, std::uint64_t wanted,
                                    std::uint32_t threads, bool threads_asked) {
    const std::uint64_t most_bytes = window_bytes(image) ? MOG_SHARED_BASE - MOG_DATA_BASE : most_addresses;
    std::uint64_t program = std::max<std::uint64_t>(image.brk > MOG_DATA_BASE ? image.brk - MOG_DATA_BASE : 0, image.data.size());
    if (wanted) {
        std::uint64_t least = round_up(program + least_room, 1024);
        if (wanted < least)
            return Error{fmt::format("--mem {} is too little: the program's own data, a stack and a heap need at least {}",
                                     format_size(wanted), format_size(least))};
        if (wanted > most_bytes)
            return Error{fmt::format("--mem {} is too much: a PE has addresses for {} at most", format_size(wanted),
                                     format_size(most_bytes / mebi * mebi))};
        return static_cast<std::uint32_t>(round_up(wanted, 16));
    }
    // Of threads each wants a stack, and what it allocates.
    const std::uint64_t others = threads - 1, usual = threads_asked ? others : std::min<std::uint64_t>(others, usual_threads);
    const std::uint64_t usual_room =
        (device.maps_by_touch ? free_room : one_room) + usual * thread_room + (others - usual) * least_thread_room;
    const std::uint64_t share = device.memory_bytes / nproc;
    // Half of what the device has left: the guess may be wrong, and others use it too.
    const std::uint64_t room = std::clamp(share > program ? (share - program) / 2 : 0, small_room, usual_room) / page * page;
    std::uint64_t bytes = round_up(program, page) + room;
    if (bytes > share) bytes = std::max(round_up(program + scarce_room, page), share / page * page);
    if (room >= 2 * mebi) bytes = bytes / mebi * mebi;  // easier to read, and leaves at least half of it
    bytes = std::min(bytes, most_bytes / page * page);
    if (bytes < program + least_room)
        return Error{fmt::format("the program's static data take {}, but a PE has addresses for {} at most", format_amount(program),
                                 format_size(most_bytes / mebi * mebi))};
    return static_cast<std::uint32_t>(bytes);
}

Result<std::uint32_t> choose_window(const Image &image, std::uint64_t wanted) {
    constexpr std::uint64_t usual_room = 64 * mebi;
    const std::optional<std::uint32_t> own = window_bytes(image);
    if (!own) return 0u;
    if (*own > MOG_SHARED_MOST)
        return Error{fmt::format("the program's shared variables take {}, but PEs have addresses for {} at most", format_amount(*own),
                                 format_size(MOG_SHARED_MOST))};
    if (wanted != 0 && wanted < *own)
        return Error{
            fmt::format("--shared-memory {} is too little: the program's shared variables alone take {} bytes", format_size(wanted), *own)};
    if (wanted > MOG_SHARED_MOST)
        return Error{fmt::format("--shared-memory {} is too much: PEs have addresses for {} at most", format_size(wanted),
                                 format_size(MOG_SHARED_MOST))};
    const std::uint64_t bytes = wanted != 0 ? wanted : *own + usual_room;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(round_up(std::max<std::uint64_t>(bytes, page), page), MOG_SHARED_MOST));
}

Result<std::vector<std::uint32_t>> make_startup(std::span<const std::string> arguments, std::span<const std::string> environment,
                                                std::uint32_t data_bytes) {
    auto size_of = [](std::span<const std::string> strings) {
        std::uint64_t size = 4;  // the null pointer at the end
        for (const std::string &s : strings) size += 4 + s.size() + 1;
        return size;
    };
    constexpr std::uint64_t fixed = 4 + 8 + 16;  // argc, AT_NULL, alignment
    if (fixed + size_of(arguments) + size_of({}) > data_bytes / 4)
        return Error{fmt::format("the program's arguments take {} bytes, more than a quarter of a PE's memory of {}; raise --mem",
                                 size_of(arguments), format_size(data_bytes))};
    if (fixed + size_of(arguments) + size_of(environment) > data_bytes / 4) environment = {};

    // Pointers first, then the strings they point to.
    std::uint64_t pointers = 4 * (1 + arguments.size() + 1 + environment.size() + 1 + 2);
    std::uint64_t bytes = pointers;
    for (std::span<const std::string> strings : {arguments, environment})
        for (const std::string &s : strings) bytes += s.size() + 1;
    bytes = round_up(bytes, 16) + data_bytes % 16;
    std::vector<std::uint32_t> block(bytes / 4);
    std::uint32_t base = MOG_DATA_BASE + data_bytes - static_cast<std::uint32_t>(bytes);
    std::size_t word = 0;
    std::uint64_t at = pointers;
    block[word++] = static_cast<std::uint32_t>(arguments.size());
    for (std::span<const std::string> strings : {arguments, environment}) {
        for (const std::string &s : strings) {
            block[word++] = base + static_cast<std::uint32_t>(at);
            std::memcpy(reinterpret_cast<char *>(block.data()) + at, s.c_str(), s.size() + 1);
            at += s.size() + 1;
        }
        word++;
    }
    return block;
}

}  // namespace mog
