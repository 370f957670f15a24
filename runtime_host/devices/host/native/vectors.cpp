// vectors.cpp: where control comes to a loop of which several rounds can be done at once: whether there are enough of them, and registers
// on the way there and back.
#include <algorithm>
#include <bit>

#include "runtime_host/devices/host/native/address_faults.hpp"
#include "runtime_host/devices/host/native/function_compiler.hpp"
#include "runtime_host/devices/host/native/vector_code.hpp"

namespace mog {

using namespace native;
namespace x86 = asmjit::x86;

namespace {

/// Fewer take as long one by one as it takes to get there and back; the more so where the processor has to be told that what is accessed is
/// not aligned, and then again that it must be, which takes a hundred cycles.
constexpr std::uint32_t least_rounds = 16, least_with_flag = 96;

bool computes_floats(const VectorLoop &loop) {
    return std::ranges::any_of(loop.nodes, [](const VectorLoop::Node &node) {
        return node.is_wanted && node.kind == VectorLoop::Node::Kind::instruction && (info(node.what).writes & Fpu) != 0;
    });
}

}  // namespace

void FunctionCompiler::find_vectors() {
    for (auto &[b, loop] : find_vector_loops(group_)) {
        if (units_.acc_is_live(b) || units_.d_is_live(b) || (!links_.floats && computes_floats(loop)) || !VectorCode::fits(loop)) continue;
        if (std::uint64_t{least_with_flag} * static_cast<std::uint32_t>(loop.come_nearer) > 0x7fffffff) continue;
        again_[b] = to_.newLabel();
        vector_loops_.emplace(b, std::move(loop));
    }
}

/// Where control comes from outside, before the first round.
void FunctionCompiler::vectors(const VectorLoop &loop) {
    const Label some = to_.newLabel(), again = again_.at(loop.block);
    const bool sets_flag = links_.by_processor && (!processor_lets_vectors_lie_anywhere() || VectorCode::accesses_less(loop));
    const std::uint32_t least = sets_flag ? least_with_flag : least_rounds;
    far_apart(loop, least, some, again);
    to_.bind(again);
    later([this, &loop, some, again, sets_flag, least] {
        to_.bind(some);
        rounds_from_distance(loop, again);
        // As many as there are instructions left for.
        const std::uint32_t longest = loop.longest;
        const Label enough = to_.newLabel();
        to_.imul(scratch.r64(), acc.r64(), longest);
        to_.movsxd(scratch2.r64(), passes);
        to_.cmp(scratch.r64(), scratch2.r64());
        to_.jle(enough);
        to_.mov(acc, scratch2);
        to_.cmp(acc, 0);
        to_.jle(again);
        to_.xor_(scratch2, scratch2);
        to_.mov(scratch, longest);
        to_.div(scratch);
        to_.bind(enough);
        to_.and_(acc, 0u - loop.lanes);
        to_.cmp(acc, least);
        to_.jb(again);

        // All registers are in memory meanwhile.
        const RegisterHomes::Set set = homes_->wanted(loop.block) | homes_->changed(loop.block);
        const auto each_kept = [&](auto move) {
            for (unsigned home = 0; home < units_.kept().size(); ++home)
                if (places_->is_kept(home)) move(word(units_.kept()[home]), integer_homes[home]);
        };
        const auto align = [&](bool asks) {
            if (!sets_flag) return;
            const Mem flags = x86::dword_ptr(x86::rsp);
            to_.pushfq();
            asks ? to_.or_(flags, alignment_flag) : to_.and_(flags, ~alignment_flag);
            to_.popfq();
        };
        store_homes(set);
        each_kept([&](Mem mem, Gp home) { to_.mov(mem, home); });
        to_.mov(VectorCode::wanted, acc);
        align(false);
        const Label other = to_.newLabel();
        VectorCode code(loop, {links_.by_processor, links_.data_bytes, links_.read_only}, to_);
        code.write(other);
        for (const auto &[r, step] : loop.steps) {
            if (step == 0) continue;
            to_.imul(acc, VectorCode::done, step);
            to_.add(word(r), acc);
        }
        to_.add(vector_rounds, VectorCode::done.r64());
        to_.imul(acc, VectorCode::done, loop.size);
        to_.add(acc, VectorCode::more_done);
        to_.sub(passes, acc);
        to_.bind(other);
        align(true);
        load_homes(set);
        each_kept([&](Mem mem, Gp home) { to_.mov(home, mem); });
        to_.jmp(again);
        code.write_constants();
    });
}

/// Goes to `yes` if the loop's branch leads back at least so often for sure, with the distance that it does so over in `acc`; else to `no`,
/// or goes on.
void FunctionCompiler::far_apart(const VectorLoop &loop, std::uint32_t rounds, Label yes, Label no) {
    using Goes = CountedLoop::Goes;
    const auto sum = [this](Gp to, const CountedLoop::Sum &what) {
        bool is_there = false;
        for (const std::uint32_t r : what.registers) {
            if (r == CountedLoop::none) continue;
            if (is_there)
                with(
                    r, [&](auto value) { to_.add(to, value); }, scratch2);
            else fetch(to, r);
            is_there = true;
        }
        if (!is_there) to_.mov(to, what.constant);
        else if (what.constant != 0) to_.add(to, what.constant);
    };
    sum(acc, loop.high);
    sum(scratch, loop.low);
    if (loop.goes != Goes::while_different) to_.cmp(scratch, acc);
    switch (loop.goes) {
        case Goes::while_different: break;
        case Goes::while_less: to_.jae(no); break;
        case Goes::while_less_signed: to_.jge(no); break;
        case Goes::while_not_more: to_.ja(no); break;
        case Goes::while_not_more_signed: to_.jg(no); break;
    }
    to_.sub(acc, scratch);
    to_.cmp(acc, rounds * static_cast<std::uint32_t>(loop.come_nearer));
    to_.ja(yes);
}

/// How often the branch leads back, in `acc`, from what far_apart() left there.
void FunctionCompiler::rounds_from_distance(const VectorLoop &loop, Label none) {
    using Goes = CountedLoop::Goes;
    const auto step = static_cast<std::uint32_t>(loop.come_nearer);
    const bool is_less = loop.goes == Goes::while_less || loop.goes == Goes::while_less_signed;
    if (is_less) to_.sub(acc, 1);
    if (std::has_single_bit(step)) {
        if (loop.goes == Goes::while_different && step > 1) {
            to_.test(acc, step - 1);
            to_.jnz(none);
        }
        if (step > 1) to_.shr(acc, std::countr_zero(step));
    } else {
        to_.xor_(scratch2, scratch2);
        to_.mov(scratch, step);
        to_.div(scratch);
        if (loop.goes == Goes::while_different) {
            to_.test(scratch2, scratch2);
            to_.jnz(none);
        }
    }
    if (loop.goes != Goes::while_different) to_.add(acc, 1);
}

}  // namespace mog
