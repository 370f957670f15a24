// combine.hpp: MPI's predefined operations on its basic types, as they are in the memory of PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mog::mpi {

/// accumulated[i] = accumulated[i] op next[i]. Neither need be aligned.
using Combine = void(void *accumulated, const void *next, std::size_t count);

/// Bytes of an element of a type, which is the low byte of its handle, or of a pair's with bit 7; 0: there is no such type.
std::uint32_t size_of_type(std::uint32_t type);
/// "MPI_INT", of the same number.
std::string_view name_of_type(std::uint32_t type);
/// "MPI_SUM", of the low byte of its handle.
std::string_view name_of_reduction(std::uint32_t operation);
/// Null: the operation (the low byte of its handle) is not defined for the type.
Combine *find_combine(std::uint32_t type, std::uint32_t operation);

}  // namespace mog::mpi
