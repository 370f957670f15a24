#!/usr/bin/env python3
"""package.py CPACK BUILD VERSION ROOT: cpack makes packages for Debian and a tarball of BUILD, which are complete: unpacked anywhere, mogcc compiles and mogrun runs
without the build tree; what they depend on is named, and the files are where Debian's policy wants them."""
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

cpack, build, version, root = sys.argv[1:]
if not shutil.which("dpkg-shlibdeps"):
    print("skipped: no dpkg-shlibdeps (dpkg-dev)")
    sys.exit(77)


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def try_tools(prefix, work):
    """What is below prefix compiles and runs, by nothing but itself."""
    work.mkdir()
    tools = {"PATH": f"{prefix}/bin:/usr/bin:/bin", "HOME": str(work), "MOG_CACHE_DIR": str(work / "cache"), "LANG": "C"}
    assert run("mogcc", "--version", env=tools).startswith(f"mogcc (MOG) {version}")
    run("mogcc", "-O2", f"{root}/examples/hello/hello.c", "-o", "hello", env=tools, cwd=work)
    lines = run("mogrun", "-n", "3", "--device=host", "./hello", env=tools, cwd=work).splitlines()
    lines.sort()  # PEs end in any order
    assert len(lines) == 3 and "2" in lines[2], lines
    # The build tree is nowhere in what they call.
    shown = subprocess.run(["mogcc", "-###", f"{root}/examples/hello/hello.c"], env=tools, cwd=work, capture_output=True, text=True, check=True)
    assert build not in shown.stdout + shown.stderr, shown
    if shutil.which("man"):
        assert "--timeout" in run("man", "-l", f"{prefix}/share/man/man1/mogrun.1", env=tools | {"MANROFFOPT": "-c"})


with tempfile.TemporaryDirectory() as folder:
    here = Path(folder)
    # Half of the time would go into making them small.
    run(cpack, "--config", f"{build}/CPackConfig.cmake", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none", "-B", folder, cwd=folder)
    package, = here.glob(f"mog_{version}*.deb")
    fields = dict(re.findall(r"^ ?([A-Z][\w-]+): (.*)$", run("dpkg-deb", "-f", package), re.M))
    assert fields["Package"] == "mog" and fields["Version"] == version, fields
    for wanted in "gcc-mipsel-linux-gnu", "libc6 (>=", "libstdc++6", "libelf1":
        assert wanted in fields["Depends"], fields
    assert "mpi" not in fields["Depends"], fields
    listed = [(line.split()[0], line.split()[1], line.split()[5]) for line in run("dpkg-deb", "-c", package).splitlines()]
    names = {name for _, _, name in listed}
    for name in ("bin/mogcc", "bin/mogc++", "bin/mogrun", "lib/libmog.so", "include/mog.h", "lib/mog/sysroot/lib/libc.a", "share/man/man1/mogrun.1",
                 "share/bash-completion/completions/mogrun", "share/zsh/site-functions/_mogrun", "share/doc/mog/copyright",
                 "share/doc/mog/docs/safety.md", "lib/pkgconfig/mog.pc", "lib/cmake/mog/mogConfig.cmake"):
        assert f"./usr/{name}" in names, f"{name} is not in the package"
    outside = [name for name in names if not name.startswith("./usr/") and name != "./"]
    assert not outside, outside
    wrong = [line for line in listed if line[1] != "root/root" or (line[0][0] != "l" and line[0][8] == "w")]
    assert not wrong, wrong
    run("dpkg-deb", "-x", package, here / "debian")
    assert "Newlib's notices" in (here / "debian/usr/share/doc/mog/copyright").read_text()
    try_tools(here / "debian/usr", here / "work")

    # The same files, which mogcc.install moves about.
    tarball, = here.glob(f"mog-{version}-*.tar.gz")
    with tarfile.open(tarball) as archive:
        packed = {"./usr/" + name.partition("/")[2] for name in archive.getnames()}
    missing = {name for name in names if not name.endswith("/")} - packed
    assert not missing, missing
