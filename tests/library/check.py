#!/usr/bin/env python3
"""check.py TABLE ...: is the C library of PEs what the tables say, and does docs/c-library.md say it?

For each header of c11.txt and posix.txt one program is made that includes it and uses all that it should have, and linked by
mogcc; so what is declared and missing is found too. What the tables say is absent has to be absent.

--rebase writes docs/c-library.md anew. Status: 0 all is true, 1 something is not, 2 usage.
"""
import argparse
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "docs" / "c-library.md"


# Rows that say more of names than what they are.
MARKS = ("c99", "c11", "gone")
# What -std= calls the editions of C, and the rows of names that it has not.
EDITIONS = {"c90": {"c99", "c11"}, "c99": {"c11"}, "c11": {"gone"}, "c17": {"gone"}}
# C's keywords, and what gcc has for one.
KEYWORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return
    short signed sizeof static struct switch typedef union unsigned void volatile while""".split())


def read_table(path):
    """[(header, is there, [(kind, name)])]"""
    sections = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        heading = re.fullmatch(r"\[(no )?([\w/.]+)\]", line)
        if heading:
            sections.append((heading[2], not heading[1], []))
            continue
        kind, *names = line.split()
        if kind not in ("fn", "macro", "type", "no", *MARKS, "member") or not sections or not sections[-1][1]:
            sys.exit(f"{path}:{number}: {line!r} has no meaning there")
        sections[-1][2].extend((kind, name) for name in names)
    return sections


def use(kind, name):
    """Text that compiles if the name is there."""
    if kind == "macro":
        return f"#ifndef {name}\n#error no macro {name}\n#endif\n"
    if kind == "type":
        return f"{name.replace('struct_', 'struct ')} of_type_{name};\n"
    return f"void *volatile to_{name} = (void *)({name});\n"


class Compiler:
    def __init__(self, mogcc, folder):
        self.mogcc, self.folder = mogcc, Path(folder)
        self.predefined = {}  # by edition: macros of no header

    def complaints(self, source, stop="--emit=elf"):
        path = self.folder / "use.c"
        path.write_text(source)
        done = subprocess.run([self.mogcc, "-std=gnu17", "-w", "--order-time=0.001", stop, path, "-o", self.folder / "use.out"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        lines = [line for line in done.stderr.splitlines() if re.search(r"error:|undefined reference|multiple definition", line)]
        return (lines or [done.stderr]) if done.returncode else []

    def words_of(self, header, std):
        """All words of a header that are not reserved: its macros, and what stands in its text, also as a parameter, for a macro of the program's
        may have any such name."""
        def lines(source):
            command = [self.mogcc, f"-std={std}", "-w", "-U__OPTIMIZE__", "-E", "-dD", "-P", "-x", "c", "-"]
            return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout

        def macros(text):
            last = {name: what for what, name in re.findall(r"^#(define|undef) (\w+)", text, re.M)}
            return {name for name, what in last.items() if what == "define"}

        self.predefined.setdefault(std, macros(lines("")))
        text = lines(f"#include <{header}>\n")
        program = re.sub(r'"(\\.|[^"])*"|\'(\\.|[^\'])*\'', " ", re.sub(r"^#.*", "", text, flags=re.M))
        words = macros(text) - self.predefined[std] | set(re.findall(r"[A-Za-z_]\w*", program)) - KEYWORDS
        return {word for word in words if not word.startswith("_")}

    def warnings(self, header, std, *options):
        """What the compiler says of a header alone."""
        language = ["-x", "c++"] if "++" in std else ["-x", "c"]
        done = subprocess.run([self.mogcc, f"-std={std}", *options, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *language, "-"],
                              input=f"#include <{header}>\nint nothing;\n", capture_output=True, text=True)
        return [] if done.returncode == 0 and not done.stderr else [f"<{header}> with -std={std}: {done.stderr}"]

    def names_of(self, header, std):
        """The macros that a header defines and (in C alone) the functions that it declares, but those that begin with an underscore."""
        path, list = self.folder / "names.c", self.folder / "names.list"
        path.write_text(f"#include <{header}>\n")
        base = [self.mogcc, f"-std={std}", "-w", "-U__OPTIMIZE__"]
        macros = subprocess.run([*base, "-dM", "-E", path], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
        found = set(re.findall(r"^#define (\w+)", macros, re.M))
        if std == "c11":
            subprocess.run([*base, "-fsyntax-only", "-aux-info", list, path], stdin=subprocess.DEVNULL, check=True)
            found |= set(re.findall(r"(\w+) \(", list.read_text()))
        return {name for name in found if not name.startswith("_")} - {"LANGUAGE_C", "MIPSEL", "R3000", "mips", "unix", "void", "attribute"}


def check(header, there, names, compiler, prefix):
    start = f"{prefix}#include <{header}>\n"
    if not there:
        return [] if compiler.complaints(start, "-fsyntax-only") else [f"<{header}> is there, and the table says it is not"]
    # Volatile pointers outlive --gc-sections when main reads them.
    functions = [name for kind, name in names if kind == "fn"]
    reads = "".join(f"sum += (long)to_{name};\n" for name in functions)
    source = start + "".join(use(kind, name) for kind, name in names if kind in ("fn", "macro", "type"))
    problems = [f"<{header}>: {line}" for line in compiler.complaints(source + f"int main(void) {{ long sum = 0;\n{reads}return sum == 1; }}\n")]
    for kind, name in names:
        if kind == "no" and not compiler.complaints(start + use("fn", name) + f"int main(void) {{ return to_{name} != 0; }}\n"):
            problems.append(f"<{header}>: {name} is there, and the table says it is not")
    return problems


# Macros of C that the table names by examples only, or that C reserves for a header beside those it names.
MORE_MACROS = {
    "errno.h": "E[0-9A-Z].*", "fenv.h": "FE_[A-Z].*", "float.h": "(FLT|L?DBL)_.*", "inttypes.h": "(PRI|SCN)[diouxX].*", "locale.h": "LC_[A-Z].*",
    "math.h": "(FP|MATH)_[A-Z].*", "signal.h": "SIG_?[A-Z].*", "stdatomic.h": "(ATOMIC|atomic)_.*", "time.h": "TIME_[A-Z].*",
    "stdint.h": "(U?INT.*|PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)_(MIN|MAX|C)", "wchar.h": "", "tgmath.h": "",
}
# The editions that headers came with, those of C90 apart; and headers of C that C++20 has not.
FROM = {"complex.h": "c99", "fenv.h": "c99", "inttypes.h": "c99", "stdbool.h": "c99", "stdint.h": "c99", "tgmath.h": "c99", "iso646.h": "c99", "wchar.h": "c99",
        "wctype.h": "c99", "stdalign.h": "c11", "stdatomic.h": "c11", "stdnoreturn.h": "c11", "threads.h": "c11", "uchar.h": "c11"}
NOT_IN_CXX = {"stdatomic.h", "stdnoreturn.h"}
# Headers that bring others along, as C says.
BRINGS = {"inttypes.h": ["stdint.h"], "threads.h": ["time.h"], "tgmath.h": ["math.h", "complex.h"]}


def leaks(c11, compiler):
    """What headers define or declare that C does not give them: in C alone anything that is not reserved, else what is another header's."""
    own = {header: {name for kind, name in names if kind not in MARKS} for header, there, names in c11 if there}
    problems = []
    for header in own:
        brings = [header, *BRINGS.get(header, [])]
        known = set().union(*(own[one] for one in brings))
        pattern = re.compile("|".join(f"({MORE_MACROS[one]})" for one in brings if MORE_MACROS.get(one)) or "(?!)")
        found = {std: compiler.names_of(header, std) for std in ("c11", "gnu17")}
        others = set().union(*(own[one] for one in own)) - known
        for std, names in found.items():
            for name in sorted(names - known):
                if not pattern.fullmatch(name) and (std == "c11" or name in others):
                    problems.append(f"<{header}> has {name} with -std={std}, which C does not say")
    return problems


