#!/usr/bin/env python3
"""read_only.py MOGCC MOGRUN [OPTION...]: a store to a constant or a string literal ends a PE as it ends a native process, which is compared,
with the place and with what is there; what stands beside constants can be written; and calls of the system do not write there.
--many: there are so many constants that all PEs have them once. They are read in every way, as natively, and are not a PE's memory.

Exit status: 0 all right, 77 the device is not there.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

mogcc, mogrun, *options = sys.argv[1:]
MANY = "--many" in options
if MANY: options.remove("--many")
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

#ifdef MANY
#include <sys/uio.h>
#define X4(x) x, x * 3 + 1, x * 5 + 2, x * 7 + 3
#define X16(x) X4(x), X4(x + 11), X4(x + 23), X4(x + 37)
#define X64(x) X16(x), X16(x + 101), X16(x + 211), X16(x + 307)
#define X256(x) X64(x), X64(x + 1009), X64(x + 2003), X64(x + 3001)
#define X1024(x) X256(x), X256(x + 10007), X256(x + 20011), X256(x + 30011)
static const unsigned many[20480] = {X1024(1u), X1024(77777u)};

APART unsigned sum_words(const unsigned *p, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) sum = sum * 31 + p[i];
    return sum;
}
APART unsigned sum_parts(const void *p, unsigned n)
{
    const unsigned char *bytes = p;
    const signed char *chars = p;
    const unsigned short *halves = p;
    const short *shorts = p;
    const unsigned long long *longs = p;
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum = sum * 31 + bytes[i] + (unsigned)chars[i] + halves[i] + (unsigned)shorts[i] + (unsigned)(longs[i] >> 20);
    return sum;
}
APART unsigned of_pair(const struct pair *p) { return p->a * 3u + p->b * 5u + p->c; }
APART unsigned of_odd(const struct odd *o) { return o->i + (unsigned)o->c; }
APART double of_doubles(const double *d, int i) { return d[i] + d[i + 1]; }

/* What a rank reads, by pointers, at addresses that are known, side by side with what is its own, and by calls of the system. */
static int read_all(int rank)
{
    static unsigned own[1024];
    unsigned sum = sum_words(many + rank, 1500) + many[5] + many[2047] + many[20479] + table[rank + 1];
    sum = sum * 31 + sum_parts(many + 2 * rank, 500) + of_pair(&pairs[rank % 3]) + of_odd(&odds[rank % 2]);
    memcpy(own, many + 100 + rank, sizeof own);
    sum = sum * 31 + sum_words(rank % 2 ? own : many + 100 + rank, 1024) + sum_words(own, 1024);
    sum += (unsigned)(8 * of_doubles(doubles, rank % 3));
    int null = open("/dev/null", O_WRONLY);
    const struct iovec parts[] = {{(void *)many, 4096}, {own, 64}};
    if (null < 0 || writev(null, parts, 2) != 4160) return 0;
    sum += strlen(AT(const char, "a constant"));
    char line[] = "? 00000000\n";
    line[0] = 'a' + rank;
    for (int i = 0; i < 8; i++) line[2 + i] = "0123456789abcdef"[sum >> 4 * i & 15];
    return write(1, line, sizeof line - 1) == sizeof line - 1 && write(1, "constant\n", 9) == 9;
}
#else
static int read_all(int rank) { return 1; }
#endif

int main(int argc, char **argv)
{
    int all[40], fd;
    if (!read_all(CASE)) return 7;
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
    flags = next((words for option, words in code.items() if option in options), ["--build-time=0"]) + ["-DMANY"] * MANY
    subprocess.run([mogcc, "-O1", "-g", "-w", "--order-time=0.001", *flags, source, "-o", program], check=True)
    subprocess.run(["gcc", "-O1", "-w", *["-DMANY"] * MANY, source, "-o", native], check=True)
    wanted, written = {}, []
    for case in range(CASES):
        run = subprocess.run([native, chr(ord("a") + case)], stdout=subprocess.PIPE, text=True, check=False)
        status = run.returncode
        written += run.stdout.splitlines()
        wanted.setdefault(status if status >= 0 else 128 - status, []).append(case)
    if len(wanted[FAULT]) != 8: fail(f"natively, statuses are {wanted}")
    done = subprocess.run([mogrun, *options, "-n", str(CASES), "--stats=json", program], capture_output=True, text=True, timeout=100)
    if done.returncode == NO_DEVICE:
        print(done.stderr, end="")
        sys.exit(SKIPPED)
    *said, stats = done.stderr.splitlines()
    said = "\n".join(said)
    if sorted(done.stdout.splitlines()) != sorted(written): fail(f"what is read is {done.stdout}, and not {written}: {said}")
    used = json.loads(stats)["memory_used"]
    if MANY != (used["constants"] >= 81920) or used["variables"] >= 65536: fail(f"memory that PEs have is {used}")
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
