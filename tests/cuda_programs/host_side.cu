// host_side.cu: the runtime API: memory of all kinds, copies, streams, events, callbacks, properties, errors.
#include <thread>

#include "cases.hpp"

__global__ void add_to(int *values, int n, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += by;
}

__managed__ int managed_counter = 5;
__managed__ float managed_table[4] = {1, 2, 3, 4};
__global__ void change_managed() {
    atomicAdd(&managed_counter, 1);
    if (threadIdx.x < 4) managed_table[threadIdx.x] *= 2;
}
CASE(managed_variables) {
    EXPECT(managed_counter == 5 && managed_table[3] == 4);
    managed_counter = 10;
    change_managed<<<1, 32>>>();
    WORKS(cudaDeviceSynchronize());
    EXPECT(managed_counter == 42 && managed_table[0] == 2 && managed_table[3] == 8);
}
CASE(managed_memory) {
    int *values;
    WORKS(cudaMallocManaged(&values, 100 * sizeof(int)));
    for (int i = 0; i < 100; i++) values[i] = i;
    WORKS(cudaMemPrefetchAsync(values, 100 * sizeof(int), 0));
    add_to<<<2, 64>>>(values, 100, 1000);
    WORKS(cudaDeviceSynchronize());
    for (int i = 0; i < 100; i++) EXPECT(values[i] == i + 1000);
    WORKS(cudaFree(values));
}
CASE(memory_of_the_host) {
    int *pinned, *seen, *own = (int *)std::malloc(400);
    WORKS(cudaHostAlloc(&pinned, 400, cudaHostAllocMapped));
    WORKS(cudaHostGetDevicePointer(&seen, pinned, 0));
    for (int i = 0; i < 100; i++) pinned[i] = own[i] = i;
    WORKS(cudaHostRegister(own, 400, cudaHostRegisterMapped));
    add_to<<<1, 100>>>(seen, 100, 7);
    WORKS(cudaHostGetDevicePointer(&seen, own, 0));
    add_to<<<1, 100>>>(seen, 100, 8);
    WORKS(cudaDeviceSynchronize());
    for (int i = 0; i < 100; i++) EXPECT(pinned[i] == i + 7 && own[i] == i + 8);
    WORKS(cudaHostUnregister(own));
    EXPECT(cudaHostUnregister(own) == cudaErrorHostMemoryNotRegistered);
    cudaGetLastError();
    WORKS(cudaFreeHost(pinned));
    std::free(own);
}
CASE(copies_in_two_dimensions) {
    char from[6][10], back[6][10] = {};
    for (int i = 0; i < 60; i++) from[i / 10][i % 10] = (char)i;
    char *device;
    size_t pitch;
    WORKS(cudaMallocPitch(&device, &pitch, 10, 6));
    EXPECT(pitch >= 10);
    WORKS(cudaMemcpy2D(device, pitch, from, 10, 8, 6, cudaMemcpyHostToDevice));
    WORKS(cudaMemset2D(device + pitch, pitch, 99, 3, 2));
    WORKS(cudaMemcpy2D(back, 10, device, pitch, 8, 6, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 10; x++) EXPECT(back[y][x] == (x >= 8 ? 0 : (y == 1 || y == 2) && x < 3 ? 99 : from[y][x]));
    WORKS(cudaFree(device));
}
CASE(copies_in_three_dimensions) {
    cudaPitchedPtr device;
    const cudaExtent extent = make_cudaExtent(8, 3, 4);
    WORKS(cudaMalloc3D(&device, extent));
    unsigned char from[4][3][8], back[4][3][8];
    for (int i = 0; i < 96; i++) ((unsigned char *)from)[i] = (unsigned char)(i * 3);
    cudaMemcpy3DParms copied = {};
    copied.srcPtr = make_cudaPitchedPtr(from, 8, 8, 3);
    copied.dstPtr = device;
    copied.extent = extent;
    copied.kind = cudaMemcpyHostToDevice;
    WORKS(cudaMemcpy3D(&copied));
    copied.srcPtr = device;
    copied.dstPtr = make_cudaPitchedPtr(back, 8, 8, 3);
    copied.kind = cudaMemcpyDeviceToHost;
    WORKS(cudaMemcpy3D(&copied));
    EXPECT(std::memcmp(from, back, sizeof from) == 0);
    WORKS(cudaFree(device.ptr));
}

__global__ void slow(int *values, int n, int rounds) {
    for (int r = 0; r < rounds; r++)
        for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = values[i] * 3 + 1;
}
CASE(streams_and_events) {
    cudaStream_t streams[3];
    cudaEvent_t begin, end, half_way;
    WORKS(cudaEventCreate(&begin));
    WORKS(cudaEventCreate(&end));
    WORKS(cudaEventCreateWithFlags(&half_way, cudaEventDisableTiming));
    int *host[3], *device[3];
    for (int s = 0; s < 3; s++) {
        WORKS(cudaStreamCreate(&streams[s]));
        WORKS(cudaMallocHost(&host[s], 256 * sizeof(int)));
        WORKS(cudaMalloc(&device[s], 256 * sizeof(int)));
        for (int i = 0; i < 256; i++) host[s][i] = i + s;
    }
    WORKS(cudaEventRecord(begin));
    for (int s = 0; s < 3; s++) {
        WORKS(cudaMemcpyAsync(device[s], host[s], 1024, cudaMemcpyHostToDevice, streams[s]));
        slow<<<1, 64, 0, streams[s]>>>(device[s], 256, 5);
        if (s == 0) WORKS(cudaEventRecord(half_way, streams[0]));
        if (s == 2) WORKS(cudaStreamWaitEvent(streams[2], half_way, 0));
        WORKS(cudaMemcpyAsync(host[s], device[s], 1024, cudaMemcpyDeviceToHost, streams[s]));
    }
    WORKS(cudaEventRecord(end));
    WORKS(cudaEventSynchronize(end));
    for (int s = 0; s < 3; s++) {
        WORKS(cudaStreamSynchronize(streams[s]));
        EXPECT(cudaStreamQuery(streams[s]) == cudaSuccess);
        for (int i = 0; i < 256; i++) {
            int should = i + s;
            for (int r = 0; r < 5; r++) should = should * 3 + 1;
            EXPECT(host[s][i] == should);
        }
        WORKS(cudaStreamDestroy(streams[s]));
        WORKS(cudaFreeHost(host[s]));
        WORKS(cudaFree(device[s]));
    }
    float milliseconds = -1;
    WORKS(cudaEventElapsedTime(&milliseconds, begin, end));
    EXPECT(milliseconds >= 0);
    EXPECT(cudaEventElapsedTime(&milliseconds, begin, half_way) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    for (cudaEvent_t event : {begin, end, half_way}) WORKS(cudaEventDestroy(event));
}

CASE(default_stream_waits_for_others) {
    cudaStream_t stream;
    WORKS(cudaStreamCreate(&stream));
    Device<int> device(64);
    for (int i = 0; i < 5; i++) {
        slow<<<1, 64, 0, stream>>>(device, 64, 10);
        add_to<<<1, 64>>>(device, 64, 1);
    }
    int should = 0;
    for (int i = 0; i < 5; i++) {
        for (int r = 0; r < 10; r++) should = should * 3 + 1;
        should++;
    }
    EXPECT(device.value(63) == should);
    WORKS(cudaStreamDestroy(stream));
}

CASE(callbacks) {
    static int called = 0;
    Device<int> device(32);
    slow<<<1, 32>>>(device, 32, 3);
    WORKS(cudaLaunchHostFunc(0, [](void *data) { *(int *)data += 10; }, &called));
    WORKS(cudaStreamAddCallback(0, [](cudaStream_t, cudaError_t status, void *data) { *(int *)data += status == cudaSuccess ? 1 : 100; }, &called, 0));
    WORKS(cudaDeviceSynchronize());
    EXPECT(called == 11);
}

__global__ void waits(volatile int *flag, int *out) {
    while (*flag == 0) {}
    *out = *flag;
}
CASE(kernel_that_waits_for_the_host) {
    int *flag;
    WORKS(cudaMallocHost(&flag, sizeof(int)));
    *flag = 0;
    Device<int> out(1);
    waits<<<1, 1>>>(flag, out);
    *(volatile int *)flag = 17;
    EXPECT(out.value() == 17);
    WORKS(cudaFreeHost(flag));
}

__global__ void much_shared(int *out, int words) {
    extern __shared__ int all[];
    for (int i = threadIdx.x; i < words; i += blockDim.x) all[i] = i * 3;
    __syncthreads();
    if (threadIdx.x == 0) *out = all[words - 1];
}
CASE(much_shared_memory) {
    Device<int> out(1);
    const int bytes = 100 * 1024;
    much_shared<<<1, 64, bytes>>>(out, bytes / 4);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    WORKS(cudaFuncSetAttribute(much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    much_shared<<<1, 64, bytes>>>(out, bytes / 4);
    EXPECT(out.value() == (bytes / 4 - 1) * 3);
}

CASE(properties_and_limits) {
    int count = 0, device = -1, value = 0, runtime = 0;
    WORKS(cudaGetDeviceCount(&count));
    WORKS(cudaGetDevice(&device));
    EXPECT(count == 1 && device == 0);
    cudaDeviceProp properties;
    WORKS(cudaGetDeviceProperties(&properties, 0));
    EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 && properties.multiProcessorCount > 0 && properties.major == 8);
    WORKS(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    EXPECT(value == 1024);
    size_t left = 0, all = 0;
    WORKS(cudaMemGetInfo(&left, &all));
    EXPECT(left > 0 && left <= all);
    WORKS(cudaRuntimeGetVersion(&runtime));
    EXPECT(runtime == CUDART_VERSION);
    int blocks = 0, grid = 0, block = 0;
    WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_to, 256, 0));
    WORKS(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_to));
    EXPECT(blocks > 0 && grid > 0 && block == 1024);
}

CASE(errors) {
    EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);
    void *memory;
    EXPECT(cudaMalloc(&memory, (size_t)1 << 60) == cudaErrorMemoryAllocation);
    cudaGetLastError();
    add_to<<<1, 2000>>>(nullptr, 0, 0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    add_to<<<0, 1>>>(nullptr, 0, 0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaFree((void *)16) == cudaErrorInvalidValue);
    EXPECT(cudaStreamSynchronize((cudaStream_t)1234) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaGraphCreate(nullptr, 0) == cudaErrorNotSupported);
    cudaGetLastError();
}

CASE(attributes_of_pointers) {
    cudaPointerAttributes attributes;
    Device<int> device(4);
    int here;
    WORKS(cudaPointerGetAttributes(&attributes, (int *)device + 1));
    EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == (int *)device + 1);
    WORKS(cudaPointerGetAttributes(&attributes, &here));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
}

