// cuda_info.cpp: asks devices for their limits; builds programs with NVRTC and a cache.
#include "runtime_host/devices/cuda/cuda_info.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "runtime_host/device/kernel_cache.hpp"
#include "support/files/hash.hpp"
#include "support/sizes.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Of the device, that code in parts may use: who calls another part has to expect that it uses all. A kernel of one source used 72 to 124
/// (sm_90), and without a bound 148 and more where it was linked; with 80, functions spill what they have to save for their callers, and
/// hardly anything else.
constexpr unsigned registers_of_parts = 80;

/// Numbers of CUjitInputType and of CUjit_option.
enum LinkInput { machine_code = 0, ptx_text = 1 };
enum LinkOption { most_registers = 0, error_log = 5, error_log_bytes = 6 };

/// Numbers of CUdevice_attribute.
enum Attribute {
    threads_per_block = 1,
    units = 16,
    threads_per_unit = 39,
    capability_major = 75,
    capability_minor = 76,
    shared_per_unit = 81,
    shared_per_block = 97,
};

u32 ask(const CudaApi &api, CuDevice device, Attribute what) {
    int value = 0;
    return api.cuDeviceGetAttribute(&value, what, device) == 0 && value > 0 ? static_cast<u32>(value) : 0;
}

CudaDeviceFacts facts_of(const CudaApi &api, CuDevice id) {
    CudaDeviceFacts facts;
    facts.id = id;
    char name[256] = {};
    if (api.cuDeviceGetName(name, sizeof name - 1, id) == 0) facts.name = name;
    std::size_t bytes = 0;
    if (api.cuDeviceTotalMem(&bytes, id) == 0) facts.memory = bytes;
    facts.capability = static_cast<int>(10 * ask(api, id, capability_major) + ask(api, id, capability_minor));
    facts.units = std::max(1u, ask(api, id, units));
    facts.shared_per_unit = ask(api, id, shared_per_unit);
    facts.shared_per_block = ask(api, id, shared_per_block);
    facts.threads_per_unit = ask(api, id, threads_per_unit);
    facts.threads_per_block = ask(api, id, threads_per_block);
    return facts;
}

/// Of nvrtcResult, what can happen here.
const char *name_of(NvrtcResult code) {
    switch (code) {
        case 1: return "out of memory";
        case 2: return "NVRTC cannot start";
        case 5: return "NVRTC refuses an option";
        case 6: return "NVRTC refuses the interpreter's source, which is a fault of MOG, please report it";
        case 7: return "NVRTC's file libnvrtc-builtins.so is missing or of another version";
        default: return "NVRTC failed";
    }
}

/// The program that NVRTC works on.
class Program {
public:
    explicit Program(const NvrtcApi &nvrtc) : nvrtc_(nvrtc) {}
    ~Program() {
        if (handle_) nvrtc_.nvrtcDestroyProgram(&handle_);
    }
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;

    Result<void> create(const std::string &source) {
        return check("nvrtcCreateProgram", nvrtc_.nvrtcCreateProgram(&handle_, source.c_str(), "interpreter.cu", 0, nullptr, nullptr));
    }
    Result<void> compile(const std::vector<std::string> &options) {
        std::vector<const char *> pointers;
        for (const std::string &option : options) pointers.push_back(option.c_str());
        const NvrtcResult code = nvrtc_.nvrtcCompileProgram(handle_, static_cast<int>(pointers.size()), pointers.data());
        Result<void> outcome = check("nvrtcCompileProgram", code);
        if (outcome) return outcome;
        Error error = outcome.error();
        std::string text = log();
        if (text.size() > 2000) text = text.substr(0, 2000) + "\n...";
        if (!text.empty()) error.message += "\n" + text;
        return error;
    }
    std::string log() const {
        std::size_t size = 0;
        if (nvrtc_.nvrtcGetProgramLogSize(handle_, &size) != 0 || size <= 1) return {};
        std::string text(size, '\0');
        if (nvrtc_.nvrtcGetProgramLog(handle_, text.data()) != 0) return {};
        text.resize(size - 1);
        return text;
    }
    Result<std::vector<std::uint8_t>> code(bool machine) const {
        const auto size_of = machine ? nvrtc_.nvrtcGetCUBINSize : nvrtc_.nvrtcGetPTXSize;
        const auto content_of = machine ? nvrtc_.nvrtcGetCUBIN : nvrtc_.nvrtcGetPTX;
        std::size_t size = 0;
        MOG_TRY(check(machine ? "nvrtcGetCUBINSize" : "nvrtcGetPTXSize", size_of(handle_, &size)));
        std::vector<std::uint8_t> bytes(size);
        MOG_TRY(check(machine ? "nvrtcGetCUBIN" : "nvrtcGetPTX", content_of(handle_, reinterpret_cast<char *>(bytes.data()))));
        return bytes;
    }

private:
    Result<void> check(const char *call, NvrtcResult code) const {
        if (code != 0) return Error{fmt::format("CUDA: {} failed: {} ({})", call, name_of(code), code)};
        return {};
    }

