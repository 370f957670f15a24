#!/usr/bin/env python3
"""nptl.py [NAME ...]: glibc's own tests of POSIX's and C11's threads, unmodified, with MOG's.

They are those of nptl/ and sysdeps/pthread/ of Debian's source package glibc, with glibc's support/ and a main function of our own (nptl/support), for
theirs does a test in a child process. A test that compiles for the MIPS cross compiler, and ends well there with glibc under qemu-mipsel, has to do so

  elf     as the ELF that mogcc links, under qemu-mipsel
  DEVICE  by mogrun, on each device

Others say nothing of MOG. What is not for it at all stands in LEFT_OUT with the reason; so does what mogcc's library does not have, which the
compiler says. With --table all is summed up as Markdown in the end.

Status: 0 all pass, 1 some do not, 2 usage, 77 the source or a tool is not to be had (skipped).
"""
import argparse
import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "real")]

import libgomp      # noqa: E402  (runs commands)
import oracle       # noqa: E402
import sources      # noqa: E402

FOLDERS = ("nptl", "sysdeps/pthread")
WORDS = ["-std=gnu11", "-fgnu89-inline", "-O2", "-w", "-D_GNU_SOURCE", "-DMODULE_NAME=testsuite", "-Dattribute_hidden=", "-pthread", "-include", str(HERE / "nptl/words.h")]

# Beside this script, in nptl/.
OURS = ("support/test-driver.c", "words.h", "libc-diag.h", "array_length.h")

# What a test's text has that is not for MOG, and why.
LEFT_OUT = (
    (r"\bx?fork\s*\(|\bvfork\b|\bposix_spawn|\bexecl|\bsystem\s*\(|\bpopen\b|support_isolate|support_capture_subprocess|\bclone\s*\(", "processes"),
    (r"EXPECTED_SIGNAL", "ends by a signal"),
    (r"dlopen|dlsym|dlmopen", "shared libraries"),
    (r"<sys/(shm|msg|sem|ipc|socket|uio|epoll|ptrace|prctl|signalfd|eventfd|sendfile)\.h>|<netinet|<arpa|<net/|<mqueue|<aio|<spawn", "what is not of threads"),
    (r"PTHREAD_PROCESS_SHARED|pshared", "processes that share memory"),
    (r"timer_create|setitimer|\balarm\s*\(", "timers"),
)


def pieces(glibc, compiler, options, work, suffix, ar):
    """An archive of what tests want of support/; an earlier one serves as long as nothing that it is made by has changed."""
    folder, archive = work / f"support{suffix}", work / f"support{suffix}.a"
    makers = [Path(__file__), Path(compiler).resolve(), *(HERE / "nptl" / name for name in OURS)]
    if archive.exists() and all(path.stat().st_mtime < archive.stat().st_mtime for path in makers):
        return archive
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = [path for path in sorted((glibc / "support").glob("*.c"))
             if not re.match(r"tst-|.*-container|.*_main|links-dso|test-|support_record_failure|support_test_main|xsocket|resolv|.*_(network|dns|nss)", path.stem)]

    def compile_one(path):
        command = [compiler, *WORDS, *options, "-I", HERE / "nptl", "-idirafter", glibc, "-c", path, "-o", folder / f"{path.stem}.o"]
        return libgomp.run(command, {}, folder, 60)[0] == 0

    with ThreadPoolExecutor(2) as pool:
        good = [path for path, fits in zip(files, pool.map(compile_one, files)) if fits]
    archive.unlink(missing_ok=True)
    subprocess.run([ar, "rcs", archive, *(folder / f"{path.stem}.o" for path in good)], check=True)
    return archive


