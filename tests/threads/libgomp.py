#!/usr/bin/env python3
"""libgomp.py [NAME ...]: gcc's own tests of OpenMP, unmodified, with MOG's OpenMP.

They are those of libgomp/testsuite for C, from Debian's package gcc-12-source. What a test wants stands in its comments (dg-do, dg-options,
dg-set-target-env-var ...), as gcc's manual describes. A test that runs has to end with status 0 (or another, where it says so), and prints
what it says. Each is compiled once and run

  elf     as the ELF that mogcc links, under qemu-mipsel
  DEVICE  by mogrun, on each device

LEFT_OUT says which are not run, and why; with --table all is summed up as Markdown in the end.

Status: 0 all pass, 1 some do not, 2 usage, 77 the source or a tool is not to be had (skipped).
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "real")]

import oracle       # noqa: E402
import sources      # noqa: E402

FOLDERS = ("libgomp.c", "libgomp.c-c++-common")
PARTS = ("libgomp/testsuite/libgomp.c/*", "libgomp/testsuite/libgomp.c-c++-common/*", "libgomp/*.h", "include/gomp-constants.h")

# Why a test is left out: its name (or several), and the reason.
LEFT_OUT = {
    "pr52547": "a nested function's address needs code that is written on the stack, which MOG does not have",
    "common/error-1": "wants messages that begin with libgomp",
}

# What a test may require (dg-require-effective-target) that is there. What is not listed is not there, and the test says itself that it is not for
# such a machine.
HAS = {"tls", "tls_runtime", "size32plus", "sync_int_long"}

Test = namedtuple("Test", "name source kind options env fails output extra")


def name_of(path):
    """As users say it: the path below the folders, without .c; common/... in the second."""
    folder = next(parent for parent in path.parents if parent.name in FOLDERS)
    inside = str(path.relative_to(folder).with_suffix(""))
    return inside if folder.name == FOLDERS[0] else f"common/{inside}"


def directives(text):
    return re.findall(r"\{\s*(dg-[a-z-]+)((?:[^{}]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*)\}", text)


def strings(argument):
    """The words of a directive: in quotes, in braces, or plain."""
    return [a or b or c for a, b, c in re.findall(r'"((?:[^"\\]|\\.)*)"|\{((?:[^{}]|\{[^{}]*\})*)\}|(\S+)', argument)]


def applies(words):
    """Whether `{ target x }` among a directive's words is for MIPS with Linux."""
    for word in words:
        word = word.strip()
        if word.startswith("target"):
            wanted = word[len("target"):].replace("{", " ").replace("}", " ").split()
            negated = "!" in word
            names = {name.strip("!") for name in wanted if name.strip("!")}
            holds = any(name in HAS | {"*-*-linux*", "*-*-*", "mips*-*-*", "c", "pthread", "fopenmp"} for name in names)
            return holds != negated
    return True


def read(path):
    """(Test, None), or (None, why it is not for here)."""
    text = path.read_text(errors="replace")
    kind, options, env, fails, output, extra = "run", [], {}, False, [], []
    replaced = None
    for name, argument in directives(text):
        words = strings(argument)
        if name == "dg-do":
            if not applies(words[1:]):
                return None, "for other machines"
            kind = words[0]
        elif name == "dg-options" and applies(words[1:]):
            replaced = words[0].split()
        elif name == "dg-additional-options" and applies(words[1:]):
            options += words[0].split()
        elif name == "dg-set-target-env-var":
            env[words[0]] = words[1]
        elif name == "dg-shouldfail":
            fails = True
        elif name == "dg-output":
            output.append(words[0])
        elif name == "dg-additional-sources":
            extra += words[0].split()
        elif name == "dg-require-effective-target" and words[0] not in HAS:
            return None, f"requires {words[0]}"
    level = ["-O2"] if replaced is None else []
    return Test(name_of(path), path, kind, level + (replaced or []) + options, env, fails, output,
                extra), None


def unpack(package, folder):
    """What is wanted of gcc's source, from Debian's package of it or from what that installs."""
    work = folder.with_suffix(".part")
    shutil.rmtree(work, ignore_errors=True)
    top = work / "gcc"
    top.mkdir(parents=True)
    tarball = package
    if package.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", package, work / "package"], check=True)
        tarball = next((work / "package").rglob("gcc-12*.tar.xz"))
    subprocess.run(["tar", "-xf", tarball, "-C", top, "--no-same-owner", "--strip-components=1", "--wildcards", *(f"*/{part}" for part in PARTS)], check=True)
    if package.suffix == ".deb":
        shutil.rmtree(work / "package")
        shutil.rmtree(package.parent)
    work.rename(folder)


