// combine.cpp: each operation for each type, in loops that a compiler can vectorise. Integers wrap; a NaN that an operation makes is that
// of MIPS, as in PEs.
#include "runtime_host/mpi/coll/combine.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "abi/mpi_call.h"
#include "abi/mpi_constants.h"

namespace mog::mpi {

namespace {

constexpr std::uint32_t low_byte(int handle) { return static_cast<std::uint32_t>(handle) & 0xff; }

template <typename T>
struct Pair {
    T value;
    std::int32_t index;
};
template <typename T>
struct Complex {
    T re, im;
};
template <typename T>
struct Integer {
    T value;
};
template <typename T>
struct Floating {
    T value;
};
template <typename T>
struct Logical {
    T value;
};
template <typename T>
struct Bits {
    T value;
};

template <typename T>
T mips_nan(T x) {
    if constexpr (sizeof(T) == 4) return std::isnan(x) ? std::bit_cast<T>(0x7fbfffffu) : x;
    else return std::isnan(x) ? std::bit_cast<T>(0x7ff7ffffffffffffull) : x;
}

/// Arithmetic of integers without overflow: as unsigned ones of at least the size of an int.
template <typename T>
using Wrapping = std::make_unsigned_t<decltype(T{} + 0)>;

/// How an operation combines two of one kind. What has no function for a kind is not defined for it. Logical operations on numbers with
/// fractions are more than the standard asks for; programs that were written for MPICH have them.
// clang-format off
struct Sum {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = static_cast<T>(Wrapping<T>(a.value) + Wrapping<T>(b.value)); }
    template <typename T> static void at(Floating<T> &a, Floating<T> b) { a.value = mips_nan(a.value + b.value); }
    template <typename T> static void at(Complex<T> &a, Complex<T> b) { a = {mips_nan(a.re + b.re), mips_nan(a.im + b.im)}; }
};
struct Product {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = static_cast<T>(Wrapping<T>(a.value) * Wrapping<T>(b.value)); }
    template <typename T> static void at(Floating<T> &a, Floating<T> b) { a.value = mips_nan(a.value * b.value); }
    template <typename T> static void at(Complex<T> &a, Complex<T> b) {
        a = {mips_nan(a.re * b.re - a.im * b.im), mips_nan(a.re * b.im + a.im * b.re)};
    }
};
struct Greater {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { if (b.value > a.value) a = b; }
    template <typename T> static void at(Floating<T> &a, Floating<T> b) { if (b.value > a.value) a = b; }
};
struct Less {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { if (b.value < a.value) a = b; }
    template <typename T> static void at(Floating<T> &a, Floating<T> b) { if (b.value < a.value) a = b; }
};
struct LogicalAnd {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = a.value != 0 && b.value != 0; }
    template <typename T> static void at(Logical<T> &a, Logical<T> b) { a.value = a.value != 0 && b.value != 0; }
    template <typename T> static void at(Floating<T> &a, Floating<T> b) { a.value = a.value != 0 && b.value != 0; }
};
struct LogicalOr {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = a.value != 0 || b.value != 0; }
    template <typename T> static void at(Logical<T> &a, Logical<T> b) { a.value = a.value != 0 || b.value != 0; }
    template <typename T> static void at(Floating<T> &a, Floating<T> b) { a.value = a.value != 0 || b.value != 0; }
};
struct LogicalXor {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = (a.value != 0) != (b.value != 0); }
    template <typename T> static void at(Logical<T> &a, Logical<T> b) { a.value = (a.value != 0) != (b.value != 0); }
    template <typename T> static void at(Floating<T> &a, Floating<T> b) { a.value = (a.value != 0) != (b.value != 0); }
};
struct BitAnd {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = static_cast<T>(a.value & b.value); }
    template <typename T> static void at(Bits<T> &a, Bits<T> b) { a.value = static_cast<T>(a.value & b.value); }
};
struct BitOr {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = static_cast<T>(a.value | b.value); }
    template <typename T> static void at(Bits<T> &a, Bits<T> b) { a.value = static_cast<T>(a.value | b.value); }
};
struct BitXor {
    template <typename T> static void at(Integer<T> &a, Integer<T> b) { a.value = static_cast<T>(a.value ^ b.value); }
    template <typename T> static void at(Bits<T> &a, Bits<T> b) { a.value = static_cast<T>(a.value ^ b.value); }
};
/// Of equal values the lesser index.
struct LeastLocation {
    template <typename T> static void at(Pair<T> &a, Pair<T> b) {
        if (b.value < a.value || (b.value == a.value && b.index < a.index)) a = b;
    }
};
struct GreatestLocation {
    template <typename T> static void at(Pair<T> &a, Pair<T> b) {
        if (b.value > a.value || (b.value == a.value && b.index < a.index)) a = b;
    }
};
struct Replace {
    template <typename E> static void at(E &a, const E &b) { a = b; }
};
struct Keep {
    template <typename E> static void at(E &, const E &) {}
};
// clang-format on

