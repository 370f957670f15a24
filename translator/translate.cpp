// translate.cpp: the pipeline. The passes and their order stand in passes.def; the invariants between them here.
#include "translator/translate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "translator/dump.hpp"
#include "translator/mips/read_elf.hpp"
#include "translator/passes/passes.hpp"

namespace mog {

const std::vector<PassInfo> &list_passes() {
    static const std::vector<PassInfo> passes = {
#define MOG_PASS(name, from, to, needed, description) {#name, description, needed != 0},
#include "translator/passes/passes.def"
    };
    return passes;
}

const PassInfo *find_pass(std::string_view name) {
    for (const PassInfo &pass : list_passes())
        if (pass.name == name) return &pass;
    return nullptr;
}

std::string describe_passes() {
    std::string text;
    for (const PassInfo &pass : list_passes()) text += fmt::format("{:<20} {}\n", pass.name, pass.description);
    return text;
}

namespace {

template <typename T>
Result<T> as_result(Result<T> result) {
    return result;
}
Result<MogUnit> as_result(MogUnit unit) { return unit; }
Result<MipsProgram> as_result(MipsProgram program) { return program; }

/// Runs a pass, shows its result to whoever asked, and checks it.
template <typename Pass, typename In>
auto run_pass(std::string_view name, Pass pass, In input, const TranslateOptions &options) {
    auto result = as_result(pass(std::move(input)));
    if (!result) return result;
    if (options.dump && options.wants_dump && options.wants_dump(name)) options.dump(name, dump(*result));
    if (options.verify) {
        if (auto broken = verify(*result); !broken.empty())
            result = Error{std::string("internal error: after pass ") + std::string(name) + ": " + broken};
    }
    return result;
}

}  // namespace

std::uint64_t bytes_of_constants(std::span<const std::uint8_t> elf) { return constant_bytes(elf); }

Result<MogProgram> translate_elf(std::span<const std::uint8_t> bytes, const TranslateOptions &options) {
    auto elf = read_elf(bytes);
    if (!elf) return elf.error();

    auto program_Elf = std::move(elf);
    Result<MipsProgram> program_Mips = MipsProgram{};
    Result<MogUnit> program_Mog = MogUnit{};
#define MOG_PASS(name, from, to, needed, description)                                                             \
    if (needed != 0 || std::find(options.without.begin(), options.without.end(), #name) == options.without.end()) \
        program_##to = run_pass(#name, name, *std::move(program_##from), options);                                \
    if (!program_##to) return program_##to.error();
#include "translator/passes/passes.def"
    return std::move((*program_Mog).program);
}

}  // namespace mog
