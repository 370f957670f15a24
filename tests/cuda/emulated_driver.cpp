// emulated_driver.cpp: CUDA's driver API over memory and threads of this process.
//
// Unlike CUDA's, the null stream waits for no other.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "tests/cuda/emulated_cuda.hpp"
#include "tests/cuda/emulated_device.hpp"
#include "tests/cuda/emulated_races.hpp"

#define EMULATED extern "C" __attribute__((visibility("default")))

using namespace mog_emulation;

struct EmulatedDevice {
    int retained = 0;
    std::size_t used = 0;
};

struct EmulatedFunction {
    std::string name;
    const MogKernel *kernel;
    int most_shared;
};

struct EmulatedModule {
    int file = -1;
    void *library = nullptr;
    std::map<std::string, EmulatedFunction, std::less<>> functions;
    EmulatedModule() = default;
    EmulatedModule(const EmulatedModule &) = delete;
    EmulatedModule &operator=(const EmulatedModule &) = delete;
    ~EmulatedModule() {
        if (library) dlclose(library);
        // A library with unique symbols stays, and whoever opens another one by the same name gets it: so its name stays taken.
        if (file >= 0 && !dlopen(fmt::format("/proc/self/fd/{}", file).c_str(), RTLD_NOW | RTLD_NOLOAD)) close(file);
    }
};

/* A thread that does one thing after the other. */
struct EmulatedStream {
    EmulatedStream() : thread_([this] { work(); }) {}
    ~EmulatedStream() {
        add({});
        thread_.join();
    }
    void add(std::function<void()> task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        added_++;
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this, until = added_] { return done_ >= until; });
    }
    bool idle() {
        const std::lock_guard lock(mutex_);
        return done_ == added_;
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return !tasks_.empty(); });
            const std::function<void()> task = std::move(tasks_.front());
            tasks_.pop_front();
            if (!task) return;  // the last one
            lock.unlock();
            races::acquire(&races::system_fence);
            task();
            lock.lock();
            done_++;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    std::uint64_t added_ = 0;
    std::uint64_t done_ = 0;
    std::thread thread_;
};

