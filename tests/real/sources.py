"""sources.py: brings the source of a Debian package, without root and without touching the system's own settings.

apt is given folders of its own in the cache, and as its list of sources the machine's, with `deb` turned into `deb-src`. It
checks signatures and sums as always. What is there already is not brought again, so that later runs need no network.
"""
import fcntl
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

ETC = Path("/etc/apt")
GIVE_UP_FOR = 600       # seconds for which nobody tries again after apt could not reach anything, or not this


class Unavailable(Exception):
    """Why a package's source cannot be had here."""


def for_kind(text, deb822, kind="deb-src"):
    """A list of packages' sources as one of another kind: deb-src for source packages, deb for binary ones.

    `deb [options] URI suite ...` lines, or paragraphs of `Types: deb`: see sources.list(5).
    """
    if deb822:
        return re.sub(r"(?im)^Types:.*$", f"Types: {kind}", text)
    lines = (line.split("#")[0].rstrip() for line in text.splitlines())
    return "".join(re.sub(r"^deb(-src)?\s", f"{kind} ", line) + "\n" for line in dict.fromkeys(lines) if line)


def prepare(folder, kind="deb-src", etc=ETC):
    """Writes apt's own world into `folder`; apt's options that make it live there."""
    parts = folder / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    for name in ("parts", "lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for path in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if path.suffix in (".list", ".sources") and path.is_file():
            (parts / path.name).write_text(for_kind(path.read_text(), path.suffix == ".sources", kind))
    settings = {
        "Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": parts,
        "Dir::State::lists": folder / "lists", "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "",               # root would become _apt, who may not write here
        "Acquire::Languages": "none", "Acquire::Retries": 1,
        "Acquire::http::Timeout": 20, "Acquire::https::Timeout": 20,
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def fetch(package, cache, kind="deb-src", unpack_by=None, installed=None):
    """The folder with the unpacked upstream source of a package (with other kinds: what unpack_by(file, folder) makes of it); raises Unavailable.
    Where the package is installed, `installed` is a file of it that will do, and nothing is brought."""
    folder = cache / package
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)        # tests run side by side
        if not folder.is_dir():
            (unpack_by or unpack)(installed or download(package, cache, kind), folder)
    tops = [path for path in folder.iterdir() if path.is_dir()]
    return tops[0] if len(tops) == 1 else folder


def download(package, cache, kind="deb-src"):
    """The tarball as upstream made it; of kind deb, the binary package."""
    if not shutil.which("apt-get"):
        raise Unavailable("no apt-get here to bring Debian packages")
    nothing, this = cache / "failed", cache / f"failed-{package}"
    for failed in (nothing, this):
        if failed.exists() and time.time() - failed.stat().st_mtime < GIVE_UP_FOR:
            raise Unavailable(failed.read_text())
    of_sources = kind == "deb-src"
    apt = ["apt-get", "-q", *prepare(cache / ("apt" if of_sources else "apt-deb"), kind)]
    into = cache / "downloads" / package
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    bring = [*apt, *(["source", "--download-only", "--only-source", "--tar-only"] if of_sources else ["download"]), package]
    pattern = f"{package}_*.orig.tar.*" if of_sources else f"{package}_*.deb"
    log = ""
    for command in (bring, [*apt, "update"], bring):      # the lists may be there, and may be new enough
        done = subprocess.run(command, cwd=into, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env={**os.environ, "LC_ALL": "C"})
        log = done.stdout
        files = [path for path in sorted(into.glob(pattern)) if path.suffix != ".asc"]
        if done.returncode == 0 and files:
            return files[0]
    complaints = [line for line in log.splitlines() if line.startswith(("E:", "W:"))] or ["no such file"]
    reason = f"apt-get {'source' if of_sources else 'download'} {package}: {complaints[-1]}"
    # Others may be there all the same.
    (this if re.search("404|Unable to find a source package|Unable to locate package", log) else nothing).write_text(reason)
    raise Unavailable(reason)


def unpack(tarball, folder):
    work = folder.with_suffix(".part")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    subprocess.run(["tar", "-xf", tarball, "-C", work, "--no-same-owner"], check=True)
    work.rename(folder)
    shutil.rmtree(tarball.parent)


def lay_out(program, source, build):
    """Writes into the folder `build` what a program of a table (programs.py) wants there; its files to compile. Raises ValueError."""
    for name, text in program.writes.items():
        (build / name).parent.mkdir(parents=True, exist_ok=True)
        content = text if isinstance(text, str) else (source / text[0]).read_text(errors="surrogateescape")
        for word, instead in ({} if isinstance(text, str) else dict(*text[1:])).items():
            content = content.replace(word, instead)
        (build / name).write_text(content, errors="surrogateescape")
    files = []
    for pattern in program.files.split():
        folder = build if (build / pattern).exists() else source
        found = sorted(path for path in folder.glob(pattern) if not any(path.match(other) for other in program.without.split()))
        if not found:
            raise ValueError(f"{program.package} has no {pattern}; other versions may have other names")
        files += found
    return files


def bring_beside(program, cache):
    """The folders of the other packages that a program is made of, by their names."""
    return {package: fetch(package, cache) for package in program.beside}


def files_beside(program, beside):
    """Those of their files that are compiled. Raises ValueError."""
    files = []
    for package, patterns in program.beside.items():
        for pattern in patterns.split():
            found = sorted(beside[package].glob(pattern))
            if not found:
                raise ValueError(f"{package} has no {pattern}; other versions may have other names")
            files += found
    return files


def words(program, source, beside=None):
    """A program's options for compilers."""
    options = program.options
    for name, folder in {"src": source, **(beside or {})}.items():
        options = [word.replace(f"{{{name}}}", str(folder)) for word in options]
    return options
