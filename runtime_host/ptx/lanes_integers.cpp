// lanes_integers.cpp: rows of ptx.def about integers, bits and predicates, and comparisons, as loops over lanes.
#include "runtime_host/ptx/loops.hpp"

namespace mog::ptx {
namespace MOG_PTX_TIER {

#define MOG_PTX_LANES(id, pattern, types, result, parameters, ...) MOG_PTX_ROW(id, result, parameters, __VA_ARGS__)
#include "translator/ptx/ptx.def"
#define MOG_PTX_COMPARE(word, types, meaning)             \
    template <typename T, typename M>                     \
    struct compare_##word {                               \
        static bool run([[maybe_unused]] M m, T a, T b) { \
            if constexpr (is_float<T>) {                  \
                a = m.in(a);                              \
                b = m.in(b);                              \
            } else if constexpr (is_half<T>) {            \
                a = half_flushed(m, a);                   \
                b = half_flushed(m, b);                   \
            }                                             \
            return meaning;                               \
        }                                                 \
    };
#include "translator/ptx/ptx.def"

void fill_integers(Handlers &into) {
#define MOG_PTX_ONE(type, id)                                                                 \
    into.lanes[static_cast<std::size_t>(Form::id)][2][static_cast<std::size_t>(Type::type)] = \
        &Loop<&row_##id<type_##type, AnyModes>::run, How::together>::run;
#define MOG_PTX_LANES(id, pattern, types, result, parameters, ...) types(MOG_PTX_ONE, id)
#include "translator/ptx/ptx.def"
#undef MOG_PTX_ONE
#define MOG_PTX_ONE(type, word)                                                                \
    into.compare[static_cast<std::size_t>(Word::word)][static_cast<std::size_t>(Type::type)] = \
        &Loop<&compare_##word<type_##type, AnyModes>::run, How::together>::run;
#define MOG_PTX_COMPARE(word, types, meaning) types(MOG_PTX_ONE, word)
#include "translator/ptx/ptx.def"
#undef MOG_PTX_ONE
}

}  // namespace MOG_PTX_TIER
}  // namespace mog::ptx
