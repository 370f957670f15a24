// host_memory.hpp: zeroed pages from the system that cost nothing until they are touched. DATA of PEs that run on a CPU
// lives in such memory: a program that is given 16 MiB and uses 20 KiB costs 20 KiB. And which of them were touched: others
// need not be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// Such pages, anywhere, or `at` a place in place of what is mapped there. Null: the system has no room for them (errno).
void *map_zeroed_pages(void *at, std::uint64_t bytes);

class HostMemory {
public:
    HostMemory() = default;
    HostMemory(HostMemory &&other) noexcept;
    HostMemory &operator=(HostMemory &&other) noexcept;
    ~HostMemory();

    /// Room for something of each of `nproc` PEs. Error: the system has no such room in its address space.
    static Result<HostMemory> allocate(std::uint64_t bytes, std::uint32_t nproc);

    /// Whole pages that can be mapped at other places, too, by file().
    static Result<HostMemory> allocate_mappable(std::uint64_t bytes);
    int file() const { return file_; }

    void *data() const { return data_; }
    std::uint32_t *words() const { return static_cast<std::uint32_t *>(data_); }
    std::uint64_t size() const { return size_; }

private:
    void *data_ = nullptr;
    std::uint64_t size_ = 0;
    int file_ = -1;
};

/// Of the system, which are what memory is given in.
std::size_t page_bytes();

/// Pages, counted from the first one of a region: begin, begin + 1, ... end - 1.
struct PageRun {
    std::size_t begin, end;
};

/// What the system says about the pages of this process.
class PageMap {
public:
    /// `may_scan`: may use a request that newer systems have, and that does not look at each page.
    explicit PageMap(bool may_scan = true);
    ~PageMap();
    PageMap(const PageMap &) = delete;
    PageMap &operator=(const PageMap &) = delete;

    /// Of the pages that have some of the bytes, those that were ever touched, ascending. Where the system does not tell: all.
    std::vector<PageRun> touched(const void *begin, std::size_t bytes) const;

private:
    int file_;
    bool may_scan_;
};

/// The first of `count` words, each `stride` words behind the one before, that is not 0; `count` if there is none. Pages that were never
/// touched are not read.
std::size_t first_not_zero(const std::uint32_t *words, std::size_t stride, std::size_t count, const PageMap &pages);

/// Words from one row of the state to the next, for `pes` PEs with a word each in a row: whole lines of a cache, and an odd number of them.
/// With a power of two all words of a PE would meet in one set of the cache: 65,536 PEs stopped four times as slowly (bench/mpi/pingpong).
std::uint32_t row_stride(std::uint32_t pes);

/// Bytes of memory this process may use: of the machine, or of the control group it runs in where that is less.
std::uint64_t host_memory_bytes();

/// The least memory limit of the control groups that a process is in, of their parents too, in bytes. `groups`: the process's
/// /proc/self/cgroup; `mounted`: where control groups of both versions are mounted. UINT64_MAX: there is none.
std::uint64_t control_group_limit(const std::filesystem::path &groups = "/proc/self/cgroup",
                                  const std::filesystem::path &mounted = "/sys/fs/cgroup");

/// What this machine calls its processor; empty if it does not say.
std::string processor_name();

}  // namespace mog
