/* textures.h: textures and surfaces in kernels, by their handles; and the formats of texels for programs. */
#pragma once

#include "mog_cuda/words.h"

/* Types of texels: name, element, what textures give of it (int, uint or float). */
#define MOG_CUDA_TEXELS(ONE, TWO, FOUR)                                        \
    ONE(char, char, int, Signed)                                               \
    ONE(float, float, float, Float)                                            \
    MOG_CUDA_TEXELS_OF(ONE, TWO, FOUR, char, signed char, int, Signed)         \
    MOG_CUDA_TEXELS_OF(ONE, TWO, FOUR, uchar, unsigned char, uint, Unsigned)   \
    MOG_CUDA_TEXELS_OF(ONE, TWO, FOUR, short, short, int, Signed)              \
    MOG_CUDA_TEXELS_OF(ONE, TWO, FOUR, ushort, unsigned short, uint, Unsigned) \
    MOG_CUDA_TEXELS_OF(ONE, TWO, FOUR, int, int, int, Signed)                  \
    MOG_CUDA_TEXELS_OF(ONE, TWO, FOUR, uint, unsigned, uint, Unsigned)         \
    ONE(float1, float, float, Float) TWO(float2, float, float, Float) FOUR(float4, float, float, Float)
#define MOG_CUDA_TEXELS_OF(ONE, TWO, FOUR, vector, element, given, kind) \
    ONE(element, element, given, kind)                                   \
    ONE(vector##1, element, given, kind) TWO(vector##2, element, given, kind) FOUR(vector##4, element, given, kind)

template <typename Type>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define MOG_CUDA_FORMAT(type, element, kind, second, further)               \
    template <>                                                             \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {            \
        const int bits = 8 * sizeof(element);                               \
        return cudaCreateChannelDesc(bits, second, further, further, kind); \
    }
#define MOG_CUDA_FORMAT_1(type, element, given, kind) MOG_CUDA_FORMAT(type, element, cudaChannelFormatKind##kind, 0, 0)
#define MOG_CUDA_FORMAT_2(type, element, given, kind) MOG_CUDA_FORMAT(type, element, cudaChannelFormatKind##kind, bits, 0)
#define MOG_CUDA_FORMAT_4(type, element, given, kind) MOG_CUDA_FORMAT(type, element, cudaChannelFormatKind##kind, bits, bits)
MOG_CUDA_TEXELS(MOG_CUDA_FORMAT_1, MOG_CUDA_FORMAT_2, MOG_CUDA_FORMAT_4)
#undef MOG_CUDA_FORMAT_1
#undef MOG_CUDA_FORMAT_2
#undef MOG_CUDA_FORMAT_4
#undef MOG_CUDA_FORMAT

#ifdef __CUDA__
/* What a texture gives, made the type that is wanted of it. */
template <typename Type>
struct mog_cuda_texel;
#define MOG_CUDA_TEXEL(type, is_given, ...)                                              \
    template <>                                                                          \
    struct mog_cuda_texel<type> {                                                        \
        using given = is_given##4;                                                       \
        static __device__ __forceinline__ type of(given value) { return {__VA_ARGS__}; } \
    };
#define MOG_CUDA_TEXEL_1(type, element, given, kind) MOG_CUDA_TEXEL(type, given, (element)value.x)
#define MOG_CUDA_TEXEL_2(type, element, given, kind) MOG_CUDA_TEXEL(type, given, (element)value.x, (element)value.y)
#define MOG_CUDA_TEXEL_4(type, element, given, kind) \
    MOG_CUDA_TEXEL(type, given, (element)value.x, (element)value.y, (element)value.z, (element)value.w)
MOG_CUDA_TEXELS(MOG_CUDA_TEXEL_1, MOG_CUDA_TEXEL_2, MOG_CUDA_TEXEL_4)
#undef MOG_CUDA_TEXEL_1
#undef MOG_CUDA_TEXEL_2
#undef MOG_CUDA_TEXEL_4
#undef MOG_CUDA_TEXEL

/* One kind of texture: its name in CUDA, its words in PTX, its coordinates; those in the instruction, and what is behind them. */
#define MOG_CUDA_LIST(...) __VA_ARGS__
#define MOG_CUDA_FETCH(name, words, given, letter, parameters, places, ...)                                      \
    MOG_CUDA_DEVICE void mog_cuda_##name(given##4 & to, cudaTextureObject_t texture, MOG_CUDA_LIST parameters) { \
        asm("tex." words " {%0, %1, %2, %3}, [%[texture], {" places "}];"                                        \
            : "=" letter(to.x), "=" letter(to.y), "=" letter(to.z), "=" letter(to.w)                             \
            : [texture] "l"(texture), __VA_ARGS__);                                                              \
    }