namespace {

constexpr int default_shared = 48 * 1024;
constexpr int optional_shared = 99 * 1024;
constexpr int multiprocessor_shared = 100 * 1024;
constexpr int reserved_shared = 1024;
constexpr int multiprocessors = 2;
constexpr int multiprocessor_threads = 128;
constexpr int multiprocessor_blocks = 32;
constexpr int block_threads = 1024;
constexpr int registers = 32;

struct Allocation {
    std::unique_ptr<GuardedMemory> memory;
    std::size_t bytes;
    EmulatedDevice *device;  // none: the host's
};

struct State {
    std::mutex mutex;
    bool initialised = false;
    Faults faults;
    std::size_t launches = 0;
    std::vector<std::unique_ptr<EmulatedDevice>> devices;
    std::map<CUdeviceptr, Allocation> allocations;
    std::map<CUmodule, std::unique_ptr<EmulatedModule>> modules;
    std::map<CUstream, std::unique_ptr<EmulatedStream>> streams;  // the null stream too, once it is used
    bool lost() const { return launches >= faults.lost_after; }
};

/* Never destroyed: streams may work when main has returned. */
State &state() {
    static State *const it = new State;
    return *it;
}

thread_local CUcontext current = nullptr;

CUdeviceptr address(const void *p) { return reinterpret_cast<std::uintptr_t>(p); }
void *pointer(CUdeviceptr p) { return reinterpret_cast<void *>(static_cast<std::uintptr_t>(p)); }
std::size_t counted(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

CUresult initialised() { return state().initialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED; }

/* For calls that need a context. */
CUresult ready() {
    if (!state().initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!current || current->retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    return state().lost() ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;
}

/* How a call begins that needs what `check` asks for. */
#define MOG_BEGIN(check)                  \
    std::unique_lock lock(state().mutex); \
    if (const CUresult failed = check()) return failed;

EmulatedDevice *device_of(CUdevice device) {
    State &s = state();
    return device >= 0 && device < s.faults.devices ? s.devices[static_cast<std::size_t>(device)].get() : nullptr;
}

EmulatedStream *stream_of(CUstream stream) {
    State &s = state();
    if (!stream && !s.streams[nullptr]) s.streams[nullptr] = std::make_unique<EmulatedStream>();
    const auto it = s.streams.find(stream);
    return it == s.streams.end() ? nullptr : it->second.get();
}

const Allocation *allocation_of(CUdeviceptr from, std::size_t bytes) {
    auto it = state().allocations.upper_bound(from);
    if (it == state().allocations.begin()) return nullptr;
    --it;
    const CUdeviceptr offset = from - it->first;
    return offset <= it->second.bytes && bytes <= it->second.bytes - offset ? &it->second : nullptr;
}

const EmulatedFunction *function_of(CUfunction function) {
    for (const auto &[handle, module] : state().modules)
        for (const auto &[name, known] : module->functions)
            if (&known == function) return function;
    return nullptr;
}

void wait_for_all() {
    for (const auto &[handle, stream] : state().streams) stream->wait();
}

CUresult allocate(CUdeviceptr &to, std::size_t bytes, EmulatedDevice *device) {
    State &s = state();
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (device && (bytes > s.faults.memory || counted(bytes) > s.faults.memory - std::min(device->used, s.faults.memory)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    auto memory = std::make_unique<GuardedMemory>(bytes);
    if (!memory->begin()) return CUDA_ERROR_OUT_OF_MEMORY;
    // Larger ones stay as they are: pages that nobody touches cost nothing.
    if (bytes <= std::size_t{1} << 20) std::memset(memory->begin(), 0xcd, bytes);
    to = address(memory->begin());
    if (device) device->used += counted(bytes);
    s.allocations[to] = {std::move(memory), bytes, device};
    return CUDA_SUCCESS;
}

CUresult release(CUdeviceptr memory, bool of_device) {
    State &s = state();
    const auto it = s.allocations.find(memory);
    if (it == s.allocations.end() || (it->second.device != nullptr) != of_device) return CUDA_ERROR_INVALID_VALUE;
    wait_for_all();
    if (of_device) it->second.device->used -= counted(it->second.bytes);
    s.allocations.erase(it);
    return CUDA_SUCCESS;
}

/* Zeros leave whole pages untouched, or make them so again. */
void fill(std::byte *to, unsigned value, std::size_t words) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::byte *const end = to + 4 * words;
    if (value == 0 && words >= page) {
        std::byte *const first = to + (page - address(to) % page) % page;
        std::byte *const last = end - address(end) % page;
        std::memset(to, 0, static_cast<std::size_t>(first - to));
        madvise(first, static_cast<std::size_t>(last - first), MADV_DONTNEED);
        std::memset(last, 0, static_cast<std::size_t>(end - last));
    } else {
        std::fill_n(reinterpret_cast<unsigned *>(to), words, value);
    }
}

/* As CUDA does it: only memory that it gave out itself is copied behind the caller's back. */
CUresult copy(CUdeviceptr on_device, const void *host, std::size_t bytes, CUstream handle, bool to_device) {
    MOG_BEGIN(ready)
    EmulatedStream *const stream = stream_of(handle);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (!allocation_of(on_device, bytes) || !host) return CUDA_ERROR_INVALID_VALUE;
    const bool pinned = allocation_of(address(host), bytes) != nullptr;
    void *const device = pointer(on_device);
    if (to_device && pinned) {
        stream->add([=] { std::memmove(device, host, bytes); });
    } else if (to_device) {
        const auto *const begin = static_cast<const std::byte *>(host);
        std::vector<std::byte> copied(begin, begin + bytes);
        stream->add([device, copied = std::move(copied)] { std::memcpy(device, copied.data(), copied.size()); });
    } else {
        stream->add([=] { std::memmove(const_cast<void *>(host), device, bytes); });
        lock.unlock();
        if (!pinned) stream->wait();
    }
    return CUDA_SUCCESS;
}

CUresult load(EmulatedModule &module, const void *image) {
    const State &s = state();
    ImageHeader header;
    std::memcpy(&header, image, sizeof header);
    const bool cubin = std::memcmp(header.magic, cubin_magic, sizeof header.magic) == 0;
    if (!cubin && std::memcmp(header.magic, ptx_magic, sizeof header.magic) != 0) return CUDA_ERROR_INVALID_IMAGE;
    const int arch = static_cast<int>(header.arch);
    if (arch > s.faults.capability || (cubin && arch / 10 != s.faults.capability / 10)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    if (!cubin && static_cast<int>(header.nvrtc) > s.faults.driver) return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    // Open as long as the library: dlopen would take another of the same name for this one.
    module.file = memfd_create("mog-emulation", MFD_CLOEXEC);
    const char *bytes = static_cast<const char *>(image) + sizeof header;
    for (std::uint64_t done = 0; done < header.bytes;) {
        const ssize_t n = write(module.file, bytes + done, header.bytes - done);
        if (n <= 0) return CUDA_ERROR_OUT_OF_MEMORY;
        done += static_cast<std::uint64_t>(n);
    }
    module.library = dlopen(fmt::format("/proc/self/fd/{}", module.file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module.library) give_up(fmt::format("a module cannot be loaded: {}", dlerror()));
    *static_cast<const MogEmulation **>(dlsym(module.library, "mog_emulation")) = &for_kernels;
    return CUDA_SUCCESS;
}

}  // namespace

// ---- the driver ----

EMULATED CUresult cuInit(unsigned flags) {
    State &s = state();
    const std::lock_guard lock(s.mutex);
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    s.faults = read_faults();
    s.launches = 0;
    s.initialised = s.faults.devices > 0;
    if (!s.initialised) return CUDA_ERROR_NO_DEVICE;
    while (s.devices.size() < static_cast<std::size_t>(s.faults.devices)) s.devices.push_back(std::make_unique<EmulatedDevice>());
    return CUDA_SUCCESS;
}

EMULATED CUresult cuDriverGetVersion(int *version) {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = read_faults().driver;
    return CUDA_SUCCESS;
}

#define MOG_CUDA_NAME(name, code, sentence) {CUDA_##name, "CUDA_" #name, sentence},
constexpr struct {
    CUresult code;
    const char *name;
    const char *sentence;
} results[] = {MOG_CUDA_RESULTS(MOG_CUDA_NAME)};

EMULATED CUresult cuGetErrorName(CUresult result, const char **name) {
    const auto *it = std::ranges::find(results, result, [](const auto &known) { return known.code; });
    *name = it == std::end(results) ? nullptr : it->name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EMULATED CUresult cuGetErrorString(CUresult result, const char **sentence) {
    const auto *it = std::ranges::find(results, result, [](const auto &known) { return known.code; });
    *sentence = it == std::end(results) ? nullptr : it->sentence;
    return *sentence ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// ---- devices and contexts ----

EMULATED CUresult cuDeviceGetCount(int *count) {
    MOG_BEGIN(initialised)
    *count = state().faults.devices;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    MOG_BEGIN(initialised)
    if (!device_of(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    MOG_BEGIN(initialised)
    if (!device_of(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (!name || size <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(name, static_cast<std::size_t>(size), "Emulated CUDA device");
    return CUDA_SUCCESS;
}

EMULATED CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    MOG_BEGIN(initialised)
    if (!device_of(device)) return CUDA_ERROR_INVALID_DEVICE;
    const int capability = state().faults.capability;
    // By the numbers that cuda.h has for them. Those that are missing tell whoever asks for them to add them.
    const std::map<int, int> attributes = {
        {1, block_threads},  // MAX_THREADS_PER_BLOCK
        {2, block_threads},  // MAX_BLOCK_DIM_X, Y, Z
        {3, block_threads},
        {4, 64},
        {5, 0x7fffffff},  // MAX_GRID_DIM_X, Y, Z
        {6, 65535},
        {7, 65535},
        {8, default_shared},           // MAX_SHARED_MEMORY_PER_BLOCK
        {10, 32},                      // WARP_SIZE
        {12, 65536},                   // MAX_REGISTERS_PER_BLOCK
        {16, multiprocessors},         // MULTIPROCESSOR_COUNT
        {18, 0},                       // INTEGRATED
        {19, 1},                       // CAN_MAP_HOST_MEMORY
        {39, multiprocessor_threads},  // MAX_THREADS_PER_MULTIPROCESSOR
        {41, 1},                       // UNIFIED_ADDRESSING
        {75, capability / 10},         // COMPUTE_CAPABILITY_MAJOR, MINOR
        {76, capability % 10},
        {81, multiprocessor_shared},   // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
        {82, 65536},                   // MAX_REGISTERS_PER_MULTIPROCESSOR
        {97, optional_shared},         // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
        {106, multiprocessor_blocks},  // MAX_BLOCKS_PER_MULTIPROCESSOR
        {111, reserved_shared},        // RESERVED_SHARED_MEMORY_PER_BLOCK
    };
    const auto it = attributes.find(attribute);
    if (!value || it == attributes.end()) return CUDA_ERROR_INVALID_VALUE;
    *value = it->second;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuDeviceTotalMem_v2(std::size_t *bytes, CUdevice device) {
    MOG_BEGIN(initialised)
    if (!device_of(device)) return CUDA_ERROR_INVALID_DEVICE;
    *bytes = state().faults.memory;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    MOG_BEGIN(initialised)
    EmulatedDevice *const it = device_of(device);
    if (!it) return CUDA_ERROR_INVALID_DEVICE;
    it->retained++;
    *context = it;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    MOG_BEGIN(initialised)
    State &s = state();
    EmulatedDevice *const it = device_of(device);
    if (!it) return CUDA_ERROR_INVALID_DEVICE;
    if (it->retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--it->retained > 0) return CUDA_SUCCESS;
    // A device's memory goes with its context.
    wait_for_all();
    std::erase_if(s.allocations, [it](const auto &entry) { return entry.second.device == it; });
    it->used = 0;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuCtxSetCurrent(CUcontext context) {
    MOG_BEGIN(initialised)
    if (context && std::ranges::none_of(state().devices, [context](const auto &device) { return device.get() == context; }))
        return CUDA_ERROR_INVALID_CONTEXT;
    current = context;
    return CUDA_SUCCESS;
}

// ---- memory ----

EMULATED CUresult cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
    MOG_BEGIN(ready)
    *total = state().faults.memory;
    *free = *total - std::min(*total, current->used);
    return CUDA_SUCCESS;
}

EMULATED CUresult cuMemAlloc_v2(CUdeviceptr *memory, std::size_t bytes) {
    MOG_BEGIN(ready)
    return allocate(*memory, bytes, current);
}

EMULATED CUresult cuMemFree_v2(CUdeviceptr memory) {
    MOG_BEGIN(ready)
    return memory == 0 ? CUDA_SUCCESS : release(memory, true);
}

EMULATED CUresult cuMemHostAlloc(void **memory, std::size_t bytes, unsigned flags) {
    MOG_BEGIN(ready)
    if (flags > 7) return CUDA_ERROR_INVALID_VALUE;
    CUdeviceptr at = 0;
    const CUresult result = allocate(at, bytes, nullptr);
    *memory = pointer(at);
    return result;
}

EMULATED CUresult cuMemFreeHost(void *memory) {
    MOG_BEGIN(ready)
    return memory ? release(address(memory), false) : CUDA_SUCCESS;
}

EMULATED CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags) {
    MOG_BEGIN(ready)
    const Allocation *const allocation = allocation_of(address(host), 1);
    if (flags != 0 || !allocation || allocation->device) return CUDA_ERROR_INVALID_VALUE;
    *device = address(host);
    return CUDA_SUCCESS;
}

EMULATED CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t words, CUstream handle) {
    MOG_BEGIN(ready)
    EmulatedStream *const stream = stream_of(handle);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (to % 4 != 0 || words > std::size_t{1} << 60 || !allocation_of(to, 4 * words)) return CUDA_ERROR_INVALID_VALUE;
    stream->add([=] { fill(static_cast<std::byte *>(pointer(to)), value, words); });
    return CUDA_SUCCESS;
}

EMULATED CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, std::size_t bytes, CUstream stream) {
    return copy(to, from, bytes, stream, true);
}

EMULATED CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return copy(from, to, bytes, stream, false);
}

// ---- streams ----

EMULATED CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    MOG_BEGIN(ready)
    *least = 0;
    *greatest = -5;
    return CUDA_SUCCESS;
}

/* Every stream has threads of its own, so none has to let another go first. */
EMULATED CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    MOG_BEGIN(ready)
    if (flags > 1 || priority > 0 || priority < -5) return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<EmulatedStream>();
    *stream = made.get();
    state().streams[*stream] = std::move(made);
    return CUDA_SUCCESS;
}

EMULATED CUresult cuStreamDestroy_v2(CUstream stream) {
    MOG_BEGIN(ready)
    return stream && state().streams.erase(stream) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

EMULATED CUresult cuStreamSynchronize(CUstream handle) {
    MOG_BEGIN(ready)
    EmulatedStream *const stream = stream_of(handle);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    lock.unlock();
    stream->wait();
    return CUDA_SUCCESS;
}

EMULATED CUresult cuStreamQuery(CUstream handle) {
    MOG_BEGIN(ready)
    EmulatedStream *const stream = stream_of(handle);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    return stream->idle() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

// ---- modules and launches ----

EMULATED CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options, void **values) {
    MOG_BEGIN(ready)
    if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
    // Logs (3 and 5, their sizes 4 and 6) stay empty.
    for (unsigned i = 0; i < count; i++) {
        if ((options[i] == 3 || options[i] == 5) && values[i]) *static_cast<char *>(values[i]) = '\0';
        if (options[i] == 4 || options[i] == 6) values[i] = nullptr;
    }
    auto made = std::make_unique<EmulatedModule>();
    if (const CUresult result = load(*made, image)) return result;
    *module = made.get();
    state().modules[*module] = std::move(made);
    return CUDA_SUCCESS;
}

EMULATED CUresult cuModuleUnload(CUmodule module) {
    MOG_BEGIN(ready)
    wait_for_all();
    return state().modules.erase(module) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

EMULATED CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    MOG_BEGIN(ready)
    if (!state().modules.contains(module)) return CUDA_ERROR_INVALID_HANDLE;
    const void *const kernel = dlsym(module->library, fmt::format("mog_kernel_{}", name).c_str());
    if (!kernel) return CUDA_ERROR_NOT_FOUND;
    const auto entry = module->functions.try_emplace(name, EmulatedFunction{name, static_cast<const MogKernel *>(kernel), default_shared});
    *function = &entry.first->second;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    MOG_BEGIN(ready)
    if (!function_of(function)) return CUDA_ERROR_INVALID_HANDLE;
    // MAX_DYNAMIC_SHARED_SIZE_BYTES
    if (attribute != 8 || value < 0 || value > optional_shared) return CUDA_ERROR_INVALID_VALUE;
    function->most_shared = value;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
    MOG_BEGIN(ready)
    if (!function_of(function)) return CUDA_ERROR_INVALID_HANDLE;
    // MAX_THREADS_PER_BLOCK, sizes of shared, constant and local memory, NUM_REGS, PTX and binary version, CACHE_MODE_CA, and again
    // MAX_DYNAMIC_SHARED_SIZE_BYTES.
    const int capability = state().faults.capability;
    const int values[] = {block_threads, 0, 0, 0, registers, capability, capability, 0, function->most_shared};
    if (!value || attribute < 0 || attribute > 8) return CUDA_ERROR_INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
}

EMULATED CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size, std::size_t shared) {
    MOG_BEGIN(ready)
    if (!function_of(function)) return CUDA_ERROR_INVALID_HANDLE;
    if (!blocks || block_size <= 0 || block_size > block_threads) return CUDA_ERROR_INVALID_VALUE;
    const int by_threads = multiprocessor_threads / ((block_size + 31) / 32 * 32);
    const std::size_t by_shared = multiprocessor_shared / (shared + reserved_shared);
    *blocks = static_cast<int>(std::min<std::size_t>({static_cast<std::size_t>(by_threads), by_shared, multiprocessor_blocks}));
    if (shared > static_cast<std::size_t>(function->most_shared)) *blocks = 0;
    return CUDA_SUCCESS;
}

EMULATED CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                 unsigned block_z, unsigned shared, CUstream handle, void **parameters, void **extra) {
    MOG_BEGIN(ready)
    State &s = state();
    EmulatedStream *const stream = stream_of(handle);
    if (!stream || !function_of(function)) return CUDA_ERROR_INVALID_HANDLE;
    const bool some = grid_x && grid_y && grid_z && block_x && block_y && block_z;
    if (!some || grid_x > 0x7fffffffu || grid_y > 65535u || grid_z > 65535u || block_z > 64) return CUDA_ERROR_INVALID_VALUE;
    if (std::uint64_t{block_x} * block_y > block_threads || block_x * block_y * block_z > block_threads) return CUDA_ERROR_INVALID_VALUE;
    if (shared > static_cast<unsigned>(function->most_shared) || extra) return CUDA_ERROR_INVALID_VALUE;
    Launch launch = {function->name, function->kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, {}};
    if (launch.kernel->count != 0 && !parameters) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < launch.kernel->count; i++) {
        const auto *const value = static_cast<const std::byte *>(parameters[i]);
        launch.values.emplace_back(value, value + launch.kernel->sizes[i]);
    }
    s.launches++;
    if (!s.lost()) stream->add([launch = std::move(launch)] { run_launch(launch); });
    return CUDA_SUCCESS;
}
