// generate.cpp: definitions + templates + subinterpreters in order = the source of an interpreter.
#include "assembler/emit/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <span>

#include "abi/linux.hpp"
#include "abi/mpi_call.h"
#include "abi/mpi_constants.h"
#include "assembler/blocks/check_coalescing.hpp"
#include "assembler/emit/any_program.hpp"
#include "assembler/emit/generate_blocks.hpp"
#include "assembler/emit/instruction_page.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/image/spaces.hpp"
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

/// A part of a source: a template, or what is made for the program.
struct Part {
    std::string_view name, what;
    std::string text;
};
using Parts = std::vector<Part>;

/// What a template is, for the contents.
struct TemplateRow {
    std::string_view name, what;
};
constexpr TemplateRow templates[] = {
    {"launch_abi.h", "what a kernel and its host agree on"},
    {"float_modes.h", "who computes floats and doubles"},
    {"dialect_opencl.h", "the language: types, spaces of memory, registers"},
    {"dialect_host.h", "the language: types, registers"},
    {"dialect_cuda.h", "the language: types, registers, lanes that wait for each other"},
    {"soft_float.h", "floats and doubles by integers"},
    {"pair_float.h", "doubles as pairs of floats"},
    {"integer_arithmetic.h", "integers"},
    {"float_arithmetic.h", "floats"},
    {"double_arithmetic.h", "doubles"},
    {"vocabulary.h", "the words in which instructions are written"},
    {"reserve.h", "additions with a limit, which lanes make together"},
    {"reserve_lanes.h", "the same of lanes"},
    {"space_private.h", "where a PE's memory is"},
    {"space_private_lanes.h", "where the memory of lanes is"},
    {"wide_vectors.h", "vectors of 16 numbers"},
    {"lanes_avx512.h", "what AVX-512 has instructions for"},
    {"lanes_vectors.h", "the same for other processors"},
    {"lanes.h", "numbers of lanes, and whose turn it is"},
    {"lanes_floats.h", "floats and doubles of lanes"},
    {"form_thread.h", "the words of compiled blocks"},
    {"form_warp.h", "those that are other ones in a warp"},
    {"form_lanes.h", "the words of compiled blocks of lanes"},
    {"form_part.h", "the words of those that are compiled apart"},
    {"form_linked.h", "how those are called"},
    {"mailboxes.h", "messages of MPI within a launch"},
    {"own_calls.h", "calls that PEs do by themselves"},
    {"form_interpreter.h", "the words of an interpreter"},
};

void add(Parts &parts, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const auto row = std::ranges::find(templates, name, &TemplateRow::name);
        parts.push_back({name, row->what, std::string(template_text(name))});
    }
}

bool uses(const Image &image, Op op) {
    const std::vector<Op> ops = used_ops(image);
    return std::ranges::find(ops, op) != ops.end();
}

/// Who made the source, and for what.
std::string provenance(const Image &image, const DialectRow &dialect, const Order &order, const GenerateOptions &options) {
    std::string text = broken(
        fmt::format("/* Interpreter for {} in {}. {}{}. Do not edit.", options.program_name, dialect.name, generated_mark, MOG_VERSION),
        " * ");
    text += fmt::format(
        "\n"
        " *\n"
        " * {} instructions of {} kinds, {} constants, {} registers; {} slots.\n"
        " * {} superinstructions in a sequence, {} in a switch.\n",
        image.text.size(), used_ops(image).size(), image.cpool.size(), image.register_names.size(), order.slots.size(),
        superinstructions_of(image, Shape::sequence).size(), superinstructions_of(image, Shape::switch_).size());
    text += order.searched ? fmt::format(
                                 " * Order: seed {}; predicted mean span {:.2f} ({:.2f} in the order of the table, {:.2f} for\n"
                                 " * random orders, {:.2f} at the very least).\n",
                                 order.seed, order.found.span, order.table.span, order.random.span, order.bound.span)
                           : std::string(" * Order: of the table.\n");
    return text;
}

/// The groups of compiled blocks in a text: the line, from 0, that a function begins in, and the group's number.
std::vector<std::pair<std::size_t, std::uint32_t>> group_lines(std::string_view text) {
    std::vector<std::pair<std::size_t, std::uint32_t>> found;
    constexpr std::string_view begin = "GROUP(";
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view whole = text.substr(at, end - at);
        if (whole.starts_with(begin) && whole.ends_with(')'))
            found.emplace_back(line, static_cast<std::uint32_t>(std::strtoul(whole.data() + begin.size(), nullptr, 10)));
        at = end + 1;
    }
    return found;
}

