// run_program.cpp: what a program wants of CUDA, and how it gets that.
#include "mogcc/cuda/run_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "support/environment.hpp"
#include "support/files/temporary.hpp"
#include "support/subprocess.hpp"

namespace mog::cuda_driver {

namespace fs = std::filesystem;

namespace {

/// What the file's bytes say of it: names of libraries, functions and sections stand in them as text.
struct Contents {
    bool shared_runtime, our_runtime, registers, unpublished;
};

Contents look_at(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto has = [&bytes](std::string_view text) { return bytes.find(text) != std::string::npos; };
    return {has("libcudart.so."), has("libmogcuda.so"), has("__cudaRegisterFatBinary"), has("__cudaGetKernel")};
}

/// cuobjdump of the user's toolkit takes the PTX of a program into a folder of ours.
Result<fs::path> extract_ptx(const std::string &program) {
    std::string cuobjdump = "cuobjdump";
    for (const std::string &folder : cuda_toolkit_folders())
        if (!program_exists(cuobjdump)) cuobjdump = folder + "/bin/cuobjdump";
    if (!program_exists(cuobjdump))
        return Error{fmt::format(
            "{} was compiled by nvcc: taking its PTX out wants cuobjdump of the CUDA Toolkit (PATH or CUDA_HOME), which is not here",
            program)};
    Result<fs::path> folder = temporary_file("ptx");
    if (!folder) return folder.error();
    std::error_code error;
    fs::create_directories(*folder, error);
    const std::string full = fs::absolute(program, error);
    Result<std::string> said =
        capture_command({"/bin/sh", "-c", "cd \"$1\" && exec \"$2\" -xptx all \"$3\"", "sh", *folder, cuobjdump, full});
    if (!said) return said.error();
    if (fs::is_empty(*folder, error))
        return Error{fmt::format(
            "{} holds machine code alone, without PTX: compile with nvcc -gencode arch=compute_80,code=compute_80, or with mogcuda",
            program)};
    return *folder;
}

}  // namespace

Result<int> run_program(const CommandLine &line, const fs::path &lib) {
    const std::string &program = line.program[0];
    const Contents contents = look_at(program);
    for (const auto &[variable, value] : line.variables) setenv(variable.c_str(), value.c_str(), 1);
    const std::string before = environment_variable("LD_LIBRARY_PATH");
    // The folder with our libraries under CUDA's names, which only programs that are started here see.
    const std::string names = (lib / "mog/cuda").string();
    setenv("LD_LIBRARY_PATH", before.empty() ? names.c_str() : fmt::format("{}:{}", names, before).c_str(), 1);
    if (contents.registers && !contents.our_runtime) {
        if (!contents.shared_runtime)
            return Error{
                fmt::format("{} has NVIDIA's runtime inside, which only works with NVIDIA's driver: relink with -cudart shared, or compile "
                            "with mogcuda",
                            program)};
        if (contents.unpublished)
            return Error{fmt::format(
                "{} was compiled by nvcc 13 or newer, whose programs call functions that are published nowhere: compile it with mogcuda",
                program)};
        Result<fs::path> folder = extract_ptx(program);
        if (!folder) return folder.error();
        setenv("MOGCUDA_PTX", folder->c_str(), 1);
        // Its files are wanted while it runs, so we wait.
        return run_command(line.program);
    }
    std::vector<char *> words;
    for (const std::string &word : line.program) words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    return Error{fmt::format("cannot start {}: {}", program, std::strerror(errno))};
}

}  // namespace mog::cuda_driver
