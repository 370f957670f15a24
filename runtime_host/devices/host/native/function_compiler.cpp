// function_compiler.cpp: blocks, the ways between them, and where values are.
#include "runtime_host/devices/host/native/function_compiler.hpp"

#include <algorithm>
#include <atomic>

#include "assembler/blocks/known_targets.hpp"
#include "assembler/image/constants.hpp"

namespace mog {

using namespace native;
namespace x86 = asmjit::x86;
using x86::CondCode;

namespace {

std::int32_t minus(std::uint32_t address) { return static_cast<std::int32_t>(0u - address); }

/// Rounds of a loop that are written out one behind the other, and instructions that all of them may have. With four, a product of matrices
/// took a fifth longer.
constexpr std::uint32_t most_rounds = 2, most_in_rounds = 96;

}  // namespace

FunctionCompiler::FunctionCompiler(const NativeUnits &units, std::uint32_t unit, const NativeLinks &links, asmjit::CodeHolder &holder)
    : units_(units),
      image_(units.image()),
      links_(links),
      group_(units.image(), units.plan(), unit, EnteredAt::entries),
      to_(&holder),
      first_(group_.group.blocks.front()) {
    homes_.emplace(
        group_, units.kept(), [this](std::uint32_t b) { return successors(b); }, units.integers());
    labels_.resize(group_.group.blocks.back() - first_ + 1);
    for (const std::uint32_t b : group_.group.blocks) labels_[b - first_] = to_.newLabel();
    find_vectors();
}

void FunctionCompiler::compile() {
    const auto &blocks = group_.group.blocks;
    std::vector<std::uint32_t> apart;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const bool is_entered = std::ranges::binary_search(group_.entries, group_.begin(blocks[i]));
        // Where nothing goes on into the block, control comes in right before it; else by a jump.
        const bool follows = i > 0 && blocks[i] == blocks[i - 1] + 1 && !ends_block(op(group_.end(blocks[i - 1]) - 1));
        if (is_entered && !follows) entry(group_.begin(blocks[i]));
        else if (is_entered) apart.push_back(group_.begin(blocks[i]));
        block(blocks[i], i + 1 < blocks.size() ? blocks[i + 1] : 0xffffffffu);
    }
    for (const std::uint32_t at : apart) {
        entry(at);
        to_.jmp(label_of(group_.plan.code.block_of[at]));
    }
    for (std::size_t i = 0; i < later_.size(); ++i) {  // which may add to it
        const auto what = std::move(later_[i]);
        what();
    }
}

// --- blocks ------------------------------------------------------------------------------------------------------------

/// Cases of a switch, that its table leads to without leaving the unit.
bool FunctionCompiler::is_switch(std::uint32_t b) const {
    const std::uint32_t last = group_.end(b) - 1;
    return jumps_to_address(op(last)) && !is_return(image_, last) && !is_call(image_, last) && !group_.flow->known_targets(b).empty();
}

std::vector<std::uint32_t> FunctionCompiler::successors(std::uint32_t b) const {
    const std::uint32_t last = group_.end(b) - 1;
    std::vector<std::uint32_t> found;
    if (const auto named = named_block(image_, group_.plan.code, last); named && group_.here(*named)) found.push_back(*named);
    if (!ends_block(op(last)) && b + 1 < group_.plan.code.start.size() && group_.here(b + 1)) found.push_back(b + 1);
    if (is_switch(b))
        for (const CodeAddress &target : group_.flow->known_targets(b)) found.push_back(group_.plan.code.block_of[target.to]);
    return found;
}

