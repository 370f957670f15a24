// device_copy.cpp: copies between PEs through staging memory: of the host, or of a device that has its own.
#include <algorithm>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

Result<void> Device::copy_in_stages(std::span<const Copy> copies, const Stage &stage) {
    constexpr std::uint32_t most_bytes = 64u << 20;  // at once
    std::vector<Transfer> from, to;
    std::uint32_t at = 0;
    const auto move = [&]() -> Result<void> {
        Result<void> done = stage(from, to, at);
        from.clear();
        to.clear();
        at = 0;
        return done;
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
            if (at >= most_bytes) MOG_TRY(move());
        }
    return from.empty() ? Result<void>() : move();
}

Result<void> Device::copy(std::span<const Copy> copies) {
    std::vector<std::uint8_t> staging;
    return copy_in_stages(copies, [&](std::span<const Transfer> from, std::span<const Transfer> to, std::uint32_t bytes) -> Result<void> {
        staging.resize(bytes);
        MOG_TRY(gather(from, staging));
        return scatter(to, staging);
    });
}

}  // namespace mog
