// pe_windows.hpp: DATA of each PE in a window of the address space of its own, so large that no address of the PE leads out of it.
#pragma once

#include <cstdint>
#include <optional>

namespace mog {

class PeWindows {
public:
    /// No more PEs have windows: each takes four GiB of addresses, of which a process has 128 TiB, and of the system's memory three pages
    /// for its tables.
    static constexpr std::uint32_t most_pes = 4096;

    /// For `pes` PEs with so many bytes of zeros each, which cost nothing until they are touched. None: there are too many PEs; the bytes
    /// are not whole pages; or the system does not give that many addresses.
    static std::optional<PeWindows> reserve(std::uint32_t pes, std::uint64_t bytes);
    PeWindows(PeWindows &&other) noexcept;
    PeWindows &operator=(PeWindows &&other) noexcept;
    ~PeWindows();

    /// In each PE's window, pages of a file from `offset` on are at that address of the PE. False: the system does not map them so often.
    bool map_file(std::uint32_t address, int file, std::uint64_t offset, std::uint64_t bytes, bool writable);

    /// Where DATA of a PE begins.
    std::uint8_t *data(std::uint32_t pe) const;

private:
    PeWindows() = default;

    void *addresses_ = nullptr;
    std::uint64_t size_ = 0;
    std::uint32_t pes_ = 0;
};

}  // namespace mog
