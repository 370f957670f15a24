#!/usr/bin/env python3
"""whereabouts.py MOGCC MOGRUN PART [OPTION...]: what `mogrun top`, SIGUSR1 and the first SIGINT tell about PEs is where they are. PART is one of:

    calls      PEs that compute, wait for messages and for input; the run goes on afterwards, and the second SIGINT ends it
    locks      threads that wait for each other
    sweep      runs that have ended, and that have not begun
    processes  a world of several processes of mpirun
    top        the command line of mogrun top, and what is left of runs that were killed

Exit status: 0 all right, 77 the device or mpirun is not there.
"""
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

mogcc, mogrun, part, *options = sys.argv[1:]
SKIPPED, NO_DEVICE = 77, 3

CALLS = r"""
#include <mog.h>
#include <stdio.h>
#include <unistd.h>
#ifdef MPI
#include <mpi.h>
#endif
#define APART __attribute__((noinline, noclone))

volatile int spins;
APART void spin(void) { for (;;) spins++; }
APART int down(int n)
{
    if (n == 0) spin();
    return down(n - 1) + 1;
}
APART void rest(int rank, int size)
{
#ifdef MPI
    int x;
    MPI_Recv(&x, 1, MPI_INT, rank == size - 1 ? 1 : rank + 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    sleep(100000);
#endif
}
int main(int argc, char **argv)
{
    char c;
#ifdef MPI
    MPI_Init(&argc, &argv);
#endif
    if (IPROC == 0) {
        printf("begun\n"), fflush(stdout);
        while (read(0, &c, 1) == 1) printf("went on with %c\n", c), fflush(stdout);
    }
    else if (IPROC == 1) down(40);
    else if (IPROC == 2) spin();
    else if (IPROC == 3) return 0;
    else rest(IPROC, NPROC);
    return 0;
}
"""
LOCKS = r"""
#include <pthread.h>
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
    pthread_mutex_lock(&queue);
    return p;
}
int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&queue);
    for (int i = 0; i < 3; i++) pthread_create(&thread, NULL, work, NULL);
    for (volatile int i = 0;; i++)
        ;
}
"""
SWEEP = r"""
#include <stdlib.h>
int main(int argc, char **argv)
{
    if (atoi(argv[1]) % 2) return 0;
    for (volatile int i = 0;; i++)
        ;
}
"""


def compiled(source, *flags):
    with open("program.c", "w") as file:
        file.write(source)
    subprocess.run([mogcc, "--order-time=0.001", "-g", "-O1", "-std=gnu17", "-w", *flags, "program.c", "-o", "program"], check=True)


