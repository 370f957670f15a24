/* driver_test.c: a program of the driver API and the run-time compiler, in C: contexts, modules of PTX text, launches, memory, streams, errors. */
#define _GNU_SOURCE
#include <cuda.h>
#include <nvrtc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int failures;
#define IS(result, call)                                                                           \
    do {                                                                                           \
        const int is_ = (int)(call);                                                               \
        if (is_ != (int)(result)) {                                                                \
            printf("line %d: %s is %d, not %s\n", __LINE__, #call, is_, #result);                  \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define WORKS(call) IS(CUDA_SUCCESS, call)
#define HOLDS(condition) IS(1, (condition) != 0)

static const char text[] =
    ".version 6.0\n.target sm_60\n.address_size 64\n"
    ".visible .global .align 4 .u32 factor = 3;\n"
    ".visible .const .align 4 .u32 offset[2] = {10, 20};\n"
    ".visible .entry scale(.param .u64 values, .param .u32 count, .param .u8 which)\n{\n"
    "    .reg .pred %p<2>;\n    .reg .b32 %r<12>;\n    .reg .b64 %rd<8>;\n"
    "    ld.param.u64 %rd1, [values];\n    ld.param.u32 %r1, [count];\n    ld.param.u8 %r2, [which];\n"
    "    mov.u32 %r3, %ctaid.x;\n    mov.u32 %r4, %ntid.x;\n    mov.u32 %r5, %tid.x;\n    mad.lo.s32 %r6, %r3, %r4, %r5;\n"
    "    setp.ge.u32 %p1, %r6, %r1;\n    @%p1 bra END;\n"
    "    cvta.to.global.u64 %rd2, %rd1;\n    mul.wide.u32 %rd3, %r6, 4;\n    add.s64 %rd4, %rd2, %rd3;\n"
    "    ld.global.u32 %r7, [%rd4];\n    ld.global.u32 %r8, [factor];\n"
    "    mul.wide.u32 %rd5, %r2, 4;\n    mov.u64 %rd6, offset;\n    add.s64 %rd7, %rd6, %rd5;\n    ld.const.u32 %r9, [%rd7];\n"
    "    mad.lo.s32 %r10, %r7, %r8, %r9;\n    st.global.u32 [%rd4], %r10;\nEND:\n    ret;\n}\n"
    ".visible .entry sampled(.param .u64 out, .param .u64 texture)\n{\n"
    "    .reg .f32 %f<6>;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.u64 %rd2, [texture];\n    mov.u32 %r1, %tid.x;\n    cvt.rn.f32.u32 %f1, %r1;\n"
    "    tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd2, {%f1}];\n    txq.width.b32 %r2, [%rd2];\n"
    "    mul.wide.u32 %rd3, %r1, 8;\n    add.s64 %rd1, %rd1, %rd3;\n    st.global.f32 [%rd1], %f2;\n    st.global.u32 [%rd1+4], %r2;\n    ret;\n}\n";

/* Texts that are linked: one calls the other's function and reads its constants; each has a function and a variable of its own by the same names. */
#define HEADER ".version 6.0\n.target sm_60\n.address_size 64\n"
#define OWN(number)                                                                                                                  \
    ".global .align 4 .u32 mine = " number ";\n"                                                                                      \
    ".func (.param .b32 out) own()\n{\n    .reg .b32 %r<2>;\n    ld.global.u32 %r1, [mine];\n    st.param.b32 [out], %r1;\n    ret;\n}\n"
static const char caller[] = HEADER
    ".extern .func (.param .b32 out) other(.param .b32 in);\n.extern .const .align 4 .b8 words[];\n" OWN("5")
    ".visible .entry call(.param .u64 out)\n{\n    .reg .b32 %r<8>;\n    .reg .b64 %rd<2>;\n"
    "    { .param .b32 in; st.param.b32 [in], 7; .param .b32 got; call (got), other, (in); ld.param.b32 %r1, [got]; }\n"
    "    { .param .b32 got; call (got), own; ld.param.b32 %r2, [got]; }\n"
    "    ld.const.u32 %r3, [words+4];\n    add.u32 %r4, %r1, %r2;\n    add.u32 %r5, %r4, %r3;\n"
    "    ld.param.u64 %rd1, [out];\n    st.global.u32 [%rd1], %r5;\n    ret;\n}\n";
static const char called[] = HEADER ".visible .const .align 4 .u32 words[2] = {1, 1000};\n" OWN("60")
    ".visible .func (.param .b32 out) other(.param .b32 in)\n{\n    .reg .b32 %r<4>;\n    ld.param.b32 %r1, [in];\n"
    "    { .param .b32 got; call (got), own; ld.param.b32 %r2, [got]; }\n    mad.lo.u32 %r3, %r1, 100, %r2;\n"
    "    st.param.b32 [out], %r3;\n    ret;\n}\n";

static CUresult link_texts(const char *const *texts, CUmodule *module, char *log, size_t room) {
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)room}, *image;
    size_t bytes;
    CUlinkState state;
    WORKS(cuLinkCreate(2, options, values, &state));
    for (; *texts; texts++) WORKS(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)*texts, strlen(*texts) + 1, NULL, 0, NULL, NULL));
    CUresult result = cuLinkComplete(state, &image, &bytes);
    if (result == CUDA_SUCCESS) result = cuModuleLoadData(module, image);
    WORKS(cuLinkDestroy(state));
    return result;
}

