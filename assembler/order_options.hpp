// order_options.hpp: the options of mogcc and mogas that concern the order of subinterpreters, in one table.
#pragma once

#include <span>
#include <string_view>

#include "assembler/assemble.hpp"
#include "support/result.hpp"

namespace mog {

struct OrderSetting {
    std::string_view name;      ///< "--slots"; its value follows after =, on mogas's command line also as the next word
    std::string_view argument;  ///< its name in --help
    std::string_view help;      ///< lines
    /// Error: what value is needed instead, "\"x\" is not ...".
    Result<void> (*read)(AssembleOptions &options, std::string_view value);
};

std::span<const OrderSetting> order_settings();

}  // namespace mog
