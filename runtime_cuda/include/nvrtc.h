/* nvrtc.h: CUDA's run-time compiler, for which libmogcuda calls clang. What it calls machine code is PTX too. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers, const char *const *texts,
                               const char *const *names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);

#ifdef __cplusplus
}
#endif
