// pe_windows.cpp: one mapping without access, with each PE's DATA opened in it.
#include "runtime_host/devices/host/pe_windows.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "interp_templates/launch_abi.h"

namespace mog {

namespace {

/// Native code adds a constant to a register in 64 bits, if that is within 1 MiB to either side (accesses.cpp).
constexpr std::uint64_t before = MOG_DATA_BASE + (1u << 20);
/// What is behind a PE's DATA is before the next one's, which has less than 2 GiB.
constexpr std::uint64_t stride = std::uint64_t{1} << 32;
static_assert(stride - before > std::uint64_t{2} << 30);

}  // namespace

std::optional<PeWindows> PeWindows::reserve(std::uint32_t pes, std::uint64_t bytes) {
    if (pes > most_pes || bytes == 0 || bytes % static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) != 0) return std::nullopt;
    PeWindows windows;
    const std::uint64_t size = before + pes * stride;
    void *const addresses = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (addresses == MAP_FAILED) return std::nullopt;
    windows.addresses_ = addresses;
    windows.size_ = size;
    windows.pes_ = pes;
    madvise(addresses, size, MADV_NOHUGEPAGE);  // as map_zeroed_pages() has it
    for (std::uint32_t pe = 0; pe < pes; ++pe)
        if (mprotect(windows.data(pe), bytes, PROT_READ | PROT_WRITE) != 0) return std::nullopt;
    return windows;
}

PeWindows::PeWindows(PeWindows &&other) noexcept { *this = std::move(other); }

PeWindows &PeWindows::operator=(PeWindows &&other) noexcept {
    std::swap(addresses_, other.addresses_);
    std::swap(size_, other.size_);
    std::swap(pes_, other.pes_);
    return *this;
}

PeWindows::~PeWindows() {
    if (addresses_) munmap(addresses_, size_);
}

bool PeWindows::map_file(std::uint32_t address, int file, std::uint64_t offset, std::uint64_t bytes, bool writable) {
    const std::int64_t from_data = std::int64_t{address} - MOG_DATA_BASE;
    for (std::uint32_t pe = 0; pe < pes_; ++pe)
        if (mmap(data(pe) + from_data, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
                 static_cast<off_t>(offset)) == MAP_FAILED)
            return false;
    return true;
}

std::uint8_t *PeWindows::data(std::uint32_t pe) const { return static_cast<std::uint8_t *>(addresses_) + before + pe * stride; }

}  // namespace mog
