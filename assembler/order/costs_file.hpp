// costs_file.hpp: what `mogrun --calibrate` measured on a device, in a file that `mogcc --costs=FILE` reads.
//
// JSON: {"format": "mog-costs", "version": 1, "table": hash of isa.def, "device", "description", "driver", "lanes",
// "sequence": {"pass", "attempt", "seconds_per_unit", "deviation", "bodies": {"lr": 1.2, ...}}, "switch": likewise without
// "pass" and "attempt", "checksum"}. One of "sequence" and "switch" may be missing: not every device has both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "assembler/order/device_costs.hpp"
#include "support/result.hpp"

namespace mog {

/// In a unit in which the measured bodies sum to what they do in isa.def, so that bodies which nobody measured can be
/// taken from there.
struct EngineCosts {
    double pass = 0;
    double attempt = 0;  ///< both 0 for a switch
    double seconds_per_unit = 0;
    double deviation = 0;                               ///< of measured times from what these costs predict, relative, root mean square
    std::map<std::string, double, std::less<>> bodies;  ///< by name of the instruction
};

struct MeasuredCosts {
    std::string device, description, driver;
    std::uint32_t lanes = 1;
    std::optional<EngineCosts> sequence;  ///< of subinterpreters
    std::optional<EngineCosts> dispatch;  ///< the switch: a pass is one instruction, and a part of its body
};

std::string write_costs(const MeasuredCosts &costs);
/// Error: the text is empty, damaged, no such file, or measured with another version's instruction table.
Result<MeasuredCosts> read_costs(std::string_view text);

/// A few lines for people.
std::string describe_costs(const MeasuredCosts &costs);

/// As the order search takes them. An order says nothing to a switch: with the bodies of a device that has no sequence come
/// pass and attempt as isa.def estimates them; `device` says so.
DeviceCosts search_costs(const MeasuredCosts &costs);

/// The last two on a file. Error with the file's name.
Result<DeviceCosts> load_costs(const std::string &file);

}  // namespace mog
