#!/usr/bin/env python3
"""read_only.py MOGCC MOGRUN [OPTION...]: a store to a constant or a string literal ends a PE as it ends a native process, which is compared,
with the place and with what is there; what stands beside constants can be written; and calls of the system do not write there.

Exit status: 0 all right, 77 the device is not there.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

mogcc, mogrun, *options = sys.argv[1:]
SKIPPED, NO_DEVICE, FAULT = 77, 3, 139

# A case for each rank, by how it stores. What is said of those that fault is in the comment.
PROGRAM = r"""
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#ifdef __mips__
#include <mog.h>
#define CASE IPROC
#else
#define CASE (argv[1][0] - 'a')
#endif
#define APART __attribute__((noinline, noclone))
/* The address of something, of which the compiler knows nothing more. */
#define AT(type, what) ({ type *at_ = (type *)(what); __asm__ volatile("" : "+r"(at_)); at_; })

struct pair { int a, b, c; };
struct __attribute__((packed)) odd { char c; int i; };
static const int table[100] = {1, 2, 3, 4, 5};
static const double doubles[4] = {1, 2, 3};
static const short halves[8] = {1, 2, 3};
static const struct pair pairs[3] = {{1, 2, 3}, {4, 5, 6}};
static const struct odd odds[2] = {{1, 2}, {3, 4}};
static int variables[4] = {1, 2, 3, 4};

APART void set_byte(char *s, int i) { s[i] = 'x'; }                /* the string "a literal" */
APART void set_word(int *w) { w[3] = 7; }                          /* table+12 */
APART void set_double(double *d) { d[1] = 2.5; }                   /* doubles+8 */
APART void set_half(short *h) { h[2] = 9; }                        /* halves+4 */
APART void set_fields(struct pair *p) { p->a = 1; p->b = 2; p->c = p->a; }  /* pairs+12 */
APART void set_odd(struct odd *o) { o->i = 5; }                    /* odds+1 */
APART int add_word(int *w) { return __atomic_fetch_add(w, 1, __ATOMIC_SEQ_CST); }  /* table */
APART int fill_words(int *w, int n) { for (int i = 0; i < n; i++) w[i] = i; return w[n - 1]; }  /* table */

int main(int argc, char **argv)
{
    int all[40], fd;
    fill_words(AT(int, all), 40);
    set_word(AT(int, variables)), set_fields(AT(struct pair, variables));
    switch (CASE) {
    case 0: return fill_words(AT(int, variables), 4) + add_word(AT(int, variables)) + table[4] + halves[2] - 11;
    case 1: set_byte(AT(char, "a literal"), 4); break;
    case 2: set_word(AT(int, table)); break;
    case 3: set_double(AT(double, doubles)); break;
    case 4: set_half(AT(short, halves)); break;
    case 5: set_fields(AT(struct pair, pairs + 1)); break;
    case 6: set_odd(AT(struct odd, odds)); break;
    case 7: return add_word(AT(int, table));
    case 8: fill_words(AT(int, table), 4); break;
    case 9:
        if ((fd = open("/dev/zero", O_RDONLY)) < 0) return 1;
        return read(fd, AT(int, table), 4) == -1 && errno == EFAULT ? 42 : 43;
    }
    return 0;
}
"""
CASES = 10


def fail(text):
    sys.exit(f"FAIL {' '.join(options)}: {text}")


with tempfile.TemporaryDirectory() as folder:
    source, program, native = (Path(folder, name) for name in ("store.c", "store", "native"))
    source.write_text(PROGRAM)
    lines = PROGRAM.splitlines()
    code = {"--engine=lanes": ["--simd=avx2", "--build-time=1"], "--engine=blocks": ["--build-time=1"]}
    flags = next((words for option, words in code.items() if option in options), ["--build-time=0"])
    subprocess.run([mogcc, "-O1", "-g", "-w", "--order-time=0.001", *flags, source, "-o", program], check=True)
    subprocess.run(["gcc", "-O1", "-w", source, "-o", native], check=True)
    wanted = {}
    for case in range(CASES):
        status = subprocess.run([native, chr(ord("a") + case)], check=False).returncode
        wanted.setdefault(status if status >= 0 else 128 - status, []).append(case)
    if len(wanted[FAULT]) != 8: fail(f"natively, statuses are {wanted}")
    done = subprocess.run([mogrun, *options, "-n", str(CASES), "--stats=json", program], capture_output=True, text=True, timeout=100)
    if done.returncode == NO_DEVICE:
        print(done.stderr, end="")
        sys.exit(SKIPPED)
    *said, stats = done.stderr.splitlines()
    said = "\n".join(said)
    got = {}
    for status, ranks in json.loads(stats)["ranks_by_status"].items():
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", ranks):
            got.setdefault(int(status), []).extend(range(int(first), int(last or first) + 1))
    if got != wanted: fail(f"statuses are {got}, and not {wanted}: {said}")
    # A case's function, the place of its store, and what is there.
    for case in wanted[FAULT]:
        call = next(line for line in lines if f"    case {case}: " in line)
        name = re.search(r"(\w+)\(AT", call).group(1)
        number = next(i for i, line in enumerate(lines, 1) if line.startswith("APART") and f" {name}(" in line)
        what = re.search(r"/\* (.*) \*/", lines[number - 1]).group(1)
        place = rf"PE {case}: writes to address 0x[0-9a-f]+, which is read only: {re.escape(what)}, in {name} at store\.c:{number}\n"
        if not re.search(place, said.replace(str(Path(folder)) + "/", "") + "\n"): fail(f"nothing like {place!r} is said: {said}")
