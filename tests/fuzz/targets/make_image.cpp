// make_image.cpp: a small image for a seed: fuzz_make_image PROGRAM.mog IMAGE EXECUTABLE. Unlike those of mogas it carries no
// sources of interpreters, and the launcher of the executable is a line of text, so that mutations meet what matters.
#include <fmt/format.h>

#include "assembler/encode.hpp"
#include "assembler/parse.hpp"
#include "support/files.hpp"

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const auto fail = [](const mog::Error &error) {
        fmt::print(stderr, "{}\n", error.text());
        return 1;
    };
    const auto text = mog::read_text_file(argv[1]);
    if (!text) return fail(text.error());
    const auto program = mog::parse(*text, argv[1]);
    if (!program) return fail(program.error());
    auto image = mog::encode(*program);
    if (!image) return fail(image.error());
    image->products["order"] = {'x'};
    const std::string launcher = std::string(argv[3]) + ".launcher";
    for (const auto &done : {mog::write_file(argv[2], mog::write_image(*image)), mog::write_text_file(launcher, "#!/bin/sh\n"),
                             mog::write_executable(argv[3], launcher, *image)})
        if (!done) return fail(done.error());
    std::filesystem::remove(launcher);
    return 0;
}