def editions(c11, compiler):
    """For each edition of C, what headers have that is the program's, and what they should have and lack. f and l behind a function of <math.h>
    make one of the same edition; C90 only reserves them."""
    tables = {}
    for header, there, names in c11:
        if there:
            of_mark = {mark: {name.replace("struct_", "") for kind, name in names if kind == mark} for mark in MARKS}
            own = {name.replace("struct_", "") for kind, name in names if kind not in (*MARKS, "no", "member")}
            member = {name for kind, name in names if kind == "member"} - own
            tables[header] = own, member, of_mark
    problems = []
    for std, lacks in EDITIONS.items():
        for header, (own, member, of_mark) in tables.items():
            given, wanted, pattern = set(), set(), []
            for one in [header, *BRINGS.get(header, [])]:
                one_own, one_member, one_marks = tables[one]
                later = set().union(*(one_marks[mark] for mark in lacks))
                suffixed = {name for name in one_own if name[-1] in "fl" and name[:-1] in one_own} if one == "math.h" else set()
                later |= {name for name in suffixed if name[:-1] in later}
                given |= (one_own | one_member | one_marks["gone"]) - later
                wanted |= one_own - later - (suffixed if std == "c90" else set())
                if MORE_MACROS.get(one):
                    pattern.append(f"({MORE_MACROS[one]})")
            # Headers that came with a later edition are that one's own affair before.
            if header in FROM and list(EDITIONS).index(FROM[header]) > list(EDITIONS).index(std):
                continue
            words = compiler.words_of(header, std)
            reserved = re.compile("|".join(pattern) or "(?!)")
            problems += [f"<{header}> has {name} with -std={std}, which is the program's" for name in sorted(words - given)
                         if not reserved.fullmatch(name) or name in set().union(*(of_mark[mark] for mark in lacks))]
            problems += [f"<{header}> lacks {name} with -std={std}" for name in sorted(wanted - words) if not name.startswith("_")]
    return problems


