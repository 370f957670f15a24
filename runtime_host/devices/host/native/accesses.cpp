// accesses.cpp: loads and stores of the space "private", as native code.
#include "assembler/image/constants.hpp"
#include "interp_templates/launch_abi.h"
#include "runtime_host/devices/host/native/function_compiler.hpp"

namespace mog {

using namespace native;
namespace x86 = asmjit::x86;

namespace {

constexpr std::int32_t minus_base = static_cast<std::int32_t>(0u - MOG_DATA_BASE);
/// An offset that cannot lead round the end of the address space from an address in DATA, which is smaller than half of it.
constexpr std::int32_t small = 1 << 20;

bool is_small(std::uint32_t offset) {
    const auto number = static_cast<std::int32_t>(offset);
    return number > -small && number < small;
}

}  // namespace

bool FunctionCompiler::access(std::uint32_t at) {
    if (acc_.in == Acc::In::float_acc && info(op(at)).access.address != AddressIn::reg) to_acc();
    const std::uint32_t r = operand(at);
    // A value that is stored is in a register before its address is known, for that takes the scratch registers.
    Gp value = acc;
    const bool stores_acc = info(op(at)).access.address == AddressIn::reg;
    // But a float is stored from where it is.
    if (stores_acc && !(op(at) == Op::sw_ && acc_is_float())) value = acc_register();
    if (op(at) == Op::std_ && !pair_has_home(r)) {
        // D is where it is: another register takes the value.
        to_.vmovsd(float_scratch, two_words(r));
    }
    const Mem mem = address(at);
    ask_for_read_only(at, mem);
    ++accesses_;
    if (!faults_) return transfer(at, mem, value);
    const Site site{to_.newLabel(), to_.newLabel(), stop(at)};
    to_.bind(site.begin);
    const bool done = transfer(at, mem, value);
    to_.bind(site.end);
    sites_.push_back(site);
    return done;
}

/// A load or store at `mem`. `value`: ACC's, if that is what is stored.
bool FunctionCompiler::transfer(std::uint32_t at, const Mem &mem, Gp value) {
    const std::uint32_t r = operand(at);
    const bool stores_acc = info(op(at)).access.address == AddressIn::reg;
    const auto load = [&](auto emit) {
        const Gp to = result(at);
        emit(to);
        is_result(to, at);
    };
    const auto stored = [&] {
        if (stores_acc) return value;
        if (has_home(r)) return home(r);
        fetch(scratch2, r);
        return scratch2;
    };
    const auto sized = [&](std::uint32_t bytes) {
        Mem place = mem;
        place.setSize(bytes);
        return place;
    };
    switch (op(at)) {
        case Op::lb_: load([&](Gp to) { to_.movsx(to, sized(1)); }); return true;
        case Op::lbu_: load([&](Gp to) { to_.movzx(to, sized(1)); }); return true;
        case Op::lh_: load([&](Gp to) { to_.movsx(to, sized(2)); }); return true;
        case Op::lhu_: load([&](Gp to) { to_.movzx(to, sized(2)); }); return true;
        case Op::lw_:
        case Op::lwx_:
            if (const Xmm to = float_result(at); to != float_acc) {
                to_.vmovss(to, sized(4));
                is_float_result(to, at);
                return true;
            }
            if (const auto half = put_next(at, Op::sr_); half && is_half(*half)) {
                d_apart_from(*half);
                to_.vpinsrd(half_home(*half), half_home(*half), sized(4), places_->is_high(*half));
                changes(*half);
                acc_ = {Acc::In::sum, *half, 0};
                ++at_;  // that instruction is done
                return true;
            }
            if (is_float_next(at)) {
                to_.vmovss(float_acc, sized(4));
                acc_ = {Acc::In::float_acc};
                return true;
            }
            load([&](Gp to) { to_.mov(to, sized(4)); });
            return true;
        case Op::cas_: compare_and_swap(at, mem); return true;
        case Op::reserve_: reserve(at, mem); return true;
        case Op::amoadd_: exchange(at, mem, true); return true;
        case Op::amoswap_: exchange(at, mem, false); return true;
        case Op::amoand_: replace(at, mem, Bits::and_); return true;
        case Op::amoor_: replace(at, mem, Bits::or_); return true;
        case Op::amoxor_: replace(at, mem, Bits::xor_); return true;
        case Op::lwu_: load([&](Gp to) { load_anywhere(to, sized(4)); }); return true;
        case Op::lwl_:
        case Op::lwr_: load_part(at, mem, op(at) == Op::lwl_); return true;
        case Op::lwd_: {
            const Xmm to = result_d(at);
            to_.vmovsd(to, sized(8));
            is_result_d(to, at);
            return true;
        }
        case Op::sb_:
        case Op::stb_: to_.mov(sized(1), stored().r8()); return true;
        case Op::sh_:
        case Op::sth_: to_.mov(sized(2), stored().r16()); return true;
        case Op::stw_:
            if (float_has_home(r)) {
                to_.vmovss(sized(4), float_home(r));
                return true;
            }
            [[fallthrough]];
        case Op::sw_:
            if (stores_acc && acc_is_float()) to_.vmovss(sized(4), acc_as_float());
            else to_.mov(sized(4), stored());
            return true;
        case Op::stu_:
            if (links_.by_processor) store_anywhere(at, mem, stored());
            else to_.mov(sized(4), stored());
            return true;
        case Op::stl_:
        case Op::str_: store_part(at, mem, op(at) == Op::stl_); return true;
        case Op::std_: to_.vmovsd(sized(8), pair_has_home(r) ? pair_home(r) : float_scratch); return true;
        default: return false;
    }
}

/// Those of a part of a word, that store it, have changed ACC when they get there; so has what compares first.
bool FunctionCompiler::may_fault(std::uint32_t at) const {
    const OpInfo &row = info(op(at));
    return links_.by_processor && (row.reads & row.writes & mog::Mem) == 0;
}

/// A word at any address. What loads a part of a vector under a mask may do so where the processor checks alignment.
void FunctionCompiler::load_anywhere(Gp to, const Mem &mem) {
    if (!links_.by_processor) {
        to_.mov(to, mem);
        return;
    }
    to_.vpcmpeqd(float_scratch, float_scratch, float_scratch);
    to_.vpsrldq(float_scratch, float_scratch, 12);  // the first word
    Mem vector = mem;
    vector.setSize(16);
    to_.vmaskmovps(float_scratch2, float_scratch, vector);
    to_.vmovd(to, float_scratch2);
}

/// The same for stores, which processors do slowly that way: if it is not aligned, by bytes, after asking, for none may be stored if one
/// cannot be.
void FunctionCompiler::store_anywhere(std::uint32_t at, const Mem &mem, Gp value) {
    const auto by_bytes = [this, value](Mem place) {
        place.setSize(1);
        for (unsigned i = 0; i < 4; ++i) {
            to_.mov(place, value.r8());
            to_.ror(value, 8);
            place.addOffset(1);
        }
    };
    Mem word = mem;
    word.setSize(4);
    if (!mem.hasBaseReg()) {  // a constant, in DATA
        if (mem.offset() % 4 == 0) to_.mov(word, value);
        else by_bytes(mem);
        return;
    }
    const Label bytes = to_.newLabel(), done = to_.newLabel();
    to_.test(scratch, 3);
    to_.jnz(bytes);
    to_.mov(word, value);
    to_.bind(done);
    later([this, mem, by_bytes, bytes, done, out = stop(at)] {
        to_.bind(bytes);
        to_.cmp(scratch, links_.data_bytes - 4);
        to_.ja(out);
        by_bytes(mem);
        to_.jmp(done);
    });
}

/// Where an access goes, after the question whether it may, if that is not known (check_coalescing.hpp), or the processor's to ask. Takes
/// the scratch registers for it; the address may be in the first one.
FunctionCompiler::Mem FunctionCompiler::address(std::uint32_t at) {
    const Access access = info(op(at)).access;
    const std::uint32_t r = operand(at), bytes = links_.data_bytes;
    faults_ = false;
    const auto found = group_.windows.accesses.find(at);
    const bool is_there = found != group_.windows.accesses.end();
    if (is_there && found->second.window == CoalescedChecks::Access::data) return data_at(found->second.offset);
    // What is asked once for several accesses is whether they are to DATA.
    const bool has_window = links_.window_bytes != 0, known = is_there && (links_.by_processor || !has_window);

    // A register and a constant, or what has to be added up.
    Acc where = access.address == AddressIn::reg ? Acc{Acc::In::sum, r, 0} : acc_;
    bool in_scratch = false;
    if (access.address == AddressIn::sum) {
        in_scratch = acc_.in != Acc::In::constant;
        where = {Acc::In::sum, r, acc_.offset};
        if (in_scratch) {
            acc_to(scratch);
            with(r, [&](auto value) { to_.add(scratch, value); });
        }
    }
    Gp base = scratch;
    std::uint32_t offset = 0;
    if (where.in == Acc::In::constant) {
        const std::uint32_t o = where.offset - MOG_DATA_BASE, size = access.any ? 1u : 1u << access.shift;
        const bool word = op(at) == Op::lwu_ || op(at) == Op::stu_;
        if ((info(op(at)).writes & mog::Mem) != 0 && links_.read_only.meets(where.offset, word ? 4 : size)) {
            to_.jmp(stop(at));
            return data_at(o);
        }
        if (known || (o % size == 0 && o < bytes && (!word || bytes - o >= 4))) return data_at(o);
        const std::uint32_t in_window = where.offset - MOG_SHARED_BASE, window = links_.window_bytes;
        if (in_window % size == 0 && in_window < window && (!word || window - in_window >= 4) && reaches_spaces(at)) {
            if (links_.by_processor) return data_at(o);
            to_.mov(scratch, in_window);
            to_space_from_data(links_.window);
            return data_at_scratch();
        }
        const std::uint32_t in_constants = where.offset - constants_base, constants = links_.constants_bytes;
        if (in_constants % size == 0 && in_constants < constants && (!word || constants - in_constants >= 4) && may_be_constant(at)) {
            if (links_.by_processor) return data_at(o);
            to_.mov(scratch, in_constants);
            to_space_from_data(links_.constants);
            return data_at_scratch();
        }
        to_.jmp(stop(at));
        return data_at(0);
    }
    if (!in_scratch) {
        if (where.in == Acc::In::acc) base = acc;
        else if (has_home(where.reg)) base = home(where.reg);
        else fetch(scratch, where.reg);
        if (where.in == Acc::In::sum) offset = where.offset;
    }
    const auto from_base = [&](std::uint32_t more) {  // of 32 bits, in `scratch`
        to_.lea(scratch, x86::ptr(base.r64(), static_cast<std::int32_t>(offset + more)));
    };
    faults_ = may_fault(at);
    const auto at_offset = [&] {  // in DATA, of 32 bits, in `scratch`
        from_base(0u - MOG_DATA_BASE);
        return data_at_scratch();
    };
    if (faults_ && op(at) == Op::stu_) return at_offset();  // where store_anywhere() expects it
    // Constants are below DATA, to where an offset from DATA's begin does not lead in 64 bits.
    const auto far = [&] {
        if (!links_.by_processor) return at_offset();
        from_base(0);
        return in_segment(x86::ptr(scratch.r64()));
    };
    if (faults_ || (known && !found->second.opens)) return is_small(offset) ? at_address(base, offset) : far();
    ++asking_;
    if (known) {
        const CoalescedChecks::Window &window = group_.windows.windows[found->second.window];
        const bool keeps = base != scratch && is_small(offset);
        const Gp o = keeps ? scratch : scratch2;
        to_.lea(o, x86::ptr(base.r64(), static_cast<std::int32_t>(offset - found->second.offset - MOG_DATA_BASE)));
        if (bytes < window.bytes) {
            to_.jmp(stop(at));
            return data_at(0);
        }
        if (window.shift != 0) to_.rorx(o, o, window.shift);
        to_.cmp(o, (bytes >> window.shift) - (window.bytes >> window.shift));
        to_.ja(stop(at));
        return keeps ? at_address(base, offset) : at_offset();
    }
    const Mem mem = at_offset();
    if ((has_window && reaches_spaces(at)) || may_be_constant(at)) {
        const bool word = access.any && (op(at) == Op::lwu_ || op(at) == Op::stu_);
        ask_for_spaces(at, access.any ? 0 : access.shift, word ? 3 : 0);
        return mem;
    }
    if (access.any && (op(at) == Op::lwu_ || op(at) == Op::stu_)) {
        to_.cmp(scratch, bytes - 4);
        to_.ja(stop(at));
    } else if (access.any || access.shift == 0) {
        to_.cmp(scratch, bytes);
        to_.jae(stop(at));
    } else {
        to_.rorx(scratch2, scratch, access.shift);
        to_.cmp(scratch2, bytes >> access.shift);
        to_.jae(stop(at));
    }
    return mem;
}

/// A store to what is read only is the interpreter's, which knows how to stop. One comparison finds all that is below its end, where
/// nothing else is written often: the rest is asked behind the code, or is the interpreter's too, if it is the control block alone. Then
/// later stores from the same register on need not be asked. Stores from the stack pointer on go elsewhere.
void FunctionCompiler::ask_for_read_only(std::uint32_t at, const Mem &mem) {
    const ReadOnlyData &data = links_.read_only;
    if (data.begin == data.end || (info(op(at)).writes & mog::Mem) == 0 || group_.windows.to_frame.contains(at)) return;
    // A constant was asked by the compiler. Without a segment, addresses are a register's from where DATA begins.
    if (links_.by_processor ? !mem.hasBaseReg() : !mem.hasIndexReg()) return;
    const Gp base = (links_.by_processor ? mem.baseReg() : mem.indexReg()).as<Gp>().r32();
    const std::uint32_t further = static_cast<std::uint32_t>(mem.offset()) + (links_.by_processor ? 0 : MOG_DATA_BASE);
    const Access access = info(op(at)).access;
    const Acc where = access.address == AddressIn::reg ? Acc{Acc::In::sum, operand(at), 0} : acc_;
    // Of a register that is an index, in an array at a constant, nothing follows.
    const bool is_pointer = access.address != AddressIn::sum && where.in == Acc::In::sum && is_small(where.offset);
    const bool is_lowest = is_pointer && data.begin <= MOG_DATA_BASE + 4 * MOG_CB_WORDS;
    if (is_lowest) {
        const std::int64_t least = std::int64_t{data.end} - static_cast<std::int32_t>(where.offset);
        const auto known = at_least_.find(where.reg);
        if (known != at_least_.end() && known->second >= least) return;
        at_least_[where.reg] = least;
    }
    to_.cmp(base, data.end - further);
    if (is_lowest) {
        to_.jb(stop(at));
        return;
    }
    // A word at any alignment may begin before.
    const std::uint32_t spare = op(at) == Op::stu_ ? 3 : 0;
    const Label below = to_.newLabel(), done = to_.newLabel();
    to_.jb(below);
    to_.bind(done);
    later([this, base, data, further, spare, below, done, out = stop(at)] {
        to_.bind(below);
        to_.lea(scratch2, x86::ptr(base.r64(), static_cast<std::int32_t>(further - (data.begin - spare))));
        to_.cmp(scratch2, data.bytes() + spare);
        to_.jb(out);
        to_.jmp(done);
    });
}

/// Where code asks, parts of words are found by an offset of 31 bits, which leads to DATA alone.
bool FunctionCompiler::reaches_spaces(std::uint32_t at) const {
    const auto loads_part = [](Op what) { return what == Op::lwl_ || what == Op::lwr_; };
    if (links_.by_processor) return true;

    const auto stores_part = [](Op what) { return what == Op::stl_ || what == Op::str_; };
    return !loads_part(op(at)) && !stores_part(op(at));
}

/// It loads, in a program some of whose loads go where all PEs have the same.
bool FunctionCompiler::may_be_constant(std::uint32_t at) const {
    return links_.constants_bytes != 0 && (info(op(at)).writes & mog::Mem) == 0 && reaches_spaces(at);
}

/// From an offset in a space that all PEs see, in `scratch`, to that of the same place from where DATA of the PE begins; takes the other
/// scratch register.
void FunctionCompiler::to_space_from_data(const void *space) {
    to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(space));
    to_.add(scratch.r64(), scratch2.r64());
    to_.sub(scratch.r64(), memory);
}

