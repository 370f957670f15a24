// kernel_source.cpp: instructions as C++ in the words of vectors.h.
#include "runtime_host/ptx/code/kernel_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "runtime_host/ptx/code/callees.hpp"
#include "runtime_host/ptx/code/kernel_facts.hpp"
#include "runtime_host/ptx/code/words.hpp"
#include "translator/ptx/uses.hpp"

namespace mog::ptx {
namespace {

using Node = Graph::Node;

// How often lanes go round loops that may wait for others before the interpreter, which has turns, goes on with them.
constexpr std::uint32_t rounds_that_wait = 1u << 14, rounds_that_hardly_wait = 1u << 26;

// Functions of more instructions or blocks than this take compilers far longer than they grow: they are parted into functions of so many,
// with what lives from one to the other in memory.
constexpr std::size_t most_in_one_piece = 1500, most_blocks_in_one_piece = 300, instructions_of_piece = 400;

/// A value as C++: what lane 0 has and how far the others are from it, or a vector. Predicates are bool, or masks.
struct Value {
    std::string text;
    bool is_vector = false;
    std::int64_t stride = 0;
    bool is_same() const { return !is_vector && stride == 0; }
};

/// What a type is called in vectors.h; empty: no words there compute with it.
std::string word_of(Type type) {
    switch (info(type).kind) {
        case TypeKind::real: return type == Type::f32 ? "f32" : type == Type::f64 ? "f64" : "";
        case TypeKind::integer: return fmt::format("s{}", bits_of(type));
        case TypeKind::bits:
        case TypeKind::natural: return bits_of(type) <= 64 ? fmt::format("u{}", bits_of(type)) : "";
        case TypeKind::packed: return bits_of(type) <= 64 ? fmt::format("u{}", bits_of(type)) : "";
        default: return "";
    }
}
/// How registers of a type are kept.
std::string kept_word(Type type) {
    if (type == Type::f32 || type == Type::f64) return word_of(type);
    return fmt::format("u{}", register_bits(type));
}
std::string natural_word(unsigned bits) { return fmt::format("u{}", bits); }

/// All units from barrier to barrier, as long as they come to the same ones, for all of the block; 1: they do not, and where each is stands
/// in Context::states.
constexpr const char *units_that_wait = R"(
static Left run_part(Context *c, const Known &k, u32 u, u32 entry, u32 mask) {{ return run_unit(c, k, u, entry, mask); }}
extern "C" Left mog_unit(Context *c, unsigned u, unsigned entry, unsigned mask) {{ return run_part(c, Known(c), u, entry, mask); }}
extern "C" unsigned mog_block(Context *c) {{
    const Known k(c);
    UnitState *const states = c->states;
    for (u32 u = 0; u < {1}u; ++u) states[u] = {{Left::barrier, 0, 0, u < {0}u ? full : {2}}};
    for (u32 entry = 0;;) {{
        bool is_other = false, is_first = true;
        u32 place = 0, next = 0;
        for (u32 u = 0; u < {1}u; ++u) {{
            UnitState &state = states[u];
            if (state.left == Left::done) continue;
            state.left = state.mask == full ? run_unit(c, k, u, entry, full) : run_part(c, k, u, entry, state.mask);
            if (state.left == Left::done) continue;
            if (state.left == Left::interpreter) {{
                is_other = true;
                continue;
            }}
            is_other |= state.left == Left::counted;
            state.instruction = c->instruction;
            state.entry = c->entry;
            state.mask = c->mask;
            if (is_first) {{
                is_first = false;
                place = c->instruction;
                next = c->entry;
            }} else if (c->instruction != place) {{
                is_other = true;
            }}
        }}
        if (is_other) return 1;
        if (is_first) return 0;
        entry = next;
    }}
}}
)";

/// What lanes of a warp do together, and of a block.
bool is_of_warp(Action action) {
    switch (action) {
        case Action::shuffle:
        case Action::ballot:
        case Action::vote:
        case Action::activemask:
        case Action::warp_barrier:
        case Action::match_any:
        case Action::match_all:
        case Action::redux:
        case Action::elect: return true;
        default: return false;
    }
}
bool is_of_block(Action action) {
    switch (action) {
        case Action::barrier:
        case Action::barrier_arrive:
        case Action::barrier_vote:
        case Action::barrier_count:
        case Action::cluster_barrier: return true;
        default: return false;
    }
}
bool is_joint(Action action) { return is_of_warp(action) || is_of_block(action); }

/// A kernel, or a function that is called, as C++.
struct Written {
    std::string text;
    std::set<std::uint32_t> variables;                                   ///< of the module
    std::map<std::string, std::pair<std::uint32_t, std::string>> given;  ///< of the kernel: names, offsets and types of parameters
    std::set<std::uint32_t> called;                                      ///< functions
    bool waits = false, has_saved = false;
};

/// The functions that a source has for one of PTX are in a namespace.
std::string namespace_of(std::uint32_t function) { return fmt::format("f{}", function); }

/// How far variables of lanes are apart that compiled code holds: those of one element are rows.
std::uint32_t held_stride(const Variable &variable) {
    const std::uint64_t size = variable.size;
    return static_cast<std::uint32_t>(size == 1 || size == 2 || size == 4 ? size : std::max<std::uint64_t>((size + 7) / 8 * 8, 8));
}

class Writer {
public:
    Writer(const Program &program, std::uint32_t number, const FunctionPlaces &places, const KernelShape &shape, std::uint32_t lanes,
           const Callees &callees)
        : program_(program),
          function_(program.functions[number]),
          number_(number),
          places_(places),
          shape_(shape),
          lanes_(lanes),
          callees_(callees),
          facts_(program, function_, shape, lanes, callees.waits()) {}

    const KernelFacts &facts() const { return facts_; }
    std::uint32_t lanes() const { return lanes_; }
    Result<Written> run() {
        if (!facts_.why_not().empty()) return Error{facts_.why_not()};
        const auto &order = facts_.order();
        plan_pieces();
        for (at_order_ = 0; at_order_ < order.size(); ++at_order_) {
            block_ = order[at_order_];
            if (is_parted() && (at_order_ == 0 || piece_of_[at_order_] != piece_)) begin_piece(piece_of_[at_order_]);
            write_block();
            if (!why_not_.empty()) return Error{why_not_};
        }
        write_end();
        Written result;
        result.text = whole();
        result.waits = entries_ != 0;
        result.has_saved = is_parted() || !saved_.empty() || has_held() || has_carries();
        result.variables = std::move(variables_);
        result.given = std::move(given_);
        result.called = std::move(called_);
        return result;
    }

private:
    bool is_function() const { return !function_.is_entry; }
    bool has_carries() const { return places_.carry != FunctionPlaces::none; }

    // --- Text ---

    template <typename... Args>
    void put(fmt::format_string<Args...> format, Args &&...args) {
        body_ += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
    }
    std::string fresh() { return fmt::format("t{}", ++temporaries_); }

    /// A register that this piece of the kernel has no copy of is where pieces keep what lives from one to the other.
    std::string reg(std::uint32_t index) const {
        return fmt::format("{}r{}", is_parted() && !pieces_[piece_].uses[index] ? "s->" : "", index);
    }
    Type type_of(std::uint32_t index) const { return function_.registers[index]; }
    bool is_scalar(std::uint32_t index) const { return facts_.kept(index).is_scalar; }

    // --- Operands ---

    /// Nothing here does it: the interpreter will.
    Value slow() {
        is_slow_ = true;
        return {"0"};
    }

    /// A register as it is kept.
    Value own(std::uint32_t index) const { return {reg(index), !is_scalar(index), facts_.kept(index).stride}; }

    std::string vector(const Value &value, const std::string &word) const {
        if (value.is_vector) return value.text;
        if (value.stride == 0) return fmt::format("splat<{0}>({0}({1}))", word, value.text);
        return fmt::format("line<{0}>({0}({1}), {2})", word, value.text, value.stride);
    }
    /// A line of numbers is none of floats.
    Value same_bits(Value value, const std::string &from, const std::string &to) const {
        if (to[0] == 'f' && !value.is_same()) value = {vector(value, from), true};
        value.text = fmt::format("as<{}>({})", to, value.text);
        return value;
    }
    /// The bits of a register as of another type, which may be narrower; or wider, with zeros or the sign above.
    Value in_type(const Value &value, Type has, Type wanted) {
        const std::string from = kept_word(has), to = word_of(wanted);
        if (to.empty()) return slow();
        const unsigned has_bits = register_bits(has), wanted_bits = bits_of(wanted);
        if (from == to) return value;
        if (has_bits == wanted_bits) return same_bits(value, from, to);
        Value bits = value;
        if (from[0] == 'f') bits.text = fmt::format("as<{}>({})", natural_word(has_bits), value.text);
        const bool keeps_sign = has_sign(wanted) && has_sign(has);
        if (wanted_bits > has_bits) {
            if (!bits.is_same()) bits = {vector(bits, natural_word(has_bits)), true};
            if (keeps_sign) bits.text = fmt::format("as<s{}>({})", has_bits, bits.text);
        }
        const std::string middle = natural_word(wanted_bits);
        bits.text = fmt::format("to<{}>({})", middle, bits.text);
        if (middle != to) bits.text = fmt::format("as<{}>({})", to, bits.text);
        return bits;
    }

    std::string number(const Operand &operand, Type type) {
        const std::uint64_t bits = number_as(operand, type);
        const std::string word = word_of(type);
        if (type == Type::f32) return fmt::format("as<f32>({}u)", static_cast<std::uint32_t>(bits));
        if (type == Type::f64) return fmt::format("as<f64>({}ull)", bits);
        return fmt::format("{}({}ull)", word, bits);
    }

    Value special(Special which, Type type) {
        const std::string first = fmt::format("(u * {}u)", lanes_);
        const std::uint32_t x = shape_.x, y = shape_.y;
        std::string text, of_thread;
        switch (which) {
            case Special::tid_x: of_thread = fmt::format("% {}u", x); break;
            case Special::tid_y: of_thread = fmt::format("/ {}u % {}u", x, y); break;
            case Special::tid_z: of_thread = fmt::format("/ {}u", x * y); break;
            case Special::laneid: of_thread = "% 32u"; break;
            case Special::ntid_x: text = fmt::format("{}u", x); break;
            case Special::ntid_y: text = fmt::format("{}u", y); break;
            case Special::ntid_z: text = fmt::format("{}u", shape_.z); break;
            case Special::ctaid_x: text = "k.block[0]"; break;
            case Special::ctaid_y: text = "k.block[1]"; break;
            case Special::ctaid_z: text = "k.block[2]"; break;
            case Special::nctaid_x: text = "k.grid[0]"; break;
            case Special::nctaid_y: text = "k.grid[1]"; break;
            case Special::nctaid_z: text = "k.grid[2]"; break;
            case Special::warpid: text = first + " / 32u"; break;
            case Special::nwarpid: text = fmt::format("{}u", (x * y * shape_.z + warp_size - 1) / warp_size); break;
            case Special::dynamic_smem_size: text = "c->dynamic_shared_bytes"; break;
            case Special::lanemask_eq: return by_lane_of_warp("1u << {}", first, type);
            case Special::lanemask_lt: return by_lane_of_warp("(1u << {}) - 1", first, type);
            case Special::lanemask_le: return by_lane_of_warp("(2u << {}) - 1", first, type);
            case Special::lanemask_gt: return by_lane_of_warp("~((2u << {}) - 1)", first, type);
            case Special::lanemask_ge: return by_lane_of_warp("~((1u << {}) - 1)", first, type);
            default: return slow();
        }
        Value value{text};
        if (!of_thread.empty()) {
            divergence::ThreadShape shape{shape_.x, shape_.y, shape_.z, lanes_, false};
            const auto fact = shape.fact_of(which == Special::tid_x   ? divergence::Special::tid_x
                                            : which == Special::tid_y ? divergence::Special::tid_y
                                            : which == Special::tid_z ? divergence::Special::tid_z
                                                                      : divergence::Special::lane);
            value.text = fmt::format("({} {})", first, of_thread);
            if (lanes_ == 1) {
                value.stride = 0;
            } else if (shape_.has_facts && fact.a[1].is_known()) {
                value.stride = fact.a[1].number;
            } else {
                value = {fmt::format("by_lane<u32>([&](unsigned lane) {{ return ({} + lane) {}; }})", first, of_thread), true};
            }
        }
        return in_type(value, Type::u32, type);
    }

    /// What `expression` says of each lane's number in its warp, {}; `first`: the number of lane 0 in its block.
    Value by_lane_of_warp(std::string_view expression, const std::string &first, Type type) {
        const auto of = [&](const std::string &lane) {
            return fmt::format(fmt::runtime(expression), fmt::format("(({} + {}) % {}u)", first, lane, warp_size));
        };
        if (lanes_ == 1) return in_type({fmt::format("({})", of("0u"))}, Type::u32, type);
        return in_type({fmt::format("by_lane<u32>([&](unsigned lane) {{ return u32({}); }})", of("lane")), true}, Type::u32, type);
    }

    /// An operand as a value of a type.
    Value read(const Operand &operand, Type type) {
        if (type == Type::pred) return predicate(operand);
        const std::string word = word_of(type);
        if (word.empty()) return slow();
        switch (operand.kind) {
            case Operand::Kind::reg:
                if (type_of(operand.index) == Type::pred || register_bits(type_of(operand.index)) > 64) return slow();
                return in_type(own(operand.index), type_of(operand.index), type);
            case Operand::Kind::integer:
            case Operand::Kind::single:
            case Operand::Kind::real: return {number(operand, type)};
            case Operand::Kind::special:
                if (info(static_cast<Special>(operand.index)).is_anew) return slow();
                return special(static_cast<Special>(operand.index), type);
            case Operand::Kind::module_variable:
                if (bits_of(type) < 32) return slow();
                return {fmt::format("{}(k.variable{} + {}ull)", word, variable(operand.index), static_cast<std::uint64_t>(operand.value))};
            case Operand::Kind::function:
                if (bits_of(type) != 64) return slow();
                return {fmt::format("{}(c->functions[{}])", word, operand.index)};
            case Operand::Kind::own_variable: {
                if (places_.local[operand.index] == FunctionPlaces::none) return slow();
                const std::uint64_t offset = places_.local[operand.index] + static_cast<std::uint64_t>(operand.value);
                return {fmt::format("{}({}ull + {})", word, offset, local_begin())};
            }
            default: return slow();
        }
    }