def run(command, env, folder, timeout):
    """(status, all that was printed)."""
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([str(word) for word in command], cwd=folder, env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        text, _ = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        status = f"no end within {timeout} s"
    return status, text.decode(errors="replace")


def judge(test, status, text):
    """What is wrong with an outcome, or an empty string."""
    if (status == 0) == test.fails or not isinstance(status, int):
        return f"status {status}: {text.strip()[-300:]}"
    for pattern in test.output:
        try:
            if not re.search(re.sub(r"\\(.)", r"\\\1", pattern), text):
                return f"does not print {pattern}"
        except re.error:
            continue
    return ""


def check(test, options, gcc):
    """Name, and {where: what is wrong, or ''}."""
    work = options.work / test.name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "gstdint.h").write_text("#include <stdint.h>\n")
    (work / "config.h").write_text("")
    program = work / test.source.stem
    words = ["-fopenmp", "-w", "-I", work, "-I", gcc / "libgomp", "-I", gcc / "include", "-I", gcc / "libgomp/testsuite/libgomp.c", *test.options, test.source,
             *(test.source.parent / name for name in test.extra), "-lm", "-latomic"]
    status, text = run([options.mogcc, "-save-temps=obj", *oracle.build_options("usual"), *words, "-o", program], {}, work, options.timeout * 3)
    if status:
        return test.name, {"mogcc": f"{text.strip()[:400]}"}
    outcome = {}
    env = {"OMP_NUM_THREADS": str(options.threads), **test.env} if options.threads else test.env
    where = {"elf": [options.qemu, f"{program}.mog.elf"]}
    where.update({device: [options.mogrun, "-n", 1, f"--device={device}", program] for device in options.devices.split(",")})
    if options.glibc:
        status, text = run([options.cross, "-static", *words, "-o", work / "glibc"], {}, work, options.timeout)
        where = {"glibc": [options.qemu, work / "glibc"], **where} if status == 0 else where
        outcome = {} if status == 0 else {"glibc": "gcc: " + text.strip()[:300]}
    for name, command in where.items():
        if test.kind == "run":
            outcome[name] = judge(test, *run(command, env, work / f"run-{name}", options.timeout))
    if not options.keep and not any(outcome.values()):
        shutil.rmtree(work)
    return test.name, outcome


def table(chosen, failed, left_out):
    """What became of all tests: by folder those that pass, and the others by what keeps them from it."""
    rows = [f"| {folder} | {sum(folder in test.source.parts and test.name not in failed for test in chosen)} pass | |" for folder in FOLDERS]
    reasons = {**left_out, **{name: "FAILS" for name in failed}}
    for reason, count in sorted(Counter(reasons.values()).items(), key=lambda one: (-one[1], one[0])):
        rows.append(f"| {reason} | {count} | {', '.join(sorted(name for name in reasons if reasons[name] == reason))} |")
    return "\n".join(["| tests | | |", "|---|---|---|", *rows])


def main():
    parser = argparse.ArgumentParser(description="gcc's own tests of OpenMP with MOG's OpenMP.")
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--mogrun", default="mogrun")
    parser.add_argument("--qemu", default="qemu-mipsel")
    parser.add_argument("--cross", default="mipsel-linux-gnu-gcc")
    parser.add_argument("--work", default="/tmp/mog-libgomp", type=Path)
    parser.add_argument("--cache", default=str(HERE.parent.parent / ".cache" / "real"), type=Path)
    parser.add_argument("--devices", default="host", help="host,reference,opencl:0 ...")
    parser.add_argument("--threads", type=int, default=0, help="OMP_NUM_THREADS where a test does not set it")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each run")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--glibc", action="store_true", help="also as compiled by the cross compiler, with gcc's libgomp")
    parser.add_argument("--keep", action="store_true", help="keep what was built for tests that pass")
    parser.add_argument("--list", action="store_true", help="show what would be run, and what is left out, why")
    parser.add_argument("--table", action="store_true", help="show in the end what passes, what does not, and what is left out, as Markdown")
    parser.add_argument("names", nargs="*", help="tests (for-1, common/task-detach-1 ...); default: all")
    options = parser.parse_args()
    for tool in ("mogcc", "mogrun", "qemu", "cross"):
        found = shutil.which(getattr(options, tool))
        if not found:
            print(f"skipped: no {getattr(options, tool)}")
            return oracle.SKIPPED
        setattr(options, tool, Path(found).resolve())
    options.work = options.work.resolve()
    try:
        installed = sorted(Path("/usr/src/gcc-12").glob("gcc-12*.tar.xz"))
        gcc = sources.fetch("gcc-12-source", options.cache.resolve(), "deb", unpack, installed[-1] if installed else None)
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return oracle.SKIPPED
    tests, left_out, parts = [], {}, set()
    for folder in FOLDERS:
        for path in sorted((gcc / "libgomp/testsuite" / folder).rglob("*.c")):
            test, why = read(path)
            name = name_of(path)
            why = LEFT_OUT.get(name, why)
            if test:
                parts.update(path.parent / name for name in test.extra)
            if why:
                left_out[name] = why
            elif test.kind in ("run", "link"):
                tests.append(test)
            else:
                left_out[name] = f"only for the compiler (dg-do {test.kind})"
    left_out.update({test.name: "a part of another test" for test in tests if test.source in parts})
    tests = [test for test in tests if test.source not in parts]
    known = {test.name for test in tests}
    if unknown := [name for name in options.names if name not in known]:
        for name in unknown:
            print(f"{name}: {left_out.get(name, 'there is no such test')}", file=sys.stderr)
        return 2
    chosen = [test for test in tests if not options.names or test.name in options.names]
    if options.list:
        print("\n".join(test.name for test in chosen))
        print("\n".join(f"# {name}: {why}" for name, why in sorted(left_out.items())))
        return 0
    failed = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, outcome in pool.map(lambda test: check(test, options, gcc), chosen):
            wrong = {where: what for where, what in outcome.items() if what}
            print(f"{name}: " + ("; ".join(f"{where}: {what}" for where, what in wrong.items()) if wrong else f"passes: {', '.join(outcome) or 'links'}"), flush=True)
            if set(wrong) - {"glibc"}:
                failed[name] = wrong
    if options.table:
        print(table(chosen, failed, left_out))
    print(f"{len(chosen) - len(failed)} of {len(chosen)} pass; {len(failed)} do not; {len(left_out)} are left out")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