/// The contents first, by lines from the beginning of this text on, then all parts, with an empty line before each.
std::string whole_source(const std::string &provenance, const Parts &parts, const BlockPlan *blocks) {
    const auto lines_of = [](std::string_view text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); };
    struct Row {
        std::size_t line;
        std::string text;
    };
    std::vector<Row> rows;
    std::size_t line = 0;  // behind the contents
    for (const Part &part : parts) {
        ++line;  // the empty one
        rows.push_back({line, fmt::format("{:<22} {}", part.name, part.what)});
        if (blocks)
            for (const auto &[at, number] : group_lines(part.text)) {
                const BlockPlan::Group &group = blocks->groups.at(number - 1);
                constexpr std::size_t most = 60;
                const std::string name = group.name.substr(0, most) + (group.name.size() > most ? "..." : "");
                rows.push_back({line + at, fmt::format("    group {:<4} {} instructions of {}", number, group.instructions, name)});
            }
        line += lines_of(part.text);
    }
    std::string text = provenance + " *\n * Contents, by lines from the first one of this comment on:\n";
    const std::size_t before = lines_of(text) + rows.size() + 2;  // that of the first part's empty line
    for (const Row &row : rows) text += fmt::format(" * {:>6}  {}\n", before + row.line, row.text);
    text += " */\n";
    for (const Part &part : parts) {
        text += '\n';
        text += part.text;
    }
    return text;
}

std::string definitions(const Image &image, const DialectRow &dialect, const GenerateOptions &options) {
    const bool linked = options.any_program && dialect.dialect == Dialect::cuda;
    std::string text = linked                ? definitions_for_linked_program()
                       : options.any_program ? definitions_for_any_program()
                                             : definitions_for_program(image);
    if (needs_doubles(image)) text += "#define MOG_F64\n";
    if (options.unchecked) text += "#define MOG_UNCHECKED\n";
    if (keeps_fcsr(image)) text += "#define MOG_FCSR\n";
    // Who runs a source in another build has no mailboxes for it.
    if (!linked && dialect.dialect == Dialect::cuda && mailbox_words(image) != 0)
        text += fmt::format("#ifndef MOG_WITHOUT_MAILBOXES\n#define MOG_MAIL_WORDS {}u\n#endif\n", mailbox_words(image));
    return text + fmt::format("#ifndef MOG_WARP\n#define MOG_WARP {}u\n#endif\n", dialect.warp);
}

/// What follows the body of an instruction. `stops`: stop_effects.
const char *next_after(const OpInfo &row, std::uint16_t stops) {
    if (row.writes & Pc) return row.writes & stops ? "NEXT_AFTER_JUMP_UNLESS_STOPPED" : "NEXT_AFTER_JUMP";
    return row.writes & stops ? "NEXT_UNLESS_STOPPED" : "NEXT";
}

/// How an interpreter names the operands of an instruction.
Operands operands_of(const OpInfo &row, const std::string &space) {
    constexpr std::string_view reg = "REG(OPND)";
    Operands operands;
    operands[OperandWord::FPU] = "FPU";
    operands[OperandWord::SPACE] = space;
    operands[OperandWord::ADDRESS] = address_of(row.access, reg);
    operands[OperandWord::PUT] = "SET";
    operands[OperandWord::DST] = operands[OperandWord::SRC] = reg;
    operands[OperandWord::PUT2] = "SET_PAIR";
    operands[OperandWord::DST2] = "OPND";
    operands[OperandWord::SRC2] = "PAIR(OPND)";
    operands[OperandWord::NUMBER] = "OPND";
    operands[OperandWord::IMM] = "CONSTANT";
    // Where else an instruction goes, its JUMP finds out.
    if (row.operand == OperandKind::Label) operands[OperandWord::WAY] = "GO_TO(CONSTANT)";
    return operands;
}

std::string use_of(const OpInfo &row, const std::string &space) { return use_of(row, operands_of(row, space)); }

