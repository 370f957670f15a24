#!/usr/bin/env python3
"""small_pocl.py FOLDER: PoCL without the functions that no kernel of MOG calls, for runs of many tests.

Each process in which PoCL compiles a kernel reads all of OpenCL's built-in functions first, 23,000 with those of vectors: half a second of
processor time, which is more than it takes for a small kernel; and each that only wants to know whether it has compiled one before
preprocesses their declarations, 900 KB. What is made in FOLDER is the PoCL that is installed, by links, but for the library of functions of
this processor and their header, which have those of scalars alone, the same code. A kernel that calls another one is not built, which PoCL
says.

Prints the folder for OCL_ICD_VENDORS, where the system's other drivers stand, too; nothing, with status 1 and why, where that cannot be
made.
"""
import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

VENDORS = Path("/etc/OpenCL/vendors")
# Names are mangled: vectors have Dv, halves Dh. Conversions, vload and async_work_group_copy are for them; generated code has C's casts and
# pointers.
UNWANTED = re.compile("Dv|Dh|[Ss]leef|convert|vload|vstore|explicit|async|image|half")
# The same in the header, and what only other devices have. A declaration has no condition within it.
HEADER = "opencl-c.h"
DECLARATION = re.compile(r"^(?![#/ ])[^\n;]*__ovld[^;#]*;\n", re.MULTILINE)
UNDECLARED = re.compile(r"(char|short|int|long|float|double)(2|3|4|8|16)\b|half|convert|vload|vstore|explicit|async|image|intel|amd_|work_group|sub_group")
INTERNAL = 8    # LLVMInternalLinkage


class Unsuited(Exception):
    """Why there is nothing to be made small."""


def system_pocl():
    """(its .icd file, the library of it, LLVM's that it uses)."""
    for icd in sorted(VENDORS.glob("*.icd")):
        words = icd.read_text().split()
        if not words or "libpocl" not in words[0]:
            continue
        for library in sorted(Path("/usr/lib").glob(f"*/{Path(words[0]).name}")):
            used = subprocess.run(["ldd", library], capture_output=True, text=True).stdout
            if llvm := re.search(r"=> (/\S*/libLLVM\S*)", used):
                return icd, library, llvm[1]
    raise Unsuited("no PoCL")


def of_this_processor(data):
    """The library of functions that PoCL takes here; if it should be another one, that is whole."""
    flags = set(re.search(r"^flags\s*:(.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    for flag in ("avx512f", "avx2", "avx"):
        found = sorted(data.glob(f"kernel-*-{flag.removesuffix('f')}.bc"))
        if flag in flags and found:
            return found[0]
    raise Unsuited("no functions for this processor")


class Module:
    """LLVM's, by the C interface of its library."""

    def __init__(self, llvm, path):
        self.llvm = ctypes.CDLL(llvm)
        context, buffer, self.module, message = self.call("LLVMContextCreate"), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_char_p()
        if (self.number("LLVMCreateMemoryBufferWithContentsOfFile", os.fsencode(path), ctypes.byref(buffer), ctypes.byref(message)) or
                self.number("LLVMParseBitcodeInContext2", context, buffer, ctypes.byref(self.module))):
            raise Unsuited(f"LLVM does not read {path}")

    def call(self, name, *arguments):
        """What a function gives that gives a pointer."""
        function = getattr(self.llvm, name)
        function.restype = ctypes.c_void_p
        return ctypes.c_void_p(function(*arguments))

    def number(self, name, *arguments):
        return getattr(self.llvm, name)(*arguments)

    def functions(self):
        function = self.call("LLVMGetFirstFunction", self.module)
        while function.value:
            yield function
            function = self.call("LLVMGetNextFunction", function)

    def name(self, function):
        length = ctypes.c_size_t()
        return ctypes.string_at(self.call("LLVMGetValueName2", function, ctypes.byref(length)).value, length.value).decode()

    def keep(self, wanted):
        """Those functions whose names are wanted(), and what they refer to."""
        linkage = {}
        for function in self.functions():
            name = self.name(function)
            if not self.number("LLVMIsDeclaration", function) and not wanted(name):
                linkage[name] = self.number("LLVMGetLinkage", function)
                self.number("LLVMSetLinkage", function, INTERNAL)
        if self.call("LLVMRunPasses", self.module, b"globaldce", None, self.call("LLVMCreatePassBuilderOptions")).value:
            raise Unsuited("LLVM does not take functions out")
        for function in self.functions():
            name = self.name(function)
            if name in linkage:
                self.number("LLVMSetLinkage", function, linkage[name])

    def write(self, path):
        if self.number("LLVMWriteBitcodeToFile", self.module, os.fsencode(path)):
            raise Unsuited(f"LLVM does not write {path}")


def make(folder):
    """The folder of drivers below `folder`; what was made for another PoCL goes."""
    icd, library, llvm = system_pocl()
    data = (library.parent / "../../share/pocl").resolve()
    functions = of_this_processor(data)
    facts = [(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in (library, llvm, functions, data / "include" / HEADER, __file__)]
    facts += [(path.name, path.read_bytes()) for path in sorted(VENDORS.glob("*.icd"))]
    ours = Path(folder).resolve() / hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
    if not ours.exists():
        for other in Path(folder).iterdir() if Path(folder).exists() else []:
            if not other.name.startswith(ours.name):
                shutil.rmtree(other, ignore_errors=True)
        own = ours.with_suffix(f".{os.getpid()}")
        # PoCL finds what it needs from where its library was found: by links, here.
        (own / "lib/here").mkdir(parents=True)
        (own / "share/pocl/include").mkdir(parents=True)
        (own / "vendors").mkdir()
        (own / "lib/here" / library.name).symlink_to(library)
        (own / "lib/here/pocl").symlink_to(library.parent / "pocl")
        for path in [*data.glob("*.bc"), *data.glob("include/*")]:
            if path != functions and path.name != HEADER:
                (own / "share/pocl" / path.relative_to(data)).symlink_to(path)
        declared = (data / "include" / HEADER).read_text()
        (own / "share/pocl/include" / HEADER).write_text(DECLARATION.sub(lambda one: "" if UNDECLARED.search(one[0]) else one[0], declared))
        module = Module(llvm, functions)
        module.keep(lambda name: not UNWANTED.search(name))
        module.write(own / "share/pocl" / functions.name)
        for path in VENDORS.glob("*.icd"):
            (own / "vendors" / path.name).write_text(f"{ours / 'lib/here' / library.name}\n" if path == icd else path.read_text())
        try:
            own.rename(ours)
        except OSError:     # somebody else has made it meanwhile
            if not ours.exists():
                raise
            shutil.rmtree(own)
    return ours / "vendors"


def main():
    try:
        print(make(sys.argv[1]))
    except (Unsuited, OSError, AttributeError) as why:
        print(f"small_pocl.py: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
