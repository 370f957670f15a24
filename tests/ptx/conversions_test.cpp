// conversions_test.cpp: cvt from each type to each with each rounding, comparisons, set, sums with carries, and atomic operations, on
// awkward operands against definitions of their own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>

#include "tests/ptx/cases.hpp"

namespace mog::ptx {
namespace {

__extension__ typedef __int128 Wide;

constexpr Type converted[] = {Type::u8,  Type::u16, Type::u32, Type::u64,  Type::s8,  Type::s16,
                              Type::s32, Type::s64, Type::f16, Type::bf16, Type::f32, Type::f64};

/// A number exactly, but for NaN; a whole number has 64 bits, and a double 53.
Quad exact(std::uint64_t bits, Type type) {
    switch (type) {
        case Type::f16:
        case Type::bf16: return half_value(static_cast<std::uint16_t>(bits), type == Type::bf16);
        case Type::f32: return as_float(bits);
        case Type::f64: return std::bit_cast<double>(bits);
        default: {
            const unsigned size = bits_of(type);
            const std::uint64_t masked = size == 64 ? bits : bits & ((std::uint64_t{1} << size) - 1);
            Wide value = static_cast<Wide>(masked);
            if (has_sign(type) && (masked >> (size - 1) & 1) != 0) value -= static_cast<Wide>(1) << size;
            return static_cast<Quad>(value);
        }
    }
}
bool is_negative(std::uint64_t bits, Type type) { return (is_real(type) || has_sign(type)) && (bits >> (bits_of(type) - 1) & 1) != 0; }

enum class To { nearest, zero, down, up };
To direction(Word word) {
    switch (word) {
        case Word::rz:
        case Word::rzi: return To::zero;
        case Word::rm:
        case Word::rmi: return To::down;
        case Word::rp:
        case Word::rpi: return To::up;
        default: return To::nearest;
    }
}
/// The whole number that is next in a direction. `x` is less than 2^113 in size.
Quad whole(Quad x, To to) {
    const Quad limit = 0x1p100;
    if (x != x || x > limit || x < -limit) return x;
    const Quad floor =
        static_cast<Quad>(static_cast<Wide>(x)) > x ? static_cast<Quad>(static_cast<Wide>(x)) - 1 : static_cast<Quad>(static_cast<Wide>(x));
    const Quad rest = x - floor;
    switch (to) {
        case To::zero: return x < 0 && rest != 0 ? floor + 1 : floor;
        case To::down: return floor;
        case To::up: return rest != 0 ? floor + 1 : floor;
        case To::nearest: break;
    }
    const Quad half = 0.5;
    const bool is_odd = static_cast<Wide>(floor) % 2 != 0;
    return rest > half || (rest == half && is_odd) ? floor + 1 : floor;
}
/// The float of type F that is next in a direction.
template <typename F>
F rounded(Quad x, To to) {
    F near = static_cast<F>(x);
    if (x != x || to == To::nearest) return near;
    const Quad back = near;
    const bool goes_down = to == To::down || (to == To::zero && x > 0);
    if (goes_down && back > x) near = std::nextafter(near, -INFINITY);
    if (!goes_down && back < x) near = std::nextafter(near, static_cast<F>(INFINITY));
    return near;
}
std::uint16_t rounded_half(Quad x, bool is_brain, To to, bool is_negative_zero) {
    const std::uint16_t near = nearest_half(x, is_brain, is_negative_zero);
    if (x != x || to == To::nearest) return near;
    const Quad back = half_value(near, is_brain);
    const bool goes_down = to == To::down || (to == To::zero && x > 0);
    if (back == x || (goes_down ? back < x : back > x)) return near;
    // One towards zero, or away from it, of what has this sign.
    if (back == 0) return static_cast<std::uint16_t>(goes_down ? 0x8001 : 0x0001);
    return static_cast<std::uint16_t>((back > 0) == goes_down ? near - 1 : near + 1);
}

std::uint64_t conversion(const Opcode &opcode, std::uint64_t bits) {
    const Type to = opcode.second, from = opcode.type;
    Quad x = exact(bits, from);
    bool negative = is_negative(bits, from);
    if (opcode.has(Word::ftz) && from == Type::f32 && std::fpclassify(as_float(bits)) == FP_SUBNORMAL) x = 0;
    const To way = direction(opcode.round);
    const bool is_integral =
        opcode.round == Word::rni || opcode.round == Word::rzi || opcode.round == Word::rmi || opcode.round == Word::rpi;
    if (is_integral || (!is_real(to) && is_real(from))) x = whole(x, is_integral ? way : To::zero);
    if (is_real(to)) {
        const To rounding = is_integral ? To::nearest : way;
        if (opcode.has(Word::sat)) {
            if (x != x || x <= 0) x = 0, negative = false;
            if (x > 1) x = 1;
        }
        if (opcode.has(Word::relu) && x < 0) x = 0, negative = false;
        switch (to) {
            case Type::f16:
            case Type::bf16: return rounded_half(x, to == Type::bf16, rounding, negative);
            case Type::f32: {
                float result = rounded<float>(x, rounding);
                if (result == 0) result = std::copysign(0.0f, negative ? -1.0f : 1.0f);
                if (opcode.has(Word::ftz) && std::fpclassify(result) == FP_SUBNORMAL) result = std::copysign(0.0f, result);
                return std::bit_cast<std::uint32_t>(result);
            }
            default: {
                double result = rounded<double>(x, rounding);
                if (result == 0) result = std::copysign(0.0, negative ? -1.0 : 1.0);
                return std::bit_cast<std::uint64_t>(result);
            }
        }
    }
    const unsigned size = bits_of(to);
    if (x != x) return from == Type::f64 || size == 64 ? std::uint64_t{1} << (size - 1) : 0;
    Wide value = 0;
    const Wide most = (static_cast<Wide>(1) << (has_sign(to) ? size - 1 : size)) - 1, least = has_sign(to) ? -most - 1 : 0;
    if (is_real(from) || opcode.has(Word::sat)) {
        value = x > static_cast<Quad>(most) ? most : x < static_cast<Quad>(least) ? least : static_cast<Wide>(x);
    } else {
        value = static_cast<Wide>(x);
    }
    return static_cast<std::uint64_t>(value);
}

bool is_nan(std::uint64_t bits, Type type) {
    const Quad x = exact(bits, type);
    return is_real(type) && x != x;
}

void expect(Module &module, const Case &one, const std::function<std::uint64_t(const Outcome &)> &wanted) {
    const Type type = one.types[0];
    const unsigned size = bits_of(type) == 1 ? 32 : bits_of(type);
    const std::uint64_t mask = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    for (const Outcome &outcome : outcomes(module, one)) {
        const std::uint64_t want = wanted(outcome) & mask, got = outcome.result & mask;
        if (want == got || (is_nan(want, type) && is_nan(got, type))) continue;
        FAIL_CHECK(fmt::format("{} of {:#x}, {:#x}, {:#x} is {:#x}, not {:#x}", one.opcode.text, outcome.operands[0], outcome.operands[1],
                               outcome.operands[2], got, want));
        return;
    }
}

/// Opcodes of which each becomes a kernel of one module.
struct Cases {
    std::vector<Case> all;
    std::string text = head_of_module();
    void add(const std::string &opcode, std::vector<Type> types) {
        auto understood = understand(opcode);
        REQUIRE_MESSAGE(understood, understood.error().message);
        all.push_back({fmt::format("k{}", all.size()), std::move(*understood), std::move(types)});
        text += kernel_of(all.back());
    }
    std::shared_ptr<Module> load() const {
        auto module = Module::load(text, "cases");
        REQUIRE_MESSAGE(module, module.error().text());
        return *module;
    }
};

/// A register that holds a type: 8 bits are in one of 16.
Type held(Type type) { return bits_of(type) == 8 ? Type::u16 : type; }

}  // namespace

TEST_CASE("cvt gives what its definition says, of all types, with all roundings") {
    Cases cases;
    for (const Type to : converted) {
        for (const Type from : converted) {
            const bool to_real = is_real(to), from_real = is_real(from);
            std::vector<std::string> words;
            if (!to_real && !from_real) words = {"", ".sat"};
            if (!to_real && from_real) words = {".rni", ".rzi", ".rmi", ".rpi"};
            if (to_real && !from_real) words = {".rn", ".rz", ".rm", ".rp", ".rn.sat"};
            if (to_real && from_real) {
                words = bits_of(to) < bits_of(from) || (bits_of(to) == 16 && to != from)
                            ? std::vector<std::string>{".rn", ".rz", ".rm", ".rp", ".rn.sat", ".rn.relu"}
                            : std::vector<std::string>{"", ".sat"};
                if (to == from) words.insert(words.end(), {".rni", ".rzi", ".rmi", ".rpi"});
            }
            const std::size_t plain = words.size();
            for (std::size_t at = 0; at < plain; ++at)
                if (from == Type::f32 && words[at].find(".relu") == std::string::npos && to != Type::bf16 && to != Type::f16) {
                    const std::size_t sat = words[at].find(".sat");
                    std::string with = words[at];
                    words.push_back(sat == with.npos ? with + ".ftz" : with.insert(sat, ".ftz"));
                }
            for (const std::string &word : words)
                cases.add(fmt::format("cvt{}.{}.{}", word, info(to).name, info(from).name), {held(to), held(from)});
        }
    }
    const auto module = cases.load();
    for (const Case &one : cases.all)
        expect(*module, one, [&](const Outcome &outcome) {
            std::uint64_t result = conversion(one.opcode, outcome.operands[0]);
            // A register that is wider holds zeros, or the sign, above.
            if (bits_of(one.opcode.second) == 8)
                result = has_sign(one.opcode.second) ? static_cast<std::uint64_t>(static_cast<std::int8_t>(result)) : result & 0xff;
            return result;
        });
}

TEST_CASE("cvt to pairs has the first operand in the upper half") {
    Cases cases;
    for (const char *const type : {"f16x2", "bf16x2"})
        for (const char *const round : {"rn", "rz", "rn.relu"})
            cases.add(fmt::format("cvt.{}.{}.f32", round, type), {Type::b32, Type::f32, Type::f32});
    const auto module = cases.load();
    for (const Case &one : cases.all) {
        const bool is_brain = one.opcode.second == Type::bf16x2;
        for (const Outcome &outcome : outcomes(*module, one)) {
            const auto part = [&](std::size_t at) -> std::uint32_t {
                Quad x = as_float(outcome.operands[at]);
                bool negative = is_negative(outcome.operands[at], Type::f32);
                if (one.opcode.has(Word::relu) && x < 0) x = 0, negative = false;
                if (one.opcode.has(Word::relu) && x == 0)
                    negative = negative && !one.opcode.has(Word::relu)
                                   ? true
                                   : is_negative(outcome.operands[at], Type::f32) && as_float(outcome.operands[at]) == 0;
                return rounded_half(x, is_brain, direction(one.opcode.round), negative);
            };
            const std::uint32_t want = part(0) << 16 | part(1), got = static_cast<std::uint32_t>(outcome.result);
            if (want == got) continue;
            FAIL_CHECK(fmt::format("{} of {:#x}, {:#x} is {:#x}, not {:#x}", one.opcode.text, outcome.operands[0], outcome.operands[1], got,
                                   want));
            break;
        }
    }
}

TEST_CASE("setp and set ask what their words say") {
    struct Question {
        const char *word;
        bool of_naturals, of_unordered, less, equal, greater, unordered;
    };
    constexpr Question questions[] = {{"eq", false, false, false, true, false, false}, {"ne", false, false, true, false, true, false},
                                      {"lt", false, false, true, false, false, false}, {"le", false, false, true, true, false, false},
                                      {"gt", false, false, false, false, true, false}, {"ge", false, false, false, true, true, false},
                                      {"lo", true, false, true, false, false, false},  {"ls", true, false, true, true, false, false},
                                      {"hi", true, false, false, false, true, false},  {"hs", true, false, false, true, true, false},
                                      {"equ", false, true, false, true, false, true},  {"neu", false, true, true, false, true, true},
                                      {"ltu", false, true, true, false, false, true},  {"leu", false, true, true, true, false, true},
                                      {"gtu", false, true, false, false, true, true},  {"geu", false, true, false, true, true, true},
                                      {"num", false, true, true, true, true, false},   {"nan", false, true, false, false, false, true}};
    constexpr Type types[] = {Type::b16, Type::b32, Type::b64, Type::u16,  Type::u32, Type::u64, Type::s16,
                              Type::s32, Type::s64, Type::f16, Type::bf16, Type::f32, Type::f64};
    Cases cases;
    std::vector<const Question *> asked;
    for (const Question &question : questions) {
        for (const Type type : types) {
            const bool is_bits = info(type).kind == TypeKind::bits;
            const bool is_natural = info(type).kind == TypeKind::natural;
            if ((question.of_unordered && !is_real(type)) || (question.of_naturals && !is_natural) ||
                (is_bits && question.less != question.greater))
                continue;
            for (const char *const more : {"", ".and", ".or", ".xor"}) {
                std::vector<Type> operands = {Type::pred, type, type};
                if (*more != 0) operands.push_back(Type::pred);
                cases.add(fmt::format("setp.{}{}.{}", question.word, more, info(type).name), operands);
                asked.push_back(&question);
                operands[0] = Type::u32;
                cases.add(fmt::format("set.{}{}.u32.{}", question.word, more, info(type).name), operands);
                asked.push_back(&question);
                if (type == Type::f32) {
                    cases.add(fmt::format("setp.{}{}.ftz.f32", question.word, more), [&] {
                        auto list = operands;
                        list[0] = Type::pred;
                        return list;
                    }());
                    asked.push_back(&question);
                    cases.add(fmt::format("set.{}{}.f32.f32", question.word, more), operands);
                    asked.push_back(&question);
                }
                if (type == Type::f16) {
                    operands[0] = Type::pred;
                    cases.add(fmt::format("setp.{}{}.ftz.f16", question.word, more), operands);
                    asked.push_back(&question);
                }
                // Results of 16 bits; and pairs, of which each half is asked for itself.
                for (const auto &[result, of] :
                     {std::pair(Type::f16, Type::f16), std::pair(Type::u16, Type::f16), std::pair(Type::s16, Type::u32),
                      std::pair(Type::bf16, Type::bf16), std::pair(Type::f16x2, Type::f16x2), std::pair(Type::u32, Type::f16x2),
                      std::pair(Type::bf16x2, Type::bf16x2)}) {
                    const Type one = of == Type::f16x2 ? Type::f16 : of == Type::bf16x2 ? Type::bf16 : of;
                    if (one != type) continue;
                    operands[0] = result;
                    operands[1] = operands[2] = of;
                    cases.add(fmt::format("set.{}{}.{}.{}", question.word, more, info(result).name, info(of).name), operands);
                    asked.push_back(&question);
                }
            }
        }
    }
    const auto module = cases.load();
    for (std::size_t at = 0; at < cases.all.size(); ++at) {
        const Case &one = cases.all[at];
        const Question &question = *asked[at];
        expect(*module, one, [&](const Outcome &outcome) -> std::uint64_t {
            const bool is_pair = info(one.opcode.type).kind == TypeKind::packed;
            const Type type = one.opcode.type == Type::f16x2 ? Type::f16 : one.opcode.type == Type::bf16x2 ? Type::bf16 : one.opcode.type;
            const auto answer_of = [&](unsigned half) {
                Quad a = exact(outcome.operands[0] >> half, type), b = exact(outcome.operands[1] >> half, type);
                if (one.opcode.has(Word::ftz)) {
                    const Quad least = type == Type::f16 ? 0x1p-14 : 0x1p-126;
                    const auto flush = [&](Quad x) { return x > -least && x < least ? static_cast<Quad>(0) : x; };
                    a = flush(a);
                    b = flush(b);
                }
                bool answer = a != a || b != b ? question.unordered : a < b ? question.less : a > b ? question.greater : question.equal;
                const bool with = (outcome.operands[2] & 1) != 0;
                if (one.opcode.combine == Word::and_) answer = answer && with;
                if (one.opcode.combine == Word::or_) answer = answer || with;
                if (one.opcode.combine == Word::xor_) answer = answer != with;
                return answer;
            };
            if (one.opcode.root() == "setp") return answer_of(0);
            const Type result = one.opcode.second;
            const std::uint64_t yes = result == Type::f32                              ? 0x3f800000
                                      : result == Type::f16 || result == Type::f16x2   ? 0x3c00
                                      : result == Type::bf16 || result == Type::bf16x2 ? 0x3f80
                                      : bits_of(result) == 16 || is_pair               ? 0xffff
                                                                                       : 0xffffffff;
            return (answer_of(0) ? yes : 0) | (is_pair && answer_of(16) ? yes << 16 : 0);
        });
    }
}

TEST_CASE("setp of pairs gives a predicate for each half") {
    const std::string text = head_of_module() +
                             ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %rd<3>; .reg .b32 %r<9>; .reg .pred %p<4>;\n"
                             "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n"
                             "ld.global.u32 %r2, [%rd1]; mov.u32 %r3, 0x40003c00; and.b32 %r4, %r1, 1; setp.eq.u32 %p3, %r4, 1;\n"
                             "setp.lt.f16x2 %p1|%p2, %r2, %r3; selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 2, 0, %p2; or.b32 %r5, %r5, %r6;\n"
                             "setp.ge.xor.f16x2 %p1|%p2, %r2, %r3, %p3; selp.u32 %r6, 4, 0, %p1; selp.u32 %r7, 8, 0, %p2;\n"
                             "or.b32 %r5, %r5, %r6; or.b32 %r5, %r5, %r7; st.global.u32 [%rd1], %r5; ret;\n}\n";
    // Pairs of 0.5 and 3 beside 1 and 2, and NaN.
    const std::array<std::uint32_t, 5> given = {0x38003800, 0x42004200, 0x38004200, 0x42003800, 0x7e007e00};
    constexpr std::array<unsigned, 5> less = {3, 0, 2, 1, 0}, not_less = {0, 3, 1, 2, 0};
    for (const Engine engine : {Engine::interpreter, Engine::compiled}) {
        const auto module = Module::load(text, "pairs");
        REQUIRE_MESSAGE(module, module.error().text());
        std::array<std::uint32_t, 10> out{};
        for (std::size_t at = 0; at < out.size(); ++at) out[at] = given[at / 2];
        const void *parameter = out.data();
        LaunchOptions options;
        options.engine = engine;
        const auto counts = launch(**module, "k", {{1, 1, 1}, {10, 1, 1}, 0}, &parameter, options);
        REQUIRE_MESSAGE(counts, counts.error().text());
        for (std::size_t at = 0; at < out.size(); ++at)
            CHECK(out[at] == (less[at / 2] | (not_less[at / 2] ^ (at % 2 != 0 ? 3u : 0u)) << 2));
    }
}

TEST_CASE("carries go from word to word") {
    // 128 bits: a + b, a - b, and low * high with what is carried, against __int128.
    const std::string text = head_of_module() + R"(
.visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b) {
    .reg .b64 %rd<20>; .reg .b32 %r<30>;
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 16;
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [out];
    add.u64 %rd1, %rd1, %rd0; add.u64 %rd2, %rd2, %rd0; mad.wide.u32 %rd3, %r0, 48, %rd3;
    ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
    ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd2];
    add.cc.u32 %r9, %r1, %r5; addc.cc.u32 %r10, %r2, %r6; addc.cc.u32 %r11, %r3, %r7; addc.u32 %r12, %r4, %r8;
    st.global.v4.u32 [%rd3], {%r9, %r10, %r11, %r12};
    sub.cc.u32 %r9, %r1, %r5; subc.cc.u32 %r10, %r2, %r6; subc.cc.u32 %r11, %r3, %r7; subc.u32 %r12, %r4, %r8;
    st.global.v4.u32 [%rd3+16], {%r9, %r10, %r11, %r12};
    ld.global.u64 %rd4, [%rd1]; ld.global.u64 %rd5, [%rd2]; ld.global.u64 %rd6, [%rd1+8]; ld.global.u64 %rd7, [%rd2+8];
    mad.lo.cc.u64 %rd8, %rd4, %rd5, %rd6; madc.hi.u64 %rd9, %rd4, %rd5, %rd7;
    st.global.v2.u64 [%rd3+32], {%rd8, %rd9};
    ret;
})";
    auto module = Module::load(text, "carries");
    REQUIRE_MESSAGE(module, module.error().text());
    __extension__ typedef unsigned __int128 Natural;
    std::vector<Natural> a, b;
    for (const std::uint64_t low : awkward(Type::u64))
        for (const std::uint64_t high : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}}) {
            a.push_back(static_cast<Natural>(high) << 64 | low);
            b.push_back(static_cast<Natural>(low) << 64 | ~high);
        }
    std::vector<Natural> out(a.size() * 3);
    const void *parameters[] = {out.data(), a.data(), b.data()};
    const auto counts = launch(**module, "k", {{1, 1, 1}, {static_cast<std::uint32_t>(a.size()), 1, 1}, 0}, parameters);
    REQUIRE_MESSAGE(counts, counts.error().text());
    for (std::size_t at = 0; at < a.size(); ++at) {
        CHECK(out[3 * at] == a[at] + b[at]);
        CHECK(out[3 * at + 1] == a[at] - b[at]);
        const Natural product = static_cast<Natural>(static_cast<std::uint64_t>(a[at])) * static_cast<std::uint64_t>(b[at]);
        CHECK(out[3 * at + 2] == product + (a[at] >> 64) + (b[at] >> 64 << 64));
    }
}

