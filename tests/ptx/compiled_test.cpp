// compiled_test.cpp: compiled code does what the interpreter does, bit for bit: all instructions that it has words of its own for, on
// awkward operands, where lanes have values of their own and where they have one in common.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <span>
#include <thread>

#include "runtime_host/ptx/module.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "tests/ptx/cases.hpp"

namespace mog::ptx {
namespace {

constexpr std::size_t tuples = 96;          // of operands, for each instruction
constexpr std::size_t rows_of_kernel = 40;  // more of them would take compilers longer than they grow

bool is_kept(Type type) {
    return type == Type::pred || (bits_of(type) <= 64 && bits_of(type) >= 16 && info(type).kind != TypeKind::packed && type != Type::f16 &&
                                  type != Type::bf16 && type != Type::tf32);
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
        if (form.action != Action::lanes) continue;
        for (const Type type : form.types) {
            if (!is_kept(type)) continue;
            std::vector<std::string> opcodes;
            expand(form.pattern.substr(form.root.size()), type, std::string(form.root), opcodes);
            for (const std::string &opcode : opcodes) {
                const auto understood = understand(opcode);
                if (!understood || understood->form != static_cast<Form>(at)) continue;
                const bool is_rare = understood->has(Word::sat) || understood->has(Word::nan) || understood->has(Word::xorsign) ||
                                     understood->round == Word::rz || understood->round == Word::rm || understood->round == Word::rp ||
                                     (type == Type::f64 && understood->has(Word::ftz));
                if (is_rare) continue;
                std::vector<Type> types;
                for (const OperandSpec &spec : form.operands) types.push_back(type_of(spec, type));
                add(opcode, std::move(types));
            }
        }
    }
#define MOG_PTX_ONE(type, word) \
    if (is_kept(Type::type))    \
        add(fmt::format("setp.{}.{}", text_of(Word::word), info(Type::type).name), {Type::pred, Type::type, Type::type});
#define MOG_PTX_COMPARE(word, types, meaning) types(MOG_PTX_ONE, word)
#include "translator/ptx/ptx.def"
#undef MOG_PTX_ONE
    constexpr Type converted[] = {Type::u8,  Type::s8,  Type::u16, Type::s16, Type::u32,
                                  Type::s32, Type::u64, Type::s64, Type::f32, Type::f64};
    for (const Type to : converted)
        for (const Type from : converted) {
            const char *const round = is_real(to) && (!is_real(from) || bits_of(to) < bits_of(from)) ? ".rn"
                                      : !is_real(to) && is_real(from)                                ? ".rzi"
                                                                                                     : "";
            const auto in_register = [](Type type) { return bits_of(type) == 8 ? Type::b16 : type; };
            add(fmt::format("cvt{}.{}.{}", round, info(to).name, info(from).name), {in_register(to), in_register(from)});
        }
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

private:
    std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("compiled instructions do what interpreted ones do") {
    const OwnCache cache;
    const std::vector<Case> all = cases_of_rows();
    REQUIRE(all.size() > 250);
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
                        return type == Type::f64 && std::bit_cast<double>(bits) != std::bit_cast<double>(bits);
                    };
                    if (is_nan(wanted) && is_nan(got)) continue;
                    const auto *const operands = &in[row * 4 * tuples + tuple];
                    FAIL_CHECK(fmt::format("{} ({}) of {:#x}, {:#x}, {:#x} is {:#x}, not {:#x}", cases[row].opcode.text, kernel,
                                           operands[0], operands[tuples], operands[2 * tuples], got, wanted));
                    break;
                }
        }
    }
    CHECK(cache.files() == 2 * parts.size());
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
