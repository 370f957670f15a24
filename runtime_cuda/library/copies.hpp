// copies.hpp: copies and fills of memory, in streams.
#pragma once

#include <cstddef>

#include "runtime_cuda/include/cuda_runtime_api.h"

namespace mog::cuda {

/// A box of bytes in memory with pitches: `height` rows of `width` bytes, `depth` times.
struct Box {
    std::size_t width, height = 1, depth = 1;
};
struct Place {
    void *begin;
    std::size_t pitch = 0, slice = 0;  ///< bytes from row to row, and from layer to layer
};

/// After all that the legacy stream waits for; done when it returns.
cudaError_t copy(void *to, const void *from, std::size_t bytes);
cudaError_t copy_box(const Place &to, const Place &from, const Box &box);
/// In a stream. As CUDA has it: what comes from memory that is the program's alone is taken at once, and a copy `to_host` into such memory
/// is done when the call returns.
cudaError_t copy_in_stream(void *to, const void *from, std::size_t bytes, const void *stream, bool to_host);
cudaError_t copy_box_in_stream(const Place &to, const Place &from, const Box &box, const void *stream);
/// Fills with the element of 1, 2 or 4 bytes. `waits`: done when it returns.
cudaError_t fill_box(const Place &to, unsigned element, int element_bytes, const Box &box, const void *stream, bool waits);

}  // namespace mog::cuda
