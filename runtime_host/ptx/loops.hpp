// loops.hpp: meanings of one lane in loops over all of them. Included by what is compiled for several processors (lanes_*.cpp), each of
// which says which one it is (MOG_PTX_TIER).
#pragma once

#include <immintrin.h>

#include "runtime_host/ptx/lanes.hpp"
#include "translator/ptx/meanings.h"

namespace mog::ptx {
namespace MOG_PTX_TIER {

/// A type as registers hold it.
template <typename T>
struct Stored {
    using type = T;
};
// clang-format off
template <> struct Stored<std::uint8_t> { using type = std::uint16_t; };
template <> struct Stored<std::int8_t> { using type = std::int16_t; };
// clang-format on

/// An operand's value by lane.
template <typename T>
struct Source {
    const typename Stored<T>::type *at;
    Source(const std::byte *frame, std::uint32_t offset) : at(reinterpret_cast<const typename Stored<T>::type *>(frame + offset)) {}
    [[gnu::always_inline]] T operator[](unsigned lane) const { return static_cast<T>(at[lane]); }
};
template <>
struct Source<bool> {
    std::uint32_t word;
    Source(const std::byte *frame, std::uint32_t offset) : word(*reinterpret_cast<const std::uint32_t *>(frame + offset)) {}
    [[gnu::always_inline]] bool operator[](unsigned lane) const { return (word & (1u << lane)) != 0; }
};

/// A bit for each lane that is not 0.
inline std::uint32_t bits_of_lanes(const std::int32_t (&lanes)[32]) {
    std::uint32_t bits = 0;
#if defined(__AVX512DQ__)
    for (unsigned at = 0; at < 32; at += 16) bits |= static_cast<std::uint32_t>(_mm512_movepi32_mask(_mm512_loadu_si512(lanes + at))) << at;
#elif defined(__AVX2__)
    for (unsigned at = 0; at < 32; at += 8)
        bits |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_loadu_ps(reinterpret_cast<const float *>(lanes + at)))) << at;
#else
    for (unsigned at = 0; at < 32; at += 4)
        bits |= static_cast<std::uint32_t>(_mm_movemask_ps(_mm_loadu_ps(reinterpret_cast<const float *>(lanes + at)))) << at;
#endif
    return bits;
}

/// Takes the lanes of `mask` over.
template <typename S>
[[gnu::noinline]] void blend(S *to, const S *lanes, std::uint32_t mask) {
    for (unsigned lane = 0; lane < 32; ++lane) to[lane] = (mask & (1u << lane)) != 0 ? lanes[lane] : to[lane];
}

/// Gives each lane of `mask` what `each` says of it. One loop for all lanes and for some: these loops are most of what is compiled here.
template <typename R, typename Each>
[[gnu::always_inline]] inline void fill(std::byte *frame, std::uint32_t offset, std::uint32_t mask, Each each) {
    if constexpr (std::is_same_v<R, bool>) {
        std::int32_t lanes[32];
        for (unsigned lane = 0; lane < 32; ++lane) lanes[lane] = each(lane) ? -1 : 0;
        auto &word = *reinterpret_cast<std::uint32_t *>(frame + offset);
        word = (word & ~mask) | (bits_of_lanes(lanes) & mask);
    } else {
        using S = typename Stored<R>::type;
        S some[32];
        S *const to = reinterpret_cast<S *>(frame + offset), *const into = mask == all_lanes ? to : some;
#pragma GCC ivdep
        for (unsigned lane = 0; lane < 32; ++lane) into[lane] = static_cast<S>(each(lane));
        if (mask != all_lanes) blend(to, some, mask);
    }
}

/// The same, without looking at the other lanes.
template <typename R, typename Each>
[[gnu::always_inline]] inline void fill_singly(std::byte *frame, std::uint32_t offset, std::uint32_t mask, Each each) {
    using S = typename Stored<R>::type;
    S *const to = reinterpret_cast<S *>(frame + offset);
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        to[lane] = static_cast<S>(each(lane));
    }
}

