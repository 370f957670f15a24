// emulation_test.cpp: the emulation does what CUDA would, and refuses what CUDA would refuse.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cuda/emulated_cuda.hpp"

namespace {

constexpr bool has_nvcc = !std::string_view(MOG_EMULATION_NVCC).empty();

constexpr const char *kernels = R"(
typedef unsigned int u32;
#define KERNEL extern "C" __global__
#ifdef NOT_DEFINED
KERNEL void not_there(u32 n) {}
#endif
static __device__ __forceinline__ u32 global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
KERNEL void saxpy(const u32 *x, u32 *y, unsigned char factor, unsigned long count)
{
    u32 i = global_index();
    if (i < count) y[i] += x[i] * factor + ADDEND;
}
KERNEL void count_odd(const u32 *x, u32 *odd, u32 count)
{
    u32 i = global_index();
    if (i < count && (x[i] & 1u)) atomicAdd(odd, 1u);
}
/* Each lane goes round as often as its number says; the vote keeps them together, also when some have returned. */
KERNEL void rounds(u32 *out, u32 leavers)
{
    u32 lane = threadIdx.x;
    u32 passes = 0u;
    bool runs = true;
    if (lane < leavers) { out[lane] = 1000u; return; }
    do {
        if (runs) runs = passes < lane;
        passes++;
    } while (__any_sync(0xffffffffu, runs));
    out[lane] = passes;
}
KERNEL void halves(u32 *out)
{
    u32 lane = threadIdx.x;
    if (lane < 16u) out[lane] = __ballot_sync(0x0000ffffu, lane % 2u);
    else out[lane] = __ballot_sync(0xffff0000u, lane % 3u == 0u);
    __syncwarp();
}
KERNEL void reverse(u32 *x)
{
    extern __shared__ u32 words[];
    __shared__ u32 sum;
    u32 i = threadIdx.x;
    if (i == 0u) sum = 0u;
    words[i] = x[blockIdx.x * blockDim.x + i];
    __syncthreads();
    atomicAdd(&sum, words[i]);
    __syncthreads();
    x[blockIdx.x * blockDim.x + i] = words[blockDim.x - 1u - i] + sum;
}
KERNEL void floats(float *f, double *d)
{
    f[0] = __fdiv_rn(__fmul_rn(f[0], f[1]), 3.0f);
    f[1] = __fsqrt_rn(__uint_as_float(0x40000000u));
    f[2] = rintf(2.5f);
    d[0] = __dsqrt_rn(__dadd_rn(d[0], 1.0));
    d[1] = (double)__clz(1) + __clz(0);
}
KERNEL void behind_shared(u32 at) { extern __shared__ u32 words[]; words[at] = 1u; }
KERNEL void behind_memory(u32 *x, u32 at) { x[at] = 1u; }
KERNEL void apart() { if (threadIdx.x == 5u) __syncthreads(); else __any_sync(0xffffffffu, 1); }
KERNEL void late(u32 *out) { for (u32 i = 0u; i < 200000000u; i++) { __threadfence(); if (*(volatile u32 *)out) break; } out[1] = 7u; }
)";

std::string log_of(nvrtcProgram program) {
    std::size_t size = 0;
    REQUIRE(nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS);
    std::vector<char> log(size);
    REQUIRE(nvrtcGetProgramLog(program, log.data()) == NVRTC_SUCCESS);
    return log.data();
}

struct Compiled {
    nvrtcResult result;
    std::string log, cubin, ptx;
};

