"""catalogue.py: the bench programs. What kind each is stands in its own first comment: "/* NAME: KIND. What it does. */"."""
import re
from collections import namedtuple
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
KINDS = ("convergent", "divergent", "memory-bound")

Program = namedtuple("Program", "name kind about source")


def programs():
    """All programs of the three kinds, ordered by kind."""
    found = []
    for source in sorted((BENCH / "programs").glob("*.c")):
        head = re.match(r"/\* (\w+): (.*?) \*/", source.read_text(), re.DOTALL)
        kind = head and re.match(rf"(?:nearly )?({'|'.join(KINDS)})\b", head[2])
        if kind:
            found.append(Program(head[1], kind[1], re.sub(r"\s*\n \* ", " ", head[2]), source))
    return sorted(found, key=lambda p: KINDS.index(p.kind))


def source_of(name):
    return BENCH / "programs" / f"{name}.c"


def choose(names):
    """The programs of these names, or all; says which name is none."""
    everything = programs()
    unknown = set(names or []) - {p.name for p in everything}
    if unknown:
        raise SystemExit(f"bench: no program {', '.join(sorted(unknown))}; there are {', '.join(p.name for p in everything)}")
    return [p for p in everything if not names or p.name in names]
