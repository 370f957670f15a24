// compiled_test.cpp: compiled code does what the interpreter does, bit for bit: all instructions that it has words of its own for, on
// awkward operands, where lanes have values of their own and where they have one in common; in one of the two as users have it, and in the
// other without what the C++ compiler's optimiser makes of it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <thread>

#include "runtime_host/ptx/module.hpp"
#include "support/compilers/simd.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "tests/ptx/cases.hpp"

namespace mog::ptx {
namespace {

constexpr std::size_t tuples = 96;          // of operands, for each instruction
constexpr std::size_t rows_of_kernel = 20;  // more of them would take compilers longer than they grow

bool is_kept(Type type) { return type == Type::pred || (bits_of(type) <= 64 && bits_of(type) >= 16 && type != Type::tf32); }

/// Rows that compiled code calls the interpreter's functions for.
bool is_called(Form form) { return form == Form::fns || form == Form::tanh_h || form == Form::ex2_h || form == Form::lop3; }

/// Words are put together from modes and types: one thing at a time is asked of each.
bool is_more_of_the_same(const FormInfo &form, const Opcode &opcode) {
    const Type type = opcode.type;
    const bool is_of_halves = bits_of(type) == 16 || info(type).kind == TypeKind::packed;
    const bool is_rounded = opcode.round == Word::rz || opcode.round == Word::rm || opcode.round == Word::rp;
    int modes = is_rounded ? 1 : 0;
    for (const Word word : {Word::nan, Word::xorsign, Word::relu, Word::sat, Word::ftz}) modes += opcode.has(word) ? 1 : 0;
    if (modes > 1 || opcode.has(Word::abs) != opcode.has(Word::xorsign)) return true;
    // What is not said is .rn.
    if (opcode.round == Word::none && opcode.text.find(".rn") == opcode.text.npos &&
        (form.pattern.find("{.RND}") != form.pattern.npos || form.pattern.find("{.rn}") != form.pattern.npos))
        return true;
    switch (opcode.form) {
        case Form::selp:
        case Form::slct:
        case Form::slct_f: return info(type).kind != TypeKind::bits && type != Type::f32 && !(type == Type::f64 && modes == 0);
        case Form::mad_f:
        case Form::div_full:
        case Form::div_plain:
        case Form::max_f:
        case Form::sub_h:
        case Form::mul_h:
        case Form::max_h: return modes != 0;
        default: break;
    }
    if (is_of_halves && modes != 0) return type != Type::f16 && type != Type::bf16x2;
    return type == Type::f64 &&
           (opcode.has(Word::ftz) || opcode.has(Word::xorsign) || opcode.round == Word::rz || opcode.round == Word::rm);
}

/// What is compiled as more than a call of the interpreter.
std::vector<Case> cases_of_rows() {
    std::vector<Case> cases;
    std::set<std::string> known;
    const auto add = [&](const std::string &opcode, std::vector<Type> types) {
        auto understood = understand(opcode);
        if (!understood || !known.insert(opcode).second) return;
        cases.push_back({"", std::move(*understood), std::move(types)});
    };
    for (std::size_t at = 0; at < form_count(); ++at) {
        const FormInfo &form = info(static_cast<Form>(at));
        if (form.action != Action::lanes || is_called(static_cast<Form>(at))) continue;
        for (const Type type : form.types) {
            if (!is_kept(type)) continue;
            std::vector<std::string> opcodes;
            expand(form.pattern.substr(form.root.size()), type, std::string(form.root), opcodes);
            for (const std::string &opcode : opcodes) {
                const auto understood = understand(opcode);
                if (!understood || understood->form != static_cast<Form>(at)) continue;
                if (is_more_of_the_same(form, *understood)) continue;
                std::vector<Type> types;
                for (const OperandSpec &spec : form.operands) types.push_back(type_of(spec, type));
                add(opcode, std::move(types));
            }
        }
    }
    // Comparisons by other names, or of bits, are the same as these; those of 16 bits are as those of floats.
    const auto is_another = [](Word word, Type type) {
        const bool is_name = word == Word::lo || word == Word::ls || word == Word::hi || word == Word::hs;
        return (is_name && type != Type::u32) || info(type).kind == TypeKind::bits ||
               (bits_of(type) == 16 && is_real(type) && word != Word::ltu && word != Word::ne);
    };
#define MOG_PTX_ONE(type, word)                                     \
    if (is_kept(Type::type) && !is_another(Word::word, Type::type)) \
        add(fmt::format("setp.{}.{}", text_of(Word::word), info(Type::type).name), {Type::pred, Type::type, Type::type});
#define MOG_PTX_COMPARE(word, types, meaning) types(MOG_PTX_ONE, word)
#include "translator/ptx/ptx.def"
#undef MOG_PTX_ONE
    constexpr Type converted[] = {Type::u8,  Type::s8,  Type::u16, Type::s16, Type::u32,
                                  Type::s32, Type::u64, Type::s64, Type::f32, Type::f64};
    for (const Type to : converted)
        for (const Type from : converted) {
            if (to == from) continue;
            const char *const round = is_real(to) && (!is_real(from) || bits_of(to) < bits_of(from)) ? ".rn"
                                      : !is_real(to) && is_real(from)                                ? ".rzi"
                                                                                                     : "";
            const auto in_register = [](Type type) { return bits_of(type) == 8 ? Type::b16 : type; };
            add(fmt::format("cvt{}.{}.{}", round, info(to).name, info(from).name), {in_register(to), in_register(from)});
        }
    add("cvt.f32.f16", {Type::f32, Type::f16});
    add("cvt.rn.f16.f32", {Type::f16, Type::f32});
    add("cvt.rn.f16x2.f32", {Type::f16x2, Type::f32, Type::f32});
    // Some of each kind that words are put together for: others differ in types alone.
    for (const char *const round : {"rni", "rmi", "rpi"}) {
        add(fmt::format("cvt.{}.f32.f32", round), {Type::f32, Type::f32});
        add(fmt::format("cvt.{}.s32.f64", round), {Type::s32, Type::f64});
    }
    add("cvt.rzi.f64.f64", {Type::f64, Type::f64});
    add("cvt.rni.ftz.u32.f32", {Type::u32, Type::f32});
    add("cvt.ftz.sat.f32.f32", {Type::f32, Type::f32});
    add("cvt.rn.sat.f32.s32", {Type::f32, Type::s32});
    add("cvt.sat.s16.u32", {Type::s16, Type::u32});
    add("cvt.sat.u64.s32", {Type::u64, Type::s32});
    add("cvt.rz.f32.f64", {Type::f32, Type::f64});
    add("cvt.rm.ftz.f32.f64", {Type::f32, Type::f64});
    add("cvt.rp.f32.s32", {Type::f32, Type::s32});
    add("cvt.rz.f32.u64", {Type::f32, Type::u64});
    add("cvt.rm.f64.s64", {Type::f64, Type::s64});
    add("cvt.f32.bf16", {Type::f32, Type::bf16});
    add("cvt.f64.f16", {Type::f64, Type::f16});
    add("cvt.rzi.s32.f16", {Type::s32, Type::f16});
    add("cvt.rni.u16.f16", {Type::u16, Type::f16});
    add("cvt.rmi.s64.bf16", {Type::s64, Type::bf16});
    add("cvt.rpi.f16.f16", {Type::f16, Type::f16});
    add("cvt.rn.f16.s32", {Type::f16, Type::s32});
    add("cvt.rz.f16.u16", {Type::f16, Type::u16});
    add("cvt.rn.bf16.u32", {Type::bf16, Type::u32});
    add("cvt.rn.f16.f64", {Type::f16, Type::f64});
    add("cvt.rm.f16.f32", {Type::f16, Type::f32});
    add("cvt.rp.sat.f16.f32", {Type::f16, Type::f32});
    add("cvt.rn.ftz.f16.f32", {Type::f16, Type::f32});
    add("cvt.rn.relu.f16.f32", {Type::f16, Type::f32});
    add("cvt.rz.bf16.f32", {Type::bf16, Type::f32});
    add("cvt.rz.f16x2.f32", {Type::f16x2, Type::f32, Type::f32});
    add("cvt.rn.relu.bf16x2.f32", {Type::bf16x2, Type::f32, Type::f32});
    add("cvt.rz.bf16x2.f32", {Type::bf16x2, Type::f32, Type::f32});
    add("setp.lt.ftz.f16", {Type::pred, Type::f16, Type::f16});
    add("setp.gtu.f16x2", {Type::pred, Type::f16x2, Type::f16x2});
    add("setp.ne.and.bf16x2", {Type::pred, Type::bf16x2, Type::bf16x2, Type::pred});
    add("set.le.ftz.f16x2.f16x2", {Type::f16x2, Type::f16x2, Type::f16x2});
    add("set.equ.xor.u32.bf16x2", {Type::u32, Type::bf16x2, Type::bf16x2, Type::pred});
    add("set.gt.f16.f16", {Type::f16, Type::f16, Type::f16});
    add("set.hs.u16.u32", {Type::u16, Type::u32, Type::u32});
    add("set.lt.f32.s64", {Type::f32, Type::s64, Type::s64});
    add("set.neu.and.u32.f32", {Type::u32, Type::f32, Type::f32, Type::pred});
    return cases;
}

std::string file_of(Type type) {
    const unsigned bits = register_bits(type);
    return type == Type::pred ? "%p" : bits == 16 ? "%rs" : bits == 32 ? "%r" : "%rd";
}

/// All of them, one after the other: operands and results from arrays with a row for each.
std::string kernel_of_all(const std::string &name, std::span<const Case> cases, bool is_same) {
    std::string text = fmt::format(
        ".visible .entry {}(.param .u64 out, .param .u64 in)\n{{\n.reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .b16 %rs<20>; .reg .pred "
        "%p<20>;\n"
        "mov.u32 %r0, %{}; mul.wide.u32 %rd0, %r0, 8; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];\n"
        "add.u64 %rd1, %rd1, %rd0; add.u64 %rd2, %rd2, %rd0;\n",
        name, is_same ? "ctaid.x" : "tid.x");
    for (std::size_t row = 0; row < cases.size(); ++row) {
        const Case &one = cases[row];
        std::string operands = fmt::format(" {}3", file_of(one.types[0]));
        for (std::size_t at = 1; at < one.types.size(); ++at) {
            const std::size_t place = at + 3, offset = ((row * 4) + at - 1) * tuples * 8;
            if (one.types[at] == Type::pred)
                text += fmt::format("ld.global.u32 %r{0}, [%rd2+{1}]; setp.ne.u32 %p{0}, %r{0}, 0;\n", place, offset);
            else
                text +=
                    fmt::format("ld.global.b{} {}{}, [%rd2+{}];\n", register_bits(one.types[at]), file_of(one.types[at]), place, offset);
            operands += fmt::format(", {}{}", file_of(one.types[at]), place);
        }
        text += one.opcode.text + operands + ";\n";
        if (one.types[0] == Type::pred) text += "selp.u32 %r3, 1, 0, %p3;\n";
        const Type type = one.types[0] == Type::pred ? Type::u32 : one.types[0];
        text += fmt::format("st.global.b{} [%rd1+{}], {}3;\n", register_bits(type), row * tuples * 8, file_of(type));
    }
    return text + "ret;\n}\n";
}

/// A cache of its own, so that the compiler is there.
class OwnCache {
public:
    OwnCache() {
        const auto file = temporary_file("cache");
        REQUIRE(file);
        folder_ = *file;
        std::filesystem::remove(folder_);
        setenv("MOG_CACHE_DIR", folder_.c_str(), 1);
    }
    ~OwnCache() {
        std::filesystem::remove_all(folder_);
        unsetenv("MOG_CACHE_DIR");
    }
    OwnCache(const OwnCache &) = delete;
    OwnCache &operator=(const OwnCache &) = delete;
    std::size_t files() const {
        std::error_code failed;
        std::size_t count = 0;
        for (const auto &one : std::filesystem::directory_iterator(folder_, failed)) count += one.path().extension() == ".bin" ? 1 : 0;
        return count;
    }

