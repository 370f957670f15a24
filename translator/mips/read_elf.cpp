// read_elf.cpp: segments, symbols and relocations through libelf.
//
// The relocations matter for one thing only: which code addresses are taken, that is, where an indirect jump may go. The
// words themselves are final in a linked file.
#include "translator/mips/read_elf.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_set>

#include "interp_templates/launch_abi.h"
#include "translator/mips/exception_tables.hpp"
#include "translator/mips/find_frames.hpp"
#include "translator/mips/read_lines.hpp"

namespace mog {
namespace {

struct ElfCloser {
    void operator()(Elf *elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

/// A word of the file's final contents, wherever it was linked to.
std::optional<std::uint32_t> word_at(const Segments &segments, std::uint32_t address) {
    if (segments.has_code(address)) return segments.word(address);
    const std::span<const std::uint8_t> there = segments.from(address);
    if (there.size() < 4) return std::nullopt;
    std::uint32_t word;
    std::memcpy(&word, there.data(), 4);
    return word;
}

// User addresses of MIPS Linux end here. A file may ask for zeros between its data segments, but not for all of memory.
constexpr std::uint64_t end_of_memory = 0x7fff0000u;
constexpr std::uint64_t most_zeros = std::uint64_t{16} << 20;

Result<void> read_segments(Elf *elf, std::span<const std::uint8_t> bytes, ElfProgram &program) {
    Segments &out = program.segments;
    std::size_t count = 0;
    elf_getphdrnum(elf, &count);
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) continue;
        // A PE is one thread, so its thread-local variables are the initial ones themselves, where they stand in DATA.
        if (header.p_type == PT_TLS && header.p_memsz != 0)
            out.thread_pointer = static_cast<std::uint32_t>(header.p_vaddr) + 0x7000;  // TLS_TP_OFFSET of MIPS's ABI
        if (header.p_type != PT_LOAD) continue;
        if (header.p_offset > bytes.size() || header.p_filesz > bytes.size() - header.p_offset)
            return Error{fmt::format("segment {} reaches beyond the end of the file: it is damaged", i)};
        const std::uint8_t *from = bytes.data() + header.p_offset;
        const auto address = static_cast<std::uint32_t>(header.p_vaddr);
        const std::uint64_t size = std::max(header.p_memsz, header.p_filesz);
        if (size > end_of_memory || address > end_of_memory - size)
            return Error{fmt::format("segment {} reaches from {:#x} to {:#x}, beyond a program's memory", i, address, address + size)};
        if (header.p_flags & PF_X) {
            if (!out.code.empty()) return Error{"the program has two code segments; link it with mogcc"};
            if (address % 4 != 0) return Error{fmt::format("the code segment begins at {:#x}, which is no multiple of 4", address)};
            out.code_base = address;
            out.code.resize(header.p_filesz / 4);
            if (out.code.empty()) return Error{"the code segment is empty"};
            std::memcpy(out.code.data(), from, out.code.size() * 4);
        } else if (address == constants_base && (header.p_flags & PF_W) == 0) {
            if (size > most_constants)
                return Error{fmt::format("the constants take {} bytes, and there are addresses for {}", size, most_constants)};
            out.constants.assign(from, from + header.p_filesz);
            out.constants.resize((size + 7) / 8 * 8);
        } else {
            if (address < MOG_DATA_BASE)
                return Error{
                    fmt::format("data segment at {:#x}: MOG's data begins at {:#x}; link the program with mogcc", address, MOG_DATA_BASE)};
            const std::size_t offset = address - MOG_DATA_BASE;
            if (header.p_filesz != 0) {
                if (offset > bytes.size() + most_zeros)
                    return Error{fmt::format("data segment at {:#x}: there are {} MiB before it, more than the file can fill", address,
                                             offset >> 20)};
                out.data.resize(std::max<std::size_t>(out.data.size(), offset + header.p_filesz));
                std::memcpy(out.data.data() + offset, from, header.p_filesz);
            }
            out.brk = std::max(out.brk, static_cast<std::uint32_t>(address + size));
        }
    }
    if (out.code.empty()) return Error{"the file has no code"};
    out.data.resize((std::max<std::size_t>(out.data.size(), 4 * MOG_CB_WORDS) + 3) & ~std::size_t{3});
    out.brk = std::max(out.brk, static_cast<std::uint32_t>(MOG_DATA_BASE + out.data.size()));
    return {};
}

/// The sections that may not be written, if they stand together. A linker script may mix them with others: then what stands first does.
ReadOnlyData read_only_of(Elf *elf, const Segments &segments) {
    std::map<std::uint32_t, std::pair<std::uint32_t, bool>> sections;  // by address: the end, and whether it may be written
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) == nullptr || (h.sh_flags & SHF_ALLOC) == 0 || (h.sh_flags & SHF_EXECINSTR) != 0) continue;
        // Where DATA begins is what the host and the PE tell each other, whatever a section says.
        if (h.sh_addr < MOG_DATA_BASE + 4 * MOG_CB_WORDS || h.sh_size == 0 || h.sh_size > segments.data.size() ||
            h.sh_addr - MOG_DATA_BASE > segments.data.size() - h.sh_size)
            continue;
        const auto address = static_cast<std::uint32_t>(h.sh_addr);
        sections[address] = {address + static_cast<std::uint32_t>(h.sh_size), (h.sh_flags & SHF_WRITE) != 0};
    }
    const auto can_be_written = [](const auto &section) { return section.second.second; };
    const auto first = std::ranges::find_if_not(sections, can_be_written);
    const auto behind = std::find_if(first, sections.end(), can_be_written);
    if (first == behind) return {};
    constexpr std::uint32_t unit = 8;  // as much as one store writes
    const std::uint32_t end = std::prev(behind)->second.first, whole = (end + unit - 1) / unit * unit;
    const std::uint32_t most = behind == sections.end() ? MOG_DATA_BASE + static_cast<std::uint32_t>(segments.data.size()) : behind->first;
    const ReadOnlyData found{(first->first + unit - 1) / unit * unit, whole <= most ? whole : end / unit * unit};
    return found.begin < found.end ? found : ReadOnlyData{};
}