    const NvrtcApi &nvrtc_;
    NvrtcProgram handle_ = nullptr;
};

/// What NVRTC can compile for: 75, 80, ... ascending.
std::vector<int> known_capabilities(const NvrtcApi &nvrtc) {
    int count = 0;
    if (nvrtc.nvrtcGetNumSupportedArchs(&count) != 0 || count <= 0) return {};
    std::vector<int> known(static_cast<std::size_t>(count));
    if (nvrtc.nvrtcGetSupportedArchs(known.data()) != 0) return {};
    std::ranges::sort(known);
    return known;
}

}  // namespace

Result<std::vector<CudaDeviceFacts>> find_cuda_devices() {
    Result<const CudaApi *> api = cuda_api();
    if (!api) return api.error();
    int count = 0;
    if (CuResult code = (*api)->cuDeviceGetCount(&count); code != 0) return cuda_error(**api, "cuDeviceGetCount", code);
    std::vector<CudaDeviceFacts> found;
    for (int number = 0; number < count; number++) {
        CuDevice id = 0;
        if (CuResult code = (*api)->cuDeviceGet(&id, number); code != 0) return cuda_error(**api, "cuDeviceGet", code);
        found.push_back(facts_of(**api, id));
    }
    if (found.empty()) return Error{"NVIDIA's driver is here, but has no device"};
    return found;
}

DeviceInfo describe_cuda_device(const CudaDeviceFacts &facts, std::size_t number, int driver, const Image *image) {
    // Leaves room for code, stacks and the driver's own needs.
    constexpr u64 reserve_bytes = 512u << 20;
    DeviceInfo info;
    info.id = fmt::format("cuda:{}", number);
    info.description =
        fmt::format("{}, sm_{}, {} multiprocessors, {}", facts.name, facts.capability, facts.units, format_amount(facts.memory));
    info.driver = cuda_version_name(driver);
    info.is_gpu = info.is_nvidia = true;
    info.units = facts.units;
    info.lanes = cuda_warp;
    info.memory_bytes = facts.memory > 2 * reserve_bytes ? facts.memory - reserve_bytes : facts.memory / 2;
    // As many PEs as have their registers in shared memory at once.
    const u64 nregs = image ? image->register_names.size() : 64;
    const u64 resident =
        std::clamp<u64>(facts.shared_per_unit / (4 * std::max<u64>(1, nregs)), cuda_warp, std::max(cuda_warp, facts.threads_per_unit));
    info.fill_pes = facts.units * static_cast<u32>(resident / cuda_warp * cuda_warp);
    return info;
}

Result<CudaBuild> build_cuda_interpreter(const NvrtcApi &nvrtc, int capability, std::string_view source, std::string_view definitions,
                                         KernelCacheUse use, CudaCode what) {
    const std::vector<int> known = known_capabilities(nvrtc);
    const auto above = std::ranges::upper_bound(known, capability);
    if (above == known.begin())
        return Error{fmt::format("NVRTC of {} compiles for devices from sm_{} on, and this one is sm_{}: an older CUDA Toolkit is needed",
                                 cuda_version_name(nvrtc.version), known.empty() ? 0 : known.front(), capability)};
    const int target = *std::prev(above);
    const bool machine = target == capability;
    std::vector<std::string> options = {fmt::format("--gpu-architecture={}_{}", machine ? "sm" : "compute", target), "--std=c++17",
                                        "--fmad=false", fmt::format("-DMOG_WARP={}u", cuda_warp)};
    if (what == CudaCode::part)
        options.insert(options.end(), {"--relocatable-device-code=true", fmt::format("--maxrregcount={}", registers_of_parts)});
    for (std::string_view word : split_words(definitions)) options.emplace_back(word);

    CudaBuild build;
    std::string all;
    for (const std::string &option : options) all += option + " ";
    const std::string key = kernel_cache_key({source, all, "nvrtc", cuda_version_name(nvrtc.version)});
    if (auto kept = use == KernelCacheUse::Take ? kernel_cache_load(key) : std::nullopt) {
        build.code = *std::move(kept);
        build.cached = true;
        return build;
    }
    Program program(nvrtc);
    MOG_TRY(program.create(std::string(source)));
    MOG_TRY(program.compile(options));
    Result<std::vector<std::uint8_t>> code = program.code(machine);
    if (!code) return code.error();
    build.code = *std::move(code);
    kernel_cache_store(key, build.code, fmt::format("NVRTC of {}\n{}\n{}\n", cuda_version_name(nvrtc.version), all, program.log()));
    return build;
}

