// command_line.cpp: what each word means, once from left to right.
#include "mogcc/cuda/command_line.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace mog::cuda_driver {

namespace {

using std::string_view;

struct RunOption {
    string_view spelling, argument, variable, value, help;
};
constexpr RunOption run_options[] = {
#define RUN(spelling, argument, variable, value, help) {spelling, argument, variable, value, help},
#include "mogcc/cuda/options.def"
};
struct CompileOption {
    string_view spelling, argument, help;
};
constexpr CompileOption compile_options[] = {
#define COMPILE(spelling, argument, help) {spelling, argument, help},
#include "mogcc/cuda/options.def"
};

// clang's options whose argument is the next word.
constexpr string_view takes_next_word[] = {"-I", "-D", "-U",       "-include", "-isystem", "-iquote", "-idirafter",
                                           "-L", "-l", "-Xlinker", "-Xclang",  "-MF",      "-MT",     "-MQ",
                                           "-u", "-z", "-T",       "-B",       "-target",  "-mllvm"};
// Those that speak to the linker.
constexpr string_view of_the_linker[] = {"-L", "-l", "-Xlinker", "-u", "-z", "-T"};

// nvcc's options that say nothing here, alone and with a word.
constexpr string_view ignored[] = {"--expt-relaxed-constexpr",
                                   "-expt-relaxed-constexpr",
                                   "--expt-extended-lambda",
                                   "-expt-extended-lambda",
                                   "--extended-lambda",
                                   "-extended-lambda",
                                   "-lineinfo",
                                   "--generate-line-info",
                                   "-m64",
                                   "--restrict",
                                   "-restrict",
                                   "-dopt=on",
                                   "-G",
                                   "--device-debug",
                                   "-rdc=false",
                                   "--relocatable-device-code=false",
                                   "-lcudart",
                                   "-lcudadevrt",
                                   "-lcudart_static",
                                   "-lcuda",
                                   "-Wno-deprecated-gpu-targets"};
constexpr string_view ignored_with_word[] = {"-Xptxas",        "--ptxas-options", "-ccbin",   "--compiler-bindir", "-maxrregcount",
                                             "--maxrregcount", "-cudart",         "--cudart", "--threads",         "-Xnvlink",
                                             "-diag-suppress", "--diag-suppress", "-Xcudafe"};

// Libraries of NVIDIA that have kernels inside.
constexpr string_view not_there[] = {"cublas", "cublasLt", "cufft", "curand", "cusolver",   "cusparse",
                                     "cudnn",  "nccl",     "nvrtc", "cupti",  "nvToolsExt", "npp"};

bool is_one_of(string_view word, auto &list) { return std::find(std::begin(list), std::end(list), word) != std::end(list); }

bool begins_with(string_view word, string_view beginning) { return word.substr(0, beginning.size()) == beginning; }

bool is_cuda_source(string_view word) {
    const std::string extension = std::filesystem::path(word).extension();
    return extension == ".cu";
}

/// A program of this machine, or a library: not an object to be linked.
bool is_program(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    Elf64_Ehdr header;
    if (!file.read(reinterpret_cast<char *>(&header), sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (header.e_type == ET_EXEC) return true;
    if (header.e_type != ET_DYN) return false;
    // A program has somebody to load it, a library does not.
    file.seekg(static_cast<std::streamoff>(header.e_phoff));
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        if (!file.read(reinterpret_cast<char *>(&segment), sizeof segment)) return false;
        if (segment.p_type == PT_INTERP) return true;
    }
    return false;
}

/// "sm_70" of what nvcc is told to compile for: sm_70, compute_70, arch=compute_70,code=sm_70.
std::string architecture(string_view text) {
    const std::size_t at = text.find_first_of("0123456789");
    if (at == string_view::npos) return "";
    return fmt::format("sm_{}", text.substr(at, text.find_first_not_of("0123456789", at) - at));
}

Result<CommandLine> parse_run(const std::vector<std::string> &arguments, std::size_t at) {
    CommandLine line;
    line.wanted = Wanted::run;
    for (; at < arguments.size() && begins_with(arguments[at], "-"); at++) {
        const string_view word = arguments[at];
        const std::size_t equals = word.find('=');
        const string_view name = word.substr(0, equals);
        const auto option =
            std::find_if(std::begin(run_options), std::end(run_options), [name](const RunOption &o) { return o.spelling == name; });
        if (option == std::end(run_options)) return Error{fmt::format("{}: there is no such option of runs; see mogcuda --help", word)};
        std::string value(option->value);
        if (equals != string_view::npos) {
            value = word.substr(equals + 1);
        } else if (value.empty()) {
            if (at + 1 == arguments.size()) return Error{fmt::format("{} wants {}", name, option->argument)};
            value = arguments[++at];
        }
        line.variables.emplace_back(option->variable, std::move(value));
    }
    if (at == arguments.size()) return Error{"there is no program to run"};
    line.program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(at), arguments.end());
    return line;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string> &arguments) {
    if (!arguments.empty() && arguments[0] == "run") return parse_run(arguments, 1);
    // Options of runs may stand before a program without the word.
    std::size_t first = 0;
    while (first < arguments.size() && begins_with(arguments[first], "-")) {
        const string_view name = string_view(arguments[first]).substr(0, arguments[first].find('='));
        if (std::none_of(std::begin(run_options), std::end(run_options), [name](const RunOption &o) { return o.spelling == name; })) break;
        first += (name == "--threads" || name == "--meeting" || name == "--engine") && name == arguments[first] ? 2 : 1;
    }
    if (first < arguments.size() && !begins_with(arguments[first], "-") && is_program(arguments[first])) return parse_run(arguments, 0);

    CommandLine line;
    bool inputs = false, sees_cuda = false;
    std::string relocatable;
    for (std::size_t i = 0; i < arguments.size(); i++) {
        const std::string &word = arguments[i];
        const auto argument = [&](string_view name) -> Result<std::string> {
            if (word.size() > name.size() && word[name.size()] == '=') return word.substr(name.size() + 1);
            if (i + 1 == arguments.size()) return Error{fmt::format("{} wants an argument", name)};
            return arguments[++i];
        };
        const auto is = [&word](string_view name) {
            return word == name || (begins_with(word, name) && word.size() > name.size() && word[name.size()] == '=');
        };
        if (word == "--help" || word == "-h") {
            line.wanted = Wanted::help;
            return line;
        } else if (word == "--version") {
            line.wanted = Wanted::version;
            return line;
        } else if (word == "--list-gpu-arch" || word == "--list-gpu-code") {
            line.wanted = word == "--list-gpu-arch" ? Wanted::architectures : Wanted::machine_code;
            return line;
        } else if (word == "-###") line.print_only = true;
        else if (word == "-v" || word == "--verbose") line.verbose = true;
        else if (word == "-c" || word == "--compile" || word == "-dc") line.links = false;
        else if (word == "--ptx" || word == "-ptx") line.to_ptx = true;
        else if (word == "--save-temps" || word == "-save-temps" || word == "--keep" || word == "-keep") line.save_temps = true;
        else if (word == "-o" || is("--output-file")) {
            Result<std::string> file = argument(word == "-o" ? "-o" : "--output-file");
            if (!file) return file.error();
            line.output = *file;
        } else if (is("--arch") || is("-arch") || is("--gpu-architecture") || is("-gencode") || is("--generate-code") ||
                   is("--cuda-gpu-arch") || is("--offload-arch")) {
            Result<std::string> given = argument(word.substr(0, word.find('=')));
            if (!given) return given.error();
            line.arch = architecture(*given);
            if (line.arch.empty()) line.arch = "sm_80";  // native, all-major
            const std::string newest = fmt::format("sm_{}", architectures.back());
            if (line.arch.size() > newest.size() || line.arch > newest) line.arch = newest;
        } else if (is("-rdc") || is("--relocatable-device-code") || word == "-dlink") {
            if (word.ends_with("=false")) continue;
            relocatable = word;
            line.device_only.emplace_back("-fgpu-rdc");
        } else if (word == "-use_fast_math" || word == "--use_fast_math") {
            for (const char *fast : {"-ffast-math", "-fcuda-approx-transcendentals", "-fgpu-flush-denormals-to-zero"})
                line.device_only.emplace_back(fast);
        } else if (is("-fmad") || is("--fmad")) {
            line.contracts = !word.ends_with("false");
        } else if (is("-Xcompiler") || is("--compiler-options")) {
            Result<std::string> given = argument(word.substr(0, word.find('=')));
            if (!given) return given.error();
            for (std::size_t at = 0; at <= given->size();) {
                const std::size_t comma = std::min(given->find(',', at), given->size());
                line.compiling.push_back(given->substr(at, comma - at));
                at = comma + 1;
            }
        } else if (is_one_of(word, ignored)) {
            continue;
        } else if (is_one_of(string_view(word).substr(0, word.find('=')), ignored_with_word)) {
            if (word.find('=') == std::string::npos) i++;
        } else if (word == "-x" && i + 1 < arguments.size()) {
            sees_cuda = arguments[++i] == "cu" || arguments[i] == "cuda";
            if (!sees_cuda && arguments[i] != "none")
                return Error{
                    fmt::format("-x {}: mogcuda compiles CUDA C++ by this option; other languages by their files' names", arguments[i])};
        } else if (begins_with(word, "-l")) {
            string_view library = string_view(word).substr(2);
            if (library.empty() && i + 1 < arguments.size()) library = arguments[++i];
            if (is_one_of(library, not_there))
                return Error{
                    fmt::format("-l{}: this library of NVIDIA's has kernels as machine code for its GPUs, which cannot run here", library)};
            line.others.push_back(fmt::format("-l{}", library));
        } else if (is_one_of(word, takes_next_word)) {
            if (i + 1 == arguments.size()) return Error{fmt::format("{} wants an argument", word)};
            auto &list = is_one_of(word, of_the_linker) ? line.others : line.compiling;
            list.push_back(word);
            list.push_back(arguments[++i]);
        } else if (begins_with(word, "-L") || begins_with(word, "-Wl,") || word == "-shared" || word == "-static" || word == "-rdynamic") {
            line.others.push_back(word);
        } else if (word == "-pthread" || word == "-fopenmp") {
            line.compiling.push_back(word);
            line.others.push_back(word);
        } else if (begins_with(word, "-") && word != "-") {
            line.compiling.push_back(word);
        } else {
            inputs = true;
            if (is_cuda_source(word) || sees_cuda) {
                line.sources.push_back(word);
                line.others.emplace_back();
            } else {
                line.others.push_back(word);
            }
        }
    }
    // Who has the PTX may link it, by the driver API.
    if (!relocatable.empty() && !line.to_ptx)
        return Error{fmt::format(
            "{}: kernels of one source cannot call functions of another: put them into one source, by #include if need be", relocatable)};
    if (!inputs) return Error{"there is neither a source nor a program; see mogcuda --help"};
    if ((line.to_ptx || !line.links) && line.sources.size() > 1 && !line.output.empty())
        return Error{"-o with several sources and without linking"};
    if (line.to_ptx && line.sources.empty()) return Error{"--ptx: there is no source in CUDA C++ (.cu)"};
    return line;
}

std::string help_text() {
    std::string text =
        "mogcuda [options] SOURCE.cu... [-o PROGRAM]\n"
        "mogcuda [run] [options] PROGRAM [arguments]\n\n"
        "Compiles CUDA C++ with clang, without anything of NVIDIA's, to a program whose kernels run on this machine's cores; and runs "
        "programs, also those that\n"
        "nvcc linked with -cudart shared. Options are clang's; those of nvcc that builds are full of are understood. Of its own:\n\n";
    const auto row = [&text](string_view spelling, string_view argument, string_view help) {
        const std::string name = fmt::format("{}{}{}", spelling, argument.empty() || argument[0] == '[' ? "" : " ", argument);
        text += fmt::format("  {:<18} {}\n", name, help);
    };
    for (const CompileOption &option : compile_options) row(option.spelling, option.argument, option.help);
    text += "\nOf runs, each with the variable that does the same for a program that is started by itself:\n\n";
    for (const RunOption &option : run_options) row(option.spelling, option.argument, fmt::format("{} ({})", option.help, option.variable));
    text +=
        "\nVariables: MOG_CLANG, clang++ (default: clang++ from PATH); MOGCUDA_HOME, the folder with include/ and lib/ (default: beside "
        "mogcuda).\n\n"
        "  mogcuda -O2 saxpy.cu -o saxpy && ./saxpy\n"
        "  mogcuda --check ./saxpy\n";
    return text;
}

}  // namespace mog::cuda_driver
