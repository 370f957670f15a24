// find_frames.cpp: the o32 frame of every function, from its code.
//
//     addiu sp,sp,-32         CFA = sp + 32
//     sw    ra,28(sp)         return address at CFA - 4
//     move  fp,sp             CFA = fp + 32, whatever happens to sp
//
// What each instruction does to the frame is followed along the branches of its function, the first way that leads to a
// place decides. gcc's own CFI says the same, but only for code compiled with -g, and libdw refuses it: gcc's CIEs for MIPS
// begin with DW_CFA_def_cfa_register, which DWARF allows only after a DW_CFA_def_cfa.
#include "translator/mips/find_frames.hpp"

#include <algorithm>
#include <span>

namespace mog {
namespace {

constexpr std::uint32_t sp = vreg::sp, fp = 30, ra = vreg::ra;

/// The frame before an instruction, as far as it is known.
struct Frame {
    std::optional<std::int32_t> from_sp = 0;  ///< CFA - $sp
    std::optional<std::int32_t> from_fp;      ///< CFA - $fp
    std::int32_t ra = 0, fp = 0;              ///< as in FrameRule
    std::uint32_t constant_in = 0;            ///< a register that holds a constant, 0: none; large frames need one
    std::int32_t constant = 0;

    FrameRule rule_at(std::uint32_t address) const {
        FrameRule rule{address, FrameRule::Base::None, 0, 0, 0};
        if (!from_sp && !from_fp) return rule;
        rule.base = from_sp ? FrameRule::Base::Sp : FrameRule::Base::Fp;
        rule.offset = from_sp ? *from_sp : *from_fp;
        rule.ra = ra;
        rule.fp = fp;
        return rule;
    }
};

std::optional<std::int32_t> less(std::optional<std::int32_t> value, std::int32_t by) {
    if (value) *value = static_cast<std::int32_t>(static_cast<std::uint32_t>(*value) - static_cast<std::uint32_t>(by));
    return value;
}

struct Fields {
    std::uint32_t op, rs, rt, rd, function;
    std::int32_t immediate;
    explicit Fields(std::uint32_t word)
        : op(word >> 26),
          rs(field_rs(word)),
          rt(field_rt(word)),
          rd(word >> 11 & 31),
          function(word & 0x7ff),
          immediate(field_immediate(word)) {}
    bool is_addiu() const { return op == 9; }
    bool is_lui() const { return op == 15; }
    bool is_ori() const { return op == 13; }
    bool is_lw() const { return op == 35; }
    bool is_sw() const { return op == 43; }
    bool is_addu() const { return op == 0 && function == 0x21; }
    bool is_subu() const { return op == 0 && function == 0x23; }
    bool is_or() const { return op == 0 && function == 0x25; }
    /// move rd,rs in any of its spellings
    bool is_move() const { return (is_addu() || is_or()) && (rs == 0 || rt == 0); }
    std::uint32_t moved() const { return rs == 0 ? rt : rs; }
};

/// Sets `to` ($sp or $fp) to `from` + `by`.
void assign(Frame &frame, std::uint32_t to, std::uint32_t from, std::int32_t by) {
    const auto value = from == sp ? less(frame.from_sp, by) : from == fp ? less(frame.from_fp, by) : std::nullopt;
    (to == sp ? frame.from_sp : frame.from_fp) = value;
}

void step(Frame &frame, std::uint32_t word) {
    const Fields f(word);
    if (f.is_sw() && (f.rt == ra || f.rt == fp)) {
        const auto base = f.rs == sp ? frame.from_sp : f.rs == fp ? frame.from_fp : std::nullopt;
        const bool is_own = f.rt == fp && frame.from_fp;  // $fp has this function's value by now
        std::int32_t &place = f.rt == ra ? frame.ra : frame.fp;
        if (base && !is_own && place == 0) place = f.immediate - *base;
        return;
    }
    if (f.is_lw() && f.rt == ra) frame.ra = 0;
    if (f.is_lw() && f.rt == fp) frame.fp = 0;
    const RegisterSet written = MipsInstruction{0, word, &decode_mips(word)}.writes();
    for (const std::uint32_t to : {sp, fp}) {
        if (!written.test(to)) continue;
        const std::int32_t constant = frame.constant_in != 0 && frame.constant_in == f.rt ? frame.constant : 0;
        if (f.is_addiu()) assign(frame, to, f.rs, f.immediate);
        else if (f.is_move()) assign(frame, to, f.moved(), 0);
        else if (f.is_addu() && constant != 0) assign(frame, to, f.rs, constant);
        else if (f.is_subu() && constant != 0) assign(frame, to, f.rs, -constant);
        else assign(frame, to, 0, 0);
        return;
    }
    if ((f.is_addiu() || f.is_ori()) && f.rs == 0) {
        frame.constant_in = f.rt;
        frame.constant = f.is_ori() ? f.immediate & 0xffff : f.immediate;
    } else if (f.is_lui()) {
        frame.constant_in = f.rt;
        frame.constant = static_cast<std::int32_t>(word << 16);
    } else if (f.is_ori() && f.rs == f.rt && f.rs == frame.constant_in) {
        frame.constant |= f.immediate & 0xffff;
    } else if (frame.constant_in != 0 && written.test(frame.constant_in)) {
        frame.constant_in = 0;
    }
}

/// The code of one function, [begin, end): its frames by instruction.
class Scan {
public:
    Scan(const Segments &segments, std::uint32_t begin, std::uint32_t end)
        : segments_(segments), begin_(begin), frames_((end - begin) / 4) {}