#define MOG_CUDA_TEXTURE(name, geometry, coordinate, parameters, arguments, places, ...)              \
    MOG_CUDA_FETCH(name, geometry ".v4.f32." coordinate, float, "f", parameters, places, __VA_ARGS__) \
    MOG_CUDA_FETCH(name, geometry ".v4.s32." coordinate, int, "r", parameters, places, __VA_ARGS__)   \
    MOG_CUDA_FETCH(name, geometry ".v4.u32." coordinate, uint, "r", parameters, places, __VA_ARGS__)  \
    template <typename Type>                                                                          \
    MOG_CUDA_DEVICE Type name(cudaTextureObject_t texture, MOG_CUDA_LIST parameters) {                \
        typename mog_cuda_texel<Type>::given value;                                                   \
        mog_cuda_##name(value, texture, MOG_CUDA_LIST arguments);                                     \
        return mog_cuda_texel<Type>::of(value);                                                       \
    }                                                                                                 \
    template <typename Type>                                                                          \
    MOG_CUDA_DEVICE void name(Type *to, cudaTextureObject_t texture, MOG_CUDA_LIST parameters) {      \
        *to = name<Type>(texture, MOG_CUDA_LIST arguments);                                           \
    }
MOG_CUDA_TEXTURE(tex1Dfetch, "1d", "s32", (int x), (x), "%[x]", [x] "r"(x))
MOG_CUDA_TEXTURE(tex1D, "1d", "f32", (float x), (x), "%[x]", [x] "f"(x))
MOG_CUDA_TEXTURE(tex2D, "2d", "f32", (float x, float y), (x, y), "%[x], %[y]", [x] "f"(x), [y] "f"(y))
MOG_CUDA_TEXTURE(tex3D, "3d", "f32", (float x, float y, float z), (x, y, z), "%[x], %[y], %[z], %[z]", [x] "f"(x), [y] "f"(y), [z] "f"(z))
MOG_CUDA_TEXTURE(tex1DLayered, "a1d", "f32", (float x, int layer), (x, layer), "%[layer], %[x]", [layer] "r"(layer), [x] "f"(x))
MOG_CUDA_TEXTURE(tex2DLayered, "a2d", "f32", (float x, float y, int layer), (x, y, layer),
                 "%[layer], %[x], %[y], %[y]", [layer] "r"(layer), [x] "f"(x), [y] "f"(y))
#undef MOG_CUDA_TEXTURE
#undef MOG_CUDA_FETCH

/* The bytes of a surface, for values of 1, 2, 4, 8 and 16 bytes; outside of it there are zeros, or the nearest, or it is a fault. */
template <int bytes>
struct mog_cuda_size {};
#define MOG_CUDA_SURFACE_BITS(name, geometry, outside, bytes, held, word, letter, parameters, places, ...)                       \
    MOG_CUDA_DEVICE void mog_cuda_##name##_##outside(mog_cuda_size<bytes>, bool reads, void *value, cudaSurfaceObject_t surface, \
                                                     MOG_CUDA_LIST parameters) {                                                 \
        held bits = 0;                                                                                                           \
        if (reads) {                                                                                                             \
            asm volatile("suld.b." geometry "." word "." #outside " %[bits], [%[surface], {" places "}];"                        \
                         : [bits] "=" letter(bits)                                                                               \
                         : [surface] "l"(surface), __VA_ARGS__                                                                   \
                         : "memory");                                                                                            \
            __builtin_memcpy(value, &bits, bytes);                                                                               \
        } else {                                                                                                                 \
            __builtin_memcpy(&bits, value, bytes);                                                                               \
            asm volatile("sust.b." geometry "." word "." #outside " [%[surface], {" places "}], %[bits];" ::[bits] letter(bits), \
                         [surface] "l"(surface), __VA_ARGS__                                                                     \
                         : "memory");                                                                                            \
        }                                                                                                                        \
    }
