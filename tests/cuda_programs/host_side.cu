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