struct ElfSymbol {
    std::uint32_t value = 0;
    unsigned type = STT_NOTYPE;
    bool defined = false;
    bool local = false;
};

/// Of a function that is __mog_NAME to our libraries and NAME to programs (scripts/reserve-names) one symbol remains: NAME, with
/// the size that only the other one has.
void join_reserved_names(std::vector<Symbol> &symbols) {
    constexpr std::string_view prefix = "__mog_";
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> sizes;  // of what has the prefix, by the name without
    for (const Symbol &symbol : symbols)
        if (symbol.name.starts_with(prefix)) sizes[{symbol.address, symbol.name.substr(prefix.size())}] = symbol.size;
    std::set<std::pair<std::uint32_t, std::string>> joined;
    for (Symbol &symbol : symbols)
        if (const auto size = sizes.find({symbol.address, symbol.name}); size != sizes.end()) {
            symbol.size = size->second;
            joined.insert({symbol.address, fmt::format("{}{}", prefix, symbol.name)});
        }
    std::erase_if(symbols, [&](const Symbol &symbol) { return joined.contains({symbol.address, symbol.name}); });
}

constexpr unsigned relocation_pc32 = 248;  // R_MIPS_PC32, which glibc's elf.h lacks

std::vector<ElfSymbol> read_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr &header, ElfProgram &program) {
    Segments &segments = program.segments;
    std::vector<ElfSymbol> symbols;
    Elf_Data *data = elf_getdata(section, nullptr);
    const std::size_t count = data == nullptr || header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const auto value = static_cast<std::uint32_t>(symbol.st_value);
        const bool defined = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
        symbols.push_back({value, type, defined, GELF_ST_BIND(symbol.st_info) == STB_LOCAL});
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name != nullptr && std::string_view(name) == "_gp") program.gp = value;
        if (!defined || name == nullptr || *name == '\0' || type > STT_FUNC) continue;
        // Compilers leave local labels such as .LC0 and $L5 behind; they say nothing to a reader.
        if (type == STT_NOTYPE && (*name == '.' || *name == '$')) continue;
        segments.symbols.push_back({name, value, static_cast<std::uint32_t>(symbol.st_size), segments.has_code(value)});
    }
    join_reserved_names(segments.symbols);
    // Of several names for one place in the code, the one with a size is the function's own, not the linker script's.
    auto rank = [](const Symbol &s) { return std::tuple(s.address, s.size == 0, std::string_view(s.name)); };
    auto &all = segments.symbols;
    std::sort(all.begin(), all.end(), [&](const Symbol &a, const Symbol &b) { return rank(a) < rank(b); });
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Symbol &a, const Symbol &b) { return a.is_code && b.is_code && a.address == b.address; }),
              all.end());
    return symbols;
}

