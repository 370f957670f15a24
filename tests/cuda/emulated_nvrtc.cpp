// emulated_nvrtc.cpp: NVRTC, with the C++ compiler of this machine in its place. Where nvcc is, it has to take each source, too.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "support/files/hash.hpp"
#include "support/subprocess.hpp"
#include "tests/cuda/emulated_cuda.hpp"
#include "tests/cuda/emulated_device.hpp"
#include "tests/cuda/emulated_races.hpp"

#define EMULATED extern "C" __attribute__((visibility("default")))

struct EmulatedProgram {
    std::string source;
    std::string name;
    std::string log;
    std::string object;
    int arch = 0;
    bool real_arch = false;
};

namespace mog_emulation {

namespace {

namespace fs = std::filesystem;

constexpr int version_major = 13;
constexpr std::array archs = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

std::vector<int> supported_archs() { return {archs.begin(), std::ranges::upper_bound(archs, read_faults().archs)}; }

/* NVRTC's options, as far as they matter to kernels that are compiled for themselves alone. */
enum class Takes { nothing, yes_or_no, number, arch, dialect, definition, anything };
struct Option {
    std::string_view name;
    std::string_view short_name;
    Takes takes;
};
constexpr Option known_options[] = {
    {"--gpu-architecture", "-arch", Takes::arch},
    {"--define-macro", "-D", Takes::definition},
    {"--undefine-macro", "-U", Takes::definition},
    {"--std", "-std", Takes::dialect},
    {"--ftz", "-ftz", Takes::yes_or_no},
    {"--prec-div", "-prec-div", Takes::yes_or_no},
    {"--prec-sqrt", "-prec-sqrt", Takes::yes_or_no},
    {"--fmad", "-fmad", Takes::yes_or_no},
    {"--maxrregcount", "-maxrregcount", Takes::number},
    {"--split-compile", "-split-compile", Takes::number},
    {"--ptxas-options", "-Xptxas", Takes::anything},
    {"--dopt", "-dopt", Takes::anything},
    {"--diag-suppress", "-diag-suppress", Takes::anything},
    {"--device-debug", "-G", Takes::nothing},
    {"--generate-line-info", "-lineinfo", Takes::nothing},
    {"--disable-warnings", "-w", Takes::nothing},
    {"--restrict", "-restrict", Takes::nothing},
    {"--device-as-default-execution-space", "-default-device", Takes::nothing},
    {"--extra-device-vectorization", "-extra-device-vectorization", Takes::nothing},
    {"--no-source-include", "-no-source-include", Takes::nothing},
    {"--minimal", "-minimal", Takes::nothing},
};

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

bool good_value(EmulatedProgram &program, Takes takes, std::string_view value) {
    switch (takes) {
        case Takes::nothing: return value.empty();
        case Takes::yes_or_no: return value == "true" || value == "false";
        case Takes::number: return is_number(value);
        case Takes::dialect: return value == "c++11" || value == "c++14" || value == "c++17" || value == "c++20";
        case Takes::arch: {
            program.real_arch = value.starts_with("sm_");
            if (!program.real_arch && !value.starts_with("compute_")) return false;
            const std::string_view digits = value.substr(value.find('_') + 1);
            const std::vector<int> supported = supported_archs();
            if (!is_number(digits)) return false;
            std::from_chars(digits.data(), digits.data() + digits.size(), program.arch);
            return std::find(supported.begin(), supported.end(), program.arch) != supported.end();
        }
        case Takes::definition:
        case Takes::anything: return !value.empty();
    }
    return false;
}

/* What the compiler is to be told for NVRTC's options. None: the log says which was bad. */
std::optional<std::vector<std::string>> translate(EmulatedProgram &program, std::vector<std::string_view> options) {
    std::vector<std::string> arguments;
    std::string dialect = "c++17";
    program.arch = 75;
    program.real_arch = false;
    for (std::size_t i = 0; i < options.size(); i++) {
        const std::string_view text = options[i];
        const Option *option = nullptr;
        std::string_view value;
        for (const Option &known : known_options)
            for (const std::string_view name : {known.name, known.short_name}) {
                const bool joined = name == "-D" || name == "-U";
                if (!text.starts_with(name)) continue;
                std::string_view rest = text.substr(name.size());
                if (!rest.empty() && rest.front() != '=' && !joined) continue;
                if (rest.empty() && known.takes != Takes::nothing && i + 1 < options.size()) rest = options[++i];
                else if (rest.starts_with('=')) rest.remove_prefix(1);
                option = &known;
                value = rest;
            }
        if (!option) {
            program.log = fmt::format("nvrtc: error: unrecognized option {} found\n", text);
            return {};
        }
        if (!good_value(program, option->takes, value)) {
            program.log = fmt::format("nvrtc: error: invalid value for {} ({})\n", option->name, option->short_name);
            return {};
        }
        if (option->takes == Takes::definition) arguments.push_back(fmt::format("{}{}", option->short_name, value));
        if (option->takes == Takes::dialect) dialect = value;
    }
    arguments.push_back("-std=" + dialect);
    return arguments;
}

std::string read_file(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/* A folder for as long as a program is compiled. */
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "mog-emulation-XXXXXX").string();
        if (mkdtemp(name.data())) path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    fs::path operator/(std::string_view name) const { return path_ / name; }

private:
    fs::path path_;
};

/* Whether a compiler takes it, and what it said. */
struct Compiled {
    bool well = false;
    std::string log;
};

Compiled run_compiler(std::string_view compiler, const std::vector<std::string> &arguments, const std::string &log) {
    // What is preloaded to watch us is not for compilers.
    mog::Command command = {"env", "-u", "LD_PRELOAD", "sh", "-c", "log=$1; shift; exec \"$@\" </dev/null >\"$log\" 2>&1", "sh", log};
    command.emplace_back(compiler);
    command.insert(command.end(), arguments.begin(), arguments.end());
    const mog::Result<int> status = mog::run_command(command);
    return {status && *status == 0, status ? read_file(log) : status.error().text()};
}

/* Runs the compiler of this machine; what it says goes to the program's log. */
bool compile(EmulatedProgram &program, const Folder &folder, const std::vector<std::string> &arguments) {
    const char *const chosen = std::getenv("MOG_CXX");
    const Compiled compiled = run_compiler(chosen && *chosen ? chosen : "c++", arguments, (folder / "log").string());
    program.log += compiled.log;
    return compiled.well;
}

/* nvcc makes PTX of the same source: so each source that any test makes goes through it. Machine code takes as long again; what its
 * assembler refuses of PTX that nvcc has made (registers, shared memory, functions that are not there) comes from the templates that all
 * programs share, so it makes that of one source in four. Under ThreadSanitizer the same sources come again. */
Compiled compile_by_nvcc(const fs::path &source, const Folder &folder, std::vector<std::string> arguments) {
    constexpr std::string_view nvcc = MOG_EMULATION_NVCC;
    if (nvcc.empty() || races::watched) return {true, {}};
    if (*MOG_EMULATION_NVCC_SOON) arguments.emplace_back(MOG_EMULATION_NVCC_SOON);
    const bool assembled = (mog::fnv1a(read_file(source)) >> 32) % 4 == 0;
    arguments.insert(arguments.end(),
                     {"-fatbin", "-gencode", fmt::format("arch=compute_90,code={}", assembled ? "[sm_90,compute_90]" : "compute_90"), "-x",
                      "cu", source.string(), "-o", (folder / "program.fatbin").string()});
    Compiled compiled = run_compiler(nvcc, arguments, (folder / "nvcc.log").string());
    if (!compiled.well) compiled.log.insert(0, "nvcc refuses what the processor's compiler takes:\n");
    return compiled;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/* What stands before `end` without the blanks there. */
std::string_view trimmed(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\n");
    return last == text.npos ? std::string_view() : text.substr(0, last + 1);
}

/* The word that a text ends with. */
std::string_view last_word(std::string_view text) {
    const auto begin = std::find_if_not(text.rbegin(), text.rend(), is_word).base();
    return {begin, text.end()};
}

/* Takes `word` from the end of what was written, where it stands there. */
bool take_last(std::string &written, std::string_view word) {
    const std::string_view kept = trimmed(written);
    if (last_word(kept) != word) return false;
    written.resize(kept.size() - word.size());
    return true;
}

/* What plain C++ has no words for, in text that was preprocessed: whose size the launch says becomes a pointer, and each kernel gets
 * a function that calls it with what cuLaunchKernel is given. */
std::string without_cuda_words(std::string_view text) {
    constexpr std::string_view shared = "__shared__", global = "__global__";
    std::string result, trampolines;
    while (!text.empty()) {
        const std::size_t at = std::min(text.find(shared), text.find(global));
        result += text.substr(0, at);
        if (at == text.npos) break;
        const bool is_shared = text.substr(at).starts_with(shared);
        text.remove_prefix(at + (is_shared ? shared : global).size());
        if (is_shared && take_last(result, "extern")) {
            const std::string_view declared = trimmed(text.substr(0, text.find('[')));
            const std::string_view name = last_word(declared);
            const std::string_view type = trimmed(declared.substr(0, declared.size() - name.size()));
            result += fmt::format("{0} *const {1} = static_cast<{0} *>(mog_emulation->lane()->shared)", type, name);
            text.remove_prefix(std::min(text.size(), text.find(']') + 1));
        } else if (is_shared) {
            take_last(result, "static");
            result += "static thread_local";
        } else {
            const std::string_view name = last_word(trimmed(text.substr(0, text.find('('))));
            trampolines += fmt::format(
                "extern \"C\" {{ extern const MogKernel mog_kernel_{0}; "
                "const MogKernel mog_kernel_{0} = mog_trampoline<{0}>; }}\n",
                name);
        }
    }
    return result + "\n" + trampolines;
}

/* What was made of each source is kept, with all that it depends on as its name: tests have the same kernels made again and again, each in
 * a folder of its own. That nvcc takes a source is seen where it comes for the first time. */
fs::path kept_object(const EmulatedProgram &program, const std::vector<std::string> &options) {
    const char *const compiler = std::getenv("MOG_CXX");
    std::string all = fmt::format("{} {} {} {} {} {}\n", __VERSION__, MOG_EMULATION_NVCC, races::watched, program.arch, program.name,
                                  compiler ? compiler : "");
    for (const std::string &option : options) all += option + "\n";
    all += read_file(MOG_EMULATION_WORDS) + program.source;
    return fs::path(MOG_EMULATION_KEPT) / fmt::format("{:016x}-{}.so", mog::fnv1a(all), all.size());
}

/* Several processes want the same kernel at the same time: one of them makes it, for as long as it has this. Where no file can be locked,
 * all of them do. */
class Turn {
public:
    explicit Turn(const fs::path &kept) {
        std::error_code ignored;
        fs::create_directories(kept.parent_path(), ignored);
        lock_ = open((kept.string() + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (lock_ >= 0) flock(lock_, LOCK_EX);
    }
    ~Turn() {
        if (lock_ >= 0) close(lock_);
    }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

private:
    int lock_ = -1;
};

/* Nobody shall see half of it, whatever ends this process. Where it cannot be kept it is made again. */
void keep(const fs::path &kept, const std::string &object) {
    const fs::path part = fmt::format("{}.{}", kept.string(), getpid());
    std::ofstream(part, std::ios::binary) << object;
    std::error_code ignored;
    fs::rename(part, kept, ignored);
}

bool make_object(EmulatedProgram &program, const std::vector<std::string> &options) {
    const fs::path kept = kept_object(program, options);
    const Turn turn(kept);
    program.object = read_file(kept);
    if (!program.object.empty()) return true;
    const Folder folder;
    const fs::path source = folder / "program.cu";
    const fs::path preprocessed = folder / "program.ii";
    const fs::path rewritten = folder / "rewritten.ii";
    const fs::path object = folder / "program.so";
    std::ofstream(source, std::ios::binary) << fmt::format("#line 1 \"{}\"\n", program.name) << program.source;
    std::future<Compiled> by_nvcc = std::async(std::launch::async, [&] { return compile_by_nvcc(source, folder, options); });
    // NVRTC looks for no header of the system's.
    std::vector<std::string> first = {"-E",
                                      "-x",
                                      "c++",
                                      "-nostdinc",
                                      "-nostdinc++",
                                      "-D__CUDACC__=1",
                                      "-D__CUDACC_RTC__=1",
                                      "-D__CUDACC_VER_MAJOR__=" + std::to_string(version_major),
                                      "-D__CUDACC_VER_MINOR__=0",
                                      fmt::format("-D__CUDA_ARCH__={}", program.arch * 10),
                                      "-include",
                                      MOG_EMULATION_WORDS};
    if (races::watched) first.emplace_back("-DMOG_EMULATION_RACES");
    first.insert(first.end(), options.begin(), options.end());
    first.insert(first.end(), {source.string(), "-o", preprocessed.string()});
    if (!compile(program, folder, first)) return false;
    std::ofstream(rewritten, std::ios::binary) << without_cuda_words(read_file(preprocessed));
    std::vector<std::string> second = {options.back()};
    if (races::watched) second.insert(second.end(), {"-fsanitize=thread", "--param", "tsan-distinguish-volatile=1", "-g1"});
    // Arithmetic as devices have it: integers wrap, and nothing is contracted that was not asked for.
    second.insert(second.end(), {"-O1", "-w", "-shared", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fwrapv", "-fno-strict-aliasing",
                                 "-Wl,-Bsymbolic", rewritten.string(), "-o", object.string()});
    if (!compile(program, folder, second)) return false;
    if (const Compiled compiled = by_nvcc.get(); !compiled.well) {
        program.log += compiled.log;
        return false;
    }
    program.object = read_file(object);
    keep(kept, program.object);
    return true;
}

std::string image(const EmulatedProgram &program, bool cubin) {
    if (program.object.empty() || (cubin && !program.real_arch)) return {};
    ImageHeader header = {{}, static_cast<std::uint32_t>(program.arch), version_major * 1000u, program.object.size()};
    std::memcpy(header.magic, cubin ? cubin_magic : ptx_magic, sizeof header.magic);
    return std::string(reinterpret_cast<const char *>(&header), sizeof header) + program.object;
}

nvrtcResult give_size(nvrtcProgram program, std::size_t *size, bool cubin) {
    if (!program || !size) return NVRTC_ERROR_INVALID_INPUT;
    if (program->object.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
    *size = image(*program, cubin).size();
    return NVRTC_SUCCESS;
}

nvrtcResult give_image(nvrtcProgram program, char *to, bool cubin) {
    if (!program || !to) return NVRTC_ERROR_INVALID_INPUT;
    const std::string bytes = image(*program, cubin);
    if (bytes.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
    std::memcpy(to, bytes.data(), bytes.size());
    return NVRTC_SUCCESS;
}

}  // namespace

}  // namespace mog_emulation

using namespace mog_emulation;

EMULATED const char *nvrtcGetErrorString(nvrtcResult result) {
    switch (result) {
        case NVRTC_SUCCESS: return "NVRTC_SUCCESS";
        case NVRTC_ERROR_INVALID_INPUT: return "NVRTC_ERROR_INVALID_INPUT";
        case NVRTC_ERROR_INVALID_PROGRAM: return "NVRTC_ERROR_INVALID_PROGRAM";
        case NVRTC_ERROR_INVALID_OPTION: return "NVRTC_ERROR_INVALID_OPTION";
        case NVRTC_ERROR_COMPILATION: return "NVRTC_ERROR_COMPILATION";
    }
    return "NVRTC_ERROR unknown";
}

EMULATED nvrtcResult nvrtcVersion(int *major, int *minor) {
    *major = version_major;
    *minor = 0;
    return NVRTC_SUCCESS;
}

EMULATED nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    *count = static_cast<int>(supported_archs().size());
    return NVRTC_SUCCESS;
}

EMULATED nvrtcResult nvrtcGetSupportedArchs(int *to) {
    std::ranges::copy(supported_archs(), to);
    return NVRTC_SUCCESS;
}

EMULATED nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count, const char *const *,
                                        const char *const *) {
    // MOG's kernels need no headers.
    if (!program || !source || header_count != 0) return NVRTC_ERROR_INVALID_INPUT;
    *program = new EmulatedProgram{source, name && *name ? name : "default_program", {}, {}};
    return NVRTC_SUCCESS;
}

EMULATED nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
    delete *program;
    *program = nullptr;
    return NVRTC_SUCCESS;
}

EMULATED nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    program->log.clear();
    program->object.clear();
    const std::optional<std::vector<std::string>> arguments = translate(*program, {options, options + count});
    if (!arguments) return NVRTC_ERROR_INVALID_OPTION;
    if (read_faults().compile_fails) program->log = program->name + "(1): error: the emulation was told to fail\n";
    else if (make_object(*program, *arguments)) return NVRTC_SUCCESS;
    return NVRTC_ERROR_COMPILATION;
}

EMULATED nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t *size) {
    if (!program || !size) return NVRTC_ERROR_INVALID_INPUT;
    *size = program->log.size() + 1;
    return NVRTC_SUCCESS;
}

EMULATED nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
    if (!program || !log) return NVRTC_ERROR_INVALID_INPUT;
    std::memcpy(log, program->log.c_str(), program->log.size() + 1);
    return NVRTC_SUCCESS;
}

EMULATED nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t *size) { return give_size(program, size, true); }
EMULATED nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) { return give_image(program, cubin, true); }
EMULATED nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t *size) { return give_size(program, size, false); }
EMULATED nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) { return give_image(program, ptx, false); }
