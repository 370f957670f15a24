#!/usr/bin/env python3
"""typed_once.py ROOT: no constant of the ABI between PEs and the host is written a second time, outside of abi/ and launch_abi.h.

What it can see, in the sources of both sides:
  - a #define, an enumerator or a constant of a name that abi/ gives a value, with or without LINUX_ or _MIPS, that has a value of its own
  - a row that pairs such a name with a number: {0x200, "AT_REMOVEDIR"}, ERROR(45, EDEADLK)
  - a number of a system call, or another number that stands for one thing only: a request of ioctl(), a handle of MPI
  - a structure of Linux, with the tag that it has in structures.h
  - a number of a kernel's parameter in place of MOG_ARG_...
It does not see a small number that stands for a flag without naming it. Tests say numbers on their own: they are what the tables are
compared with, but for the fuzzer, which makes calls from the tables.

Before the tree it looks at a tree with a mistake of each kind, and fails if it misses one.
"""
import re
import sys
import tempfile
from pathlib import Path

SIDES = ["runtime_host", "runtime_pe", "mogcc", "translator", "assembler", "support", "tests/fuzz/raw_calls.c"]
SUFFIXES = {".c", ".h", ".S", ".cpp", ".hpp", ".def"}
# newlib's own numbers, which runtime_pe changes into Linux's, and constants of the same name that the library has for itself.
OWN = {
    ("runtime_pe/additions/sys/stat.h", "UTIME_NOW"), ("runtime_pe/additions/sys/stat.h", "UTIME_OMIT"),
    ("runtime_pe/include/sys/signal.h", "NSIG"),
    ("runtime_pe/include/sys/syslimits.h", "PATH_MAX"),     # compared in system.c
}
# Numbers that are none of those of the ABI, by the names of files: byte orders, makers of devices, options of sockets, handles of a system's MPI.
OTHER = {("endian.h", 4321), ("opencl_info.cpp", 0x1002), ("opencl_info.cpp", 0x10de), ("system_mpi.cpp", 0x44000000),
         ("system_mpi.cpp", 0x4c00010d), ("system_mpi.cpp", 0x54000001), *(("socket.h", option) for option in range(0x1001, 0x100a))}
NUMBER = r"[-(]*(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)*"


def value_of(text):
    text = text.strip("()").rstrip("uUlL")
    return int(text, 8) if re.fullmatch(r"-?0[0-7]+", text) else int(text, 0)


def tables(root):
    """Names of constants with their values, and numbers of system calls by name."""
    constants, calls = {}, {}
    for table in sorted((root / "abi").glob("*.def")):
        for kind, first, second in re.findall(r"^(MOG_\w+)\(([^,]+), ([^,)]+)", table.read_text(), re.M):
            if kind == "MOG_LINUX_CALL":
                calls[second] = int(first)
            elif re.fullmatch(NUMBER, second):
                constants[first] = value_of(second)
    for header in sorted((root / "abi").glob("*.h")):
        for name, value in re.findall(rf"^#define (\w+) \(*(?:\(\w+\))?({NUMBER})", header.read_text(), re.M):
            constants[name] = value_of(value)
    return constants, calls


def telling(constants, calls):
    """Numbers that are no power of two, nor one less, and too long to stand for something else by chance."""
    numbers = {value & 0xffffffff: name for name, value in constants.items()
               if (value < -99 or value > 0x1000) and value & (value - 1) and value & (value + 1)}
    numbers.update({number: name for name, number in calls.items() if number not in (4000, 4095, 4096)})  # sizes, too
    return numbers


def without_comments(text):
    """The same lines, without comments; strings stay."""
    blank = lambda match: match[0] if match[0][0] in "\"'" else re.sub(r"[^\n]", " ", match[0])
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', blank, text, flags=re.S)