/// Collects the code addresses that the relocations of one section show to be taken.
class RelocationReader {
public:
    RelocationReader(const std::vector<ElfSymbol> &symbols, ElfProgram &program) : symbols_(symbols), program_(program) {
        for (const ElfSymbol &symbol : symbols)
            if (symbol.type == STT_FUNC && symbol.defined) functions_.insert(symbol.value);
    }

    void read(Elf_Scn *section, const GElf_Shdr &header) {
        Elf_Data *data = elf_getdata(section, nullptr);
        const std::size_t count = data == nullptr || header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
        std::map<std::size_t, std::uint32_t> high;  // symbol -> upper half that goes with the next LO16 against it
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Rel rel;
            if (gelf_getrel(data, static_cast<int>(i), &rel) == nullptr) break;
            const std::size_t index = GELF_R_SYM(rel.r_info);
            const auto place = static_cast<std::uint32_t>(rel.r_offset);
            const auto word = word_at(program_.segments, place);
            if (!word || index >= symbols_.size()) continue;
            const ElfSymbol &symbol = symbols_[index];
            const auto low = static_cast<std::uint32_t>(field_immediate(*word));
            switch (GELF_R_TYPE(rel.r_info)) {
                case R_MIPS_HI16: high[index] = *word << 16; break;
                case R_MIPS_LO16: take(high[index] + low, &program_.labels_in_code); break;
                case R_MIPS_GOT16:
                    // Of a local symbol the GOT holds the page, and a LO16 follows.
                    if (symbol.local) high[index] = word_at(program_.segments, program_.gp + low).value_or(0);
                    else take(symbol.value, &program_.labels_in_code);
                    break;
                case R_MIPS_32: take(*word, &program_.labels_in_data); break;
                case R_MIPS_GPREL32: take(*word + program_.gp, nullptr); break;  // jump tables of position-independent code
                case relocation_pc32: take(*word + place, nullptr); break;
                case R_MIPS_26:
                case R_MIPS_PC16: break;
                // CALL16 and the like: the address is that of the symbol itself.
                default:
                    if (symbol.type != STT_SECTION) take(symbol.value, &program_.labels_in_code);
            }
        }
    }

private:
    void take(std::uint32_t address, std::set<std::uint32_t> *labels) {
        if (!program_.segments.has_code(address)) return;
        const bool function = functions_.contains(address);
        program_.code_pointers[address] = function ? Entry::Function : Entry::Label;
        if (!function && labels != nullptr) labels->insert(address);
    }

    const std::vector<ElfSymbol> &symbols_;
    ElfProgram &program_;
    std::unordered_set<std::uint32_t> functions_;
};

}  // namespace

std::uint64_t constant_bytes(std::span<const std::uint8_t> bytes) {
    elf_version(EV_CURRENT);
    ElfHandle elf(elf_memory(const_cast<char *>(reinterpret_cast<const char *>(bytes.data())), bytes.size()));
    std::size_t names = 0;
    if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return 0;
    static constexpr std::string_view constant[] = {".rodata", ".rodata1", ".sdata2", ".eh_frame_hdr", ".eh_frame", ".gcc_except_table"};
    std::uint64_t sum = 0;
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) == nullptr) continue;
        const char *const name = elf_strptr(elf.get(), names, h.sh_name);
        if (name != nullptr && std::ranges::find(constant, std::string_view(name)) != std::end(constant)) sum += h.sh_size;
    }
    return sum;
}