/// Whether what is at the offset in `scratch`, from DATA's begin, is in DATA or else in the window, or among constants, and `spare` bytes
/// more; takes the other scratch register. Where no segment leads to all of them, `scratch` is what leads there from DATA's begin.
void FunctionCompiler::ask_for_spaces(std::uint32_t at, std::uint32_t shift, std::uint32_t spare) {
    struct Other {
        const void *space;
        std::uint32_t base, bytes;
    };
    std::vector<Other> others;
    if (links_.window_bytes != 0) others.push_back({links_.window, MOG_SHARED_BASE, links_.window_bytes});
    if (may_be_constant(at)) others.push_back({links_.constants, constants_base, links_.constants_bytes});
    const auto element = [this, shift](Gp from) {
        if (shift != 0) to_.rorx(scratch2, from, shift);
        else if (from != scratch2) to_.mov(scratch2, from);
    };
    const Label beyond = to_.newLabel(), done = to_.newLabel();
    element(scratch);
    to_.cmp(scratch2, (links_.data_bytes - spare) >> shift);
    to_.jae(beyond);
    to_.bind(done);
    later([this, others, element, shift, spare, beyond, done, out = stop(at)] {
        to_.bind(beyond);
        for (const Other &other : others) {
            const auto between = static_cast<std::int32_t>(MOG_DATA_BASE - other.base);
            const Label next = &other == &others.back() ? out : to_.newLabel();
            to_.lea(scratch2, x86::ptr(scratch.r64(), between));
            element(scratch2);
            to_.cmp(scratch2, (other.bytes - spare) >> shift);
            to_.jae(next);
            if (!links_.by_processor) {
                to_.lea(scratch, x86::ptr(scratch.r64(), between));
                to_space_from_data(other.space);
            }
            to_.jmp(done);
            if (&other != &others.back()) to_.bind(next);
        }
    });
}

