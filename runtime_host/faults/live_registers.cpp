// live_registers.cpp: the translator's own liveness (analysis/program_flow.hpp), from instruction to instruction.
#include "runtime_host/faults/live_registers.hpp"

#include "assembler/analysis/program_flow.hpp"
#include "assembler/image/encode.hpp"

namespace mog {

std::vector<RegisterSet> live_registers(const Image &image) {
    const MogProgram program = disassemble(image);
    const std::vector<RegisterSet> at_ends = live_at_ends(program, ProgramFlow(program));
    std::vector<RegisterSet> live(image.text.size());
    std::size_t at = live.size();
    for (std::size_t b = program.blocks.size(); b-- > 0;) {
        RegisterSet after = at_ends[b];
        const auto &code = program.blocks[b].code;
        for (auto now = code.rbegin(); now != code.rend(); ++now)
            live[--at] = after = live_before(reads_of(*now, program.roles), writes_of(*now, program.roles), after);
    }
    return live;
}

RegisterSet live_registers(const Image &image, const std::vector<RegisterSet> &live, std::uint32_t text_index) {
    RegisterSet known;
    // What the MIPS instruction read is known still, though it may be dead by now: the pointer in `lw v0,0(v0)`.
    std::uint32_t first = text_index;
    while (first > 0 && image.source_address[first - 1] == image.source_address[text_index] &&
           (info(op_at(image, first - 1)).writes & Pc) == 0)
        first--;
    for (std::uint32_t i = first; i <= text_index; i++) {
        known |= live[i];
        if (i < text_index) known &= ~writes_of(info(op_at(image, i)), image.text[i] & 0xffu, image.roles);
    }
    // The translator keeps every write to these.
    known.set(image.roles[static_cast<std::size_t>(Role::sp)]).set(image.roles[static_cast<std::size_t>(Role::ra)]);
    return known;
}

}  // namespace mog
