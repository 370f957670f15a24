// instruction_page.cpp: rows of isa.def as definitions of the preprocessor.
#include "assembler/emit/instruction_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assembler/image/facts.hpp"

namespace mog {

std::string instruction_page(const Image &image) {
    std::string text = "/* The program's instructions, as isa.def has them; vocabulary.h explains the words. */\n";
    for (const Op op : used_ops(image)) {
        const OpInfo &row = info(op);
        std::vector<std::string_view> words;
        for (const OperandWord word : operand_words(row)) words.push_back(name_of(word));
        text += broken(fmt::format("#define OP_{}({}) {}", row.name, fmt::join(words, ", "), row.body), "    ", " \\") + '\n';
    }
    return text;
}

std::string use_of(const OpInfo &row, const Operands &operands) {
    std::string text = fmt::format("OP_{}(", row.name);
    std::string_view separator;
    for (const OperandWord word : operand_words(row)) {
        text += separator;
        text += operands[word];
        separator = ", ";
    }
    return text + ')';
}

std::string address_of(const Access &access, std::string_view reg) {
    switch (access.address) {
        case AddressIn::acc: return "ACC";
        case AddressIn::reg: return std::string(reg);
        case AddressIn::sum: return fmt::format("ACC + {}", reg);
        case AddressIn::no_access: break;
    }
    return {};
}

std::string broken(std::string_view line, std::string_view next, std::string_view more) {
    std::string text;
    std::size_t room = longest_line;
    while (line.size() > room) {
        // Not in the indentation, and with room for what ends the line.
        const std::size_t begin = line.find_first_not_of(' ');
        std::size_t space = line.rfind(' ', room - more.size());
        if (space == line.npos || space <= begin) space = line.find(' ', begin);
        if (space == line.npos) break;
        text += line.substr(0, space);
        text += more;
        text += '\n';
        text += next;
        line.remove_prefix(space + 1);
        room = longest_line - next.size();
    }
    return text + std::string(line);
}

std::string comment_lines(std::string_view text, std::string_view indentation) {
    constexpr std::size_t most = 90;
    std::string shortened;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        shortened += ' ';
        shortened += text.substr(0, std::min(end, most));
        if (end > most) shortened += "...";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return broken(fmt::format("{}/*{} */", indentation, shortened), fmt::format("{} * ", indentation)) + '\n';
}

}  // namespace mog
