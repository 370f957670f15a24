// generate.cpp: definitions + templates + subinterpreters in order = the source of an interpreter.
#include "assembler/emit/generate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembler/blocks/access_windows.hpp"
#include "assembler/emit/generate_blocks.hpp"
#include "assembler/image/facts.hpp"
#include "interp_templates/templates.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

constexpr std::string_view hole = "//@ SUBINTERPRETERS";
constexpr std::string_view begin_marker = "            /* subinterpreters */\n";
constexpr std::string_view end_marker = "            /* end of subinterpreters */\n";

struct DialectRow {
    Dialect dialect;
    std::string_view name, file;
    unsigned warp;  ///< lanes whose words of DATA lie side by side, unless the build says otherwise
};
constexpr DialectRow dialects[] = {
    {Dialect::opencl, "OpenCL C 1.2", "dialect_opencl.h", 1},
    {Dialect::host, "C++17", "dialect_host.h", 1},
    {Dialect::cuda, "CUDA C++", "dialect_cuda.h", 32},
};

using Files = std::vector<std::string_view>;

/// What the file is, and the templates that it consists of.
std::string provenance(const Image &image, const DialectRow &dialect, const Order &order, const GenerateOptions &options, const Files &files) {
    std::string text = fmt::format(
        "/* Interpreter for {} in {}. {}{}. Do not edit.\n"
        " *\n"
        " * {} instructions of {} kinds, {} constants, {} registers; {} slots.\n"
        " * {} superinstructions in a sequence, {} in a switch.\n",
        options.program_name, dialect.name, generated_mark, MOG_VERSION, image.text.size(), used_ops(image).size(), image.cpool.size(),
        image.register_names.size(), order.slots.size(), superinstructions_of(image, Shape::sequence).size(),
        superinstructions_of(image, Shape::switch_).size());
    text += order.searched ? fmt::format(" * Order: seed {}; predicted mean span {:.2f} ({:.2f} in the order of the table, {:.2f} for\n"
                                         " * random orders, {:.2f} at the very least).\n",
                                         order.seed, order.found.span, order.table.span, order.random.span, order.bound.span)
                           : std::string(" * Order: of the table.\n");
    text += " *\n * Its parts, each of which begins with a comment that begins with its name:\n";
    for (std::size_t i = 0; i < files.size(); ++i)
        text += fmt::format("{}{}{}", i % 6 == 0 ? " *   " : " ", files[i], i + 1 == files.size() ? "\n" : i % 6 == 5 ? ",\n" : ",");
    return text + " */\n";
}

std::string definitions(const Image &image, const DialectRow &dialect, const GenerateOptions &options) {
    std::string text = fmt::format("#define MOG_NREGS {}u\n", image.register_names.size());
    static constexpr std::pair<Role, const char *> roles[] = {{Role::sp, "SP"}, {Role::ra, "RA"}, {Role::v0, "V0"},
                                                              {Role::a0, "A0"}, {Role::a1, "A1"}, {Role::a2, "A2"},
                                                              {Role::a3, "A3"}};
    for (const auto &[role, name] : roles)
        text += fmt::format("#define MOG_REG_{} {}u\n", name, image.roles[static_cast<std::size_t>(role)]);
    text += fmt::format("#define MOG_CPOOL_SHIFT {}\n#define MOG_CODE_BASE 0x{:08x}u\n#define MOG_CODE_WORDS {}u\n",
                        image.cpool_shift, image.code_base, image.code_map.size());
    if (needs_doubles(image)) text += "#define MOG_F64\n";
    if (options.unchecked) text += "#define MOG_UNCHECKED\n";
    if (keeps_fcsr(image)) text += "#define MOG_FCSR\n";
    return text + fmt::format("#ifndef MOG_WARP\n#define MOG_WARP {}u\n#endif\n", dialect.warp);
}

/// What follows the body of an instruction. `stops`: stop_effects.
const char *next_after(const OpInfo &row, std::uint16_t stops) {
    if (row.writes & Pc) return row.writes & stops ? "NEXT_AFTER_JUMP_UNLESS_STOPPED" : "NEXT_AFTER_JUMP";
    return row.writes & stops ? "NEXT_UNLESS_STOPPED" : "NEXT";
}

/// The parts of a superinstruction from number k on, the first of which has been fetched. Each goes on with the next one
/// unless it stopped the PE or jumped away.
std::string parts_from(const Superinstruction &super, std::size_t k, std::uint16_t stops) {
    const OpInfo &row = info(super.parts[k]);
    if (k + 1 == super.parts.size()) return fmt::format("{{ {} }} {}", row.statements(), next_after(row, stops));
    const std::string rest = fmt::format("PART(0x{:02x}u) {}", static_cast<unsigned>(super.parts[k + 1]), parts_from(super, k + 1, stops));
    if (row.operand == OperandKind::Label && !ends_block(row.op))
        return fmt::format("{{ u32 straight = pc; {} if (pc != straight) NEXT_AFTER_JUMP else {{ {} }} }}", row.statements(), rest);
    if (row.writes & stops) return fmt::format("{{ {} }} if (stop == 0u) {{ {} }}", row.statements(), rest);
    return fmt::format("{{ {} }} {}", row.statements(), rest);
}

/// The line that serves a superinstruction, with `on` before it.
std::string fused_line(const Superinstruction &super, std::string_view on, std::uint16_t stops) {
    return fmt::format("            {}(0x{:02x}u) {{ FIRST(0x{:02x}u) {} }}\n", on, static_cast<unsigned>(super.code),
                       static_cast<unsigned>(super.parts.front()), parts_from(super, 0, stops));
}

