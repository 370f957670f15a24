// opencl_session.hpp: one OpenCL device in use: its context and queue, and what is done with buffers and kernels there.
// Every call waits for nothing but where it says so; the queue keeps the order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime_host/devices/opencl/opencl_api.hpp"
#include "support/result.hpp"

namespace mog {

class OpenClSession {
public:
    explicit OpenClSession(const OpenClApi &api) : api_(api) {}

    /// Makes context and queue; before anything else.
    Result<void> open(cl_device_id device);
    /// Instead: makes a queue of its own in the context of another one, which outlives it.
    Result<void> open_beside(const OpenClSession &other, cl_device_id device);

    const OpenClApi &api() const { return api_; }
    cl_context context() const { return beside_ ? beside_->context() : context_.get(); }

    /// A buffer of at least a word. `host`: the memory that it stands on, with CL_MEM_USE_HOST_PTR.
    Result<ClBuffer> make_buffer(std::uint64_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr);
    Result<ClBuffer> make_filled(const void *content, std::uint64_t bytes);
    Result<void> fill_with_zeros(cl_mem buffer, std::uint64_t bytes);
    /// Both wait until it is done.
    Result<void> write(cl_mem buffer, const void *content, std::uint64_t bytes, std::uint64_t offset = 0);
    Result<void> read(cl_mem buffer, void *content, std::uint64_t bytes, std::uint64_t offset = 0);

    /// Memory of the host that a buffer stands on is the host's to read and write between these two; map() waits.
    Result<void> map(cl_mem buffer, std::uint64_t bytes);
    Result<void> unmap(cl_mem buffer, void *host);

    Result<ClKernel> make_kernel(cl_program program, const char *name);
    /// Makes local memory the kernel's argument `index`.
    Result<void> set_local(cl_kernel kernel, std::uint32_t index, std::size_t bytes);
    /// `count` work-items in work-groups of `group`.
    Result<void> launch(cl_kernel kernel, std::uint32_t group, std::uint32_t count);
    /// Waits until all is done.
    Result<void> finish();

    /// The kernel's arguments 0 to Count-1, which is the number of the next (MOG_ARG_..._LOCAL in launch_abi.h).
    template <cl_uint Count, typename... T>
    Result<void> set_arguments(cl_kernel kernel, const T &...values) {
        static_assert(sizeof...(values) == Count, "as many as the kernel has before that one");
        cl_uint index = 0;
        cl_int code = CL_SUCCESS;
        ((code = code == CL_SUCCESS ? api_.clSetKernelArg(kernel, index++, sizeof values, &values) : code), ...);
        if (code != CL_SUCCESS) return opencl_error("clSetKernelArg", code);
        return {};
    }

private:
    Result<void> make_queue(cl_device_id device);

    const OpenClApi &api_;
    ClContext context_;
    const OpenClSession *beside_ = nullptr;
    ClQueue queue_;
};

}  // namespace mog