/// Memory of the PE: at an offset in DATA; at one in `scratch`, of 32 bits; at the address in a register, of 32 bits, and a small offset.
FunctionCompiler::Mem FunctionCompiler::data_at(std::uint32_t offset) {
    if (!links_.by_processor) return x86::ptr(memory, static_cast<std::int32_t>(offset));
    const std::uint32_t address = MOG_DATA_BASE + offset;
    if (address <= 0x7fffffffu) return in_segment(x86::ptr_abs(address));
    to_.mov(scratch, address);
    return in_segment(x86::ptr(scratch.r64()));
}

FunctionCompiler::Mem FunctionCompiler::data_at_scratch() const {
    if (!links_.by_processor) return x86::ptr(memory, scratch.r64());
    return in_segment(x86::ptr(scratch.r64(), static_cast<std::int32_t>(MOG_DATA_BASE)));
}

FunctionCompiler::Mem FunctionCompiler::at_address(Gp base, std::uint32_t offset) const {
    const auto more = static_cast<std::int32_t>(offset);
    return links_.by_processor ? in_segment(x86::ptr(base.r64(), more)) : x86::ptr(memory, base.r64(), 0, minus_base + more);
}

/// lwl and lwr: a part of the word there takes the place of one of the register's.
void FunctionCompiler::load_part(std::uint32_t at, const Mem &mem, bool left) {
    const Mem word = shift_in_word(mem, left);
    to_.mov(acc, word);
    left ? to_.shlx(acc, acc, scratch) : to_.shrx(acc, acc, scratch);
    to_.mov(scratch2, -1);
    left ? to_.shlx(scratch2, scratch2, scratch) : to_.shrx(scratch2, scratch2, scratch);
    to_.not_(scratch2);
    with(
        operand(at), [&](auto old) { to_.and_(scratch2, old); }, scratch);
    to_.or_(acc, scratch2);
    acc_ = {};
}

