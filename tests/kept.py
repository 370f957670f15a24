"""kept.py: what follows from files and tools alone, such as what a program of the tests does on a MIPS machine, is made once for all tests
of a build.

Who keeps something names all that it follows from. What has not changed is not made again in a later run either; a folder of such things
can be deleted at any time.
"""
import hashlib
import marshal
import os
import shutil
import subprocess
import sys
from pathlib import Path


def files(*paths):
    """What is in these files, and in all of these folders, with their names."""
    found = []
    for path in map(Path, paths):
        inside = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        found += [(str(one), one.read_bytes()) for one in inside if one.exists()]
    return found


def tool(name):
    """Which program it is that answers to this name: another one, or a newer one, is another answer."""
    path = os.path.realpath(shutil.which(name) or name)
    facts = os.stat(path)
    return path, facts.st_size, facts.st_mtime_ns


def cross_compiler(name):
    """The compiler itself and its C library."""
    library = subprocess.run([name, "-print-file-name=libc.a"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout.strip()
    return tool(name), tool(library)


def checksum(data):
    """16 digits for what is in a file."""
    return hashlib.sha256(data).hexdigest()[:16]


def once(folder, facts, make, good=lambda made: True):
    """What make() gives, plain data that follows from `facts`: from the folder, if it was made before and was good(). Without a folder
    nothing is kept."""
    if not folder:
        return make()
    path = Path(folder) / hashlib.sha256(repr((sys.version, facts)).encode()).hexdigest()[:32]
    try:
        return marshal.loads(path.read_bytes())
    except (OSError, EOFError, ValueError, TypeError):      # it is not there, or damaged
        made = make()
    if not good(made):
        return made
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two tests may make it at the same time: each writes a file of its own, and one of them stays.
    own = path.with_suffix(f".{os.getpid()}")
    own.write_bytes(marshal.dumps(made))
    os.replace(own, path)
    return made
