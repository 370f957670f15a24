// cuda_session.hpp: one CUDA device in use: its context and a stream, memory there and memory of the host that it copies fast.
// Copies and launches wait for nothing; the stream keeps their order, and finish() waits for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime_host/cuda_api.hpp"
#include "support/result.hpp"

namespace mog {

/// Memory of the device; freed with the object. The context must be current then.
class CudaMemory {
public:
    CudaMemory() = default;
    CudaMemory(const CudaApi &api, CuPointer pointer, std::uint64_t bytes) : api_(&api), pointer_(pointer), bytes_(bytes) {}
    CudaMemory(CudaMemory &&other) noexcept
        : api_(other.api_), pointer_(std::exchange(other.pointer_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}
    CudaMemory &operator=(CudaMemory &&other) noexcept {
        std::swap(api_, other.api_);
        std::swap(pointer_, other.pointer_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~CudaMemory() {
        if (pointer_) api_->cuMemFree(pointer_);
    }

    CuPointer get() const { return pointer_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    const CudaApi *api_ = nullptr;
    CuPointer pointer_ = 0;
    std::uint64_t bytes_ = 0;
};

/// Memory of the host that stays in place, so that the device copies from and to it by itself, at the full speed of the bus.
class PinnedMemory {
public:
    PinnedMemory() = default;
    PinnedMemory(const CudaApi &api, void *pointer, std::uint64_t bytes) : api_(&api), pointer_(pointer), bytes_(bytes) {}
    PinnedMemory(PinnedMemory &&other) noexcept
        : api_(other.api_), pointer_(std::exchange(other.pointer_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    PinnedMemory &operator=(PinnedMemory &&other) noexcept {
        std::swap(api_, other.api_);
        std::swap(pointer_, other.pointer_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~PinnedMemory() {
        if (pointer_) api_->cuMemFreeHost(pointer_);
    }

    std::uint8_t *bytes_at() const { return static_cast<std::uint8_t *>(pointer_); }
    std::uint32_t *words() const { return static_cast<std::uint32_t *>(pointer_); }
    std::uint64_t bytes() const { return bytes_; }

private:
    const CudaApi *api_ = nullptr;
    void *pointer_ = nullptr;
    std::uint64_t bytes_ = 0;
};

class CudaSession {
public:
    CudaSession() = default;
    ~CudaSession();
    CudaSession(const CudaSession &) = delete;
    CudaSession &operator=(const CudaSession &) = delete;

    /// Takes the device's primary context, which other CUDA code of the process shares, makes it current and makes a stream; before
    /// anything else.
    Result<void> open(const CudaApi &api, CuDevice device);
    /// Makes the context current in the calling thread, as each other call wants it.
    Result<void> enter();

    const CudaApi &api() const { return *api_; }

    /// At least a word, of undefined content.
    Result<CudaMemory> make_memory(std::uint64_t bytes);
    Result<CudaMemory> make_filled(const void *content, std::uint64_t bytes);
    Result<PinnedMemory> make_pinned(std::uint64_t bytes);
    /// Makes room for `bytes`, if there is less; the content is lost then.
    Result<void> grow(CudaMemory &memory, std::uint64_t bytes);
    Result<void> grow(PinnedMemory &memory, std::uint64_t bytes);

    Result<void> fill_with_zeros(CuPointer pointer, std::uint64_t bytes);
    Result<void> write(CuPointer to, const void *content, std::uint64_t bytes);
    Result<void> read(CuPointer from, void *content, std::uint64_t bytes);

    /// The kernel over `count` threads, rounded up to blocks of `block`, with its parameters in order.
    template <typename... T>
    Result<void> launch(CuFunction kernel, std::uint32_t count, std::uint32_t block, std::size_t shared_bytes, T... parameters) {
        void *pointers[] = {&parameters...};
        return launch(kernel, count, block, shared_bytes, static_cast<void **>(pointers));
    }
    Result<void> launch(CuFunction kernel, std::uint32_t count, std::uint32_t block, std::size_t shared_bytes, void **parameters);
    /// Waits until all is done.
    Result<void> finish();

private:
    Result<void> check(const char *call, CuResult code) const;

    const CudaApi *api_ = nullptr;
    CuDevice device_ = 0;
    CuContext context_ = nullptr;
    CuStream stream_ = nullptr;
};

}  // namespace mog
