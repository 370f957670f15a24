// lanes_floats.cpp: rows of ptx.def about floating point, and those that are done lane by lane, as loops over lanes.
#include "runtime_host/ptx/loops.hpp"

namespace mog::ptx {
namespace MOG_PTX_TIER {

#define MOG_PTX_FLOATS(id, pattern, types, result, parameters, ...) MOG_PTX_ROW(id, result, parameters, __VA_ARGS__)
#define MOG_PTX_SINGLE(id, pattern, types, result, parameters, ...) MOG_PTX_ROW(id, result, parameters, __VA_ARGS__)
#include "translator/ptx/ptx.def"

void fill_floats(Handlers &into) {
#define MOG_PTX_ONE(type, id)                                                                                              \
    {                                                                                                                      \
        auto &row = into.lanes[static_cast<std::size_t>(Form::id)];                                                        \
        constexpr auto at = static_cast<std::size_t>(Type::type);                                                          \
        row[0][at] = &Loop<&row_##id<type_##type, Plain>::run, How::together>::run;                                        \
        row[2][at] = &Loop<&row_##id<type_##type, AnyModes>::run, How::rounded>::run;                                      \
        if constexpr (Type::type == Type::f32) row[1][at] = &Loop<&row_##id<type_##type, Flush>::run, How::together>::run; \
    }
#define MOG_PTX_FLOATS(id, pattern, types, result, parameters, ...) types(MOG_PTX_ONE, id)
#include "translator/ptx/ptx.def"
#undef MOG_PTX_ONE
#define MOG_PTX_ONE(type, id)                                                                 \
    into.lanes[static_cast<std::size_t>(Form::id)][2][static_cast<std::size_t>(Type::type)] = \
        &Loop<&row_##id<type_##type, AnyModes>::run, How::singly>::run;
#define MOG_PTX_SINGLE(id, pattern, types, result, parameters, ...) types(MOG_PTX_ONE, id)
#include "translator/ptx/ptx.def"
#undef MOG_PTX_ONE
}

}  // namespace MOG_PTX_TIER
}  // namespace mog::ptx
