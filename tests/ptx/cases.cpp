// cases.cpp: operands, kernels of one instruction, halves by their definition.
#include "tests/ptx/cases.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace mog::ptx {

float as_float(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

double half_value(std::uint16_t bits, bool is_brain) {
    const int fraction = is_brain ? 7 : 10, exponents = is_brain ? 8 : 5, bias = (1 << (exponents - 1)) - 1;
    const int exponent = bits >> fraction & ((1 << exponents) - 1), tail = bits & ((1 << fraction) - 1);
    const double sign = (bits >> 15) != 0 ? -1 : 1;
    if (exponent == (1 << exponents) - 1) return tail != 0 ? std::nan("") : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(tail, 1 - bias - fraction);
    return sign * std::ldexp(tail + (1 << fraction), exponent - bias - fraction);
}
std::uint16_t nearest_half(Quad x, bool is_brain, bool is_negative_zero) {
    if (x != x) return 0x7fff;
    const std::uint16_t sign = x < 0 || (x == 0 && is_negative_zero) ? 0x8000 : 0;
    const Quad size = x < 0 ? -x : x;
    // By halving: the greatest half that is not more.
    const std::uint16_t infinity = is_brain ? 0x7f80 : 0x7c00;
    std::uint16_t low = 0, high = infinity;
    while (high - low > 1) {
        const auto middle = static_cast<std::uint16_t>((low + high) / 2);
        if (static_cast<Quad>(half_value(middle, is_brain)) <= size) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const Quad below = half_value(low, is_brain);
    // What follows the last one counts as if there were one.
    const Quad above = high == infinity ? below + (below - half_value(static_cast<std::uint16_t>(low - 1), is_brain))
                                        : static_cast<Quad>(half_value(high, is_brain));
    const bool is_up = size - below > above - size || (size - below == above - size && (low & 1) != 0);
    return static_cast<std::uint16_t>(sign | (is_up ? high : low));
}
std::string head_of_module() { return ".version 8.0\n.target sm_90\n.address_size 64\n"; }

std::vector<std::uint64_t> awkward(Type type) {
    switch (type) {
        case Type::pred: return {0, 1};
        case Type::f32:
            return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3fc00001, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000,
                    0x007fffff, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x40490fdb, 0x34000000, 0x4b000001};
        case Type::f64:
            return {0,
                    0x8000000000000000,
                    0x3ff0000000000000,
                    0xbff0000000000000,
                    0x3ff8000000000001,
                    0x7fefffffffffffff,
                    0x0010000000000000,
                    0x000fffffffffffff,
                    0x8000000000000001,
                    0x7ff0000000000000,
                    0xfff0000000000000,
                    0x7ff8000000000000,
                    0x400921fb54442d18,
                    0x3cb0000000000000};
        case Type::f16:
            return {0, 0x8000, 0x3c00, 0xbc00, 0x3e01, 0x7bff, 0xfbff, 0x0400, 0x83ff, 0x0001, 0x7c00, 0xfc00, 0x7e00, 0x3555, 0x1400};
        case Type::bf16:
            return {0, 0x8000, 0x3f80, 0xbf80, 0x3fc1, 0x7f7f, 0xff7f, 0x0080, 0x807f, 0x0001, 0x7f80, 0xff80, 0x7fc0, 0x4049, 0x3400};
        case Type::f16x2: return {0, 0x80003c00, 0xbc003e01, 0x7bfffbff, 0x040083ff, 0x00017c00, 0xfc007e00, 0x3555c900, 0x14000001};
        case Type::bf16x2: return {0, 0x80003f80, 0xbf803fc1, 0x7f7fff7f, 0x0080807f, 0x00017f80, 0xff807fc0, 0x4049c049, 0x34000001};
        default: {
            std::vector<std::uint64_t> values = {0, 1, 2, 3, 5, 8, 31, 32, 33, 255, 0x1234};
            const unsigned bits = bits_of(type);
            const std::uint64_t top = std::uint64_t{1} << (bits - 1);
            for (const std::uint64_t value : {top, top - 1, top + 1, 2 * top - 1, 2 * top - 2, std::uint64_t{0xdeadbeefcafe8001}})
                values.push_back(value);
            return values;
        }
    }
}

void expand(std::string_view pattern, Type type, const std::string &before, std::vector<std::string> &into) {
    static const std::map<std::string_view, std::vector<std::string_view>> lists = {
        {"RND", {"rn", "rz", "rm", "rp"}},
        {"MASKED", {"wrap", "clamp"}},
        {"HALF", {"lo", "hi"}},
        {"PERMUTE", {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}},
        {"CLASS", {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}},
        {"S", {"u32", "s32"}}};
    if (pattern.empty()) {
        into.push_back(before);
        return;
    }
    const bool may_lack = pattern.front() == '{';
    const std::size_t begin = may_lack ? 2 : 1;
    const std::size_t end = std::min(pattern.size(), pattern.find_first_of(".{}", begin));
    const std::string_view word = pattern.substr(begin, end - begin), rest = pattern.substr(end + (may_lack ? 1 : 0));
    if (may_lack) expand(rest, type, before, into);
    if (word == "T") {
        expand(rest, type, before + "." + std::string(info(type).name), into);
    } else if (const auto list = lists.find(word); list != lists.end()) {
        for (const std::string_view one : list->second) expand(rest, type, before + "." + std::string(one), into);
    } else {
        expand(rest, type, before + "." + std::string(word), into);
    }
}

Type type_of(const OperandSpec &spec, Type type) {
    const Type plain = spec.of_first ? type : spec.type;
    if (!spec.is_twice) return plain;
    return plain == Type::u16 ? Type::u32 : plain == Type::s16 ? Type::s32 : plain == Type::u32 ? Type::u64 : Type::s64;
}

std::string kernel_of(const Case &one) {
    std::string text =
        fmt::format(".visible .entry {}(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{{\n", one.kernel);
    text +=
        ".reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .b16 %rs<20>; .reg .pred %p<20>;\n"
        "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 128, %r0; mul.wide.u32 %rd0, %r0, 8;\n";
    const char *const names[] = {"out", "a", "b", "c", "d"};
    std::string operands;
    for (std::size_t at = 0; at < one.types.size(); ++at) {
        const unsigned bits = bits_of(one.types[at]);
        text += fmt::format("ld.param.u64 %rd{0}, [{1}]; add.u64 %rd{0}, %rd{0}, %rd0;\n", at + 1, names[at]);
        const std::size_t place = at + 10;
        operands += at == 0 ? " " : ", ";
        if (bits == 1) {
            if (at != 0)
                text +=
                    fmt::format("ld.global.u32 %r{0}, [%rd{1}]; and.b32 %r{0}, %r{0}, 1; setp.ne.u32 %p{0}, %r{0}, 0;\n", place, at + 1);
            operands += fmt::format("%p{}", place);
        } else {
            const char *const file = bits == 16 ? "%rs" : bits == 32 ? "%r" : "%rd";
            if (at != 0) text += fmt::format("ld.global.b{} {}{}, [%rd{}];\n", bits, file, place, at + 1);
            operands += fmt::format("{}{}", file, place);
        }
    }
    text += one.opcode.text + operands + ";\n";
    const unsigned bits = bits_of(one.types[0]);
    if (bits == 1) text += "selp.u32 %r10, 1, 0, %p10;\n";
    text += fmt::format("st.global.b{} [%rd1], {}10;\nret;\n}}\n", bits == 1 ? 32 : bits, bits == 16 ? "%rs" : bits == 64 ? "%rd" : "%r");
    return text;
}

std::vector<Outcome> outcomes(Module &module, const Case &one) {
    std::vector<std::vector<std::uint64_t>> values;
    std::size_t tuples = 1;
    for (std::size_t at = 1; at < one.types.size(); ++at) {
        values.push_back(awkward(one.types[at]));
        constexpr std::size_t most_of_four = 9;
        if (one.types.size() > 4) values.back().resize(std::min(values.back().size(), most_of_four));
        tuples *= values.back().size();
    }
    const std::uint32_t blocks = static_cast<std::uint32_t>((tuples + 127) / 128);
    std::vector<std::vector<std::uint64_t>> arrays(5, std::vector<std::uint64_t>(blocks * 128));
    for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
        std::size_t left = tuple;
        for (std::size_t at = 0; at < values.size(); ++at) {
            arrays[at + 1][tuple] = values[at][left % values[at].size()];
            left /= values[at].size();
        }
    }
    std::array<std::uint64_t *, 5> parameters;
    for (std::size_t at = 0; at < 5; ++at) parameters[at] = arrays[at].data();
    LaunchOptions options;
    options.threads = 1;
    const auto counts = launch(module, one.kernel, {{blocks, 1, 1}, {128, 1, 1}, 0}, parameters.data(), options);
    REQUIRE_MESSAGE(counts, counts.error().text());
    std::vector<Outcome> result;
    for (std::size_t tuple = 0; tuple < tuples; ++tuple)
        result.push_back({{arrays[1][tuple], arrays[2][tuple], arrays[3][tuple], arrays[4][tuple]}, arrays[0][tuple]});
    return result;
}

}  // namespace mog::ptx
