// mogtr: a linked MIPSEL executable in, MOG assembly out.
#include <fmt/format.h>

#include "assembler/text/print.hpp"
#include "support/command_line/command_line.hpp"
#include "support/files/files.hpp"
#include "support/say.hpp"
#include "translator/translate.hpp"

int main(int argc, char **argv) {
    mog::CommandLine line{"mogtr: translates a linked MIPSEL executable (mogcc --emit=elf) into a MOG program", "mogtr"};
    std::string input, output = "-", dump_after;
    std::vector<std::string> without;
    bool list = false, verify_each = false;
    line.option("input", input, "executable, linked with --emit-relocs by runtime_pe's linker script");
    line.option("-o,--output", output, "MOG assembly; - is standard output").shows_default();
    line.option("--dump-after", dump_after, "print the program after this pass instead (see --list-passes)");
    line.option("--without-pass", without, "leave this pass out; may be repeated").one_value_each();
    line.flag("--list-passes", list, "list the passes in their order");
    line.flag("--verify-each", verify_each, "check the program after each pass");
    line.version("mogtr " MOG_VERSION);
    line.footer(
        "Examples:\n  mogcc --emit=elf hello.c -o hello.elf && mogtr hello.elf -o hello.mog\n"
        "  mogtr hello.elf --dump-after=accumulate");
    if (const auto parsed = line.parse(argc, argv); parsed.is == mog::CommandLine::Parsed::Is::Shown) {
        fmt::print("{}", parsed.text);
        return 0;
    } else if (parsed.is != mog::CommandLine::Parsed::Is::Read) {
        mog::say("{}\nRun with --help for more information.\n", parsed.text);
        return 2;
    }
    if (list) {
        const auto done = mog::write_text_file("-", mog::describe_passes());
        if (!done) mog::say("mogtr: {}\n", done.error().text());
        return done ? 0 : 1;
    }
    if (input.empty()) {
        mog::say("mogtr: no input file; see mogtr --help\n");
        return 2;
    }
    if (!dump_after.empty() && !mog::find_pass(dump_after)) {
        mog::say("mogtr: there is no pass '{}'; see mogtr --list-passes\n", dump_after);
        return 2;
    }

    for (const std::string &pass : without) {
        const mog::PassInfo *found = mog::find_pass(pass);
        if (found != nullptr && !found->needed) continue;
        mog::say("mogtr: --without-pass={}: {}\n", pass,
                 found == nullptr ? "no such pass; see --list-passes" : "no program can do without this pass");
        return 2;
    }

    const auto bytes = mog::read_file(input);
    if (!bytes) {
        mog::say("mogtr: {}\n", bytes.error().text());
        return 1;
    }
    mog::TranslateOptions options;
    options.without = std::move(without);
    options.verify = verify_each;
    std::string dumped;
    options.wants_dump = [&](std::string_view pass) { return pass == dump_after; };
    options.dump = [&](std::string_view, const std::string &text) { dumped = text; };
    const auto program = mog::translate_elf(*bytes, options);
    if (!program) {
        mog::say("mogtr: {}: {}\n", input, program.error().text());
        return 1;
    }
    const auto done = mog::write_text_file(output, dump_after.empty() ? mog::print(*program) : dumped);
    if (!done) {
        mog::say("mogtr: {}\n", done.error().text());
        return 1;
    }
    return 0;
}
