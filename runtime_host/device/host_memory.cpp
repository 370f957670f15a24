// host_memory.cpp: anonymous mappings without reserved swap, in pages of the small kind.
#include "runtime_host/device/host_memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>
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