CASE(threads_of_the_host) {
    std::vector<std::thread> threads;
    Device<int> device(8 * 64);
    for (int t = 0; t < 8; t++)
        threads.emplace_back([&device, t] {
            for (int i = 0; i < 10; i++) add_to<<<1, 64, 0, cudaStreamPerThread>>>((int *)device + t * 64, 64, t);
            cudaStreamSynchronize(cudaStreamPerThread);
        });
    for (auto &thread : threads) thread.join();
    const auto out = device.host();
    for (int i = 0; i < 8 * 64; i++) EXPECT(out[i] == i / 64 * 10);
}

CASE(memory_in_the_order_of_a_stream) {
    cudaStream_t stream;
    WORKS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int *values, out[64];
    WORKS(cudaMallocAsync(&values, 256, stream));
    WORKS(cudaMemsetAsync(values, 0, 256, stream));
    add_to<<<1, 64, 0, stream>>>(values, 64, 3);
    WORKS(cudaMemcpyAsync(out, values, 256, cudaMemcpyDeviceToHost, stream));
    WORKS(cudaFreeAsync(values, stream));
    WORKS(cudaStreamSynchronize(stream));
    EXPECT(out[0] == 3 && out[63] == 3);
    WORKS(cudaStreamDestroy(stream));
}