/// stl and str: the other way round. Other threads may write the bytes beside them: a part of the word is stored byte by byte. ACC keeps
/// its value.
void FunctionCompiler::store_part(std::uint32_t at, const Mem &mem, bool left) {
    const Mem word = shift_in_word(mem, left);
    const bool keeps = acc_.in == Acc::In::acc;
    if (keeps) to_.vmovd(float_scratch, acc);
    fetch(acc, operand(at));
    const Label again = to_.newLabel(), whole = to_.newLabel(), done = to_.newLabel();
    to_.test(scratch, scratch);
    to_.jz(whole);
    if (left) {  // the register's high bytes, from the word's beginning on
        to_.shrx(acc, acc, scratch);
    } else {  // its low ones, from further on
        to_.shr(scratch, 3);
        to_.add(scratch2, scratch);
        to_.shl(scratch, 3);
    }
    Mem byte = word;
    byte.setSize(1);
    to_.bind(again);
    to_.mov(byte, acc.r8());
    to_.shr(acc, 8);
    to_.inc(scratch2);
    to_.add(scratch, 8);
    to_.cmp(scratch, 32);
    to_.jb(again);
    to_.jmp(done);
    to_.bind(whole);
    to_.mov(word, acc);
    to_.bind(done);
    if (keeps) to_.vmovd(acc, float_scratch);
}