    /// Calls of the interpreter's functions in what was compiled: instructions, by their lines.
    std::vector<std::string> calls() const {
        std::vector<std::string> found;
        for (const auto &one : std::filesystem::directory_iterator(folder_)) {
            if (one.path().extension() != ".log") continue;
            const auto text = read_text_file(one.path());
            REQUIRE(text);
            for (std::size_t at = text->find("c->run("); at != text->npos; at = text->find("c->run(", at + 1)) {
                const std::size_t line = text->rfind("#line ", at);
                found.push_back(text->substr(line, text->find('\n', line) - line));
            }
        }
        return found;
    }

private:
    std::filesystem::path folder_;
};

/// The compiler of kernels, which optimises or does not: that takes it less than half as long.
class OwnCompiler {
public:
    explicit OwnCompiler(bool optimises) {
        if (!optimises) setenv("MOG_CXX", MOG_UNOPTIMISED, 1);
    }
    ~OwnCompiler() { unsetenv("MOG_CXX"); }
    OwnCompiler(const OwnCompiler &) = delete;
    OwnCompiler &operator=(const OwnCompiler &) = delete;
};

/// `calls`: of the interpreter's functions, for so many of them.
void check_compiled(std::span<const Case> all, std::optional<std::size_t> calls) {
    const OwnCache cache;
    std::string text = head_of_module();
    std::vector<std::span<const Case>> parts;
    for (std::size_t row = 0; row < all.size(); row += rows_of_kernel) {
        parts.push_back(std::span(all).subspan(row, std::min(rows_of_kernel, all.size() - row)));
        for (const bool is_same : {false, true})
            text += kernel_of_all(fmt::format("{}{}", is_same ? "same" : "own", row / rows_of_kernel), parts.back(), is_same);
    }
    const auto module = Module::load(text, "rows");
    REQUIRE_MESSAGE(module, module.error().text());
    std::uint64_t state = 1;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const std::span<const Case> cases = parts[part];
        std::vector<std::uint64_t> in(cases.size() * 4 * tuples);
        for (std::size_t row = 0; row < cases.size(); ++row)
            for (std::size_t at = 1; at < cases[row].types.size(); ++at) {
                const auto values = awkward(cases[row].types[at]);
                for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
                    state = state * 6364136223846793005u + 1442695040888963407u;
                    in[(row * 4 + at - 1) * tuples + tuple] = values[(state >> 33) % values.size()];
                }
            }
        for (const bool is_same : {false, true}) {
            const std::string kernel = fmt::format("{}{}", is_same ? "same" : "own", part);
            std::array<std::vector<std::uint64_t>, 2> out;
            for (const bool is_compiled : {false, true}) {
                out[is_compiled].resize(cases.size() * tuples);
                std::array<const void *, 2> parameters = {out[is_compiled].data(), in.data()};
                LaunchOptions options;
                options.threads = 1;
                options.engine = is_compiled ? Engine::compiled : Engine::interpreter;
                const OwnCompiler compiler((part % 2 == 0) == is_same);
                const LaunchShape shape{{is_same ? std::uint32_t{tuples} : 1, 1, 1}, {is_same ? 32 : std::uint32_t{tuples}, 1, 1}, 0};
                const auto counts = launch(**module, kernel, shape, parameters.data(), options);
                REQUIRE_MESSAGE(counts, counts.error().text());
                CHECK_MESSAGE(counts->why_interpreted.empty(), counts->why_interpreted);
                CHECK((counts->compiled_blocks != 0) == is_compiled);
            }
            for (std::size_t row = 0; row < cases.size(); ++row)
                for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
                    const std::uint64_t wanted = out[0][row * tuples + tuple], got = out[1][row * tuples + tuple];
                    if (wanted == got) continue;
                    // Which NaN comes out is not defined.
                    const Type type = cases[row].types[0];
                    const auto is_nan = [&](std::uint64_t bits) {
                        if (type == Type::f32) return as_float(bits) != as_float(bits);
                        if (type == Type::f16) return (bits & 0x7fff) > 0x7c00;
                        if (type == Type::bf16) return (bits & 0x7fff) > 0x7f80;
                        return type == Type::f64 && std::bit_cast<double>(bits) != std::bit_cast<double>(bits);
                    };
                    if (is_nan(wanted) && is_nan(got)) continue;
                    if (type == Type::f16x2 || type == Type::bf16x2) {
                        const std::uint64_t infinity = type == Type::f16x2 ? 0x7c00 : 0x7f80;
                        const auto same_half = [&](unsigned at) {
                            const std::uint64_t a = wanted >> at & 0xffff, b = got >> at & 0xffff;
                            return a == b || ((a & 0x7fff) > infinity && (b & 0x7fff) > infinity);
                        };
                        if (same_half(0) && same_half(16)) continue;
                    }
                    const auto *const operands = &in[row * 4 * tuples + tuple];
                    FAIL_CHECK(fmt::format("{} ({}) of {:#x}, {:#x}, {:#x} is {:#x}, not {:#x}", cases[row].opcode.text, kernel,
                                           operands[0], operands[tuples], operands[2 * tuples], got, wanted));
                    break;
                }
        }
    }
    CHECK(cache.files() == 2 * parts.size());
    const std::vector<std::string> called = cache.calls();
    if (calls) CHECK_MESSAGE(called.size() == *calls, fmt::format("{}", fmt::join(called, ", ")));
}

}  // namespace

