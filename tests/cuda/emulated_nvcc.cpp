// emulated_nvcc.cpp: nvcc as mogcc calls it, with the emulated NVRTC in its place: what it makes is for the emulated driver.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cuda/emulated_cuda.hpp"

namespace {

int list(const char *prefix) {
    int count = 0;
    nvrtcGetNumSupportedArchs(&count);
    std::vector<int> archs(static_cast<std::size_t>(count));
    nvrtcGetSupportedArchs(archs.data());
    for (const int arch : archs) std::printf("%s_%d\n", prefix, arch);
    return 0;
}

int refuse(std::string_view word) {
    std::fprintf(stderr, "nvcc fatal   : %.*s\n", static_cast<int>(word.size()), word.data());
    return 1;
}

}  // namespace

int main(int argc, char **argv) {
    bool cubin = false, ptx = false;
    std::string source_name, result_name;
    std::vector<const char *> options;
    for (int i = 1; i < argc; i++) {
        const std::string_view word = argv[i];
        if (word == "--list-gpu-code") return list("sm");
        if (word == "--list-gpu-arch") return list("compute");
        if (word == "-cubin") cubin = true;
        else if (word == "-ptx") ptx = true;
        else if (word == "-o" && i + 1 < argc) result_name = argv[++i];
        else if (word == "-x" && i + 1 < argc && argv[i + 1] == std::string_view("cu")) i++;
        else if (word == "-O3") continue;
        else if (word.starts_with("-")) options.push_back(argv[i]);
        else source_name = word;
    }
    if (cubin == ptx || source_name.empty() || result_name.empty()) return refuse("not a command line that is emulated");
    std::ifstream file(source_name, std::ios::binary);
    const std::string source(std::istreambuf_iterator<char>(file), {});
    nvrtcProgram program = nullptr;
    nvrtcCreateProgram(&program, source.c_str(), source_name.c_str(), 0, nullptr, nullptr);
    if (nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data()) != NVRTC_SUCCESS) {
        std::size_t size = 0;
        nvrtcGetProgramLogSize(program, &size);
        std::string log(size, '\0');
        nvrtcGetProgramLog(program, log.data());
        return refuse(log);
    }
    std::size_t size = 0;
    if ((cubin ? nvrtcGetCUBINSize : nvrtcGetPTXSize)(program, &size) != NVRTC_SUCCESS) return refuse("no code");
    std::string code(size, '\0');
    if ((cubin ? nvrtcGetCUBIN : nvrtcGetPTX)(program, code.data()) != NVRTC_SUCCESS) return refuse("no code");
    return std::ofstream(result_name, std::ios::binary).write(code.data(), static_cast<std::streamsize>(code.size())) ? 0 : 1;
}
