"""table.py: what rows of the tables of programs are made of (programs.py, languages.py)."""
from collections import namedtuple

Program = namedtuple("Program", [
    "name",
    "package",      # Debian's source package
    "files",        # what to compile, as patterns in the source or among what is written; if configured: unused
    "runs",         # what to do with it
    "options",      # for the compilers ({src}: the source), or for configure
    "without",      # names or patterns of files that the patterns find and that do not belong to it
    "writes",       # files in the folder where it is built: name: text, or (path in the source,) to copy, or (path, {word: what stands there for it})
    "inputs",       # files that each run finds: name: bytes, or a function of the source's folder
    "expected",     # glibc, or elf where the C library's answers differ by design
    "beside",       # other packages that files are compiled of: name: patterns; {name} is the folder of its source
    "configure",    # None, or the program that ./configure && make builds, and what make is told
    "make",         # None, or a makefile's product and what make is told, a command each, in a copy of the source with what is written: {cc}, {fc}
                    # and {level} are the compilers, and how far they optimise
    "always",       # whether it is a test of every run; all are built and run by `ninja real_programs`
    "differs",      # what may differ in what it prints, as a pattern: times
    "devices",      # where it runs, of those that are asked for
    "uncompared",   # names or patterns of files it leaves that are not compared: what is in them depends on times or on whose turn it was
], defaults=((), "", {}, {}, "glibc", {}, None, None, True, "", ("host", "opencl"), ""))

Run = namedtuple("Run", [
    "commands",     # [(arguments, name of the file that is standard input, or None)], one after the other in one folder
    "prints",       # what the last one must print somewhere, so that nobody agrees on an error message
    "many",         # may many PEs do it at once in one folder?
    "statuses",     # what may come out
    "inputs",
    "env",
])


def run(*lines, prints="", many=True, statuses=(0,), inputs=None, env=None):
    """A run of one command line or several: words as a shell has them, `< FILE` at the end."""
    commands = []
    for line in lines:
        words, _, stdin = line.partition("< ")
        commands.append((words.split(), stdin.strip() or None))
    return Run(commands, prints, many, statuses, inputs or {}, env or {})


def part(path, size=None, start=0):
    """Bytes of a file of the package."""
    return lambda source: (source / path).read_bytes()[start:size and start + size]


def paragraphs(path, size):
    """The first `size` bytes of a file of the package, up to an empty line."""
    return lambda source: (source / path).read_bytes()[:size].rpartition(b"\n\n")[0] + b"\n\n"


def noise(size, seed=1):
    """Bytes without pattern, by Marsaglia's xorshift."""
    state, out = seed, bytearray()
    for _ in range(size):
        state ^= state << 13 & 0xffffffff
        state ^= state >> 17
        state ^= state << 5 & 0xffffffff
        out.append(state & 255)
    return bytes(out)