    Value predicate(const Operand &operand) {
        if (operand.kind == Operand::Kind::integer) return {operand.value != 0 ? "true" : "false"};
        if (operand.kind != Operand::Kind::reg || type_of(operand.index) != Type::pred) return slow();
        Value value = own(operand.index);
        if (operand.is_negated) value.text = fmt::format("negation({})", value.text);
        return value;
    }
    static std::string mask(const Value &value) { return value.is_vector ? value.text : fmt::format("({} ? full : 0u)", value.text); }

    std::uint32_t variable(std::uint32_t index) {
        variables_.insert(index);
        return index;
    }
    // --- What functions are given and give ---

    bool is_held(std::uint32_t at) const { return places_.held[at] != FunctionPlaces::none; }
    bool has_held() const {
        return std::ranges::any_of(places_.held, [](std::uint32_t place) { return place != FunctionPlaces::none; });
    }
    bool is_formal(std::uint32_t at) const {
        const auto is_it = [&](const Formal &one) { return !one.is_register && one.index == at; };
        return is_function() && (std::ranges::any_of(function_.returns, is_it) || std::ranges::any_of(function_.parameters, is_it));
    }
    std::string held(std::uint32_t at) const { return fmt::format("s->{}v{}", is_formal(at) ? "given->" : "", at); }
    std::string held_declared(const Function &function, std::uint32_t at) const {
        return fmt::format("    alignas(64) u8 v{}[{}];\n", at, held_stride(function.variables[at]) * lanes_);
    }
    /// The memory of .local of a thread in which this function has its own begins here.
    std::string local_begin() const { return is_function() ? "s->local_begin" : "0u"; }
    /// The interpreter's frame, and for its functions who that is.
    std::string frame() const {
        if (!is_function()) return "c->frame(c, u)";
        return fmt::format("c->bytes_of(own_frame(c, u, s->own, {}u, s->local_begin, s->depth))", number_);
    }
    std::string frame_handle() const { return is_function() ? "s->own" : "nullptr"; }

    std::string given(std::uint32_t offset, const std::string &word) {
        const std::string name = fmt::format("given_{}_{}", offset, word);
        given_[name] = {offset, word};
        return "k." + name;
    }

    // --- Results ---

    /// Gives a register a value of the type that it is kept in.
    void set(std::uint32_t index, const Value &value, const std::string &mask_text = "m") {
        const std::string word = kept_word(type_of(index));
        if (is_scalar(index)) {
            if (value.is_vector) {
                put("{} = base_of<{}>({}, {}, m);", reg(index), word, value.text, facts_.kept(index).stride);
            } else {
                put("{} = {}({});", reg(index), word, value.text);
            }
            return;
        }
        const bool is_part = mask_text != "m" || facts_.is_wanted_elsewhere(block_, index);
        if (is_part) {
            put("{0} = choose({1}, {2}, {0});", reg(index), mask_text, vector(value, word));
        } else {
            put("{} = {};", reg(index), vector(value, word));
        }
    }
    void set_predicate(std::uint32_t index, const Value &value, const std::string &mask_text = "m") {
        if (is_scalar(index)) {
            if (value.is_vector) put("{} = ({} & m) != 0;", reg(index), value.text);
            else put("{} = {};", reg(index), value.text);
            return;
        }
        const bool is_part = mask_text != "m" || facts_.is_wanted_elsewhere(block_, index);
        if (is_part) put("{0} = ({0} & ~{1}) | ({2} & {1});", reg(index), mask_text, mask(value));
        else put("{} = {};", reg(index), mask(value));
    }
    /// The same of a value of another type, which may be narrower than the register.
    void give(const Operand &to, const Value &value, Type type) {
        if (to.kind != Operand::Kind::reg) return;
        const Type has = type_of(to.index);
        if (has == Type::pred) {
            is_slow_ = true;
            return;
        }
        const std::string word = kept_word(has), from = word_of(type);
        const unsigned has_bits = register_bits(has), bits = bits_of(type);
        Value result = value;
        if (word != from) {
            if (has_bits == bits) {
                result = same_bits(result, from, word);
            } else if (has_bits > bits && from[0] != 'f') {
                if (!result.is_same()) result = {vector(result, from), true};
                result.text = fmt::format("to<{}{}>({})", has_sign(type) ? 's' : 'u', has_bits, result.text);
                result.text = fmt::format("as<{}>({})", word, result.text);
            } else {
                is_slow_ = true;
            }
        }
        if (is_slow_) return;
        set(to.index, result, instruction_mask_);
    }
    bool goes_to_scalar(const Operand &to) const { return to.kind == Operand::Kind::reg && is_scalar(to.index); }

    // --- Instructions ---

    /// The row of ptx.def in words of vectors.h.
    struct Row {
        std::string_view word;
        unsigned operands = 2;
        bool is_float = false;
        unsigned counts = 0;  ///< operands, by bits, that words take as numbers where they are the same in all lanes
    };
    static const Row *row_of(Form form) {
        static const std::map<Form, Row> rows = {
            {Form::add, {"op_add"}},
            {Form::sub, {"op_sub"}},
            {Form::mul_lo, {"op_mul_lo"}},
            {Form::mul_hi, {"op_mul_hi"}},
            {Form::mul_wide, {"op_mul_wide"}},
            {Form::mad_lo, {"op_mad_lo", 3}},
            {Form::mad_hi, {"op_mad_hi", 3}},
            {Form::mad_wide, {"op_mad_wide", 3}},
            {Form::div, {"op_div"}},
            {Form::rem, {"op_rem"}},
            {Form::abs, {"op_abs", 1}},
            {Form::neg, {"op_neg", 1}},
            {Form::min, {"op_min"}},
            {Form::max, {"op_max"}},
            {Form::popc, {"op_popc", 1}},
            {Form::clz, {"op_clz", 1}},
            {Form::and_, {"op_and_"}},
            {Form::or_, {"op_or_"}},
            {Form::xor_, {"op_xor_"}},
            {Form::not_, {"op_not_", 1}},
            {Form::shl, {"op_shl", 2, false, 2}},
            {Form::shr, {"op_shr", 2, false, 2}},
            {Form::shr_bits, {"op_shr", 2, false, 2}},
            {Form::add_sat, {"op_add_sat"}},
            {Form::sub_sat, {"op_sub_sat"}},
            {Form::mad_hi_sat, {"op_mad_hi_sat", 3}},
            {Form::mul24_lo, {"op_mul24_lo"}},
            {Form::mul24_hi, {"op_mul24_hi"}},
            {Form::mad24_lo, {"op_mad24_lo", 3}},
            {Form::mad24_hi, {"op_mad24_hi", 3}},
            {Form::sad, {"op_sad", 3}},
            {Form::add_pair, {"op_add_pair"}},
            {Form::min_pair, {"op_min_pair"}},
            {Form::max_pair, {"op_max_pair"}},
            {Form::min_relu, {"op_min_relu"}},
            {Form::max_relu, {"op_max_relu"}},
            {Form::bfind, {"op_bfind", 1}},
            {Form::bfind_shift, {"op_bfind_shift", 1}},
            {Form::brev, {"op_brev", 1}},
            {Form::bfe, {"op_bfe", 3, false, 6}},
            {Form::bfi, {"op_bfi", 4, false, 12}},
            {Form::cnot, {"op_cnot", 1}},
            {Form::lop3, {"op_lop3", 4, false, 8}},
            {Form::shf_l, {"op_shf_l", 3, false, 4}},
            {Form::shf_r, {"op_shf_r", 3, false, 4}},
            {Form::prmt, {"op_prmt", 3, false, 4}},
            {Form::dp4a, {"op_dp4a", 3}},
            {Form::dp2a, {"op_dp2a", 3}},
            {Form::bmsk, {"op_bmsk", 2}},
            {Form::szext, {"op_szext", 2}},
            {Form::slct, {"op_slct", 3}},
            {Form::slct_f, {"op_slct", 3, true}},
            {Form::copysign, {"op_copysign", 2}},
            {Form::selp, {"op_selp", 3}},
            {Form::add_f, {"op_add_f", 2, true}},
            {Form::sub_f, {"op_sub_f", 2, true}},
            {Form::mul_f, {"op_mul_f", 2, true}},
            {Form::fma_f, {"op_fma_f", 3, true}},
            {Form::mad_f, {"op_fma_f", 3, true}},
            {Form::div_f, {"op_div_f", 2, true}},
            {Form::div_approx, {"op_div_f", 2, true}},
            {Form::div_full, {"op_div_f", 2, true}},
            {Form::div_plain, {"op_div_f", 2, true}},
            {Form::rcp, {"op_rcp", 1, true}},
            {Form::rcp_approx, {"op_rcp", 1, true}},
            {Form::sqrt_f, {"op_sqrt_f", 1, true}},
            {Form::sqrt_approx, {"op_sqrt_f", 1, true}},
            {Form::rsqrt_approx, {"op_rsqrt", 1, true}},
            {Form::sin, {"op_sin", 1, true}},
            {Form::cos, {"op_cos", 1, true}},
            {Form::lg2, {"op_lg2", 1, true}},
            {Form::ex2, {"op_ex2", 1, true}},
            {Form::tanh, {"op_tanh", 1, true}},
            {Form::testp, {"op_testp", 1}},
            {Form::abs_f, {"op_abs_f", 1, true}},
            {Form::neg_f, {"op_neg_f", 1, true}},
            {Form::min_f, {"op_min_f", 2, true}},
            {Form::max_f, {"op_max_f", 2, true}},
        };
        const auto found = rows.find(form);
        return found == rows.end() ? nullptr : &found->second;
    }
    /// What a word has to know when it is compiled. Nothing: there is no word for these modes.
    std::optional<std::string> modes_of_word(const Opcode &opcode, std::span<const Operand> operands) const {
        const auto yes = [](bool holds) { return holds ? "true" : "false"; };
        switch (opcode.form) {
            case Form::shf_l:
            case Form::shf_r: return fmt::format("<{}>", yes(opcode.has(Word::wrap)));
            case Form::dp4a: return fmt::format("<{}, {}>", yes(has_sign(opcode.type)), yes(has_sign(opcode.second)));
            case Form::dp2a:
                return fmt::format("<{}, {}, {}>", yes(has_sign(opcode.type)), yes(has_sign(opcode.second)), yes(opcode.has(Word::hi)));
            case Form::prmt: return opcode.mode == Word::none ? "" : fmt::format("_{}", text_of(opcode.mode));
            case Form::bmsk:
            case Form::szext: return fmt::format("<{}>", yes(opcode.has(Word::wrap)));
            case Form::lop3:
                if (operands[4].kind != Operand::Kind::integer) return std::nullopt;
                return fmt::format("<{}>", operands[4].value & 0xff);
            case Form::add_pair:
            case Form::min_pair:
            case Form::max_pair: return opcode.type == Type::s16x2 ? "<s16>" : "<u16>";
            case Form::testp: return fmt::format("<{}>", text_of(opcode.mode));
            case Form::min_f:
            case Form::max_f: return fmt::format("<{}>", choice_modes(opcode));
            default:
                return opcode.form != Form::slct_f && !rounding_of(opcode.round).empty() ? fmt::format("<{}>", rounding_of(opcode.round))
                                                                                         : "";
        }
    }
    /// Of min and max: whether .NaN and .xorsign are said.
    static std::string choice_modes(const Opcode &opcode) {
        return fmt::format("{}, {}", opcode.has(Word::nan), opcode.has(Word::xorsign));
    }
    /// Empty: to the nearest.
    static std::string_view rounding_of(Word round) {
        return round == Word::rz ? "cut" : round == Word::rm ? "downwards" : round == Word::rp ? "upwards" : "";
    }
    static Type twice(Type type) {
        switch (type) {
            case Type::u16: return Type::u32;
            case Type::s16: return Type::s32;
            case Type::u32: return Type::u64;
            default: return Type::s64;
        }
    }
    Type operand_type(const OperandSpec &spec, const Opcode &opcode) const {
        const Type type = spec.of_first ? opcode.type : spec.of_second ? opcode.second : spec.type;
        return spec.is_twice ? twice(type) : type;
    }

    void on_lanes(const Opcode &opcode, std::span<const Operand> operands) {
        const FormInfo &form = info(opcode.form);
        if (opcode.form == Form::and_pred || opcode.form == Form::or_pred || opcode.form == Form::xor_pred || opcode.form == Form::not_pred)
            return on_predicates(opcode, operands);
        if (on_halves(opcode, operands)) return;
        const Row *const row = row_of(opcode.form);
        if (row == nullptr || operands.size() != row->operands + 1) return void(slow());
        const std::optional<std::string> modes = modes_of_word(opcode, operands);
        if (!modes) return void(slow());
        const bool is_clamped = row->is_float && opcode.has(Word::sat);
        const bool is_flushed = row->is_float && opcode.has(Word::ftz);
        std::vector<Value> values;
        std::vector<Type> types;
        bool all_same = true, all_scalar = true;
        for (std::size_t at = 1; at < operands.size(); ++at) {
            types.push_back(operand_type(form.operands[at], opcode));
            values.push_back(read(operands[at], types.back()));
            all_same &= values.back().is_same();
            all_scalar &= !values.back().is_vector;
        }
        if (is_slow_) return;
        const bool is_scalar_result = all_same || (all_scalar && goes_to_scalar(operands[0]));
        std::vector<std::string> texts;
        bool are_numbers = row->counts != 0;
        for (std::size_t at = 0; at < values.size(); ++at)
            if ((row->counts >> at & 1) != 0) are_numbers = are_numbers && values[at].is_same();
        for (std::size_t at = 0; at < values.size(); ++at) {
            std::string text = values[at].text;
            if (is_scalar_result) {
                // What is widened is a line of more bits: its beginning is that of what its lanes have.
                if (const std::int64_t stride = values[at].stride; stride != 0 && info(opcode.form).operands[0].is_twice && at < 2) {
                    const bool has_sign_of = has_sign(types[at]);
                    text = fmt::format("{}64(widened_{}({}, {}, m))", has_sign_of ? "s" : "u", has_sign_of ? "signed" : "unsigned", text,
                                       stride);
                    if (bits_of(types[at]) != 32) return void(slow());
                    is_widened_ = true;
                }
            } else if (types[at] == Type::pred) {
                text = mask(values[at]);
            } else if (!are_numbers || (row->counts >> at & 1) == 0) {
                text = vector(values[at], word_of(types[at]));
            }
            // Of slct, .ftz is of what is asked, not of what is given.
            if (is_flushed && (opcode.form != Form::slct_f || at == 2)) text = fmt::format("flushed({})", text);
            texts.push_back(std::move(text));
        }
        const Type result = operand_type(form.operands[0], opcode);
        std::string text;
        if (is_widened_) {
            const std::string word = word_of(result);
            for (std::size_t at = 0; at < 2; ++at) texts[at] = fmt::format("{}({})", word, texts[at]);
            text = fmt::format("op_mul_lo({}, {})", texts[0], texts[1]);
            if (opcode.form == Form::mad_wide) text = fmt::format("op_add({}, {})", text, texts[2]);
            is_widened_ = false;
        } else {
            text = fmt::format("{}{}({})", row->word, *modes, fmt::join(texts, ", "));
        }
        if (is_flushed && opcode.form != Form::slct_f) text = fmt::format("flushed({})", text);
        if (is_clamped) text = fmt::format("clamped({})", text);
        if (result == Type::pred) {
            if (operands[0].kind == Operand::Kind::reg) set_predicate(operands[0].index, {text, !is_scalar_result}, instruction_mask_);
            return;
        }
        give(operands[0], {text, !is_scalar_result, 0}, result);
    }