TEST_CASE("atomic operations leave and return what they should, in all spaces") {
    struct Operation {
        const char *word;
        std::vector<Type> types;
    };
    const Operation operations[] = {
        {"and", {Type::b32, Type::b64}},
        {"or", {Type::b32, Type::b64}},
        {"xor", {Type::b32, Type::b64}},
        {"exch", {Type::b32, Type::b64}},
        {"cas", {Type::b16, Type::b32, Type::b64}},
        {"add", {Type::u32, Type::s32, Type::u64, Type::s64, Type::f32, Type::f64, Type::f16, Type::bf16, Type::f16x2, Type::bf16x2}},
        {"inc", {Type::u32}},
        {"dec", {Type::u32}},
        {"min", {Type::u32, Type::s32, Type::u64, Type::s64}},
        {"max", {Type::u32, Type::s32, Type::u64, Type::s64}}};
    for (const Operation &operation : operations) {
        const std::string word = operation.word;
        for (const Type type : operation.types) {
            const unsigned size = bits_of(type);
            const char *const file = size == 16 ? "%rs" : size == 32 ? "%r" : "%rd";
            const bool is_half = size == 16 && is_real(type);
            const std::string name =
                fmt::format("{}{}.{}", word, is_half || info(type).kind == TypeKind::packed ? ".noftz" : "", info(type).name);
            for (const char *const space : {"", ".global", ".shared"}) {
                const bool is_shared = std::string_view(space) == ".shared";
                const std::string cas = word == "cas" ? fmt::format(", {}4", file) : "";
                const std::string text =
                    head_of_module() +
                    fmt::format(R"(
.shared .align 8 .b8 cells[1024];
.visible .entry k(.param .u64 out, .param .u64 cell, .param .u64 b, .param .u64 c) {{
    .reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .b16 %rs<20>;
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 8;
    ld.param.u64 %rd10, [out]; ld.param.u64 %rd11, [cell]; ld.param.u64 %rd12, [b]; ld.param.u64 %rd13, [c];
    add.u64 %rd10, %rd10, %rd0; add.u64 %rd11, %rd11, %rd0; add.u64 %rd12, %rd12, %rd0; add.u64 %rd13, %rd13, %rd0;
    ld.global.b{0} {1}3, [%rd12]; ld.global.b{0} {1}4, [%rd13];
    {2}
    atom{3}.{4} {1}5, [{5}], {1}3{6};
    st.global.b{0} [%rd10], {1}5;
    {7}
    ret;
}})",
                                size, file,
                                is_shared ? fmt::format("mov.u64 %rd14, cells; add.u64 %rd14, %rd14, %rd0; ld.global.b{0} {1}6, [%rd11]; "
                                                        "st.shared.b{0} [%rd14], {1}6;",
                                                        size, file)
                                          : "",
                                space, name, is_shared ? "%rd14" : "%rd11", cas,
                                is_shared ? fmt::format("ld.shared.b{0} {1}6, [%rd14]; st.global.b{0} [%rd11], {1}6;", size, file) : "");
                auto module = Module::load(text, name);
                REQUIRE_MESSAGE(module, module.error().text());
                std::vector<std::uint64_t> values = awkward(type), out, cell, b, c;
                values.resize(std::min<std::size_t>(values.size(), 10));
                for (const std::uint64_t x : values)
                    for (const std::uint64_t y : values) {
                        cell.push_back(x);
                        b.push_back(y);
                        c.push_back(x ^ y ^ 5);
                    }
                out.resize(cell.size());
                const std::vector<std::uint64_t> before = cell;
                const std::uint32_t threads = 100;
                const void *parameters[] = {out.data(), cell.data(), b.data(), c.data()};
                const auto counts =
                    launch(**module, "k", {{1, 1, 1}, {std::min<std::uint32_t>(threads, static_cast<std::uint32_t>(cell.size())), 1, 1}, 0},
                           parameters);
                REQUIRE_MESSAGE(counts, counts.error().text());
                const std::uint64_t mask = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
                for (std::size_t at = 0; at < std::min<std::size_t>(threads, cell.size()); ++at) {
                    const std::uint64_t x = before[at] & mask, y = b[at] & mask;
                    const Quad p = exact(x, type), q = exact(y, type);
                    std::uint64_t want = 0;
                    if (word == "and") want = x & y;
                    if (word == "or") want = x | y;
                    if (word == "xor") want = x ^ y;
                    if (word == "exch") want = y;
                    if (word == "cas") want = x == y ? c[at] : x;
                    if (word == "inc") want = x >= y ? 0 : x + 1;
                    if (word == "dec") want = x == 0 || x > y ? y : x - 1;
                    if (word == "min") want = p < q ? x : y;
                    if (word == "max") want = p < q ? y : x;
                    if (word == "add") {
                        const auto halves = [&](std::uint64_t i, std::uint64_t j, bool is_brain) -> std::uint64_t {
                            const double m = half_value(static_cast<std::uint16_t>(i), is_brain),
                                         n = half_value(static_cast<std::uint16_t>(j), is_brain);
                            return nearest_half(static_cast<Quad>(m) + n, is_brain, std::signbit(m) && std::signbit(n));
                        };
                        switch (type) {
                            case Type::f32: want = std::bit_cast<std::uint32_t>(as_float(x) + as_float(y)); break;
                            case Type::f64: want = std::bit_cast<std::uint64_t>(std::bit_cast<double>(x) + std::bit_cast<double>(y)); break;
                            case Type::f16:
                            case Type::bf16: want = halves(x, y, type == Type::bf16); break;
                            case Type::f16x2:
                            case Type::bf16x2:
                                want = halves(x >> 16, y >> 16, type == Type::bf16x2) << 16 | halves(x, y, type == Type::bf16x2);
                                break;
                            default: want = x + y;
                        }
                    }
                    want &= mask;
                    const bool both_nan = is_real(type) && is_nan(want, type) && is_nan(cell[at], type);
                    CHECK_MESSAGE((out[at] & mask) == x, name);
                    CHECK_MESSAGE((both_nan || (cell[at] & mask) == want),
                                  fmt::format("{}{} of {:#x}, {:#x} left {:#x}, not {:#x}", name, space, x, y, cell[at] & mask, want));
                }
            }
        }
    }
}

}  // namespace mog::ptx
