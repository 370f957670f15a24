// device_copy.cpp: copies between PEs for devices without a way of their own: through staging memory of the host.
#include <algorithm>
#include <vector>

#include "runtime_host/device.hpp"

namespace mog {

Result<void> Device::copy(std::span<const Copy> copies) {
    constexpr std::uint32_t most_bytes = 64u << 20;  // at once
    std::vector<Transfer> from, to;
    std::vector<std::uint8_t> staging;
    std::uint32_t at = 0;
    const auto move = [&]() -> Result<void> {
        staging.resize(at);
        if (Result<void> done = gather(from, staging); !done) return done;
        if (Result<void> done = scatter(to, staging); !done) return done;
        from.clear();
        to.clear();
        at = 0;
        return {};
    };
    for (Copy copy : copies)
        while (copy.length != 0) {
            const std::uint32_t length = std::min(copy.length, most_bytes - at);
            from.push_back({copy.from_pe, copy.from, length, at, false});
            to.push_back({copy.to_pe, copy.to, length, at, false});
            at += (length + 3u) & ~3u;
            copy.from += length;
            copy.to += length;
            copy.length -= length;
            if (at >= most_bytes)
                if (Result<void> done = move(); !done) return done;
        }
    return from.empty() ? Result<void>() : move();
}

}  // namespace mog