    /// Whether there are words for numbers of 16 bits: for brains, or for halves, which some processors convert.
    bool has_halves(bool is_brain) const { return (is_brain || shape_.simd == Simd::avx2 || shape_.simd == Simd::avx512) && lanes_ >= 8; }
    /// Rows of floats of 16 bits that have words. False: it is none of them.
    bool on_halves(const Opcode &opcode, std::span<const Operand> operands) {
        static const std::map<Form, std::string_view> words = {{Form::add_h, "add"}, {Form::sub_h, "sub"}, {Form::mul_h, "mul"},
                                                               {Form::fma_h, "fma"}, {Form::neg_h, "neg"}, {Form::abs_h, "abs"},
                                                               {Form::min_h, "min"}, {Form::max_h, "max"}};
        const auto found = words.find(opcode.form);
        const bool is_brain = opcode.type == Type::bf16 || opcode.type == Type::bf16x2;
        const Type bits = opcode.type == Type::f16 || opcode.type == Type::bf16       ? Type::b16
                          : opcode.type == Type::f16x2 || opcode.type == Type::bf16x2 ? Type::b32
                                                                                      : Type::none;
        if (found == words.end() || bits == Type::none || !has_halves(is_brain)) return false;
        // What concerns the sign alone is the same for both.
        const bool is_of_sign = opcode.form == Form::neg_h || opcode.form == Form::abs_h,
                   is_choice = opcode.form == Form::min_h || opcode.form == Form::max_h, is_flushed = opcode.has(Word::ftz) && !is_brain;
        std::string text;
        for (const Operand &operand : operands.subspan(1)) {
            const Value value = read(operand, bits);
            if (is_slow_) return true;
            const std::string one = vector(value, word_of(bits));
            text += (text.empty() ? "" : ", ") + (is_of_sign && is_flushed ? fmt::format("flushed_halves({})", one) : one);
        }
        std::string modes;
        if (!is_of_sign)
            modes = fmt::format("<{}{}>", (is_flushed ? 1 : 0) + (opcode.has(Word::sat) ? 2 : 0) + (opcode.has(Word::relu) ? 4 : 0),
                                is_choice ? ", " + choice_modes(opcode) : "");
        give(operands[0], {fmt::format("{}_{}{}({})", is_brain && !is_of_sign ? "b" : "h", found->second, modes, text), true}, bits);
        return true;
    }
    static bool is_of_16_bits(Type type) { return type == Type::f16 || type == Type::bf16; }
    /// A number of 16 bits as a float, of an operand.
    Value as_float(const Operand &operand, Type type) {
        const Value bits = read(operand, Type::b16);
        const bool is_brain = type == Type::bf16;
        if (!has_halves(is_brain)) slow();
        return {fmt::format("from_{}({})", is_brain ? "brain" : "half", vector(bits, "u16")), true};
    }

    void on_predicates(const Opcode &opcode, std::span<const Operand> operands) {
        if (operands[0].kind != Operand::Kind::reg) return void(slow());
        const Value a = predicate(operands[1]), b = operands.size() > 2 ? predicate(operands[2]) : a;
        if (is_slow_) return;
        set_predicate(operands[0].index, combined(opcode.form, a, b), instruction_mask_);
    }
    static Value combined(Form form, const Value &a, const Value &b) {
        if (form == Form::not_pred) return {fmt::format("negation({})", a.text), a.is_vector};
        const char op = form == Form::and_pred ? '&' : form == Form::or_pred ? '|' : '^';
        if (a.is_vector || b.is_vector) return {fmt::format("({} {} {})", mask(a), op, mask(b)), true};
        return {fmt::format("bool({} {} {})", a.text, op, b.text)};
    }

    static std::string_view comparison_of(Word word, bool is_float) {
        switch (word) {
            case Word::eq: return "is_eq";
            case Word::ne: return is_float ? "is_ne_ordered" : "is_ne";
            case Word::lt:
            case Word::lo: return "is_lt";
            case Word::le:
            case Word::ls: return "is_le";
            case Word::gt:
            case Word::hi: return "is_gt";
            case Word::ge:
            case Word::hs: return "is_ge";
            case Word::equ: return "is_equ";
            case Word::neu: return "is_ne";
            case Word::ltu: return "is_ltu";
            case Word::leu: return "is_leu";
            case Word::gtu: return "is_gtu";
            case Word::geu: return "is_geu";
            case Word::num: return "is_ordered";
            case Word::is_nan: return "is_unordered";
            default: return "";
        }
    }

    static Form form_of(Word combine) {
        return combine == Word::and_ ? Form::and_pred : combine == Word::or_ ? Form::or_pred : Form::xor_pred;
    }
    void compare(const Opcode &opcode, std::span<const Operand> operands) {
        const bool is_set = opcode.action() == Action::set, is_pair = info(opcode.type).kind == TypeKind::packed,
                   is_float = is_pair || is_real(opcode.type);
        const bool is_half = is_pair || is_of_16_bits(opcode.type), is_brain = opcode.type == Type::bf16 || opcode.type == Type::bf16x2;
        const std::string_view word = comparison_of(opcode.compare, is_float);
        const unsigned result_bits = is_set ? bits_of(opcode.second) : 0;
        if ((!is_half && (word_of(opcode.type).empty() || bits_of(opcode.type) < 16)) || word.empty() ||
            (is_half && !has_halves(is_brain)) || (is_set && (result_bits == 64 || (is_pair && result_bits != 32))))
            return void(slow());
        // Numbers of 16 bits are compared as floats; pairs, one after the other.
        const Type bits = is_pair ? Type::b32 : is_half ? Type::b16 : opcode.type;
        const Value a = read(operands[1], bits), b = read(operands[2], bits);
        Value with;
        if (operands.size() > 3) with = predicate(operands[3]);
        if (is_slow_) return;
        std::array<Operand, 2> to;
        if (operands[0].kind == Operand::Kind::pair) {
            std::ranges::copy(function_.elements_of(operands[0]), to.begin());
        } else {
            to[0] = operands[0];
        }
        bool to_scalars = true;
        for (const Operand &one : to)
            if (one.kind == Operand::Kind::reg) to_scalars &= is_scalar(one.index) && !is_set;
        const bool are_vectors = is_half || a.is_vector || b.is_vector || ((a.stride != 0 || b.stride != 0) && !to_scalars),
                   is_flushed = opcode.has(Word::ftz);
        const auto compared = [&](const char *half) {
            const auto one = [&](const Value &value) {
                std::string text = are_vectors ? vector(value, word_of(bits)) : value.text;
                if (is_pair) text = fmt::format("{}({})", half, text);
                if (is_half && is_flushed && !is_brain) text = fmt::format("flushed_halves({})", text);
                if (is_half) return fmt::format("from_{}({})", is_brain ? "brain" : "half", text);
                return is_float && is_flushed ? fmt::format("flushed({})", text) : text;
            };
            const std::string name = fresh();
            put("const auto {} = {}({}, {});", name, word, one(a), one(b));
            return Value{name, are_vectors};
        };
        const Value asked = compared("low_half"),
                    other = is_pair ? compared("high_half") : Value{fmt::format("negation({})", asked.text), are_vectors};
        // All that is read is read before a predicate is written, which may be it.
        if (operands.size() > 3 && with.is_vector) {
            const std::string kept = fresh();
            put("const auto {} = {};", kept, with.text);
            with.text = kept;
        }
        const auto combined_with = [&](const Value &answer) {
            return operands.size() > 3 ? combined(form_of(opcode.combine), answer, with) : answer;
        };
        if (is_set) {
            // All bits, or 1 as a float; of pairs in each half.
            const auto chosen = [&](const Value &answer, std::uint64_t yes) {
                const std::string_view kept = result_bits == 16 ? "u16" : "u32";
                const Value all = combined_with(answer);
                return all.is_vector ? Value{fmt::format("choose({0}, splat<{1}>({2}u), splat<{1}>(0))", all.text, kept, yes), true}
                                     : Value{fmt::format("({} ? {}({}u) : {}(0))", all.text, kept, yes, kept)};
            };
            const Type second = opcode.second;
            const std::uint32_t yes = second == Type::f32                              ? 0x3f800000
                                      : second == Type::f16 || second == Type::f16x2   ? 0x3c00
                                      : second == Type::bf16 || second == Type::bf16x2 ? 0x3f80
                                      : is_pair || result_bits == 16                   ? 0xffff
                                                                                       : 0xffffffff;
            Value value = chosen(asked, yes);
            if (is_pair) value.text = fmt::format("op_or_({}, {})", value.text, chosen(other, std::uint64_t{yes} << 16).text);
            give(operands[0], value, result_bits == 16 ? Type::b16 : Type::b32);
            return;
        }
        for (std::size_t at = 0; at < 2; ++at)
            if (to[at].kind == Operand::Kind::reg) set_predicate(to[at].index, combined_with(at == 0 ? asked : other), instruction_mask_);
    }

    void move(const Opcode &opcode, std::span<const Operand> operands) {
        if (operands[0].kind == Operand::Kind::sink) return;
        if (operands[0].kind == Operand::Kind::list || operands[1].kind == Operand::Kind::list) return move_parts(opcode, operands);
        if (operands[0].kind != Operand::Kind::reg) return void(slow());
        if (opcode.type == Type::pred) {
            const Value value = predicate(operands[1]);
            if (!is_slow_) set_predicate(operands[0].index, value, instruction_mask_);
            return;
        }
        const Value value = read(operands[1], opcode.type);
        if (!is_slow_) give(operands[0], value, opcode.type);
    }

    /// A register of several, or several of one.
    void move_parts(const Opcode &opcode, std::span<const Operand> operands) {
        const bool is_taken_apart = operands[0].kind == Operand::Kind::list;
        const unsigned bits = bits_of(opcode.type);
        if (bits > 64 || (is_taken_apart && operands[1].kind == Operand::Kind::list)) return void(slow());
        const std::string whole_word = natural_word(bits);
        const Type whole_type = bits == 64 ? Type::b64 : Type::b32;
        if (bits != 64 && bits != 32) return void(slow());
        const auto part_type = [&](const Operand &list, const Operand &element) {
            const unsigned part = element.kind == Operand::Kind::reg ? register_bits(type_of(element.index)) : bits / list.count;
            return part == 16 ? Type::b16 : part == 32 ? Type::b32 : Type::none;
        };
        const auto by = [&](const std::string &text, const char *word, unsigned count) {
            return count == 0 ? text : fmt::format("{}({}, {}u)", word, text, count);
        };
        if (is_taken_apart) {
            const Value value = read(operands[1], whole_type);
            if (is_slow_) return;
            const bool is_same = value.is_same();
            // A part may be the register itself.
            const std::string kept = fresh();
            put("const {} {} = {};", is_same ? whole_word : fmt::format("V<{}>", whole_word), kept,
                is_same ? value.text : vector(value, whole_word));
            unsigned at = 0;
            for (const Operand &element : function_.elements_of(operands[0])) {
                const Type type = part_type(operands[0], element);
                if (type == Type::none) return void(slow());
                if (element.kind == Operand::Kind::reg)
                    give(element, {fmt::format("to<{}>({})", word_of(type), by(kept, "op_shr", at)), !is_same}, type);
                at += bits_of(type);
            }
            return;
        }
        std::vector<std::pair<Value, Type>> parts;
        bool is_same = true;
        for (const Operand &element : function_.elements_of(operands[1])) {
            const Type type = part_type(operands[1], element);
            if (type == Type::none) return void(slow());
            parts.emplace_back(read(element, type), type);
            is_same &= parts.back().first.is_same();
        }
        if (is_slow_) return;
        std::string text;
        unsigned at = 0;
        for (const auto &[value, type] : parts) {
            const std::string part = fmt::format("to<{}>({})", whole_word, is_same ? value.text : vector(value, word_of(type)));
            text = text.empty() ? part : fmt::format("op_or_({}, {})", text, by(part, "op_shl", at));
            at += bits_of(type);
        }
        give(operands[0], {text, !is_same}, whole_type);
    }