/// The parts of a superinstruction, a line each, and what closes the braces. Each goes on with the next one unless it stopped the PE
/// or jumped away.
std::string parts_of(const Superinstruction &super, const std::string &space, std::uint16_t stops) {
    std::string text, closing;
    for (std::size_t k = 0; k < super.parts.size(); ++k) {
        const OpInfo &row = info(super.parts[k]);
        const std::string use = use_of(row, space);
        text += fmt::format("                {}(0x{:02x}u) ", k == 0 ? "FIRST" : "PART", static_cast<unsigned>(row.op));
        if (k + 1 == super.parts.size()) {
            text += fmt::format("{} {}\n", use, next_after(row, stops));
        } else if (row.operand == OperandKind::Label && !ends_block(row.op)) {
            text += fmt::format("{{ u32 straight = pc; {} if (pc != straight) NEXT_AFTER_JUMP else {{\n", use);
            closing += " } }";
        } else if (row.writes & stops) {
            text += fmt::format("{} if (stop == 0u) {{\n", use);
            closing += " }";
        } else {
            text += use + '\n';
        }
    }
    return text + fmt::format("            }}{}\n", closing);
}

/// What serves a superinstruction, with `on` before it.
std::string fused_lines(const Superinstruction &super, std::string_view on, const std::string &space, std::uint16_t stops) {
    return fmt::format("            {}(0x{:02x}u) {{\n", on, static_cast<unsigned>(super.code)) + parts_of(super, space, stops);
}

std::string comment(std::string_view number, std::string_view name, std::string_view manual, std::size_t count, std::size_t all) {
    return comment_lines(fmt::format("{}  {}  {}   {} static, {:.1f} %", number, name, manual, count,
                                     100.0 * static_cast<double>(count) / static_cast<double>(all)),
                         "            ");
}

Part instructions(const Image &image) { return {"instructions", "what each of the program's instructions does", instruction_page(image)}; }

void add_linked(Parts &parts, const LinkedGroups &linked) {
    if (!linked.names.empty()) add(parts, {"form_linked.h"});
}

/// A template of compiled blocks with groups in it, and the calls of these.
Result<std::string> with_groups(std::string_view file, std::string_view groups, std::string_view calls) {
    auto text = fill_hole(template_text(file), "//@ GROUPS", groups);
    if (text) text = fill_hole(*text, "//@ CALLS", calls);
    if (!text) return Error{fmt::format("the template {} lacks a line `//@ GROUPS` or `//@ CALLS`", file), {}};
    return file == "blocks.c" ? fmt::format("#define MOG_LEAST_BLOCK_DATA {}u\n\n", most_window_bytes) + *text : *std::move(text);
}
Result<std::string> with_groups(std::string_view file, const Image &image, const BlockPlan &plan, BlockForm form,
                                const LinkedGroups &linked) {
    return with_groups(file, group_declarations(plan) + linked_declarations(image, linked) + group_functions(image, plan, form, linked),
                       group_calls(plan, linked) + linked_calls(linked));
}

void add_spaces(Parts &parts, const Image &image, SpacesFor whom) {
    if (auto pages = space_pages(image, whom); !pages.empty()) parts.push_back({"spaces", "where memory is besides", std::move(pages)});
}

/// What every source has before its compiled blocks and its interpreter.
Parts before_blocks(const Image &image, const DialectRow &row, const GenerateOptions &options) {
    const bool doubles = needs_doubles(image), fcsr = keeps_fcsr(image), floats = needs_floats(image) || fcsr;
    Parts parts = {
        {"definitions", options.any_program ? "what is told of a program" : "made for the program", definitions(image, row, options)}};
    add(parts, {"launch_abi.h"});
    if (floats) add(parts, {"float_modes.h"});
    add(parts, {row.file});
    if (options.any_program && row.dialect == Dialect::cuda)
        parts.back().text += fmt::format("extern \"C\" __constant__ u32 {}[];\n", linked_program_words);
    // Arithmetic in software where who compiles may ask for it; the host's processor has floats of its own.
    if (doubles || fcsr || (floats && row.dialect != Dialect::host)) add(parts, {"soft_float.h"});
    if (doubles && !fcsr) add(parts, {"pair_float.h"});
    add(parts, {"integer_arithmetic.h"});
    if (floats) add(parts, {"float_arithmetic.h"});
    if (doubles) add(parts, {"double_arithmetic.h"});
    add(parts, {"vocabulary.h"});
    if (uses(image, Op::reserve_)) add(parts, {"reserve.h"});
    add(parts, {"space_private.h"});
    add_spaces(parts, image, options.any_program ? SpacesFor::any_program : SpacesFor::thread);
    parts.push_back(instructions(image));
    return parts;
}

