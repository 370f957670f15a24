#!/usr/bin/env python3
"""kernel_headers.py ROOT CC: the tables and structures of abi/ are those of Linux's own headers for MIPS, which come with the cross compiler CC."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

root, compiler = Path(sys.argv[1]), sys.argv[2]
HEADERS = """asm/bitsperlong.h asm/unistd.h asm/errno.h linux/fcntl.h asm/poll.h asm/ioctls.h asm/termbits.h asm/termios.h asm/signal.h linux/time.h linux/time_types.h
    linux/resource.h linux/random.h linux/stat.h linux/limits.h linux/uio.h linux/sched.h linux/fs.h asm/stat.h asm/statfs.h linux/utsname.h
    linux/times.h asm/param.h asm-generic/errno-base.h linux/mman.h linux/futex.h""".split()
# What Linux has no name for in its headers, or has under another one.
UNNAMED = {"F_OK", "R_OK", "W_OK", "X_OK", "UTIME_NOW", "UTIME_OMIT", "mog_mpi", "mog_native", "mog_native_call"}
OTHER_NAMES = {"NSIG": "_NSIG", "USER_HZ": "HZ"}
# Ours, Linux's, and members of both that stand at the same place. Not l_pid of struct flock, which Linux's headers have before l_sysid since 5.18:
# glibc and qemu, and so programs, have it behind, as Linux had.
STRUCTURES = {
    "linux_timespec": ("timespec", {"nsec": "tv_nsec"}),
    "linux_timespec64": ("__kernel_timespec", {"nsec": "tv_nsec"}),
    "linux_timeval": ("timeval", {"usec": "tv_usec"}),
    "linux_tms": ("tms", {"stime": "tms_stime", "cutime": "tms_cutime", "cstime": "tms_cstime"}),
    "linux_stat64": ("stat64", {"ino": "st_ino", "mode": "st_mode", "nlink": "st_nlink", "uid": "st_uid", "gid": "st_gid", "rdev": "st_rdev",
                                "size": "st_size", "atime": "st_atime", "atime_nsec": "st_atime_nsec", "mtime": "st_mtime",
                                "ctime": "st_ctime", "blksize": "st_blksize", "blocks": "st_blocks"}),
    "linux_statfs64": ("statfs64", {"bsize": "f_bsize", "frsize": "f_frsize", "blocks": "f_blocks", "bavail": "f_bavail", "fsid": "f_fsid",
                                    "namelen": "f_namelen", "flags": "f_flags", "spare": "f_spare"}),
    "linux_flock": ("flock", {"whence": "l_whence", "start": "l_start", "length": "l_len"}),
    "linux_flock64": ("flock64", {"whence": "l_whence", "start": "l_start", "length": "l_len", "pid": "l_pid"}),
    "linux_iovec": ("iovec", {"base": "iov_base", "length": "iov_len"}),
    "linux_pollfd": ("pollfd", {"events": "events", "revents": "revents"}),
    "linux_termios": ("termios", {"oflag": "c_oflag", "cflag": "c_cflag", "lflag": "c_lflag", "line": "c_line", "cc": "c_cc"}),
    "linux_winsize": ("winsize", {"col": "ws_col", "xpixel": "ws_xpixel", "ypixel": "ws_ypixel"}),
    "linux_sigaction": ("sigaction", {"handler": "sa_handler", "mask": "sa_mask"}),
    "linux_utsname": ("new_utsname", {"nodename": "nodename", "release": "release", "version": "version", "machine": "machine", "domainname": "domainname"}),
    "linux_rusage": ("rusage", {"stime": "ru_stime", "maxrss": "ru_maxrss", "nivcsw": "ru_nivcsw"}),
    "linux_rlimit": ("rlimit", {"max": "rlim_max"}),
}


def compile_c(text, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
        source.write(text)
        source.flush()
        return subprocess.run([compiler, *options, "-iquote", str(root), source.name], capture_output=True, text=True, check=False)


includes = "".join(f"#include <{header}>\n" for header in HEADERS)
macros = compile_c(includes, "-E", "-dM")
if macros.returncode:
    if "No such file" in macros.stderr or "not found" in macros.stderr:
        print("skipped: no headers of Linux for MIPS (linux-libc-dev-mipsel-cross):", macros.stderr.splitlines()[0])
        sys.exit(77)
    sys.exit(macros.stderr)
defined = set(re.findall(r"^#define (\w+)", macros.stdout, re.M))

failures, asserts = [], []
names = []
for table in ("syscalls.def", "constants.def", "signals.def", "errno.def"):
    for kind, first, second in re.findall(r"^(MOG_\w+)\(([^,]+), ([^,)]+)", (root / "abi" / table).read_text(), re.M):
        name = second if kind == "MOG_LINUX_CALL" else first
        names.append(name)
        theirs = f"__NR_{name}" if kind == "MOG_LINUX_CALL" else OTHER_NAMES.get(name, name)
        if theirs in defined:
            asserts.append(f'_Static_assert((unsigned long)LINUX_{name} == (unsigned long)({theirs}), "{table}: {name}");')
        elif name not in UNNAMED:
            failures.append(f"abi/{table}: Linux has no {name}")
if len(names) != len(set(names)):
    failures += [f"abi/ names {name} twice" for name in sorted(set(names)) if names.count(name) > 1]
structures = set(re.findall(r"^struct (linux_\w+) \{", (root / "abi/structures.h").read_text(), re.M)) - {"linux_dirent64"}
failures += [f"kernel_headers.py does not compare {name}" for name in sorted(structures ^ set(STRUCTURES))]
for ours, (theirs, members) in STRUCTURES.items():
    asserts.append(f'_Static_assert(sizeof(struct {ours}) == sizeof(struct {theirs}), "{ours}: its size");')
    for own, other in members.items():
        asserts.append(f'_Static_assert(__builtin_offsetof(struct {ours}, {own}) == __builtin_offsetof(struct {theirs}, {other}), "{ours}.{own}");')
# Values are told apart: one that is wrong on purpose is found.
tables = '#include "abi/linux.h"\n#include "abi/structures.h"\n'
done = compile_c(includes + tables + "\n".join(asserts) + "\n", "-fsyntax-only")
if done.returncode:
    failures += re.findall(r"error: (.*)", done.stderr)
wrong = compile_c(includes + tables + '_Static_assert(LINUX_read == __NR_write, "planted");\n', "-fsyntax-only")
if wrong.returncode == 0 or "planted" not in wrong.stderr:
    failures.append("a wrong number is not found")
print(f"{len(asserts)} numbers, sizes and places", *failures, sep="\n")
sys.exit(1 if failures or len(asserts) < 600 else 0)