def begin(*arguments, launcher=()):
    return subprocess.Popen([*launcher, mogrun, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def top(*words):
    return subprocess.run([mogrun, "top", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100)


def top_when(process, sentence):
    """What top shows once this holds."""
    while True:
        if process.poll() is not None:
            raise AssertionError((process.returncode, process.stderr.read()))
        shown = top(process.pid).stdout
        if re.search(sentence, shown):
            return shown
        time.sleep(0.05)


def tree(text):
    """Its lines from the sentence on, without what differs from one look to the next."""
    text = re.sub(r"^.*?(\d+ of \d+)", r"\1", text.rstrip("\n"), flags=re.S)
    return re.sub(r"after [\d.]+ s", "after T", re.sub(r" at \S*program\.c:(\d+)", r" :\1", text)).splitlines()


def line_of(source, text):
    return 1 + source[:source.index(text)].count("\n")


def calls():
    with_mpi = "cuda" not in options[0]
    compiled(CALLS, *(["-DMPI"] if with_mpi else []))
    run = begin("-n", "9", *options, "./program")
    if not run.stdout.readline():
        _, error = run.communicate()
        print("skipped:", error)
        assert run.returncode == NO_DEVICE, run.returncode
        sys.exit(SKIPPED)
    shown = tree(top_when(run, r"2 of 9 PEs compute after [\d.]+ s, 6 wait, 1 has ended"))
    at = {text: line_of(CALLS, text) for text in ("down(n - 1)", "down(40)", "IPROC == 2) spin", "rest(IPROC", "read(0", "MPI_Recv(", "sleep(100000)", "if (n == 0) spin", "spins++")}
    wait = ["       5      MPI_Recv", "       5        (waits for a message from ranks 1, 5-8, tag 7, MPI_COMM_WORLD)"] if with_mpi else \
           ["       5      sleep", "       5        nanosleep", "       5          (waits in nanosleep)"]
    wanted = ["2 of 9 PEs compute after T, 6 wait, 1 has ended",
              f"       5  main :{at['rest(IPROC']}  [4-8]",
              f"       5    rest :{at['MPI_Recv(' if with_mpi else 'sleep(100000)']}",
              *wait,
              f"       1  main :{at['read(0']}  [0]",
              "       1    read",
              "       1      (waits in read of descriptor 0 (standard input))",
              f"       1  main :{at['down(40)']}  [1]",
              f"       1    down :{at['if (n == 0) spin']} (recursive)",
              f"       1      spin :{at['spins++']}",
              f"       1  main :{at['IPROC == 2) spin']}  [2]",
              f"       1    spin :{at['spins++']}"]
    assert shown == wanted, "\n".join(shown)
    run.send_signal(signal.SIGUSR1)
    told = [run.stderr.readline() for _ in wanted]
    assert told[0].startswith("mogrun: ") and tree("".join(told)) == wanted, told
    # The run goes on.
    for text in "ab":
        run.stdin.write(text)
        run.stdin.flush()
        assert run.stdout.readline() == f"went on with {text}\n"
        if text == "a":
            top_when(run, "6 wait")
            run.send_signal(signal.SIGINT)
            told = [run.stderr.readline() for _ in [*wanted, "how to end"]]
            assert tree("".join(told[:-1])) == wanted, told
            assert told[-1] == "another SIGINT (Ctrl-C) ends the run\n", told
    run.send_signal(signal.SIGINT)
    _, error = run.communicate(timeout=100)
    assert run.returncode == -signal.SIGINT, (run.returncode, error)
    assert "interrupted (SIGINT), in " in error, error


def locks():
    compiled(LOCKS)
    for device in "host", "reference":
        run = begin("-n", "2", "--device=" + device, "./program")
        wait = r"waits for the lock queue, which thread 0 has"
        shown = top_when(run, r"(?m)^       6 +\(" + wait + r"\)")
        assert "2 of 2 PEs compute" in shown and "with all their threads they are 8" in shown, shown
        assert re.search(r"(?m)^       6 +work at .*program.c:6", shown) and re.search(r"(?m)^       2  main at .*program.c:14  \[0-1\]|^       2  main", shown), shown
        run.kill()
        run.communicate()


def sweep():
    compiled(SWEEP)
    with open("arguments", "w") as file:
        file.write("".join(f"{i}\n" for i in range(20)))
    run = begin("-n", "4", "--device=host", "--args-file=arguments", "./program")
    shown = top_when(run, r"4 of 20 runs compute after [\d.]+ s, 0 wait, 3 have ended, 13 have not begun")
    assert re.search(r"(?m)^       4  main at .*  \[0, 2, 4, 6\]$", shown), shown
    run.kill()
    run.communicate()


def processes():
    if not shutil.which("mpirun"):
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    is_open_mpi = "Open MPI" in subprocess.run(["mpirun", "--version"], stdout=subprocess.PIPE, text=True).stdout
    compiled(CALLS, "-DMPI")
    run = begin("-n", "5", "--device=host", "./program", launcher=["mpirun", *(["--oversubscribe"] if is_open_mpi else []), "-np", "2"])
    if run.stdout.readline() != "begun\n":
        print("skipped: mpirun does not start:", run.stderr.read())
        sys.exit(SKIPPED)
    while True:
        asked = [int(name) for name in os.listdir("mog")] if os.path.isdir("mog") else []
        shown = sorted(top(process).stdout for process in asked)
        shown.sort(key=lambda text: "ranks 5-9" in text)
        if len(shown) == 2 and "2 of 5 PEs compute" in shown[0] and "0 of 5 PEs compute" in shown[1] and "5 wait" in shown[1]:
            break
        time.sleep(0.05)
    assert "they are ranks 0-4" in shown[0] and "they are ranks 5-9" in shown[1], shown
    assert re.search(r"\(waits for a message from ranks 1, 6-9, tag 7, MPI_COMM_WORLD\)", shown[1]) and "[5-9]" in shown[1], shown
    which = top()       # this user may have others
    assert which.returncode == 2 and set(map(str, asked)) <= set(re.findall(r"\d+", which.stderr)), which
    run.terminate()
    run.communicate()


def command_line():
    compiled("int main(void) { for (volatile int i = 0;; i++) ; }")
    nobody = top()      # this user may have runs that are no test's; they are looked at
    assert nobody.returncode != 1 or nobody.stderr == "mogrun: there is no run of yours to look at\n", nobody
    nobody = top(os.getpid())
    assert nobody.returncode == 1 and f"process {os.getpid()} is no run that can be asked" in nobody.stderr, nobody
    for wrong in ("0",), ("x",), ("1", "2"), ("--interval",), ("--interval=0",), ("--interval=x",), ("--intervals=1",):
        refused = top(*wrong)
        assert refused.returncode == 2 and "mogrun top --help" in refused.stderr, (wrong, refused)
    assert top("--help").stdout.startswith("Usage: mogrun top"), top("--help")
    # A program started by itself is watched as well, and the first SIGINT ends it as it ends any other.
    run = subprocess.Popen(["./program"], stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    shown = top_when(run, "1 of 1 PE computes")
    assert shown.startswith(f"program (process {run.pid}): ") and re.search(r"(?m)^  main at ", shown), shown
    chosen = top()
    assert "1 of 1 PE" in chosen.stdout or chosen.returncode == 2 and str(run.pid) in chosen.stderr, chosen
    folder, path = os.stat("mog"), os.stat(f"mog/{run.pid}")
    assert stat.S_IMODE(folder.st_mode) == 0o700 and stat.S_ISSOCK(path.st_mode), (folder, path)
    # Again and again, until the run ends.
    watching = subprocess.Popen([mogrun, "top", "--interval=0.05", str(run.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(3):
        while "1 of 1 PE" not in (line := watching.stdout.readline()):
            assert line, watching.communicate()
    run.send_signal(signal.SIGINT)
    _, error = run.communicate(timeout=100)
    assert run.returncode == -signal.SIGINT and "interrupted (SIGINT)" in error, (run.returncode, error)
    assert f"the run of process {run.pid} is over" in watching.communicate(timeout=100)[1]
    assert watching.returncode == 0 and os.listdir("mog") == [], os.listdir("mog")
    # What is left of one that was killed goes with the next.
    run = begin("-n", "1", "./program")
    top_when(run, "1 of 1")
    run.kill()
    run.communicate()
    assert os.listdir("mog") == [str(run.pid)]
    run = begin("-n", "1", "./program")
    top_when(run, "1 of 1")
    assert os.listdir("mog") == [str(run.pid)]
    run.kill()
    run.communicate()
    # Signals come while machine code runs, in which words at odd addresses would fault.
    run = begin("-n", "64", "--device=host", "./program")
    top_when(run, "64 of 64")
    for _ in range(10):     # some are told of together
        run.send_signal(signal.SIGUSR1)
        time.sleep(0.02)
    while "64 of 64 PEs compute" not in (line := run.stderr.readline()):
        assert line, "it ended"
    assert run.poll() is None
    run.kill()
    run.communicate()
    # A program that is called so, and a folder that is open to others.
    os.rename("program", "top")
    run = begin("top", "--once")
    top_when_named = subprocess.run([mogrun, "-n", "1", "--timeout=0.1", "top", "--once"], stderr=subprocess.PIPE, text=True)
    assert top_when_named.returncode == 124, top_when_named
    run.kill()
    run.communicate()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.environ["XDG_RUNTIME_DIR"] = folder
    {"calls": calls, "locks": locks, "sweep": sweep, "processes": processes, "top": command_line}[part]()