static void check_linking(void) {
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    unsigned value = 0;
    char log[200] = "";
    WORKS(cuMemAlloc(&out, sizeof value));
    void *parameters[] = {&out};
    const char *const orders[][3] = {{caller, called, NULL}, {called, caller, NULL}};
    for (int i = 0; i < 2; i++) {
        WORKS(link_texts(orders[i], &module, log, sizeof log));
        WORKS(cuModuleGetFunction(&function, module, "call"));
        WORKS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
        WORKS(cuMemcpyDtoH(&value, out, sizeof value));
        IS(7 * 100 + 60 + 5 + 1000, value);
        WORKS(cuModuleUnload(module));
    }
    const char *const lacking[] = {caller, NULL}, *const twice[] = {called, called, NULL};
    IS(CUDA_ERROR_INVALID_PTX, link_texts(lacking, &module, log, sizeof log));
    HOLDS(strstr(log, "declares other, and no text defines it") != NULL);
    IS(CUDA_ERROR_INVALID_PTX, link_texts(twice, &module, log, sizeof log));
    HOLDS(strstr(log, "is defined in text 1 and in text 2") != NULL);
    WORKS(cuMemFree(out));
}

static void add_one(void *data) { ++*(int *)data; }

static void check_values(CUdeviceptr memory, unsigned factor, unsigned offset, const char *what) {
    unsigned values[100];
    WORKS(cuMemcpyDtoH(values, memory, sizeof values));
    for (unsigned i = 0; i < 100; i++)
        if (values[i] != i * factor + offset) {
            printf("%s: value %u is %u\n", what, i, values[i]);
            failures++;
            return;
        }
}

/* Large memory that is zeroed first takes no pages until somebody writes; zeros come where they are asked for, the second time, too. */
static void check_zeros(void) {
    enum { mebibytes = 64, words = mebibytes << 18, page_words = 1024 };
    CUdeviceptr memory;
    WORKS(cuMemAlloc(&memory, 4 * (size_t)words));
    WORKS(cuMemsetD32(memory, 0, words));
    static unsigned char resident[4 * words / 4096];
    const uintptr_t first = ((uintptr_t)memory + 4095) & ~(uintptr_t)4095;
    size_t touched = 0;
    HOLDS(mincore((void *)first, (sizeof resident - 1) << 12, resident) == 0);
    for (size_t i = 0; i < sizeof resident - 1; i++) touched += resident[i] & 1;
    HOLDS(touched < sizeof resident / 8);
    WORKS(cuMemFree(memory));
    for (int round = 0; round < 2; round++) {
        WORKS(cuMemAlloc(&memory, 4 * (size_t)words));
        unsigned *const at = (unsigned *)(uintptr_t)memory;
        for (int again = 0; again < 2; again++) {
            const size_t begin = 4 + round * 1020, count = words - 2 * page_words - 7;
            WORKS(cuMemsetD32(memory, 5, words));
            WORKS(cuMemsetD32(memory + 4 * begin, 0, count));
            size_t wrong = 0;
            for (size_t i = 0; i < words; i++) wrong += at[i] != (i >= begin && i - begin < count ? 0 : 5);
            HOLDS(wrong == 0);
        }
        WORKS(cuMemFree(memory));
    }
}

