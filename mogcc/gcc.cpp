// gcc.cpp: the user's words between ours. Ours come first where the user may overrule them, and libraries last.
#include "mogcc/gcc.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/files/files.hpp"
#include "support/text.hpp"
#include "translator/translate.hpp"

namespace mog {

namespace {

/// With -O2 and more, where gcc's idea of a MIPS processor does not hold for MOG; the user's options come later, and may say otherwise.
/// Instructions that follow their operands become one, for ACC and D hold nothing for long, so they are not moved apart for the sake of
/// a pipeline. A call costs more than natively, so functions that nobody declared inline are taken in as with -O3. There are no
/// vectors, and what gcc makes of general registers in their place costs more than it saves.
constexpr std::array<string_view, 4> tuning = {"-fno-schedule-insns", "--param=max-inline-insns-auto=30", "--param=inline-min-speedup=15",
                                               "-fno-tree-vectorize"};

string_view level_of_optimisation(const CommandLine &line) {
    string_view last;
    for (const std::string &word : line.gcc_arguments)
        if (word.starts_with("-O")) last = word;
    return last;
}

// The words of one of the sysroot's option files. We read them ourselves, because gcc under -save-temps keeps copies of
// response files.
Result<void> append_options(Command &command, const Toolchain &tools, const char *file) {
    Result<std::string> text = read_text_file(tools.lib(file));
    if (!text) return text.error();
    for (std::string &word : split_words(*text)) command.push_back(std::move(word));
    return {};
}

// gcc's own headers (stddef.h, stdarg.h ...) and the sysroot's, but not those of an installed MIPS glibc.
// Fortran finds its modules only where it may look for what is the system's, too; so that stands behind ours there.
Result<void> append_include_path(Command &command, const Toolchain &tools, bool cxx, bool fortran) {
    if (cxx)  // before C's, whose headers they wrap
        command.insert(command.end(), {"-isystem", (tools.sysroot / "include" / "c++").string()});
    // Once: a line of several sources has a command for each.
    static Result<std::string> folder = capture_command({tools.gcc(), "-print-file-name=include"});
    if (!folder) return folder.error();
    while (folder->ends_with('\n')) folder->pop_back();
    if (!fortran) command.push_back("-nostdinc");
    command.insert(command.end(), {"-isystem", *folder, "-isystem", (tools.sysroot / "include").string()});
    return {};
}

// A language's library, which is made when somebody wants it for the first time: it takes a minute, and the source of gcc.
struct Library {
    const char *language, *archive, *script, *package;
};
constexpr Library cxx_library{"C++", "libstdc++.a", "build-cxx-library", "g++-mipsel-linux-gnu"};
constexpr Library fortran_library{"Fortran", "libgfortran.a", "build-fortran-library", "gfortran-mipsel-linux-gnu"};

Result<void> make_library(const Toolchain &tools, const Library &library, const std::string &compiler) {
    std::error_code ignored;
    if (!program_exists(compiler))
        return Error{fmt::format("{} has no {} compiler; on Debian: apt-get install {}", tools.gcc(), library.language, library.package)};
    const std::filesystem::path archive = tools.lib(library.archive), folder = archive.parent_path();
    const bool is_there = std::filesystem::exists(archive, ignored);
    // Of a C library that has been made anew since it is made anew, by who may.
    const auto made = [&](const std::filesystem::path &file) { return std::filesystem::last_write_time(file, ignored); };
    if (is_there && (made(tools.lib("libc.a")) <= made(archive) || access(folder.c_str(), W_OK) != 0)) return {};
    Result<int> status = run_command({tools.lib(library.script).string(), tools.sysroot.string()});
    if (!status) return status.error();
    if (*status != 0) return Error{fmt::format("there is no {} library yet, and it could not be made, as said above", library.language)};
    return {};
}

// Cilk is translated between the preprocessor and the compiler, which gcc has run by mogcc then; or left out by the preprocessor.
void append_cilk(Command &command, const CommandLine &line, const Toolchain &tools) {
    if (line.cilk == Cilk::none) return;
    if (line.cilk == Cilk::serial) {
        command.insert(command.end(), {"-Wno-unknown-pragmas", "-D_Cilk_spawn=", "-D_Cilk_sync=", "-D_Cilk_for=for",
                                       "-D_Cilk_scope=", "-D_Hyperobject(identity,reduce)="});
        return;
    }
    const bool shows = std::ranges::find(line.gcc_arguments, "-E") != line.gcc_arguments.end();
    const std::string form = line.cilk == Cilk::steal ? "steal" : line.cilk == Cilk::channels ? "channels" : "openmp";
    if (line.cxx_inputs || line.cxx_driver) command.insert(command.end(), {"-include", "cilk/tasks.hpp"});
    else if (line.cilk == Cilk::steal) command.insert(command.end(), {"-include", "cilk/records.h"});
    command.insert(command.end(), {line.cilk != Cilk::openmp ? "-D__cilk=200" : "-D__cilk_openmp=1", "-no-integrated-cpp", "-wrapper",
                                   fmt::format("{},--cilk-step={}{}", tools.self.string(), form, shows ? "+E" : "")});
}

}  // namespace

Result<Command> gcc_command(const CommandLine &line, const Toolchain &tools, const std::string &output, const std::string &elf,
                            const std::string &linker) {
    const bool fortran = line.fortran_inputs || line.fortran_driver;
    Command command{line.cxx_driver ? tools.gxx() : fortran ? tools.gfortran() : tools.gcc()};
    auto user = [&] { command.insert(command.end(), line.gcc_arguments.begin(), line.gcc_arguments.end()); };
    if (!line.inputs || line.asks) {  // -v, -print-..., -dumpversion; or gcc says that there is no input
        user();
        return command;
    }

    if (Result<void> done = append_options(command, tools, "compile.opts"); !done) return done.error();
    const string_view level = level_of_optimisation(line);
    if (level == "-O2" || level == "-O3" || level == "-Ofast") command.insert(command.end(), tuning.begin(), tuning.end());
    // Trampolines are code on the stack, which a PE cannot run. gcc says which function would be one.
    command.push_back("-Werror=trampolines");
    // gcc takes the last -march=, but refuses a -mips1 beside another; so ours yields to any of the user's. An older one has abs.d and
    // neg.d in their old sense alone.
    const auto names_architecture = [](const std::string &word) { return word.starts_with("-march=") || word.starts_with("-mips"); };
    const auto wants_ours = [&](const std::string &word) { return names_architecture(word) || word == "-mabs=2008"; };
    if (std::any_of(line.gcc_arguments.begin(), line.gcc_arguments.end(), names_architecture)) std::erase_if(command, wants_ours);
    append_cilk(command, line, tools);
    const bool cxx = line.cxx_inputs || line.cxx_driver;
    if (cxx || (line.exceptions && line.links))
        if (Result<void> done = make_library(tools, cxx_library, tools.gxx()); !done) return done.error();
    if (fortran)
        if (Result<void> done = make_library(tools, fortran_library, tools.gfortran()); !done) return done.error();
    if (line.standard_includes)
        if (Result<void> done = append_include_path(command, tools, line.cxx_inputs, line.fortran_inputs); !done) return done.error();

    if (line.fortran_inputs) command.push_back(fmt::format("-I{}", tools.lib("finclude").string()));
    if (line.mpi_fortran && line.fortran_inputs) command.push_back("-fallow-argument-mismatch");

    if (!line.links) {
        if (!line.output.empty()) command.insert(command.end(), {"-o", line.output});
        user();
        return command;
    }
    // The name of the result, of which gcc makes those of all other files that it writes (-save-temps, -MD and so on).
    command.insert(command.end(), {"-o", output});
    if (line.relocatable) {
        command.push_back("-nostdlib");
        user();
        command.insert(command.end(), {"-Xlinker", "-o", "-Xlinker", elf});
        return command;
    }

    if (Result<void> done = append_options(command, tools, "link.opts"); !done) return done.error();
    if (!linker.empty()) command.insert(command.end(), {"-B", linker});
    command.insert(command.end(), {"-T", tools.lib("mog.ld")});
    // main() may be in a library of the user's, and is asked for only by ours, which come last.
    if (line.startup_files) command.insert(command.end(), {tools.lib("crt0.o"), "-Wl,-u,main"});
    if (line.checks_memory) command.push_back("-Wl,-u,__mog_check_memory");
    user();
    command.push_back(fmt::format("-L{}", (tools.sysroot / "lib").string()));
    const auto wants_openmp = [](const std::string &word) { return word == "-fopenmp" || word.starts_with("-ftree-parallelize-loops="); };
    if (line.default_libraries && (line.cilk == Cilk::steal || line.cilk == Cilk::channels)) command.push_back("-lcilkrts");
    if (line.default_libraries &&
        (line.cilk == Cilk::openmp || std::any_of(line.gcc_arguments.begin(), line.gcc_arguments.end(), wants_openmp)))
        command.push_back("-lgomp");
    if (line.default_libraries) {
        // libmog before libc: its __cxa_atexit stands for newlib's. The C++ library before libmog, which has what objects want that are
        // linked without.
        command.push_back("-Wl,--start-group");
        if (fortran) command.insert(command.end(), {"-lgfortran", "-lmpifort"});
        if (cxx) command.push_back("-lstdc++");
        if (cxx || line.exceptions) command.push_back("-lgcc_eh");
        command.insert(command.end(), {"-lmpi", "-lmog", "-lm", "-lc", "-lgcc", "-Wl,--end-group"});
    }
    // ld takes the last -o. What it writes is not the result yet, and must never stand where that will.
    command.insert(command.end(), {"-Xlinker", "-o", "-Xlinker", elf});
    return command;
}

}  // namespace mog
