// fold_atomics: gcc's loops of ll and sc become what they are loops for, and fences go that an atomic operation makes needless.
//
//         sync                                            sync                    =>       move   $1,$6
//     1:  ll    $2,0($4)   =>  amo.at 0($4)           1:  ll    $7,0($4)                   amo.at 0($4)
//         addu  $1,$2,$5       amoadd $2,$5               bne   $7,$3,2f                   amocas $7,$3,$1
//         sc    $1,0($4)       addu   $1,$2,$5            li    $2,0                       li     $2,0
//         beq   $1,$0,1b       li     $1,1                move  $1,$6                      bne    $7,$3,2f
//         nop                                             sc    $1,0($4)                   move   $1,$6
//         sync                                            beq   $1,$0,1b                   li     $1,1
//                                                         li    $2,1                       li     $2,1
//                                                         sync
//                                                     2:                               2:
//
//     1:  ll    $2,0($4)   =>  amo.at 0($4)                  An addition that a limit bounds, with its compare-and-swaps counted, as
//         subu  $3,$6,$2       amoreserve $2,$5,$6           runtime_pe/channels/steps.h writes it: 2f is where there is no room.
//         subu  $3,$3,$5       amo.tries $7
//         bltz  $3,2f          subu  $3,$6,$2
//         nop                  subu  $3,$3,$5
//         addu  $3,$2,$5       bltz  $3,2f
//         sc    $3,0($4)       li    $3,1
//         beq   $3,$0,1b
//         addiu $7,$7,1
//
// Additions, subtractions, and, or, exclusive or and exchanges of a word; compare-and-swap of a word. Registers get what the last
// iteration of the loop leaves in them, so the instructions between ll and sc come once more; nobody needs most of them, and they go
// as dead code. An exchange runs them before, too, as an iteration would whose sc has failed.
//
// An atomic operation is a fence, and so is sc, which is one. So a `sync` goes if on all ways to it, or on all ways from it, there is
// such a one with no access to memory in between; and so does a `sync_acquire`, which is no fence for the others. Loops for bytes and
// halves stay loops, for others may change the rest of the word.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "translator/passes/passes.hpp"

namespace mog {
namespace {

using Code = std::vector<MipsInstruction>;

bool is(const MipsInstruction &instruction, std::string_view name) { return instruction.op->name == name; }

std::uint32_t as_s(std::uint32_t reg) { return reg << 21; }
std::uint32_t as_t(std::uint32_t reg) { return reg << 16; }
std::uint32_t as_d(std::uint32_t reg) { return reg << 11; }

RegisterSet written_by(const Code &code) {
    RegisterSet set;
    for (const MipsInstruction &instruction : code) set |= instruction.writes();
    return set;
}

RegisterSet read_by(const Code &code) {
    RegisterSet set;
    for (const MipsInstruction &instruction : code) set |= instruction.reads();
    return set;
}

/// Code that may run once more: it computes with registers, and does nothing else.
bool is_plain(const Code &code) {
    const auto does_more = [](const LoweredOp &op) { return (info(op.op).writes & (Stop | Pc | Fcsr | Fpu)) != 0; };
    return !written_by(code)[vreg::sp] && std::ranges::none_of(code, [&](const MipsInstruction &instruction) {
        return instruction.touches_memory() || std::ranges::any_of(instruction.op->lowering, does_more);
    });
}

/// The first instruction of a name, and what stands before and behind it, without nops.
struct Split {
    Code before, behind;
    MipsInstruction it;
};
std::optional<Split> split_at(const Code &code, std::string_view name) {
    const auto at = std::ranges::find_if(code, [&](const MipsInstruction &instruction) { return is(instruction, name); });
    if (at == code.end()) return std::nullopt;
    Split split{{code.begin(), at}, {at + 1, code.end()}, *at};
    for (Code *part : {&split.before, &split.behind}) std::erase_if(*part, [](const MipsInstruction &i) { return i.is_nop(); });
    return split;
}

/// What all that is folded has, and few blocks of a program.
bool has_ll(const MipsBlock &block) {
    static const MipsOp *const ll = &mips_op("ll");
    return std::ranges::any_of(block.body, [](const MipsInstruction &instruction) { return instruction.op == ll; });
}

/// Whether the block ends with a branch of two registers, in either order, whose slot has gone before it.
bool ends_with(const MipsBlock &block, std::string_view branch, std::uint32_t a, std::uint32_t b) {
    if (!block.branch || !is(*block.branch, branch) || block.slot_when != MipsBlock::Slot::None) return false;
    const std::uint32_t rs = field_rs(block.branch->word), rt = field_rt(block.branch->word);
    return (rs == a && rt == b) || (rs == b && rt == a);
}

bool same_place(const MipsInstruction &ll, const MipsInstruction &sc) {
    return field_rs(ll.word) == field_rs(sc.word) && field_immediate(ll.word) == field_immediate(sc.word);
}

/// A loop in one block: ll, code, sc, code, a branch to ll if sc has failed. What it reads it does not change, but for the word.
struct Loop {
    MipsInstruction ll, sc;
    Code between, behind;

