// print.cpp: a MOG program as assembly text.
#include "assembler/text/print.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembler/text/lex.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

/// "$sp", or "$5" where the name is no good: not plain, or an earlier register's.
std::string written_register(std::uint32_t number, const std::vector<std::string> &names) {
    if (number < names.size() && is_plain_name(names[number]) && names[number][0] != '.' &&
        std::find(names.begin(), names.end(), names[number]) - names.begin() == static_cast<std::ptrdiff_t>(number))
        return '$' + names[number];
    return fmt::format("${}", number);
}

/// Small numbers in decimal, addresses and patterns in hexadecimal.
std::string written_constant(std::uint32_t value) {
    const auto number = static_cast<std::int32_t>(value);
    return number >= -32768 && number < 65536 ? fmt::format("{}", number) : fmt::format("0x{:08x}", value);
}

void print_header(const MogProgram &program, std::string &out) {
    for (std::size_t i = 0; i < program.register_names.size(); i += 16) {
        out += ".register";
        for (std::size_t k = i; k < std::min(i + 16, program.register_names.size()); ++k)
            out += ' ' + written_name(program.register_names[k]);
        out += '\n';
    }
    for (std::size_t i = 0; i < role_count; ++i) {
        const char *name = role_name(static_cast<Role>(i));
        const auto &names = program.register_names;
        const auto named = std::find(names.begin(), names.end(), name);
        const std::size_t usual = named == names.end() ? no_register : static_cast<std::size_t>(named - names.begin());
        const std::uint8_t number = program.roles[i];
        if (number == usual) continue;
        out += fmt::format(".role {} {}\n", name, number == no_register ? "none" : written_register(number, names));
    }
    out += fmt::format(".code 0x{:08x}, {}\n", program.code_base, program.code_bytes);
    out += fmt::format(".brk 0x{:08x}\n", program.brk);
    if (program.read_only.begin != program.read_only.end)
        out += fmt::format(".readonly 0x{:08x}, 0x{:08x}\n", program.read_only.begin, program.read_only.end);
    if (program.window_bytes) out += fmt::format(".shared {}\n", *program.window_bytes);
    out += ".marked\n";
    for (const Block &block : program.blocks)
        if (block.id == program.entry) out += fmt::format(".entry {}\n", written_name(block.label));
}

const char *entry_name(Entry entry) { return entry == Entry::Return ? "return" : entry == Entry::Function ? "function" : "label"; }

void print_code(const MogProgram &program, std::string &out) {
    const auto positions = program.positions();
    std::uint32_t address = 0;
    auto line = program.lines.begin();
    out += "\n.text\n";
    for (const Block &block : program.blocks) {
        out += written_name(block.label) + ':';
        if (block.code_address) out += fmt::format("  .map 0x{:08x}, {}", *block.code_address, entry_name(block.entry));
        out += '\n';
        for (const Instruction &instruction : block.code) {
            if (instruction.address != address) {
                address = instruction.address;
                std::string directive = fmt::format("    .at 0x{:08x}", address);
                // Where the source line changes, tell the reader.
                line = std::upper_bound(program.lines.begin(), program.lines.end(), address,
                                        [](std::uint32_t a, const Line &l) { return a < l.address; });
                if (line != program.lines.begin() && (--line)->address == address && line->line != 0 && line->file < program.files.size() &&
                    program.files[line->file].find('\n') == std::string::npos)
                    directive += fmt::format("    ; {}:{}", program.files[line->file], line->line);
                out += directive + '\n';
            }
            std::string label;
            if (info(instruction.op).operand == OperandKind::Label) {
                const auto target = positions.find(instruction.operand);
                if (target) label = program.blocks[*target].label;
            }
            std::string text = "        " + print_instruction(instruction, program.register_names, label);
            if (instruction.jump != JumpKind::plain)
                text = fmt::format("{:<35} {}", text, instruction.jump == JumpKind::call ? ".call" : ".return");
            if (instruction.retires != 0) {
                text = fmt::format("{:<35} .retire", text);
                if (instruction.retires != 1) text += fmt::format(" {}", instruction.retires);
            }
            out += text + '\n';
        }
    }
}