#define MOG_CUDA_SURFACE_OUTSIDE(name, geometry, outside, parameters, places, ...)                                                     \
    MOG_CUDA_SURFACE_BITS(name, geometry, outside, 1, unsigned short, "b8", "h", parameters, places, __VA_ARGS__)                      \
    MOG_CUDA_SURFACE_BITS(name, geometry, outside, 2, unsigned short, "b16", "h", parameters, places, __VA_ARGS__)                     \
    MOG_CUDA_SURFACE_BITS(name, geometry, outside, 4, unsigned, "b32", "r", parameters, places, __VA_ARGS__)                           \
    MOG_CUDA_SURFACE_BITS(name, geometry, outside, 8, unsigned long long, "b64", "l", parameters, places, __VA_ARGS__)                 \
    MOG_CUDA_DEVICE void mog_cuda_##name##_##outside(mog_cuda_size<16>, bool reads, void *value, cudaSurfaceObject_t surface,          \
                                                     MOG_CUDA_LIST parameters) {                                                       \
        ulonglong2 bits;                                                                                                               \
        if (reads) {                                                                                                                   \
            asm volatile("suld.b." geometry ".v2.b64." #outside " {%[low], %[high]}, [%[surface], {" places "}];"                      \
                         : [low] "=l"(bits.x), [high] "=l"(bits.y)                                                                     \
                         : [surface] "l"(surface), __VA_ARGS__                                                                         \
                         : "memory");                                                                                                  \
            __builtin_memcpy(value, &bits, 16);                                                                                        \
        } else {                                                                                                                       \
            __builtin_memcpy(&bits, value, 16);                                                                                        \
            asm volatile("sust.b." geometry ".v2.b64." #outside " [%[surface], {" places "}], {%[low], %[high]};" ::[low] "l"(bits.x), \
                         [high] "l"(bits.y), [surface] "l"(surface), __VA_ARGS__                                                       \
                         : "memory");                                                                                                  \
        }                                                                                                                              \
    }
#define MOG_CUDA_SURFACE(name, geometry, parameters, arguments, places, ...)                                                      \
    MOG_CUDA_SURFACE_OUTSIDE(name, geometry, zero, parameters, places, __VA_ARGS__)                                               \
    MOG_CUDA_SURFACE_OUTSIDE(name, geometry, clamp, parameters, places, __VA_ARGS__)                                              \
    MOG_CUDA_SURFACE_OUTSIDE(name, geometry, trap, parameters, places, __VA_ARGS__)                                               \
    template <typename Type>                                                                                                      \
    MOG_CUDA_DEVICE void mog_cuda_##name(bool reads, Type *value, cudaSurfaceObject_t surface, MOG_CUDA_LIST parameters,          \
                                         cudaSurfaceBoundaryMode outside) {                                                       \
        const mog_cuda_size<sizeof(Type)> size;                                                                                   \
        if (outside == cudaBoundaryModeZero) mog_cuda_##name##_zero(size, reads, value, surface, MOG_CUDA_LIST arguments);        \
        else if (outside == cudaBoundaryModeClamp) mog_cuda_##name##_clamp(size, reads, value, surface, MOG_CUDA_LIST arguments); \
        else mog_cuda_##name##_trap(size, reads, value, surface, MOG_CUDA_LIST arguments);                                        \
    }                                                                                                                             \
    template <typename Type>                                                                                                      \
    MOG_CUDA_DEVICE Type name##read(cudaSurfaceObject_t surface, MOG_CUDA_LIST parameters,                                        \
                                    cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {                                     \
        Type value;                                                                                                               \
        mog_cuda_##name(true, &value, surface, MOG_CUDA_LIST arguments, outside);                                                 \
        return value;                                                                                                             \
    }                                                                                                                             \
    template <typename Type>                                                                                                      \
    MOG_CUDA_DEVICE void name##read(Type *value, cudaSurfaceObject_t surface, MOG_CUDA_LIST parameters,                           \
                                    cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {                                     \
        mog_cuda_##name(true, value, surface, MOG_CUDA_LIST arguments, outside);                                                  \
    }                                                                                                                             \
    template <typename Type>                                                                                                      \
    MOG_CUDA_DEVICE void name##write(Type value, cudaSurfaceObject_t surface, MOG_CUDA_LIST parameters,                           \
                                     cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {                                    \
        mog_cuda_##name(false, &value, surface, MOG_CUDA_LIST arguments, outside);                                                \
    }
MOG_CUDA_SURFACE(surf1D, "1d", (int x), (x), "%[x]", [x] "r"(x))
MOG_CUDA_SURFACE(surf2D, "2d", (int x, int y), (x, y), "%[x], %[y]", [x] "r"(x), [y] "r"(y))
MOG_CUDA_SURFACE(surf3D, "3d", (int x, int y, int z), (x, y, z), "%[x], %[y], %[z], %[z]", [x] "r"(x), [y] "r"(y), [z] "r"(z))
MOG_CUDA_SURFACE(surf1DLayered, "a1d", (int x, int layer), (x, layer), "%[layer], %[x]", [layer] "r"(layer), [x] "r"(x))
MOG_CUDA_SURFACE(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer),
                 "%[layer], %[x], %[y], %[y]", [layer] "r"(layer), [x] "r"(x), [y] "r"(y))
#undef MOG_CUDA_SURFACE
#undef MOG_CUDA_SURFACE_OUTSIDE
#undef MOG_CUDA_SURFACE_BITS
#undef MOG_CUDA_LIST
#endif
#undef MOG_CUDA_TEXELS
#undef MOG_CUDA_TEXELS_OF