TEST_CASE("compiled instructions do what interpreted ones do") {
    const std::vector<Case> all = cases_of_rows();
    REQUIRE(all.size() > 400);
    // Floats of 16 bits have words where the processor has vectors for them.
    check_compiled(all, best_simd() == Simd::portable ? std::nullopt : std::optional<std::size_t>(0));
}

TEST_CASE("instructions that compiled code has no words for do there what they do in the interpreter") {
    std::vector<Case> cases;
    const auto add = [&](const std::string &opcode, std::vector<Type> types) {
        cases.push_back({"", *understand(opcode), std::move(types)});
    };
    add("fns.b32", {Type::u32, Type::b32, Type::u32, Type::s32});
    add("lop3.b32", {Type::b32, Type::b32, Type::b32, Type::b32, Type::u32});  // of a number that is not known before
    for (const Type type : {Type::f16, Type::f16x2, Type::bf16, Type::bf16x2}) {
        add(fmt::format("tanh.approx.{}", info(type).name), {type, type});
        add(fmt::format("ex2.approx.{}", info(type).name), {type, type});
    }
    add("ex2.approx.ftz.f16", {Type::f16, Type::f16});
    // To 16 bits, from what a double does not hold, and rounded otherwise from what a float does not hold.
    add("cvt.rn.f16.s64", {Type::f16, Type::s64});
    add("cvt.rn.bf16.u64", {Type::bf16, Type::u64});
    add("cvt.rz.f16.f64", {Type::f16, Type::f64});
    add("cvt.rp.f16.s32", {Type::f16, Type::s32});
    add("cvt.rn.relu.f32.f64", {Type::f32, Type::f64});
    add("isspacep.global", {Type::pred, Type::u64});
    add("isspacep.shared", {Type::pred, Type::u64});
    add("mapa.u64", {Type::u64, Type::u64, Type::u32});
    check_compiled(cases, 2 * cases.size());
}

