// any_program.cpp: the words that stand for a program's constants, and the program that has every instruction.
#include "assembler/emit/any_program.hpp"

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/generate.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/image/read_only.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/order/ordering.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {

namespace {

std::uint32_t role_of(const Image &image, Role role) { return image.roles[static_cast<std::size_t>(role)]; }

/// In their order: a word's name as a definition, what it is, and how that is written.
struct Word {
    const char *name;
    std::uint32_t (*of)(const Image &);
    const char *format = "{}u";
};
/// Behind them: functions of the host and their arguments, of 64 bits each; the number of processes; words of a mailbox; and of each space
/// besides "private" how many bytes it has, and the word where it begins.
constexpr std::size_t host_function_words = 8;
constexpr const char *told_spaces[] = {"CONSTANTS", "SHARED"};
constexpr Word told_words[] = {
    {"MOG_NREGS", [](const Image &image) { return static_cast<std::uint32_t>(image.register_names.size()); }},
    {"MOG_REG_SP", [](const Image &image) { return role_of(image, Role::sp); }},
    {"MOG_REG_RA", [](const Image &image) { return role_of(image, Role::ra); }},
    {"MOG_REG_V0", [](const Image &image) { return role_of(image, Role::v0); }},
    {"MOG_REG_A0", [](const Image &image) { return role_of(image, Role::a0); }},
    {"MOG_REG_A1", [](const Image &image) { return role_of(image, Role::a1); }},
    {"MOG_REG_A2", [](const Image &image) { return role_of(image, Role::a2); }},
    {"MOG_REG_A3", [](const Image &image) { return role_of(image, Role::a3); }},
    {"MOG_CPOOL_SHIFT", [](const Image &image) { return image.cpool_shift; }, "{}"},
    {"MOG_CODE_BASE", [](const Image &image) { return image.code_base; }, "0x{:08x}u"},
    {"MOG_READ_ONLY_BASE", [](const Image &image) { return read_only_of(image).begin; }, "0x{:08x}u"},
    {"MOG_READ_ONLY_BYTES", [](const Image &image) { return read_only_of(image).bytes(); }},
    {"MOG_CODE_WORDS", [](const Image &image) { return static_cast<std::uint32_t>(image.code_map.size()); }},
};

}  // namespace

Image image_of_every_instruction(bool fcsr) {
    std::vector<Op> ops;
    for (const OpInfo &row : isa)
        if (fcsr || !((row.reads | row.writes) & Fcsr)) ops.push_back(row.op);
    return image_of_instructions(ops);
}

Image image_of_instructions(std::span<const Op> ops) {
    Image image;
    for (const Op op : ops) image.text.push_back(static_cast<std::uint16_t>(static_cast<unsigned>(op) << 8));
    image.cpool = {0, 0};
    image.code_map = {MOG_NO_CODE};
    image.register_names = {"sp"};
    const std::uint8_t some[8] = {};
    set_constants(image, some);
    add_window(image, 0);
    return image;
}

Result<std::string> generate_for_any_program(const Image &every_instruction) {
    const BlockPlan none;
    return generate(every_instruction, Dialect::opencl, table_order(every_instruction),
                    {.program_name = "any program", .blocks = &none, .around_blocks = true, .any_program = true});
}

std::vector<std::uint32_t> told_of_program(const Image &image, const HostFunctions &host, const RunSizes &run) {
    std::vector<std::uint32_t> told;
    for (const Word &word : told_words) told.push_back(word.of(image));
    for (const std::uint64_t address : {host.compiled.function, host.compiled.argument, host.turns.function, host.turns.argument})
        for (const unsigned shift : {0u, 32u}) told.push_back(static_cast<std::uint32_t>(address >> shift));
    told.push_back(run.processes);
    told.push_back(mailbox_words(image));
    const SpaceBuffer spaces = space_buffer(image, run.window_bytes);
    const std::uint64_t bytes_and_places[][2] = {{spaces.constants.size(), spaces.constants_at},
                                                 {spaces.window_at == 0 ? 0 : run.window_bytes, spaces.window_at}};
    static_assert(std::size(bytes_and_places) == std::size(told_spaces));
    for (const auto &space : bytes_and_places)
        for (const std::uint64_t word : space) told.push_back(static_cast<std::uint32_t>(word));
    return told;
}

std::string definitions_for_program(const Image &image) {
    std::string text;
    for (const Word &word : told_words)
        text += fmt::format("#define {} {}\n", word.name, fmt::format(fmt::runtime(word.format), word.of(image)));
    return text;
}

std::string definitions_for_linked_program() {
    std::string text =
        "#define SPACES_PARAMETER , DEVICE_BUFFER u32 *spaces\n"
        "#define SPACES_ARGUMENT , spaces\n"
        "#define SPACES_MAYBE_UNUSED (void)spaces;\n";
    std::size_t index = 0;
    const auto define = [&](std::string_view name) { text += fmt::format("#define {} {}[{}]\n", name, linked_program_words, index++); };
    for (const Word &word : told_words) define(word.name);
    index += host_function_words;
    // With threads, the options say that there are some.
    text += "#ifdef MOG_PROCESSES\n#undef MOG_PROCESSES\n";
    define("MOG_PROCESSES");
    text += "#endif\n";
    text += "#ifndef MOG_WITHOUT_MAILBOXES\n";
    define("MOG_MAIL_WORDS");
    text += "#endif\n";
    for (const std::string_view space : told_spaces) {
        define(fmt::format("{}_BYTES", space));
        define(fmt::format("{}_AT", space));
    }
    return text;
}

std::string definitions_for_any_program() {
    std::string text =
        "/* As many registers as operands can name. */\n"
        "#define MOG_MOST_REGS 256u\n"
        "#define SPACES_PARAMETER , CONSTANT_BUFFER u32 *program, DEVICE_BUFFER u32 *spaces\n"
        "#define SPACES_ARGUMENT , program, spaces\n"
        "/* In variables of the function, so that stores to DATA cannot change them. */\n"
        "#define SPACES_MAYBE_UNUSED";
    std::size_t index = 0;
    for (const Word &word : told_words) text += fmt::format(" \\\n    MAYBE_UNUSED const u32 {}_ = program[{}];", word.name, index++);
    const std::size_t processes = index + host_function_words;
    std::string spaces;
    std::size_t next = processes + 2;  // kernels of OpenCL have no mailboxes
    for (const std::string_view name : told_spaces) {
        text += fmt::format(" \\\n    MAYBE_UNUSED const u32 {0}_BYTES_ = program[{1}], {0}_AT_ = program[{2}];", name, next, next + 1);
        spaces += fmt::format("#define {0}_BYTES {0}_BYTES_\n#define {0}_AT {0}_AT_\n", name);
        next += 2;
    }
    text += fmt::format(" \\\n    (void)spaces;\n#define MOG_PROCESSES program[{}]\n{}", processes, spaces);
    for (const Word &word : told_words) text += fmt::format("#define {0} {0}_\n", word.name);
    text += fmt::format(
        "/* What the host compiles while PEs run is called where no group is compiled. */\n"
        "#ifdef MOG_CALLS_HOST\n"
        "#define ELSEWHERE if (entry < MOG_NATIVE_ENTRY) return; \\\n"
        "    mog_call_host(TWO(program[{0}], program[{1}]), TWO(program[{2}], program[{3}]), (u64)s, (u64)registers, (u64)mem); break;\n"
        "#define TURNS_OF_HOST TWO(program[{4}], program[{5}])\n"
        "#define TURNS_ARGUMENT TWO(program[{6}], program[{7}])\n"
        "#endif\n",
        index, index + 1, index + 2, index + 3, index + 4, index + 5, index + 6, index + 7);
    return text;
}

}  // namespace mog