    /// The whole number that a conversion takes; empty: it does not say so.
    static std::string_view whole_of(Word round) {
        switch (round) {
            case Word::rni: return "to_nearest";
            case Word::rzi: return "to_zero";
            case Word::rmi: return "to_less";
            case Word::rpi: return "to_more";
            default: return "";
        }
    }
    void convert(const Opcode &opcode, std::span<const Operand> operands) {
        const Type to = opcode.second;
        Type from = opcode.type;
        const bool to_half = is_of_16_bits(to), from_half = is_of_16_bits(from);
        const std::string to_word = to_half ? "f32" : word_of(to);
        if (to_word.empty() || operands[0].kind != Operand::Kind::reg) return void(slow());
        const bool is_clamped = opcode.has(Word::sat), is_flushed = opcode.has(Word::ftz), is_relu = opcode.has(Word::relu);
        const std::string_view way = whole_of(opcode.round), rounding = rounding_of(opcode.round);
        const bool to_real = is_real(to), from_real = is_real(from);
        Value value;
        if (from_half) {
            // Exactly, and on from there.
            value = as_float(operands[1], from);
            if (to == from && !is_clamped && way.empty()) return void(slow());
            from = Type::f32;
        } else if (operands[1].kind == Operand::Kind::reg && register_bits(type_of(operands[1].index)) != bits_of(from)) {
            // The lower bits of a register that may be wider.
            if (register_bits(type_of(operands[1].index)) < bits_of(from)) return void(slow());
            value = in_type(own(operands[1].index), type_of(operands[1].index), from);
        } else {
            value = read(operands[1], from);
        }
        const std::string from_word = word_of(from);
        if (from_word.empty()) slow();
        if (is_slow_) return;
        const auto vectorised = [&] {
            if (!value.is_same()) value = {vector(value, from_word), true};
        };
        if (to_half) {
            if (!has_halves(to == Type::bf16) || (from_real && opcode.round == Word::none && !from_half)) return void(slow());
            return convert_to_half(opcode, operands[0], vector(value, from_word), from);
        }
        if (is_relu) return void(slow());
        if (!to_real && !from_real) {
            if (opcode.round != Word::none) return void(slow());
            if (is_clamped) {
                vectorised();
                give(operands[0], {fmt::format("saturated<{}>({})", to_word, value.text), value.is_vector}, to);
                return;
            }
            const bool widens = bits_of(to) > bits_of(from);
            if (widens && value.stride != 0 && !value.is_vector) {
                if (goes_to_scalar(operands[0]) && bits_of(from) == 32 && bits_of(to) == 64) {
                    const std::int64_t stride = value.stride;
                    value.text =
                        fmt::format("{}(widened_{}(u32({}), {}, m))", to_word, has_sign(from) ? "signed" : "unsigned", value.text, stride);
                    give(operands[0], value, to);
                    return;
                }
                if (!goes_to_scalar(operands[0])) vectorised();
            }
            value.text = fmt::format("to<{}>({})", to_word, value.text);
        } else if (to_real && !from_real) {
            vectorised();
            // Those of few bits fit as they are.
            if (rounding.empty() || bits_of(from) < 32) value.text = fmt::format("to<{}>({})", to_word, value.text);
            else value.text = fmt::format("to_rounded<{}, {}>({})", to_word, rounding, value.text);
            if (is_clamped) value.text = fmt::format("clamped({})", value.text);
        } else {
            // To integers, .sat says nothing more than holds anyway.
            if (!to_real && way.empty()) return void(slow());
            vectorised();
            if (is_flushed) value.text = fmt::format("flushed({})", value.text);
            if (!way.empty() && (to_real || way != "to_zero")) value.text = fmt::format("whole_number<{}>({})", way, value.text);
            if (!to_real) value.text = fmt::format("cut_off<{}>({})", to_word, value.text);
            else if (rounding.empty() || bits_of(from) <= bits_of(to)) value.text = fmt::format("to<{}>({})", to_word, value.text);
            else value.text = fmt::format("to_rounded<{}, {}>({})", to_word, rounding, value.text);
            if (to_real && is_flushed) value.text = fmt::format("flushed({})", value.text);
            if (to_real && is_clamped) value.text = fmt::format("clamped({})", value.text);
        }
        give(operands[0], value, to);
    }
    /// A vector of another type as floats of 16 bits.
    void convert_to_half(const Opcode &opcode, const Operand &to, std::string text, Type from) {
        const bool is_brain = opcode.second == Type::bf16;
        const std::string_view rounding = rounding_of(opcode.round), way = whole_of(opcode.round);
        // Odd last bits are for what is rounded to the nearest.
        const bool is_long = from == Type::f64 || (!is_real(from) && bits_of(from) > 16);
        if ((is_long && !rounding.empty()) || (!is_real(from) && bits_of(from) > 32) ||
            (is_brain && !rounding.empty() && rounding != "cut"))
            return void(slow());
        if (is_real(from)) {
            if (opcode.has(Word::relu)) text = fmt::format("not_negative({})", text);
            if (opcode.has(Word::ftz)) text = fmt::format("flushed({})", text);
            if (!way.empty()) text = fmt::format("whole_number<{}>({})", way, text);
        }
        if (is_long) text = fmt::format("to_odd({})", from == Type::f64 ? text : fmt::format("to<f64>({})", text));
        else if (!is_real(from)) text = fmt::format("to<f32>({})", text);
        const unsigned modes = (opcode.has(Word::ftz) && !is_brain ? 1 : 0) + (opcode.has(Word::sat) ? 2 : 0);
        text = short_float(is_brain, rounding, text);
        if (modes != 0) text = fmt::format("result_of_16_bits<{}>({}, {})", modes, text, is_brain ? "0x7f80, 0x3f80" : "0x7c00, 0x3c00");
        give(to, {text, true}, Type::b16);
    }
    static std::string short_float(bool is_brain, std::string_view rounding, const std::string &text) {
        if (is_brain) return fmt::format("{}({})", rounding.empty() ? "to_brain" : "cut_to_brain", text);
        return fmt::format("to_half{}({})", rounding.empty() ? "" : fmt::format("<{}>", rounding), text);
    }

    /// Of two floats a pair of 16 bits each, of which the first is above.
    void convert_pair(const Opcode &opcode, std::span<const Operand> operands) {
        const bool is_brain = opcode.second == Type::bf16x2;
        if (!has_halves(is_brain)) return void(slow());
        const Value high = read(operands[1], Type::f32), low = read(operands[2], Type::f32);
        if (is_slow_) return;
        const auto half_of = [&](const Value &value) {
            const std::string text = vector(value, "f32");
            return short_float(is_brain, rounding_of(opcode.round), opcode.has(Word::relu) ? fmt::format("not_negative({})", text) : text);
        };
        give(operands[0], {fmt::format("pair_of({}, {})", half_of(low), half_of(high)), true}, Type::b32);
    }

    void carry(const Opcode &opcode, std::span<const Operand> operands) {
        const Type type = natural_type(bits_of(opcode.type));
        const std::string_view root = opcode.root();
        const std::string word = word_of(type);
        const auto text_of = [&](const Operand &operand, Type as) {
            const Value value = read(operand, as);
            return lanes_ == 1 ? value.text : vector(value, word_of(as));
        };
        std::string a, b;
        if (root == "mad" || root == "madc") {
            const char *const way = opcode.mode == Word::hi ? "op_mul_hi" : "op_mul_lo";
            a = fmt::format("as<{}>({}({}, {}))", word, way, text_of(operands[1], opcode.type), text_of(operands[2], opcode.type));
            b = text_of(operands[3], type);
        } else {
            a = text_of(operands[1], type);
            b = text_of(operands[2], type);
        }
        if (is_slow_) return;
        const bool takes = root == "addc" || root == "subc" || root == "madc", is_difference = root == "sub" || root == "subc";
        const std::string over = fresh(), result = fresh();
        put("u32 {};", over);
        put("const auto {} = {}<{}>({}, {}, carries, {});", result, is_difference ? "sub_carry" : "add_carry", takes, a, b, over);
        if (opcode.has(Word::cc)) put("carries = (carries & ~{0}) | ({1} & {0});", instruction_mask_, over);
        give(operands[0], {result, lanes_ != 1}, type);
    }

    void generic(const Opcode &opcode, std::span<const Operand> operands) {
        if (operands[0].kind != Operand::Kind::reg) return void(slow());
        Value value = read(operands[1], Type::u64);
        if (is_slow_) return;
        if (opcode.space == Space::local) {
            const std::string begin = fmt::format("k.local + u64(u * {}u) * k.local_stride", lanes_);
            const bool is_to = opcode.action() == Action::to_generic;
            if (lanes_ == 1) {
                value.text = fmt::format("op_{}({}, {})", is_to ? "add" : "sub", value.text, begin);
            } else if (is_to) {
                value = {fmt::format("own_addresses<u64>({}, k.local_stride, {})", begin, vector(value, "u64")), true};
            } else {
                value = {fmt::format("op_sub({}, own_addresses<u64>({}, k.local_stride, splat<u64>(0)))", vector(value, "u64"), begin),
                         true};
            }
            give(operands[0], value, Type::u64);
            return;
        }
        if (opcode.space == Space::shared) {
            const std::string base = value.is_vector ? "splat<u64>(k.shared)" : "k.shared";
            value.text = fmt::format("op_{}({}, {})", opcode.action() == Action::to_generic ? "add" : "sub", value.text, base);
        }
        give(operands[0], value, Type::u64);
    }

    // --- Memory ---

    /// An address: a number for lane 0 and a stride, or one for each lane.
    struct Address {
        Value value;
        Space space = Space::generic;
        std::string given;  ///< it is a parameter of the kernel
        std::uint32_t offset = 0;
        std::uint64_t end = UINT64_MAX;  ///< so many bytes are there, of what compiled code holds
    };
    Address address(const Operand &operand, Space space) {
        Address result;
        result.space = space;
        const std::string offset = fmt::format("{}ull", static_cast<std::uint64_t>(operand.value));
        switch (operand.kind) {
            case Operand::Kind::reg: {
                result.value = own(operand.index);
                const unsigned bits = register_bits(type_of(operand.index));
                if (bits == 32 && !result.value.is_same()) {
                    if (!result.value.is_vector) {
                        const std::int64_t stride = result.value.stride;
                        leave_unless(fmt::format("widens_unsigned({}, {}, m)", result.value.text, stride));
                        result.value.text = fmt::format("widened_unsigned({}, {}, m)", result.value.text, stride);
                    } else {
                        result.value.text = fmt::format("to<u64>({})", result.value.text);
                    }
                } else if (bits == 32) {
                    result.value.text = fmt::format("u64({})", result.value.text);
                } else if (bits != 64) {
                    slow();
                }
                if (operand.value != 0)
                    result.value.text = result.value.is_vector ? fmt::format("op_add({}, splat<u64>({}))", result.value.text, offset)
                                                               : fmt::format("({} + {})", result.value.text, offset);
                break;
            }
            case Operand::Kind::module_variable:
                if (space == Space::generic) result.space = program_.variables[operand.index].space;
                result.value = {fmt::format("(k.variable{} + {})", variable(operand.index), offset)};
                break;
            case Operand::Kind::own_variable: {
                const Variable &one = function_.variables[operand.index];
                if (space == Space::generic) result.space = one.space;
                if (one.space == Space::local) {
                    result.value = {fmt::format("u64({}ull + {} + {})", places_.local[operand.index], offset, local_begin())};
                } else if (is_held(operand.index)) {
                    result.value = {fmt::format("(u64({}) + {})", held(operand.index), offset)};
                    if (lanes_ != 1) result.value.stride = held_stride(one);
                    result.end = one.size - std::min<std::uint64_t>(one.size, static_cast<std::uint64_t>(operand.value));
                } else if (places_.given[operand.index] != FunctionPlaces::none) {
                    result.offset = places_.given[operand.index] + static_cast<std::uint32_t>(operand.value);
                    result.given = "given";
                    result.value = {fmt::format("(u64(c->parameters) + {}u)", result.offset)};
                } else {
                    slow();
                }
                break;
            }
            case Operand::Kind::integer: result.value = {offset}; break;
            default: slow();
        }
        if (result.space == Space::shared) {
            result.value.text = result.value.is_vector ? fmt::format("op_add({}, splat<u64>(k.shared))", result.value.text)
                                                       : fmt::format("(k.shared + {})", result.value.text);
        } else if (result.space == Space::local && lanes_ == 1) {
            result.value.text = fmt::format("(k.local + u64(u) * k.local_stride + {})", result.value.text);
        } else if (result.space == Space::local) {
            result.value = {fmt::format("own_addresses<u64>(k.local + u64(u * {}u) * k.local_stride, k.local_stride, {})", lanes_,
                                        vector(result.value, "u64")),
                            true};
        }
        return result;
    }

    void access(const Opcode &opcode, std::span<const Operand> operands, bool is_load) {
        const Type type = opcode.type;
        const std::string word = word_of(type);
        if (word.empty() || bits_of(type) > 64) return void(slow());
        const unsigned bytes = bits_of(type) / 8;
        const Operand &value = operands[is_load ? 1 - 1 : 1];
        const std::span<const Operand> elements = value.kind == Operand::Kind::list ? function_.elements_of(value) : std::span(&value, 1);
        Address where = address(operands[is_load ? 1 : 0], opcode.space);
        if (elements.size() * bytes > where.end) slow();
        if (is_slow_) return;
        const bool is_ordered = opcode.is_volatile || opcode.has(Word::relaxed) || opcode.has(Word::acquire) || opcode.has(Word::release);
        if (is_ordered) put("asm volatile(\"\" ::: \"memory\");");
        const std::string at = fresh();
        if (where.given.empty()) put("const auto {} = {};", at, where.value.text);
        for (std::size_t element = 0; element < elements.size(); ++element) {
            const Operand &one = elements[element];
            const std::uint64_t further = element * bytes;
            const std::string place = further_on(where, at, further);
            if (is_load) {
                give(one,
                     where.given.empty() ? loaded(where, place, word, bytes)
                                         : Value{given(where.offset + static_cast<std::uint32_t>(further), word)},
                     type);
            } else {
                // The lower bits of a register that may be wider.
                Value given_value = one.kind == Operand::Kind::reg ? in_type(own(one.index), type_of(one.index), type) : read(one, type);
                if (one.kind == Operand::Kind::reg && register_bits(type_of(one.index)) < bits_of(type)) slow();
                if (is_slow_) return;
                put_store(where, place, word, bytes, given_value);
            }
        }
        if (is_ordered) put("asm volatile(\"\" ::: \"memory\");");
    }
    /// The place that many bytes behind an address, which is what `begin` holds.
    static std::string further_on(const Address &where, const std::string &begin, std::uint64_t bytes) {
        if (bytes == 0) return begin;
        return where.value.is_vector ? fmt::format("op_add({}, splat<u64>({}ull))", begin, bytes)
                                     : fmt::format("({} + {}ull)", begin, bytes);
    }
    /// What is at `place`, which is at or behind an address.
    Value loaded(const Address &where, const std::string &place, const std::string &word, unsigned bytes) const {
        const std::int64_t stride = where.value.stride;
        if (where.value.is_vector) return {fmt::format("gather<{}>({}, {})", word, place, instruction_mask_), true};
        if (stride == 0) return {fmt::format("load<{}>({})", word, place)};
        if (stride == bytes) return {fmt::format("load_row<{}>({}, {})", word, place, instruction_mask_), true};
        return {fmt::format("load_stride<{}>({}, {}, {})", word, place, stride, instruction_mask_), true};
    }
    void put_store(const Address &where, const std::string &place, const std::string &word, unsigned bytes, const Value &value) {
        const std::string vector_text = vector(value, word);
        const std::int64_t stride = where.value.stride;
        if (where.value.is_vector) put("scatter<{}>({}, {}, {});", word, place, vector_text, instruction_mask_);
        else if (stride == 0 && value.is_same()) put("store<{}>({}, {});", word, place, value.text);
        else if (stride == 0) put("store<{0}>({1}, at<{0}>({2}, last_of({3})));", word, place, vector_text, instruction_mask_);
        else if (stride == bytes) put("store_row<{}>({}, {}, {});", word, place, vector_text, instruction_mask_);
        else put("store_stride<{}>({}, {}, {}, {});", word, place, stride, vector_text, instruction_mask_);
    }

