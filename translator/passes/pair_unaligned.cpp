// pair_unaligned: the two halves of an unaligned word access become one instruction.
//
//     lwl $2,3($4)   =>   ulw $2,0($4)        swl $2,3($4)   =>   usw $2,0($4)
//     lwr $2,0($4)                            swr $2,0($4)
//
// in either order, with nothing between them that the merged access, done at the place of the second, could notice. gcc takes several
// words apart at once, so that the halves of one stand between those of another.
#include <cstdint>
#include <cstdlib>

#include "translator/passes/passes.hpp"

namespace mog {
namespace {

bool is_pair(const MipsInstruction &high, const MipsInstruction &low, std::string_view l, std::string_view r) {
    return high.op->name == l && low.op->name == r && field_rs(high.word) == field_rs(low.word) &&
           field_rt(high.word) == field_rt(low.word) && field_immediate(high.word) == field_immediate(low.word) + 3;
}

bool is_load(const MipsInstruction &half) { return half.op->name == "lwl" || half.op->name == "lwr"; }
bool is_store(const MipsInstruction &half) { return half.op->name == "swl" || half.op->name == "swr"; }

/// The first of the four bytes, from the base on, that a half or both together may write.
std::int32_t first_byte(const MipsInstruction &half) {
    return static_cast<std::int16_t>(field_immediate(half.word)) - (half.op->name == "swl" ? 3 : 0);
}

/// True if `half` could as well be done behind `between`, which stands behind it.
bool independent(const MipsInstruction &between, const MipsInstruction &half) {
    if ((between.writes() & (half.reads() | half.writes())).any() || (between.reads() & half.writes()).any()) return false;
    if (is_load(half)) return !between.writes_memory();
    if (!between.touches_memory()) return true;
    // Another word, or its half, by the same base.
    return (is_store(between) || between.op->name == "usw") && field_rs(between.word) == field_rs(half.word) &&
           std::abs(first_byte(between) - first_byte(half)) >= 4;
}

}  // namespace

MipsProgram pair_unaligned(MipsProgram program) {
    for (MipsBlock &block : program.blocks) {
        auto &body = block.body;
        for (std::size_t i = 0; i < body.size(); ++i) {
            const bool load = is_load(body[i]);
            if (!load && !is_store(body[i])) continue;
            // A load into its own base register leaves the second half another address.
            if (load && field_rs(body[i].word) == field_rt(body[i].word)) continue;
            for (std::size_t k = i + 1; k < body.size(); ++k) {
                const std::string_view l = load ? "lwl" : "swl", r = load ? "lwr" : "swr";
                const bool first_high = is_pair(body[i], body[k], l, r);
                if (first_high || is_pair(body[k], body[i], l, r)) {
                    MipsInstruction &low = first_high ? body[k] : body[i];
                    body[k] = {body[k].address, low.word, &mips_op(load ? "ulw" : "usw")};
                    body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
                    --i;
                    break;
                }
                if (!independent(body[k], body[i])) break;
            }
        }
    }
    return program;
}

}  // namespace mog
