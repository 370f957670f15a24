// driver_modules.cpp: the driver API: modules, linking, functions, launches, streams and events.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "runtime_cuda/api/driver.hpp"
#include "runtime_cuda/library/device.hpp"
#include "runtime_cuda/library/linked.hpp"
#include "runtime_cuda/library/memory.hpp"
#include "runtime_cuda/library/modules.hpp"

using namespace mog::cuda;

struct CUfunc_st {
    Kernel kernel;
};
struct CUmod_st {
    std::shared_ptr<mog::ptx::Module> module;
    std::map<std::string, CUfunc_st, std::less<>> functions;
};
struct CUlinkState_st {
    std::vector<PtxInput> inputs;
    std::string text;
    // Where messages go.
    std::vector<CUjit_option> options;
    std::vector<void *> values;
};

namespace {

/// Where a caller wants to be told what is wrong with a text.
void write_log(const mog::Error &error, unsigned count, const CUjit_option *options, void **values) {
    char *buffer = nullptr;
    std::size_t room = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER) buffer = static_cast<char *>(values[i]);
        // Numbers stand in the pointer itself.
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) room = reinterpret_cast<std::size_t>(values[i]) & 0xffffffff;
    }
    const std::string text = error.text();
    if (!buffer || !room) return tell(text);
    const std::size_t length = std::min(text.size(), room - 1);
    std::memcpy(buffer, text.data(), length);
    buffer[length] = '\0';
}

CUresult load_text(CUmodule *module, const mog::Result<std::string_view> &text, const std::string &name, unsigned count,
                   const CUjit_option *options, void **values) {
    if (!text) {
        write_log(text.error(), count, options, values);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    mog::Result<std::shared_ptr<mog::ptx::Module>> loaded = load_module(*text, name);
    if (!loaded) {
        write_log(loaded.error(), count, options, values);
        return CUDA_ERROR_INVALID_PTX;
    }
    auto made = std::make_unique<CUmod_st>();
    made->module = *loaded;
    for (const std::string &kernel : (*loaded)->kernel_names()) made->functions[kernel] = {{*loaded, (*loaded)->kernel(kernel)}};
    *module = made.release();
    return CUDA_SUCCESS;
}

CUresult launch(CUfunction function, const Launch &wanted, CUstream stream, void **parameters, void **extra) {
    MOG_CUDA_READY();
    if (const cudaError_t before = fault_so_far(); before != cudaSuccess) return driver_error(before);
    if (!function) return CUDA_ERROR_INVALID_HANDLE;
    const StreamRef found = stream_of(stream);
    if (!found) return CUDA_ERROR_INVALID_HANDLE;
    if (const cudaError_t error = check_launch(function->kernel, wanted); error != cudaSuccess) return driver_error(error);
    const mog::ptx::KernelInfo &info = *function->kernel.info;
    std::string block;
    if (parameters) {
        block = gather_parameters(info, parameters);
    } else if (extra) {
        const void *buffer = nullptr;
        std::size_t bytes = 0;
        for (void **word = extra; *word != CU_LAUNCH_PARAM_END; word += 2) {
            if (*word == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = word[1];
            else if (*word == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<std::size_t *>(word[1]);
            else return CUDA_ERROR_INVALID_VALUE;
        }
        if (!buffer && bytes) return CUDA_ERROR_INVALID_VALUE;
        block.assign(static_cast<const char *>(buffer), std::min<std::size_t>(bytes, info.parameter_bytes));
        block.resize(info.parameter_bytes);
    } else if (!info.parameters.empty()) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    add_launch(function->kernel, wanted, std::move(block), found);
    return CUDA_SUCCESS;
}

}  // namespace

MOG_EXPORTED CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
    MOG_CUDA_READY();
    if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
    return load_text(module, ptx_of_image(image), "PTX", count, options, values);
}
MOG_EXPORTED CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
MOG_EXPORTED CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) { return cuModuleLoadData(module, image); }
MOG_EXPORTED CUresult cuModuleLoad(CUmodule *module, const char *path) {
    MOG_CUDA_READY();
    if (!module || !path) return CUDA_ERROR_INVALID_VALUE;
    std::ifstream file(path, std::ios::binary);
    if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
    std::string text{std::istreambuf_iterator<char>(file), {}};
    text.resize(std::max<std::size_t>(text.size(), sizeof(std::uint32_t)));
    return load_text(module, ptx_of_image(text.c_str()), path, 0, nullptr, nullptr);
}
MOG_EXPORTED CUresult cuModuleUnload(CUmodule module) {
    MOG_CUDA_READY();
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    wait_for_all();
    for (const std::string &variable : module->module->variable_names())
        if (const auto found = module->module->variable(variable)) forget_variable(found->address);
    delete module;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    MOG_CUDA_READY();
    if (!function || !module || !name) return CUDA_ERROR_INVALID_VALUE;
    const auto found = module->functions.find(name);
    if (found == module->functions.end()) return CUDA_ERROR_NOT_FOUND;
    *function = &found->second;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, std::size_t *bytes, CUmodule module, const char *name) {
    MOG_CUDA_READY();
    if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
    const auto found = module->module->variable(name);
    if (!found) return CUDA_ERROR_NOT_FOUND;
    if (pointer) *pointer = reinterpret_cast<CUdeviceptr>(found->address);
    if (bytes) *bytes = found->size;
    return CUDA_SUCCESS;
}

