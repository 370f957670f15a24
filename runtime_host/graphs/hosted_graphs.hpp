// hosted_graphs.hpp: graphs of channels whose scheduler is the host (docs/channels.md): it looks at them between two launches, and whenever
// a PE calls to sleep or to wake somebody, also in the midst of one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "assembler/image/image.hpp"
#include "runtime_host/device/addresses.hpp"
#include "runtime_host/device/device.hpp"

namespace mog {

/// What a run's channels with MOG_CHANNEL_COUNTED have counted, together.
struct ChannelCounts {
    std::uint32_t channels = 0;
    std::uint64_t reservations = 0;
    std::uint64_t compare_and_swaps = 0;  ///< on their tails
    std::uint64_t joined = 0;             ///< reservations that another lane of the warp has made with its own
};
/// Nothing, if there is no such channel. Error: the device's.
Result<std::optional<ChannelCounts>> channel_counts(Device &device, const Image &image, const Addresses &addresses);

class HostedGraphs {
public:
    /// Who sleeps on the word at this address goes on.
    using Wake = std::function<void(std::uint32_t address)>;

    /// The device outlives it.
    HostedGraphs(Device &device, const Image &image, const Addresses &addresses);

    /// The program may have such graphs at all.
    bool are_possible() const { return list_.has_value(); }
    /// Workers that ask are told what to do, until there is nothing to tell. Error: the device's. A graph whose words in the window make no
    /// sense is left alone.
    Result<void> look(const Wake &wake);

private:
    Device &device_;
    Addresses addresses_;
    std::optional<std::uint32_t> list_;  ///< address of the word that has the first one's
};

}  // namespace mog