void FunctionCompiler::block(std::uint32_t b, std::uint32_t next) {
    block_ = b;
    condition_.reset();
    if (group_.targets.contains(group_.begin(b)) || b == first_ || places_ != &homes_->of(b)) {
        acc_ = {};
        d_ = {};
        places_ = &homes_->of(b);
        changed_ = homes_->changed(b);
        at_least_.clear();
    }
    const std::uint32_t end = group_.end(b), size = end - group_.begin(b);
    ahead_ = (rounds(b) - 1) * size;
    to_.bind(label_of(b));
    stop_.reset();
    if (const auto loop = vector_loops_.find(b); loop != vector_loops_.end()) vectors(loop->second);
    if (group_.counts->asks(b)) enter(b);
    for (;; ahead_ -= size) {
        for (at_ = group_.begin(b); at_ < end - (ahead_ != 0);) {
            stop_.reset();
            instruction(at_++);
        }
        if (ahead_ == 0) break;
        next_round(end - 1);
    }
    if (ends_block(op(end - 1))) return;
    default_nans(group_.nans->at_end(end - 1));
    if (next != b + 1) {
        go(b, end);
        return;
    }
    if (group_.targets.contains(end)) settle(next);
    count(group_.due(b, end));
    move_homes(next);
}

/// How often a block is written that is a loop by itself: whether the slice is over is asked once for all of them.
std::uint32_t FunctionCompiler::rounds(std::uint32_t b) const {
    const std::uint32_t begin = group_.begin(b), end = group_.end(b), last = end - 1;
    if ((op(last) != Op::jf_ && op(last) != Op::jt_) || constant_at(image_, last) != begin || !group_.counts->asks(b)) return 1;
    // Where others have their turns is one place of the code.
    for (std::uint32_t at = begin; at < end; ++at)
        if (op(at) == Op::yield_ || has_break(at)) return 1;
    return std::clamp(most_in_rounds / (end - begin), 1u, most_rounds);
}

/// The branch that ends a block, back to its begin, where another round of it follows at once: it leads out if it does not go back.
void FunctionCompiler::next_round(std::uint32_t at) {
    default_nans(group_.nans->before(at));
    const CondCode back = condition_for(at);
    const Label out = to_.newLabel();
    to_.j(x86::negateCond(back), out);
    later([this, out, at, b = block_, ahead = ahead_, acc = acc_, d = d_, changed = changed_] {
        to_.bind(out);
        acc_ = acc;
        d_ = d;
        changed_ = changed;
        ahead_ = ahead;
        default_nans(group_.nans->at_end(at));
        go(b, at + 1);
        ahead_ = 0;
    });
    default_nans(group_.nans->on_jump(at));
    settle(block_);
    acc_ = {};
    d_ = {};
    changed_ = homes_->changed(block_);
    condition_.reset();
}

void FunctionCompiler::instruction(std::uint32_t at) {
    const OpInfo &row = info(op(at));
    default_nans(group_.nans->before(at));
    if (has_break(at)) to_.jmp(stop(at));
    if (op(at) == Op::jf_ || op(at) == Op::jt_) return branch(at);
    if (op(at) == Op::sr_) return put(at);
    condition_.reset();
    if (op(at) == Op::lr_) {
        acc_ = {Acc::In::sum, operand(at), 0};
        return;
    }
    if (op(at) == Op::ja_) {
        default_nans(group_.nans->on_jump(at));
        return go(block_, constant_at(image_, at));
    }
    if (op(at) == Op::j_) return jump(at);
    if (op(at) == Op::yield_ && links_.next_turn) return yield(at);
    // negf and absf are about bits of ACC, as isa.def has it.
    const bool done = row.access                                             ? access(at)
                      : (row.reads | row.writes) & (D | Fpu | Floats | Pair) ? floats(at)
                                                                             : integer(at) || floats(at);
    if (done) return;
    left_.insert(op(at));
    to_.jmp(stop(at));
}

