// types.cpp: the tables of types and words, looked up both ways.
#include "translator/ptx/types.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace mog::ptx {
namespace {

constexpr TypeInfo type_table[] = {
    {"", 0, TypeKind::none},
#define MOG_PTX_TYPE(name, bits, kind, cpp) {#name, bits, TypeKind::kind},
#include "translator/ptx/types.def"
};

constexpr std::string_view word_table[] = {
    "",
#define MOG_PTX_WORD(name, text) text,
#include "translator/ptx/words.def"
};

}  // namespace

const TypeInfo &info(Type type) { return type_table[static_cast<std::size_t>(type)]; }

Type type_named(std::string_view name) {
    static const auto by_name = [] {
        std::unordered_map<std::string_view, Type> result;
        for (std::size_t at = 1; at < std::size(type_table); ++at) result.emplace(type_table[at].name, static_cast<Type>(at));
        return result;
    }();
    const auto found = by_name.find(name);
    return found == by_name.end() ? Type::none : found->second;
}

unsigned register_bits(Type type) { return std::max(16u, bits_of(type)); }

std::string_view text_of(Word word) { return word_table[static_cast<std::size_t>(word)]; }

Word word_named(std::string_view text) {
    if (text.starts_with("L1::") || text.starts_with("L2::")) return Word::level;
    static const auto by_text = [] {
        std::unordered_map<std::string_view, Word> result;
        for (std::size_t at = 1; at < std::size(word_table); ++at) result.emplace(word_table[at], static_cast<Word>(at));
        return result;
    }();
    const auto found = by_text.find(text);
    return found == by_text.end() ? Word::none : found->second;
}

std::string_view text_of(Space space) {
    constexpr std::array<std::string_view, 6> names = {"generic", "global", "shared", "local", "const", "param"};
    return names[static_cast<std::size_t>(space)];
}

}  // namespace mog::ptx