TEST_CASE("instructions whose numbers are known when they are compiled, and registers of several, do what interpreted ones do") {
    const OwnCache cache;
    std::string text =
        head_of_module() +
        ".shared .align 8 .b8 own[1024];\n.global .align 8 .b8 all[1024];\n"
        ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n.reg .b64 %rd<8>; .reg .b32 %r<12>; .reg .b16 %rs<8>; .reg .pred %p;\n"
        "mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];\n"
        "add.u64 %rd1, %rd1, %rd0; add.u64 %rd2, %rd2, %rd0;\n"
        "ld.global.u32 %r1, [%rd2]; ld.global.u32 %r2, [%rd2+384]; ld.global.u32 %r3, [%rd2+768];\n"
        "mov.b64 %rd3, {%r1, %r2};\n";
    std::size_t results = 0;
    const auto add = [&](const std::string &instruction) {
        text += fmt::format("{};\nst.global.u32 [%rd1+{}], %r4;\n", instruction, 384 * results++);
    };
    // Functions of three bits of each kind: of two of them, with and without the first, mixed.
    for (const unsigned table : {0x00, 0xff, 0xaa, 0x33, 0x3c, 0x96, 0x80, 0x08, 0xfe, 0x1f, 0xe8, 0xca, 0xd8, 0x2d, 0x6b, 0x17})
        add(fmt::format("lop3.b32 %r4, %r1, %r2, %r3, {}", table));
    for (const unsigned count : {0u, 13u, 32u, 255u}) {
        for (const char *way : {"l.wrap", "r.wrap", "l.clamp", "r.clamp"}) add(fmt::format("shf.{}.b32 %r4, %r1, %r2, {}", way, count));
        add(fmt::format("bfe.s32 %r4, %r1, {}, 7", count));
        add(fmt::format("bfe.u32 %r4, %r1, 3, {}", count));
        add(fmt::format("bfi.b32 %r4, %r1, %r2, {}, 9", count));
        add(fmt::format("bfe.s64 %rd4, %rd3, {}, 40; cvt.u32.u64 %r4, %rd4", count));
        add(fmt::format("bfi.b64 %rd4, %rd3, %rd2, 20, {}; and.b64 %rd4, %rd4, 0xfffff00000; shr.u64 %rd4, %rd4, 20; cvt.u32.u64 %r4, %rd4",
                        count / 2));
    }
    for (const char *selector : {"0x0123", "0xfe98", "0x5410", "0x08f7"}) add(fmt::format("prmt.b32 %r4, %r1, %r2, {}", selector));
    add("mov.b64 {%r5, %r4}, %rd3");
    add("mov.b64 {%r4, %r5}, %rd3");
    add("mov.b32 {%rs1, %rs2}, %r1; mov.b32 %r4, {%rs2, %rs1}");
    add("mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd3; mov.b32 %r4, {%rs4, %rs1}");
    add("mov.b64 %rd4, {%r2, %r1}; shr.u64 %rd4, %rd4, 16; cvt.u32.u64 %r4, %rd4");
    // Sums of several words, also of some lanes alone.
    add("add.cc.u32 %r4, %r1, %r2; addc.u32 %r4, %r3, %r2");
    add("add.cc.u32 %r4, %r1, %r2; addc.cc.u32 %r5, %r3, -1; addc.u32 %r4, %r4, %r5");
    add("sub.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r5, %r3, %r1; subc.u32 %r4, %r5, %r4");
    add("mad.lo.cc.u32 %r4, %r1, %r2, %r3; madc.hi.cc.s32 %r5, %r1, %r2, %r3; addc.u32 %r4, %r5, %r4");
    add("setp.gt.s32 %p, %r1, 0; add.cc.u32 %r4, %r2, %r3; @%p sub.cc.u32 %r5, %r1, %r3; addc.u32 %r4, %r4, 0");
    add("add.cc.u64 %rd4, %rd3, %rd3; addc.cc.u64 %rd5, %rd4, %rd3; addc.u32 %r4, 7, 0");
    // Atomic operations: each lane at its own cell, some at the same, all at one; with what was there, and with what is there behind them;
    // of all lanes and of some.
    text +=
        "and.b32 %r6, %r1, 28; cvt.u64.u32 %rd5, %r6; mov.u64 %rd6, own; add.u64 %rd6, %rd6, %rd5; mov.u64 %rd7, all;\n"
        "add.u64 %rd7, %rd7, %rd5; setp.gt.s32 %p, %r2, 0; cvt.rn.f32.s32 %r7, %r2;\n";
    const auto change = [&](const char *space, const char *how, const char *type, const char *guard = "") {
        const bool is_shared = std::string_view(space) == "shared", is_float = std::string_view(type) == "f32";
        const std::string given = fmt::format("{}{}", is_float ? "%r7" : "%r2", std::string_view(how) == "cas" ? ", %r3" : "");
        for (const std::string &cell : {std::string(is_shared ? "%rd6" : "%rd7"), std::string(is_shared ? "own+64" : "all+64")}) {
            add(fmt::format("st.{0}.u32 [{1}], %r{2}; {3}atom.{0}.{4}.{5} %r4, [{1}], {6}", space, cell, is_float ? 7 : 3, guard, how, type,
                            given));
            add(fmt::format("st.{0}.u32 [{1}], %r{2}; {3}atom.{0}.{4}.{5} %r5, [{1}], {6}; ld.{0}.u32 %r4, [{1}]", space, cell,
                            is_float ? 7 : 3, guard, how, type, given));
        }
    };
    change("shared", "add", "u32", "@%p ");
    change("shared", "add", "f32");
    change("global", "add", "u32", "@%p ");
    change("global", "inc", "u32");
    text += "ret;\n}\n";
    const auto module = Module::load(text, "numbers");
    REQUIRE_MESSAGE(module, module.error().text());
    std::vector<std::uint32_t> in(3 * 96);
    std::uint32_t state = 7;
    for (std::uint32_t &one : in) one = state = state * 1664525 + 1013904223;
    std::array<std::vector<std::uint32_t>, 2> out;
    for (const bool is_compiled : {false, true}) {
        out[is_compiled].resize(results * 96);
        std::array<const void *, 2> parameters = {out[is_compiled].data(), in.data()};
        LaunchOptions options;
        options.threads = 1;
        options.engine = is_compiled ? Engine::compiled : Engine::interpreter;
        const auto counts = launch(**module, "k", {{1, 1, 1}, {96, 1, 1}, 0}, parameters.data(), options);
        REQUIRE_MESSAGE(counts, counts.error().text());
        CHECK((counts->compiled_blocks != 0) == is_compiled);
    }
    for (std::size_t at = 0; at < out[0].size(); ++at)
        if (out[0][at] != out[1][at])
            FAIL_CHECK(fmt::format("result {}, thread {}: {:#x}, not {:#x}", at / 96, at % 96, out[1][at], out[0][at]));
}

