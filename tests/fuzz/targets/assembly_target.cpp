// assembly_target.cpp: any bytes as MOG assembly. What is accepted can be printed, parsed, encoded and disassembled without a
// change, and its image is safe to run.
#include "assembler/image/encode.hpp"
#include "assembler/text/parse.hpp"
#include "assembler/text/print.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace {

/// The text's own way to ask for much memory; what it asks for is given, up to 1 GiB, which is slow to fuzz.
bool asks_for_much(std::string_view text) {
    return text.find(".space") != text.npos || text.find(".data 0x") != text.npos || text.find(".code") != text.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using mog::fuzz::require;
    const std::string text(reinterpret_cast<const char *>(data), size);
    const auto program = mog::parse(text, "input");
    if (!program) {
        require(!program.error().message.empty(), "an error without a sentence");
        return 0;
    }
    constexpr std::size_t most = 1 << 22;
    if (asks_for_much(text) && (program->data.size() > most || program->code_bytes > most)) return 0;
    const std::string printed = mog::print(*program);
    const auto again = mog::parse(printed, "printed");
    require(bool(again), again ? "" : "printed assembly cannot be parsed: " + again.error().text());
    require(mog::print(*again) == printed, "assembly changes when it is printed and parsed");

    const auto image = mog::encode(*program);
    if (!image) {
        require(!image.error().message.empty(), "an error without a sentence");
        return 0;
    }
    const auto same = mog::encode(*again);
    require(bool(same) && *same == *image, "printed assembly gives another image");
    mog::fuzz::use_image(*image);
    const auto back = mog::parse(mog::print(mog::disassemble(*image)), "disassembled");
    require(bool(back), back ? "" : "a disassembly cannot be parsed: " + back.error().text());
    const auto round = mog::encode(*back);
    require(bool(round), round ? "" : "a disassembly cannot be encoded: " + round.error().text());
    require(*round == *image, "a disassembly gives another image");
    return 0;
}
