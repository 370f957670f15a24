"""catalogue.py: the bench programs. What kind each is stands in its own first comment: "/* NAME: KIND. What it does. */"."""
import re
from collections import namedtuple
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
KINDS = ("convergent", "divergent", "memory-bound", "C++")

Program = namedtuple("Program", "name kind about source")


def programs(cxx=False):
    """All programs of these kinds, ordered by kind: those in C, or those in C++, which are large, and no kernels for nvcc."""
    found = []
    for source in sorted((BENCH / "cxx").glob("*.cc") if cxx else (BENCH / "programs").glob("*.c")):
        head = re.match(r"/\* (\w+): (.*?) \*/", source.read_text(), re.DOTALL)
        kind = head and re.match(rf"(?:nearly )?({'|'.join(map(re.escape, KINDS))})(?!\w)", head[2])
        if kind:
            found.append(Program(head[1], kind[1], re.sub(r"\s*\n \* ", " ", head[2]), source))
    return sorted(found, key=lambda p: KINDS.index(p.kind))


def source_of(name):
    in_cxx = BENCH / "cxx" / f"{name}.cc"
    return in_cxx if in_cxx.exists() else BENCH / "programs" / f"{name}.c"


def compiler_for(name, prefix=""):
    """GCC for a program's language, and its options."""
    return [f"{prefix}g++", "-std=c++20"] if source_of(name).suffix == ".cc" else [f"{prefix}gcc"]


def choose(names, cxx=False):
    """The programs of these names, or all; says which name is none."""
    everything = programs(cxx)
    unknown = set(names or []) - {p.name for p in everything}
    if unknown:
        raise SystemExit(f"bench: no program {', '.join(sorted(unknown))}; there are {', '.join(p.name for p in everything)}")
    return [p for p in everything if not names or p.name in names]