    std::uint32_t base() const { return field_rs(ll.word); }
    std::uint32_t loaded() const { return field_rt(ll.word); }
    std::uint32_t stored() const { return field_rt(sc.word); }
    RegisterSet written() const {
        RegisterSet set = written_by(between) | written_by(behind);
        return set.set(loaded()).set(stored());
    }
};

std::optional<Loop> loop_of(const MipsBlock &block) {
    if (!has_ll(block)) return std::nullopt;
    const auto from_ll = split_at(block.body, "ll");
    if (!from_ll || !from_ll->before.empty()) return std::nullopt;
    const auto from_sc = split_at(from_ll->behind, "sc");
    if (!from_sc || !same_place(from_ll->it, from_sc->it) || !is_plain(from_sc->before) || !is_plain(from_sc->behind)) return std::nullopt;
    const Loop loop{from_ll->it, from_sc->it, from_sc->before, from_sc->behind};
    if (!ends_with(block, "beq", loop.stored(), vreg::zero) || block.branch->target() != block.address) return std::nullopt;
    const RegisterSet written = loop.written();
    RegisterSet now;  // has been written in this iteration
    now.set(loop.loaded());
    const auto reads_its_own = [&](RegisterSet reads) { return (reads & written & ~now).any(); };
    const auto go_through = [&](const Code &code) {
        return std::ranges::all_of(code, [&](const MipsInstruction &instruction) {
            const bool good = !reads_its_own(instruction.reads());
            now |= instruction.writes();
            return good;
        });
    };
    if (written[loop.base()] || !go_through(loop.between) || !now[loop.stored()] || loop.loaded() == vreg::zero) return std::nullopt;
    return go_through(loop.behind) ? std::optional(loop) : std::nullopt;
}

/// What sc stores: what ll has loaded and something else, combined; or a value that has nothing to do with it.
struct Operation {
    std::string_view name;             ///< the atomic operation's
    std::optional<std::uint32_t> reg;  ///< with this register
    std::string_view prepare;          ///< or with what this instruction of the translator's own makes of
    std::uint32_t word = 0;            ///< these fields
};

/// The operation of an instruction on what is loaded and, if it has one, the register `other`.
std::optional<Operation> operation_by(const MipsInstruction &instruction, std::uint32_t other, bool loaded_first) {
    struct Folded {
        std::string_view mips, name, prepare;
    };
    static constexpr Folded folded[] = {
        {"addu", "amoadd", ""},      {"and", "amoand", ""},         {"or", "amoor", ""},
        {"xor", "amoxor", ""},       {"addiu", "amoadd", "amo.li"}, {"andi", "amoand", "amo.lui"},
        {"ori", "amoor", "amo.lui"}, {"xori", "amoxor", "amo.lui"}, {"subu", "amoadd", "amo.neg"},
    };
    const auto row = std::ranges::find_if(folded, [&](const Folded &candidate) { return is(instruction, candidate.mips); });
    if (row == std::end(folded)) return std::nullopt;
    if (row->prepare.empty()) return Operation{row->name, other, "", 0};
    if (row->mips != "subu") return Operation{row->name, std::nullopt, row->prepare, instruction.word & 0xffffu};
    if (!loaded_first) return std::nullopt;
    return Operation{row->name, std::nullopt, row->prepare, as_s(other)};
}

std::optional<Operation> operation_of(const Loop &loop) {
    const RegisterSet written = loop.written();
    RegisterSet loaded, depends;  // which registers have what ll has loaded, and which anything that is made of it
    loaded.set(loop.loaded());
    depends.set(loop.loaded());
    std::map<std::uint32_t, Operation> combined;
    for (const MipsInstruction &instruction : loop.between) {
        const std::uint32_t rs = field_rs(instruction.word), rt = field_rt(instruction.word);
        const bool first = loaded[rs], second = loaded[rt], by_loaded = (instruction.reads() & depends).any();
        auto operation = operation_by(instruction, first ? rt : rs, first);
        // The other register is one that the loop leaves alone, so that it has its value before.
        const bool by_constant = operation && !operation->reg && operation->prepare != "amo.neg";
        if (by_constant ? !first : !(first || second) || written[first ? rt : rs]) operation.reset();
        const RegisterSet writes = instruction.writes();
        loaded &= ~writes;
        depends = by_loaded ? depends | writes : depends & ~writes;
        std::erase_if(combined, [&](const auto &entry) { return writes[entry.first]; });
        if (writes.count() != 1 || !operation) continue;
        for (std::uint32_t reg = 0; reg < writes.size(); ++reg)
            if (writes[reg]) combined.emplace(reg, *operation);
    }
    if (!depends[loop.stored()]) return Operation{"amoswap", loop.stored(), "", 0};
    const auto found = combined.find(loop.stored());
    return found != combined.end() ? std::optional(found->second) : std::nullopt;
}

/// Where the block's branch leads is said by its own word.
bool is_direct(const MipsBlock &block) { return block.branch && block.branch->op->lowering.back().field == Field::Target; }

class Folder {
public:
    explicit Folder(MipsProgram &program) : program_(program) {
        if (std::ranges::none_of(program.blocks, has_ll)) return;
        for (MipsBlock &block : program.blocks) at_[block.address] = &block;
        for (const MipsBlock &block : program.blocks) {
            if (is_direct(block)) ++ways_to_[block.branch->target()];
            if (!block.branch || block.branch->op->conditional) ++ways_to_[block.next];
        }
    }