/// Whether there are instructions left for the block and what follows it.
void FunctionCompiler::enter(std::uint32_t b) {
    at_ = group_.begin(b);
    const Label few = to_.newLabel(), enough = to_.newLabel();
    const auto needed = static_cast<std::int32_t>(group_.counts->needed(b) + ahead_);
    const auto counted = static_cast<std::int32_t>(group_.counts->counted(b) + ahead_);
    const bool at_once = needed - counted <= spare;
    if (at_once) to_.sub(passes, counted);
    else to_.cmp(passes, needed - spare);
    to_.jl(few);
    if (!at_once) to_.sub(passes, counted);
    to_.bind(enough);
    const std::uint32_t nans = group_.counts->asks(b) ? group_.nans->on_ask(b) : 0;
    later([this, few, enough, b, nans, needed, counted, at_once, acc = acc_, d = d_, changed = changed_, inside = inside_] {
        to_.bind(few);
        if (at_once) to_.add(passes, counted);
        const Label out = to_.newLabel();
        to_.lea(scratch, x86::ptr(passes.r64(), spare));
        to_.cmp(scratch, needed);
        to_.jb(out);
        to_.sub(passes, counted);
        to_.jmp(enough);
        to_.bind(out);
        restore(acc, d, nans);
        if (inside) to_memory(changed);
        to_.mov(scratch, group_.begin(b));
        to_.jmp(links_.exit_cold);
    });
}

/// Where control comes in from elsewhere, with ACC and D in their places and all registers in memory.
void FunctionCompiler::entry(std::uint32_t at) {
    const std::uint32_t b = group_.plan.code.block_of[at];
    const Label here = to_.newLabel();
    to_.bind(here);
    entries_.emplace_back(at, here);
    acc_ = {};
    d_ = {};
    places_ = &homes_->of(b);
    changed_ = 0;
    inside_ = false;
    if (!group_.counts->asks(b)) enter(b);
    inside_ = true;
    for (unsigned home = 0; home < units_.kept().size(); ++home)
        if (!places_->is_kept(home)) to_.mov(word(units_.kept()[home]), integer_homes[home]);
    load_homes(homes_->wanted(b));
    places_ = nullptr;  // what the block begins with is not what was before it
}

FunctionCompiler::Label FunctionCompiler::stop(std::uint32_t at) {
    if (stop_) return *stop_;
    stop_ = to_.newLabel();
    later([this, at, label = *stop_, left = group_.left(block_, at) + ahead_, acc = acc_, d = d_, changed = changed_] {
        to_.bind(label);
        restore(acc, d, group_.nans->on_stop(at));
        to_memory(changed);
        to_.mov(scratch, at);
        if (left != 0) to_.add(passes, left);
        to_.jmp(links_.exit_cold);
    });
    return *stop_;
}

void FunctionCompiler::count(std::int32_t due) {
    if (due == 0) return;
    to_.sub(passes, due);
    condition_.reset();
}

void FunctionCompiler::settle(std::uint32_t b) {
    if (units_.acc_is_live(b)) to_acc();
    if (units_.d_is_live(b) && d_.in_pair) {
        to_.vmovapd(d, d_register());
        d_ = {};
    }
}

/// The accumulators to their places, where the interpreter goes on; and what NanResults has at this place in stop_sets(), from 1.
void FunctionCompiler::restore(const Acc &acc, const Double &d, std::uint32_t nans) {
    acc_ = acc;
    d_ = d;
    if (nans != 0) default_nans(group_.nans->stop_sets()[nans - 1]);
    to_acc();
    if (!d_.in_pair) return;
    if (pair_has_home(d_.reg)) to_.vmovapd(native::d, pair_home(d_.reg));
    else to_.vmovsd(native::d, two_words(d_.reg));
}

void FunctionCompiler::store_homes(RegisterHomes::Set set) {
    for (unsigned home = 0; home < RegisterHomes::most_integers; ++home)
        if (set & RegisterHomes::bit_of_integer(static_cast<std::uint8_t>(home)))
            to_.mov(word(places_->register_in_integer(home)), integer_homes[home]);
    for (unsigned home = 0; home < RegisterHomes::most_doubles; ++home)
        if (set & RegisterHomes::bit_of_double(static_cast<std::uint8_t>(home)))
            places_->has_float(home) ? to_.vmovss(word(places_->register_in_double(home)), double_home(home))
                                     : to_.vmovsd(two_words(places_->register_in_double(home)), double_home(home));
}

/// Registers to where they are between units.
void FunctionCompiler::to_memory(RegisterHomes::Set changed) {
    store_homes(changed);
    for (unsigned home = 0; home < units_.kept().size(); ++home)
        if (!places_->is_kept(home)) to_.mov(integer_homes[home], word(units_.kept()[home]));
}

