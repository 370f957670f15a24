// atomics.cpp: atomic operations, lane after lane: real ones on memory that other threads of this process see, plain ones on that of a
// block.
#include "runtime_host/ptx/code.hpp"
#include "translator/ptx/meanings.h"

namespace mog::ptx {
namespace {

using namespace MOG_PTX_TIER;

#define MOG_PTX_TYPE(name, bits, kind, cpp) using type_##name = cpp;
#include "translator/ptx/types.def"

#define MOG_PTX_ATOMIC(word, types, meaning)                                                               \
    template <typename T>                                                                                  \
    struct atomic_##word {                                                                                 \
        static T run([[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c) { return meaning; } \
    };
#include "translator/ptx/ptx.def"

template <std::size_t bytes>
struct Unsigned;
// clang-format off
template <> struct Unsigned<2> { using type = std::uint16_t; };
template <> struct Unsigned<4> { using type = std::uint32_t; };
template <> struct Unsigned<8> { using type = std::uint64_t; };
// clang-format on

template <typename T, T (*F)(T, T, T), Addressing how>
void run(Machine &machine, const Op &op, std::uint32_t mask) {
    using U = typename Unsigned<sizeof(T)>::type;
    const auto *const addresses = reinterpret_cast<const std::uint64_t *>(machine.frame + op.a);
    const T *const b = reinterpret_cast<const T *>(machine.frame + op.b), *const c = reinterpret_cast<const T *>(machine.frame + op.c);
    T *const to = reinterpret_cast<T *>(machine.frame + op.d);
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        std::uintptr_t address = addresses[lane] + static_cast<std::uint64_t>(op.value);
        if constexpr (how == Addressing::shared) address += reinterpret_cast<std::uintptr_t>(machine.shared);
        if constexpr (how == Addressing::local) address += reinterpret_cast<std::uintptr_t>(machine.local) + lane * machine.local_stride;
        U *const cell = reinterpret_cast<U *>(address);
        if constexpr (how != Addressing::pointer) {
            // A block is run by one thread.
            const T before = bits_as<T>(*cell);
            *cell = bits_as<U>(F(before, b[lane], c[lane]));
            to[lane] = before;
        } else {
            U before = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
            while (true) {
                const U after = bits_as<U>(F(bits_as<T>(before), b[lane], c[lane]));
                if (__atomic_compare_exchange_n(cell, &before, after, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) break;
            }
            to[lane] = bits_as<T>(before);
        }
    }
}

using ByType = std::array<std::array<Handler, addressings>, Handlers::types>;
const std::array<ByType, Handlers::words> &table() {
    static const auto result = [] {
        std::array<ByType, Handlers::words> all{};
#define MOG_PTX_ONE(type, word)                                                         \
    all[static_cast<std::size_t>(Word::word)][static_cast<std::size_t>(Type::type)] = { \
        &run<type_##type, &atomic_##word<type_##type>::run, Addressing::pointer>,       \
        &run<type_##type, &atomic_##word<type_##type>::run, Addressing::shared>,        \
        &run<type_##type, &atomic_##word<type_##type>::run, Addressing::local>};
#define MOG_PTX_ATOMIC(word, types, meaning) types(MOG_PTX_ONE, word)
#include "translator/ptx/ptx.def"
#undef MOG_PTX_ONE
        return all;
    }();
    return result;
}

template <bool is_shared, bool is_local>
void is_in_space(Machine &machine, const Op &op, std::uint32_t mask) {
    const auto *const a = reinterpret_cast<const std::uint64_t *>(machine.frame + op.a);
    auto &result = *reinterpret_cast<std::uint32_t *>(machine.frame + op.d);
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        const bool in_shared = a[lane] - reinterpret_cast<std::uintptr_t>(machine.shared) < machine.shared_bytes;
        const bool in_local = a[lane] - reinterpret_cast<std::uintptr_t>(machine.local) < machine.local_stride * warp_lanes;
        const bool is_it = is_shared ? in_shared : is_local ? in_local : !in_shared && !in_local;
        result = (result & ~(1u << lane)) | static_cast<std::uint32_t>(is_it) << lane;
    }
}

}  // namespace

Handler atomic_handler(Word word, Type type, Addressing addressing) {
    return table()[static_cast<std::size_t>(word)][static_cast<std::size_t>(type)][static_cast<std::size_t>(addressing)];
}

Handler space_handler(Space space) {
    // What is neither shared nor local is global; constants and parameters are there too.
    if (space == Space::shared) return &is_in_space<true, false>;
    if (space == Space::local) return &is_in_space<false, true>;
    return &is_in_space<false, false>;
}

}  // namespace mog::ptx
