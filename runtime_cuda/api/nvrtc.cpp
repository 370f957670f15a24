// nvrtc.cpp: CUDA's run-time compiler by way of `mogcuda --ptx`, which is looked for beside this library.
#include "runtime_cuda/include/nvrtc.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "runtime_cuda/library/device.hpp"
#include "runtime_cuda/library/exported.hpp"
#include "support/subprocess.hpp"

namespace fs = std::filesystem;

struct _nvrtcProgram {
    std::string source, name;
    std::vector<std::pair<std::string, std::string>> headers;  // name, text
    std::string ptx, log;
};

namespace {

// What clang compiles for, up to our device.
constexpr int architectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80};

/// A folder that goes when the compilation is over.
struct Folder {
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "mogcuda-XXXXXX").string();
        if (mkdtemp(pattern.data())) path = pattern;
    }
    Folder(const Folder &) = delete;
    ~Folder() {
        std::error_code ignored;
        if (!path.empty()) fs::remove_all(path, ignored);
    }
    fs::path path;
};

std::string read(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool write(const fs::path &path, const std::string &text) {
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    return static_cast<bool>(std::ofstream(path, std::ios::binary) << text << std::flush);
}

/// <prefix>/lib/libmogcuda.so has <prefix>/bin/mogcuda.
std::string compiler() {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&nvrtcVersion), &info)) return "mogcuda";
    std::error_code ignored;
    const fs::path beside = fs::canonical(info.dli_fname, ignored).parent_path().parent_path() / "bin/mogcuda";
    return fs::exists(beside, ignored) ? beside.string() : "mogcuda";
}

nvrtcResult give(const std::string &text, std::size_t *bytes) {
    if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
    *bytes = text.size() + 1;
    return NVRTC_SUCCESS;
}
nvrtcResult give(const std::string &text, char *to) {
    if (!to) return NVRTC_ERROR_INVALID_INPUT;
    std::memcpy(to, text.c_str(), text.size() + 1);
    return NVRTC_SUCCESS;
}
nvrtcResult give_ptx(nvrtcProgram program, auto *to) {
    if (!program || program->ptx.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
    return give(program->ptx, to);
}

}  // namespace

MOG_EXPORTED const char *nvrtcGetErrorString(nvrtcResult result) {
    switch (result) {
        case NVRTC_SUCCESS: return "NVRTC_SUCCESS";
        case NVRTC_ERROR_OUT_OF_MEMORY: return "NVRTC_ERROR_OUT_OF_MEMORY";
        case NVRTC_ERROR_PROGRAM_CREATION_FAILURE: return "NVRTC_ERROR_PROGRAM_CREATION_FAILURE";
        case NVRTC_ERROR_INVALID_INPUT: return "NVRTC_ERROR_INVALID_INPUT";
        case NVRTC_ERROR_INVALID_PROGRAM: return "NVRTC_ERROR_INVALID_PROGRAM";
        case NVRTC_ERROR_INVALID_OPTION: return "NVRTC_ERROR_INVALID_OPTION";
        case NVRTC_ERROR_COMPILATION: return "NVRTC_ERROR_COMPILATION";
        case NVRTC_ERROR_BUILTIN_OPERATION_FAILURE: return "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
        case NVRTC_ERROR_INTERNAL_ERROR: return "NVRTC_ERROR_INTERNAL_ERROR";
    }
    return "NVRTC_ERROR unknown";
}
MOG_EXPORTED nvrtcResult nvrtcVersion(int *major, int *minor) {
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = mog::cuda::runtime_version / 1000;
    *minor = mog::cuda::runtime_version % 1000 / 10;
    return NVRTC_SUCCESS;
}
MOG_EXPORTED nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    if (!count) return NVRTC_ERROR_INVALID_INPUT;
    *count = static_cast<int>(std::size(architectures));
    return NVRTC_SUCCESS;
}
MOG_EXPORTED nvrtcResult nvrtcGetSupportedArchs(int *archs) {
    if (!archs) return NVRTC_ERROR_INVALID_INPUT;
    std::ranges::copy(architectures, archs);
    return NVRTC_SUCCESS;
}

MOG_EXPORTED nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
                                            const char *const *texts, const char *const *names) {
    if (!program || !source || headers < 0 || (headers && (!texts || !names))) return NVRTC_ERROR_INVALID_INPUT;
    *program = new _nvrtcProgram{source, name && *name ? name : "default_program", {}, {}, {}};
    for (int i = 0; i < headers; i++) (*program)->headers.emplace_back(names[i], texts[i]);
    return NVRTC_SUCCESS;
}
MOG_EXPORTED nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
    delete std::exchange(*program, nullptr);
    return NVRTC_SUCCESS;
}
MOG_EXPORTED nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    program->ptx.clear();
    program->log.clear();
    const Folder folder;
    if (folder.path.empty()) return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    const fs::path source = folder.path / "source.cu", log = folder.path / "log", ptx = folder.path / "out.ptx";
    // Messages name the program as its user does.
    if (!write(source, "#line 1 \"" + program->name + "\"\n" + program->source)) return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    for (const auto &[name, text] : program->headers)
        if (!write(folder.path / "headers" / name, text)) return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    mog::Command command = {"/bin/sh",
                            "-c",
                            "log=$1; shift; exec \"$@\" 2>\"$log\"",
                            "sh",
                            log,
                            compiler(),
                            "--ptx",
                            "-D__CUDACC_RTC__",
                            "-I",
                            folder.path / "headers"};
    for (int i = 0; i < count; i++) command.emplace_back(options[i]);
    command.insert(command.end(), {source, "-o", ptx});
    const mog::Result<int> status = mog::run_command(command);
    program->log = read(log);
    if (!status) {
        program->log += status.error().text();
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    if (*status == 2) return NVRTC_ERROR_INVALID_OPTION;
    if (*status != 0) return NVRTC_ERROR_COMPILATION;
    program->ptx = read(ptx);
    return program->ptx.empty() ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
}

MOG_EXPORTED nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t *bytes) { return give_ptx(program, bytes); }
MOG_EXPORTED nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) { return give_ptx(program, ptx); }
MOG_EXPORTED nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t *bytes) { return give_ptx(program, bytes); }
MOG_EXPORTED nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code) { return give_ptx(program, code); }
MOG_EXPORTED nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t *bytes) {
    return program ? give(program->log, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}
MOG_EXPORTED nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
    return program ? give(program->log, log) : NVRTC_ERROR_INVALID_PROGRAM;
}
