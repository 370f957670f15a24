#!/usr/bin/env python3
"""targets.py BUILD [NAME ...]: what the kernels of bench/programs take of AMD's GPUs, without one: LLVM's back end compiles the source in OpenCL C that
mogcc writes, as AMD's driver does, with libclc's functions (Debian: clang, libclc-14). For the interpreter alone, and with compiled blocks: vector registers
of a lane, bytes of scratch memory of a lane, wavefronts at once on a SIMD by registers (of 10), and the seconds that it took. A compilation is given up after
a minute. A table for docs/benchmarks.md on standard output.

It ends with status 1 if a kernel does not compile, or takes scratch memory without compiled blocks."""
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
LIBCLC = "/usr/lib/clc/amdgcn--amdhsa.bc"
CHIP, WAVE, LIMIT = "gfx906", 64, 60


def compiled(source, blocks):
    """{what: number} of mog_run; None: it took too long."""
    with tempfile.NamedTemporaryFile(suffix=".s") as out:
        begin = time.monotonic()
        try:
            subprocess.run(["clang-14", "-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", f"-mcpu={CHIP}", "-nogpulib", "-O3", "-w",
                            "-Xclang", "-finclude-default-header", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", LIBCLC, f"-DMOG_WARP={WAVE}u",
                            *(["-DMOG_ENGINE_BLOCKS"] if blocks else []), "-S", source, "-o", out.name], check=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
        seconds = time.monotonic() - begin
        text = Path(out.name).read_text()
    kernel = text[text.index("\nmog_run:"):]
    found = {name: int(re.search(rf"; {name}: (\d+)", kernel)[1]) for name in ("NumVgprs", "ScratchSize", "Occupancy")}
    return found | {"seconds": seconds}


def cells(found):
    return [str(found["NumVgprs"]), str(found["ScratchSize"]), str(found["Occupancy"]), f"{found['seconds']:.1f}"] if found else ["", "", "", f"over {LIMIT}"]


def main():
    build, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    names = names or sorted(path.stem for path in PROGRAMS.glob("*.c"))
    status = 0
    print(f"| {CHIP} | registers | scratch | waves | s | with blocks: registers | scratch | waves | s |\n|---|---|---|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([build / "bin" / "mogcc", "-O2", "-w", "-save-temps", PROGRAMS / f"{name}.c", "-lm", "-o", "program"], check=True, cwd=folder)
            plain, blocks = (compiled(f"{folder}/program.mog.cl", with_blocks) for with_blocks in (False, True))
        print("| " + " | ".join([f"`{name}`", *cells(plain), *cells(blocks)]) + " |", flush=True)
        if not plain or plain["ScratchSize"]:
            status = 1
    return status


sys.exit(main())