    /// 4, 8 or 16 bytes from global to shared memory, which are there at once.
    void copy_async(std::span<const Operand> operands) {
        if (operands.size() > 3 || operands[2].kind != Operand::Kind::integer) return void(slow());
        const auto all = static_cast<unsigned>(operands[2].value), bytes = std::min(all, 8u);
        const std::string word = natural_word(8 * bytes);
        const Address to = address(operands[0], Space::shared), from = address(operands[1], Space::global);
        if (is_slow_ || !from.given.empty()) return void(slow());
        const std::string source = fresh(), target = fresh();
        put("const auto {} = {}; const auto {} = {};", source, from.value.text, target, to.value.text);
        for (unsigned offset = 0; offset < all; offset += bytes)
            put_store(to, further_on(to, target, offset), word, bytes, loaded(from, further_on(from, source, offset), word, bytes));
    }

    void atomic(const Opcode &opcode, std::span<const Operand> operands) {
        const Type type = opcode.type;
        const std::string word = word_of(type);
        const bool is_red = opcode.root() == "red", is_float = is_real(type);
        std::string_view way;
        switch (opcode.atomic) {
            case Word::add: way = "atomic_add"; break;
            case Word::min: way = "atomic_min"; break;
            case Word::max: way = "atomic_max"; break;
            case Word::and_: way = "atomic_and_"; break;
            case Word::or_: way = "atomic_or_"; break;
            case Word::xor_: way = "atomic_xor_"; break;
            case Word::exch: way = "atomic_exch"; break;
            case Word::cas: way = "atomic_cas"; break;
            case Word::inc: way = "atomic_inc"; break;
            case Word::dec: way = "atomic_dec"; break;
            default: return void(slow());
        }
        if (word.empty() || bits_of(type) < 32 || info(type).kind == TypeKind::packed || (is_float && opcode.atomic != Word::add))
            return void(slow());
        const Address where = address(operands[is_red ? 0 : 1], opcode.space);
        const auto given_operands = operands.subspan(is_red ? 1 : 2);
        Value b = read(given_operands[0], type), c = given_operands.size() > 1 ? read(given_operands[1], type) : b;
        if (is_slow_) return;
        const bool is_own = where.space == Space::shared || where.space == Space::local;
        const std::string result = fresh();
        const bool is_wanted = !is_red && operands[0].kind == Operand::Kind::reg && is_wanted_behind(operands[0].index);
        if (lanes_ == 1) {
            put("const {0} {1} = changed<{2}, {3}, {0}>({4}, {5}, {6});", word, result, way, is_own, where.value.text, b.text, c.text);
            if (is_wanted) give(operands[0], {result}, type);
            return;
        }
        const bool is_one = where.value.is_same();
        const auto brought = [&](const Value &value) {
            return value.is_same() && !is_one ? fmt::format("{}({})", word, value.text) : vector(value, word);
        };
        put("const V<{0}> {1} = {2}<{3}, {4}, {5}, {0}>({6}, {7}, {8}, {9});", word, result, is_one ? "changed_at_one" : "changed_each",
            way, is_own, is_wanted, is_one ? where.value.text : vector(where.value, "u64"), brought(b), brought(c), instruction_mask_);
        if (is_wanted) give(operands[0], {result, true}, type);
    }
    /// Whether anybody reads what this instruction gives a register.
    bool is_wanted_behind(std::uint32_t index) const {
        const bool ends = at_ + 1 == facts_.blocks().blocks[block_].end;
        return ends ? facts_.live_out(block_)[index] : facts_.live_before(at_ + 1)[index];
    }

    // --- Lanes together ---

    static std::string_view redux_of(const Opcode &opcode) {
        for (const auto &[word, way] :
             {std::pair(Word::add, "redux_add"), std::pair(Word::min, "redux_min"), std::pair(Word::max, "redux_max"),
              std::pair(Word::and_, "redux_and_"), std::pair(Word::or_, "redux_or_"), std::pair(Word::xor_, "redux_xor_")})
            if (opcode.combine == word || opcode.mode == word || opcode.atomic == word) return way;
        return "";
    }

    void together(const Opcode &opcode, std::span<const Operand> operands) {
        const Action action = opcode.action();
        // Lanes that the instruction waits for may have parted from these: then the interpreter sorts it out.
        const std::size_t place = action == Action::warp_barrier ? 0
                                  : action == Action::elect      ? 1
                                  : action == Action::shuffle    ? 4
                                  : action == Action::activemask ? operands.size()
                                                                 : 2;
        // Whom lanes name: the same ones, or each its own.
        std::string named = "Everybody()";
        bool is_everybody = true;
        if (place < operands.size()) {
            const Value members = read(operands[place], Type::u32);
            if (is_slow_) return;
            is_everybody = members.is_same();
            if (!is_everybody) named = vector(members, "u32");
            if (is_function() || !facts_.waiting(block_).empty())
                leave_unless(
                    fmt::format("(({}) & {}) == 0", waiting_masks(), is_everybody ? members.text : fmt::format("all_named({}, m)", named)));
        }
        std::array<Operand, 2> to;
        if (!operands.empty() && operands[0].kind == Operand::Kind::pair) std::ranges::copy(function_.elements_of(operands[0]), to.begin());
        else if (!operands.empty()) to[0] = operands[0];
        const auto give_asked = [&](const std::string &bits) {
            if (to[1].kind == Operand::Kind::reg) set_predicate(to[1].index, {bits, true}, instruction_mask_);
        };
        switch (action) {
            case Action::warp_barrier: return;
            case Action::activemask: give(operands[0], {"m"}, Type::u32); return;
            case Action::ballot: {
                const Value asked = predicate(operands[1]);
                if (is_slow_) return;
                if (is_everybody) give(operands[0], {fmt::format("({} & m)", mask(asked))}, Type::u32);
                else give(operands[0], {fmt::format("ballots({}, {}, m)", named, mask(asked)), true}, Type::u32);
                return;
            }
            case Action::vote: {
                const Value asked = predicate(operands[1]);
                if (is_slow_ || operands[0].kind != Operand::Kind::reg) return;
                const std::string_view way = opcode.mode == Word::all ? "vote_all" : opcode.mode == Word::any ? "vote_any" : "vote_uni";
                set_predicate(operands[0].index, {fmt::format("votes<{}>({}, {}, m)", way, named, mask(asked)), true}, instruction_mask_);
                return;
            }
            case Action::match_any:
            case Action::match_all: {
                const Value brought = read(operands[1], opcode.type);
                if (is_slow_) return;
                const std::string bits = vector(brought, word_of(opcode.type)), result = fresh(), alike = fresh();
                if (action == Action::match_any) {
                    give(to[0], {fmt::format("matched_any({}, {}, m)", named, bits), true}, Type::b32);
                    return;
                }
                put("u32 {};", alike);
                put("const V<u32> {} = matched_all({}, {}, m, {});", result, named, bits, alike);
                give(to[0], {result, true}, Type::b32);
                give_asked(alike);
                return;
            }
            case Action::redux: {
                const Value brought = read(operands[1], opcode.type);
                const std::string_view way = redux_of(opcode);
                if (is_slow_ || way.empty()) return void(slow());
                const std::string word = word_of(opcode.type);
                give(to[0], {fmt::format("reduced<{}>({}, {}, m)", way, named, vector(brought, word)), true}, opcode.type);
                return;
            }
            case Action::elect: {
                const std::string result = fresh(), is_it = fresh();
                put("u32 {};", is_it);
                put("const V<u32> {} = elected({}, m, {});", result, named, is_it);
                give(to[0], {result, true}, Type::b32);
                give_asked(is_it);
                return;
            }
            case Action::shuffle: {
                const std::string_view way = opcode.mode == Word::up     ? "shuffle_up"
                                             : opcode.mode == Word::down ? "shuffle_down"
                                             : opcode.mode == Word::bfly ? "shuffle_bfly"
                                             : opcode.mode == Word::idx  ? "shuffle_idx"
                                                                         : "";
                if (way.empty()) return void(slow());
                const Value a = read(operands[1], Type::u32), b = read(operands[2], Type::u32), bound = read(operands[3], Type::u32);
                if (is_slow_) return;
                const std::string in_range = fresh(), result = fresh();
                put("u32 {};", in_range);
                const bool all_say_the_same = b.is_same() && bound.is_same();
                put("const V<u32> {} = shuffled<{}>({}, {}, {}, m, {});", result, way, vector(a, "u32"),
                    all_say_the_same ? b.text : vector(b, "u32"), all_say_the_same ? bound.text : vector(bound, "u32"), in_range);
                give(to[0], {result, true}, Type::u32);
                give_asked(in_range);
                return;
            }
            default: why_not_ = fmt::format("{} is not compiled", opcode.text);
        }
    }

    // --- What is left to the interpreter ---

    std::string waiting_masks() const {
        std::string text;
        if (is_function()) text = "s->others | s->returned";
        for (const Node place : facts_.waiting(block_)) text += fmt::format("{}m{}", text.empty() ? "" : " | ", place);
        return text.empty() ? "0u" : text;
    }

    void to_frame(std::uint32_t index) {
        if (places_.registers[index] == FunctionPlaces::none) return;
        const Type type = type_of(index);
        const std::uint32_t place = places_.registers[index];
        if (type == Type::pred) {
            put("mask_to_frame(frame + {}, lane0, {});", place, mask(own(index)));
        } else if (register_bits(type) <= 64) {
            const std::string word = kept_word(type);
            put("to_frame<{}>(frame + {}, lane0, {});", word, place, vector(own(index), word));
        }
    }

    void from_frame(std::uint32_t index) {
        const Type type = type_of(index);
        const std::uint32_t place = places_.registers[index];
        if (type == Type::pred) set_predicate(index, {fmt::format("mask_from_frame(frame + {}, lane0)", place), true});
        else if (register_bits(type) <= 64) set(index, {fmt::format("from_frame<{}>(frame + {}, lane0)", kept_word(type), place), true});
    }

    /// Lanes that the interpreter goes on with, and from where.
    struct Standing {
        std::string mask;
        std::uint32_t at;
    };
    /// The interpreter goes on from here, with all that lanes hold.
    void leave() {
        if (is_function()) put("own_frame(c, u, s->own, {}u, s->local_begin, s->depth);", number_);
        put("c->stand(c, u, {}, {}, m << lane0);", frame_handle(), at_);
        leave_with({}, facts_.live_before(at_));
    }
    /// The same of lanes that stand elsewhere, and hold what is live; and of those that wait.
    void leave_with(const std::vector<Standing> &standing, KernelFacts::Bits live) {
        for (const Standing &one : standing)
            put("if (({0}) != 0) c->stand(c, u, {1}, {2}, ({0}) << lane0);", one.mask, frame_handle(), one.at);
        if (is_parted()) {
            // What they hold goes from where pieces keep it into the frame, and those that wait are found by their masks: hand_over().
            for (std::uint32_t index = 0; index < live.size(); ++index)
                pieces_[piece_].keeps[index] = pieces_[piece_].keeps[index] || live[index];
            put("{}", leave_as("interpreter"));
            return;
        }
        for (const Node place : facts_.waiting(block_)) {
            put("if (m{0} != 0) c->stand(c, u, {1}, {2}, m{0} << lane0);", place, frame_handle(), facts_.blocks().blocks[place].begin);
            for (std::size_t index = 0; index < live.size(); ++index)
                if (facts_.live_in(place)[index]) live[index] = true;
        }
        put("u8 *const frame = {};", this->frame());
        for (std::uint32_t index = 0; index < live.size(); ++index)
            if (live[index]) to_frame(index);
        all_held_to_frame();
        put("{}", leave_as("interpreter"));
    }
    void all_held_to_frame() {
        if (has_carries()) put("mask_to_frame(frame + {}, lane0, carries);", places_.carry);
        for (std::uint32_t at = 0; at < places_.held.size(); ++at) {
            if (!is_held(at)) continue;
            put("held_to_frame(frame + {} + lane0 * {}, {}, {}, {});", places_.held[at], places_.stride[at], places_.stride[at], held(at),
                held_stride(function_.variables[at]));
        }
    }
    void leave_unless(const std::string &condition) {
        put("if (!__builtin_expect({}, 1)) {{", condition);
        leave();
        put("}}");
    }