int main(void) {
    int count = 0, major = 0, version = 0, called = 0;
    char name[64];
    size_t bytes = 0;
    CUdevice device;
    CUcontext context, now;
    IS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
    WORKS(cuInit(0));
    WORKS(cuDriverGetVersion(&version));
    HOLDS(version == CUDA_VERSION);
    WORKS(cuDeviceGetCount(&count));
    HOLDS(count == 1);
    IS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
    WORKS(cuDeviceGet(&device, 0));
    WORKS(cuDeviceGetName(name, sizeof name, device));
    HOLDS(strstr(name, "MOG") != NULL);
    WORKS(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    HOLDS(major == 8);
    CUdeviceptr memory, global;
    IS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 400));
    WORKS(cuCtxCreate(&context, 0, device));
    WORKS(cuCtxGetCurrent(&now));
    HOLDS(now == context);

    /* Modules. */
    CUmodule module;
    CUfunction function;
    WORKS(cuModuleLoadData(&module, text));
    IS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "nothing"));
    WORKS(cuModuleGetFunction(&function, module, "scale"));
    WORKS(cuModuleGetGlobal(&global, &bytes, module, "factor"));
    HOLDS(bytes == 4);
    char log[500] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *option_values[] = {log, (void *)sizeof log};
    CUmodule bad;
    IS(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&bad, ".version 6.0\n.target sm_60\n.address_size 64\n.entry f()\n{ nonsense; }\n", 2, options, option_values));
    HOLDS(strstr(log, "5") != NULL);
    IS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadDataEx(&bad, "\177ELF", 2, options, option_values));
    HOLDS(strstr(log, "machine code") != NULL);
    IS(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&bad, "/nowhere.ptx"));

    /* Launches, in both ways to hand over parameters. */
    unsigned values[100];
    for (unsigned i = 0; i < 100; i++) values[i] = i;
    unsigned elements = 100;
    unsigned char which = 1;
    WORKS(cuMemAlloc(&memory, sizeof values));
    WORKS(cuMemcpyHtoD(memory, values, sizeof values));
    void *parameters[] = {&memory, &elements, &which};
    WORKS(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
    check_values(memory, 3, 20, "parameters one by one");
    struct {
        CUdeviceptr values;
        unsigned count;
        unsigned char which;
    } block = {memory, 100, 0};
    size_t block_bytes = sizeof block;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &block_bytes, CU_LAUNCH_PARAM_END};
    unsigned factor = 2;
    WORKS(cuMemcpyHtoD(memory, values, sizeof values));
    WORKS(cuMemcpyHtoD(global, &factor, sizeof factor));
    CUstream stream;
    CUevent begin, end;
    WORKS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    WORKS(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    WORKS(cuEventCreate(&end, CU_EVENT_DEFAULT));
    WORKS(cuEventRecord(begin, stream));
    WORKS(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream, NULL, extra));
    WORKS(cuLaunchHostFunc(stream, add_one, &called));
    WORKS(cuEventRecord(end, stream));
    WORKS(cuStreamSynchronize(stream));
    HOLDS(called == 1);
    float milliseconds = -1;
    WORKS(cuEventElapsedTime(&milliseconds, begin, end));
    HOLDS(milliseconds >= 0);
    check_values(memory, 2, 10, "parameters as a block");
    IS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, NULL, parameters, NULL));
    int most = 0;
    WORKS(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    HOLDS(most == 1024);

    /* Memory. */
    CUdeviceptr start;
    WORKS(cuMemGetAddressRange(&start, &bytes, memory + 40));
    HOLDS(start == memory && bytes == sizeof values);
    WORKS(cuMemsetD32(memory, 7, 100));
    check_values(memory, 0, 7, "cuMemsetD32");
    WORKS(cuMemsetD16(memory, 0x0102, 2));
    unsigned word = 0;
    WORKS(cuMemcpyDtoH(&word, memory, 4));
    HOLDS(word == 0x01020102);
    WORKS(cuMemFree(memory));
    IS(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));

    /* An array of bytes, read as numbers from 0 to 1: means of neighbours, in the middle between them. */
    const unsigned char texels[] = {0, 255, 51, 102};
    const CUDA_ARRAY_DESCRIPTOR four = {4, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUDA_ARRAY_DESCRIPTOR described;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC how;
    CUarray array;
    CUtexObject texture;
    float sampled[5][2];
    unsigned char back[4];
    WORKS(cuArrayCreate(&array, &four));
    WORKS(cuArrayGetDescriptor(&described, array));
    HOLDS(described.Width == 4 && described.Format == CU_AD_FORMAT_UNSIGNED_INT8 && described.NumChannels == 1);
    WORKS(cuMemcpyHtoA(array, 0, texels, 4));
    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    how.addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP;
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    WORKS(cuTexObjectCreate(&texture, &resource, &how, NULL));
    WORKS(cuModuleGetFunction(&function, module, "sampled"));
    WORKS(cuMemAlloc(&memory, sizeof sampled));
    void *of_texture[] = {&memory, &texture};
    WORKS(cuLaunchKernel(function, 1, 1, 1, 5, 1, 1, 0, NULL, of_texture, NULL));
    WORKS(cuMemcpyDtoH(sampled, memory, sizeof sampled));
    HOLDS(sampled[0][0] == 0 && sampled[1][0] == 0.5f && sampled[4][0] == 0.4f);
    HOLDS(sampled[2][0] == (float)((1.0 + (double)0.2f) / 2));
    unsigned width;
    memcpy(&width, &sampled[3][1], sizeof width);
    HOLDS(width == 4);
    WORKS(cuMemcpyAtoH(back, array, 1, 3));
    HOLDS(back[0] == 255 && back[2] == 102);
    IS(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH(back, array, 2, 3));
    WORKS(cuTexObjectDestroy(texture));
    WORKS(cuArrayDestroy(array));
    IS(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
    WORKS(cuMemFree(memory));

    /* Linking, and functions by name. */
    check_linking();
    check_zeros();
    CUlinkState state;
    void *image;
    WORKS(cuLinkCreate(0, NULL, NULL, &state));
    WORKS(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)text, sizeof text, "text", 0, NULL, NULL));
    WORKS(cuLinkComplete(state, &image, &bytes));
    CUmodule linked;
    WORKS(cuModuleLoadData(&linked, image));
    WORKS(cuLinkDestroy(state));
    WORKS(cuModuleUnload(linked));
    void *found = NULL;
    WORKS(cuGetProcAddress("cuMemAlloc", &found, 12000, 0));
    HOLDS(found != NULL);
    IS(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothing", &found, 12000, 0));
    CUgraph graph;
    IS(CUDA_ERROR_NOT_SUPPORTED, cuGraphCreate(&graph, 0));
    const char *said = NULL;
    WORKS(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &said));
    HOLDS(said && strcmp(said, "CUDA_ERROR_INVALID_PTX") == 0);

    /* The run-time compiler. */
    nvrtcProgram program;
    const char *headers[] = {"#define FOUR 4\n"}, *names[] = {"four.h"}, *flags[] = {"--gpu-architecture=compute_80", "-DFIVE=5", "--std=c++17"};
    WORKS(nvrtcCreateProgram(&program, "#include \"four.h\"\n#ifdef __CUDACC_RTC__\nextern \"C\" __global__ void made(int *out) { out[threadIdx.x] = FOUR * threadIdx.x + FIVE; }\n#endif",
                             "made.cu", 1, headers, names));
    WORKS(nvrtcCompileProgram(program, 3, flags));
    WORKS(nvrtcGetPTXSize(program, &bytes));
    char *ptx = malloc(bytes);
    WORKS(nvrtcGetPTX(program, ptx));
    WORKS(nvrtcDestroyProgram(&program));
    CUmodule made;
    WORKS(cuModuleLoadData(&made, ptx));
    WORKS(cuModuleGetFunction(&function, made, "made"));
    WORKS(cuMemAlloc(&memory, sizeof values));
    void *one[] = {&memory};
    WORKS(cuLaunchKernel(function, 1, 1, 1, 100, 1, 1, 0, NULL, one, NULL));
    check_values(memory, 4, 5, "what nvrtc compiled");
    free(ptx);
    WORKS(nvrtcCreateProgram(&program, "__global__ void bad() { nothing(); }", "bad.cu", 0, NULL, NULL));
    IS(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, NULL));
    WORKS(nvrtcGetProgramLogSize(program, &bytes));
    char *messages = malloc(bytes);
    WORKS(nvrtcGetProgramLog(program, messages));
    HOLDS(strstr(messages, "bad.cu:1") != NULL);
    free(messages);
    WORKS(nvrtcDestroyProgram(&program));

    WORKS(cuStreamDestroy(stream));
    WORKS(cuModuleUnload(module));
    WORKS(cuCtxDestroy(context));
    printf("%d failures\n", failures);
    return failures != 0;
}