    void run(std::vector<FrameRule> &out) {
        follow(begin_, Frame());
        // What is left comes by jump tables, or never; the frame at the jump through a register is the likely one.
        for (std::size_t i = 0; i < frames_.size(); ++i)
            if (!frames_[i]) follow(begin_ + 4 * static_cast<std::uint32_t>(i), at_table_.value_or(Frame()));
        for (std::size_t i = 0; i < frames_.size(); ++i) out.push_back(frames_[i]->rule_at(begin_ + 4 * static_cast<std::uint32_t>(i)));
    }

private:
    bool inside(std::uint32_t address) const { return address - begin_ < 4 * frames_.size(); }

    void follow(std::uint32_t start, const Frame &frame) {
        std::vector<std::pair<std::uint32_t, Frame>> pending{{start, frame}};
        while (!pending.empty()) {
            auto [address, now] = pending.back();
            pending.pop_back();
            while (inside(address) && !frames_[(address - begin_) / 4]) {
                frames_[(address - begin_) / 4] = now;
                const std::uint32_t word = segments_.word(address);
                const MipsInstruction instruction{address, word, &decode_mips(word)};
                if (!instruction.op->branches) {
                    step(now, word);
                    address += 4;
                    continue;
                }
                // The delay slot. The translator lets it run before the branch, so the branch has its frame.
                if (inside(address + 4)) {
                    if (auto &slot = frames_[(address + 4 - begin_) / 4]; !slot) slot = now;
                    step(now, segments_.word(address + 4));
                    frames_[(address - begin_) / 4] = now;
                }
                const bool by_register = (word >> 26) == 0;
                const bool is_return = by_register && field_rs(word) == ra;
                if (instruction.op->links) {
                    address += 8;  // and comes back
                    continue;
                }
                if (by_register) {
                    if (!is_return && !at_table_) at_table_ = now;
                    break;
                }
                if (instruction.op->conditional) pending.emplace_back(address + 8, now);
                address = instruction.target();
            }
        }
    }

    const Segments &segments_;
    std::uint32_t begin_;
    std::vector<std::optional<Frame>> frames_;
    std::optional<Frame> at_table_;  ///< the frame at the first jump through a register other than $ra
};

}  // namespace

void find_frames(ElfProgram &program) {
    Segments &segments = program.segments;
    const std::uint32_t end_of_code = segments.code_base + static_cast<std::uint32_t>(4 * segments.code.size());
    // Functions begin at symbols; a label inside a function that has a size begins none.
    std::vector<std::uint32_t> begins;
    std::uint32_t covered = 0;
    for (const Symbol &symbol : segments.symbols) {
        if (!symbol.is_code || (symbol.size == 0 && symbol.address < covered)) continue;
        if (begins.empty() || begins.back() != symbol.address) begins.push_back(symbol.address);
        covered = std::max(covered, symbol.address + std::min(symbol.size, end_of_code - symbol.address));
    }
    std::vector<FrameRule> all;
    for (std::size_t i = 0; i < begins.size(); ++i) Scan(segments, begins[i], i + 1 < begins.size() ? begins[i + 1] : end_of_code).run(all);
    for (const FrameRule &rule : all)
        if (segments.frames.empty() || !segments.frames.back().same_rule(rule)) segments.frames.push_back(rule);
}

}  // namespace mog
