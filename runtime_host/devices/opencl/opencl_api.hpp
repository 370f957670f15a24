// opencl_api.hpp: OpenCL 1.2, found at run time. The launcher is part of every program that mogcc makes, so it must
// start where there is no OpenCL; the library is opened when a device is asked for.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>
#include <utility>

#include "support/result.hpp"

// Every function of OpenCL that the runtime calls.
// clang-format off
#define MOG_OPENCL_FUNCTIONS(X)                                                                                        \
    X(clGetPlatformIDs)                                                                                                \
    X(clGetPlatformInfo)                                                                                               \
    X(clGetDeviceIDs) X(clGetDeviceInfo) X(clCreateContext) X(clReleaseContext) X(clCreateCommandQueue)                \
        X(clReleaseCommandQueue) X(clCreateBuffer) X(clReleaseMemObject) X(clCreateProgramWithSource)                  \
            X(clCreateProgramWithBinary) X(clBuildProgram) X(clGetProgramBuildInfo) X(clGetProgramInfo)                \
                X(clReleaseProgram) X(clCreateKernel) X(clReleaseKernel) X(clSetKernelArg) X(clGetKernelWorkGroupInfo) \
                    X(clEnqueueNDRangeKernel) X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) X(clEnqueueFillBuffer)    \
                        X(clEnqueueMapBuffer) X(clEnqueueUnmapMemObject) X(clFinish)
// clang-format on

namespace mog {

struct OpenClApi {
#define MOG_OPENCL_MEMBER(function) decltype(&::function) function = nullptr;
    MOG_OPENCL_FUNCTIONS(MOG_OPENCL_MEMBER)
#undef MOG_OPENCL_MEMBER
};

/// The functions of libOpenCL.so.1, opened at the first call. Error: why there are none.
Result<const OpenClApi *> opencl_api();

/// False if all drivers of OpenCL that are installed are known to run on processors alone, and no GPU is there for them: then OpenCL need
/// not be opened to find one. Says true where it cannot tell.
bool opencl_may_have_gpu();

/// "OpenCL: clCreateBuffer failed: CL_OUT_OF_RESOURCES (-5): the device ran out of ...".
Error opencl_error(const char *call, cl_int code);

/// Owns one OpenCL object and releases it.
template <typename Handle, auto Release>
class ClOwner {
public:
    ClOwner() = default;
    explicit ClOwner(Handle handle) : handle_(handle) {}
    ClOwner(ClOwner &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ClOwner &operator=(ClOwner &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~ClOwner() {
        if (handle_) ((*opencl_api())->*Release)(handle_);
    }

    Handle get() const { return handle_; }
    explicit operator bool() const { return handle_ != nullptr; }

private:
    Handle handle_ = nullptr;
};

using ClContext = ClOwner<cl_context, &OpenClApi::clReleaseContext>;
using ClQueue = ClOwner<cl_command_queue, &OpenClApi::clReleaseCommandQueue>;
using ClProgram = ClOwner<cl_program, &OpenClApi::clReleaseProgram>;
using ClKernel = ClOwner<cl_kernel, &OpenClApi::clReleaseKernel>;
using ClBuffer = ClOwner<cl_mem, &OpenClApi::clReleaseMemObject>;

}  // namespace mog
