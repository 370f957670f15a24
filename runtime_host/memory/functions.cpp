// functions.cpp
#include "runtime_host/memory/functions.hpp"

#include <algorithm>

namespace mog {

namespace {

enum : std::uint8_t { malloc, new_object, new_array };  // MemoryChecker::Family

constexpr KnownFunction known[] = {
#define HEAP(name, what, family, first) {name, HeapWork::what, family, first, StringModel::none},
#define STRING(name, model) {name, HeapWork::none, 0, 0, StringModel::model},
#define KNOWN(name, kind)
#include "runtime_host/memory/functions.def"
};

struct KnownWork {
    std::string_view function;
    Told what;
};
constexpr KnownWork known_work[] = {
#define HEAP(name, what, family, first)
#define STRING(name, model)
#define KNOWN(name, kind) {name, Told::kind},
#include "runtime_host/memory/functions.def"
};

}  // namespace

bool is_known_of(std::string_view function, Told what) {
    return std::ranges::any_of(known_work, [&](const KnownWork &row) { return row.function == function && row.what == what; });
}

std::span<const KnownFunction> known_functions() { return known; }

}  // namespace mog
