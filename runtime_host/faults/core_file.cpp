// core_file.cpp: an ELF32 core as Linux writes it for o32: headers, notes, memory. The layouts are those of elf_prstatus,
// elf_fpregset_t and elf_prpsinfo in Linux's arch/mips/include/uapi/asm and include/uapi/linux/elfcore.h.
#include "runtime_host/faults/core_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace mog {

namespace {

constexpr std::size_t page = 4096;
constexpr std::uint32_t abi_o32 = 0x1000;  // E_MIPS_ABI_O32, which glibc's elf.h lacks

/// struct elf_prstatus, o32
struct PrStatus {
    std::uint32_t signal_info[3] = {};  ///< number, code, errno
    std::uint16_t signal = 0, padding = 0;
    std::uint32_t pending = 0, held = 0;
    std::uint32_t pid = 0, parent = 0, group = 0, session = 0;
    std::uint32_t times[8] = {};
    // elf_gregset_t: six unused words, $0 to $31, lo, hi, epc, badvaddr, status, cause, one unused
    std::uint32_t unused[6] = {};
    std::uint32_t general[32] = {};
    std::uint32_t lo = 0, hi = 0, pc = 0, bad_address = 0, status = 0, cause = 0, unused_end = 0;
    std::uint32_t has_fpu = 1;
};
static_assert(sizeof(PrStatus) == 256);

/// elf_fpregset_t: 32 doublewords and the control register
struct FpRegisters {
    std::uint32_t words[64] = {};
    std::uint32_t control = 0, implementation = 0;
};
static_assert(sizeof(FpRegisters) == 264);

/// struct elf_prpsinfo, o32
struct PrPsInfo {
    char state = 0, state_name = 'R', zombie = 0, nice = 0;
    std::uint32_t flags = 0, user = 0, group = 0, pid = 0, parent = 0, process_group = 0, session = 0;
    char name[16] = {};
    char arguments[80] = {};
};
static_assert(sizeof(PrPsInfo) == 128);

template <std::size_t N>
void copy_text(char (&to)[N], const std::string &text) {
    std::memcpy(to, text.data(), std::min(text.size(), N - 1));
}

template <typename T>
void append(std::string &out, const T &value) {
    out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

template <typename T>
void append_note(std::string &out, std::uint32_t type, const T &content) {
    append(out, Elf32_Nhdr{5, sizeof content, type});
    out.append("CORE\0\0\0\0", 8);
    append(out, content);
}

struct Registers {
    PrStatus status;
    FpRegisters floats;
};

/// Of a thread, which has the number of its PE.
Registers registers_of(const Image &image, StoppedPe &pe, std::uint32_t process) {
    constexpr std::array names{"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7",
                               "s0",   "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra"};
    const std::vector<std::uint32_t> &registers = pe.registers();
    const auto value_of = [&](std::string_view name) {
        const std::optional<std::uint32_t> number = find_register(image, name);
        return number && *number < registers.size() ? registers[*number] : 0u;
    };
    PrStatus status;
    status.pid = pe.pe() + 1;  // gdb takes 0 for no process
    status.group = status.session = process + 1;
    for (std::size_t i = 1; i < names.size(); i++) status.general[i] = value_of(names[i]);
    status.lo = value_of("lo");
    status.hi = value_of("hi");
    status.pc = pe.address();
    FpRegisters floats;
    // FPU registers of 32 bits: an even one and its neighbour share a doubleword.
    for (std::uint32_t i = 0; i < 32; i++) floats.words[2 * (i & ~1u) + (i & 1)] = value_of(fmt::format("f{}", i));
    return {status, floats};
}

/// The thread that ended its process stands first, as Linux has it: debuggers begin with it.
std::string notes_of(const CoreOrigin &origin, const Image &image, const CoreSubject &subject) {
    Registers first = registers_of(image, subject.pe, subject.process);
    first.status.signal_info[0] = first.status.signal = static_cast<std::uint16_t>(subject.signal);
    first.status.bad_address = subject.bad_address;
    PrPsInfo process;
    process.pid = subject.process + 1;
    copy_text(process.name, origin.program + ".elf");  // gdb compares it with the name of the file it is given
    copy_text(process.arguments, origin.arguments);

    std::string notes;
    append_note(notes, NT_PRSTATUS, first.status);
    append_note(notes, NT_PRPSINFO, process);
    append_note(notes, NT_FPREGSET, first.floats);
    for (StoppedPe &thread : subject.other_threads) {
        const Registers registers = registers_of(image, thread, subject.process);
        append_note(notes, NT_PRSTATUS, registers.status);
        append_note(notes, NT_FPREGSET, registers.floats);
    }
    return notes;
}

Error failed(const std::filesystem::path &path) { return Error{fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))}; }