/// An operation on a word in one step, which is a fence, too: where the word is, for ACC may be what its address is made of.
FunctionCompiler::Mem FunctionCompiler::word_for_step(const Mem &mem) {
    to_.lea(scratch.r64(), mem);  // in a segment, an address of the PE's
    if (!links_.by_processor) to_.sub(scratch.r64(), memory);
    Mem word = links_.by_processor ? at_address(scratch, 0) : x86::ptr(memory, scratch.r64());
    word.setSize(4);
    return word;
}

/// cas: the processor's own, which compares with eax, where ACC is, and has what was there.
void FunctionCompiler::compare_and_swap(std::uint32_t at, const Mem &mem) {
    static_assert(acc.id() == x86::Gp::kIdAx);
    const Mem word = word_for_step(mem);
    const std::uint32_t r = operand(at);
    fetch(acc, r);
    fetch(scratch2, r + 1);
    to_.lock().cmpxchg(word, scratch2, acc);
    acc_ = {};
}

/// reserve: ACC is what was there, D how often the processor's compare-and-swap was tried, which is counted where no flag is changed.
void FunctionCompiler::reserve(std::uint32_t at, const Mem &mem) {
    const Mem word = word_for_step(mem);
    const std::uint32_t r = operand(at);
    const Label again = to_.newLabel(), over = to_.newLabel();
    const Xmm one = float_scratch, last = float_scratch2;
    fetch(scratch2, r);
    to_.vmovd(one, scratch2);
    fetch(scratch2, r + 1);
    to_.vmovd(last, scratch2);
    to_.vpsubd(last, last, one);  // where `count` more are the most that there is room for
    to_.mov(scratch2, 1);
    to_.vmovd(one, scratch2);
    to_.vpxor(d, d, d);
    to_.mov(acc, word);
    to_.bind(again);
    to_.vmovd(scratch2, last);
    to_.sub(scratch2, acc);
    to_.js(over);
    fetch(scratch2, r);
    to_.add(scratch2, acc);
    to_.vpaddd(d, d, one);
    to_.lock().cmpxchg(word, scratch2, acc);
    to_.jne(again);
    to_.bind(over);
    acc_ = {};
    d_ = {};
}

