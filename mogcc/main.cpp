// mogcc: C, C++ and MIPS assembly in, one executable out that runs on the PEs of a GPU. See --help.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "mogcc/command_line.hpp"
#include "mogcc/driver.hpp"
#include "mogcc/temporary.hpp"
#include "mogcc/toolchain.hpp"
#include "translator/translate.hpp"

namespace {

constexpr int usage_error = 2;

int fail(int status, const std::string &message) {
    fmt::print(stderr, "mogcc: error: {}\n", message);
    return status;
}

int print_version(const mog::Toolchain &tools) {
    fmt::print("mogcc (MOG) {}\n", MOG_VERSION);
    mog::Result<std::string> gcc = mog::capture_command({tools.gcc(), "--version"});
    if (!gcc) return fail(1, gcc.error().text());
    fmt::print("with {}\n", gcc->substr(0, gcc->find('\n')));
    return 0;
}

bool pass_exists(std::string_view name) {
    const std::vector<mog::PassInfo> &passes = mog::list_passes();
    return std::any_of(passes.begin(), passes.end(), [&](const mog::PassInfo &pass) { return pass.name == name; });
}

}  // namespace

int main(int argc, char **argv) {
    mog::remove_temporaries_on_signals();
    mog::Result<mog::CommandLine> line = mog::parse_command_line({argv + 1, argv + argc});
    if (!line) return fail(usage_error, line.error().text());
    if (line->help) {
        fmt::print("{}", mog::help_text());
        return 0;
    }
    if (line->list_passes) {
        for (const mog::PassInfo &pass : mog::list_passes()) fmt::print("{:<20} {}\n", pass.name, pass.description);
        return 0;
    }
    for (const std::string &pass : line->dump_after)
        if (!pass_exists(pass)) return fail(usage_error, fmt::format("--dump-after={}: no such pass; see --list-passes", pass));

    mog::Result<mog::Toolchain> tools = mog::find_toolchain();
    if (!tools) return fail(1, tools.error().text());
    if (line->version) return print_version(*tools);
    return mog::drive(*line, *tools);
}
