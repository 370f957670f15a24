"""kept.py: what follows from files and tools alone, such as what a program of the tests does on a MIPS machine, is made once for all tests
of a build.

Who keeps something names all that it follows from. What has not changed is not made again in a later run either; a folder of such things
can be deleted at any time.
"""
import fcntl
import hashlib
import marshal
import os
import shutil
import subprocess
import sys
from pathlib import Path


answers = set()     # the files of once() that this program has taken or made


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


def mog(mogcc, mogrun):
    """The tools of MOG that make a program: the compiler, and the launcher that it begins with."""
    return tool(mogcc), tool(mogrun)


def libraries(mogcc, fortran=False):
    """What programs are linked with; it is made anew with its headers. That of Fortran comes when a test or a program wants it first."""
    found = sorted(os.scandir(Path(mogcc).resolve().parent.parent / "sysroot/lib"), key=lambda entry: entry.name)
    return [(entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in found
            if entry.is_file() and (fortran or entry.name != "libgfortran.a")]


def programs_once(folder, tools, facts, paths, make):
    """The files `paths`, which make() makes, follow from `tools` and `facts`: from the folder, if they were made before. make() returns a
    complaint or None, and so does this. What others than these tools have made is of no more use, and goes."""
    for path in paths:      # maybe one with what is kept
        Path(path).unlink(missing_ok=True)
    if not folder:
        return make()
    ours = Path(folder) / "programs" / checksum(repr(tools).encode())
    ours.mkdir(parents=True, exist_ok=True)
    for other in ours.parent.iterdir():
        if other != ours:
            shutil.rmtree(other, ignore_errors=True)
    one = ours / checksum(repr((tools, facts)).encode())
    with open(f"{one}.lock", "w") as lock:      # who wants it at the same time waits for it
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not one.exists():
            complaint = make()
            if complaint is None:
                own = Path(f"{one}.part")
                shutil.rmtree(own, ignore_errors=True)
                own.mkdir()
                for number, path in enumerate(paths):
                    as_one(path, own / str(number))
                own.rename(one)
            return complaint
        for number, path in enumerate(paths):
            as_one(one / str(number), path)
    return None


def as_one(old, new):
    """The same file under another name, or a copy."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copy2(old, new)


def once(folder, facts, make, good=lambda made: True):
    """What make() gives, plain data that follows from `facts`: from the folder, if it was made before and was good(). Without a folder
    nothing is kept."""
    if not folder:
        return make()
    path = Path(folder) / hashlib.sha256(repr((sys.version, facts)).encode()).hexdigest()[:32]
    answers.add(path)
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


def forget():
    """What this program has had from once() is made anew by the next one that wants it: where a test fails, it may be the answer that was
    an accident, of which a repetition should not hear again."""
    for path in answers:
        path.unlink(missing_ok=True)