/// What kernels that do calls by themselves (own_calls.h) are told of them.
struct Number {
    const char *name;
    std::uint32_t value;
};

std::string definitions_of(std::span<const Number> numbers) {
    std::string text;
    for (const auto &[name, value] : numbers) text += fmt::format("#define {} 0x{:x}u\n", name, value);
    return text;
}

std::string mailbox_definitions() {
    constexpr Number numbers[] = {
        {"MAIL_CALL", guest::call_mog_mpi},
        {"MAIL_SEND", MOG_MPI_send},
        {"MAIL_RECEIVE", MOG_MPI_receive},
        {"MAIL_PROBE", MOG_MPI_probe},
        {"MAIL_WAIT", MOG_MPI_wait},
        {"MAIL_YIELD", MOG_MPI_yield},
        {"MAIL_NONBLOCKING", MOG_MPI_NONBLOCKING},
        {"MAIL_WORLD", MOG_MPI_WORLD},
        {"MAIL_INTERNAL", MOG_MPI_INTERNAL},
        {"MAIL_ANY_SOURCE", static_cast<std::uint32_t>(MPI_ANY_SOURCE)},
        {"MAIL_ANY_TAG", static_cast<std::uint32_t>(MPI_ANY_TAG)},
        {"MAIL_RESULT_DONE", MOG_MPI_DONE},
        {"MAIL_TRUNCATED", MPI_ERR_TRUNCATE},
    };
    return definitions_of(numbers);
}

std::string futex_definitions() {
    constexpr Number numbers[] = {
        {"FUTEX_CALL", guest::call_futex},      {"FUTEX_OPERATIONS", ~(guest::FUTEX_PRIVATE_FLAG_MIPS | guest::FUTEX_CLOCK_REALTIME_MIPS)},
        {"FUTEX_WAIT", guest::FUTEX_WAIT_MIPS}, {"FUTEX_WAKE", guest::FUTEX_WAKE_MIPS},
        {"FUTEX_HAS_CHANGED", EAGAIN},  // of those that are the same on every machine
    };
    return definitions_of(numbers);
}

/// Calls that PEs do without the host. Which of them, is known when it is compiled.
void add_own_calls(Parts &parts, const Image &image, const GenerateOptions &options) {
    if (!options.any_program && !uses(image, Op::sys_)) return;
    add(parts, {"own_calls.h"});
    parts.back().text = fmt::format("#ifdef MOG_PROCESSES\n{}#endif\n{}", futex_definitions(), parts.back().text);
    if (!options.any_program && mailbox_words(image) == 0) return;
    add(parts, {"mailboxes.h"});
    parts.back().text = fmt::format("#ifdef MOG_MAIL_WORDS\n{}\n{}#endif\n", mailbox_definitions(), parts.back().text);
}

std::string subinterpreters(const Image &image, const Order &order) {
    const auto counts = fused_counts(image, Shape::sequence), counts_of_switch = fused_counts(image, Shape::switch_);
    const std::uint16_t stops = stop_effects(image);
    const std::string space = space_of_access(image);
    const auto find_super = [&](Op op) { return *std::ranges::find(image.superinstructions, op, &Superinstruction::code); };
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
        text += row ? fmt::format("            {}(0x{:02x}u) {{ {} {} }}\n", on, code, use_of(*row, space), next_after(*row, stops))
                    : fused_lines(find_super(op), on, space, stops);
        seen[code] = true;
    }
    section(false);
    std::string rest;
    for (const Superinstruction &super : superinstructions_of(image, Shape::switch_)) {
        const auto code = static_cast<std::uint8_t>(super.code);
        if (seen[code]) continue;
        rest += comment("-", op_name(image, super.code), "", counts_of_switch[code], image.text.size());
        rest += fused_lines(super, "ON", space, stops);
    }
    if (!rest.empty())
        text +=
            "            /* More superinstructions, for the switch, which does not lose by their number. */\n"
            "#if defined(MOG_FUSED) && defined(MOG_ENGINE_SWITCH)\n" +
            rest + "#endif\n";
    return text + std::string(end_marker);
}

}  // namespace

