// opencl_info.cpp: asks devices for their limits; builds programs with a cache. OpenCL 1.2 core only.
#include "runtime_host/devices/opencl/opencl_info.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "runtime_host/device/driver_signals.hpp"
#include "runtime_host/device/host_memory.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "runtime_host/devices/opencl/opencl_limits.hpp"
#include "support/environment.hpp"

namespace mog {

namespace {

template <typename T>
T device_value(const OpenClApi &cl, cl_device_id id, cl_device_info what) {
    T value{};
    cl.clGetDeviceInfo(id, what, sizeof value, &value, nullptr);
    return value;
}

std::string text_of(std::string text) {
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string device_text(const OpenClApi &cl, cl_device_id id, cl_device_info what) {
    std::size_t size = 0;
    if (cl.clGetDeviceInfo(id, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
    std::string text(size, '\0');
    cl.clGetDeviceInfo(id, what, size, text.data(), nullptr);
    return text_of(text);
}

std::string platform_text(const OpenClApi &cl, cl_platform_id id, cl_platform_info what) {
    std::size_t size = 0;
    if (cl.clGetPlatformInfo(id, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
    std::string text(size, '\0');
    cl.clGetPlatformInfo(id, what, size, text.data(), nullptr);
    return text_of(text);
}

/// For tests: the device is taken for a GPU, "gpu", or for one whose compiler refuses compiled blocks, "weak gpu".
std::string tested_as() { return environment_variable("MOG_TEST_OPENCL"); }

OpenClDeviceFacts facts_of(const OpenClApi &cl, cl_platform_id platform, cl_device_id id) {
    OpenClDeviceFacts facts;
    facts.id = id;
    facts.name = device_text(cl, id, CL_DEVICE_NAME);
    facts.platform = platform_text(cl, platform, CL_PLATFORM_NAME);
    facts.is_pocl = facts.platform == "Portable Computing Language";
    facts.driver = device_text(cl, id, CL_DRIVER_VERSION);
    auto type = device_value<cl_device_type>(cl, id, CL_DEVICE_TYPE);
    if (!tested_as().empty()) type = CL_DEVICE_TYPE_GPU;
    facts.is_cpu = type & CL_DEVICE_TYPE_CPU;
    // Who executes the host's functions shares its memory. That its compiler takes assembly is known of PoCL's, which is clang.
    facts.is_this_process = facts.is_cpu && facts.is_pocl &&
                            (device_value<cl_device_exec_capabilities>(cl, id, CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_NATIVE_KERNEL);
    facts.is_gpu = type & CL_DEVICE_TYPE_GPU;
    facts.computes = float_abilities(device_value<cl_device_fp_config>(cl, id, CL_DEVICE_SINGLE_FP_CONFIG),
                                     device_value<cl_device_fp_config>(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG),
                                     device_text(cl, id, CL_DEVICE_EXTENSIONS).find("cl_khr_fp64") != std::string::npos,
                                     std::getenv("MOG_TEST_DEVICE_LACKS"));
    facts.units = std::max(1u, device_value<cl_uint>(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS));
    // AMD's wavefronts have 64 lanes on many parts; elsewhere 32 is a warp, or a multiple of what runs in step.
    constexpr cl_uint vendor_amd = 0x1002, vendor_nvidia = 0x10de;
    const auto vendor = device_value<cl_uint>(cl, id, CL_DEVICE_VENDOR_ID);
    facts.warp = facts.is_cpu ? 1 : vendor == vendor_amd ? 64 : 32;
    facts.is_nvidia = vendor == vendor_nvidia || tested_as() == "nvidia gpu";
    facts.memory = device_value<cl_ulong>(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE);
    // DATA on a CPU is our own mapping, whose untouched pages do not count against what the driver set aside for
    // itself.
    if (facts.is_cpu) facts.memory = std::max(facts.memory, host_memory_bytes());
    facts.max_allocation = device_value<cl_ulong>(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    facts.local_memory = device_value<cl_ulong>(cl, id, CL_DEVICE_LOCAL_MEM_SIZE);
    facts.max_work_group = std::max<std::size_t>(1, device_value<std::size_t>(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
    return facts;
}

std::string build_log(const OpenClApi &cl, cl_program program, cl_device_id id) {
    std::size_t size = 0;
    if (cl.clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
    std::string log(size, '\0');
    cl.clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    return text_of(log);
}

std::vector<std::uint8_t> binary_of(const OpenClApi &cl, cl_program program) {
    std::size_t size = 0;
    if (cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS) return {};
    std::vector<std::uint8_t> binary(size);
    unsigned char *pointer = binary.data();
    if (cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) != CL_SUCCESS) return {};
    return binary;
}

}  // namespace

std::vector<OpenClDeviceFacts> find_opencl_devices(std::vector<std::string> *notes) {
    std::vector<OpenClDeviceFacts> found;
    auto note = [&](std::string text) {
        if (notes) notes->push_back(std::move(text));
    };
    Result<const OpenClApi *> api = opencl_api();
    if (!api) {
        note(api.error().message);
        return found;
    }
    const OpenClApi &cl = **api;
    const DriverSignals signals;
    // While one thread makes PoCL look for its devices, others would be told that there are none.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    cl_uint count = 0;
    if (cl.clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) {
        note("OpenCL has no platform here: no driver is installed");
        return found;
    }
    std::vector<cl_platform_id> platforms(count);
    cl.clGetPlatformIDs(count, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms) {
        cl_uint devices = 0;
        if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS) continue;
        std::vector<cl_device_id> ids(devices);
        cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, ids.data(), nullptr);
        for (cl_device_id id : ids) {
            OpenClDeviceFacts facts = facts_of(cl, platform, id);
            const char *lacks = !device_value<cl_bool>(cl, id, CL_DEVICE_AVAILABLE)            ? "is not available"
                                : !device_value<cl_bool>(cl, id, CL_DEVICE_COMPILER_AVAILABLE) ? "has no compiler"
                                : !device_value<cl_bool>(cl, id, CL_DEVICE_ENDIAN_LITTLE)      ? "is big-endian"
                                                                                               : nullptr;
            if (lacks) note(fmt::format("{}: {} {}", facts.platform, facts.name, lacks));
            else found.push_back(std::move(facts));
        }
    }
    return found;
}

void prepare_switch_build(const OpenClDeviceFacts &device) {
    // PoCL's default looks for what could be done by vectors, which takes it a third of the time and brings nothing here. (A sequence
    // runs 1.4 times as long without.)
    if (device.is_pocl) setenv("POCL_WORK_GROUP_METHOD", "loops", 0);
}

Result<OpenClBuild> build_interpreter(const OpenClApi &cl, cl_context context, const OpenClDeviceFacts &device, std::string_view source,
                                      std::string_view more_options) {
    const DriverSignals signals;
    auto begin = std::chrono::steady_clock::now();
    std::string options = fmt::format("-cl-std=CL1.2 -DMOG_WARP={}u", device.warp);
    if (device.computes.divides) options += " -cl-fp32-correctly-rounded-divide-sqrt";
    options += more_options;
    if (tested_as() == "weak gpu" && options.find("-DMOG_ENGINE_BLOCKS") != std::string::npos) return Error{"MOG_TEST_OPENCL=weak gpu"};

    OpenClBuild build;
    auto finish = [&](bool cached) {
        build.cached = cached;
        build.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    // PoCL keeps what it compiled by itself, for the work-groups that were launched. Asked for a binary it compiles once more,
    // for work-groups of any size, and does not use that.
    const bool keeps_itself = device.is_pocl;
    std::string key = kernel_cache_key({source, options, device.platform, device.name, device.driver});
    cl_int code = CL_SUCCESS;
    if (auto binary = keeps_itself ? std::nullopt : kernel_cache_load(key)) {
        const unsigned char *bytes = binary->data();
        std::size_t size = binary->size();
        cl_int status = CL_SUCCESS;
        build.program = ClProgram(cl.clCreateProgramWithBinary(context, 1, &device.id, &size, &bytes, &status, &code));
        if (build.program && code == CL_SUCCESS && status == CL_SUCCESS &&
            cl.clBuildProgram(build.program.get(), 1, &device.id, options.c_str(), nullptr, nullptr) == CL_SUCCESS) {
            finish(true);
            return build;
        }
        // The driver does not like what it once made: make it anew.
    }

    const char *text = source.data();
    std::size_t size = source.size();
    build.program = ClProgram(cl.clCreateProgramWithSource(context, 1, &text, &size, &code));
    if (code != CL_SUCCESS) return opencl_error("clCreateProgramWithSource", code);
    code = cl.clBuildProgram(build.program.get(), 1, &device.id, options.c_str(), nullptr, nullptr);
    std::string log = build_log(cl, build.program.get(), device.id);
    if (code != CL_SUCCESS) {
        Error error = opencl_error("clBuildProgram", code);
        if (log.size() > 2000) log = log.substr(0, 2000) + "\n...";
        if (!log.empty()) error.message += "\n" + log;
        return error;
    }
    if (const auto binary = keeps_itself ? std::vector<std::uint8_t>() : binary_of(cl, build.program.get()); !binary.empty())
        kernel_cache_store(key, binary, fmt::format("{} on {}\n{}\n{}\n", device.name, device.driver, options, log));
    finish(false);
    return build;
}

}  // namespace mog
