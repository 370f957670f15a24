// device_costs.hpp: what a device charges for the pieces of an interpreter.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "assembler/order/markov_chain.hpp"
#include "support/result.hpp"

namespace mog {

/// In any unit, for it is their relation that counts. A body is paid for when any lane of a warp takes it.
struct DeviceCosts {
    std::string device = "a GPU as isa.def estimates it";
    std::uint32_t lanes = 32;  ///< PEs of a warp that go their own ways; 1: a processor, or lanes that stay in step
    double pass = 3;           ///< once round the loop
    double attempt = 2;        ///< compare the opcode, and go on
    /// By opcode; of those that are 0 the cost in Kind is taken.
    std::array<double, 256> body{};

    double body_of(const Kind &kind) const {
        if (kind.parts.empty()) return body_of(kind.op, kind.cost);
        double sum = 0;
        for (const Op part : kind.parts) sum += body_of(part, info(part).cost);
        return sum;
    }

private:
    double body_of(Op op, double estimate) const {
        const double known = body[static_cast<std::uint8_t>(op)];
        return known > 0 ? known : estimate;
    }
};

}  // namespace mog