Result<std::string> generate(const Image &image, Dialect dialect, const Order &order, const GenerateOptions &options) {
    if (!covers(order, image)) return Error{"the order of subinterpreters does not fit the program's instructions", {}};
    const DialectRow &row = dialects[static_cast<std::size_t>(dialect)];
    if (options.unchecked && has_spaces(image))
        return Error{"which space an address is in is not known without a check: leave out --unchecked", {}};
    auto interpreter = fill_hole(template_text("interpreter.c"), hole, subinterpreters(image, order));
    if (!interpreter) return Error{"the template interpreter.c has no line `//@ SUBINTERPRETERS`", {}};

    const bool blocks = options.blocks && (!options.blocks->empty() || options.around_blocks);
    const bool is_cuda = dialect == Dialect::cuda, warp = is_cuda || options.by_warps;
    Parts parts = before_blocks(image, row, options);
    if (options.any_program && is_cuda) parts.front().text += "#define MOG_ONLY_INTERPRETER\n";
    if (blocks) {
        add(parts, {"form_thread.h"});
        if (warp) add(parts, {"form_warp.h"});
        add_linked(parts, options.linked);
        auto code = with_groups("blocks.c", image, *options.blocks, warp ? BlockForm::warp : BlockForm::thread, options.linked);
        if (!code) return code;
        parts.push_back({"blocks.c", "compiled blocks", *std::move(code)});
    }
    if (is_cuda) add_own_calls(parts, image, options);
    add(parts, {"form_interpreter.h"});
    parts.push_back({"interpreter.c", "kernels, and the subinterpreters in order", *std::move(interpreter)});
    return whole_source(provenance(image, row, order, options), parts, options.blocks);
}

Result<std::string> generate_blocks_part(const BlocksPart &part) {
    const DialectRow &row = dialects[static_cast<std::size_t>(Dialect::cuda)];
    Parts parts = before_blocks(part.instructions, row, {.any_program = true});
    parts.front().text += part.head;
    add(parts, {"form_thread.h", "form_warp.h", "form_part.h"});
    add_linked(parts, part.linked);
    auto code =
        with_groups("blocks.c", linked_declarations(part.instructions, part.linked) + std::string(part.groups), linked_calls(part.linked));
    if (!code) return code;
    parts.push_back({"blocks.c", "compiled blocks", *std::move(code)});
    const std::string who =
        broken(fmt::format("/* {}: a part of kernels in {}. {}{}. Do not edit.", part.name, row.name, generated_mark, MOG_VERSION), " * ");
    return whole_source(who + "\n", parts, nullptr);
}

Result<std::string> generate_lanes(const Image &image, const Order &order, const BlockPlan &plan, const GenerateOptions &options) {
    const DialectRow &row = dialects[static_cast<std::size_t>(Dialect::host)];
    auto code = with_groups("lanes.c", image, plan, BlockForm::lanes, {});
    if (!code) return code;
    const bool floats = needs_floats(image);
    Parts parts = {{"definitions", "made for the program", definitions(image, row, options)}};
    // Lanes that have floats have doubles, whether the program does or not.
    if (floats && !needs_doubles(image)) parts.front().text += "#define MOG_F64\n";
    add(parts, {"launch_abi.h"});
    if (floats) add(parts, {"float_modes.h"});
    add(parts, {row.file, "integer_arithmetic.h"});
    if (floats) add(parts, {"float_arithmetic.h", "double_arithmetic.h"});
    add(parts, {"vocabulary.h"});
    if (uses(image, Op::reserve_)) add(parts, {"reserve.h"});
    add(parts, {"space_private.h"});
    add_spaces(parts, image, SpacesFor::lanes);
    parts.push_back(instructions(image));
    add(parts, {"wide_vectors.h", "lanes_avx512.h", "lanes_vectors.h", "lanes.h"});
    if (floats) add(parts, {"lanes_floats.h"});
    add(parts, {"space_private_lanes.h"});
    if (auto pages = lanes_space_pages(image); !pages.empty())
        parts.push_back({"lanes of spaces", "where other memory of lanes is", std::move(pages)});
    add(parts, {"form_lanes.h"});
    if (uses(image, Op::reserve_)) add(parts, {"reserve_lanes.h"});
    parts.push_back({"lanes.c", "compiled blocks of lanes", *std::move(code)});
    return whole_source(provenance(image, row, order, options), parts, &plan);
}

}  // namespace mog
