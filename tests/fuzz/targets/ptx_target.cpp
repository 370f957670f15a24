// ptx_target.cpp: any bytes as PTX text. What is accepted can be printed and read without a change, is in order for the analyses, and
// becomes operations; it is not run, for kernels may write anywhere.
#include "runtime_host/ptx/engine.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "translator/ptx/kernels.hpp"
#include "translator/ptx/program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using mog::fuzz::require;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto program = mog::ptx::parse(text, "input");
    if (!program) {
        require(!program.error().message.empty(), "an error without a sentence");
        return 0;
    }
    const auto verified = mog::ptx::verify(*program);
    if (!verified) {
        require(!verified.error().message.empty(), "an error without a sentence");
        return 0;
    }
    const std::string printed = mog::ptx::print(*program);
    const auto again = mog::ptx::parse(printed, "printed");
    require(bool(again), again ? "" : "printed PTX cannot be read: " + again.error().text());
    require(mog::ptx::print(*again) == printed, "PTX changes when it is printed and read");
    for (const auto &one : mog::ptx::divergence_kernels(*program)) require(one.kernel.check().empty(), one.kernel.check());
    // Memory that the text asks for is given, which is slow to fuzz.
    constexpr std::uint64_t most = 1 << 22;
    for (const auto &variable : program->variables)
        if (variable.size > most) return 0;
    for (const auto &function : program->functions)
        for (const auto &variable : function.variables)
            if (variable.size > most) return 0;
    const auto module = mog::ptx::Module::load(text, "input");
    if (!module) require(!module.error().message.empty(), "an error without a sentence");
    return 0;
}