void FunctionCompiler::load_homes(RegisterHomes::Set set) {
    for (unsigned home = 0; home < RegisterHomes::most_integers; ++home)
        if (set & RegisterHomes::bit_of_integer(static_cast<std::uint8_t>(home)))
            to_.mov(integer_homes[home], word(places_->register_in_integer(home)));
    for (unsigned home = 0; home < RegisterHomes::most_doubles; ++home)
        if (set & RegisterHomes::bit_of_double(static_cast<std::uint8_t>(home)))
            places_->has_float(home) ? to_.vmovss(double_home(home), word(places_->register_in_double(home)))
                                     : to_.vmovsd(double_home(home), two_words(places_->register_in_double(home)));
}

void FunctionCompiler::move_homes(std::uint32_t to) {
    const RegisterHomes::Assignment &there = homes_->of(to);
    if (&there == places_) return;
    const RegisterHomes::Set common = RegisterHomes::common(*places_, there);
    store_homes(changed_ & ~common);
    // A register that stays between units may be changed at any time.
    for (std::uint8_t home = 0; home < RegisterHomes::most_integers; ++home) {
        const bool is_kept = places_->is_kept(home) && !there.is_kept(home);
        if (is_kept) to_.mov(word(places_->register_in_integer(home)), integer_homes[home]);
    }
    RegisterHomes::Set come = homes_->wanted(to) & ~common;
    for (std::uint8_t home = 0; home < RegisterHomes::most_integers; ++home) {
        const bool is_kept = there.is_kept(home) && !places_->is_kept(home);
        if (is_kept) come |= RegisterHomes::bit_of_integer(home);
    }
    changed_ &= common;
    places_ = &there;
    load_homes(come);
}

// --- ways --------------------------------------------------------------------------------------------------------------

void FunctionCompiler::go(std::uint32_t b, std::uint32_t target) {
    const auto to = group_.block_at(target);
    const std::int32_t due = group_.due(b, target) - static_cast<std::int32_t>(ahead_);
    if (to && group_.here(*to)) {
        settle(*to);
        count(due);
        move_homes(*to);
        to_.jmp(label_of(*to));
        return;
    }
    settle_all(to);
    count(due);
    leave(target);
}

/// As settle(), where the block may be none.
void FunctionCompiler::settle_all(std::optional<std::uint32_t> b) {
    if (b) settle(*b);
    else to_acc();
}

/// To code of another unit, or of nobody, with the accumulators in their places.
void FunctionCompiler::leave(std::uint32_t target) {
    to_memory(changed_);
    // Code that is there stays there.
    const void *const code = std::atomic_ref(links_.by_text[target]).load(std::memory_order_acquire);
    if (code != links_.exit) {
        to_.jmp(reinterpret_cast<std::uintptr_t>(code));
        return;
    }
    to_.mov(scratch, target);
    to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(links_.by_text + target));
    to_.jmp(x86::qword_ptr(scratch2.r64()));
}

/// Of the flags: that the branch is taken.
CondCode FunctionCompiler::condition_for(std::uint32_t at) {
    CondCode is_set = CondCode::kNZ;
    if (condition_) {
        is_set = *condition_;
    } else {
        const Acc::In in = acc_.in;
        if (in == Acc::In::sum && acc_.offset == 0 && !has_home(acc_.reg) && !float_has_home(acc_.reg) && !is_half(acc_.reg)) {
            to_.cmp(word(acc_.reg), 0);
        } else {
            const Gp value = acc_register();
            to_.test(value, value);
        }
    }
    return op(at) == Op::jt_ ? is_set : x86::negateCond(is_set);
}