    void run() {
        for (MipsBlock &block : program_.blocks) {
            if (!has_ll(block)) continue;
            if (const auto loop = loop_of(block)) {
                if (const auto operation = operation_of(*loop)) fold(block, *loop, *operation);
            } else if (!compare_and_swap(block)) {
                reserve(block);
            }
        }
    }

private:
    static MipsInstruction own(std::string_view name, const MipsInstruction &from, std::uint32_t word) {
        return {from.address, word, &mips_op(name)};
    }
    static void add(Code &to, const Code &code) { to.insert(to.end(), code.begin(), code.end()); }
    static MipsInstruction place(const MipsInstruction &sc) { return own("amo.at", sc, as_s(field_rs(sc.word)) | (sc.word & 0xffffu)); }
    /// What sc leaves in its register when it has stored.
    static MipsInstruction one(const MipsInstruction &sc) {
        const std::uint32_t word = 0x24000001u | as_t(field_rt(sc.word));  // addiu t,$0,1
        return {sc.address, word, &decode_mips(word)};
    }

    static void fold(MipsBlock &block, const Loop &loop, const Operation &operation) {
        Code code;
        if (operation.reg == loop.stored()) add(code, loop.between);  // an exchange
        if (!operation.prepare.empty()) code.push_back(own(operation.prepare, loop.ll, operation.word));
        code.push_back(place(loop.sc));
        const std::string name = std::string(operation.name) + (operation.reg ? "" : ".y");
        code.push_back(own(name, loop.sc, as_t(loop.loaded()) | as_s(operation.reg.value_or(0))));
        add(code, loop.between);
        code.push_back(one(loop.sc));
        add(code, loop.behind);
        block.body = std::move(code);
        block.branch.reset();
    }

    /// Two blocks that are ll, code, a branch out; code, sc, code, a branch to ll.
    struct TwoBlocks {
        MipsInstruction ll, sc;
        Code behind_ll, before_sc, behind_sc;
        MipsBlock &second;
    };
    std::optional<TwoBlocks> two_blocks(const MipsBlock &block, std::string_view branch) {
        const auto from_ll = split_at(block.body, "ll");
        if (!from_ll || !from_ll->before.empty() || !is_plain(from_ll->behind)) return std::nullopt;
        if (!block.branch || !is(*block.branch, branch) || block.slot_when != MipsBlock::Slot::None || !only_way_to(block.next))
            return std::nullopt;
        MipsBlock &second = *at_.at(block.next);
        const auto from_sc = split_at(second.body, "sc");
        if (!from_sc || !same_place(from_ll->it, from_sc->it) || !is_plain(from_sc->before) || !is_plain(from_sc->behind))
            return std::nullopt;
        if (!ends_with(second, "beq", field_rt(from_sc->it.word), vreg::zero) || second.branch->target() != block.address)
            return std::nullopt;
        return TwoBlocks{from_ll->it, from_sc->it, from_ll->behind, from_sc->before, from_sc->behind, second};
    }

