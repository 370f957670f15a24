// limits.hpp: bounds of the MPI engine, as options set them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mog::mpi {

inline constexpr std::uint32_t most_sayings = 10;  ///< of one kind, for example of types that differ

struct Limits {
    std::uint32_t eager_bytes = 4096;        ///< messages up to this size need not wait for their receive
    std::uint64_t buffer_bytes = 64u << 20;  ///< of such messages, in all, with what each of them costs beside its bytes

    static constexpr std::uint32_t pending_for_buffered = 32;
    /// What operations that are not done may take in all, and so what objects may: 2 GiB by default. Beyond it calls fail with
    /// MPI_ERR_NO_MEM.
    std::uint64_t pending_bytes() const {
        return std::max<std::uint64_t>(std::min<std::uint64_t>(buffer_bytes, UINT32_MAX) * pending_for_buffered, 16u << 20);
    }
};

}  // namespace mog::mpi
