// textures.hpp: arrays, and what kernels read of them and of memory: textures, surfaces. Handles are looked up, so that a wrong one is an
// error.
#pragma once

#include "runtime_cuda/include/texture_types.h"
#include "runtime_cuda/library/copies.hpp"
#include "runtime_host/ptx/texels/texture.hpp"

/// CUDA's name; the driver's handle is the same thing.
struct cudaArray {
    mog::ptx::Texels texels;
    cudaChannelFormatDesc format;
    cudaExtent extent;  ///< as it was asked for: 0 for dimensions that it has not
    unsigned flags;
};

namespace mog::cuda {

cudaError_t make_array(cudaArray_t *array, const cudaChannelFormatDesc *format, const cudaExtent &extent, unsigned flags);
/// False: there is no such array.
bool drop_array(cudaArray_const_t array);
bool is_array(cudaArray_const_t array);
/// Where it is, as a place to copy from or to: x in bytes.
Place place_in(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z = 0);
/// Whether a box of bytes from there is all in it.
bool holds(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z, const Box &box);

cudaError_t make_texture(cudaTextureObject_t *texture, const cudaResourceDesc *resource, const cudaTextureDesc *how);
cudaError_t make_surface(cudaSurfaceObject_t *surface, const cudaResourceDesc *resource);
bool drop_texture(unsigned long long handle, bool surface);
/// What it was made of; nullptr: there is none. The second is nullptr for surfaces.
const cudaResourceDesc *resource_of(unsigned long long handle);
const cudaTextureDesc *description_of(unsigned long long handle);

void drop_all_textures();

}  // namespace mog::cuda