    /// One instruction in the interpreter's frame.
    void run_in_frame(const Instruction &instruction) {
        put("{{ u8 *const frame = {};", frame());
        std::set<std::uint32_t> read_registers, written_registers;
        each_register(program_, function_, instruction,
                      [&](const Operand &one, bool writes) { (writes ? written_registers : read_registers).insert(one.index); });
        if (instruction.guard >= 0) {
            read_registers.insert(static_cast<std::uint32_t>(instruction.guard));
            read_registers.insert(written_registers.begin(), written_registers.end());
        }
        for (const std::uint32_t index : read_registers) to_frame(index);
        put("c->run(c, u, {}, {}, m << lane0);", frame_handle(), at_);
        if (program_.opcode_of(instruction).action() == Action::call) {
            put("if (c->is_over != 0) {{ {} }}", leave_as("done"));
        }
        for (const std::uint32_t index : written_registers) from_frame(index);
        put("}}");
    }

    /// What a barrier reads or gives in the frame.
    template <typename Do>
    void each_register_of(const Instruction &instruction, bool written, Do each) {
        std::set<std::uint32_t> registers;
        each_register(program_, function_, instruction, [&](const Operand &one, bool writes) {
            if (writes == written) registers.insert(one.index);
        });
        for (const std::uint32_t index : registers) each(index);
    }
    void barrier(const Opcode &opcode, std::span<const Operand> operands, const Instruction &instruction) {
        const bool is_for_all = opcode.action() == Action::barrier && operands.size() == 1 && operands[0].kind == Operand::Kind::integer;
        if (!facts_.waiting(block_).empty()) leave_unless(fmt::format("({}) == 0", waiting_masks()));
        const std::uint32_t entry = ++entries_;
        std::vector<std::uint32_t> kept;
        const KernelFacts::Bits live = facts_.live_before(at_ + 1);
        const bool ends = at_ + 1 == facts_.blocks().blocks[block_].end;
        for (std::uint32_t index = 0; index < live.size(); ++index) {
            bool is_live = live[index];
            if (ends) {
                is_live = false;
                for (const Node to : facts_.blocks().blocks[block_].successors) is_live |= facts_.live_in(to)[index];
            }
            if (!is_live) continue;
            kept.push_back(index);
            if (is_parted()) {
                pieces_[piece_].keeps[index] = true;
                continue;
            }
            put("s->{0} = {0};", reg(index));
            saved_.insert(index);
        }
        if (has_carries() && !is_parted()) put("s->carry_bits = carries;");
        if (!is_for_all) {
            put("{{ u8 *const frame = c->frame(c, u);");
            each_register_of(instruction, false, [&](std::uint32_t index) { to_frame(index); });
            put("c->run(c, u, nullptr, {}, m << lane0); }}", at_);
        }
        const std::string label = fmt::format("entry{}", entry);
        put("c->instruction = {}; c->mask = m; c->entry = {}; {}", at_, is_parted() ? entry_of(piece_, label) : entry,
            leave_as(is_for_all ? "barrier" : "counted"));
        body_ += label + ":\n";
        put("m = whole;");
        if (!is_parted())
            for (const std::uint32_t index : kept) put("{0} = s->{0};", reg(index));
        if (has_carries() && !is_parted()) put("carries = s->carry_bits;");
        if (!is_for_all) {
            put("{{ u8 *const frame = c->frame(c, u); c->run_rest(c, u, nullptr, {}, m << lane0);", at_);
            each_register_of(instruction, true, [&](std::uint32_t index) { from_frame(index); });
            put("}}");
        }
    }

    // --- Calls ---

    /// What a function is given by its caller, and gives back.
    std::string formals() const {
        std::string text = "struct Formals {\n";
        for (const auto *formals : {&function_.returns, &function_.parameters})
            for (const Formal &formal : *formals)
                text += formal.is_register ? declared(formal.index) : held_declared(function_, formal.index);
        return text + "};\n";
    }
    /// A register's value in another function, where it has another number.
    std::string as_given(const Operand &element, Type type) {
        const Type bits = natural_type(register_bits(type));
        const std::string word = kept_word(type), natural = word_of(bits);
        const Value value =
            element.kind == Operand::Kind::reg ? in_type(own(element.index), type_of(element.index), bits) : read(element, bits);
        const std::string text = lanes_ == 1 ? value.text : vector(value, natural);
        return word == natural ? text : fmt::format("as<{}>({})", word, text);
    }
    static Type natural_type(unsigned bits) { return bits == 16 ? Type::u16 : bits == 32 ? Type::u32 : Type::u64; }

    void pass(const Function &callee, const Operand &list, const std::vector<Formal> &formals, bool is_returned,
              const std::string &lanes_text) {
        const auto elements = function_.elements_of(list);
        for (std::size_t at = 0; at < formals.size(); ++at) {
            const Operand &element = elements[at];
            const std::uint32_t formal = formals[at].index;
            if (formals[at].is_register) {
                const Type type = callee.registers[formal];
                if (!is_returned) {
                    put("given.r{} = {};", formal, as_given(element, type));
                } else {
                    const Value value{fmt::format("as<{}>(given.r{})", kept_word(type_of(element.index)), formal), lanes_ != 1};
                    set(element.index, value, lanes_text);
                }
                continue;
            }
            const std::uint32_t bytes = held_stride(function_.variables[element.index]);
            if (is_returned) put("copy_lanes<{}>({}, given.v{}, {});", bytes, held(element.index), formal, lanes_text);
            else put("__builtin_memcpy(given.v{}, {}, {});", formal, held(element.index), bytes * lanes_);
        }
    }

    /// A call of functions that are compiled. False: there is none.
    bool call(std::span<const Operand> operands, const Instruction &instruction) {
        const bool is_by_address = operands[1].kind != Operand::Kind::function;
        if (!is_by_address && !program_.functions[operands[1].index].has_body) return false;
        const std::vector<std::uint32_t> targets = callees_.targets(function_, instruction);
        if (targets.empty()) {
            why_no_call_ = callees_.why_not(function_, instruction);
            return false;
        }
        const std::string calling = fresh(), gone = fresh(), back = fresh(), address = fresh();
        put("const u32 {} = {};", calling, instruction_mask_);
        // Those that end, or part, in a function leave registers of others as they are.
        const std::string local_end = fmt::format("{} + {}u", local_begin(), places_.local_bytes),
                          depth = is_function() ? "s->depth + 1" : "1u";
        std::uint32_t most_local = 0;
        for (const std::uint32_t target : targets) most_local = std::max(most_local, callees_.local_bytes(target));
        leave_unless(fmt::format("has_room(c, {} + {}ull, {})", local_end, most_local, depth));
        const auto is_at = [&](std::uint32_t target) {
            return lanes_ == 1 ? fmt::format("({} == c->functions[{}] ? full : 0u)", address, target)
                               : fmt::format("is_eq({}, splat<u64>(c->functions[{}]))", address, target);
        };
        if (is_by_address) {
            const Value value = read(operands[1], Type::u64);
            if (is_slow_) return false;
            put("const auto {} = {};", address, lanes_ == 1 ? value.text : vector(value, "u64"));
            std::string known;
            for (const std::uint32_t target : targets) known += (known.empty() ? "" : " | ") + is_at(target);
            leave_unless(fmt::format("({} & ~({})) == 0", calling, known));
        }
        put("u32 {} = 0, {} = 0;", gone, back);
        for (const std::uint32_t target : targets) {
            const Function &callee = program_.functions[target];
            called_.insert(target);
            const std::string those = fresh(), done = fresh();
            put("const u32 {} = {}{};", those, calling, is_by_address ? " & " + is_at(target) : "");
            put("if ({} != 0 && c->left == nullptr) {{ {}::Formals given;", those, namespace_of(target));
            for (const Formal &formal : callee.returns)
                if (formal.is_register) put("given.r{} = {{}};", formal.index);
            pass(callee, operands[2], callee.parameters, false, those);
            put("const u32 {} = {}::call(c, k, u, {}, {} | (m & ~{}), {}, {}, given);", done, namespace_of(target), those, waiting_masks(),
                those, local_end, depth);
            pass(callee, operands[0], callee.returns, true, done);
            put("{} |= {}; {} |= {}; }}", gone, those, back, done);
        }
        if (callees_.may_end_launch()) put("if (c->is_over != 0) {{ {} }}", leave_as("done"));
        put("if (__builtin_expect(c->left != nullptr, 0)) {{");
        if (is_function()) put("own_frame(c, u, s->own, {}u, s->local_begin, s->depth);", number_);
        put("c->link(c, u, c->left, {}, {}); c->left = nullptr;", frame_handle(), at_);
        KernelFacts::Bits live = facts_.live_before(at_);
        const bool ends = at_ + 1 == facts_.blocks().blocks[block_].end;
        const KernelFacts::Bits behind = ends ? facts_.live_out(block_) : facts_.live_before(at_ + 1);
        for (std::size_t index = 0; index < live.size(); ++index) live[index] = live[index] || behind[index];
        leave_with({{fmt::format("{} | (m & ~{})", back, calling), at_ + 1}, {fmt::format("{} & ~{}", calling, gone), at_}}, live);
        put("}}");
        if (callees_.may_exit()) put("m &= ~({} & ~{}); if (m == 0) {}", gone, back, jump_next());
        return true;
    }
    /// Lanes come back to the caller.
    void give_back(const std::string &mask_text) {
        if (!is_function()) return;
        put("s->returned |= {};", mask_text);
        for (const Formal &formal : function_.returns) {
            if (!formal.is_register) continue;
            const std::string to = fmt::format("s->given->r{}", formal.index);
            if (lanes_ == 1) put("{} = {};", to, reg(formal.index));
            else put("{0} = choose({1}, {2}, {0});", to, mask_text, reg(formal.index));
        }
    }

    // --- Blocks ---

    void write_instruction(std::uint32_t at) {
        at_ = at;
        const Instruction &instruction = function_.code[at];
        const Opcode &opcode = program_.opcode_of(instruction);
        const auto operands = function_.operands_of(instruction);
        body_ += fmt::format("#line {} \"kernel\"\n", instruction.place.line);
        const std::size_t before = body_.size();
        is_slow_ = false;
        why_no_call_.clear();
        instruction_mask_ = "m";
        bool is_block_open = false;
        put("{{");
        if (instruction.guard >= 0) {
            // Nothing is done where no lane does it.
            Operand guard;
            guard.kind = Operand::Kind::reg;
            guard.index = static_cast<std::uint32_t>(instruction.guard);
            guard.is_negated = instruction.guard_negated;
            if (is_joint(opcode.action())) {
                // What lanes do together is done by all of them here, or by none.
                const std::string asked = mask(predicate(guard));
                put("if ((m & {}) != 0) {{", asked);
                leave_unless(fmt::format("(m & {}) == m", asked));
            } else {
                put("const u32 guarded = m & {};", mask(predicate(guard)));
                put("if (guarded != 0) {{");
                instruction_mask_ = "guarded";
            }
            is_block_open = true;
        }
        for (const KernelFacts::Widening &one : facts_.widenings(at)) {
            std::string base = reg(one.reg);
            if (!is_scalar(one.reg)) base = fmt::format("base_of<u32>({}, {}, m)", base, one.stride);
            leave_unless(fmt::format("widens_{}({}, {}, m)", one.is_signed ? "signed" : "unsigned", base, one.stride));
        }
        switch (opcode.action()) {
            case Action::lanes: on_lanes(opcode, operands); break;
            case Action::compare:
            case Action::set: compare(opcode, operands); break;
            case Action::carry: carry(opcode, operands); break;
            case Action::move: move(opcode, operands); break;
            case Action::convert: convert(opcode, operands); break;
            case Action::convert_pair: convert_pair(opcode, operands); break;
            case Action::from_generic:
            case Action::to_generic: generic(opcode, operands); break;
            case Action::load: access(opcode, operands, true); break;
            case Action::store: access(opcode, operands, false); break;
            case Action::atomic: atomic(opcode, operands); break;
            case Action::call:
                if (!call(operands, instruction)) is_slow_ = true;
                break;
            case Action::copy_async: copy_async(operands); break;
            case Action::nothing: break;
            case Action::fence: put("__atomic_thread_fence(__ATOMIC_SEQ_CST);"); break;
            default:
                if (is_of_warp(opcode.action())) together(opcode, operands);
                else if (is_of_block(opcode.action()) && !is_function()) barrier(opcode, operands, instruction);
                else is_slow_ = true;
        }
        if (!why_not_.empty()) return;
        if (is_slow_) {
            body_.resize(before);
            instruction_mask_ = "m";
            is_block_open = false;
            put("{{");
            if (places_.can_run[at] != 0) {
                for (const KernelFacts::Widening &one : facts_.widenings(at)) {
                    std::string base = reg(one.reg);
                    if (!is_scalar(one.reg)) base = fmt::format("base_of<u32>({}, {}, m)", base, one.stride);
                    leave_unless(fmt::format("widens_{}({}, {}, m)", one.is_signed ? "signed" : "unsigned", base, one.stride));
                }
                run_in_frame(instruction);
            } else {
                if (facts_.is_on_all_ways(block_)) {
                    why_not_ = opcode.action() == Action::call && !why_no_call_.empty() ? why_no_call_
                               : is_of_block(opcode.action()) && is_function()
                                   ? fmt::format("{} in a function is not compiled", opcode.text)
                                   : fmt::format("{} is not compiled", opcode.text);
                }
                leave();
                is_left_ = true;
            }
        }
        if (is_block_open) put("}}");
        put("}}");
        // In one line, for it is that of the PTX text.
        std::replace(body_.begin() + static_cast<std::ptrdiff_t>(before), body_.end() - 1, '\n', ' ');
    }

    // --- Pieces of large kernels ---

    /// A function of the C++: blocks that follow each other in facts_.order().
    struct Piece {
        KernelFacts::Bits uses, writes;   ///< by register, of its instructions
        KernelFacts::Bits keeps;          ///< what others than its own blocks want
        std::vector<std::string> labels;  ///< where it is entered, from 1 on
        std::string text;
    };
    bool is_parted() const { return !pieces_.empty(); }

