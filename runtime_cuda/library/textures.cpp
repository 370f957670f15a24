// textures.cpp: arrays, textures and surfaces.
#include "runtime_cuda/library/textures.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime_cuda/library/errors.hpp"
#include "runtime_cuda/library/memory.hpp"

namespace mog::cuda {

namespace {

struct Known {
    ptx::Texture texture;
    cudaResourceDesc resource;
    std::optional<cudaTextureDesc> how;  ///< of a surface: none
};
struct Objects {
    std::mutex mutex;
    std::map<cudaArray_const_t, std::unique_ptr<cudaArray>> arrays;
    std::map<unsigned long long, std::unique_ptr<Known>> textures;
};
Objects &objects() {
    static Objects &kept = *new Objects;  // kernels may run until the process ends
    return kept;
}

/// Channels of one width, 1, 2 or 4 of them.
std::optional<ptx::Texels> texels_of(const cudaChannelFormatDesc &format) {
    const int bits[] = {format.x, format.y, format.z, format.w};
    const auto count = static_cast<unsigned>(std::find(std::begin(bits), std::end(bits), 0) - std::begin(bits));
    if (count == 0 || count == 3 || (format.x != 8 && format.x != 16 && format.x != 32)) return {};
    for (unsigned at = 0; at < 4; ++at)
        if (bits[at] != (at < count ? format.x : 0)) return {};
    ptx::Texels texels;
    texels.channels = static_cast<std::uint8_t>(count);
    texels.channel_bytes = static_cast<std::uint8_t>(format.x / 8);
    switch (format.f) {
        case cudaChannelFormatKindSigned: texels.kind = ptx::Texels::Kind::integer; break;
        case cudaChannelFormatKindUnsigned: texels.kind = ptx::Texels::Kind::natural; break;
        case cudaChannelFormatKindFloat: texels.kind = ptx::Texels::Kind::real; break;
        default: return {};
    }
    if (texels.kind == ptx::Texels::Kind::real && texels.channel_bytes == 1) return {};
    return texels;
}

cudaError_t refuse(const char *sentence, cudaError_t error = cudaErrorNotSupported) {
    tell(sentence);
    return error;
}

/// Where the texels of a resource are.
cudaError_t find_texels(const cudaResourceDesc &resource, ptx::Texels &texels) {
    switch (resource.resType) {
        case cudaResourceTypeArray:
            if (!is_array(resource.res.array.array)) return cudaErrorInvalidResourceHandle;
            texels = resource.res.array.array->texels;
            return cudaSuccess;
        case cudaResourceTypeLinear: {
            const auto &linear = resource.res.linear;
            const auto found = texels_of(linear.desc);
            if (!found) return cudaErrorInvalidChannelDescriptor;
            if (!linear.devPtr || linear.sizeInBytes < found->texel_bytes()) return cudaErrorInvalidValue;
            texels = *found;
            texels.begin = static_cast<std::byte *>(linear.devPtr);
            texels.width = linear.sizeInBytes / found->texel_bytes();
            return cudaSuccess;
        }
        case cudaResourceTypePitch2D: {
            const auto &pitched = resource.res.pitch2D;
            const auto found = texels_of(pitched.desc);
            if (!found) return cudaErrorInvalidChannelDescriptor;
            if (!pitched.devPtr || !pitched.width || !pitched.height || pitched.pitchInBytes < pitched.width * found->texel_bytes())
                return cudaErrorInvalidValue;
            texels = *found;
            texels.begin = static_cast<std::byte *>(pitched.devPtr);
            texels.width = pitched.width;
            texels.height = pitched.height;
            texels.row_bytes = pitched.pitchInBytes;
            return cudaSuccess;
        }
        default: return refuse("textures with levels (mipmaps) are not there: make one of each level");
    }
}

unsigned long long keep(Known known) {
    auto kept = std::make_unique<Known>(std::move(known));
    const auto handle = static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(&kept->texture));
    const std::lock_guard lock(objects().mutex);
    objects().textures[handle] = std::move(kept);
    return handle;
}

}  // namespace

cudaError_t make_array(cudaArray_t *array, const cudaChannelFormatDesc *format, const cudaExtent &extent, unsigned flags) {
    if (!array || !format || !extent.width) return cudaErrorInvalidValue;
    if (const cudaError_t error = fault_so_far(); error != cudaSuccess) return error;
    if (flags & cudaArrayCubemap) return refuse("arrays of cubes are not there: make one of six layers");
    if (flags & ~unsigned{cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather}) return cudaErrorInvalidValue;
    const auto found = texels_of(*format);
    if (!found) return cudaErrorInvalidChannelDescriptor;
    auto made = std::make_unique<cudaArray>(cudaArray{*found, *format, extent, flags});
    ptx::Texels &texels = made->texels;
    texels.width = extent.width;
    texels.height = std::max<std::size_t>(1, extent.height);
    texels.depth = std::max<std::size_t>(1, extent.depth);
    texels.row_bytes = texels.width * texels.texel_bytes();
    texels.slice_bytes = texels.row_bytes * texels.height;
    if (texels.row_bytes / texels.texel_bytes() != texels.width || texels.slice_bytes / texels.row_bytes != texels.height)
        return cudaErrorInvalidValue;
    const std::optional<void *> memory = allocate(texels.slice_bytes * texels.depth, Kind::device);
    if (!memory) return cudaErrorMemoryAllocation;
    texels.begin = static_cast<std::byte *>(*memory);
    *array = made.get();
    const std::lock_guard lock(objects().mutex);
    objects().arrays[*array] = std::move(made);
    return cudaSuccess;
}

