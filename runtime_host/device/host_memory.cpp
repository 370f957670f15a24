// host_memory.cpp: anonymous mappings without reserved swap, in pages of the small kind.
#include "runtime_host/device/host_memory.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "support/sizes.hpp"
#include "support/text.hpp"

namespace mog {

void *map_zeroed_pages(void *at, std::uint64_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0);
    void *pages = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    // A huge page would make every PE that touches one word pay for 2 MiB.
    madvise(pages, bytes, MADV_NOHUGEPAGE);
    return pages;
}

HostMemory::HostMemory(HostMemory &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), file_(std::exchange(other.file_, -1)) {}

HostMemory &HostMemory::operator=(HostMemory &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(file_, other.file_);
    return *this;
}

HostMemory::~HostMemory() {
    if (data_) munmap(data_, size_);
    if (file_ >= 0) close(file_);
}

Result<HostMemory> HostMemory::allocate_mappable(std::uint64_t bytes) {
    HostMemory memory;
    memory.file_ = memfd_create("mog-window", MFD_CLOEXEC);
    void *data = MAP_FAILED;
    if (memory.file_ >= 0 && ftruncate(memory.file_, static_cast<off_t>(bytes)) == 0)
        data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory.file_, 0);
    if (data == MAP_FAILED)
        return Error{fmt::format("the system does not give {} of memory for what PEs share ({}); --shared-memory says how much it is",
                                 format_amount(bytes), std::strerror(errno))};
    memory.data_ = data;
    memory.size_ = bytes;
    return memory;
}

Result<HostMemory> HostMemory::allocate(std::uint64_t bytes, std::uint32_t nproc) {
    HostMemory memory;
    bytes = std::max<std::uint64_t>(bytes, 1);
    void *data = map_zeroed_pages(nullptr, bytes);
    if (!data)
        return Error{
            fmt::format("the system does not give {} of memory for {} PE{} ({}); have fewer PEs (-n or MOG_NPROC) or less memory "
                        "for each (--mem or MOG_MEM)",
                        format_amount(bytes), nproc, nproc == 1 ? "" : "s", std::strerror(errno))};
    memory.data_ = data;
    memory.size_ = bytes;
    return memory;
}

namespace {

/// The request PAGEMAP_SCAN of Linux 6.7, which older headers do not have.
struct ScanRegion {
    std::uint64_t start, end, categories;
};
struct ScanArguments {
    std::uint64_t size, flags, start, end, walk_end, regions, regions_length, most_pages, inverted, all_of, any_of, returned;
};

/// Calls add(begin, end) for the pages from `first` to `end` that were ever touched, numbered from `first`. False: the
/// system does not have this request.
template <typename F>
bool scan(int file, std::uintptr_t first, std::uintptr_t end, F add) {
    constexpr std::uint64_t present = 1u << 3, swapped = 1u << 4;
    ScanRegion regions[64];
    ScanArguments arguments{};
    arguments.size = sizeof arguments;
    arguments.regions = reinterpret_cast<std::uintptr_t>(regions);
    arguments.regions_length = std::size(regions);
    arguments.any_of = arguments.returned = present | swapped;
    arguments.end = end * page_bytes();
    for (std::uint64_t at = first * page_bytes(); at < arguments.end; at = arguments.walk_end) {
        arguments.start = at;
        const int found = ioctl(file, _IOWR('f', 16, ScanArguments), &arguments);
        if (found < 0 || arguments.walk_end <= at) return false;
        for (int i = 0; i < found; i++) add(regions[i].start / page_bytes() - first, regions[i].end / page_bytes() - first);
    }
    return true;
}

}  // namespace

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

PageMap::PageMap(bool may_scan) : file_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)), may_scan_(may_scan) {}

PageMap::~PageMap() {
    if (file_ >= 0) close(file_);
}