std::string comment(std::string_view number, std::string_view name, std::string_view manual, std::size_t count, std::size_t all) {
    return fmt::format("            /* {}  {}  {}   {} static, {:.1f} % */\n", number, name, manual, count,
                       100.0 * static_cast<double>(count) / static_cast<double>(all));
}

/// The templates that need no filling in.
void add_templates(std::string &source, const Files &files) {
    for (const std::string_view file : files)
        if (file.ends_with(".h")) {
            source += '\n';
            source += template_text(file);
        }
}

/// A template of compiled blocks with the plan's groups in it.
Result<std::string> with_groups(std::string_view file, const Image &image, const BlockPlan &plan, BlockForm form) {
    auto text = fill_hole(template_text(file), "//@ GROUPS", group_declarations(plan) + group_functions(image, plan, form));
    if (text) text = fill_hole(*text, "//@ CALLS", group_calls(plan));
    if (!text) return Error{fmt::format("the template {} lacks a line `//@ GROUPS` or `//@ CALLS`", file), {}};
    return *std::move(text);
}

std::string subinterpreters(const Image &image, const Order &order) {
    const auto counts = fused_counts(image, Shape::sequence), counts_of_switch = fused_counts(image, Shape::switch_);
    const std::uint16_t stops = stop_effects(image);
    const auto find_super = [&](Op op) {
        return *std::ranges::find(image.superinstructions, op, &Superinstruction::code);
    };
    std::string text(begin_marker);
    std::array<bool, 256> seen{};
    bool fused = false;  // what stands here is left out where TEXT is loaded without superinstructions
    const auto section = [&](bool is_super) {
        if (is_super != fused) text += is_super ? "#ifdef MOG_FUSED\n" : "#endif\n";
        fused = is_super;
    };
    for (std::size_t i = 0; i < order.slots.size(); ++i) {
        const Op op = order.slots[i];
        const auto code = static_cast<std::uint8_t>(op);
        const OpInfo *row = find_op(code);
        const std::string_view on = seen[code] ? "AGAIN" : "ON";
        section(!row);
        text += comment(std::to_string(i), op_name(image, op), row ? row->manual : "", counts[code], image.text.size());
        text += row ? fmt::format("            {}(0x{:02x}u) {{ {} {} }}\n", on, code, row->statements(), next_after(*row, stops))
                    : fused_line(find_super(op), on, stops);
        seen[code] = true;
    }
    section(false);
    std::string rest;
    for (const Superinstruction &super : superinstructions_of(image, Shape::switch_)) {
        const auto code = static_cast<std::uint8_t>(super.code);
        if (seen[code]) continue;
        rest += comment("-", op_name(image, super.code), "", counts_of_switch[code], image.text.size());
        rest += fused_line(super, "ON", stops);
    }
    if (!rest.empty())
        text += "            /* More superinstructions, for the switch, which does not lose by their number. */\n"
                "#if defined(MOG_FUSED) && defined(MOG_ENGINE_SWITCH)\n" + rest + "#endif\n";
    return text + std::string(end_marker);
}

}  // namespace

Result<std::string> generate(const Image &image, Dialect dialect, const Order &order, const GenerateOptions &options) {
    if (!covers(order, image)) return Error{"the order of subinterpreters does not fit the program's instructions", {}};
    const DialectRow &row = dialects[static_cast<std::size_t>(dialect)];
    auto interpreter = fill_hole(template_text("interpreter.c"), hole, subinterpreters(image, order));
    if (!interpreter) return Error{"the template interpreter.c has no line `//@ SUBINTERPRETERS`", {}};

    // Software arithmetic only where there are floats; the preprocessor drops it unless it is asked for.
    const bool floats = needs_floats(image) || keeps_fcsr(image), blocks = options.blocks && !options.blocks->empty();
    Files files = floats ? Files{"launch_abi.h", "float_modes.h", row.file, "soft_float.h", "pair_float.h"} : Files{"launch_abi.h", row.file};
    files.insert(files.end(), {"arithmetic.h", "vocabulary.h"});
    if (blocks) files.push_back("blocks.c");
    files.push_back("interpreter.c");
    std::string source = provenance(image, row, order, options, files) + '\n' + definitions(image, row, options);
    add_templates(source, files);
    if (blocks) {
        const auto code = with_groups("blocks.c", image, *options.blocks, dialect == Dialect::cuda ? BlockForm::warp : BlockForm::single);
        if (!code) return code;
        source += fmt::format("\n#define MOG_LEAST_BLOCK_DATA {}u\n\n", most_window_bytes) + *code;
    }
    return source + '\n' + *interpreter;
}

Result<std::string> generate_lanes(const Image &image, const Order &order, const BlockPlan &plan, const GenerateOptions &options) {
    const DialectRow &row = dialects[static_cast<std::size_t>(Dialect::host)];
    const auto code = with_groups("lanes.c", image, plan, BlockForm::lanes);
    if (!code) return code;
    const Files files = {"launch_abi.h", "float_modes.h", row.file, "soft_float.h", "pair_float.h", "arithmetic.h", "vocabulary.h",
                         "wide_vectors.h", "lanes_avx512.h", "lanes_vectors.h", "lanes.h", "lanes.c"};
    std::string source = provenance(image, row, order, options, files) + '\n' + definitions(image, row, options);
    // Lanes have doubles, whether the program does or not.
    if (!needs_doubles(image)) source += "#define MOG_F64\n";
    add_templates(source, files);
    return source + '\n' + *code;
}

}  // namespace mog