Compiled compile(const std::string &source, std::vector<const char *> options) {
    nvrtcProgram program = nullptr;
    REQUIRE(nvrtcCreateProgram(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
    Compiled compiled;
    compiled.result = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
    compiled.log = log_of(program);
    std::size_t size = 0;
    if (nvrtcGetCUBINSize(program, &size) == NVRTC_SUCCESS && size != 0) {
        compiled.cubin.resize(size);
        CHECK(nvrtcGetCUBIN(program, compiled.cubin.data()) == NVRTC_SUCCESS);
    }
    if (nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS) {
        compiled.ptx.resize(size);
        CHECK(nvrtcGetPTX(program, compiled.ptx.data()) == NVRTC_SUCCESS);
    }
    CHECK(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
    return compiled;
}

const Compiled &compiled_kernels() {
    static const Compiled compiled = compile(kernels, {"--gpu-architecture=sm_90", "-DADDEND=1", "--fmad=false", "--std=c++17"});
    return compiled;
}

/* A device as MOG_EMULATED_CUDA says, current, with a stream and the kernels. */
struct Session {
    explicit Session(const char *faults = "") {
        setenv("MOG_EMULATED_CUDA", faults, 1);
        REQUIRE(cuInit(0) == CUDA_SUCCESS);
        REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
        REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
        REQUIRE(cuStreamCreateWithPriority(&stream, 1, 0) == CUDA_SUCCESS);
        REQUIRE(cuModuleLoadDataEx(&module, compiled_kernels().cubin.data(), 0, nullptr, nullptr) == CUDA_SUCCESS);
    }
    ~Session() {
        cuModuleUnload(module);
        cuStreamDestroy_v2(stream);
        cuDevicePrimaryCtxRelease_v2(0);
        cuCtxSetCurrent(nullptr);
        unsetenv("MOG_EMULATED_CUDA");
    }
    CUfunction function(const char *name) const {
        CUfunction result = nullptr;
        REQUIRE(cuModuleGetFunction(&result, module, name) == CUDA_SUCCESS);
        return result;
    }
    template <typename... Values>
    CUresult launch(const char *name, unsigned blocks, unsigned threads, unsigned shared, Values... values) const {
        void *parameters[] = {&values..., nullptr};
        return cuLaunchKernel(function(name), blocks, 1, 1, threads, 1, 1, shared, stream, parameters, nullptr);
    }
    template <typename T>
    CUdeviceptr put(const std::vector<T> &values) const {
        CUdeviceptr at = 0;
        REQUIRE(cuMemAlloc_v2(&at, sizeof(T) * values.size()) == CUDA_SUCCESS);
        REQUIRE(cuMemcpyHtoDAsync_v2(at, values.data(), sizeof(T) * values.size(), stream) == CUDA_SUCCESS);
        return at;
    }
    template <typename T>
    std::vector<T> get(CUdeviceptr at, std::size_t count) const {
        std::vector<T> values(count);
        REQUIRE(cuMemcpyDtoHAsync_v2(values.data(), at, sizeof(T) * count, stream) == CUDA_SUCCESS);
        REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
        return values;
    }

    CUcontext context = nullptr;
    CUstream stream = nullptr;
    CUmodule module = nullptr;
};

using Words = std::vector<std::uint32_t>;

Words counting(std::size_t n) {
    Words words(n);
    std::iota(words.begin(), words.end(), 0u);
    return words;
}

/* What a process says that does this, and then ends by a signal. */
std::string last_words(const std::function<void()> &work) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        const rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        try {
            work();
        } catch (...) {  // a check in vain: the parent says so
        }
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char c = 0;
    while (read(ends[0], &c, 1) == 1) said += c;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    return said;
}

}  // namespace

TEST_CASE("kernels compute over blocks and threads") {
    const Session session;
    const std::uint32_t count = 1000;
    const CUdeviceptr x = session.put(counting(count));
    const CUdeviceptr y = session.put(counting(count));
    const CUdeviceptr odd = session.put(Words{0});
    CHECK(session.launch("saxpy", 8, 128, 0, x, y, static_cast<unsigned char>(3), static_cast<unsigned long>(count)) == CUDA_SUCCESS);
    CHECK(session.launch("count_odd", 8, 128, 0, x, odd, count) == CUDA_SUCCESS);
    const Words result = session.get<std::uint32_t>(y, count);
    for (std::uint32_t i = 0; i < count; i++) REQUIRE(result[i] == 4 * i + 1);
    CHECK(session.get<std::uint32_t>(odd, 1)[0] == count / 2);

    const CUdeviceptr f = session.put(std::vector<float>{2.0f, 3.0f, 0.0f});
    const CUdeviceptr d = session.put(std::vector<double>{1.0, 0.0});
    CHECK(session.launch("floats", 1, 1, 0, f, d) == CUDA_SUCCESS);
    CHECK(session.get<float>(f, 3) == std::vector<float>{2.0f, 1.41421356f, 2.0f});
    CHECK(session.get<double>(d, 2) == std::vector<double>{1.4142135623730951, 63.0});
}

TEST_CASE("lanes meet at votes, those that returned left aside") {
    const Session session;
    for (const std::uint32_t leavers : {0u, 7u, 31u}) {
        for (const std::uint32_t lanes : {32u, 20u}) {
            if (leavers >= lanes) continue;
            const CUdeviceptr out = session.put(Words(32, 0));
            CHECK(session.launch("rounds", 1, lanes, 0, out, leavers) == CUDA_SUCCESS);
            const Words passes = session.get<std::uint32_t>(out, 32);
            for (std::uint32_t i = 0; i < lanes; i++) REQUIRE(passes[i] == (i < leavers ? 1000 : lanes));
        }
    }
    const CUdeviceptr out = session.put(Words(32, 0));
    CHECK(session.launch("halves", 1, 32, 0, out) == CUDA_SUCCESS);
    const Words votes = session.get<std::uint32_t>(out, 32);
    CHECK(votes[3] == 0x0000aaaau);
    CHECK(votes[20] == 0x49240000u);
}

TEST_CASE("the threads of a block share memory") {
    const Session session;
    const CUdeviceptr x = session.put(counting(4 * 256));
    CHECK(session.launch("reverse", 4, 256, 1024, x) == CUDA_SUCCESS);
    const Words result = session.get<std::uint32_t>(x, 4 * 256);
    for (std::uint32_t i = 0; i < 4 * 256; i++) REQUIRE(result[i] == (i / 256 * 256 + 255 - i % 256) + i / 256 * 65536 + 255 * 128);
}

TEST_CASE("what a GPU would not say ends the process with a sentence") {
    CHECK(compiled_kernels().result == NVRTC_SUCCESS);
    const auto runs = [](auto launch) {
        return last_words([&] {
            const Session session;
            launch(session);
            cuStreamSynchronize(session.stream);
        });
    };
    const auto says = [](const std::string &said, const char *text) { CHECK_MESSAGE(said.find(text) != said.npos, said); };
    says(runs([](const Session &session) { session.launch("apart", 1, 32, 0); }), "thread 5 is at __syncthreads");
    says(runs([](const Session &session) { session.launch("behind_shared", 1, 1, 100, 25u); }), "behind its 100 bytes");
    runs([](const Session &session) { session.launch("behind_memory", 1, 1, 0, session.put(Words(4, 0)), 4u); });
    says(last_words([] { const Session session("no_such_word"); }), "\"no_such_word\" is not known here");
}

TEST_CASE("streams work behind their caller's back, in order") {
    const Session session;
    void *flag = nullptr;
    REQUIRE(cuMemHostAlloc(&flag, 8, 2) == CUDA_SUCCESS);
    std::memset(flag, 0, 8);
    CUdeviceptr on_device = 0;
    REQUIRE(cuMemHostGetDevicePointer_v2(&on_device, flag, 0) == CUDA_SUCCESS);
    CHECK(session.launch("late", 1, 1, 0, on_device) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(session.stream) == CUDA_ERROR_NOT_READY);
    __atomic_store_n(static_cast<std::uint32_t *>(flag), 1u, __ATOMIC_SEQ_CST);
    CHECK(cuStreamSynchronize(session.stream) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(session.stream) == CUDA_SUCCESS);
    CHECK(static_cast<std::uint32_t *>(flag)[1] == 7);
    CHECK(cuMemFreeHost(flag) == CUDA_SUCCESS);
    CHECK(cuMemFreeHost(flag) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuStreamSynchronize(nullptr) == CUDA_SUCCESS);
}

TEST_CASE("memory has bounds, and an end") {
    const Session session("memory=64M");
    const CUdeviceptr x = session.put(counting(100));
    std::uint32_t word = 0;
    CHECK(cuMemcpyDtoHAsync_v2(&word, x + 396, 4, session.stream) == CUDA_SUCCESS);
    CHECK(word == 99);
    CHECK(cuMemcpyDtoHAsync_v2(&word, x + 397, 4, session.stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyHtoDAsync_v2(x - 4, &word, 4, session.stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD32Async(x, 1, 101, session.stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD32Async(x, 5, 100, session.stream) == CUDA_SUCCESS);
    CHECK(session.get<std::uint32_t>(x, 100) == Words(100, 5));
    CHECK(cuMemFree_v2(x + 4) == CUDA_ERROR_INVALID_VALUE);

    std::size_t before = 0;
    std::size_t total = 0;
    CHECK(cuMemGetInfo_v2(&before, &total) == CUDA_SUCCESS);
    CHECK(total == std::size_t{64} << 20);
    CUdeviceptr large = 0;
    CUdeviceptr more = 0;
    CHECK(cuMemAlloc_v2(&large, 40u << 20) == CUDA_SUCCESS);
    CHECK(cuMemAlloc_v2(&more, 40u << 20) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cuMemAlloc_v2(&more, ~std::size_t{0}) == CUDA_ERROR_OUT_OF_MEMORY);
    std::size_t now = 0;
    CHECK(cuMemGetInfo_v2(&now, &total) == CUDA_SUCCESS);
    CHECK(before - now == 40u << 20);
    const std::size_t words = 10u << 20;
    CHECK(cuMemsetD32Async(large, 3, words, session.stream) == CUDA_SUCCESS);
    CHECK(cuMemsetD32Async(large + 4, 0, words - 2, session.stream) == CUDA_SUCCESS);
    Words expected(words, 0);
    expected.front() = expected.back() = 3;
    CHECK((session.get<std::uint32_t>(large, words) == expected));
    CHECK(cuMemFree_v2(large) == CUDA_SUCCESS);
    CHECK(cuMemAlloc_v2(&large, 40u << 20) == CUDA_SUCCESS);
    CHECK(cuMemFree_v2(large) == CUDA_SUCCESS);
    CHECK(cuMemFree_v2(large) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("launches beyond the device's limits are refused") {
    const Session session;
    CHECK(session.launch("apart", 0, 32, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(session.launch("apart", 1, 1025, 0) == CUDA_ERROR_INVALID_VALUE);
    const CUdeviceptr x = session.put(counting(256));
    CHECK(session.launch("reverse", 1, 256, 64 << 10, x) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuFuncSetAttribute(session.function("reverse"), 8, 100 << 10) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuFuncSetAttribute(session.function("reverse"), 8, 64 << 10) == CUDA_SUCCESS);
    CHECK(session.launch("reverse", 1, 256, 64 << 10, x) == CUDA_SUCCESS);
    int blocks = 0;
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, session.function("reverse"), 32, 40 << 10) == CUDA_SUCCESS);
    CHECK(blocks == 2);
    CUfunction function = nullptr;
    CHECK(cuModuleGetFunction(&function, session.module, "not_there") == CUDA_ERROR_NOT_FOUND);
    CHECK(cuStreamSynchronize(session.stream) == CUDA_SUCCESS);
}

TEST_CASE("calls want cuInit, a context, a device, and a module of its kind") {
    setenv("MOG_EMULATED_CUDA", "devices=0,driver=11000", 1);
    CHECK(cuInit(0) == CUDA_ERROR_NO_DEVICE);
    int value = 0;
    CHECK(cuDeviceGetCount(&value) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuDriverGetVersion(&value) == CUDA_SUCCESS);
    CHECK(value == 11000);
    const char *name = nullptr;
    CHECK(cuGetErrorName(CUDA_ERROR_NO_DEVICE, &name) == CUDA_SUCCESS);
    CHECK(std::string(name) == "CUDA_ERROR_NO_DEVICE");
    {
        const Session session("devices=2");
        CUdevice device = 0;
        CHECK(cuDeviceGet(&device, 1) == CUDA_SUCCESS);
        CHECK(cuDeviceGet(&device, 2) == CUDA_ERROR_INVALID_DEVICE);
        CUmodule module = nullptr;
        CHECK(cuModuleLoadDataEx(&module, std::string(64, 'x').c_str(), 0, nullptr, nullptr) == CUDA_ERROR_INVALID_IMAGE);
        CHECK(cuModuleLoadDataEx(&module, compiled_kernels().ptx.data(), 0, nullptr, nullptr) == CUDA_SUCCESS);
        CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
        CHECK(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
        CUdeviceptr memory = 0;
        CHECK(cuMemAlloc_v2(&memory, 4) == CUDA_ERROR_INVALID_CONTEXT);
        CHECK(cuCtxSetCurrent(session.context) == CUDA_SUCCESS);
        setenv("MOG_EMULATED_CUDA", "capability=75", 1);
        CHECK(cuInit(0) == CUDA_SUCCESS);
        CHECK(cuDeviceGetAttribute(&value, 75, 0) == CUDA_SUCCESS);
        CHECK(value == 7);
        CHECK(cuModuleLoadDataEx(&module, compiled_kernels().cubin.data(), 0, nullptr, nullptr) == CUDA_ERROR_NO_BINARY_FOR_GPU);
    }
}

TEST_CASE("a device can be lost") {
    const Session session("lost_after=2");
    const CUdeviceptr x = session.put(counting(32));
    CHECK(session.launch("reverse", 1, 32, 128, x) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(session.stream) == CUDA_SUCCESS);
    CHECK(session.launch("reverse", 1, 32, 128, x) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(session.stream) == CUDA_ERROR_LAUNCH_FAILED);
    std::uint32_t word = 0;
    CHECK(cuMemcpyDtoHAsync_v2(&word, x, 4, session.stream) == CUDA_ERROR_LAUNCH_FAILED);
    CHECK(cuMemFree_v2(x) == CUDA_ERROR_LAUNCH_FAILED);
}

TEST_CASE("what the processor's compiler takes and nvcc does not is refused" * doctest::skip(!has_nvcc)) {
    const Compiled compiled = compile("int of_the_host() { return 1; }\n__global__ void k(int *x) { *x = of_the_host(); }\n", {});
    CHECK(compiled.result == NVRTC_ERROR_COMPILATION);
    CHECK_MESSAGE(compiled.log.find("nvcc refuses") != std::string::npos, compiled.log);
    CHECK_MESSAGE(compiled.log.find("of_the_host") != std::string::npos, compiled.log);
}

TEST_CASE("what was made of a source is kept, and nothing else is taken for it") {
    const std::vector<const char *> options = {"--gpu-architecture=sm_90", "--std=c++17"};
    const std::string source = "extern \"C\" __global__ void kept(unsigned *at) { *at = 17; }\n";
    const Compiled first = compile(source, options);
    REQUIRE(first.result == NVRTC_SUCCESS);
    // From here on there is no compiler.
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    const Compiled again = compile(source, options), other = compile(source + "\n", options);
    std::vector<const char *> more = options;
    more.push_back("-DMORE");
    const Compiled otherwise = compile(source, more), elsewhere = compile(source, {"--gpu-architecture=sm_80", "--std=c++17"});
    setenv("PATH", path.c_str(), 1);
    CHECK(again.result == NVRTC_SUCCESS);
    CHECK(again.cubin == first.cubin);
    for (const Compiled *compiled : {&other, &otherwise, &elsewhere}) CHECK(compiled->result == NVRTC_ERROR_COMPILATION);
}

TEST_CASE("NVRTC says what it does not take") {
    const auto says = [](const Compiled &compiled, nvrtcResult result, const std::string &text) {
        CHECK(compiled.result == result);
        CHECK_MESSAGE(compiled.log.find(text) != std::string::npos, compiled.log);
        CHECK(compiled.ptx.empty());
    };
    says(compile(kernels, {"--fast"}), NVRTC_ERROR_INVALID_OPTION, "unrecognized option --fast");
    says(compile(kernels, {"--fmad=perhaps"}), NVRTC_ERROR_INVALID_OPTION, "invalid value for --fmad");
    says(compile(kernels, {"--gpu-architecture=sm_100"}), NVRTC_ERROR_INVALID_OPTION, "invalid value for --gpu-architecture (-arch)");
    says(compile("\n#include <stdint.h>\n", {}), NVRTC_ERROR_COMPILATION, "kernels.cu:2");
    says(compile("\n\nint x = no_such_thing;\n", {}), NVRTC_ERROR_COMPILATION, "kernels.cu:3");
    setenv("MOG_EMULATED_CUDA", "compile=fail", 1);
    says(compile(kernels, {"-DADDEND=1"}), NVRTC_ERROR_COMPILATION, "told to fail");
    setenv("MOG_EMULATED_CUDA", "archs=80", 1);
    int count = 0;
    CHECK(nvrtcGetNumSupportedArchs(&count) == NVRTC_SUCCESS);
    REQUIRE(count == 2);
    int archs[2];
    CHECK(nvrtcGetSupportedArchs(archs) == NVRTC_SUCCESS);
    CHECK(archs[1] == 80);
    says(compile(kernels, {"-arch=sm_90"}), NVRTC_ERROR_INVALID_OPTION, "invalid value for --gpu-architecture");
    unsetenv("MOG_EMULATED_CUDA");
    const Compiled virtual_arch = compile(kernels, {"-arch", "compute_80", "-D", "ADDEND=1"});
    CHECK(virtual_arch.result == NVRTC_SUCCESS);
    CHECK(virtual_arch.cubin.empty());
    CHECK(!virtual_arch.ptx.empty());
}