MOG_EXPORTED CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
    MOG_CUDA_READY();
    if (!state || (count && (!options || !values))) return CUDA_ERROR_INVALID_VALUE;
    *state = new CUlinkState_st;
    (*state)->options.assign(options, options + count);
    (*state)->values.assign(values, values + count);
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, std::size_t bytes, const char *name,
                                       unsigned count, CUjit_option *options, void **values) {
    if (!state || !data) return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_JIT_INPUT_PTX) {
        write_log(mog::Error{"cuLinkAddData: only texts in PTX can be linked"}, count, options, values);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    const char *text = static_cast<const char *>(data);
    state->inputs.push_back({std::string(text, strnlen(text, bytes)), name ? name : fmt::format("text {}", state->inputs.size() + 1)});
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuLinkComplete(CUlinkState state, void **image, std::size_t *bytes) {
    if (!state || !image) return CUDA_ERROR_INVALID_VALUE;
    mog::Result<std::string> linked = link_ptx(state->inputs);
    if (!linked) {
        write_log(linked.error(), static_cast<unsigned>(state->options.size()), state->options.data(), state->values.data());
        return CUDA_ERROR_INVALID_PTX;
    }
    state->text = *std::move(linked);
    *image = state->text.data();  // ends with a zero, as texts of modules do
    if (bytes) *bytes = state->text.size() + 1;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuLinkDestroy(CUlinkState state) {
    delete state;
    return CUDA_SUCCESS;
}

MOG_EXPORTED CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    if (!value || !function) return CUDA_ERROR_INVALID_VALUE;
    const mog::ptx::KernelInfo &info = *function->kernel.info;
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = static_cast<int>(info.max_threads); return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(info.static_shared_bytes); return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(info.local_bytes); return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = static_cast<int>(std::min(info.registers, 255u)); return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = capability_major * 10 + capability_minor; return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = function->kernel.dynamic_shared_bytes; return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = -1; return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
MOG_EXPORTED CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    if (!function) return CUDA_ERROR_INVALID_HANDLE;
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) return CUDA_SUCCESS;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
        value + static_cast<int>(function->kernel.info->static_shared_bytes) > most_shared_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    function->kernel.dynamic_shared_bytes = value;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
MOG_EXPORTED CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                     unsigned block_y, unsigned block_z, unsigned bytes, CUstream stream, void **parameters, void **extra) {
    return launch(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, bytes}, stream, parameters, extra);
}
MOG_EXPORTED CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                                unsigned block_y, unsigned block_z, unsigned bytes, CUstream stream, void **parameters) {
    const Launch wanted{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, bytes, true};
    if (wanted.grid.count() > static_cast<std::uint64_t>(properties().multiProcessorCount) * blocks_at_once)
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return launch(function, wanted, stream, parameters, nullptr);
}
MOG_EXPORTED CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, std::size_t bytes) {
    if (!blocks || !function || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
    *blocks = check_launch(function->kernel, {{}, {static_cast<std::uint32_t>(threads), 1, 1}, bytes}) == cudaSuccess ? blocks_at_once : 0;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize of_block,
                                                       std::size_t bytes, int limit) {
    if (!grid || !block || !function) return CUDA_ERROR_INVALID_VALUE;
    const int most = static_cast<int>(function->kernel.info->max_threads);
    *block = limit > 0 ? std::min(limit, most) : most;
    int blocks = 0;
    const CUresult result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, *block, of_block ? of_block(*block) : bytes);
    *grid = blocks * properties().multiProcessorCount;
    return result;
}

