// other_machines.cpp: names of x86's options; the first bytes of files.
#include "mogcc/other_machines.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

namespace mog {

namespace {

using std::string_view;

// After -m or -mno-; all that begins so. None of gcc's options for MIPS does.
// clang-format off
constexpr string_view x86_options[] = {
    "3dnow", "8bit-idiv", "96bit-long-double", "128bit-long-double", "abm", "accumulate-outgoing-args", "adx", "aes", "amx", "asm=", "avx",
    "bmi", "cld", "clflushopt", "clwb", "clzero", "cmodel=", "cx16", "enqcmd", "f16c", "fentry", "fma", "fpmath=", "fsgsbase",
    "function-return=", "fxsr", "general-regs-only", "gfni", "harden-sls=", "hle", "hreset", "incoming-stack-boundary=", "indirect-branch",
    "inline-all-stringops", "lwp", "lzcnt", "manual-endbr", "mitigate-rop", "mmx", "movbe", "movdir", "mwait", "nop-mcount", "pclmul", "pconfig",
    "pku", "popcnt", "prefer-avx128", "prefer-vector-width", "preferred-stack-boundary=", "prefetchwt1", "prfchw", "ptwrite", "push-args",
    "rdpid", "rdrnd", "rdseed", "recip", "record-mcount", "red-zone", "regparm=", "rtd", "rtm", "sahf", "serialize", "sgx", "sha", "shstk", "sse",
    "ssse3", "stack-arg-probe", "stackrealign", "stringop-strategy=", "stv", "tbm", "tls-dialect=", "tls-direct-seg-refs", "tsxldtrk", "uintr",
    "vaes", "veclibabi=", "vpclmulqdq", "vzeroupper", "waitpkg", "wbnoinvd", "widekl", "xop", "xsave",
};
// clang-format on
// clang-format off
constexpr string_view whole_options[] = {"-m64", "-m32", "-mx32", "-mkl", "-mabi=sysv", "-mabi=ms", "-mcpu=native", "-mcrc32"};

// The beginnings of what may stand after -march= and -mtune=.
// clang-format off
constexpr string_view x86_processors[] = {
    "native", "generic", "intel", "x86-64", "i386", "i486", "i586", "i686", "pentium", "prescott", "nocona", "core", "nehalem", "westmere",
    "sandybridge", "ivybridge", "haswell", "broadwell", "skylake", "cannonlake", "icelake", "rocketlake", "tigerlake", "cooperlake", "cascadelake",
    "sapphirerapids", "alderlake", "bonnell", "atom", "silvermont", "slm", "goldmont", "tremont", "knl", "knm", "lakemont", "athlon", "opteron",
    "k6", "k8", "amdfam10", "barcelona", "bdver", "btver", "znver", "winchip", "geode", "eden", "nano",
};
// clang-format on
// clang-format on

template <typename List>
bool has_beginning_of(const List &list, string_view word) {
    return std::any_of(std::begin(list), std::end(list), [&](string_view beginning) { return word.starts_with(beginning); });
}

std::string machine_name(unsigned machine) {
    switch (machine) {
        case EM_386: return "32-bit x86";
        case EM_X86_64: return "x86-64";
        case EM_ARM: return "ARM";
        case EM_AARCH64: return "AArch64";
        case EM_PPC: return "PowerPC";
        case EM_PPC64: return "64-bit PowerPC";
        case EM_RISCV: return "RISC-V";
        case EM_S390: return "S/390";
        case EM_SPARC:
        case EM_SPARCV9: return "SPARC";
        default: return fmt::format("a machine with ELF's number {}", machine);
    }
}

struct Kind {
    std::string machine;  ///< empty: that of PEs
    unsigned type;        ///< ET_REL and so on
};

/// What an ELF file is, by its first bytes; nothing if it is none.
std::optional<Kind> elf_kind(string_view start) {
    if (start.size() < 20 || std::memcmp(start.data(), ELFMAG, SELFMAG) != 0) return std::nullopt;
    const bool little = start[EI_DATA] == ELFDATA2LSB;
    const auto half = [&](std::size_t at) {
        const auto first = static_cast<std::uint8_t>(start[at]), second = static_cast<std::uint8_t>(start[at + 1]);
        return little ? first | second << 8 : first << 8 | second;
    };
    const auto machine = static_cast<unsigned>(half(18));
    Kind kind{{}, static_cast<unsigned>(half(16))};
    if (machine != EM_MIPS) kind.machine = machine_name(machine);
    else if (!little) kind.machine = "big-endian MIPS";
    else if (start[EI_CLASS] != ELFCLASS32) kind.machine = "64-bit MIPS";
    return kind;
}

std::string read_start(std::ifstream &file, std::uint64_t at, std::size_t size) {
    std::string start(size, '\0');
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    file.read(start.data(), static_cast<std::streamsize>(size));
    start.resize(static_cast<std::size_t>(file.gcount()));
    return start;
}

Error not_for_pes(const std::string &what, const std::string &machine) {
    return Error{fmt::format("{} is for {}, and PEs run code of 32-bit little-endian MIPS; compile its sources with mogcc", what, machine)};
}

// Members of ar's archives: a header of 60 bytes with the name first and the size as text from 48 on, at even offsets.
Result<void> check_archive(const std::string &name, std::ifstream &file) {
    for (std::uint64_t at = 8;;) {
        const std::string header = read_start(file, at, 60);
        if (header.size() < 60) return {};
        const std::uint64_t size = std::strtoull(header.substr(48, 10).c_str(), nullptr, 10);
        if (const auto kind = elf_kind(read_start(file, at + 60, 20)); kind && !kind->machine.empty())
            return not_for_pes(fmt::format("what is in {}", name), kind->machine);
        at += 60 + size + size % 2;
    }
}

Result<void> check_input(const std::string &name) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(name, ignored)) return {};
    std::ifstream file(name, std::ios::binary);
    const std::string start = read_start(file, 0, 20);
    if (start.starts_with("!<arch>\n")) return check_archive(name, file);
    const auto kind = elf_kind(start);
    if (!kind) return {};
    if (!kind->machine.empty()) return not_for_pes(name, kind->machine);
    if (kind->type == ET_EXEC) return Error{fmt::format("{} is a linked program already; mogtr and mogas translate it", name)};
    if (kind->type == ET_DYN)
        return Error{fmt::format("{} is a shared library, which PEs cannot load; link an archive (.a) instead", name)};
    return {};
}

}  // namespace

bool is_for_other_processors(string_view option) {
    if (std::find(std::begin(whole_options), std::end(whole_options), option) != std::end(whole_options)) return true;
    if (option.starts_with("-fcf-protection")) return true;
    for (string_view chooses : {"-march=", "-mtune="})
        if (option.starts_with(chooses)) return has_beginning_of(x86_processors, option.substr(chooses.size()));
    if (!option.starts_with("-m")) return false;
    option.remove_prefix(option.starts_with("-mno-") ? 5 : 2);
    return has_beginning_of(x86_options, option);
}

Result<void> check_inputs(const std::vector<std::string> &files) {
    for (const std::string &file : files)
        if (Result<void> done = check_input(file); !done) return done;
    return {};
}

}  // namespace mog
