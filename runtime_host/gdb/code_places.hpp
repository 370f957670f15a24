// code_places.hpp: between MIPS addresses, which gdb knows, and TEXT, which PEs execute.
//
// A MIPS instruction is some MOG instructions, or none, if nothing of it is left; after what was straightened out of delay slots it may
// stand in several places. Between two MIPS instructions the accumulators may hold values that the next one takes instead of registers.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "assembler/analysis/effects.hpp"
#include "assembler/image/image.hpp"

namespace mog::gdb {

class CodePlaces {
public:
    explicit CodePlaces(const Image &image);

    std::uint32_t address(std::uint32_t index) const { return index < image_.source_address.size() ? image_.source_address[index] : 0; }
    /// A MIPS instruction begins there.
    bool is_boundary(std::uint32_t index) const;
    /// Where the MIPS instruction begins; of one of which nothing is left, what is executed instead of it. Empty: it is no code.
    std::vector<std::uint32_t> places(std::uint32_t mips_address) const;

    /// Registers whose values a PE has there.
    RegisterSet known(std::uint32_t index);
    /// What an accumulator has there, if the program will ask it.
    struct Held {
        bool is_asked = false;
        std::bitset<256> same;  ///< registers that hold the same; of D, the first ones of pairs
    };
    Held acc(std::uint32_t index);
    Held d(std::uint32_t index);

private:
    void analyse();

    struct Differs {
        std::bitset<256> acc, d;  ///< registers that may hold something else
        Differs &operator|=(const Differs &other) {
            acc |= other.acc;
            d |= other.d;
            return *this;
        }
        bool operator==(const Differs &) const = default;
    };
    static void step(Differs &differs, const Instruction &instruction, const Roles &roles);

    const Image &image_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> places_;  ///< by address
    std::vector<RegisterSet> live_;                               ///< by TEXT index; empty until somebody asks
    std::vector<Differs> differs_;
};

}  // namespace mog::gdb
