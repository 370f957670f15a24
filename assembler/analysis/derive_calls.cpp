// derive_calls.cpp: the patterns, block by block.
#include "assembler/analysis/derive_calls.hpp"

#include <algorithm>
#include <optional>

namespace mog {
namespace {

/// The constant that `code` puts into register `ra` right before its last instruction, with a few others between.
std::optional<std::uint32_t> return_address(const std::vector<Instruction> &code, std::uint32_t ra) {
    constexpr std::size_t nearby = 8;  // what stood in a delay slot may come between
    const std::size_t last = code.size() - 1;
    for (std::size_t i = last; i-- > last - std::min(last, nearby);) {
        if (code[i].op != Op::sr_ || code[i].operand != ra) continue;
        if (i == 0 || code[i - 1].op != Op::li_) return {};
        return code[i - 1].operand;
    }
    return {};
}

bool is_function(const MogProgram &program, std::uint32_t address) {
    return std::ranges::any_of(program.symbols, [&](const Symbol &symbol) { return symbol.is_code && symbol.address == address; });
}

}  // namespace

void derive_calls(MogProgram &program) {
    const std::uint32_t ra = program.roles[static_cast<std::size_t>(Role::ra)];
    bool was_called = false;  // by the block before, which has set this return address
    std::uint32_t comes_back = 0;
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
        Block &block = program.blocks[b];
        if (block.code_address)
            block.entry = was_called && comes_back == *block.code_address ? Entry::Return
                          : is_function(program, *block.code_address)     ? Entry::Function
                                                                          : Entry::Label;
        if (block.code.empty()) continue;  // what comes next stands at the same place
        was_called = false;
        Instruction &jump = block.code.back();
        if (!(info(jump.op).writes & Pc) || is_branch(jump.op) || ra == no_register) continue;
        const std::optional<std::uint32_t> address = return_address(block.code, ra);
        if (address && b + 1 < program.blocks.size()) {
            was_called = true;
            comes_back = *address;
            if (jump.jump == JumpKind::plain) jump.jump = JumpKind::call;
        } else if (jumps_to_address(jump.op) && block.code.size() >= 2 && jump.jump == JumpKind::plain) {
            const Instruction &before = block.code[block.code.size() - 2];
            if (before.op == Op::lr_ && before.operand == ra) jump.jump = JumpKind::returns;
        }
    }
}

}  // namespace mog