    /// The branch out is there if the word is not what it should be.
    bool compare_and_swap(MipsBlock &block) {
        const auto found = two_blocks(block, "bne");
        if (!found) return false;
        const auto &[ll, sc, behind_ll, before_sc, behind_sc, second] = *found;
        const std::uint32_t loaded = field_rt(ll.word), stored = field_rt(sc.word), base = field_rs(ll.word);

        // A word is compared as it is, and what takes its place is worked out before, in the register of sc, which nobody relies on where
        // it has not been tried.
        const std::uint32_t rs = field_rs(block.branch->word), rt = field_rt(block.branch->word), expected = rs == loaded ? rt : rs;
        RegisterSet written = written_by(behind_ll), own_registers = written_by(before_sc);
        written.set(loaded).set(stored);
        const bool of_word = (rs == loaded) != (rt == loaded) && !written[base] && !written[expected] && loaded != vreg::zero &&
                             stored == assembler_temporary && own_registers == RegisterSet().set(stored) && loaded != stored &&
                             (read_by(before_sc) & (written | own_registers)).none() && !read_by(behind_ll)[stored] &&
                             !written_by(behind_ll)[stored] && !written_by(behind_ll)[loaded];
        if (!of_word) return false;
        Code code = before_sc;
        code.push_back(place(sc));
        code.push_back(own("amocas", sc, as_t(loaded) | as_s(expected) | as_d(stored)));
        add(code, behind_ll);
        Code after = {one(sc)};
        add(after, behind_sc);
        block.body = std::move(code);
        second.body = std::move(after);
        second.branch.reset();
        return true;
    }

    /// The branch out is there if what is left behind the addition is negative. Registers are as the head of this file has them.
    void reserve(MipsBlock &block) {
        const auto found = two_blocks(block, "bltz");
        if (!found || found->behind_ll.size() != 2 || found->before_sc.size() != 1 || found->behind_sc.size() != 1) return;
        const auto &[ll, sc, behind_ll, before_sc, behind_sc, second] = *found;
        const std::uint32_t was = field_rt(ll.word), left = field_rt(sc.word), base = field_rs(ll.word);
        const MipsInstruction &room = behind_ll[0], &rest = behind_ll[1], &sum = before_sc[0], &tries = behind_sc[0];
        const std::uint32_t limit = field_rs(room.word), count = field_rt(rest.word), counter = field_rt(tries.word);
        const auto equals = [](const MipsInstruction &instruction, std::string_view name, std::uint32_t word) {
            return is(instruction, name) && (instruction.word & 0x03fff800u) == word;
        };
        if (!equals(room, "subu", as_s(limit) | as_t(was) | as_d(left)) || !equals(rest, "subu", as_s(left) | as_t(count) | as_d(left)) ||
            !equals(sum, "addu", as_s(was) | as_t(count) | as_d(left)) || !is(tries, "addiu") || field_rs(tries.word) != counter ||
            field_immediate(tries.word) != 1 || field_rs(block.branch->word) != left)
            return;
        const std::set<std::uint32_t> inputs = {base, limit, count}, outputs = {was, left, counter};
        if (outputs.size() != 3 || outputs.contains(vreg::zero) ||
            std::ranges::any_of(outputs, [&](auto reg) { return inputs.contains(reg); }))
            return;
        Code code = {place(sc), own("amoreserve", sc, as_t(was) | as_s(count) | as_d(limit)), own("amo.tries", tries, as_t(counter)), room,
                     rest};
        Code after = {one(sc)};
        block.body = std::move(code);
        second.body = std::move(after);
        second.branch.reset();
    }

    bool only_way_to(std::uint32_t address) const {
        const auto ways = ways_to_.find(address);
        return at_.contains(address) && !program_.entries.contains(address) && address != program_.entry && ways != ways_to_.end() &&
               ways->second == 1;
    }

    static constexpr std::uint32_t assembler_temporary = 1;

    MipsProgram &program_;
    // By address, if there is anything to fold.
    std::unordered_map<std::uint32_t, MipsBlock *> at_;
    std::unordered_map<std::uint32_t, unsigned> ways_to_;
};

/// Drops what orders nothing that another fence does not: in two rounds, for of two fences that make each other needless one stays.
class Fences {
public:
    explicit Fences(MipsProgram &program) : program_(program), known_(program.blocks.size(), true) {}

