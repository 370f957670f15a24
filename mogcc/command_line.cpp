// command_line.cpp: goes through the words once, left to right.
#include "mogcc/command_line.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "assembler/order_options.hpp"
#include "mogcc/other_machines.hpp"
#include "mogcc/toolchain.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

using std::string_view;
using namespace std::string_view_literals;

enum class OwnOption {
#define OPTION(name, spelling, argument, help) name,
#include "mogcc/options.def"
};

struct OwnOptionRow {
    OwnOption option;
    string_view spelling, argument, help;
};

constexpr OwnOptionRow own_options[] = {
#define OPTION(name, spelling, argument, help) {OwnOption::name, spelling, argument, help},
#include "mogcc/options.def"
};

// gcc's options whose argument is, or may be, the next word. Without this list `-include x.c` would look like an input.
// (An argument in the same word, as in -Idir, makes a different word, which is not in the list.)
// clang-format off
constexpr string_view takes_next_word[] = {
    "--param",     "-A",           "-B",           "-D",        "-G",              "-I",          "-L",
    "-MF",         "-MQ",          "-MT",          "-T",        "-U",              "-Xassembler", "-Xlinker",
    "-Xpreprocessor", "-aux-info", "-dumpbase",    "-dumpbase-ext", "-dumpdir",    "-e",          "-h",
    "-idirafter",  "-imacros",     "-imultilib",   "-include",  "-iprefix",        "-iquote",     "-isysroot",
    "-isystem",    "-iwithprefix", "-iwithprefixbefore", "-l",  "-u",              "-wrapper",    "-x",
    "-z",          "-specs",       "--sysroot",
};
// clang-format on

