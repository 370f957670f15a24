// make_image.cpp: a small image for a seed: fuzz_make_image PROGRAM.mog IMAGE EXECUTABLE [PROFILE]. Unlike those of mogas it carries no
// sources of interpreters, and the launcher of the executable is a line of text, so that mutations meet what matters.
#include <fmt/format.h>

#include "assembler/image/encode.hpp"
#include "assembler/profile/profile.hpp"
#include "assembler/text/parse.hpp"
#include "support/files/files.hpp"

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5) return 2;
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
    image->products.set(mog::ProductKind::order, {'x'});
    const std::string launcher = std::string(argv[3]) + ".launcher";
    for (const auto &done : {mog::write_file(argv[2], mog::write_image(*image)), mog::write_text_file(launcher, "#!/bin/sh\n"),
                             mog::write_executable(argv[3], launcher, *image)})
        if (!done) return fail(done.error());
    std::filesystem::remove(launcher);
    if (argc == 5) {
        mog::RunCounts counts;
        for (std::size_t i = 0; i < image->text.size(); ++i) {
            counts.executed.push_back(10 + i);
            counts.taken.push_back(mog::info(static_cast<mog::Op>(image->text[i] >> 8)).writes & mog::Pc ? i % 10 : 0);
        }
        if (const auto done = mog::write_text_file(argv[4], write_profile(make_profile(*image, counts, "seed", 3))); !done)
            return fail(done.error());
    }
    return 0;
}