def check(path, glibc, options, archives):
    """Name and what became of it: "passes", or why not, and whether that is MOG's fault."""
    work = options.work / path.stem
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    include = ["-I", HERE / "nptl", "-idirafter", glibc, "-iquote", glibc / "sysdeps/pthread", "-iquote", glibc / "nptl"]
    status, text = libgomp.run([options.cross, "-static", *WORDS, *include, path, archives["glibc"], "-lm", "-o", work / "glibc"], {}, work, 60)
    if status:
        return path.stem, "does not compile with glibc's headers alone", False
    status, text = libgomp.run([options.qemu, work / "glibc"], {}, work / "run-glibc", options.timeout)
    if status:
        return path.stem, "does not pass with glibc under qemu", False
    program = work / path.stem
    status, text = libgomp.run([options.mogcc, "-save-temps=obj", *oracle.build_options("usual"), *WORDS, *include, path, archives["mog"], "-lm", "-o", program], {}, work, 60)
    if status:
        first = re.search(r"(undefined reference to .*|error: .*|No such file.*)", text)
        return path.stem, f"mogcc: {first.group(1)[:110] if first else text[-200:]}", True
    where = {"elf": [options.qemu, f"{program}.mog.elf"]}
    where.update({device: [options.mogrun, "-n", 1, f"--device={device}", program] for device in options.devices.split(",")})
    for name, command in where.items():
        status, text = libgomp.run(command, {}, work / f"run-{name}", options.timeout)
        if status:
            return path.stem, f"{name}: status {status}: {text.strip()[-300:] if name == 'elf' else text.strip()[:300]}", True
    shutil.rmtree(work)
    return path.stem, "passes", False


def left_out(path):
    text = path.read_text(errors="replace")
    for included in re.findall(r'#\s*include\s+"([^"]+\.c)"', text):     # variants of another test
        other = next((p for p in (path.parent / included, path.parent.parent / "pthread" / Path(included).name, path.parents[2] / "nptl" / Path(included).name) if p.is_file()), None)
        if other and "skeleton" not in included:
            text += other.read_text(errors="replace")
    return next((why for pattern, why in LEFT_OUT if re.search(pattern, text)), None)


def main():
    parser = argparse.ArgumentParser(description="glibc's own tests of threads with MOG's.")
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--mogrun", default="mogrun")
    parser.add_argument("--qemu", default="qemu-mipsel")
    parser.add_argument("--cross", default="mipsel-linux-gnu-gcc")
    parser.add_argument("--ar", default="mipsel-linux-gnu-ar")
    parser.add_argument("--work", default="/tmp/mog-nptl", type=Path)
    parser.add_argument("--cache", default=str(HERE.parent.parent / ".cache" / "real"), type=Path)
    parser.add_argument("--devices", default="host", help="host,reference,opencl:0 ...")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for each run")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="show what would be run, and what is left out, why")
    parser.add_argument("--table", action="store_true", help="show in the end what became of all, as Markdown")
    parser.add_argument("names", nargs="*", help="tests (tst-mutex1 ...); default: all")
    options = parser.parse_args()
    for tool in ("mogcc", "mogrun", "qemu", "cross", "ar"):
        found = shutil.which(getattr(options, tool))
        if not found:
            print(f"skipped: no {getattr(options, tool)}")
            return oracle.SKIPPED
        setattr(options, tool, Path(found).resolve() if tool.startswith("mog") else found)
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    try:
        glibc = sources.fetch("glibc", options.cache.resolve())
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return oracle.SKIPPED
    all_ = {path.stem: path for folder in FOLDERS for path in sorted((glibc / folder).glob("tst-*.c"))}
    why = {name: reason for name, path in all_.items() if (reason := left_out(path))}
    if unknown := [name for name in options.names if name not in all_ or name in why]:
        for name in unknown:
            print(f"{name}: {why.get(name, 'there is no such test')}", file=sys.stderr)
        return 2
    chosen = [path for name, path in all_.items() if (name in options.names if options.names else name not in why)]
    if options.list:
        print("\n".join(path.stem for path in chosen))
        print("\n".join(f"# {name}: {reason}" for name, reason in sorted(why.items())))
        return 0
    archives = {"mog": pieces(glibc, options.mogcc, [], options.work, "", options.ar), "glibc": pieces(glibc, options.cross, [], options.work, ".glibc", options.ar)}
    passed, failed = [], {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, what, is_wrong in pool.map(lambda path: check(path, glibc, options, archives), chosen):
            print(f"{name}: {what}", flush=True)
            if what == "passes":
                passed.append(name)
            elif is_wrong:
                failed[name] = what
            else:
                why[name] = what
    if options.table:
        rows = [f"| pass | {len(passed)} |"] + [f"| {reason} | {count} |" for reason, count in Counter({**why, **failed}.values()).most_common()]
        print("\n".join(["| tests | |", "|---|---|", *rows]))
    print(f"{len(passed)} pass; {len(failed)} do not; {len(why)} are left out or say nothing")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