// --- Textures and surfaces: coordinates in 256ths of a texel, so that all means are exact ---

__global__ void sampled(cudaTextureObject_t texture, int dimensions, bool layers, const float4 *at, int count, float4 *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 p = at[i];
    if (layers) out[i] = dimensions == 1 ? tex1DLayered<float4>(texture, p.x, (int)p.w) : tex2DLayered<float4>(texture, p.x, p.y, (int)p.w);
    else out[i] = dimensions == 1 ? tex1D<float4>(texture, p.x) : dimensions == 2 ? tex2D<float4>(texture, p.x, p.y) : tex3D<float4>(texture, p.x, p.y, p.z);
}
/// The guide's formulas, one dimension after the other, by numbers of texels.
struct Sampler {
    std::vector<float> texels;  // of one channel
    int size[3];
    cudaTextureAddressMode mode;
    bool linear, normalized;
    float border;
    float texel(int x, int y, int z) const {
        const int at[3] = {x, y, z};
        for (int d = 0; d < 3; d++)
            if (at[d] < 0 || at[d] >= size[d]) return border;
        return texels[(z * size[1] + y) * size[0] + x];
    }
    int inside(int number, int d) const {
        if (mode == cudaAddressModeBorder) return number;
        if (!normalized || mode != cudaAddressModeWrap) return number < 0 ? 0 : number >= size[d] ? size[d] - 1 : number;
        return ((number % size[d]) + size[d]) % size[d];
    }
    double mean(const float *at, int d, int *number) const {
        if (d < 0) return texel(number[0], number[1], number[2]);
        double from = at[d];
        // Every second period of a mirrored one goes from 1 to 0, with what is on the edge of a texel.
        if (normalized && mode == cudaAddressModeMirror) from = std::fabs(std::remainder(from, 2));
        const double x = normalized ? from * size[d] : from;
        const double moved = linear ? x - 0.5 : x, part = moved - std::floor(moved);
        number[d] = inside((int)std::floor(moved), d);
        const double first = mean(at, d - 1, number);
        if (!linear || part == 0) return first;
        number[d] = inside((int)std::floor(moved) + 1, d);
        return first * (1 - part) + mean(at, d - 1, number) * part;
    }
};
static cudaTextureObject_t texture_of(const cudaResourceDesc &resource, cudaTextureAddressMode mode, bool linear, bool normalized, bool numbers = false,
                                      float border = 0) {
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.normalizedCoords = normalized;
    how.readMode = numbers ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.borderColor[0] = border;
    cudaTextureObject_t made = 0;
    WORKS(cudaCreateTextureObject(&made, &resource, &how, nullptr));
    return made;
}
static cudaResourceDesc of_array(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}
static std::vector<float4> sample(cudaTextureObject_t texture, int dimensions, bool layers, const std::vector<float4> &at) {
    Device<float4> places(at), out(at.size());
    sampled<<<(at.size() + 63) / 64, 64>>>(texture, dimensions, layers, places, (int)at.size(), out);
    return out.host();
}
/// Filled by a copy in three dimensions.
static cudaArray_t array_of(const std::vector<float> &texels, cudaExtent extent, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    WORKS(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    const size_t height = extent.height ? extent.height : 1;
    copy.srcPtr = make_cudaPitchedPtr((void *)texels.data(), extent.width * 4, extent.width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, height, extent.depth ? extent.depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    WORKS(cudaMemcpy3D(&copy));
    return array;
}

CASE(textures_in_all_modes) {
    std::vector<float> texels;
    for (int i = 0; i < 8 * 4 * 2; i++) texels.push_back((float)(i * 37 % 101));
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        const int size[3] = {8, dimensions > 1 ? 4 : 1, dimensions > 2 ? 2 : 1};
        const cudaArray_t array = array_of(texels, make_cudaExtent(8, dimensions > 1 ? 4 : 0, dimensions > 2 ? 2 : 0));
        for (int which = 0; which < 16; which++) {
            const auto mode = (cudaTextureAddressMode)(which & 3);
            const bool linear = which & 4, normalized = which & 8;
            const Sampler expected{texels, {size[0], size[1], size[2]}, mode, linear, normalized, 7};
            std::vector<float4> at;
            Numbers from;
            for (int i = 0; i < 100; i++) {
                float place[3];
                // Sizes are powers of 2: normalized ones are exact, too.
                for (int d = 0; d < 3; d++) place[d] = ((int)from.below(256 * 3 * size[d]) - 256 * size[d]) / 256.0f / (normalized ? size[d] : 1);
                at.push_back(make_float4(place[0], place[1], place[2], 0));
            }
            const cudaTextureObject_t texture = texture_of(of_array(array), mode, linear, normalized, false, 7);
            const auto out = sample(texture, dimensions, false, at);
            for (int i = 0; i < 100; i++) {
                int number[3] = {};
                EXPECT(out[i].x == (float)expected.mean(&at[i].x, dimensions - 1, number));
            }
            WORKS(cudaDestroyTextureObject(texture));
        }
        WORKS(cudaFreeArray(array));
    }
    // A weight has 8 bits: what is between them goes to the nearest.
    const cudaArray_t two = array_of({0, 1024}, make_cudaExtent(2, 0, 0));
    const cudaTextureObject_t texture = texture_of(of_array(two), cudaAddressModeClamp, true, false);
    const auto out = sample(texture, 1, false, {make_float4(0.5f + 0.4f / 256, 0, 0, 0), make_float4(0.5f + 0.6f / 256, 0, 0, 0), make_float4(1.499f, 0, 0, 0)});
    EXPECT(out[0].x == 0 && out[1].x == 4 && out[2].x == 1024);
    WORKS(cudaDestroyTextureObject(texture));
    WORKS(cudaFreeArray(two));
    // Layers are not mixed, and the last one is what is behind it.
    const cudaArray_t layers = array_of({0, 8, 16, 24, 100, 108, 116, 124}, make_cudaExtent(2, 2, 2), cudaArrayLayered);
    const cudaTextureObject_t layered = texture_of(of_array(layers), cudaAddressModeClamp, true, false);
    const auto of_layers = sample(layered, 2, true, {make_float4(1, 1, 0, 0), make_float4(1, 1, 0, 1), make_float4(0.5f, 1.5f, 0, 5)});
    EXPECT(of_layers[0].x == 12 && of_layers[1].x == 112 && of_layers[2].x == 116);
    WORKS(cudaDestroyTextureObject(layered));
    WORKS(cudaFreeArray(layers));
}

__global__ void elements(cudaTextureObject_t bytes, cudaTextureObject_t shorts, cudaTextureObject_t numbers, cudaTextureObject_t halves, int *out) {
    const int t = threadIdx.x;
    const uchar4 four = tex2D<uchar4>(bytes, t % 4, t / 4);
    out[t * 8] = four.x | four.y << 8 | four.z << 16 | (unsigned)four.w << 24;
    out[t * 8 + 1] = tex1Dfetch<short>(shorts, t - 4);
    const float4 as_numbers = tex2D<float4>(numbers, t % 4, t / 4);
    out[t * 8 + 2] = __float_as_int(as_numbers.x), out[t * 8 + 3] = __float_as_int(as_numbers.w);
    const float2 two = tex1D<float2>(halves, (float)t);
    out[t * 8 + 4] = __float_as_int(two.x), out[t * 8 + 5] = __float_as_int(two.y);
}
CASE(texels_of_all_kinds) {
    std::vector<unsigned char> bytes(64);
    for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)(i * 7);
    // In memory with pitches; as signed numbers, of the same bytes in an array.
    Device<unsigned char> memory(bytes);
    cudaResourceDesc pitched = {};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = memory, pitched.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    pitched.res.pitch2D.width = 4, pitched.res.pitch2D.height = 4, pitched.res.pitch2D.pitchInBytes = 16;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<char4>();
    WORKS(cudaMallocArray(&array, &format, 4, 4));
    WORKS(cudaMemcpy2DToArray(array, 0, 0, bytes.data(), 16, 16, 4, cudaMemcpyHostToDevice));
    std::vector<short> values = {-3, 500, 7, -32768, 9, 1};
    Device<short> shorts(values);
    cudaResourceDesc linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = shorts, linear.res.linear.desc = cudaCreateChannelDesc<short>(), linear.res.linear.sizeInBytes = 12;
    // 1, -2, a subnormal 2^-24, infinity.
    std::vector<unsigned short> half_bits = {0x3c00, 0xc000, 0x0001, 0x7c00};
    Device<unsigned short> halves(half_bits);
    cudaResourceDesc of_halves = linear;
    of_halves.res.linear.devPtr = halves, of_halves.res.linear.desc = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat), of_halves.res.linear.sizeInBytes = 8;
    const cudaTextureObject_t textures[] = {texture_of(pitched, cudaAddressModeClamp, false, false), texture_of(linear, cudaAddressModeClamp, false, false),
                                            texture_of(of_array(array), cudaAddressModeClamp, false, false, true), texture_of(of_halves, cudaAddressModeClamp, false, false)};
    Device<int> device(16 * 8);
    elements<<<1, 16>>>(textures[0], textures[1], textures[2], textures[3], device);
    const auto out = device.host();
    const float expected_halves[] = {1, -2, 5.9604644775390625e-8f, INFINITY};
    for (int t = 0; t < 16; t++) {
        unsigned word;
        std::memcpy(&word, &bytes[t * 4], 4);
        EXPECT((unsigned)out[t * 8] == word);
        EXPECT(out[t * 8 + 1] == (t < 4 || t >= 10 ? 0 : values[t - 4]));
        float numbers[4];
        std::memcpy(numbers, &out[t * 8 + 2], 16);
        EXPECT(numbers[0] == std::fmax((signed char)bytes[t * 4] / 127.0f, -1.0f) && numbers[1] == std::fmax((signed char)bytes[t * 4 + 3] / 127.0f, -1.0f));
        EXPECT(numbers[2] == (t < 2 ? expected_halves[t * 2] : 0) && numbers[3] == (t < 2 ? expected_halves[t * 2 + 1] : 0));
    }
    for (const cudaTextureObject_t one : textures) WORKS(cudaDestroyTextureObject(one));
    WORKS(cudaFreeArray(array));
}