// Options that make gcc stop before it links.
constexpr string_view stops_early[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"};

// There is one address space and nothing is ever shared or moved, so these say nothing here; makefiles are full of them.
constexpr string_view meaningless[] = {"-fPIC", "-fpic", "-fPIE", "-fpie", "-pie", "-static-pie", "-rdynamic", "-mabicalls", "-mshared"};

constexpr string_view no_gcov =
    "gcov has no library for PEs; mogrun --profile-report=FILE.html shows what lines take, --profile counts what is executed";

// Questions that gcc answers without looking at inputs.
constexpr string_view questions[] = {"-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs", "--target-help"};

// Of the linker's options those that throw relocations and symbols away, which MOG needs.
constexpr string_view linker_strips[] = {"-s", "--strip-all", "-strip-all"};

// Sanitizers that are not gcc's affair alone (-fsanitize=undefined and its parts are), and what does their work.
struct SanitizerRow {
    string_view name, reason;
};
constexpr SanitizerRow sanitizers[] = {
    {"thread", "mogrun --check-races finds races in any program, compiled with -g so that lines are known"},
    {"hwaddress", "-fsanitize=address has memory checked"},
    {"kernel-address", "PEs run programs, not kernels"},
    {"kernel-hwaddress", "PEs run programs, not kernels"},
    {"shadow-call-stack", "PEs have none"},
};

// What cannot work on a PE, and why. A spelling that ends in = stands for all that begins so.
struct RefusedRow {
    string_view spelling, reason;
};
constexpr RefusedRow refused[] = {
    {"-shared", "there are no shared libraries for PEs; a program is linked as a whole"},
    {"-mips16", "MOG translates 32-bit MIPS instructions, not MIPS16 or microMIPS ones"},
    {"-mmicromips", "MOG translates 32-bit MIPS instructions, not MIPS16 or microMIPS ones"},
    {"-EB", "PEs are little-endian, not big-endian"},
    {"-meb", "PEs are little-endian, not big-endian"},
    {"-mabi=n32", "MOG runs the o32 ABI, not n32"},
    {"-mabi=64", "MOG runs the o32 ABI, not a 64-bit one"},
    {"-msoft-float", "the C library has floating-point numbers in the FPU's registers"},
    {"-mno-float", "the C library has floating-point numbers in the FPU's registers"},
    {"-msingle-float", "the C library has doubles"},
    {"-pg", "there is no profiling by -pg; mogrun --profile-report=FILE.html shows where time goes, of any program"},
    {"-fopenacc", "a PE is code of one thread; leave it out, and share work by IPROC and NPROC of <mog.h>"},
    {"-fgnu-tm", "PEs have no transactions"},
    {"-fsplit-stack", "the stack of a PE is one piece; mogrun --mem makes it larger"},
    {"--coverage", no_gcov},
    {"-coverage", no_gcov},
    {"-fprofile-arcs", no_gcov},
    {"-fprofile-generate", no_gcov},
    {"-fprofile-generate=", no_gcov},
};

constexpr string_view cxx_suffixes[] = {".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii"};

constexpr string_view c_and_assembly_suffixes[] = {".c", ".i", ".s", ".S", ".sx"};

constexpr string_view linked_suffixes[] = {".o", ".a", ".so", ".lo"};

constexpr string_view fortran_suffixes[] = {".f", ".for", ".ftn", ".fpp", ".f90", ".f95", ".f03", ".f08",
                                            ".F", ".FOR", ".FTN", ".FPP", ".F90", ".F95", ".F03", ".F08"};

struct EmitRow {
    string_view name;
    Emit emit;
};
constexpr EmitRow emits[] = {
    {"elf", Emit::elf},
    {"mog", Emit::mog},
    {"image", Emit::image},
};

template <typename List>
bool contains(const List &list, string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

class Parser {
public:
    explicit Parser(string_view name) {
        line_.cxx_driver = is_cxx_driver(name);
        line_.fortran_driver = is_fortran_driver(name);
        line_.mpi_fortran = line_.fortran_driver && name.find("mpif") != name.npos;
    }

    Result<CommandLine> parse(const std::vector<std::string> &arguments) {
        if (Result<void> done = expand(arguments, 0); !done) return done.error();
        line_.assemble.blocks.lanes = best_simd();
        for (next_ = 0; next_ < words_.size();) {
            std::string word = words_[next_++];
            Result<void> done = word.size() > 1 && word[0] == '-' ? option(word) : input(word);
            if (!done) return done.error();
        }
        if (!line_.cuda_targets.empty() && !line_.for_cuda) return Error{"--cuda-arch goes with --device=cuda"};
        if (!line_.links && line_.emit != Emit::executable)
            return Error{"--emit writes what becomes of a whole program; it does not go with -c, -S, -E or -M"};
        return std::move(line_);
    }

private:
    // Response files may name others; the limit stops those that name themselves.
    Result<void> expand(const std::vector<std::string> &arguments, int depth) {
        for (const std::string &word : arguments) {
            std::error_code ignored;
            if (word.size() < 2 || word[0] != '@' || !std::filesystem::is_regular_file(word.substr(1), ignored)) {
                words_.push_back(word);
                continue;
            }
            if (depth == 100) return Error{fmt::format("response files are nested too deeply at {}", word)};
            Result<std::string> text = read_text_file(word.substr(1));
            if (!text) return text.error();
            if (Result<void> done = expand(split_words(*text), depth + 1); !done) return done.error();
        }
        return {};
    }

    Result<void> input(const std::string &word) {
        line_.inputs = true;
        if (line_.first_input.empty()) line_.first_input = std::filesystem::path(word).filename();
        std::string suffix = std::filesystem::path(word).extension();
        if (language_.empty()) line_.input_files.push_back(word);
        line_.cxx_inputs |=
            language_.empty() ? contains(cxx_suffixes, suffix) || (line_.cxx_driver && suffix == ".c") : language_.starts_with("c++");
        line_.fortran_inputs |= language_.empty() ? contains(fortran_suffixes, suffix) : language_.starts_with("f");
        line_.input_places.push_back(line_.gcc_arguments.size());
        line_.gcc_arguments.push_back(word);
        return {};
    }

    Result<void> option(const std::string &word) {
        for (const OwnOptionRow &row : own_options) {
            bool takes_value = row.spelling.ends_with('=');
            if (takes_value ? word.starts_with(row.spelling) : word == row.spelling)
                return own_option(row, word.substr(row.spelling.size()));
        }
        for (const OrderSetting &setting : order_settings()) {
            if (!word.starts_with(setting.name) || word.size() == setting.name.size() || word[setting.name.size()] != '=') continue;
            if (Result<void> read = setting.read(line_.assemble, std::string_view(word).substr(setting.name.size() + 1)); !read)
                return Error{fmt::format("{}: {}", setting.name, read.error().message)};
            return {};
        }
        if (word == "-o" || word.starts_with("-o")) return output(word);
        for (const RefusedRow &row : refused)
            if (word == row.spelling || (row.spelling.ends_with('=') && word.starts_with(row.spelling)))
                return Error{fmt::format("{}: {}", word, row.reason)};
        if (word.starts_with("-fsanitize=")) return sanitize(word);
        if (word == "-fno-sanitize=address" || word == "-fno-sanitize=leak") return line_.checks_memory = false, Result<void>();
        if (contains(meaningless, word)) return {};
        if (word == "-fcilkplus" || word == "-fopencilk") return cilk("steal");
        if (is_for_other_processors(word)) {
            line_.left_out.push_back(word);
            return {};
        }
        if (contains(questions, word) || word.starts_with("-print-") || word.starts_with("--print-")) line_.asks = true;
        if (word == "-s") return line_.strip = true, Result<void>();
        if (word.starts_with("-Wl,")) return for_linker(word);
        if (word == "-Xlinker" && next_ < words_.size() && contains(linker_strips, words_[next_])) {
            ++next_;
            return line_.strip = true, Result<void>();
        }
        if (word == "-###") {  // our own commands are shown; those of gcc are gcc's affair
            line_.print_only = true;
            return {};
        }

        if (contains(stops_early, word)) line_.links = false;
        else if (word == "-r") line_.relocatable = true;
        else if (word == "-v") line_.verbose = true;
        else if (word.starts_with("-save-temps") || word.starts_with("--save-temps")) line_.save_temps = true;
        else if (word == "-nostdinc") line_.standard_includes = false;
        else if (word == "-fexceptions") line_.exceptions = true;
        else if (word == "-nostartfiles") line_.startup_files = false;
        else if (word == "-nodefaultlibs") line_.default_libraries = false;
        else if (word == "-nostdlib") line_.startup_files = line_.default_libraries = false;
        else if (word.starts_with("-l")) line_.inputs = true;
        else if (word.starts_with("-x") && word.size() > 2) set_language(word.substr(2));

        line_.gcc_arguments.push_back(word);
        if (contains(takes_next_word, word)) {
            if (next_ == words_.size()) return {};  // gcc will say that it is missing
            if (word == "-x") set_language(words_[next_]);
            line_.gcc_arguments.push_back(words_[next_++]);
        }
        return {};
    }

    // -fsanitize=A,B: gcc knows what there is but these. Memory is checked by mogrun, and the code is as it would be.
    Result<void> sanitize(const std::string &word) {
        std::string rest;
        for (std::size_t at = word.find('=') + 1; at <= word.size();) {
            const std::size_t end = std::min(word.find(',', at), word.size());
            const std::string part = word.substr(at, end - at);
            for (const SanitizerRow &row : sanitizers)
                if (part == row.name) return Error{fmt::format("-fsanitize={}: {}", part, row.reason)};
            if (part == "address" || part == "leak") line_.checks_memory = true;
            else rest += fmt::format("{}{}", rest.empty() ? "" : ",", part);
            at = end + 1;
        }
        if (!rest.empty()) line_.gcc_arguments.push_back("-fsanitize=" + rest);
        return {};
    }

    // -Wl,A,B: all but what strips.
    Result<void> for_linker(const std::string &word) {
        std::string rest = "-Wl";
        for (std::size_t at = 4; at <= word.size();) {
            const std::size_t end = std::min(word.find(',', at), word.size());
            const std::string part = word.substr(at, end - at);
            if (contains(linker_strips, part)) line_.strip = true;
            else rest += "," + part;
            at = end + 1;
        }
        if (rest != "-Wl") line_.gcc_arguments.push_back(rest);
        return {};
    }

    void set_language(const std::string &language) { language_ = language == "none" ? "" : language; }

    Result<void> output(const std::string &word) {
        if (word.size() > 2) line_.output = word.substr(2);
        else if (next_ < words_.size()) line_.output = words_[next_++];
        if (line_.output.empty()) return Error{"missing filename after '-o'"};
        return {};
    }

    Result<void> own_option(const OwnOptionRow &row, const std::string &value) {
        switch (row.option) {
            case OwnOption::emit:
                for (const EmitRow &emit : emits)
                    if (emit.name == value) {
                        line_.emit = emit.emit;
                        return {};
                    }
                line_.emit = Emit::sources;
                line_.sources = read_source_kinds(value);
                if (line_.sources.empty())
                    return Error{fmt::format("--emit={}: there are elf, mog, image, and opencl, cuda and cpp, which can be a list", value)};
                return {};
            case OwnOption::dump_after: line_.dump_after.push_back(value); return {};
            case OwnOption::without_pass: line_.without_pass.push_back(value); return {};
            case OwnOption::unchecked: line_.unchecked = true; return {};
            case OwnOption::doubles:
                if (value != "native" && value != "pair" && value != "soft")
                    return Error{fmt::format("--double={}: there are native, pair and soft", value)};
                line_.doubles = value;
                return {};
            case OwnOption::device: return devices(value);
            case OwnOption::cuda_arch: line_.cuda_targets = value; return {};
            case OwnOption::cilk: return cilk("steal");
            case OwnOption::cilk_form: return cilk(value);
            case OwnOption::cilk_step: return Error{"--cilk-step is the first word of its command, which gcc's -wrapper makes"};
            case OwnOption::list_passes: line_.list_passes = true; return {};
            case OwnOption::help: line_.help = true; return {};
            case OwnOption::version: line_.version = true; return {};
        }
        return {};
    }

    Result<void> cilk(std::string_view form) {
        constexpr std::pair<string_view, Cilk> forms[] = {
            {"steal", Cilk::steal}, {"channels", Cilk::channels}, {"serial", Cilk::serial}, {"openmp", Cilk::openmp}};
        for (const auto &[name, one] : forms)
            if (name == form) {
                line_.cilk = one;
                return {};
            }
        return Error{fmt::format("-fcilk={}: there are steal, channels, serial and openmp", form)};
    }

    Result<void> devices(std::string_view list) {
        line_.for_host = line_.for_cuda = false;
        for (std::size_t at = 0; at <= list.size();) {
            const std::size_t end = std::min(list.find(',', at), list.size());
            const std::string_view word = list.substr(at, end - at);
            if (word == "host") line_.for_host = true;
            else if (word == "cuda") line_.for_cuda = true;
            else
                return Error{fmt::format(
                    "--device={}: there are host and cuda, which can be a list; for the others nothing is compiled ahead", list)};
            at = end + 1;
        }
        return {};
    }

    CommandLine line_;
    std::vector<std::string> words_;
    std::size_t next_ = 0;
    std::string language_;  // of -x; empty: by suffix
};

}  // namespace

Result<CommandLine> parse_command_line(std::string_view name, const std::vector<std::string> &arguments) {
    return Parser(name).parse(arguments);
}

std::string help_text() {
    constexpr int column = 26;
    std::string text =
        "usage: mogcc [option ...] file ...\n"
        "\n"
        "Compiles C (.c), C++ (.cc .cpp), MIPS assembly (.s .S), objects (.o) and archives (.a) to one executable file that\n"
        "runs on the PEs of a GPU: ./a.out, or mogrun -n PES ./a.out. By the name mogc++ it takes .c for C++ and links objects\n"
        "with the C++ library, by the name mogfortran with the Fortran library; each is made when a program wants it for the\n"
        "first time. Fortran (.f .f90 .F90 ...) is compiled by gfortran.\n"
        "\n"
        "Options are gcc's (-c -S -E -o -I -D -U -O -g -std= -W -l -L -x -M -include -v -### -save-temps @file and all others),\n"
        "handed to the MIPS compiler. -c and -S give ordinary MIPS objects and assembly. mogcc's own are:\n"
        "\n";
    const auto add = [&](std::string left, std::string_view words) {
        std::string help(words);
        for (std::size_t at = 0; (at = help.find('\n', at)) != help.npos;) help.insert(++at, column + 2, ' ');
        text += fmt::format("  {:<{}}{}\n", left, column, help);
    };
    for (const OwnOptionRow &row : own_options) add(fmt::format("{}{}", row.spelling, row.argument), row.help);
    text += "\nand for the order of subinterpreters, to which the interpreter is fitted:\n\n";
    for (const OrderSetting &setting : order_settings()) add(fmt::format("{}={}", setting.name, setting.argument), setting.help);
    text +=
        "\nWith --emit, -o - writes to standard output; without -o the file is a.elf, a.mog, a.image, or sources a.h,\n"
        "a_image.c and a.cl, a.cu, a.cpp.\n\nEnvironment:\n";
#define VARIABLE_ROW(name, help) text += fmt::format("  {:<{}}{}\n", name, column, help);
    MOG_TOOLCHAIN_VARIABLES(VARIABLE_ROW)
    text += "\nExit status: 0 if all went well; gcc's own, or 1, if the program is wrong; 2 if the command line is.\n";
    return text;
}

InputKind kind_of_input(string_view name) {
    const std::string suffix = std::filesystem::path(name).extension();
    if (contains(cxx_suffixes, suffix) || contains(c_and_assembly_suffixes, suffix)) return InputKind::source;
    return contains(linked_suffixes, suffix) ? InputKind::linked : InputKind::other;
}

}  // namespace mog
