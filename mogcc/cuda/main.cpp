// mogcuda: CUDA C++ in, programs out whose kernels run on this machine's cores; and runs of such programs. See --help.
#include <fmt/format.h>

#include "mogcc/cuda/command_line.hpp"
#include "mogcc/cuda/compile.hpp"
#include "mogcc/cuda/run_program.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/say.hpp"
#include "support/subprocess.hpp"

namespace {

int fail(int status, const mog::Error &error) {
    mog::say("mogcuda: error: {}\n", error.text());
    return status;
}

int show(const std::string &text) {
    mog::Result<void> written = mog::write_text_file("-", text);
    return written ? 0 : fail(1, written.error());
}

}  // namespace

int main(int argc, char **argv) {
    using namespace mog::cuda_driver;
    mog::remove_temporaries_on_signals();
    mog::Result<CommandLine> line = parse_command_line({argv + 1, argv + argc});
    if (!line) return fail(2, line.error());
    if (line->wanted == Wanted::help) return show(help_text());
    if (line->wanted == Wanted::machine_code) return 0;
    if (line->wanted == Wanted::architectures) {
        std::string list;
        for (const int architecture : architectures) list += fmt::format("compute_{}\n", architecture);
        return show(list);
    }
    mog::Result<Tools> tools = find_tools();
    if (!tools) return fail(1, tools.error());
    if (line->wanted == Wanted::version) {
        mog::Result<std::string> clang = mog::capture_command({tools->clang, "--version"});
        if (!clang) return fail(1, clang.error());
        return show(fmt::format("mogcuda (MOG) {}\nwith {}\n", MOG_VERSION, clang->substr(0, clang->find('\n'))));
    }
    mog::Result<int> status = line->wanted == Wanted::run ? run_program(*line, tools->lib) : compile(*line, *tools);
    return status ? *status : fail(1, status.error());
}
