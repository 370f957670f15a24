// opencl_api.cpp: opens the ICD loader and looks up its functions; names its error codes.
#include "runtime_host/devices/opencl/opencl_api.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "runtime_host/device/driver_signals.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

Result<OpenClApi> open_library() {
    note_libraries_before_driver();
    const DriverSignals signals;
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

bool opencl_may_have_gpu() {
    // Who names drivers, or devices to PoCL, wants them looked at.
    for (const char *name : {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH", "POCL_DEVICES"})
        if (const char *value = std::getenv(name); value && *value) return true;
    // Devices of NVIDIA, AMD and Intel (PoCL drives some of them, too), and of Windows below Linux.
    std::error_code failed;
    for (const char *device :
         {"/dev/nvidiactl", "/dev/nvidia0", "/dev/nvhost-gpu", "/dev/nvgpu", "/dev/kfd", "/dev/dri/renderD128", "/dev/dxg"})
        if (std::filesystem::exists(device, failed)) return true;
    // A file for each driver, with the name of its library.
    constexpr std::string_view for_processors[] = {"pocl", "intelocl", "oclgrind"};
    bool is_known = false;
    for (std::filesystem::directory_iterator file("/etc/OpenCL/vendors", failed), end; !failed && file != end; file.increment(failed)) {
        if (file->path().extension() != ".icd") continue;
        std::string library;
        if (!std::getline(std::ifstream(file->path()), library)) return true;
        library = std::filesystem::path(trim(library)).filename().string();
        if (std::ranges::none_of(for_processors, [&](std::string_view name) { return library.starts_with("lib" + std::string(name)); }))
            return true;
        is_known = true;
    }
    return !is_known || failed;
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
#include "runtime_host/devices/opencl/opencl_errors.def"
        default: break;
    }
    return Error{fmt::format("OpenCL: {} failed: {} ({}): {}", call, name, code, meaning)};
}

}  // namespace mog