    /// Loops stay in one piece if they can.
    void plan_pieces() {
        const auto &order = facts_.order();
        piece_of_.assign(order.size() + 1, 0);
        if (shape_.piece == 0 && function_.code.size() <= most_in_one_piece && order.size() <= most_blocks_in_one_piece) return;
        const std::size_t most = shape_.piece != 0 ? shape_.piece : instructions_of_piece;
        const auto instructions = [&](Node block) {
            if (!facts_.is_block(block)) return std::size_t{0};
            const Block &one = facts_.blocks().blocks[block];
            return std::size_t{one.end - one.begin};
        };
        std::uint32_t piece = 0;
        std::size_t count = 0;
        for (std::size_t at = 0; at < order.size(); ++at) {
            std::size_t wanted = instructions(order[at]);
            for (std::uint32_t loop = facts_.loops().innermost(order[at]);
                 loop != LoopForest::none && facts_.loops().loops()[loop].header == order[at]; loop = facts_.loops().loops()[loop].parent) {
                std::size_t whole = 0;
                for (const Node node : facts_.loops().loops()[loop].nodes) whole += instructions(node);
                if (whole <= most) wanted = whole;
            }
            if (count != 0 && count + wanted > most) {
                ++piece;
                count = 0;
            }
            piece_of_[at] = piece;
            count += instructions(order[at]);
        }
        piece_of_.back() = piece;
        pieces_.resize(piece + 1);
        const KernelFacts::Bits none(function_.registers.size());
        crosses_ = facts_.live_somewhere();
        for (Piece &one : pieces_) one.uses = one.writes = one.keeps = none;
        if (is_function())
            for (const auto *formals : {&function_.returns, &function_.parameters})
                for (const Formal &formal : *formals)
                    if (formal.is_register) crosses_[formal.index] = true;
        for (std::size_t at = 0; at < order.size(); ++at) {
            if (!facts_.is_block(order[at])) continue;
            const Block &block = facts_.blocks().blocks[order[at]];
            Piece &one = pieces_[piece_of_[at]];
            for (std::uint32_t code = block.begin; code < block.end; ++code) {
                const Instruction &instruction = function_.code[code];
                if (instruction.guard >= 0) one.uses[static_cast<std::size_t>(instruction.guard)] = true;
                each_register(program_, function_, instruction, [&](const Operand &reg, bool writes) {
                    one.uses[reg.index] = true;
                    if (writes) one.writes[reg.index] = true;
                });
            }
        }
    }
    void begin_piece(std::uint32_t piece) {
        if (piece != 0) pieces_[piece_].text = std::move(body_);
        body_.clear();
        piece_ = piece;
    }
    /// The number by which a piece is entered at a label.
    std::uint32_t entry_of(std::uint32_t piece, const std::string &label) {
        auto &labels = pieces_[piece].labels;
        const auto found = std::ranges::find(labels, label);
        const auto number = static_cast<std::uint32_t>(found - labels.begin()) + 1;
        if (found == labels.end()) labels.push_back(label);
        return piece << 16 | number;
    }
    std::string jump(std::size_t at, const std::string &label) {
        if (!is_parted() || piece_of_[at] == piece_) return fmt::format("goto {};", label);
        return fmt::format("{{ where = {}u; goto out; }}", entry_of(piece_of_[at], label));
    }
    std::string jump_next() { return jump(at_order_ + 1, fmt::format("next{}", at_order_ + 1)); }
    std::string jump_to(Node block) { return jump(facts_.position(block), fmt::format("block{}", block)); }
    std::string leave_as(std::string_view left) const {
        if (!is_parted() && is_function()) return left == "interpreter" ? "c->left = s->own; return s->returned;" : "goto returns;";
        if (!is_parted()) return fmt::format("return Left::{};", left);
        return fmt::format("left = Left::{}; where = nowhere; goto out;", left);
    }

    /// Lanes of `mask` go to a block.
    void send(const std::string &mask_text, Node to) {
        const auto &waiting = facts_.waiting(block_);
        const bool may_wait = std::ranges::find(waiting, to) != waiting.end();
        put("m{} {}= {};", to, may_wait ? "|" : "", mask_text);
    }
    /// All lanes that run go to a block; straight, if no others have to be asked on the way.
    void go(Node to, bool is_only_way) {
        const std::uint32_t here = facts_.position(block_), there = facts_.position(to);
        const bool is_forward = facts_.position(facts_.first_wait(block_, to)) > here;
        bool is_straight = true;
        for (const Node place : facts_.waiting(block_)) {
            const std::uint32_t at = facts_.position(place);
            if (is_forward) is_straight &= !(at > here && at < there) && at > here;
            else is_straight &= !(at > here && facts_.loops().contains(facts_.loops().innermost(to), place)) && at >= there;
        }
        send("m", to);
        put("{}", is_straight ? jump_to(to) : jump_next());
        (void)is_only_way;
    }
    /// Lanes leave the kernel.
    void end_here() { put("{}", facts_.waiting(block_).empty() ? leave_as("done") : jump_next()); }

    void write_block() {
        const auto &order = facts_.order();
        // Behind the last block of a loop, those that went back go on.
        body_ += fmt::format("next{}:\n", at_order_);
        if (at_order_ != 0) write_loop_ends(order[at_order_ - 1], block_);
        if (!facts_.is_block(block_)) {
            // Lanes wait by the entry that they come to. The next block may be in another piece.
            put("{}", jump_next());
            return;
        }
        const Block &block = facts_.blocks().blocks[block_];
        put("if (m{} == 0) {}", block_, jump_next());
        body_ += fmt::format("block{}:\n", block_);
        put("m = m{0}; m{0} = 0;", block_);
        const std::uint32_t loop = facts_.loop_of_first(block_);
        at_ = block.begin;
        if (loop != LoopForest::none && facts_.may_wait(loop) != Waits::no) {
            put("if (__builtin_expect(--{} == 0, 0)) {{", facts_.may_wait(loop) == Waits::surely ? "patience" : "fuel");
            leave();
            put("}}");
        }
        is_left_ = false;
        const Instruction &last = function_.code[block.end - 1];
        const Action action = program_.opcode_of(last).action();
        const bool has_end = action == Action::branch || action == Action::branch_table || action == Action::ret ||
                             action == Action::exit || action == Action::trap;
        for (std::uint32_t at = block.begin; at < block.end - (has_end ? 1 : 0); ++at) {
            write_instruction(at);
            if (!why_not_.empty()) return;
            if (is_left_) return;
        }
        at_ = block.end - 1;
        const bool is_behind = block_ + 1 == facts_.blocks().blocks.size();
        if (!has_end) {
            if (is_behind) {
                give_back("m");
                end_here();
            } else {
                go(block_ + 1, true);
            }
            return;
        }
        if (action == Action::branch_table && last.guard < 0) return choose_of_table(last);
        if (action == Action::branch_table || action == Action::trap) {
            if (facts_.is_on_all_ways(block_)) why_not_ = fmt::format("{} is not compiled", program_.opcode_of(last).text);
            leave();
            return;
        }
        const Node none = static_cast<Node>(facts_.blocks().blocks.size());
        Node target = none;
        if (action == Action::branch) target = facts_.blocks().block_of[function_.labels[function_.operands_of(last)[0].index].at];
        const bool are_gone = action == Action::exit;
        const auto go_or_end = [&](Node to, bool comes_back) {
            if (to != none) return go(to, false);
            if (comes_back) give_back("m");
            end_here();
        };
        if (last.guard < 0) return go_or_end(target, !are_gone);
        Operand guard;
        guard.kind = Operand::Kind::reg;
        guard.index = static_cast<std::uint32_t>(last.guard);
        guard.is_negated = last.guard_negated;
        const Value condition = predicate(guard);
        const Node behind = block_ + 1;
        const bool is_uniform = block.successors.size() < 2 ? !condition.is_vector : facts_.is_branch_uniform(block_);
        if (is_uniform) {
            put("if ({}) {{", condition.is_vector ? fmt::format("({} & m) != 0", condition.text) : condition.text);
            go_or_end(target, !are_gone);
            put("}}");
            go_or_end(behind, true);
            return;
        }
        const std::string taken = fresh();
        put("{{ const u32 {} = m & {};", taken, mask(condition));
        // Where all go the same way, they need not be asked one block after the other.
        if (target != none) send_some(taken, target);
        else if (!are_gone) give_back(taken);
        const std::string others = fmt::format("(m & ~{})", taken);
        if (behind != none) send_some(others, behind);
        else give_back(others);
        put("}} {}", jump_next());
    }
    /// A branch to one of several places, by a number.
    void choose_of_table(const Instruction &last) {
        const auto operands = function_.operands_of(last);
        const auto &targets = function_.tables[operands[1].index].targets;
        is_slow_ = false;
        const Value index = read(operands[0], Type::u32);
        const Node none = static_cast<Node>(facts_.blocks().blocks.size());
        std::map<Node, std::vector<std::size_t>> places;
        for (std::size_t at = 0; at < targets.size(); ++at)
            places[facts_.blocks().block_of[function_.labels[targets[at]].at]].push_back(at);
        if (is_slow_ || places.empty()) {
            if (facts_.is_on_all_ways(block_)) why_not_ = fmt::format("{} is not compiled", program_.opcode_of(last).text);
            return leave();
        }
        const std::string number = fresh();
        put("{{ const auto {} = {};", number, index.is_same() ? index.text : vector(index, "u32"));
        const auto is_it = [&](std::size_t at) {
            return index.is_same() ? fmt::format("{} == {}u", number, at) : fmt::format("is_eq({}, splat<u32>({}u))", number, at);
        };
        // What is behind the table is said by the interpreter.
        leave_unless(index.is_same() ? fmt::format("{} < {}u", number, targets.size())
                                     : fmt::format("(m & ~is_lt({}, splat<u32>({}u))) == 0", number, targets.size()));
        for (const auto &[place, numbers] : places) {
            std::string asked;
            for (const std::size_t at : numbers)
                asked += (asked.empty() ? "" : " | ") + (index.is_same() ? "u32(" + is_it(at) + ")" : is_it(at));
            const std::string those = index.is_same() ? fmt::format("(({}) != 0 ? m : 0u)", asked) : fmt::format("(m & ({}))", asked);
            if (place != none) send_some(those, place);
            else give_back(those);
        }
        put("}} {}", jump_next());
    }
    void send_some(const std::string &mask_text, Node to) { put("m{} |= {};", to, mask_text); }

    void write_loop_ends(Node before, Node after) {
        for (std::uint32_t loop = facts_.loops().innermost(before); loop != LoopForest::none; loop = facts_.loops().loops()[loop].parent) {
            if (after != no_node && facts_.loops().contains(loop, after)) break;
            const Node first = facts_.first_of(loop);
            put("if (m{} != 0) {}", first, jump_to(first));
        }
    }
    /// Behind the last block.
    void write_end() {
        body_ += fmt::format("next{}:\n", facts_.order().size());
        write_loop_ends(facts_.order().back(), no_node);
        put("{}", leave_as("done"));
        if (is_function() && !is_parted()) body_ += returns();
        if (is_parted()) pieces_[piece_].text = std::move(body_);
    }

    static std::string returns() { return "returns:\n    if (s->own != nullptr) c->drop(c, s->own);\n    return s->returned;\n"; }

    /// Whether pieces keep a register in memory.
    bool is_in_memory(std::uint32_t index) const {
        return crosses_[index] || std::ranges::any_of(pieces_, [&](const Piece &piece) { return piece.keeps[index]; });
    }
    bool has_place(std::uint32_t index) const {
        return places_.registers[index] != FunctionPlaces::none && register_bits(type_of(index)) <= 64;
    }
    /// The pieces, and run_unit(), which goes from one to the other.
    std::string whole_of_pieces() {
        std::string text = "constexpr u32 nowhere = ~0u;\n";
        for (std::size_t at = 0; at < facts_.order().size(); ++at)
            text += fmt::format("#define m{} s->masks[{}]\n", facts_.order()[at], at);
        text += "#define patience s->patience_left\n#define fuel s->fuel_left\n#define carries s->carry_bits\n";
        for (std::size_t number = 0; number < pieces_.size(); ++number) {
            const Piece &piece = pieces_[number];
            text += fmt::format(
                "[[gnu::noinline]] static u32 piece{}(Context *const c, const Known &k, Saved *const s, const u32 u, const u32 whole, "
                "const u32 from, Left &left) {{\n    const u32 lane0 = u * {}u % 32u;\n    u32 m = 0, where = nowhere;\n",
                number, lanes_);
            std::string kept;
            for (std::uint32_t index = 0; index < piece.uses.size(); ++index) {
                if (!piece.uses[index] || !has_place(index)) continue;
                const bool is_shared = crosses_[index] || piece.keeps[index];
                std::string line = declared(index);
                if (is_shared) line.replace(line.size() - 2, 2, fmt::format(" = s->r{};\n", index));
                text += line;
                if (is_shared && piece.writes[index]) kept += fmt::format("    s->r{0} = r{0};\n", index);
            }
            text += "    switch (from) {\n";
            for (std::size_t label = 0; label < piece.labels.size(); ++label)
                text += fmt::format("        case {}: goto {};\n", label + 1, piece.labels[label]);
            text += "        default: __builtin_unreachable();\n    }\n" + piece.text + "out:\n" + kept + "    return where;\n}\n";
        }
        // What lanes hold that the interpreter goes on with.
        text += "COLD void hand_over(Context *const c, Saved *const s, const u32 u) {\n    u8 *const frame = " + frame() + ";\n";
        text += fmt::format("    const u32 lane0 = u * {}u % 32u;\n", lanes_);
        // Each mask that is not empty is of lanes that wait: a table, for there are as many ways out as blocks.
        text += "    static constexpr u32 begins[] = {";
        for (const Node block : facts_.order())
            text += fmt::format("{}, ", facts_.is_block(block) ? facts_.blocks().blocks[block].begin : 0);
        text += fmt::format(
            "}};\n    for (u32 at = 0; at < {}; ++at)\n        if (s->masks[at] != 0) c->stand(c, u, {}, begins[at], s->masks[at] << "
            "lane0);\n",
            facts_.order().size(), frame_handle());
        pieces_.emplace_back();
        piece_ = static_cast<std::uint32_t>(pieces_.size() - 1);
        pieces_.back().uses.assign(function_.registers.size(), false);
        body_.clear();
        for (std::uint32_t index = 0; index < function_.registers.size(); ++index)
            if (has_place(index) && is_in_memory_.at(index)) to_frame(index);
        all_held_to_frame();
        pieces_.pop_back();
        text += body_ + "}\n";
        if (is_function()) {
            text += head_of_function() + "    const u32 entry = 0;\n";
            for (const Formal &formal : function_.parameters)
                if (formal.is_register) text += fmt::format("    s->r{0} = given.r{0};\n", formal.index);
        } else {
            text += "static Left run_unit(Context *const c, const Known &k, const u32 u, const u32 entry, const u32 whole) {\n";
            text += fmt::format("    Saved *const s = (Saved *)c->saved + {};\n    c->unit = u;\n", entries_ != 0 ? "u" : "0");
        }
        text += fmt::format("    Left left = Left::done;\n    u32 where = entry;\n    patience = {};\n    fuel = {};\n", rounds_that_wait,
                            rounds_that_hardly_wait);
        text += fmt::format(
            "    if (entry == 0) {{\n        __builtin_memset(s->masks, 0, sizeof s->masks);\n        m{} = whole;\n"
            "        where = {};\n    }}\n",
            facts_.order().front(), first_entry_);
        text += "    while (where != nowhere) {\n        switch (where >> 16) {\n";
        for (std::size_t number = 0; number < pieces_.size(); ++number)
            text += fmt::format("            case {0}: where = piece{0}(c, k, s, u, whole, where & 0xffff, left); break;\n", number);
        text += "            default: __builtin_unreachable();\n        }\n    }\n";
        if (is_function()) {
            text +=
                "    if (left == Left::interpreter) {\n        hand_over(c, s, u);\n        c->left = s->own;\n        return "
                "s->returned;\n    }\n" +
                returns() + "}\n";
        } else {
            text += "    if (left == Left::interpreter) hand_over(c, s, u);\n    return left;\n}\n";
        }
        text += "#undef patience\n#undef fuel\n#undef carries\n";
        for (const Node block : facts_.order()) text += fmt::format("#undef m{}\n", block);
        return text;
    }

