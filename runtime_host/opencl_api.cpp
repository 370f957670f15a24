// opencl_api.cpp: opens the ICD loader and looks up its functions; names its error codes.
#include "runtime_host/opencl_api.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

namespace mog {

namespace {

Result<OpenClApi> open_library() {
    void *library = nullptr;
    for (const char *name : {"libOpenCL.so.1", "libOpenCL.so"})
        if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return Error{"OpenCL is not installed here: there is no libOpenCL.so.1"};
    OpenClApi api;
#define MOG_OPENCL_LOOK_UP(function)                                                   \
    api.function = reinterpret_cast<decltype(&::function)>(dlsym(library, #function)); \
    if (!api.function) return Error{"the OpenCL library here has no " #function "; MOG needs OpenCL 1.2"};
    MOG_OPENCL_FUNCTIONS(MOG_OPENCL_LOOK_UP)
#undef MOG_OPENCL_LOOK_UP
    return api;
}

}  // namespace

Result<const OpenClApi *> opencl_api() {
    static const Result<OpenClApi> api = open_library();
    if (!api) return api.error();
    return &*api;
}

Error opencl_error(const char *call, cl_int code) {
    const char *name = "unknown code";
    const char *meaning = "the driver says no more";
    switch (code) {
#define MOG_CL_ERROR(code_name, code_meaning) \
    case code_name:                           \
        name = #code_name;                    \
        meaning = code_meaning;               \
        break;
#include "runtime_host/opencl_errors.def"
        default:
            break;
    }
    return Error{fmt::format("OpenCL: {} failed: {} ({}): {}", call, name, code, meaning)};
}

}  // namespace mog