def check(root):
    constants, calls = tables(root)
    structures = set(re.findall(r"^struct (\w+) \{", "".join(p.read_text() for p in (root / "abi").glob("*.h")), re.M))
    numbers = telling(constants, calls)
    failures, seen = [], 0
    # Any word, which is then looked up: an expression of a thousand names takes as long as all else.
    prefix = re.compile(r"^(?:LINUX_|MOG_SYS_|__NR_|SYS_)")

    def constant_of(word):
        """The name that abi/ gives a value, of one with or without affixes, or None."""
        bare = word.removesuffix("_MIPS")
        return next((name for name in (word, bare, prefix.sub("", word), prefix.sub("", bare)) if name in constants), None)

    definition = re.compile(rf"(?:#\s*define\s+(\w+)\s+|\b(\w+)\s*(?:=(?!=)|\{{)\s*)({NUMBER})(?![\w.])")
    row = re.compile(rf"[({{]\s*(?:({NUMBER})\s*,\s*\"?\b(\w+)\"?|\"?\b(\w+)\"?\s*,\s*({NUMBER}))\s*[,)}}]")
    number_of_call = re.compile(rf"(?:LINUX_|MOG_SYS_|__NR_|SYS_|call_)(\w+)\s*(?:=(?!=)|\s)\s*{NUMBER}")
    for side in SIDES:
        for path in [root / side] if (root / side).is_file() else sorted((root / side).rglob("*")):
            if not path.is_file() or path.suffix not in SUFFIXES:
                continue
            seen += 1
            place = path.relative_to(root).as_posix()
            text = without_comments(path.read_text(errors="replace"))

            def tell(match_or_place, what):
                at = match_or_place if isinstance(match_or_place, int) else match_or_place.start()
                failures.append(f"{place}:{text.count(chr(10), 0, at) + 1}: {what}")

            for found in definition.finditer(text):
                constant = constant_of(found[1] or found[2])
                if constant and (place, constant) not in OWN:
                    tell(found, f"{constant} is a constant of abi/")
            for found in row.finditer(text):
                constant, value = constant_of(found[2] or found[3]), found[1] or found[4]
                # Not a call that has a name and a number as arguments.
                if constant and constants[constant] not in (0, 1, 2, 3) and value_of(value) & 0xffffffff == constants[constant] & 0xffffffff:
                    tell(found, f"a row of {constant}, which abi/ has")
            for found in number_of_call.finditer(text):
                if found[1] in calls:
                    tell(found, f"the number of {found[1]} stands in abi/syscalls.def")
            for found in re.finditer(r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+)(?=[uUlL]*(?![\w.]))", re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: " " * len(m[0]), text)):
                value = value_of(found[0]) if found[0] == "0" or not re.fullmatch(r"0\d*[89]\d*", found[0]) else -1
                if side.startswith(("runtime", "tests")) and value in numbers and (path.name, value) not in OTHER:
                    tell(found, f"{found[0]} is {numbers[value]} of abi/")
            for found in re.finditer(r"\bstruct (linux_\w+|mog_mpi_\w+)\s*\{", text):
                if found[1] in structures or found[1].startswith("linux_"):
                    tell(found, f"struct {found[1]} belongs to abi/structures.h")
            for found in re.finditer(r"\b(?:set_local|clSetKernelArg)\([^,;]*,\s*\d+\s*,", text):
                tell(found, "a parameter of a kernel has a name, MOG_ARG_...")
    # The linker script has no preprocessor.
    base = re.compile(r"\bMOG_DATA_BASE\b[ =]*(0x[0-9a-f]+)")
    scripts = {p: base.search((root / p).read_text()) for p in ("interp_templates/launch_abi.h", "runtime_pe/mog.ld") if (root / p).exists()}
    if len({found[1] for found in scripts.values()}) > 1:
        failures.append("runtime_pe/mog.ld: another MOG_DATA_BASE than that of launch_abi.h")
    return failures, seen


PLANTED = {
    "runtime_host/again.hpp": ("inline constexpr std::uint32_t LOCK_EX_MIPS = 2;\n", "LOCK_EX is a constant of abi/"),
    "runtime_pe/again.h": ("#define LINUX_AT_FDCWD -100\n", "AT_FDCWD is a constant of abi/"),
    "runtime_pe/again.c": ("enum { SIGEMT = 7 };\n", "SIGEMT is a constant of abi/"),
    "runtime_host/names.cpp": ('constexpr Name names[] = {{0x200, "AT_REMOVEDIR"}};\n', "a row of AT_REMOVEDIR"),
    "runtime_host/errors.def": ("ERROR(EDEADLK, 45)\n", "a row of EDEADLK"),
    "runtime_host/call.cpp": ("if (number == 4283) return;\n", "4283 is set_thread_area of abi/"),
    "runtime_pe/numbers.h": ("#define LINUX_read 3\n", "the number of read stands in abi/"),
    "runtime_host/terminal.cpp": ("bool asks(unsigned request) { return request == 0x40087468u; }\n", "0x40087468 is TIOCGWINSZ of abi/"),
    "runtime_host/mpi/sum.cpp": ("const int sum = 0x58000003;\n", "0x58000003 is MPI_SUM of abi/"),
    "runtime_pe/files/dirent.c": ("struct linux_stat64 {\n    int dev;\n};\n", "struct linux_stat64 belongs to abi/"),
    "runtime_host/kernel.cpp": ("cl_.set_local(run_.get(), 13, bytes);\n", "a parameter of a kernel has a name"),
}
INNOCENT = """// 4283 and 0x40087468 in a comment; AT_REMOVEDIR is 0x200.
int f(int fd) { return open("/x", O_RDONLY, 0) < 0 || lseek(fd, 0, SEEK_SET) || flock(fd, LOCK_EX) || fd == LOCK_EX; }
static const int size = 4096; /* SIGEMT = 7 */ const char *text = "4283";
struct linux_stat64 status; if (error == EDEADLK) report(EDEADLK, 1);
"""


def self_test(root):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        (copy / "abi").mkdir()
        for path in (root / "abi").iterdir():
            if path.is_file():
                (copy / "abi" / path.name).write_text(path.read_text())
        for place, (text, _) in PLANTED.items():
            (copy / place).parent.mkdir(parents=True, exist_ok=True)
            (copy / place).write_text(text)
        (copy / "runtime_host/innocent.cpp").write_text(INNOCENT)
        told = check(copy)[0]
        for place, (_, message) in PLANTED.items():
            if not any(line.startswith(f"{place}:1: {message}") for line in told):
                failures.append(f"planted in {place} and not found: {message}")
        failures += [f"found where nothing is wrong: {line}" for line in told if "innocent" in line]
    return failures


tree = Path(sys.argv[1])
problems, files = check(tree)
problems = self_test(tree) + problems
print(f"{files} sources", *problems, sep="\n")
sys.exit(1 if problems or files < 100 else 0)
