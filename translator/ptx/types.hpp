// types.hpp: types, words and spaces of PTX as C++ has them.
#pragma once

#include <cstdint>
#include <string_view>

namespace mog::ptx {

enum class Type : std::uint8_t {
    none,
#define MOG_PTX_TYPE(name, bits, kind, cpp) name,
#include "translator/ptx/types.def"
};

enum class TypeKind : std::uint8_t { none, predicate, bits, natural, integer, real, packed };

struct TypeInfo {
    std::string_view name;
    std::uint16_t bits;
    TypeKind kind;
};
const TypeInfo &info(Type type);
/// Type::none: there is none of this name.
Type type_named(std::string_view name);
inline unsigned bits_of(Type type) { return info(type).bits; }
inline bool is_real(Type type) { return info(type).kind == TypeKind::real; }
inline bool has_sign(Type type) { return info(type).kind == TypeKind::integer; }
/// The unsigned type of as many bits as a register of `type` holds: 16, 32, 64 or 128.
unsigned register_bits(Type type);

/// What an opcode says behind its first word.
enum class Word : std::uint8_t {
    none,
#define MOG_PTX_WORD(name, text) name,
#include "translator/ptx/words.def"
};
std::string_view text_of(Word word);
Word word_named(std::string_view text);

/// Where memory is. A generic address may be of any.
enum class Space : std::uint8_t { generic, global, shared, local, constant, param };
std::string_view text_of(Space space);

}  // namespace mog::ptx
