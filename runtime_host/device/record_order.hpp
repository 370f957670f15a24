// record_order.hpp: the records of PEs that stopped, which devices give in any order, ascending by PE.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

class RecordOrder {
public:
    /// The records, ascending. `active`: PEs, ascending, that have all of them among them.
    std::vector<Request> ascending(std::span<const Request> records, std::span<const std::uint32_t> active);

private:
    std::vector<std::uint32_t> place_of_;  ///< by PE: its record, and one; all 0 between calls
};

}  // namespace mog
