// memory_pages.hpp: memory and registers of PEs as records of a checkpoint: the pages that have changed since the last one; and back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime_host/checkpoint/checkpoint_file.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/population/population.hpp"

namespace mog {

/// What memory is of which run.
struct MemoryOfRun {
    Device &device;
    const Image &image;
    const Population &population;
};

/// Of each page, a hash of what checkpoints have of it. A forked process that writes them changes this for the process that goes on, too.
class KnownPages {
public:
    /// Bytes of memory in a page.
    static constexpr std::uint32_t page = 4096;

    /// Error: there is no memory for it.
    static Result<KnownPages> make(const RunConfig &config);
    KnownPages(KnownPages &&other) noexcept;
    KnownPages &operator=(KnownPages &&other) noexcept;
    ~KnownPages();

    /// Nothing is written of any page: they are as a PE has them that was just loaded.
    void forget();
    /// Of a process's page, or of one of the window; 0: it is as it was loaded.
    std::uint64_t of(std::uint32_t process, std::uint32_t number) const {
        const std::size_t at = place_of(process, number);
        return groups_[at / group] == 0 ? 0 : hashes_[at];  // what was never written takes no memory by being read
    }
    void set(std::uint32_t process, std::uint32_t number, std::uint64_t hash) {
        const std::size_t at = place_of(process, number);
        groups_[at / group] = 1;
        hashes_[at] = hash;
    }
    static constexpr std::uint32_t window = UINT32_MAX;

private:
    /// Pages of which one is known, or none.
    static constexpr std::size_t group = 64;

    KnownPages() = default;
    std::size_t place_of(std::uint32_t process, std::uint32_t number) const {
        return (process == window ? window_begins_ : std::size_t{process} * pages_) + number;
    }

    std::uint64_t *hashes_ = nullptr;
    std::uint8_t *groups_ = nullptr;  ///< behind them, a byte for each group
    std::size_t pages_ = 0, window_begins_ = 0, bytes_ = 0;
};

/// Where records go.
using TakeRecord = std::function<Result<void>(RecordType type, std::vector<std::uint8_t> bytes)>;

/// The pages of the window that are not known, which are known then; none without a window. It is no memory that a forked process would
/// have as it was.
Result<void> collect_window(const MemoryOfRun &run, KnownPages &known, const TakeRecord &take);

/// All registers, and all pages that are not known, which are known then. `threads`: so many at a time, if the device is one whose memory
/// any thread may read (Device::memory_is_ours).
Result<void> collect_memory(const MemoryOfRun &run, KnownPages &known, unsigned threads, const TakeRecord &take);

/// Into PEs that are loaded and have no memory yet but what a program begins with: records as they come in the file.
Result<void> restore_registers(const MemoryOfRun &run, std::span<const std::uint8_t> bytes);
Result<void> restore_memory(const MemoryOfRun &run, std::span<const std::uint8_t> bytes);

}  // namespace mog