TEST_CASE("functions of a kernel are compiled with it, and those of the engine are called from compiled code") {
    const OwnCache cache;
    // What is printed of a sum that a function adds up; a flag of 8 bits goes through it, too.
    const std::string text =
        head_of_module() +
        ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
        ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
        ".global .align 1 .b8 words[7] = {37, 100, 32, 37, 100, 10, 0};\n"
        ".func (.param .b32 r) scaled(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %r<4>; .reg .pred %p<2>;\n"
        "ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b]; setp.gt.u32 %p1, %r1, 40; @%p1 bra HIGH;\n"
        "mul.lo.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret;\nHIGH: st.param.b32 [r], 7; ret;\n}\n"
        ".func (.param .b32 r) summed(.param .b32 a, .param .b8 negative)\n{\n.reg .b32 %r<6>; .reg .b16 %rs<2>; .reg .pred %p<2>;\n"
        "ld.param.u32 %r1, [a]; ld.param.u8 %rs1, [negative]; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
        "AGAIN: { .param .b32 given; .param .b32 by; .param .b32 back; st.param.b32 [given], %r1; st.param.b32 [by], %r3;\n"
        "call (back), scaled, (given, by); ld.param.b32 %r4, [back]; }\n"
        "add.u32 %r2, %r2, %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5; @%p1 bra AGAIN;\n"
        "setp.eq.u16 %p1, %rs1, 255; @%p1 neg.s32 %r2, %r2; st.param.b32 [r], %r2; ret;\n}\n"
        ".visible .entry k(.param .u64 out, .param .u32 least)\n{\n.local .align 8 .b8 depot[8];\n"
        ".reg .b64 %rd<8>; .reg .b32 %r<8>; .reg .b16 %rs<3>; .reg .pred %p<3>;\n"
        "ld.param.u64 %rd1, [out]; ld.param.u32 %r5, [least]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n"
        "cvt.u16.u32 %rs1, %r1; and.b16 %rs1, %rs1, 1; neg.s16 %rs1, %rs1;\n"
        "{ .param .b32 given; .param .b8 flag; .param .b32 back; st.param.b32 [given], %r1; st.param.b8 [flag], %rs1;\n"
        "call (back), summed, (given, flag); ld.param.b32 %r2, [back]; }\n"
        "st.global.u32 [%rd1], %r2; rem.u32 %r3, %r1, 20; setp.ne.u32 %p1, %r3, 3; @%p1 bra SILENT;\n"
        "mov.u64 %rd3, depot; st.local.u32 [%rd3], %r1; st.local.u32 [%rd3+4], %r2; cvta.local.u64 %rd4, %rd3;\n"
        "{ .param .b64 f; .param .b64 a; .param .b32 back; st.param.b64 [f], words; st.param.b64 [a], %rd4;\n"
        "call (back), vprintf, (f, a); ld.param.b32 %r4, [back]; }\n"
        "add.u32 %r4, %r4, %r2; st.global.u32 [%rd1], %r4;\n"
        "SILENT: setp.ge.u32 %p2, %r1, %r5; @%p2 bra END;\n"
        "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], words; st.param.b64 [b], words;\n"
        "st.param.b32 [c], 1; st.param.b64 [d], words; st.param.b64 [e], 1; call __assertfail, (a, b, c, d, e); }\n"
        "st.global.u32 [%rd1], 0;\nEND: ret;\n}\n";
    const auto module = Module::load(text, "calls");
    REQUIRE_MESSAGE(module, module.error().text());
    std::array<std::string, 2> printed;
    for (const bool is_compiled : {false, true}) {
        std::vector<std::uint32_t> out(96);
        struct {
            std::uint32_t *out;
            std::uint32_t least;
        } parameters{out.data(), 0};
        LaunchOptions options;
        options.threads = 1;
        options.engine = is_compiled ? Engine::compiled : Engine::interpreter;
        options.print = [&](std::string_view said) { printed[is_compiled] += said; };
        const auto counts = launch(**module, "k", {{1, 1, 1}, {96, 1, 1}, 0}, &parameters, options);
        REQUIRE_MESSAGE(counts, counts.error().text());
        CHECK((counts->compiled_blocks != 0) == is_compiled);  // it has not been left
        for (std::uint32_t thread = 0; thread < 96; ++thread) {
            std::uint32_t sum = thread > 40 ? 35 : thread * 10;
            if (thread % 2 != 0) sum = 0 - sum;
            CHECK(out[thread] == (thread % 20 == 3 ? sum + 2 : sum));
        }
        parameters.least = 70;
        const auto failed = launch(**module, "k", {{1, 1, 1}, {96, 1, 1}, 0}, &parameters, options);
        REQUIRE(!failed);
        CHECK(failed.error().message.find("assertion") != std::string::npos);
        CHECK(failed.error().text().find("thread (0,0,0)") != std::string::npos);
        CHECK(out[1] != 0);  // nothing is done behind it
    }
    CHECK(printed[0] == printed[1]);
    CHECK(printed[0].starts_with("3 -30\n23 -230\n43 -35\n63 -35\n83 -35\n"));
}