    std::string head_of_function() const {
        return "[[gnu::noinline]] static u32 call(Context *const c, const Known &k, const u32 u, const u32 whole, const u32 others, "
               "const u32 local_begin, const u32 depth, Formals &given) {\n    Saved saved;\n    Saved *const s = &saved;\n    s->given = "
               "&given;\n"
               "    s->own = nullptr;\n    s->others = others;\n    s->local_begin = local_begin;\n    s->depth = depth;\n    s->returned "
               "= 0;\n";
    }
    /// All of it: struct Saved, and run_unit() of a kernel, or call() in a namespace.
    std::string whole() {
        std::string text;
        if (is_function()) text += fmt::format("namespace {} {{\n", namespace_of(number_));
        if (is_parted()) {
            first_entry_ = entry_of(0, fmt::format("block{}", facts_.order().front()));
            is_in_memory_.assign(function_.registers.size(), false);
            for (std::uint32_t index = 0; index < function_.registers.size(); ++index)
                if (has_place(index) && is_in_memory(index)) {
                    is_in_memory_[index] = true;
                    saved_.insert(index);
                }
        }
        text += "struct Saved {\n";
        if (is_function()) text += "    Formals *given;\n    CalledFrame *own;\n    u32 others, local_begin, depth, returned;\n";
        for (std::uint32_t at = 0; at < places_.held.size(); ++at)
            if (is_held(at) && !is_formal(at)) text += held_declared(function_, at);
        for (const std::uint32_t index : saved_) text += declared(index);
        if (is_parted()) text += fmt::format("    u32 masks[{}], patience_left, fuel_left;\n", facts_.order().size());
        if (has_carries()) text += "    u32 carry_bits;\n";
        text += "};\n\n";
        text += is_parted() ? whole_of_pieces() : whole_of_one();
        if (is_function()) text += "}\n";
        return text;
    }
    std::string whole_of_one() const {
        std::string text;
        if (is_function()) {
            text += head_of_function();
        } else {
            text += "INLINE Left run_unit(Context *const c, const Known &k, const u32 u, const u32 entry, const u32 whole) {\n";
            text +=
                fmt::format("    [[maybe_unused]] Saved *const s = (Saved *)c->saved + {};\n    c->unit = u;\n", entries_ != 0 ? "u" : "0");
        }
        text += fmt::format("    [[maybe_unused]] const u32 lane0 = u * {}u % 32u;\n", lanes_);
        text += fmt::format("    [[maybe_unused]] u32 patience = {}, fuel = {};\n    u32 m = whole;\n", rounds_that_wait,
                            rounds_that_hardly_wait);
        if (has_carries()) text += "    u32 carries = 0;\n";
        for (const Node block : facts_.order()) text += fmt::format("    u32 m{} = 0;\n", block);
        for (std::uint32_t index = 0; index < function_.registers.size(); ++index)
            if (has_place(index)) text += declared(index);
        if (is_function()) {
            for (const Formal &formal : function_.parameters)
                if (formal.is_register) text += fmt::format("    r{0} = given.r{0};\n", formal.index);
        } else {
            text += "    switch (entry) {\n";
            for (std::uint32_t entry = 1; entry <= entries_; ++entry) text += fmt::format("        case {0}: goto entry{0};\n", entry);
            text += "    }\n";
        }
        return text + fmt::format("    m{0} = m;\n    goto block{0};\n{1}}}\n", facts_.order().front(), body_);
    }

public:
    /// Of a function: what has to be known of it before it is called.
    std::string declaration() const {
        return fmt::format(
            "namespace {} {{\n{}static u32 call(Context *c, const Known &k, u32 u, u32 whole, u32 others, u32 local_begin, u32 depth, "
            "Formals "
            "&given);\n}}\n",
            namespace_of(number_), formals());
    }

private:
    std::string declared(std::uint32_t index) const {
        const Type type = type_of(index);
        std::string word = type == Type::pred ? (is_scalar(index) ? "bool" : "u32") : kept_word(type);
        if (type != Type::pred && !is_scalar(index)) word = fmt::format("V<{}>", word);
        return fmt::format("    {} r{};\n", word, index);
    }

    static constexpr std::uint32_t warp_size = 32;
    static constexpr Node no_node = 0xffffffff;

    const Program &program_;
    const Function &function_;
    std::uint32_t number_;
    const FunctionPlaces &places_;
    const KernelShape &shape_;
    std::uint32_t lanes_;
    const Callees &callees_;
    KernelFacts facts_;
    std::string body_, why_not_, why_no_call_, instruction_mask_ = "m";
    Node block_ = 0;
    std::size_t at_order_ = 0;
    std::uint32_t at_ = 0, entries_ = 0;
    unsigned temporaries_ = 0;
    bool is_slow_ = false, is_left_ = false, is_widened_ = false;
    std::set<std::uint32_t> variables_, saved_, called_;
    std::vector<Piece> pieces_;            ///< of a kernel that is parted; else none
    std::vector<std::uint32_t> piece_of_;  ///< by place in facts_.order(), and behind the last
    std::uint32_t piece_ = 0, first_entry_ = 0;
    KernelFacts::Bits crosses_, is_in_memory_;  ///< by register: a block wants it of another; pieces keep it
    std::map<std::string, std::pair<std::uint32_t, std::string>> given_;
};

bool works_together(const Program &program, const Function &function) {
    return std::ranges::any_of(function.code, [&](const Instruction &one) { return is_of_warp(program.opcode_of(one).action()); });
}

/// What all that is compiled of a kernel knows of the launch.
std::string struct_known(const std::set<std::uint32_t> &variables,
                         const std::map<std::string, std::pair<std::uint32_t, std::string>> &given) {
    std::string text = "struct Known {\n    u32 grid[3], block[3];\n    u64 shared, local, local_stride;\n";
    for (const std::uint32_t one : variables) text += fmt::format("    u64 variable{};\n", one);
    for (const auto &[name, what] : given) text += fmt::format("    {} {};\n", what.second, name);
    text +=
        "    INLINE explicit Known(const Context *c)\n"
        "        : grid{c->grid[0], c->grid[1], c->grid[2]}, block{c->block[0], c->block[1], c->block[2]},\n"
        "          shared(u64(c->shared)), local(u64(c->local)), local_stride(c->local_stride)";
    for (const std::uint32_t one : variables) text += fmt::format(",\n          variable{0}(c->variables[{0}])", one);
    for (const auto &[name, what] : given)
        text += fmt::format(",\n          {}(load<{}>(u64(c->parameters) + {}))", name, what.second, what.first);
    return text + " {}\n};\n";
}

/// What is called from outside.
std::string functions_of_block(const Written &kernel, const KernelShape &shape, std::uint32_t lanes, bool may_be_over) {
    std::string text;
    const std::uint32_t threads = shape.x * shape.y * shape.z, units = threads / lanes, rest = threads % lanes;
    text += fmt::format("extern \"C\" const unsigned mog_saved_bytes = {};\n", kernel.has_saved ? "sizeof(Saved)" : "0");
    if (kernel.waits) {
        text +=
            fmt::format(units_that_wait, units, rest == 0 ? units : units + 1, rest == 0 ? "full" : fmt::format("{}u", (1u << rest) - 1));
    } else {
        text += "extern \"C\" unsigned mog_block(Context *c) {\n    const Known k(c);\n";
        const std::string_view over = may_be_over ? "        if (c->is_over != 0) return 0;\n" : "";
        if (units != 0)
            text += fmt::format("    for (u32 u = 0; u < {}; ++u) {{\n        run_unit(c, k, u, 0, full);\n{}    }}\n", units, over);
        if (rest != 0) text += fmt::format("    run_unit(c, k, {}, 0, {}u);\n", units, (1u << rest) - 1);
        text += "    return 0;\n}\n";
    }
    return text;
}

/// A kernel with its functions, for units of so many lanes.
class KernelWriter {
public:
    KernelWriter(const Program &program, std::uint32_t kernel, std::span<const FunctionPlaces *const> places, const KernelShape &shape)
        : program_(program), kernel_(kernel), places_(places), shape_(shape), callees_(program, kernel, places) {}

    const Callees &callees() const { return callees_; }
    /// Whether one of them is for single threads.
    bool is_for_single_threads(std::uint32_t lanes) {
        std::vector<std::uint32_t> all = callees_.reached();
        all.push_back(kernel_);
        return std::ranges::any_of(all, [&](std::uint32_t one) {
            fresh_[one] = std::make_unique<Writer>(program_, one, *places_[one], shape_, lanes, callees_);
            const KernelFacts &facts = fresh_[one]->facts();
            return facts.why_not().empty() && facts.is_for_single_threads();
        });
    }
    /// What cannot be compiled is not called: then all who call it are written anew.
    Result<KernelSource> run(std::uint32_t lanes) {
        std::map<std::uint32_t, Written> written;
        std::map<std::uint32_t, std::string> declarations;
        for (bool again = true; again;) {
            again = false;
            std::vector<std::uint32_t> wanted = {kernel_};
            std::set<std::uint32_t> seen;
            while (!wanted.empty() && !again) {
                const std::uint32_t one = wanted.back();
                wanted.pop_back();
                if (!seen.insert(one).second) continue;
                if (!written.contains(one)) {
                    std::unique_ptr<Writer> writer = std::move(fresh_[one]);
                    if (writer == nullptr || writer->lanes() != lanes)
                        writer = std::make_unique<Writer>(program_, one, *places_[one], shape_, lanes, callees_);
                    auto result = writer->run();
                    if (!result && one == kernel_) return result.error();
                    if (!result) {
                        callees_.leave(one, result.error().text());
                        std::erase_if(written, [&](const auto &other) { return other.second.called.contains(one); });
                        again = true;
                        break;
                    }
                    if (one != kernel_) declarations[one] = writer->declaration();
                    written[one] = *std::move(result);
                }
                for (const std::uint32_t callee : written[one].called) wanted.push_back(callee);
            }
            if (!again) std::erase_if(written, [&](const auto &one) { return !seen.contains(one.first); });
        }
        return all_of(written, declarations, lanes);
    }

private:
    KernelSource all_of(const std::map<std::uint32_t, Written> &written, const std::map<std::uint32_t, std::string> &declarations,
                        std::uint32_t lanes) const {
        const Written &kernel = written.at(kernel_);
        std::set<std::uint32_t> variables;
        for (const auto &[number, one] : written) variables.insert(one.variables.begin(), one.variables.end());
        KernelSource result;
        result.lanes = lanes;
        result.waits = kernel.waits;
        result.text = fmt::format("#define MOG_LANES {}\n#define MOG_VECTOR_BYTES {}\n{}{}", lanes,
                                  shape_.simd == Simd::avx512 ? 64
                                  : shape_.simd == Simd::avx2 ? 32
                                                              : 16,
                                  words_of_context(), words_of_vectors());
        result.text += "namespace mog::ptx {\nnamespace {\n" + struct_known(variables, kernel.given);
        for (const auto &[number, one] : written)
            if (number != kernel_) result.text += declarations.at(number);
        for (const auto &[number, one] : written)
            if (number != kernel_) result.text += one.text;
        result.text += kernel.text + "}  // namespace\n}  // namespace mog::ptx\n\nusing namespace mog::ptx;\n";
        result.text += functions_of_block(kernel, shape_, lanes, callees_.may_end_launch());
        return result;
    }

    const Program &program_;
    std::uint32_t kernel_;
    std::span<const FunctionPlaces *const> places_;
    const KernelShape &shape_;
    Callees callees_;
    std::map<std::uint32_t, std::unique_ptr<Writer>> fresh_;  ///< those that have looked at functions, and written nothing
};

}  // namespace

Result<KernelSource> kernel_source(const Program &program, std::uint32_t kernel, std::span<const FunctionPlaces *const> places,
                                   const KernelShape &shape) {
    KernelWriter writer(program, kernel, places, shape);
    // Units of whole rows, or parts of them, where the threads of a warp do nothing together.
    bool is_together = works_together(program, program.functions[kernel]);
    for (const std::uint32_t one : writer.callees().reached()) is_together |= works_together(program, program.functions[one]);
    const bool is_row = shape.y == 1 && shape.z == 1;
    std::uint32_t lanes = 32;
    if (!is_row && shape.x % 32 != 0 && !is_together) {
        if (shape.x % 16 == 0) lanes = 16;
        else if (shape.x % 8 == 0) lanes = 8;
    }
    if (!is_together && shape.has_facts && writer.is_for_single_threads(lanes)) lanes = 1;
    return writer.run(lanes);
}

}  // namespace mog::ptx