    void drop() {
        const MipsOp *const sync = &mips_op("sync");
        const bool any = std::ranges::any_of(program_.blocks, [&](const MipsBlock &block) {
            return std::ranges::any_of(
                block.body, [&](const MipsInstruction &instruction) { return instruction.op == sync || instruction.op->orders_loads; });
        });
        if (!any) return;
        for (std::size_t b = 0; b < program_.blocks.size(); ++b) at_[program_.blocks[b].address] = b;
        look_at_blocks();
        until_stable([&] { return forwards(); });
        for (std::size_t b = 0; b < program_.blocks.size(); ++b) through(program_.blocks[b].body, known_[b]);
        known_.assign(program_.blocks.size(), true);
        look_at_blocks();
        until_stable([&] { return backwards(); });
        for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
            Code &body = program_.blocks[b].body;
            std::ranges::reverse(body);
            through(body, known_[b]);
            std::ranges::reverse(body);
        }
    }

private:
    template <typename F>
    static void until_stable(F round) {
        while (round()) {
        }
    }

    /// What the rounds ask of a block, which each comes to again.
    struct Seen {
        std::size_t target, next;    ///< blocks, or nowhere
        std::array<bool, 2> after;   ///< by whether it is so before
        std::array<bool, 2> begins;  ///< begins_fenced(), by whether it is so at the end
        bool slot_is_plain, is_loop;
    };
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    void look_at_blocks() {
        const auto find = [&](std::uint32_t address) {
            const auto found = at_.find(address);
            return found == at_.end() ? nowhere : found->second;
        };
        seen_.clear();
        for (const MipsBlock &block : program_.blocks)
            seen_.push_back({is_direct(block) ? find(block.branch->target()) : nowhere,
                             find(block.next),
                             {after(block.body, false), after(block.body, true)},
                             {begins_fenced(block.body, false), begins_fenced(block.body, true)},
                             is_plain(block.slot),
                             loop_of(block).has_value()});
    }

    static bool accesses(const MipsInstruction &instruction) { return instruction.touches_memory() && !instruction.op->orders_loads; }
    static bool is_fenced_behind(const MipsInstruction &instruction, bool fenced) {
        return instruction.op->orders_memory || (fenced && !accesses(instruction));
    }
    /// Whether there is a fence with no access since, behind the code, if `fenced` says so of before.
    static bool after(const Code &code, bool fenced) {
        for (const MipsInstruction &instruction : code) fenced = is_fenced_behind(instruction, fenced);
        return fenced;
    }
    /// The same, and what is needless is left out.
    static void through(Code &code, bool fenced) {
        std::erase_if(code, [&](const MipsInstruction &instruction) {
            const bool needless = fenced && (is(instruction, "sync") || instruction.op->orders_loads);
            fenced = is_fenced_behind(instruction, fenced);
            return needless;
        });
    }
    /// known_: at the block's beginning.
    bool forwards() {
        std::vector<bool> next(program_.blocks.size(), true);
        const auto comes = [&](std::size_t to, bool fenced) {
            if (to != nowhere && !fenced) next[to] = false;
        };
        const auto comes_from_outside = [&](std::uint32_t address) {
            if (const auto to = at_.find(address); to != at_.end()) next[to->second] = false;
        };
        comes_from_outside(program_.entry);
        for (const auto &[address, entry] : program_.entries) comes_from_outside(address);
        for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
            const MipsBlock &block = program_.blocks[b];
            const bool fenced = seen_[b].after[known_[b]] && seen_[b].slot_is_plain;
            comes(seen_[b].target, fenced);
            comes(seen_[b].next, fenced && !(block.branch && block.branch->op->links));
        }
        return std::exchange(known_, next) != next;
    }

    /// known_: at the block's end, that a fence comes before any access.
    bool backwards() {
        std::vector<bool> next(program_.blocks.size(), true);
        const auto begins = [&](std::size_t to) {
            if (to == nowhere) return false;
            // What ll has loaded counts only if it is there when sc stores.
            return seen_[to].is_loop || seen_[to].begins[known_[to]];
        };
        for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
            const MipsBlock &block = program_.blocks[b];
            const bool goes_on = !block.branch || block.branch->op->conditional;
            next[b] = seen_[b].slot_is_plain &&
                      (!block.branch || (is_direct(block) && !block.branch->op->links && begins(seen_[b].target))) &&
                      (!goes_on || begins(seen_[b].next));
        }
        return std::exchange(known_, next) != next;
    }
    static bool begins_fenced(const Code &code, bool end) {
        for (const MipsInstruction &instruction : code) {
            if (instruction.op->orders_memory) return true;
            if (accesses(instruction)) return false;
        }
        return end;
    }

    MipsProgram &program_;
    std::unordered_map<std::uint32_t, std::size_t> at_;
    std::vector<Seen> seen_;   ///< by block
    std::vector<bool> known_;  ///< by block
};

}  // namespace

MipsProgram fold_atomics(MipsProgram program) {
    Folder(program).run();
    Fences(program).drop();
    return program;
}

}  // namespace mog