TEST_CASE("a kernel that runs for long is compiled while it runs, and is found in the cache by the next process") {
    const OwnCache cache;
    const std::string text =
        head_of_module() +
        ".visible .entry k(.param .u64 out, .param .u32 rounds)\n{\n.reg .b64 %rd<3>; .reg .b32 %r<9>; .reg .pred %p1;\n"
        "ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [rounds]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;\n"
        "mad.lo.u32 %r4, %r3, 64, %r2; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd1, %rd1, %rd2; mov.u32 %r5, 0;\n"
        "LOOP: mad.lo.u32 %r4, %r4, 1664525, 1013904223; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r1;\n@%p1 bra LOOP;\n"
        "st.global.u32 [%rd1], %r4;\nret;\n}\n";
    constexpr std::uint32_t blocks = 256, rounds = 100000;
    std::vector<std::uint32_t> out(blocks * 64);
    struct {
        std::uint32_t *out;
        std::uint32_t rounds;
    } parameters{out.data(), rounds};
    for (const bool is_first : {true, false}) {
        const auto module = Module::load(text, "k");
        REQUIRE_MESSAGE(module, module.error().text());
        LaunchOptions options;
        options.threads = 1;
        LaunchCounts counts;
        for (unsigned launches = 0; launches < 20 && counts.compiled_blocks == 0; ++launches) {
            const auto done = launch(**module, "k", {{blocks, 1, 1}, {64, 1, 1}, 0}, &parameters, options);
            REQUIRE_MESSAGE(done, done.error().text());
            counts.add(*done);
            for (std::uint32_t at = 0; at < out.size(); at += 777) {
                std::uint32_t value = at;
                for (std::uint32_t round = 0; round < rounds; ++round) value = value * 1664525 + 1013904223;
                REQUIRE(out[at] == value);
            }
        }
        CHECK(counts.compiled_blocks != 0);
        CHECK(counts.compiled_blocks < counts.blocks);  // it did not wait for it
        CHECK(cache.files() == 1);
        if (!is_first) CHECK(counts.blocks <= blocks);  // in the first launch
    }
}

}  // namespace mog::ptx
