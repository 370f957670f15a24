// find_truncations: the conversions to integer of compilers for MIPS I, which has no trunc.w, become trunc.w.
//
//     cfc1 $4,$31         =>   li      $4,0
//     cfc1 $4,$31              li      $1,1
//     ori  $1,$4,0x3           trunc.w.d $f0,$f2
//     xori $1,$1,0x2
//     ctc1 $1,$31
//     cvt.w.d $f0,$f2
//     ctc1 $4,$31
//
// This is how assemblers expand trunc.w there. Code that reads and writes the FPU's control register otherwise needs an interpreter
// that keeps it, which is slow; programs that only convert so do not. If any other instruction has to do with the register, nothing
// is changed, since it can see the exceptions of the conversion. The scratch registers get what is left in them if the
// register holds 0; nothing reads them, and so the two loads go as dead code.
#include "translator/passes/passes.hpp"

namespace mog {
namespace {

constexpr std::size_t idiom_length = 7;

/// The positions of an idiom that begins at `start`, nops skipped; empty if there is none.
std::vector<std::size_t> idiom_at(const std::vector<MipsInstruction> &body, std::size_t start) {
    constexpr std::uint32_t cfc1_of_fcsr = 0x4440f800, register_field = 31u << 16;
    if ((body[start].word & ~register_field) != cfc1_of_fcsr) return {};
    std::vector<std::size_t> at;
    for (std::size_t i = start; i < body.size() && at.size() < idiom_length; ++i)
        if (!body[i].is_nop()) at.push_back(i);
    if (at.size() != idiom_length) return {};
    const auto word = [&](std::size_t k) { return body[at[k]].word; };
    const std::uint32_t reg = field_rt(word(0));
    const std::uint32_t cfc1 = cfc1_of_fcsr | reg << 16, ctc1 = 0x44c0f800u;
    const bool fits = word(0) == cfc1 && word(1) == cfc1 && word(2) == (0x34010003u | reg << 21) && word(3) == 0x38210002u &&
                      word(4) == (ctc1 | 1u << 16) && body[at[5]].op->name.starts_with("cvt.w.") && word(6) == (ctc1 | reg << 16);
    return fits && reg != 0 && reg != 1 ? at : std::vector<std::size_t>{};
}

/// Calls `found` for each idiom in the body. Returns the number of instructions outside of them that touch the register.
template <typename Found>
std::size_t search(std::vector<MipsInstruction> &body, Found found) {
    std::size_t others = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
        const auto at = idiom_at(body, i);
        if (!at.empty()) {
            found(at);
            i = at.back();
        } else if (body[i].touches_fcsr()) {
            ++others;
        }
    }
    return others;
}

}  // namespace

MipsProgram find_truncations(MipsProgram program) {
    std::size_t others = 0;
    for (MipsBlock &block : program.blocks) {
        others += search(block.body, [](const auto &) {});
        for (const MipsInstruction &instruction : block.slot) others += instruction.touches_fcsr();
    }
    if (others != 0) return program;
    for (MipsBlock &block : program.blocks) {
        auto &body = block.body;
        search(body, [&](const std::vector<std::size_t> &at) {
            const std::uint32_t reg = field_rt(body[at[0]].word), trunc = (body[at[5]].word & ~0x3fu) | 0x0du;
            const auto put = [&](std::size_t k, std::uint32_t word) { body[at[k]] = {body[at[k]].address, word, &decode_mips(word)}; };
            put(0, 0x24000000u | reg << 16);  // addiu reg,$0,0
            put(3, 0x24010001u);              // addiu $1,$0,1
            put(5, trunc);
            for (const std::size_t k : {1u, 2u, 4u, 6u}) put(k, 0);
        });
    }
    return program;
}

}  // namespace mog
