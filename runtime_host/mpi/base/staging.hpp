// staging.hpp: a list of pieces of PEs' memory with their places in bytes of the host, as long as these stay within a bound. Places are
// 32 bits wide in a Transfer; what is added here cannot leave them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog::mpi {

/// What is moved through the host at once.
inline constexpr std::uint64_t most_staging = 64u << 20;

/// Bytes up to the next word: devices want pieces to begin there.
inline constexpr std::uint64_t to_words(std::uint64_t bytes) { return (bytes + 3) & ~std::uint64_t{3}; }

class Staging {
public:
    void clear() {
        transfers_.clear();
        bytes_ = 0;
    }
    bool empty() const { return transfers_.empty(); }
    /// There is room for so many bytes more; for any number, where there is nothing yet.
    bool has_room(std::uint64_t bytes) const { return bytes_ == 0 || bytes_ + to_words(bytes) <= most_staging; }
    /// A place for `bytes`, which may be 0; after has_room().
    std::uint32_t reserve(std::uint32_t bytes) {
        const auto place = static_cast<std::uint32_t>(bytes_);
        bytes_ += to_words(bytes);
        return place;
    }
    /// The same, for bytes of a PE.
    std::uint32_t add(std::uint32_t pe, std::uint32_t address, std::uint32_t bytes) {
        const std::uint32_t place = reserve(bytes);
        if (bytes != 0) transfers_.push_back({pe, address, bytes, place, false});
        return place;
    }

    const std::vector<Transfer> &transfers() const { return transfers_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    std::vector<Transfer> transfers_;
    std::uint64_t bytes_ = 0;
};

}  // namespace mog::mpi
