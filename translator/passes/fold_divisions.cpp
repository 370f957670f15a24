// fold_divisions: calls of the functions by which compilers divide integers of 64 bits become divisions.
//
//     jal  __umoddi3   =>   div64.of $4,$5        $4 and $5: of what; $6 and $7: by what, a trap if that is 0 as in libgcc's;
//     nop                   remu64   $6,$7        $2 and $3: the result, low words first
//                           div64.to $2,$3
//
// A function of libgcc is some 130 instructions for machines that divide words only. Callers do not rely on anything else that a call
// leaves, so that registers which it would change may keep what they have. A function that ends with such a call (`j`) returns itself.
#include <array>
#include <string_view>
#include <unordered_map>

#include "translator/passes/passes.hpp"

namespace mog {
namespace {

struct DividingFunction {
    std::string_view name, division;
};
constexpr std::array<DividingFunction, 4> dividing_functions = {
    {{"__divdi3", "div64"}, {"__udivdi3", "divu64"}, {"__moddi3", "rem64"}, {"__umoddi3", "remu64"}}};

constexpr std::uint32_t pair_of(std::uint32_t low) { return low << 21 | (low + 1) << 16; }

}  // namespace

MipsProgram fold_divisions(MipsProgram program) {
    std::unordered_map<std::uint32_t, std::string_view> at;  // which division a function's address is
    for (const Symbol &symbol : program.segments.symbols) {
        // By .pic.NAME the linker has code that is not position-independent call functions that are, as all of libgcc's.
        constexpr std::string_view by_linker = ".pic.";
        const std::string_view name = std::string_view(symbol.name).substr(symbol.name.starts_with(by_linker) ? by_linker.size() : 0);
        for (const DividingFunction &function : dividing_functions)
            if (symbol.is_code && name == function.name) at.emplace(symbol.address, function.division);
    }
    if (at.empty()) return program;
    for (MipsBlock &block : program.blocks) {
        if (!block.branch || block.slot_when != MipsBlock::Slot::None) continue;
        const MipsInstruction branch = *block.branch;
        const bool calls = branch.op->name == "jal";
        if (!calls && branch.op->name != "j") continue;
        const auto found = at.find(branch.target());
        if (found == at.end()) continue;
        block.body.push_back({branch.address, pair_of(4), &mips_op("div64.of")});
        block.body.push_back({branch.address, pair_of(6), &mips_op(found->second)});
        block.body.push_back({branch.address, pair_of(2), &mips_op("div64.to")});
        if (calls) {
            block.branch.reset();
            block.next = branch.address + 8;
            const auto back = program.entries.find(block.next);
            if (back != program.entries.end() && back->second == Entry::Return) program.entries.erase(back);
        } else {
            constexpr std::uint32_t jr_ra = 0x03e00008;
            block.branch = MipsInstruction{branch.address, jr_ra, &decode_mips(jr_ra)};
        }
    }
    return program;
}

}  // namespace mog