Result<ElfProgram> read_elf(std::span<const std::uint8_t> bytes) {
    elf_version(EV_CURRENT);
    // libelf wants a pointer to non-const, but does not write without ELF_C_WRITE.
    ElfHandle elf(elf_memory(const_cast<char *>(reinterpret_cast<const char *>(bytes.data())), bytes.size()));
    GElf_Ehdr header;
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr) return Error{"not an ELF file"};
    if (header.e_machine != EM_MIPS || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_ident[EI_CLASS] != ELFCLASS32)
        return Error{"not a 32-bit little-endian MIPS file (mipsel)"};
    if (header.e_type != ET_EXEC) return Error{"not a linked executable"};
    constexpr unsigned mips16 = 0x04000000, micromips = 0x02000000;  // EF_MIPS_ARCH_ASE_*
    if ((header.e_flags & (mips16 | micromips)) != 0)
        return Error{"parts of it are MIPS16 or microMIPS code; compile without -mips16 and -mmicromips"};
    if ((header.e_flags & EF_MIPS_ABI2) != 0) return Error{"compiled for the n32 ABI; MOG runs o32"};

    ElfProgram program;
    program.entry = static_cast<std::uint32_t>(header.e_entry);
    if (auto done = read_segments(elf.get(), bytes, program); !done) return done.error();

    program.segments.read_only = read_only_of(elf.get(), program.segments);

    std::vector<ElfSymbol> symbols;
    bool has_symbols = false;
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) == nullptr || h.sh_type != SHT_SYMTAB) continue;
        symbols = read_symbols(elf.get(), section, h, program);
        has_symbols = true;
    }
    RelocationReader relocations(symbols, program);
    bool code_relocations = false;
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) == nullptr) continue;
        std::size_t names = 0;
        elf_getshdrstrndx(elf.get(), &names);
        const char *name = elf_strptr(elf.get(), names, h.sh_name);
        if (h.sh_type == SHT_REL) {
            GElf_Shdr target;
            Elf_Scn *to = elf_getscn(elf.get(), h.sh_info);
            if (to == nullptr || gelf_getshdr(to, &target) == nullptr || (target.sh_flags & SHF_ALLOC) == 0) continue;
            code_relocations = code_relocations || (target.sh_flags & SHF_EXECINSTR) != 0;
            relocations.read(section, h);
        } else if (name != nullptr && std::string_view(name) == ".mogshared" && h.sh_addr == MOG_SHARED_BASE) {
            if (h.sh_size > MOG_SHARED_MOST)
                return Error{
                    fmt::format("the variables that PEs share take {} bytes, and there are addresses for {}", h.sh_size, MOG_SHARED_MOST)};
            program.segments.window_bytes = static_cast<std::uint32_t>(h.sh_size);
        } else if (name != nullptr && std::string_view(name) == ".got") {
            // The linker fills the GOT of a static program itself and leaves no relocations for it.
            for (std::uint32_t at = 0; at + 4 <= h.sh_size; at += 4) {
                const auto word = word_at(program.segments, static_cast<std::uint32_t>(h.sh_addr) + at);
                if (word && program.segments.has_code(*word)) program.code_pointers.try_emplace(*word, Entry::Function);
            }
        } else if (name != nullptr && std::string_view(name) == ".eh_frame" && (h.sh_flags & SHF_ALLOC) != 0) {
            const auto pads = landing_pads(program.segments, static_cast<std::uint32_t>(h.sh_addr), static_cast<std::uint32_t>(h.sh_size));
            if (!pads) return pads.error();
            for (const std::uint32_t pad : *pads) program.code_pointers.try_emplace(pad, Entry::Label);
        }
    }
    if (!program.segments.has_code(program.entry)) return Error{"the entry point is not in the code"};
    // Code without a single jump to an address, which is what relocations are for, may well have none.
    const auto &code = program.segments.code;
    const bool jumps = std::any_of(code.begin(), code.end(), [](std::uint32_t word) { return (word >> 26 & ~1u) == 2; });
    if (!code_relocations && jumps && !has_symbols)
        return Error{
            "it is stripped: the relocations that MOG needs went with its symbols; take it as it was linked, without strip and -s"};
    if (!code_relocations && jumps) return Error{"the file has no relocations for its code; link with --emit-relocs (mogcc does)"};
    read_lines(elf.get(), program.segments);
    find_frames(program);
    return program;
}

}  // namespace mog
