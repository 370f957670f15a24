// compile.cpp: each source is compiled twice: its kernels to PTX, and the rest for this machine with that PTX inside.
//
// clang puts what it is given by -fcuda-include-gpubinary into the object and has the program register it with the runtime; where others
// give it machine code in a container, we give it the PTX, which libmogcuda reads.
#include "mogcc/cuda/compile.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "support/environment.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/say.hpp"
#include "support/subprocess.hpp"

namespace mog::cuda_driver {

namespace fs = std::filesystem;

namespace {

/// Runs a command, or shows it. The exit status.
Result<int> run(const CommandLine &line, const Command &command) {
    if (line.print_only || line.verbose) say("{}\n", quote(command));
    return line.print_only ? 0 : run_command(command);
}

/// What both compilations of a source have in common.
Command common(const CommandLine &line, const Tools &tools) {
    Command command = {tools.clang, "-x", "cuda", "--cuda-gpu-arch=" + line.arch, "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version"};
    // Which protocol of launches and registration clang's code follows: that of CUDA 11.
    for (const char *word : {"-Xclang", "-target-sdk-version=11.5"}) command.emplace_back(word);
    for (const fs::path &folder : {tools.include / "std", tools.include}) command.insert(command.end(), {"-isystem", folder});
    command.insert(command.end(), {"-include", tools.include / "cuda_runtime.h"});
    const auto chooses = [&line](std::string_view beginning) {
        return std::any_of(line.compiling.begin(), line.compiling.end(),
                           [beginning](const std::string &word) { return word.starts_with(beginning); });
    };
    if (!chooses("-std")) command.emplace_back("-std=c++17");
    command.insert(command.end(), line.compiling.begin(), line.compiling.end());
    return command;
}

Command device_command(const CommandLine &line, const Tools &tools, const std::string &source, const fs::path &ptx) {
    Command command = common(line, tools);
    // Kernels are optimised in any case: without that clang leaves calls of functions that are to be a part of their callers.
    if (std::none_of(line.compiling.begin(), line.compiling.end(),
                     [](const std::string &word) { return word.starts_with("-O") && word != "-O0"; }))
        command.emplace_back("-O2");
    const std::string contraction = line.contracts ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off";
    // Versions of PTX that clang knows for the architecture's time; lines of the source, for messages.
    for (const std::string &word : {std::string("-target-feature"), std::string("+ptx75"), contraction})
        command.insert(command.end(), {"-Xclang", word});
    if (!line.contracts) command.emplace_back("-DMOG_CUDA_NO_CONTRACTION");
    command.emplace_back("-gline-directives-only");
    command.insert(command.end(), line.device_only.begin(), line.device_only.end());
    command.insert(command.end(), {"--cuda-device-only", "-S", source, "-o", ptx});
    return command;
}

Command host_command(const CommandLine &line, const Tools &tools, const std::string &source, const fs::path &ptx, const fs::path &object) {
    Command command = common(line, tools);
    command.insert(command.end(), {"--cuda-host-only", "-c", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx, source, "-o", object});
    return command;
}

Command link_command(const CommandLine &line, const Tools &tools, const std::vector<fs::path> &objects, const std::string &output) {
    Command command = {tools.clang, "-o", output};
    auto object = objects.begin();
    for (const std::string &word : line.others) command.push_back(word.empty() ? (object++)->string() : word);
    command.insert(command.end(), {"-L" + tools.lib.string(), "-lmogcuda", "-Wl,-rpath," + tools.lib.string()});
    return command;
}

/// What a source becomes without linking: its name with another end, here.
fs::path beside(const std::string &source, const char *extension) { return fs::path(source).stem().string() + extension; }

}  // namespace

Result<Tools> find_tools() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) return Error{fmt::format("cannot find out where mogcuda is: /proc/self/exe: {}", error.message())};
    const fs::path prefix = self.parent_path().parent_path();
    Tools tools;
    tools.clang = environment_variable("MOG_CLANG", "clang++");
    const std::string home = environment_variable("MOGCUDA_HOME");
    if (!home.empty()) {
        tools.include = fs::path(home) / "include", tools.lib = fs::path(home) / "lib";
    } else {
        // <build>/bin/mogcuda has <build>/cuda/include and <build>/lib; <prefix>/bin/mogcuda has <prefix>/lib/mog/cuda/include.
        tools.lib = prefix / MOG_INSTALLED_LIB;
        tools.include = tools.lib / "mog/cuda/include";
        if (!fs::exists(tools.include, error)) tools.include = prefix / "cuda/include", tools.lib = prefix / "lib";
    }
    if (!fs::exists(tools.include / "cuda_runtime.h", error))
        return Error{
            fmt::format("{} holds no headers for CUDA; name the folder of include/ and lib/ in MOGCUDA_HOME", tools.include.string())};
    if (!program_exists(tools.clang))
        return Error{fmt::format("{} is not here; on Debian: apt-get install clang (or name another in MOG_CLANG)", tools.clang)};
    return tools;
}

Result<int> compile(const CommandLine &line, const Tools &tools) {
    std::vector<fs::path> objects;
    for (std::size_t i = 0; i < line.sources.size(); i++) {
        const std::string &source = line.sources[i];
        fs::path ptx, object;
        if (line.to_ptx) {
            ptx = line.output.empty() ? beside(source, ".ptx") : fs::path(line.output);
        } else if (line.save_temps) {
            ptx = beside(source, ".ptx");
        } else {
            Result<fs::path> made = temporary_file(fmt::format("{}.ptx", i));
            if (!made) return made.error();
            ptx = *made;
        }
        Result<int> status = run(line, device_command(line, tools, source, ptx));
        if (!status || *status != 0) return status;
        if (line.to_ptx) continue;
        if (line.links) {
            Result<fs::path> made = temporary_file(fmt::format("{}.o", i));
            if (!made) return made.error();
            object = *made;
        } else {
            object = line.output.empty() ? beside(source, ".o") : fs::path(line.output);
        }
        status = run(line, host_command(line, tools, source, ptx, object));
        if (!status || *status != 0) return status;
        objects.push_back(object);
    }
    if (line.to_ptx) return 0;
    if (line.links) return run(line, link_command(line, tools, objects, line.output.empty() ? "a.out" : line.output));
    // Other sources are clang's affair, one by one.
    for (const std::string &other : line.others) {
        if (other.empty() || other.starts_with("-")) continue;
        Command command = {
            tools.clang, "-isystem", tools.include, "-c", other, "-o", line.output.empty() ? beside(other, ".o").string() : line.output};
        command.insert(command.end(), line.compiling.begin(), line.compiling.end());
        Result<int> status = run(line, command);
        if (!status || *status != 0) return status;
    }
    return 0;
}

}  // namespace mog::cuda_driver