void FunctionCompiler::branch(std::uint32_t at) {
    const std::uint32_t target = constant_at(image_, at);
    const auto to = group_.block_at(target);
    const CondCode taken = condition_for(at);
    // The flags stay as they are while the accumulators go to their places.
    settle_all(to);
    const std::int32_t due = group_.due(block_, target);
    const bool stays = to && group_.here(*to);
    const NanResults::Variables &nans = group_.nans->on_jump(at);
    if (stays && due == 0 && nans.empty() && !moves_homes(*to)) {
        to_.j(taken, way_to(*to));
    } else {
        const Label way = to_.newLabel();
        to_.j(taken, way);
        later([this, way, target, stays, due, to, &nans, acc = acc_, d = d_, changed = changed_, label = stays ? way_to(*to) : Label()] {
            to_.bind(way);
            acc_ = acc;
            d_ = d;
            changed_ = changed;
            default_nans(nans);
            settle_all(to);
            count(due);
            if (stays) {
                move_homes(*to);
                to_.jmp(label);
            } else {
                leave(target);
            }
        });
    }
}

/// To one of the cases that are known, or on for what is none. Returns what has been counted before they part, which may be more than is
/// due there. All such jumps of a unit have the same cases, and what is due to each differs by the same for all of them, so jumps with
/// registers in the same places share a table: one for each of an interpreter's, which goes from each of its instructions to the next,
/// would be more than the processor's caches hold.
std::int32_t FunctionCompiler::by_cases() {
    const std::vector<CodeAddress> &targets = group_.flow->known_targets(block_);
    const auto [least, most] = std::ranges::minmax(targets, {}, &CodeAddress::address);
    const std::uint32_t first = least.address, words = (most.address - first) / 4 + 1;
    const auto block_of = [&](const CodeAddress &target) { return group_.plan.code.block_of[target.to]; };
    const bool moves = std::ranges::any_of(targets, [&](const CodeAddress &target) { return moves_homes(block_of(target)); });
    const auto [kept, is_new] = case_tables_.try_emplace({places_, moves ? changed_ : 0}, Label());
    if (is_new) kept->second = to_.newLabel();
    const Label table = kept->second, other = to_.newLabel();
    const std::int32_t counted = group_.due(block_, targets.front().to);
    count(counted);
    to_.lea(scratch, x86::ptr(acc.r64(), minus(first)));
    to_.rorx(scratch, scratch, 2);
    to_.cmp(scratch, words);
    to_.jae(other);
    to_.lea(scratch2.r64(), x86::ptr(table));
    // What is no case has nothing in the table.
    to_.mov(scratch.r64(), x86::qword_ptr(scratch2.r64(), scratch.r64(), 3));
    to_.test(scratch.r64(), scratch.r64());
    to_.je(other);
    to_.jmp(scratch.r64());
    to_.bind(other);
    if (!is_new) return counted;
    std::vector<std::optional<Label>> ways(words);
    for (const CodeAddress &target : targets) {
        std::optional<Label> &way = ways[(target.address - first) / 4];
        const std::int32_t due = group_.due(block_, target.to) - counted;
        const std::uint32_t to = block_of(target);
        const bool is_there = due == 0 && !moves_homes(to);
        way = is_there ? label_of(to) : to_.newLabel();
        if (is_there) continue;
        later([this, label = *way, due, to, changed = changed_] {
            changed_ = changed;
            to_.bind(label);
            count(due);
            move_homes(to);
            to_.jmp(label_of(to));
        });
    }
    later([this, table, ways = std::move(ways)] {
        to_.align(asmjit::AlignMode::kData, 8);
        to_.bind(table);
        for (const std::optional<Label> &way : ways) way ? to_.embedLabel(*way) : to_.embedUInt64(0);
    });
    return counted;
}