bool drop_array(cudaArray_const_t array) {
    const std::lock_guard lock(objects().mutex);
    const auto found = objects().arrays.find(array);
    if (found == objects().arrays.end()) return false;
    release(array->texels.begin, true);
    objects().arrays.erase(found);
    return true;
}

bool is_array(cudaArray_const_t array) {
    const std::lock_guard lock(objects().mutex);
    return objects().arrays.contains(array);
}

Place place_in(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z) {
    const ptx::Texels &texels = array->texels;
    return {texels.begin + z * texels.slice_bytes + y * texels.row_bytes + x, texels.row_bytes, texels.slice_bytes};
}

bool holds(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z, const Box &box) {
    const auto fits = [](std::size_t at, std::size_t count, std::size_t size) { return at <= size && count <= size - at; };
    const ptx::Texels &texels = array->texels;
    return fits(x, box.width, texels.row_bytes) && fits(y, box.height, texels.height) && fits(z, box.depth, texels.depth);
}

cudaError_t make_texture(cudaTextureObject_t *texture, const cudaResourceDesc *resource, const cudaTextureDesc *how) {
    if (!texture || !resource || !how) return cudaErrorInvalidValue;
    Known known{{}, *resource, *how};
    ptx::Texture &made = known.texture;
    if (const cudaError_t error = find_texels(*resource, made.texels); error != cudaSuccess) return error;
    if (how->sRGB) return refuse("textures do not convert sRGB: read numbers, and convert them in the kernel");
    made.is_normalized = how->normalizedCoords != 0;
    made.is_linear = how->filterMode == cudaFilterModeLinear;
    made.gives_numbers = how->readMode == cudaReadModeNormalizedFloat;
    const bool is_real = made.texels.kind == ptx::Texels::Kind::real;
    if (made.gives_numbers && !is_real && made.texels.channel_bytes == 4)
        return refuse("integers of 32 bits are not read as numbers from 0 to 1", cudaErrorInvalidValue);
    if (made.is_linear && !is_real && !made.gives_numbers)
        return refuse("means are of floats: read integers as cudaReadModeNormalizedFloat, or the nearest", cudaErrorInvalidValue);
    for (std::size_t dimension = 0; dimension < 3; ++dimension) {
        switch (how->addressMode[dimension]) {
            case cudaAddressModeWrap: made.outside[dimension] = ptx::Outside::wrap; break;
            case cudaAddressModeClamp: made.outside[dimension] = ptx::Outside::clamp; break;
            case cudaAddressModeMirror: made.outside[dimension] = ptx::Outside::mirror; break;
            case cudaAddressModeBorder: made.outside[dimension] = ptx::Outside::border; break;
            default: return cudaErrorInvalidValue;
        }
    }
    // What is outside of memory in a row is 0.
    if (resource->resType == cudaResourceTypeLinear) made.outside.fill(ptx::Outside::border);
    else std::copy(std::begin(how->borderColor), std::end(how->borderColor), made.border.begin());
    *texture = keep(std::move(known));
    return cudaSuccess;
}

cudaError_t make_surface(cudaSurfaceObject_t *surface, const cudaResourceDesc *resource) {
    if (!surface || !resource || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    Known known{{}, *resource, {}};
    if (const cudaError_t error = find_texels(*resource, known.texture.texels); error != cudaSuccess) return error;
    if (!(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
        return refuse("a surface is of an array that was made with cudaArraySurfaceLoadStore", cudaErrorInvalidValue);
    *surface = keep(std::move(known));
    return cudaSuccess;
}

bool drop_texture(unsigned long long handle, bool surface) {
    const std::lock_guard lock(objects().mutex);
    const auto found = objects().textures.find(handle);
    if (found == objects().textures.end() || found->second->how.has_value() == surface) return false;
    found->second->texture.mark = 0;
    objects().textures.erase(found);
    return true;
}

const cudaResourceDesc *resource_of(unsigned long long handle) {
    const std::lock_guard lock(objects().mutex);
    const auto found = objects().textures.find(handle);
    return found == objects().textures.end() ? nullptr : &found->second->resource;
}

const cudaTextureDesc *description_of(unsigned long long handle) {
    const std::lock_guard lock(objects().mutex);
    const auto found = objects().textures.find(handle);
    return found == objects().textures.end() || !found->second->how ? nullptr : &*found->second->how;
}

void drop_all_textures() {
    const std::lock_guard lock(objects().mutex);
    objects().textures.clear();
    objects().arrays.clear();  // their memory goes with all memory
}

}  // namespace mog::cuda