/// amoadd and amoswap, which the processor has.
void FunctionCompiler::exchange(std::uint32_t at, const Mem &mem, bool adds) {
    Mem word = mem;
    word.setSize(4);
    fetch(scratch2, operand(at));
    if (adds) to_.lock().xadd(word, scratch2);
    else to_.xchg(word, scratch2);
    const Gp to = result(at);
    to_.mov(to, scratch2);
    is_result(to, at);
}

/// The others, which it does not have with what was there before.
void FunctionCompiler::replace(std::uint32_t at, const Mem &mem, Bits how) {
    const Mem word = word_for_step(mem);
    fetch(scratch2, operand(at));
    to_.vmovd(float_scratch, scratch2);
    to_.mov(acc, word);
    const Label again = to_.newLabel();
    to_.bind(again);
    to_.vmovd(scratch2, float_scratch);
    switch (how) {
        case Bits::and_: to_.and_(scratch2, acc); break;
        case Bits::or_: to_.or_(scratch2, acc); break;
        case Bits::xor_: to_.xor_(scratch2, acc); break;
    }
    to_.lock().cmpxchg(word, scratch2, acc);
    to_.jne(again);
    acc_ = {};
}

/// Of the byte at `mem`: its word, by `scratch2`; and in `scratch` by how many bits lwl or lwr shift that word.
FunctionCompiler::Mem FunctionCompiler::shift_in_word(const Mem &mem, bool left) {
    to_.lea(scratch.r64(), mem);  // in a segment, an address of the PE's
    if (!links_.by_processor) to_.sub(scratch.r64(), memory);
    to_.mov(scratch2, scratch);
    to_.and_(scratch2, -4);
    to_.and_(scratch, 3);
    to_.shl(scratch, 3);
    if (left) to_.xor_(scratch, 24);
    Mem word = links_.by_processor ? at_address(scratch2, 0) : x86::ptr(memory, scratch2.r64());
    word.setSize(4);
    return word;
}

}  // namespace mog