/// Prints bytes [from, to) of DATA, which hold no symbol but at `from`.
void print_bytes(const std::vector<std::uint8_t> &data, std::size_t from, std::size_t to, std::string &out) {
    const auto run = [&](std::size_t start, std::size_t limit, auto &&belongs) {
        std::size_t end = start;
        while (end < std::min(to, start + limit) && belongs(data[end])) ++end;
        return end - start;
    };
    const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
    const auto is_text = [](std::uint8_t byte) { return (byte >= ' ' && byte < 127) || byte == '\n' || byte == '\t'; };
    while (from < to) {
        if (const std::size_t zeros = run(from, to - from, is_zero); zeros >= 16 || (zeros == to - from && zeros > 4)) {
            out += fmt::format("        .space {}\n", zeros);
            from += zeros;
        } else if (const std::size_t length = run(from, 72, is_text); length >= 6) {
            const std::string_view text(reinterpret_cast<const char *>(&data[from]), length);
            const bool closed = from + length < to && data[from + length] == 0;
            out += fmt::format("        {} {}\n", closed ? ".asciz" : ".ascii", in_quotes(text));
            from += length + (closed ? 1 : 0);
        } else if (from % 4 == 0 && to - from >= 4) {
            out += "        .word";
            for (int n = 0; n < 6 && to - from >= 4; ++n, from += 4) {
                if (n != 0 && (run(from, 6, is_text) >= 6 || run(from, 16, is_zero) >= 16)) break;
                const std::uint32_t word =
                    data[from] | data[from + 1] << 8 | data[from + 2] << 16 | static_cast<std::uint32_t>(data[from + 3]) << 24;
                out += fmt::format("{} {}", n == 0 ? "" : ",", written_constant(word));
            }
            out += '\n';
        } else {
            const std::size_t end = std::min(to, from / 4 * 4 + 4);
            out += "        .byte";
            for (const std::size_t first = from; from < end; ++from) out += fmt::format("{} {}", from == first ? "" : ",", data[from]);
            out += '\n';
        }
    }
}

/// Bytes from an address on, with the names of what is there.
void print_from(std::uint32_t base, const std::vector<std::uint8_t> &bytes, const MogProgram &program, std::string &out) {
    std::size_t from = 0;
    for (const Symbol &symbol : program.symbols) {
        const std::size_t offset = std::size_t{symbol.address} - base;
        if (symbol.is_code || symbol.address < base || offset >= bytes.size() || offset < from) continue;
        print_bytes(bytes, from, offset, out);
        out += fmt::format("    ; {}\n", is_plain_name(symbol.name) ? symbol.name : in_quotes(symbol.name));
        from = offset;
    }
    print_bytes(bytes, from, bytes.size(), out);
}

void print_data(const MogProgram &program, std::string &out) {
    if (!program.constants.empty()) {
        out += "\n.constants\n";
        print_from(constants_base, program.constants, program, out);
    }
    if (program.data.empty()) return;
    out += fmt::format("\n.data 0x{:08x}\n", MOG_DATA_BASE);
    print_from(MOG_DATA_BASE, program.data, program, out);
}

void print_debug(const MogProgram &program, std::string &out) {
    if (!program.symbols.empty()) out += '\n';
    for (const Symbol &symbol : program.symbols)
        out += fmt::format(".symbol {}, 0x{:08x}, {}, {}\n", written_name(symbol.name), symbol.address, symbol.size,
                           symbol.is_code ? "code" : "data");
    if (!program.files.empty()) out += '\n';
    for (const std::string &file : program.files) out += fmt::format(".file {}\n", in_quotes(file));
    for (const Line &line : program.lines) out += fmt::format(".line 0x{:08x}, {}, {}\n", line.address, line.file, line.line);
    if (!program.frames.empty()) out += '\n';
    for (const FrameRule &rule : program.frames) {
        if (rule.base == FrameRule::Base::None) out += fmt::format(".frame 0x{:08x}, none\n", rule.address);
        else
            out += fmt::format(".frame 0x{:08x}, {}, {}, {}, {}\n", rule.address, rule.base == FrameRule::Base::Sp ? "sp" : "fp",
                               rule.offset, rule.ra, rule.fp);
    }
}

}  // namespace

std::string print_instruction(const Instruction &instruction, const std::vector<std::string> &register_names, const std::string &label) {
    const OpInfo &row = info(instruction.op);
    switch (row.operand) {
        case OperandKind::None: return std::string(row.name);
        case OperandKind::Reg:
        case OperandKind::Pair: return fmt::format("{:<5} {}", row.name, written_register(instruction.operand, register_names));
        case OperandKind::Byte: return fmt::format("{:<5} {}", row.name, instruction.operand);
        case OperandKind::Const: return fmt::format("{:<5} {}", row.name, written_constant(instruction.operand));
        case OperandKind::Label: return fmt::format("{:<5} {}", row.name, written_name(label));
    }
    return {};
}

std::string print(const MogProgram &program) {
    std::string out;
    print_header(program, out);
    print_code(program, out);
    print_data(program, out);
    print_debug(program, out);
    return out;
}

}  // namespace mog
