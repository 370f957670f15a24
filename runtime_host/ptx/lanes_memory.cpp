// lanes_memory.cpp: loads and stores of all lanes: at once where addresses follow each other or are the same, else one by one.
#include "runtime_host/ptx/loops.hpp"

namespace mog::ptx {
namespace MOG_PTX_TIER {

template <Addressing how>
inline std::byte *base_of(const Machine &machine, const Op &op) {
    if constexpr (how == Addressing::pointer) {
        return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(op.value));
    } else if constexpr (how == Addressing::shared) {
        return machine.shared + op.value;
    } else {
        return machine.local + op.value;
    }
}
template <Addressing how>
inline std::byte *at_lane(const Machine &machine, std::byte *base, const std::uint64_t *addresses, unsigned lane) {
    // As numbers: the base of pointers is an offset.
    std::uintptr_t address = reinterpret_cast<std::uintptr_t>(base) + addresses[lane];
    if constexpr (how == Addressing::local) address += lane * machine.local_stride;
    return reinterpret_cast<std::byte *>(address);
}

template <typename T>
inline T read(const std::byte *from) {
    T value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

/// Whether each address is `bytes` behind that of the lane before; 0: all are the same.
inline bool has_stride(const std::uint64_t *addresses, std::uint64_t bytes) {
    std::uint64_t others = 0;
    const std::uint64_t first = addresses[0];
    for (unsigned lane = 0; lane < 32; ++lane) others |= addresses[lane] ^ (first + lane * bytes);
    return others == 0;
}

template <Addressing how, typename T, typename R>
void load(Machine &machine, const Op &op, std::uint32_t mask) {
    R *const to = reinterpret_cast<R *>(machine.frame + op.d);
    const auto *const addresses = reinterpret_cast<const std::uint64_t *>(machine.frame + op.a);
    std::byte *const base = base_of<how>(machine, op);
    if constexpr (how != Addressing::local) {
        if (mask == all_lanes && (op.flags & op_same_address) == 0 && has_stride(addresses, sizeof(T))) {
            T values[32];
            __builtin_memcpy(values, at_lane<how>(machine, base, addresses, 0), sizeof values);
            for (unsigned lane = 0; lane < 32; ++lane) to[lane] = static_cast<R>(values[lane]);
            return;
        }
        if ((op.flags & op_same_address) != 0 || (mask == all_lanes && has_stride(addresses, 0))) {
            const R value = static_cast<R>(read<T>(at_lane<how>(machine, base, addresses, static_cast<unsigned>(__builtin_ctz(mask)))));
            for (unsigned lane = 0; lane < 32; ++lane) to[lane] = (mask & (1u << lane)) != 0 ? value : to[lane];
            return;
        }
    }
    // What is loaded may be the address itself.
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        to[lane] = static_cast<R>(read<T>(at_lane<how>(machine, base, addresses, lane)));
    }
}

template <Addressing how, typename T, typename R>
void store(Machine &machine, const Op &op, std::uint32_t mask) {
    const R *const from = reinterpret_cast<const R *>(machine.frame + op.b);
    const auto *const addresses = reinterpret_cast<const std::uint64_t *>(machine.frame + op.a);
    std::byte *const base = base_of<how>(machine, op);
    if constexpr (how != Addressing::local) {
        if (mask == all_lanes && has_stride(addresses, sizeof(T))) {
            T values[32];
            for (unsigned lane = 0; lane < 32; ++lane) values[lane] = static_cast<T>(from[lane]);
            __builtin_memcpy(at_lane<how>(machine, base, addresses, 0), values, sizeof values);
            return;
        }
    }
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        const T value = static_cast<T>(from[lane]);
        __builtin_memcpy(at_lane<how>(machine, base, addresses, lane), &value, sizeof value);
    }
}

/// 4, 8 or 16 bytes (op.bytes) from global to shared memory; of these as many are copied as op.c says, the others are 0.
void copy_async(Machine &machine, const Op &op, std::uint32_t mask) {
    const auto *const to = reinterpret_cast<const std::uint64_t *>(machine.frame + op.a);
    const auto *const from = reinterpret_cast<const std::uint64_t *>(machine.frame + op.b);
    const auto *const sizes = reinterpret_cast<const std::uint32_t *>(machine.frame + op.c);
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        const std::uint32_t bytes = sizes[lane] < op.bytes ? sizes[lane] : op.bytes;
        std::byte *const into = machine.shared + op.value + to[lane];
        for (unsigned at = 0; at < op.bytes; ++at)
            into[at] = at < bytes ? reinterpret_cast<const std::byte *>(static_cast<std::uintptr_t>(from[lane]))[at] : std::byte{0};
    }
}

template <Addressing how>
void fill_addressing(Handlers &into) {
    // clang-format off
    auto &load_of = into.load[static_cast<std::size_t>(how)];
    auto &store_of = into.store[static_cast<std::size_t>(how)];
#define MOG_PTX_ACCESS(bytes, at, bits, to)                                                                                         \
    load_of[at][to] = {&load<how, std::uint##bytes##_t, std::uint##bits##_t>, &load<how, std::int##bytes##_t, std::int##bits##_t>}; \
    store_of[at][to] = &store<how, std::uint##bytes##_t, std::uint##bits##_t>;
    MOG_PTX_ACCESS(8, 0, 16, 0)
    MOG_PTX_ACCESS(8, 0, 32, 1)
    MOG_PTX_ACCESS(8, 0, 64, 2) MOG_PTX_ACCESS(16, 1, 16, 0) MOG_PTX_ACCESS(16, 1, 32, 1) MOG_PTX_ACCESS(16, 1, 64, 2)
        MOG_PTX_ACCESS(32, 2, 32, 1) MOG_PTX_ACCESS(32, 2, 64, 2) MOG_PTX_ACCESS(64, 3, 64, 2)
    // clang-format on
#undef MOG_PTX_ACCESS
}

template <bool is_local, bool to_generic>
void translate(Machine &machine, const Op &op, std::uint32_t mask) {
    const Source<std::uint64_t> a(machine.frame, op.a);
    const auto base = reinterpret_cast<std::uintptr_t>(is_local ? machine.local : machine.shared);
    const std::uint64_t stride = is_local ? machine.local_stride : 0;
    fill<std::uint64_t>(machine.frame, op.d, mask, [&](unsigned lane) {
        const std::uint64_t here = base + lane * stride;
        return to_generic ? a[lane] + here : a[lane] - here;
    });
}

void fill_memory(Handlers &into) {
    fill_addressing<Addressing::pointer>(into);
    fill_addressing<Addressing::shared>(into);
    fill_addressing<Addressing::local>(into);
    into.to_shared = &translate<false, true>;
    into.from_shared = &translate<false, false>;
    into.to_local = &translate<true, true>;
    into.from_local = &translate<true, false>;
    into.copy_async = &copy_async;
}

}  // namespace MOG_PTX_TIER
}  // namespace mog::ptx