std::vector<PageRun> PageMap::touched(const void *begin, std::size_t bytes) const {
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin) / page_bytes(),
                         last = (reinterpret_cast<std::uintptr_t>(begin) + bytes - 1) / page_bytes();
    std::vector<PageRun> runs;
    const auto add = [&](std::size_t from, std::size_t to) {
        if (!runs.empty() && runs.back().end == from) runs.back().end = to;
        else runs.push_back({from, to});
    };
    if (file_ >= 0 && may_scan_ && scan(file_, first, last + 1, add)) return runs;
    runs.clear();
    std::uint64_t entries[8192];
    const std::size_t count = last - first + 1;
    std::size_t page = 0;
    while (file_ >= 0 && page < count) {
        const ssize_t got = pread(file_, entries, 8 * std::min(count - page, std::size(entries)), static_cast<off_t>(8 * (first + page)));
        if (got < 8) break;
        // In memory, or swapped out.
        for (std::size_t i = 0; i < static_cast<std::size_t>(got) / 8; i++, page++)
            if (entries[i] >> 62 != 0) add(page, page + 1);
    }
    if (page < count) add(page, count);
    return runs;
}

std::size_t first_not_zero(const std::uint32_t *words, std::size_t stride, std::size_t count, const PageMap &pages) {
    if (count == 0) return count;
    const auto first = reinterpret_cast<std::uintptr_t>(words);
    const std::uintptr_t first_page = first / page_bytes() * page_bytes();
    for (const PageRun &run : pages.touched(words, 4 * ((count - 1) * stride + 1))) {
        const std::uintptr_t from = first_page + run.begin * page_bytes(), to = first_page + run.end * page_bytes();
        std::size_t word = from <= first ? 0 : (from - first + 4 * stride - 1) / (4 * stride);
        for (; word < count && reinterpret_cast<std::uintptr_t>(words + word * stride) < to; ++word)
            if (words[word * stride] != 0) return word;
    }
    return count;
}

std::uint32_t row_stride(std::uint32_t pes) {
    constexpr std::uint32_t line = 64 / 4;
    return pes <= line ? pes : ((pes + line - 1) / line | 1u) * line;
}

namespace {

/// The least limit in `folder` or above it, up to `top`. In a container that sees no further than itself, a group's path may
/// not be there; its own limit then stands at the top.
std::uint64_t limit_up_to(std::filesystem::path folder, const std::filesystem::path &top, std::initializer_list<const char *> files) {
    std::uint64_t least = UINT64_MAX;
    for (;; folder = folder.parent_path()) {
        for (const char *name : files) {
            std::ifstream file(folder / name);
            std::uint64_t limit = 0;
            if (file >> limit && limit > 0) least = std::min(least, limit);
        }
        if (folder == top || folder.native().size() <= top.native().size()) return least;
    }
}

}  // namespace

std::uint64_t control_group_limit(const std::filesystem::path &groups, const std::filesystem::path &mounted) {
    std::uint64_t least = UINT64_MAX;
    std::ifstream file(groups);
    // "HIERARCHY:CONTROLLERS:/PATH"; version 2 is hierarchy 0 and names no controllers.
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string path = line.substr(second + 1);
        // Of a group outside of what this process sees, "/../..".
        const auto in = [&](const std::filesystem::path &top) {
            return path.size() > 1 && path.find("..") == std::string::npos ? top / path.substr(1) : top;
        };
        if (controllers == ",,")
            for (const std::filesystem::path &top : {mounted, mounted / "unified"})
                least = std::min(least, limit_up_to(in(top), top, {"memory.max", "memory.high"}));
        if (controllers.find(",memory,") != std::string::npos)
            least = std::min(least, limit_up_to(in(mounted / "memory"), mounted / "memory", {"memory.limit_in_bytes"}));
    }
    return least;
}

std::uint64_t host_memory_bytes() {
    std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    // What is mapped counts for `ulimit -v`, touched or not.
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
    return std::min(bytes, control_group_limit());
}

std::string processor_name() {
    constexpr std::string_view key = "model name";
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key)) return std::string(trim(std::string_view(line).substr(line.find(':') + 1)));
    return {};
}

}  // namespace mog
