// driver.cpp: runs a program as mogrun does, but begins where a state says, or stops after some launches and writes one.
//
//     state_driver FROM LAUNCHES TO PROGRAM ARGUMENTS...
//
// FROM: a file with a state, or "-": the program's start. LAUNCHES: after how many to stop and write a state to TO; 0: never. Options are
// MOG_* variables. The status is the program's; 99: it was stopped; 3: it could not be run, or its state not be written or read.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "runtime_host/run/program_run.hpp"
#include "support/say.hpp"

namespace {

constexpr int stopped = 99, failed = 3;

int fail(const std::string &why) {
    mog::say("state_driver: {}\n", why);
    return failed;
}

int run(int argc, char **argv) {
    const std::string from = argv[1], to = argv[3];
    const std::uint64_t launches = std::strtoull(argv[2], nullptr, 10);
    const mog::Result<mog::Image> image = mog::load_image(argv[4]);
    if (!image) return fail(image.error().text());
    mog::RunConfig config;
    if (mog::Result<void> read = mog::read_environment(config.options); !read) return fail(read.error().text());
    const auto say = [](std::string_view line) { mog::say("{}\n", line); };
    config.arguments = std::make_shared<const std::vector<std::string>>(argv + 4, argv + argc);
    config.environment = std::make_shared<const std::vector<std::string>>();
    config.output = mog::to_standard_streams(say);
    config.say = say;
    config.trace = say;
    std::ifstream state;
    if (from != "-") {
        state.open(from, std::ios::binary);
        if (!state) return fail("cannot open " + from);
        config.state = &state;
    }
    std::signal(SIGPIPE, SIG_IGN);
    mog::ProgramRun program(*image, std::move(config));
    if (mog::Result<void> loaded = program.load(); !loaded) return fail(loaded.error().text());
    mog::Stretch stretch;
    if (launches != 0) stretch.slices = launches;
    const mog::Result<bool> ended = program.loop().run_for(stretch);
    if (!ended) return fail(ended.error().text());
    if (const char *const told = std::getenv("STATE_LAUNCHES")) std::ofstream(told) << program.loop().result().slices << '\n';
    if (*ended) return program.loop().result().status;
    std::ofstream out(to, std::ios::binary);
    if (mog::Result<void> written = program.loop().write_state(out); !written) return fail(written.error().text());
    return stopped;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 5) return fail("state_driver FROM LAUNCHES TO PROGRAM ARGUMENTS...");
    const int status = run(argc, argv);
    // What is open then must not be closed in an order of its own: others may hold the other ends.
    std::fflush(nullptr);
    return status;
}
