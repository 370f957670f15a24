// limits.hpp: bounds of the MPI engine, as options set them.
#pragma once

#include <cstdint>

namespace mog::mpi {

struct Limits {
    std::uint32_t eager_bytes = 4096;        ///< messages up to this size need not wait for their receive
    std::uint64_t buffer_bytes = 64u << 20;  ///< of such messages, in all
};

}  // namespace mog::mpi
