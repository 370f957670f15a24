// opencl_session.cpp: OpenCL's calls with their codes turned into errors.
#include "runtime_host/devices/opencl/opencl_session.hpp"

#include "runtime_host/device/driver_signals.hpp"

namespace mog {

Result<void> OpenClSession::open(cl_device_id device) {
    cl_int code = CL_SUCCESS;
    context_ = ClContext(api_.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
    if (code != CL_SUCCESS) return opencl_error("clCreateContext", code);
    return make_queue(device);
}

Result<void> OpenClSession::open_beside(const OpenClSession &other, cl_device_id device) {
    beside_ = &other;
    return make_queue(device);
}

Result<void> OpenClSession::make_queue(cl_device_id device) {
    cl_int code = CL_SUCCESS;
    queue_ = ClQueue(api_.clCreateCommandQueue(context(), device, 0, &code));
    if (code != CL_SUCCESS) return opencl_error("clCreateCommandQueue", code);
    return {};
}

Result<ClBuffer> OpenClSession::make_buffer(std::uint64_t bytes, cl_mem_flags flags, void *host) {
    cl_int code = CL_SUCCESS;
    bytes = std::max<std::uint64_t>(bytes, 4);
    ClBuffer buffer(api_.clCreateBuffer(context(), flags, bytes, host, &code));
    if (code != CL_SUCCESS) return opencl_error("clCreateBuffer", code);
    return buffer;
}

Result<ClBuffer> OpenClSession::make_filled(const void *content, std::uint64_t bytes) {
    Result<ClBuffer> buffer = make_buffer(bytes);
    if (buffer) MOG_TRY(write(buffer->get(), content, bytes));
    return buffer;
}

Result<void> OpenClSession::fill_with_zeros(cl_mem buffer, std::uint64_t bytes) {
    const std::uint32_t zero = 0;
    cl_int code = api_.clEnqueueFillBuffer(queue_.get(), buffer, &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clEnqueueFillBuffer", code);
    return {};
}

Result<void> OpenClSession::write(cl_mem buffer, const void *content, std::uint64_t bytes, std::uint64_t offset) {
    if (bytes == 0) return {};
    cl_int code = api_.clEnqueueWriteBuffer(queue_.get(), buffer, CL_TRUE, offset, bytes, content, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clEnqueueWriteBuffer", code);
    return {};
}

Result<void> OpenClSession::read(cl_mem buffer, void *content, std::uint64_t bytes, std::uint64_t offset) {
    if (bytes == 0) return {};
    cl_int code = api_.clEnqueueReadBuffer(queue_.get(), buffer, CL_TRUE, offset, bytes, content, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clEnqueueReadBuffer", code);
    return {};
}

Result<void> OpenClSession::map(cl_mem buffer, std::uint64_t bytes) {
    cl_int code = CL_SUCCESS;
    api_.clEnqueueMapBuffer(queue_.get(), buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &code);
    if (code != CL_SUCCESS) return opencl_error("clEnqueueMapBuffer", code);
    return {};
}

Result<void> OpenClSession::unmap(cl_mem buffer, void *host) {
    cl_int code = api_.clEnqueueUnmapMemObject(queue_.get(), buffer, host, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clEnqueueUnmapMemObject", code);
    return {};
}

Result<ClKernel> OpenClSession::make_kernel(cl_program program, const char *name) {
    cl_int code = CL_SUCCESS;
    ClKernel kernel(api_.clCreateKernel(program, name, &code));
    if (code != CL_SUCCESS) return opencl_error("clCreateKernel", code);
    return kernel;
}

Result<void> OpenClSession::set_local(cl_kernel kernel, std::uint32_t index, std::size_t bytes) {
    cl_int code = api_.clSetKernelArg(kernel, index, bytes, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clSetKernelArg", code);
    return {};
}

Result<void> OpenClSession::launch(cl_kernel kernel, std::uint32_t group, std::uint32_t count) {
    if (count == 0) return {};
    const DriverSignals signals;  // PoCL compiles when it knows the work-group's size
    std::size_t local = group, global = (std::size_t{count} + group - 1) / group * group;
    cl_int code = api_.clEnqueueNDRangeKernel(queue_.get(), kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return opencl_error("clEnqueueNDRangeKernel", code);
    return {};
}

Result<void> OpenClSession::finish() {
    const DriverSignals signals;
    cl_int code = api_.clFinish(queue_.get());
    if (code != CL_SUCCESS) return opencl_error("clFinish", code);
    return {};
}

}  // namespace mog
