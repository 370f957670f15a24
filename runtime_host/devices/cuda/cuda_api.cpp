// cuda_api.cpp: opens driver and NVRTC and looks up their functions; turns error codes into sentences.
#include "runtime_host/devices/cuda/cuda_api.hpp"

#include <dlfcn.h>

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/environment.hpp"

namespace mog {

namespace {

/// The oldest driver whose interface has all of MOG_CUDA_FUNCTIONS and independent lanes: CUDA 11.
constexpr int oldest_driver = 11000;

void *open_first(const std::vector<std::string> &names, std::string *opened) {
    for (const std::string &name : names)
        if (void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            *opened = name;
            return library;
        }
    return nullptr;
}

template <typename Function>
bool look_up(void *library, const char *symbol, Function &function) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    return function != nullptr;
}

Result<CudaApi> open_driver() {
    const std::string named = environment_variable("MOG_CUDA_DRIVER");
    std::string opened;
    void *library = open_first(named.empty() ? std::vector<std::string>{"libcuda.so.1", "libcuda.so"} : std::vector{named}, &opened);
    if (!library)
        return Error{named.empty() ? "CUDA is not installed here: there is no libcuda.so.1, which comes with NVIDIA's driver"
                                   : fmt::format("cannot open $MOG_CUDA_DRIVER: {}", dlerror())};
    CudaApi api;
#define MOG_CUDA_LOOK_UP(name, symbol, parameters) \
    if (!look_up(library, symbol, api.name))       \
        return Error{"NVIDIA's driver here has no " symbol ": it is too old for MOG, which needs one for CUDA 11 or later"};
    MOG_CUDA_FUNCTIONS(MOG_CUDA_LOOK_UP)
#undef MOG_CUDA_LOOK_UP
    api.links = true;
#define MOG_CUDA_LOOK_UP(name, symbol, parameters) api.links &= look_up(library, symbol, api.name);
    MOG_CUDA_LINK_FUNCTIONS(MOG_CUDA_LOOK_UP)
#undef MOG_CUDA_LOOK_UP
    if (CuResult code = api.cuInit(0); code != 0) return cuda_error(api, "cuInit", code);
    if (CuResult code = api.cuDriverGetVersion(&api.version); code != 0) return cuda_error(api, "cuDriverGetVersion", code);
    if (api.version < oldest_driver)
        return Error{fmt::format("NVIDIA's driver here is for {}, and MOG needs one for {} or later: install a newer driver",
                                 cuda_version_name(api.version), cuda_version_name(oldest_driver))};
    return api;
}

Result<NvrtcApi> open_nvrtc() {
    std::vector<std::string> names;
    const std::string named = environment_variable("MOG_NVRTC");
    if (!named.empty()) {
        names = {named};
    } else {
        const std::vector<std::string> files = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
        names = files;
        for (const std::string &folder : cuda_toolkit_folders())
            for (const std::string &file : files) names.push_back(fmt::format("{}/lib64/{}", folder, file));
    }
    NvrtcApi api;
    void *library = open_first(names, &api.library);
    if (!library)
        return Error{named.empty() ? "CUDA's run-time compiler is not installed here: there is no libnvrtc.so, which comes with the CUDA "
                                     "Toolkit (package cuda-nvrtc); $MOG_NVRTC can name it"
                                   : fmt::format("cannot open $MOG_NVRTC: {}", dlerror())};
#define MOG_NVRTC_LOOK_UP(name, symbol, parameters) \
    if (!look_up(library, symbol, api.name))        \
        return Error{fmt::format("{} has no " symbol "; MOG needs NVRTC of CUDA 11.2 or later", api.library)};
    MOG_NVRTC_FUNCTIONS(MOG_NVRTC_LOOK_UP)
#undef MOG_NVRTC_LOOK_UP
    int major = 0, minor = 0;
    if (NvrtcResult code = api.nvrtcVersion(&major, &minor); code != 0)
        return Error{fmt::format("{} does not tell its version (error {})", api.library, code)};
    api.version = 1000 * major + 10 * minor;
    return api;
}

/// What its reader can do about a code, beyond what the driver says.
const char *advice(CuResult code) {
    switch (code) {
        case 2: return "; lower -n or --mem";
        case 100: return "; is a card there, and may this user open /dev/nvidia*?";
        case 209: return "; the program was compiled for other devices";
        case 222: return "; NVRTC is newer than the driver: update the driver, or name an older libnvrtc.so by $MOG_NVRTC";
        case 700:
        case 719: return "; the interpreter crashed on the device, which is a fault of MOG, please report it, or the device was lost";
        case 803: return "; the driver's library and kernel module differ in version: restart the machine";
        default: return "";
    }
}

}  // namespace

Result<const CudaApi *> cuda_api() {
    static const Result<CudaApi> api = open_driver();
    if (!api) return api.error();
    return &*api;
}

Result<const NvrtcApi *> nvrtc_api() {
    static const Result<NvrtcApi> api = open_nvrtc();
    if (!api) return api.error();
    return &*api;
}

Error cuda_error(const CudaApi &api, const char *call, CuResult code) {
    const char *name = nullptr, *meaning = nullptr;
    if (api.cuGetErrorName(code, &name) != 0 || !name) name = "unknown code";
    if (api.cuGetErrorString(code, &meaning) != 0 || !meaning) meaning = "the driver says no more";
    return Error{fmt::format("CUDA: {} failed: {} ({}): {}{}", call, name, code, meaning, advice(code))};
}

std::string cuda_version_name(int version) { return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10); }

}  // namespace mog