template <typename M>
inline M modes_of(const Op &op) {
    if constexpr (std::is_same_v<M, AnyModes>) {
        return AnyModes{op.modes};
    } else {
        return M{};
    }
}

/// Rounding of the processor, as long as it lives. What is loaded after it and stored before its end is computed so.
template <typename M>
class Rounded {
public:
    explicit Rounded(M m) {
        if constexpr (std::is_same_v<M, AnyModes>) {
            before_ = _mm_getcsr();
            // Nearest, down, up, zero are the processor's 0 to 3.
            constexpr unsigned codes[] = {0, 3, 1, 2};
            _mm_setcsr((before_ & ~(3u << 13)) | codes[static_cast<unsigned>(m.rounding())] << 13);
            asm volatile("" ::: "memory");
        }
    }
    ~Rounded() {
        if constexpr (std::is_same_v<M, AnyModes>) {
            asm volatile("" ::: "memory");
            _mm_setcsr(before_);
        }
    }
    Rounded(const Rounded &) = delete;
    Rounded &operator=(const Rounded &) = delete;

private:
    unsigned before_ = 0;
};

enum class How { together, rounded, singly };

/// A function of one lane as one of all of them.
template <auto F, How how>
struct Loop;
#define MOG_PTX_LOOP(types, sources, values)                                                \
    {                                                                                       \
        static void run(Machine &machine, const Op &op, std::uint32_t mask) {               \
            std::byte *const frame = machine.frame;                                         \
            const M m = modes_of<M>(op);                                                    \
            sources;                                                                        \
            if constexpr (how == How::singly) {                                             \
                fill_singly<R>(frame, op.d, mask, [&](unsigned lane) { return F values; }); \
            } else if constexpr (how == How::rounded) {                                     \
                const Rounded<M> rounded(m);                                                \
                fill<R>(frame, op.d, mask, [&](unsigned lane) { return F values; });        \
            } else {                                                                        \
                fill<R>(frame, op.d, mask, [&](unsigned lane) { return F values; });        \
            }                                                                               \
        }                                                                                   \
    }
// clang-format off
template <typename R, typename M, typename A, R (*F)(M, A), How how>
struct Loop<F, how> MOG_PTX_LOOP((A), const Source<A> a(frame, op.a), (m, a[lane]));
template <typename R, typename M, typename A, typename B, R (*F)(M, A, B), How how>
struct Loop<F, how> MOG_PTX_LOOP((A, B), const Source<A> a(frame, op.a); const Source<B> b(frame, op.b), (m, a[lane], b[lane]));
template <typename R, typename M, typename A, typename B, typename C, R (*F)(M, A, B, C), How how>
struct Loop<F, how> MOG_PTX_LOOP((A, B, C), const Source<A> a(frame, op.a); const Source<B> b(frame, op.b); const Source<C> c(frame, op.c),
                                 (m, a[lane], b[lane], c[lane]));
template <typename R, typename M, typename A, typename B, typename C, typename E, R (*F)(M, A, B, C, E), How how>
struct Loop<F, how> MOG_PTX_LOOP((A, B, C, E), const Source<A> a(frame, op.a); const Source<B> b(frame, op.b); const Source<C> c(frame, op.c);
                                 const Source<E> e(frame, op.e), (m, a[lane], b[lane], c[lane], e[lane]));
                                 // clang-format on
#undef MOG_PTX_LOOP

#define MOG_PTX_TYPE(name, bits, kind, cpp) using type_##name = cpp;
#include "translator/ptx/types.def"

#define MOG_PTX_WITH_MODES(...) ([[maybe_unused]] M m, __VA_ARGS__)
                                 /// A row of ptx.def as a function of one lane.
#define MOG_PTX_ROW(id, result, parameters, ...)                    \
    template <typename T, typename M>                               \
    struct row_##id {                                               \
        static result run MOG_PTX_WITH_MODES parameters __VA_ARGS__ \
    };

                                 }  // namespace MOG_PTX_TIER
                                 }  // namespace mog::ptx
