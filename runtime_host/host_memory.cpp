// host_memory.cpp: anonymous mappings without reserved swap, in pages of the small kind.
#include "runtime_host/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/sizes.hpp"
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
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

HostMemory &HostMemory::operator=(HostMemory &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

HostMemory::~HostMemory() {
    if (data_) munmap(data_, size_);
}

Result<HostMemory> HostMemory::allocate(std::uint64_t bytes, std::uint32_t nproc) {
    HostMemory memory;
    bytes = std::max<std::uint64_t>(bytes, 1);
    void *data = map_zeroed_pages(nullptr, bytes);
    if (!data)
        return Error{fmt::format(
            "the system does not give {} of memory for {} PE{} ({}); have fewer PEs (-n or MOG_NPROC) or less memory "
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

std::uint64_t host_memory_bytes() {
    std::uint64_t bytes =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    for (const char *path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream file(path);
        std::uint64_t limit = 0;
        if (file >> limit && limit > 0) bytes = std::min(bytes, limit);
    }
    return bytes;
}

std::string processor_name() {
    constexpr std::string_view key = "model name";
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key)) return std::string(trim(std::string_view(line).substr(line.find(':') + 1)));
    return {};
}

}  // namespace mog
