// mogcc: C, C++ and MIPS assembly in, one executable out that runs on the PEs of a GPU. See --help. By other names
// it is mogar and so on.
#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "mogcc/binutils.hpp"
#include "mogcc/cilk/step.hpp"
#include "mogcc/command_line.hpp"
#include "mogcc/driver.hpp"
#include "mogcc/linker.hpp"
#include "mogcc/mpi_wrapper.hpp"
#include "mogcc/toolchain.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/say.hpp"
#include "translator/translate.hpp"

namespace {

constexpr int usage_error = 2;

int fail(int status, const std::string &message) {
    mog::say("mogcc: error: {}\n", message);
    return status;
}

/// What was asked for, to standard output.
int show(const std::string &text) {
    mog::Result<void> written = mog::write_text_file("-", text);
    return written ? 0 : fail(1, written.error().text());
}

int print_version(const mog::CommandLine &line, const mog::Toolchain &tools) {
    const std::string compiler = line.cxx_driver ? tools.gxx() : line.fortran_driver ? tools.gfortran() : tools.gcc();
    mog::Result<std::string> gcc = mog::capture_command({compiler, "--version"});
    if (!gcc) return fail(1, gcc.error().text());
    // All that gcc says: by "Free Software Foundation" and "GNU Fortran" meson knows what kind of compiler it has.
    return show(fmt::format("mogcc (MOG) {}\nwith {}", MOG_VERSION, *gcc));
}

/// Each pass frees about as much memory as the next one takes: it is kept, for to give it to the system and to get it again, page by page,
/// took as long as some of the passes.
void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int most_by_itself = 32 << 20, most_kept = 1 << 30;
    mallopt(M_MMAP_THRESHOLD, most_by_itself);
    mallopt(M_TRIM_THRESHOLD, most_kept);
#endif
}

}  // namespace

int main(int argc, char **argv) {
    keep_freed_memory();
    mog::remove_temporaries_on_signals();
    constexpr std::string_view step = "--cilk-step=";
    if (argc > 1 && std::string_view(argv[1]).starts_with(step)) {
        const mog::Result<int> status = mog::run_cilk_step(std::string_view(argv[1]).substr(step.size()), {argv + 2, argv + argc});
        if (status) return *status;
        // As gcc says it, so that those who read what compilers say find the place.
        const mog::Error &error = status.error();
        return error.where.empty() ? fail(1, error.text()) : (mog::say("{}: error: {}\n", error.where, error.message), 1);
    }
    if (mog::is_linker(argv[0])) {
        const mog::Result<int> status = mog::run_linker(argv[0], {argv + 1, argv + argc});
        return status ? *status : fail(1, status.error().text());
    }
    if (const auto program = mog::binutils_program(argv[0])) {
        mog::Result<int> status = mog::run_binutils(*program, {argv + 1, argv + argc});
        if (status) return *status;
        mog::say("mog{}: error: {}\n", *program, status.error().text());
        return 1;
    }
    mog::Result<mog::Toolchain> tools = mog::find_toolchain();
    if (tools)
        if (const auto answer = mog::answer_as_mpi_wrapper(argv[0], {argv + 1, argv + argc}, *tools)) return show(*answer + "\n");
    mog::Result<mog::CommandLine> line = mog::parse_command_line(argv[0], {argv + 1, argv + argc});
    if (!line) return fail(usage_error, line.error().text());
    if (line->help) return show(mog::help_text());
    if (line->list_passes) return show(mog::describe_passes());
    for (const std::string &pass : line->dump_after)
        if (!mog::find_pass(pass)) return fail(usage_error, fmt::format("--dump-after={}: no such pass; see --list-passes", pass));
    for (const std::string &pass : line->without_pass) {
        const mog::PassInfo *found = mog::find_pass(pass);
        if (!found) return fail(usage_error, fmt::format("--without-pass={}: no such pass; see --list-passes", pass));
        if (found->needed) return fail(usage_error, fmt::format("--without-pass={}: no program can do without this pass", pass));
    }

    if (!tools) return fail(1, tools.error().text());
    if (line->version) return print_version(*line, *tools);
    return mog::drive(*line, *tools);
}