/// To a code address: to a case of a switch, or by the table of all words that have code.
void FunctionCompiler::jump(std::uint32_t at) {
    to_acc();
    if (d_.in_pair && (units_.d_is_live_anywhere() || is_switch(block_))) {
        to_.vmovapd(d, d_register());
        d_ = {};
    }
    const std::int32_t counted = is_switch(block_) ? by_cases() : 0;
    default_nans(group_.nans->on_jump(at));
    to_acc();
    count(group_.due(block_, std::nullopt) - counted);
    to_memory(changed_);
    const Label bad = to_.newLabel();
    to_.mov(jump_from, at);  // for a word that has no code
    if (links_.by_address) {
        const Site site{to_.newLabel(), to_.newLabel(), bad};
        to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(links_.by_address));
        to_.bind(site.begin);
        to_.jmp(x86::qword_ptr(scratch2.r64(), acc.r64(), 1));
        to_.bind(site.end);
        sites_.push_back(site);
    } else {
        to_.lea(scratch, x86::ptr(acc.r64(), minus(image_.code_base)));
        to_.rorx(scratch, scratch, 2);
        to_.cmp(scratch, static_cast<std::uint32_t>(image_.code_map.size()));
        to_.jae(bad);
        to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(links_.by_word));
        to_.jmp(x86::qword_ptr(scratch2.r64(), scratch.r64(), 3));
    }
    later([this, bad, at] {
        to_.bind(bad);
        to_.mov(scratch, at);
        to_.add(passes, 1);
        to_.jmp(links_.exit_cold);
    });
}

/// Others have their turns, if the PE has its own among theirs, without the interpreter: then all of it is in memory until it goes on.
void FunctionCompiler::yield(std::uint32_t at) {
    to_.cmp(next_of_turns, 0);
    to_.je(stop(at));
    const Label behind = to_.newLabel();
    restore(acc_, d_, group_.nans->on_stop(at));
    d_ = {};
    to_memory(changed_);
    to_.lea(scratch2.r64(), x86::ptr(behind));
    to_.jmp(links_.next_turn);
    to_.embedUInt32(at + 1);
    to_.embedInt32(static_cast<std::int32_t>(group_.left(block_, at)) - 1);
    to_.bind(behind);
    turns_.emplace_back(at + 1, behind);
    load_homes(places_->used());
}

// --- values ------------------------------------------------------------------------------------------------------------

void FunctionCompiler::changes(std::uint32_t r) {
    at_least_.erase(r);
    if (has_home(r) && !places_->is_kept(places_->integer(r))) changed_ |= RegisterHomes::bit_of_integer(places_->integer(r));
    if (float_has_home(r)) changed_ |= RegisterHomes::bit_of_double(places_->single(r));
    if (is_half(r)) changed_ |= RegisterHomes::bit_of_double(places_->half(r));
}

void FunctionCompiler::pair_changes(std::uint32_t r) {
    at_least_.erase(r);
    at_least_.erase(r + 1);
    if (pair_has_home(r)) changed_ |= RegisterHomes::bit_of_double(places_->pair(r));
}

void FunctionCompiler::fetch(Gp to, std::uint32_t r) {
    if (float_has_home(r)) to_.vmovd(to, float_home(r));
    else if (is_half(r)) places_->is_high(r) ? to_.vpextrd(to, half_home(r), 1) : to_.vmovd(to, half_home(r));
    else if (!has_home(r)) to_.mov(to, word(r));
    else if (to != home(r)) to_.mov(to, home(r));
}

void FunctionCompiler::put_half(std::uint32_t r, Gp from) { to_.vpinsrd(half_home(r), half_home(r), from, places_->is_high(r)); }

void FunctionCompiler::put_half(std::uint32_t r, Xmm from) {
    constexpr std::uint32_t to_first = 0x00, to_second = 0x10;  // from the first one
    to_.vinsertps(half_home(r), half_home(r), from, places_->is_high(r) ? to_second : to_first);
}

FunctionCompiler::Xmm FunctionCompiler::half_as_float(Xmm to, std::uint32_t r) {
    if (!places_->is_high(r)) return half_home(r);
    to_.vpsrlq(to, half_home(r), 32);
    return to;
}

void FunctionCompiler::acc_to(Gp to) {
    switch (acc_.in) {
        case Acc::In::acc:
            if (to != acc) to_.mov(to, acc);
            break;
        case Acc::In::constant: to_.mov(to, acc_.offset); break;
        case Acc::In::sum:
            if (has_home(acc_.reg) && acc_.offset != 0) {
                to_.lea(to, x86::ptr(home(acc_.reg).r64(), static_cast<std::int32_t>(acc_.offset)));
                break;
            }
            fetch(to, acc_.reg);
            if (acc_.offset != 0) to_.lea(to, x86::ptr(to.r64(), static_cast<std::int32_t>(acc_.offset)));
            break;
        case Acc::In::float_acc: to_.vmovd(to, float_acc); break;
    }
}

