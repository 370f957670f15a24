// lanes_conversions.cpp: cvt from each type to each, and registers of one width as others, as loops over lanes.
#include "runtime_host/ptx/loops.hpp"

namespace mog::ptx {
namespace MOG_PTX_TIER {

template <typename D, typename S, typename M>
struct Convert {
    static D run(M m, S a) { return converted<D>(a, m); }
};
/// How conversions with modes run. What programs round are floats and doubles, in vectors. Saturated integers (through 128 bits), integers
/// that are not rounded to the nearest, and halves are rare and no vectors in any case; they are half of what there is to compile.
template <typename D, typename S>
constexpr How how_with_modes = (std::is_floating_point_v<S> && !is_half<D>) ? How::together : How::singly;
/// How those without modes run: halves of integers and back, and floats to integers of 8 and 16 bits, are rare too.
template <typename D, typename S>
constexpr How how_plain = (is_half<D> && std::is_integral_v<S>) || (std::is_integral_v<D> && (is_half<S> || (is_float<S> && sizeof(D) < 4)))
                              ? How::singly
                              : How::together;
/// What an integer becomes as one of at least 16 bits does not depend on whether that has a sign: one function for both.
template <typename D, typename S>
struct PlainTo {
    using type = D;
};
template <typename D, typename S>
requires(std::is_integral_v<D> &&std::is_integral_v<S> && sizeof(D) >= 2) struct PlainTo<D, S> {
    using type = std::make_unsigned_t<D>;
};
/// The first operand goes to the upper half.
template <typename Pair, typename M>
struct ConvertPair {
    static Pair run(M m, float a, float b) {
        const auto high = converted<typename Pair::Element>(a, m), low = converted<typename Pair::Element>(b, m);
        return Pair{static_cast<std::uint32_t>(high.bits) << 16 | low.bits};
    }
};
template <typename D, typename S>
struct Resize {
    static D run(Plain, S a) { return static_cast<D>(a); }
};
template <typename T>
struct Move {
    static T run(Plain, T a) { return a; }
};
template <typename D, typename S>
void split(Machine &machine, const Op &op, std::uint32_t mask) {
    const Source<S> a(machine.frame, op.a);
    const auto by = static_cast<unsigned>(op.value);
    fill<D>(machine.frame, op.d, mask, [&](unsigned lane) { return static_cast<D>(a[lane] >> by); });
}
/// Puts a part into a register, whose other parts stay.
template <typename D, typename S>
void join(Machine &machine, const Op &op, std::uint32_t mask) {
    const Source<S> a(machine.frame, op.a);
    const Source<D> d(machine.frame, op.d);
    const auto by = static_cast<unsigned>(op.value);
    const D kept = static_cast<D>(~(static_cast<D>(static_cast<S>(~S{0})) << by));
    fill<D>(machine.frame, op.d, mask, [&](unsigned lane) { return static_cast<D>((d[lane] & kept) | static_cast<D>(a[lane]) << by); });
}
/// op.modes: 1: there is a carry in, 2: and one out. The carry of each lane is a predicate, at op.e.
template <typename T, bool is_sum>
void carry(Machine &machine, const Op &op, std::uint32_t mask) {
    using U = std::make_unsigned_t<T>;
    const Source<U> a(machine.frame, op.a), b(machine.frame, op.b);
    auto &carries = *reinterpret_cast<std::uint32_t *>(machine.frame + op.e);
    U *const to = reinterpret_cast<U *>(machine.frame + op.d);
    std::uint32_t out = carries;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        const U in = (op.modes & 1) != 0 ? static_cast<U>(carries >> lane & 1) : U{0};
        U first = 0, result = 0;
        bool over = false;
        if constexpr (is_sum) {
            over = __builtin_add_overflow(a[lane], b[lane], &first);
            over |= __builtin_add_overflow(first, in, &result);
        } else {
            over = __builtin_sub_overflow(a[lane], b[lane], &first);
            over |= __builtin_sub_overflow(first, in, &result);
        }
        to[lane] = result;
        out = (out & ~(1u << lane)) | static_cast<std::uint32_t>(over) << lane;
    }
    if ((op.modes & 2) != 0) carries = out;
}

void fill_conversions(Handlers &into) {
    // clang-format off
#define MOG_PTX_FROM(from, to)                                                                  \
    into.convert[0][static_cast<std::size_t>(Type::to)][static_cast<std::size_t>(Type::from)] = \
        &Loop<&Convert<PlainTo<type_##to, type_##from>::type, type_##from, Plain>::run, how_plain<type_##to, type_##from>>::run; \
    into.convert[1][static_cast<std::size_t>(Type::to)][static_cast<std::size_t>(Type::from)] = \
        &Loop<&Convert<type_##to, type_##from, AnyModes>::run, how_with_modes<type_##to, type_##from>>::run;
    // A list is not expanded again inside itself: to floats, to integers, each from all.
#define MOG_PTX_ALL(to)                                                                                                                \
    MOG_PTX_FROM(u8, to)                                                                                                               \
    MOG_PTX_FROM(u16, to)                                                                                                              \
    MOG_PTX_FROM(u32, to) MOG_PTX_FROM(u64, to) MOG_PTX_FROM(s8, to) MOG_PTX_FROM(s16, to) MOG_PTX_FROM(s32, to) MOG_PTX_FROM(s64, to) \
        MOG_PTX_FROM(f16, to) MOG_PTX_FROM(bf16, to) MOG_PTX_FROM(f32, to) MOG_PTX_FROM(f64, to)
    MOG_PTX_ALL(u8)
    MOG_PTX_ALL(u16)
    MOG_PTX_ALL(u32) MOG_PTX_ALL(u64) MOG_PTX_ALL(s8) MOG_PTX_ALL(s16) MOG_PTX_ALL(s32) MOG_PTX_ALL(s64) MOG_PTX_ALL(f16) MOG_PTX_ALL(bf16)
        MOG_PTX_ALL(f32) MOG_PTX_ALL(f64)
#undef MOG_PTX_ALL
#undef MOG_PTX_FROM
#define MOG_PTX_PAIR(to)                                                                                                     \
    into.convert_pair[static_cast<std::size_t>(Type::to)] = {&Loop<&ConvertPair<type_##to, Plain>::run, How::together>::run, \
                                                             &Loop<&ConvertPair<type_##to, AnyModes>::run, How::together>::run};
            MOG_PTX_PAIR(f16x2) MOG_PTX_PAIR(bf16x2)
#undef MOG_PTX_PAIR
#define MOG_PTX_WIDTH(S, from, D, to)                                                                     \
    into.resize[from][to] = {&Loop<&Resize<std::uint##D##_t, std::uint##S##_t>::run, How::together>::run, \
                             &Loop<&Resize<std::int##D##_t, std::int##S##_t>::run, How::together>::run};
                MOG_PTX_WIDTH(16, 0, 16, 0) MOG_PTX_WIDTH(16, 0, 32, 1) MOG_PTX_WIDTH(16, 0, 64, 2) MOG_PTX_WIDTH(32, 1, 16, 0)
                    MOG_PTX_WIDTH(32, 1, 32, 1) MOG_PTX_WIDTH(32, 1, 64, 2) MOG_PTX_WIDTH(64, 2, 16, 0) MOG_PTX_WIDTH(64, 2, 32, 1)
                        MOG_PTX_WIDTH(64, 2, 64, 2)
#undef MOG_PTX_WIDTH
                            into.move = {&Loop<&Move<bool>::run, How::together>::run, &Loop<&Move<std::uint16_t>::run, How::together>::run,
                                         &Loop<&Move<std::uint32_t>::run, How::together>::run,
                                         &Loop<&Move<std::uint64_t>::run, How::together>::run};
    into.split = {&split<std::uint32_t, std::uint64_t>, &split<std::uint16_t, std::uint64_t>, &split<std::uint16_t, std::uint32_t>,
                  nullptr};
    into.join = {&join<std::uint64_t, std::uint32_t>, &join<std::uint64_t, std::uint16_t>, &join<std::uint32_t, std::uint16_t>, nullptr};
#define MOG_PTX_CARRY(type)                                                           \
    into.carry_add[static_cast<std::size_t>(Type::type)] = &carry<type_##type, true>; \
    into.carry_sub[static_cast<std::size_t>(Type::type)] = &carry<type_##type, false>;
    MOG_PTX_CARRY(u32) MOG_PTX_CARRY(s32) MOG_PTX_CARRY(u64) MOG_PTX_CARRY(s64)
#undef MOG_PTX_CARRY
    // clang-format on
}

}  // namespace MOG_PTX_TIER
}  // namespace mog::ptx