__global__ void drawn(cudaSurfaceObject_t surface, int *out) {
    const int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(make_uchar4(x, y, x * y, 255), surface, x * 4, y);
    __syncthreads();
    const uchar4 other = surf2Dread<uchar4>(surface, (x - 1) * 4, y + 1, cudaBoundaryModeZero), nearest = surf2Dread<uchar4>(surface, (x - 1) * 4, y + 1, cudaBoundaryModeClamp);
    out[(y * 8 + x) * 2] = other.z | other.w << 8;
    out[(y * 8 + x) * 2 + 1] = nearest.x | nearest.y << 8;
}
CASE(surfaces) {
    cudaArray_t array, plain;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    WORKS(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t surface;
    const cudaResourceDesc resource = of_array(array);
    WORKS(cudaCreateSurfaceObject(&surface, &resource));
    Device<int> device(64);
    drawn<<<1, dim3(8, 4)>>>(surface, device);
    const auto out = device.host();
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 8; x++) {
            const bool is_in = x >= 1 && y + 1 < 4;
            EXPECT(out[(y * 8 + x) * 2] == (is_in ? (x - 1) * (y + 1) | 255 << 8 : 0));
            EXPECT(out[(y * 8 + x) * 2 + 1] == ((x < 1 ? 0 : x - 1) | (y + 1 < 4 ? y + 1 : 3) << 8));
        }
    std::vector<unsigned char> picture(8 * 4 * 4);
    WORKS(cudaMemcpy2DFromArray(picture.data(), 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
    EXPECT(picture[(2 * 8 + 5) * 4 + 2] == 10 && picture[127] == 255);
    WORKS(cudaDestroySurfaceObject(surface));
    // What cannot be.
    WORKS(cudaMallocArray(&plain, &format, 8, 4));
    cudaTextureObject_t texture;
    cudaTextureDesc how = {};
    const cudaResourceDesc of_plain = of_array(plain);
    EXPECT(cudaCreateSurfaceObject(&surface, &of_plain) == cudaErrorInvalidValue);
    how.filterMode = cudaFilterModeLinear;
    EXPECT(cudaCreateTextureObject(&texture, &of_plain, &how, nullptr) == cudaErrorInvalidValue);
    how.filterMode = cudaFilterModePoint;
    how.sRGB = 1;
    EXPECT(cudaCreateTextureObject(&texture, &of_plain, &how, nullptr) == cudaErrorNotSupported);
    EXPECT(cudaMallocMipmappedArray(nullptr, &format, make_cudaExtent(8, 4, 0), 2) == cudaErrorNotSupported);
    EXPECT(cudaMemcpy2DToArray(plain, 0, 2, picture.data(), 32, 32, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaDestroyTextureObject(1234) == cudaErrorInvalidResourceHandle);
    WORKS(cudaFreeArray(plain));
    EXPECT(cudaFreeArray(plain) == cudaErrorInvalidResourceHandle);
    WORKS(cudaFreeArray(array));
    cudaGetLastError();
}
