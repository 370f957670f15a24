// program.cpp: names of registers and places.
#include "translator/ptx/program.hpp"

#include <fmt/format.h>

#include <bit>

#include <algorithm>
#include <unordered_map>

namespace mog::ptx {
namespace {

constexpr bool once = false, anew = true;
constexpr SpecialInfo special_table[] = {
#define MOG_PTX_SPECIAL(name, text, type, when) {text, Type::type, when},
#include "translator/ptx/specials.def"
};

}  // namespace

const SpecialInfo &info(Special special) { return special_table[static_cast<std::size_t>(special)]; }

std::optional<Special> special_named(std::string_view text) {
    static const auto by_text = [] {
        std::unordered_map<std::string_view, Special> result;
        for (std::size_t at = 0; at < std::size(special_table); ++at) result.emplace(special_table[at].text, static_cast<Special>(at));
        return result;
    }();
    const auto found = by_text.find(text);
    if (found == by_text.end()) return std::nullopt;
    return found->second;
}

std::string Function::register_name(std::uint32_t reg) const {
    const auto after = std::ranges::upper_bound(ranges, reg, {}, &RegisterRange::first);
    const RegisterRange &range = *std::prev(after);
    return range.is_numbered ? fmt::format("{}{}", range.name, reg - range.first) : range.name;
}

std::uint32_t Function::add_register(std::string reg_name, Type type) {
    const auto number = static_cast<std::uint32_t>(registers.size());
    ranges.push_back({std::move(reg_name), type, false, number, 1});
    registers.push_back(type);
    return number;
}

const Function *Program::function(std::string_view wanted) const {
    const auto found = std::ranges::find(functions, wanted, &Function::name);
    return found == functions.end() ? nullptr : &*found;
}

std::string Program::text_of(const Place &place) const {
    std::string text = fmt::format("{}:{}", name, place.line);
    if (place.file != 0 && place.file < files.size() && place.source_line != 0)
        text += fmt::format(" ({}:{})", files[place.file], place.source_line);
    return text;
}

std::uint64_t number_as(const Operand &operand, Type type) {
    double real = 0;
    switch (operand.kind) {
        case Operand::Kind::single:
            if (type != Type::f64) return static_cast<std::uint32_t>(operand.value);
            real = std::bit_cast<float>(static_cast<std::uint32_t>(operand.value));
            return std::bit_cast<std::uint64_t>(real);
        case Operand::Kind::real:
            real = std::bit_cast<double>(operand.value);
            if (type == Type::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(real));
            return static_cast<std::uint64_t>(operand.value);
        default:
            if (type == Type::f64) return std::bit_cast<std::uint64_t>(static_cast<double>(operand.value));
            if (type == Type::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(operand.value));
            return static_cast<std::uint64_t>(operand.value);
    }
}

}  // namespace mog::ptx
