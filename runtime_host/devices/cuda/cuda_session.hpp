// cuda_session.hpp: one CUDA device in use: its context and streams, memory there and memory of the host that it copies fast.
// Copies and launches wait for nothing; a stream keeps their order, and finish() waits for all of it. Without another one they are in the
// session's own stream, which comes before all others where there is not room for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime_host/devices/cuda/cuda_api.hpp"
#include "support/result.hpp"

namespace mog {

/// Owns what the driver gave out, and gives it back. Its context must be current then.
template <typename Handle, auto Release>
class CudaOwner {
public:
    CudaOwner() = default;
    explicit CudaOwner(Handle handle, std::uint64_t bytes = 0) : handle_(handle), bytes_(bytes) {}
    CudaOwner(CudaOwner &&other) noexcept : handle_(std::exchange(other.handle_, Handle{})), bytes_(std::exchange(other.bytes_, 0)) {}
    CudaOwner &operator=(CudaOwner &&other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~CudaOwner() {
        if (handle_) ((*cuda_api())->*Release)(handle_);
    }

    Handle get() const { return handle_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    Handle handle_{};
    std::uint64_t bytes_ = 0;  ///< of memory
};

/// Memory of the device.
using CudaMemory = CudaOwner<CuPointer, &CudaApi::cuMemFree>;
/// Memory of the host that stays in place, so that the device copies from and to it by itself, at the full speed of the bus.
using PinnedMemory = CudaOwner<void *, &CudaApi::cuMemFreeHost>;
inline std::uint32_t *words_at(const PinnedMemory &memory) { return static_cast<std::uint32_t *>(memory.get()); }
using CudaStream = CudaOwner<CuStream, &CudaApi::cuStreamDestroy>;
using CudaModule = CudaOwner<CuModule, &CudaApi::cuModuleUnload>;

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
    /// Memory of the host that kernels use, too, by the address that `on_device` gets. Zero.
    Result<PinnedMemory> make_mapped(std::uint64_t bytes, CuPointer &on_device);
    /// One that lets the session's own go first; of several, those of more urgency go before others, as far as the device knows so many.
    Result<CudaStream> make_stream(unsigned urgency);
    /// Makes room for `bytes`, if there is less; the content is lost then.
    Result<void> grow(CudaMemory &memory, std::uint64_t bytes) { return grow(memory, bytes, &CudaSession::make_memory); }
    Result<void> grow(PinnedMemory &memory, std::uint64_t bytes) { return grow(memory, bytes, &CudaSession::make_pinned); }

    Result<void> fill_with_zeros(CuPointer pointer, std::uint64_t bytes, CuStream stream = nullptr);
    Result<void> write(CuPointer to, const void *content, std::uint64_t bytes, CuStream stream = nullptr);
    Result<void> read(CuPointer from, void *content, std::uint64_t bytes);

    /// The kernel over `count` threads, rounded up to blocks of `block`, with its parameters in order.
    template <typename... T>
    Result<void> launch(CuFunction kernel, std::uint32_t count, std::uint32_t block, std::size_t shared_bytes, T... parameters) {
        void *pointers[] = {&parameters...};
        return launch(kernel, count, block, shared_bytes, static_cast<void **>(pointers), CuStream{});
    }
    Result<void> launch(CuFunction kernel, std::uint32_t count, std::uint32_t block, std::size_t shared_bytes, void **parameters,
                        CuStream stream);
    /// Waits until all is done.
    Result<void> finish();
    /// True if all is done in that stream.
    Result<bool> is_done(CuStream stream);

private:
    Result<void> check(const char *call, CuResult code) const;
    Result<CudaStream> make_stream(unsigned urgency, bool own);
    CuStream own_unless(CuStream stream) const { return stream ? stream : stream_.get(); }
    template <typename Memory>
    Result<void> grow(Memory &memory, std::uint64_t bytes, Result<Memory> (CudaSession::*make)(std::uint64_t)) {
        if (memory.bytes() >= bytes) return {};
        memory = Memory();
        // Half more than is wanted, so that growing word by word does not allocate each time.
        Result<Memory> made = (this->*make)(bytes + bytes / 2);
        if (!made) return made.error();
        memory = *std::move(made);
        return {};
    }

    const CudaApi *api_ = nullptr;
    CuDevice device_ = 0;
    CuContext context_ = nullptr;
    CudaStream stream_;
};

}  // namespace mog
