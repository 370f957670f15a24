// translate.hpp: a linked MIPSEL ELF file becomes a MOG program.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/ir/mog_program.hpp"
#include "support/result.hpp"

namespace mog {

struct TranslateOptions {
    /// Called with the name of each pass and the program after it, as text, for the passes that `wants_dump` names.
    std::function<bool(std::string_view pass)> wants_dump;
    std::function<void(std::string_view pass, const std::string &text)> dump;
    /// Passes to leave out; those that are needed run all the same.
    std::vector<std::string> without;
    /// Check the invariants after each pass; a broken one is an error that names the pass.
    bool verify = false;
};

struct PassInfo {
    std::string_view name;
    std::string_view description;
    bool needed;  ///< a program cannot do without it
};
/// All passes in order.
const std::vector<PassInfo> &list_passes();
/// The pass of this name, or null.
const PassInfo *find_pass(std::string_view name);
/// The same as text, a line each.
std::string describe_passes();

/// How much of an executable may not be written, the sections .rodata to .gcc_except_table: string literals, what is
/// const, tables of exceptions. 0: it cannot be read.
std::uint64_t bytes_of_constants(std::span<const std::uint8_t> elf);

/// Translates the bytes of an executable that was linked by runtime_pe/mog.ld with --emit-relocs. Errors name the address, the
/// instruction and the function that could not be translated.
Result<MogProgram> translate_elf(std::span<const std::uint8_t> elf, const TranslateOptions &options = {});

}  // namespace mog