template <typename Operation, typename E>
void combine(void *accumulated, const void *next, std::size_t count) {
    auto *a = static_cast<std::uint8_t *>(accumulated);
    const auto *b = static_cast<const std::uint8_t *>(next);
    for (std::size_t i = 0; i < count; i++, a += sizeof(E), b += sizeof(E)) {
        E x, y;
        std::memcpy(&x, a, sizeof x);
        std::memcpy(&y, b, sizeof y);
        Operation::at(x, y);
        std::memcpy(a, &x, sizeof x);
    }
}

template <typename Operation, typename E>
Combine *combine_if_defined() {
    if constexpr (requires(E & a, const E &b) { Operation::at(a, b); }) return combine<Operation, E>;
    else return nullptr;
}

// Operations, and what does them.
#define MOG_MPI_REDUCTIONS(X)   \
    X(MAX, Greater)             \
    X(MIN, Less)                \
    X(SUM, Sum)                 \
    X(PROD, Product)            \
    X(LAND, LogicalAnd)         \
    X(BAND, BitAnd)             \
    X(LOR, LogicalOr)           \
    X(BOR, BitOr)               \
    X(LXOR, LogicalXor)         \
    X(BXOR, BitXor)             \
    X(MINLOC, LeastLocation)    \
    X(MAXLOC, GreatestLocation) \
    X(REPLACE, Replace)         \
    X(NO_OP, Keep)

template <typename E>
Combine *find_for(std::uint32_t operation) {
    switch (operation) {
#define MOG_FIND(name, action) \
    case low_byte(MPI_##name): return combine_if_defined<action, E>();
        MOG_MPI_REDUCTIONS(MOG_FIND)
        default: return nullptr;
    }
}

}  // namespace

std::uint32_t size_of_type(std::uint32_t type) {
    switch (type) {
// clang-format off
#define MOG_MPI_TYPE(name, type, kind) case MOG_MPI_TYPE_ID(MPI_##name): return sizeof(kind<type>);
#include "abi/mpi_types.def"
            // clang-format on
        default: return 0;
    }
}

std::string_view name_of_type(std::uint32_t type) {
    switch (type) {
// clang-format off
#define MOG_MPI_TYPE(name, type, kind) case MOG_MPI_TYPE_ID(MPI_##name): return "MPI_" #name;
#include "abi/mpi_types.def"
            // clang-format on
        case low_byte(MPI_PACKED): return "MPI_PACKED";
        default: return "a type of the program";
    }
}

std::string_view name_of_reduction(std::uint32_t operation) {
    switch (operation) {
#define MOG_NAME(name, action) \
    case low_byte(MPI_##name): return "MPI_" #name;
        MOG_MPI_REDUCTIONS(MOG_NAME)
        default: return "an operation of the program";
    }
}

Combine *find_combine(std::uint32_t type, std::uint32_t operation) {
    switch (type) {
// clang-format off
#define MOG_MPI_TYPE(name, type, kind) case MOG_MPI_TYPE_ID(MPI_##name): return find_for<kind<type>>(operation);
#include "abi/mpi_types.def"
            // clang-format on
        default: return nullptr;
    }
}

}  // namespace mog::mpi