void FunctionCompiler::to_acc() {
    acc_to(acc);
    acc_ = {};
}

FunctionCompiler::Gp FunctionCompiler::acc_register() {
    if (acc_.in == Acc::In::sum && acc_.offset == 0 && has_home(acc_.reg)) return home(acc_.reg);
    to_acc();
    return acc;
}

bool FunctionCompiler::acc_is_float() const {
    return acc_.in == Acc::In::float_acc || (acc_.in == Acc::In::sum && acc_.offset == 0 && float_has_home(acc_.reg));
}

bool FunctionCompiler::is_float_next(std::uint32_t at) const {
    return at + 1 < group_.end(block_) && (info(op(at + 1)).reads & (Floats | mog::Acc)) == (Floats | mog::Acc);
}

/// A register that has ACC's value as a float: a home, or `float_acc` from now on.
FunctionCompiler::Xmm FunctionCompiler::acc_as_float() {
    if (acc_.in == Acc::In::float_acc) return float_acc;
    if (acc_.in == Acc::In::sum && acc_.offset == 0 && float_has_home(acc_.reg)) return float_home(acc_.reg);
    if (acc_.in == Acc::In::sum && acc_.offset == 0 && is_half(acc_.reg)) {
        const Xmm half = half_as_float(float_acc, acc_.reg);
        if (half == float_acc) acc_ = {Acc::In::float_acc};
        return half;
    }
    if (acc_.in == Acc::In::sum && acc_.offset == 0 && !has_home(acc_.reg)) to_.vmovss(float_acc, word(acc_.reg));
    else to_.vmovd(float_acc, acc_register());
    acc_ = {Acc::In::float_acc};
    return float_acc;
}

FunctionCompiler::Xmm FunctionCompiler::float_result(std::uint32_t at) const {
    const auto r = put_next(at, Op::sr_);
    return r && float_has_home(*r) ? float_home(*r) : float_acc;
}

FunctionCompiler::Xmm FunctionCompiler::d_register() {
    if (!d_.in_pair) return d;
    if (pair_has_home(d_.reg)) return pair_home(d_.reg);
    to_.vmovsd(d, two_words(d_.reg));
    d_ = {};
    return d;
}

void FunctionCompiler::d_apart_from(std::uint32_t r) {
    if (!d_.in_pair || (d_.reg != r && d_.reg + 1 != r)) return;
    to_.vmovapd(d, d_register());
    d_ = {};
}

std::optional<std::uint32_t> FunctionCompiler::put_next(std::uint32_t at, Op by) const {
    if (at + 1 >= group_.end(block_) || op(at + 1) != by || has_break(at + 1) || !group_.nans->before(at + 1).empty()) return std::nullopt;
    return operand(at + 1);
}

FunctionCompiler::Gp FunctionCompiler::result(std::uint32_t at) const {
    const auto r = put_next(at, Op::sr_);
    return r && has_home(*r) ? home(*r) : acc;
}

void FunctionCompiler::is_result(Gp in, std::uint32_t at) {
    acc_ = {};
    if (in == acc) return;
    const std::uint32_t r = operand(at + 1);
    changes(r);
    acc_ = {Acc::In::sum, r, 0};
    ++at_;  // that instruction is done
}

FunctionCompiler::Xmm FunctionCompiler::result_d(std::uint32_t at) const {
    const auto r = put_next(at, Op::srd_);
    // ACC may be a half of what is there now.
    const bool is_read = r && acc_.in == Acc::In::sum && (acc_.reg == *r || acc_.reg == *r + 1);
    return r && pair_has_home(*r) && !is_read ? pair_home(*r) : d;
}

void FunctionCompiler::is_result_d(Xmm in, std::uint32_t at) {
    d_ = {};
    if (in == d) return;
    const std::uint32_t r = operand(at + 1);
    pair_changes(r);
    d_ = {true, r};
    ++at_;
}

}  // namespace mog