MOG_EXPORTED CUresult cuStreamCreate(CUstream *stream, unsigned flags) { return cuStreamCreateWithPriority(stream, flags, 0); }
MOG_EXPORTED CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    MOG_CUDA_READY();
    return driver_error(cudaStreamCreateWithPriority(stream, flags, priority));
}
MOG_EXPORTED CUresult cuStreamDestroy_v2(CUstream stream) { return driver_error(cudaStreamDestroy(stream)); }
MOG_EXPORTED CUresult cuStreamSynchronize(CUstream stream) { return driver_error(cudaStreamSynchronize(stream)); }
MOG_EXPORTED CUresult cuStreamQuery(CUstream stream) { return driver_error(cudaStreamQuery(stream)); }
MOG_EXPORTED CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    return driver_error(cudaStreamWaitEvent(stream, event, flags));
}
MOG_EXPORTED CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags) {
    const StreamRef found = stream_of(stream);
    if (!found) return CUDA_ERROR_INVALID_HANDLE;
    if (!callback || flags) return CUDA_ERROR_INVALID_VALUE;
    add(found, [=] { callback(stream, driver_error(fault_so_far()), data); });
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) { return driver_error(cudaStreamGetFlags(stream, flags)); }
MOG_EXPORTED CUresult cuStreamGetPriority(CUstream stream, int *priority) { return driver_error(cudaStreamGetPriority(stream, priority)); }
MOG_EXPORTED CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
    return stream_of(stream) ? cuCtxGetCurrent(context) : CUDA_ERROR_INVALID_HANDLE;
}
MOG_EXPORTED CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
    return driver_error(cudaLaunchHostFunc(stream, function, data));
}
MOG_EXPORTED CUresult cuEventCreate(CUevent *event, unsigned flags) {
    MOG_CUDA_READY();
    return driver_error(cudaEventCreateWithFlags(event, flags));
}
MOG_EXPORTED CUresult cuEventDestroy_v2(CUevent event) { return driver_error(cudaEventDestroy(event)); }
MOG_EXPORTED CUresult cuEventRecord(CUevent event, CUstream stream) { return driver_error(cudaEventRecord(event, stream)); }
MOG_EXPORTED CUresult cuEventSynchronize(CUevent event) { return driver_error(cudaEventSynchronize(event)); }
MOG_EXPORTED CUresult cuEventQuery(CUevent event) { return driver_error(cudaEventQuery(event)); }
MOG_EXPORTED CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
    return driver_error(cudaEventElapsedTime(milliseconds, begin, end));
}

MOG_EXPORTED CUresult cuGraphCreate(CUgraph *, unsigned) { return driver_error(cudaGraphCreate(nullptr, 0)); }
MOG_EXPORTED CUresult cuStreamBeginCapture(CUstream, int) { return driver_error(cudaGraphCreate(nullptr, 0)); }
MOG_EXPORTED CUresult cuStreamBeginCapture_v2(CUstream, int) { return driver_error(cudaGraphCreate(nullptr, 0)); }
MOG_EXPORTED CUresult cuStreamEndCapture(CUstream, CUgraph *) { return driver_error(cudaGraphCreate(nullptr, 0)); }
MOG_EXPORTED CUresult cuGraphLaunch(CUgraphExec, CUstream) { return driver_error(cudaGraphCreate(nullptr, 0)); }