Result<CudaPartsBuild> link_cuda_parts(const CudaApi &api, const NvrtcApi &nvrtc, int capability, std::span<const CudaPart> parts,
                                       KernelCacheUse use) {
    u64 content = fnv1a_start;
    for (const CudaPart &part : parts) content = fnv1a(part.definitions, fnv1a(part.source, content));
    const std::string key = kernel_cache_key(
        {"linked", hex16(content), fmt::format("sm_{}", capability), cuda_version_name(nvrtc.version), cuda_version_name(api.version)});
    CudaPartsBuild build;
    if (auto kept = use == KernelCacheUse::Take ? kernel_cache_load(key) : std::nullopt) {
        build.code = *std::move(kept);
        build.cached = true;
        build.kept = parts.size();
        return build;
    }
    // The interpreter takes most of the time, and another core the rest of them.
    std::vector<std::optional<Result<CudaBuild>>> made(parts.size());
    std::atomic<std::size_t> next = 0;
    const auto compile = [&] {
        for (std::size_t i = next++; i < parts.size(); i = next++)
            made[i] = build_cuda_interpreter(nvrtc, capability, parts[i].source, parts[i].definitions, use, CudaCode::part);
    };
    {
        const std::jthread beside(compile);
        compile();
    }
    std::vector<CudaBuild> codes;
    for (std::optional<Result<CudaBuild>> &one : made) {
        Result<CudaBuild> &code = *one;
        if (!code) return code.error();
        ++(code->cached ? build.kept : build.compiled);
        codes.push_back(*std::move(code));
    }
    std::array<char, 2048> log{};
    int options[] = {most_registers, error_log, error_log_bytes};
    // Numbers stand in the pointer itself.
    void *values[] = {reinterpret_cast<void *>(std::uintptr_t{registers_of_parts}), log.data(),
                      reinterpret_cast<void *>(std::uintptr_t{log.size() - 1})};
    const auto failed = [&](const char *call, CuResult code) {
        Error error = cuda_error(api, call, code);
        if (log[0]) error.message += fmt::format("\n{}", log.data());
        return error;
    };
    CuLinkState state = nullptr;
    if (const CuResult code = api.cuLinkCreate(static_cast<unsigned>(std::size(options)), options, values, &state); code != 0)
        return failed("cuLinkCreate", code);
    CuResult code = 0;
    for (std::size_t i = 0; i < codes.size() && code == 0; ++i) {
        std::vector<std::uint8_t> &bytes = codes[i].code;
        const bool is_machine_code = bytes.size() > 1 && bytes[1] == 'E';
        code = api.cuLinkAddData(state, is_machine_code ? machine_code : ptx_text, bytes.data(), bytes.size(),
                                 fmt::format("part {}", i + 1).c_str(), 0, nullptr, nullptr);
    }
    void *linked = nullptr;
    std::size_t size = 0;
    const char *call = code == 0 ? "cuLinkComplete" : "cuLinkAddData";
    if (code == 0) code = api.cuLinkComplete(state, &linked, &size);
    if (code == 0) build.code.assign(static_cast<const std::uint8_t *>(linked), static_cast<const std::uint8_t *>(linked) + size);
    (void)api.cuLinkDestroy(state);  // and `linked` with it
    if (code != 0) return failed(call, code);
    kernel_cache_store(key, build.code, fmt::format("{} parts, linked\n", parts.size()));
    return build;
}

}  // namespace mog
