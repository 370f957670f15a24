// cuda_session.cpp: the driver's calls with their codes turned into errors.
#include "runtime_host/devices/cuda/cuda_session.hpp"

#include <algorithm>
#include <cstring>

namespace mog {

namespace {

constexpr unsigned stream_of_its_own = 1;  // CU_STREAM_NON_BLOCKING: waits for no other code's default stream
constexpr unsigned mapped = 2;             // CU_MEMHOSTALLOC_DEVICEMAP
constexpr CuResult not_ready = 600;

}  // namespace

CudaSession::~CudaSession() {
    if (!api_) return;
    stream_ = CudaStream();
    if (context_) api_->cuDevicePrimaryCtxRelease(device_);
}

Result<void> CudaSession::check(const char *call, CuResult code) const {
    if (code != 0) return cuda_error(*api_, call, code);
    return {};
}

Result<void> CudaSession::open(const CudaApi &api, CuDevice device) {
    api_ = &api;
    device_ = device;
    MOG_TRY(check("cuDevicePrimaryCtxRetain", api.cuDevicePrimaryCtxRetain(&context_, device)));
    MOG_TRY(enter());
    Result<CudaStream> made = make_stream(0, true);
    if (!made) return made.error();
    stream_ = *std::move(made);
    return {};
}

Result<CudaStream> CudaSession::make_stream(unsigned urgency, bool own) {
    int least = 0, greatest = 0;  // of which the latter is the smaller number
    MOG_TRY(check("cuCtxGetStreamPriorityRange", api_->cuCtxGetStreamPriorityRange(&least, &greatest)));
    const int priority = own ? greatest : std::max(least - static_cast<int>(urgency), std::min(greatest + 1, least));
    CuStream stream = nullptr;
    MOG_TRY(check("cuStreamCreateWithPriority", api_->cuStreamCreateWithPriority(&stream, stream_of_its_own, priority)));
    return CudaStream(stream);
}

Result<CudaStream> CudaSession::make_stream(unsigned urgency) { return make_stream(urgency, false); }

Result<void> CudaSession::enter() { return check("cuCtxSetCurrent", api_->cuCtxSetCurrent(context_)); }

Result<CudaMemory> CudaSession::make_memory(std::uint64_t bytes) {
    bytes = std::max<std::uint64_t>(bytes, 4);
    CuPointer pointer = 0;
    MOG_TRY(check("cuMemAlloc", api_->cuMemAlloc(&pointer, bytes)));
    return CudaMemory(pointer, bytes);
}

Result<CudaMemory> CudaSession::make_filled(const void *content, std::uint64_t bytes) {
    Result<CudaMemory> memory = make_memory(bytes);
    if (memory) MOG_TRY(write(memory->get(), content, bytes));
    return memory;
}

Result<PinnedMemory> CudaSession::make_pinned(std::uint64_t bytes) {
    bytes = std::max<std::uint64_t>(bytes, 4);
    void *pointer = nullptr;
    MOG_TRY(check("cuMemHostAlloc", api_->cuMemHostAlloc(&pointer, bytes, 0)));
    return PinnedMemory(pointer, bytes);
}

Result<PinnedMemory> CudaSession::make_mapped(std::uint64_t bytes, CuPointer &on_device) {
    bytes = std::max<std::uint64_t>(bytes, 4);
    void *pointer = nullptr;
    MOG_TRY(check("cuMemHostAlloc", api_->cuMemHostAlloc(&pointer, bytes, mapped)));
    PinnedMemory memory(pointer, bytes);
    std::memset(pointer, 0, bytes);
    MOG_TRY(check("cuMemHostGetDevicePointer", api_->cuMemHostGetDevicePointer(&on_device, pointer, 0)));
    return memory;
}

Result<void> CudaSession::fill_with_zeros(CuPointer pointer, std::uint64_t bytes, CuStream stream) {
    return check("cuMemsetD32Async", api_->cuMemsetD32Async(pointer, 0, bytes / 4, own_unless(stream)));
}

Result<void> CudaSession::write(CuPointer to, const void *content, std::uint64_t bytes, CuStream stream) {
    if (bytes == 0) return {};
    return check("cuMemcpyHtoDAsync", api_->cuMemcpyHtoDAsync(to, content, bytes, own_unless(stream)));
}

Result<void> CudaSession::read(CuPointer from, void *content, std::uint64_t bytes) {
    if (bytes == 0) return {};
    return check("cuMemcpyDtoHAsync", api_->cuMemcpyDtoHAsync(content, from, bytes, stream_.get()));
}

Result<void> CudaSession::launch(CuFunction kernel, std::uint32_t count, std::uint32_t block, std::size_t shared_bytes, void **parameters,
                                 CuStream stream) {
    if (count == 0) return {};
    const unsigned blocks = (count - 1) / block + 1;
    return check("cuLaunchKernel", api_->cuLaunchKernel(kernel, blocks, 1, 1, block, 1, 1, static_cast<unsigned>(shared_bytes),
                                                        own_unless(stream), parameters, nullptr));
}

Result<void> CudaSession::finish() { return check("cuStreamSynchronize", api_->cuStreamSynchronize(stream_.get())); }

Result<bool> CudaSession::is_done(CuStream stream) {
    const CuResult code = api_->cuStreamQuery(stream);
    if (code != not_ready) MOG_TRY(check("cuStreamQuery", code));
    return code != not_ready;
}

}  // namespace mog
