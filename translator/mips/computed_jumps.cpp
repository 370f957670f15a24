// computed_jumps.cpp: finds functions that jump to sums.
//
// The address of a label leaves a relocation, and so do jump tables. A distance between two labels leaves none: the
// assembler puts a number in its place.
//
//     static const short table[] = {&&zero - &&zero, &&one - &&zero};
//     goto *(&&zero + table[i]);
//
// What can be seen is that a function jumps through a register (other than to return) and takes the address of one of its
// labels by instructions, or that what it jumps to was added up. Every instruction of such a function is taken for a target:
// that is slower code, but right whatever the numbers are. The jump tables of switch are not taken for this: their jumps
// load the address from a table whose words have relocations; or add $gp to it, and the words have those of $gp.
#include "translator/mips/computed_jumps.hpp"

#include <algorithm>

namespace mog {
namespace {

/// Where a jump's address comes from.
enum class Source { Memory, Sum, Unknown };

class Function {
public:
    Function(const ElfProgram &elf, std::uint32_t begin, std::uint32_t end) : elf_(elf), begin_(begin), end_(end) {}

    bool jumps_to_sums() const {
        const bool takes_labels = any_within(elf_.labels_in_code), has_tables = any_within(elf_.labels_in_data);
        for (std::uint32_t address = begin_; address < end_; address += 4) {
            const MipsInstruction jump = decode(address);
            if ((jump.op->name != "jr" && jump.op->name != "jr.hb") || field_rs(jump.word) == vreg::ra) continue;
            if (takes_labels) return true;
            const Source source = source_of(address, field_rs(jump.word));
            if (source == Source::Unknown && has_tables) return true;
            if (source == Source::Sum && !has_relative_tables()) return true;
        }
        return false;
    }

    void add_instructions(std::set<std::uint32_t> &to) const {
        for (std::uint32_t address = begin_; address < end_; address += 4) {
            const MipsOp &op = *decode(address).op;
            // The slot of the jump before it is run with that jump; nobody could want to come to it alone.
            const bool slot = address > begin_ && decode(address - 4).op->branches;
            if (!slot && op.unsupported.empty() && op.name != "illegal") to.insert(address);
        }
    }

private:
    MipsInstruction decode(std::uint32_t address) const {
        const std::uint32_t word = elf_.segments.word(address);
        return {address, word, &decode_mips(word)};
    }

    bool any_within(const std::set<std::uint32_t> &addresses) const {
        const auto first = addresses.lower_bound(begin_);
        return first != addresses.end() && *first < end_;
    }

    /// Labels in tables of distances from $gp or from their own place.
    bool has_relative_tables() const {
        for (auto it = elf_.code_pointers.lower_bound(begin_); it != elf_.code_pointers.end() && it->first < end_; ++it)
            if (it->second == Entry::Label && !elf_.labels_in_code.contains(it->first) && !elf_.labels_in_data.contains(it->first))
                return true;
        return false;
    }

    /// Looks back from a jump through straight-line code for what wrote its register.
    Source source_of(std::uint32_t jump, std::uint32_t reg) const {
        for (std::uint32_t address = jump; address > begin_;) {
            address -= 4;
            const MipsInstruction from = decode(address);
            if (from.op->branches) break;
            if (!from.writes().test(reg)) continue;
            const std::uint32_t base = field_rs(from.word);
            if (from.op->name == "lw") return base == vreg::sp || base == 30 ? Source::Unknown : Source::Memory;  // $30: frame
            const bool moves = (from.op->name == "or" || from.op->name == "addu") && field_rt(from.word) == 0;
            if (!moves) return Source::Sum;
            reg = base;
        }
        return Source::Unknown;
    }

    const ElfProgram &elf_;
    std::uint32_t begin_, end_;
};

}  // namespace

std::set<std::uint32_t> computed_targets(const ElfProgram &elf) {
    std::set<std::uint32_t> targets;
    const auto &symbols = elf.segments.symbols;
    const std::uint32_t code_end = elf.segments.code_base + static_cast<std::uint32_t>(elf.segments.code.size() * 4);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (!symbols[i].is_code) continue;
        std::uint32_t end = symbols[i].address + symbols[i].size;
        if (symbols[i].size == 0) {  // hand-written code: as far as the next function with a size
            const auto next = std::find_if(symbols.begin() + i, symbols.end(), [](const Symbol &s) { return s.is_code && s.size != 0; });
            end = next == symbols.end() ? code_end : next->address;
        }
        end = std::min(end, code_end);
        const Function function(elf, symbols[i].address, end);
        if (function.jumps_to_sums()) function.add_instructions(targets);
    }
    return targets;
}

}  // namespace mog
