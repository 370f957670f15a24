// elf_target.cpp: any bytes as a linked MIPS executable. What the translator accepts keeps the invariants of every pass, can be
// encoded, and is safe to run.
#include "assembler/image/encode.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "translator/translate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using mog::fuzz::require;
    mog::TranslateOptions options;
    options.verify = true;
    const auto program = mog::translate_elf({data, size}, options);
    if (!program) {
        require(!program.error().message.empty(), "an error without a sentence");
        require(program.error().message.find("internal error") == std::string::npos, program.error().message);
        return 0;
    }
    // A small file may ask for some MiB of zeros, which it gets; with sanitizers all that comes then takes too long.
    if (program->data.size() > size + (1 << 20)) return 0;
    const auto image = mog::encode(*program);
    require(bool(image), image ? "" : "a translated program cannot be encoded: " + image.error().text());
    mog::fuzz::use_image(*image);
    return 0;
}
