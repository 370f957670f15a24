// functions.hpp: the functions of programs that --check=memory knows, from functions.def.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace mog {

/// What a function of the heap does. inside: it is a part of the allocator, which others than its functions call. names: it gives or takes
/// back blocks by calling others, and says which of both belong together.
enum class HeapWork : std::uint8_t { none, allocate, allocate_zero, resize, align, release, measure, inside, names, names_sized };

/// What a function on strings or bytes is asked for.
enum class StringModel : std::uint8_t {
    none,
    length,
    length_at_most,
    copy_string,
    copy_string_at_most,
    append,
    append_at_most,
    compare_strings,
    compare_strings_at_most,
    find_in_string,
    find,
    find_surely,
    read,
    compare,
    copy,
    copy_until,
    fill,
    zero
};

struct KnownFunction {
    std::string_view name;
    HeapWork work = HeapWork::none;
    std::uint8_t family = 0;  ///< MemoryChecker::Family
    int first = 0;            ///< the number of its first argument that counts
    StringModel model = StringModel::none;
};
std::span<const KnownFunction> known_functions();

/// What is told of; some of it of some functions is not.
enum class Told : std::uint8_t { values, frames, lost, others };
bool is_known_of(std::string_view function, Told what);

}  // namespace mog
