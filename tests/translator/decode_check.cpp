// decode_check: reads a disassembly by binutils (objdump -d -M no-aliases,reg-names=numeric) on standard input and compares every line with
// the translator's own decoder. With --words it writes random words instead, some for every row of mips.def.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <regex>
#include <string>

#include "translator/mips/mips.hpp"

namespace {

/// Where we and binutils differ on purpose.
struct Divergence {
    const char *objdump;  ///< how its text begins
    const char *ours;
    const char *reason;
};
constexpr Divergence divergences[] = {
    {"ssnop", "sll", "a superscalar nop is a nop"},
    {"ehb", "sll", "a hazard barrier is a nop"},
    {"rdhwr", "rdhwr", "binutils names the register, we number it"},
    {"pref", "pref", "hints are printed in different ways"},
    {"sync", "sync", "stypes have names"},
};

std::string squeeze(const std::string &text) {
    // "beq\t$2,$0,400130 <main+0x10>" -> "beq\t$2,$0,400130"
    static const std::regex symbol(R"(\s*<[^>]*>)"), space(R"([ \t]+)"), doubt(R"( or \$\d+)"), hex("0x");
    // "clz $15 or $21,$4": of two fields that must agree; "0x400130" or "400130": targets, linked or not.
    std::string result = std::regex_replace(std::regex_replace(text, symbol, ""), doubt, "");
    result = std::regex_replace(std::regex_replace(result, hex, ""), space, "\t");
    while (!result.empty() && (result.back() == '\t' || result.back() == '\r')) result.pop_back();
    return result;
}

int write_words() {
    std::mt19937 random(1);
    for (const char *pattern : {
#define MIPS_OP(name, pattern, syntax, lowering) pattern,
#include "translator/mips/mips.def"
         }) {
        if (*pattern == '\0') continue;  // the translator's own: no words
        for (int i = 0; i < 50; ++i) {
            std::uint32_t word = 0;
            for (const char *p = pattern; *p != '\0'; ++p) {
                if (*p == ' ') continue;
                word = word << 1 | (*p == '1' || (*p != '0' && (random() & 1)) ? 1u : 0u);
            }
            // clz and clo name their result twice, and want both fields to agree.
            if (std::strchr(pattern, '.') != nullptr) word = (word & ~0x001f0000u) | (word >> 11 & 31) << 16;
            if (std::fwrite(&word, 4, 1, stdout) != 1) return 2;
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::strcmp(argv[1], "--words") == 0) return write_words();

    static const std::regex line_form(R"(^\s*([0-9a-f]+):\s+([0-9a-f]{8})\s+(.*)$)");
    std::string line;
    std::size_t compared = 0, wrong = 0, excused = 0;
    while (std::getline(std::cin, line)) {
        std::smatch match;
        if (!std::regex_match(line, match, line_form)) continue;
        mog::MipsInstruction instruction;
        instruction.address = static_cast<std::uint32_t>(std::stoul(match[1], nullptr, 16));
        instruction.word = static_cast<std::uint32_t>(std::stoul(match[2], nullptr, 16));
        instruction.op = &mog::decode_mips(instruction.word);
        const std::string theirs = squeeze(match[3]), ours = squeeze(mog::disassemble_mips(instruction));
        ++compared;
        if (theirs == ours || (instruction.op->name == "illegal" && theirs.starts_with(".word"))) continue;
        bool known = false;
        for (const Divergence &d : divergences) known = known || (theirs.starts_with(d.objdump) && ours.starts_with(d.ours));
        if (known) {
            ++excused;
            continue;
        }
        if (++wrong <= 40) fmt::print("{:08x}: binutils: {}   ours: {}\n", instruction.word, theirs, ours);
    }
    fmt::print("{} words compared, {} differ, {} differ for a known reason\n", compared, wrong, excused);
    return wrong == 0 && compared > 0 ? 0 : 1;
}