def alone(c11, posix, compiler):
    """Each header by itself, in editions of C and C++."""
    problems = []
    for header in sorted({header for table in (c11, posix) for header, there, _ in table if there}):
        problems += compiler.warnings(header, "gnu17")
        if header not in FROM or FROM[header] == "c99":
            problems += compiler.warnings(header, "c99", "-pedantic-errors")
        if header not in NOT_IN_CXX:
            problems += compiler.warnings(header, "c++20")
    return problems


def names_of(names, *kinds):
    return ", ".join(f"`{name.replace('struct_', 'struct ')}`" for kind, name in names if kind in kinds)


def document(c11, posix):
    wrap = lambda text: textwrap.fill(text, 128, break_long_words=False, break_on_hyphens=False) + "\n"
    text = ["# The C library of PEs\n",
            wrap("Programs are linked with newlib and what `runtime_pe/` adds and replaces. This page is made of `tests/library/*.txt`, "
                 "which a test compares with the library; `tests/library/check.py --rebase` writes it."),
            "## C11\n",
            wrap("All functions, macros and types of " + ", ".join(f"`<{header}>`" for header, there, _ in c11 if there) + "."),
            wrap("A program may define any other name itself, also one of the functions below: the library goes on using its own. Headers "
                 "of C have no other name that is not reserved, also as a parameter or type, with `-std=c11`, `c99` or `c90`, and what came with an edition of C only from that on."),
            "What is different from other libraries:\n",
            "- `long double` is `double`, as MIPS o32 has it in newlib. `exp`, `exp2`, `log`, `log2`, `pow`, and with them `sinf` and `cosf` of\n"
            "  `float` give glibc's bits (but where its own take a fused multiply-add); other functions of `<math.h>` may differ in the last one;\n"
            "  `fma`, `sqrt`, conversions between types, `printf` and `strtod` are exact.\n"
            "  Doubles are converted by products of 128 bits (`runtime_pe/libc/decimal`), and by newlib's bignums where more than 17 digits are\n"
            "  asked for, more than 10^18 is printed with `%f`, or a decimal lies next to the middle between two doubles.\n"
            "- One locale, \"C\", with multibyte characters in UTF-8 after `setlocale(LC_ALL, \"C.UTF-8\")`, which `\"\"` is where `LANG` names a\n"
            "  locale in UTF-8. `setlocale` and `newlocale` refuse all others.\n"
            "- Known to be wrong in newlib: `strtol(\"0x\")` does not consume the 0; `strtof` rounds to double first; `scanf` does not\n"
            "  read hexadecimal floats; `printf` does not know `%2$d` (which is POSIX's) and `%m` (glibc's; `syslog` does): newlib\n"
            "  can, but then each program that prints takes `mogcc` a fifth longer, and a PE 5.6 KB of memory more. `strtod` does\n"
            "  not report subnormal results\n"
            "  as `ERANGE`, and `%a` shows them normalized, which C leaves open.\n"
            "- `system()` runs nothing: `system(NULL)` is 0.\n",
            "## POSIX and GNU\n",
            wrap("Of threads there is a page of its own: [threads](threads.md), and one of [memory](memory.md) that PEs share (`shm_open`, locks that are shared). `mmap` gives a piece of the heap, with what the file held. What is "
                 "written to a mapping that is shared with a file (`MAP_SHARED`) is in the file after `msync`, `munmap` or the end of the process, "
                 "unless a fault or a signal is its end; bytes that were not changed are not written, so PEs may write different parts of a page. "
                 "What the process itself writes to the file by a descriptor is in its mappings at once; what others write is seen after `msync` with `MS_INVALIDATE`. Such a mapping takes twice its memory. `off_t` has 32 bits, whatever `_FILE_OFFSET_BITS` says, and files' times end in 2038. Functions that want another process fail with `ENOSYS`, "
                 "`dlopen` fails and `dlerror` says why. A PE is in no network: `socket` fails with `EAFNOSUPPORT`, and `getaddrinfo` knows numbers and "
                 "`localhost`, all else is `EAI_FAIL`. Users and groups are not known, but for the user "
                 "that `USER` names."),
            wrap("Time zones are the host's: `TZ` names a file in `/usr/share/zoneinfo` (or `$TZDIR`), or is a rule of POSIX; without `TZ` it is "
                 "`/etc/localtime`. Programs read these files as any others, so under `--root` they are looked for in that directory. Under "
                 "`--no-files`, or where they are missing, only rules are known, and `TZ=Europe/Berlin` is UTC with the name `Europe`, as with "
                 "glibc. Leap seconds (`right/...`) are not counted."),
            "| header | there | not there |\n|---|---|---|"]
    for header, there, names in sorted(posix):
        if there:
            text.append(f"| `<{header}>` | {names_of(names, 'fn', 'macro', 'type')} | {names_of(names, 'no')} |")
    text.append("\n" + wrap("These headers are not there: " + ", ".join(f"`<{header}>`" for header, there, _ in posix if not there) + "."))
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--rebase", action="store_true")
    options = parser.parse_args()
    c11, posix = read_table(HERE / "c11.txt"), read_table(HERE / "posix.txt")
    text = document(c11, posix)
    if options.rebase:
        DOCUMENT.write_text(text)
        return 0
    problems = [] if DOCUMENT.exists() and DOCUMENT.read_text() == text else ["docs/c-library.md is not what the tables say; run check.py --rebase"]
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(options.mogcc, folder)
        for table, prefix in ((c11, ""), (posix, "#define _GNU_SOURCE\n")):
            for header, there, names in table:
                problems += check(header, there, names, compiler, prefix)
        problems += leaks(c11, compiler)
        problems += editions(c11, compiler)
        problems += alone(c11, posix, compiler)
    print("\n".join(problems) or f"{len(c11) + len(posix)} headers are what the tables say")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
