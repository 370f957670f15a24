// code_places.hpp: between MIPS addresses, which gdb knows, and TEXT, which PEs execute.
//
// A MIPS instruction is some MOG instructions, or none, if nothing of it is left; after what was straightened out of delay slots it may
// stand in several places. What is in the delay slot of a jump is a part of the jump, before which or after which it is executed. Between
// two MIPS instructions the accumulators may hold values that the next one takes instead of registers.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "assembler/analysis/effects.hpp"
#include "assembler/image/image.hpp"
#include "runtime_host/gdb/mips_code.hpp"

namespace mog::gdb {

class CodePlaces {
public:
    /// `code`: its MIPS program, if it is there. Both outlive this.
    CodePlaces(const Image &image, const MipsCode &code);

    std::uint32_t address(std::uint32_t index) const { return index < addresses_.size() ? addresses_[index] : 0; }
    /// A MIPS instruction begins there.
    bool is_boundary(std::uint32_t index) const;
    /// Where the MIPS instruction begins; of one of which nothing is left, what is executed instead of it. Empty: it is no code.
    std::vector<std::uint32_t> places(std::uint32_t mips_address) const;

    /// The MIPS instruction that control comes to where nothing is left of the one at this address.
    std::uint32_t after_nothing(std::uint32_t mips_address) const;
    /// A PE came from the MIPS instruction at `from` to a place: the first one of which nothing is left on its way; 0: there is none.
    std::uint32_t first_of_nothing(std::uint32_t from, std::uint32_t index) const;

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
    void find_slots();
    void analyse();
    bool leads_to(std::uint32_t mips_address, std::uint32_t index) const;

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
    const MipsCode &code_;
    std::map<std::uint32_t, std::uint32_t> entry_of_;             ///< by TEXT index: the first code address that leads there
    std::vector<std::uint32_t> addresses_;                        ///< by TEXT index, of the MIPS instruction that a PE is seen at,
    std::vector<bool> in_slot_;                                   ///< and where that is executed after the jump in whose delay slot it is
    std::map<std::uint32_t, std::vector<std::uint32_t>> places_;  ///< by address
    std::vector<RegisterSet> live_;                               ///< by TEXT index; empty until somebody asks
    std::vector<Differs> differs_;
};

}  // namespace mog::gdb