bool write_at(int fd, const void *bytes, std::size_t size, std::size_t at) {
    const char *from = static_cast<const char *>(bytes);
    while (size > 0) {
        const ssize_t n = pwrite(fd, from, size, static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        from += n;
        at += static_cast<std::size_t>(n);
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

}  // namespace

bool CoreConfig::wants(std::uint32_t rank, bool is_first) const {
    switch (which) {
        case Which::None: return false;
        case Which::Ranks: return std::ranges::binary_search(ranks, rank);
        case Which::First: return is_first;
        case Which::All: return true;
    }
    return false;
}

std::filesystem::path core_path(const CoreConfig &config, std::uint32_t rank) {
    return std::filesystem::path(config.directory) / fmt::format("core.{}", rank);
}

Result<void> write_core(const CoreConfig &config, const CoreOrigin &origin, const Image &image, std::uint32_t rank,
                        const CoreSubject &subject) {
    Result<std::vector<std::uint8_t>> data = subject.pe.data();
    if (!data) return data.error();
    const std::string notes = notes_of(origin, image, subject);

    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_CORE;
    header.e_machine = EM_MIPS;
    header.e_version = EV_CURRENT;
    header.e_phoff = sizeof header;
    header.e_flags = abi_o32 | EF_MIPS_ARCH_32R2;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf32_Phdr);
    header.e_phnum = 2;
    const std::uint32_t notes_at = sizeof header + 2 * sizeof(Elf32_Phdr);
    const auto memory_at = static_cast<std::uint32_t>((notes_at + notes.size() + page - 1) / page * page);
    const auto size = static_cast<std::uint32_t>(data->size());
    Elf32_Phdr note{}, memory{};
    note.p_type = PT_NOTE;
    note.p_offset = notes_at;
    note.p_filesz = static_cast<std::uint32_t>(notes.size());
    note.p_align = 4;
    memory.p_type = PT_LOAD;
    memory.p_offset = memory_at;
    memory.p_vaddr = MOG_DATA_BASE;
    memory.p_filesz = memory.p_memsz = size;
    memory.p_flags = PF_R | PF_W;
    memory.p_align = page;
    std::string head;
    append(head, header);
    append(head, note);
    append(head, memory);
    head += notes;

    const std::filesystem::path path = core_path(config, rank);
    std::string temporary;
    OwnedFd file = origin.folder ? origin.folder->create(0600, &temporary) : OwnedFd();
    const int fd = file.get();
    if (!file) return failed(path);
    bool good = ftruncate(fd, static_cast<off_t>(std::size_t{memory_at} + size)) == 0 && write_at(fd, head.data(), head.size(), 0);
    for (std::size_t at = 0; good && at < size; at += page) {
        const std::span<const std::uint8_t> piece(data->data() + at, std::min<std::size_t>(page, size - at));
        const bool is_zero = std::all_of(piece.begin(), piece.end(), [](std::uint8_t byte) { return byte == 0; });
        if (!is_zero) good = write_at(fd, piece.data(), piece.size(), memory_at + at);
    }
    if (!good) {
        const Error error = failed(path);
        origin.folder->remove(temporary);
        return error;
    }
    return origin.folder->name(temporary, path.filename().string()) ? Result<void>() : failed(path);
}

}  // namespace mog
