#!/usr/bin/env python3
"""random_programs.py: programs with locks and atomic operations, made by chance, whose results are known.

A program has many cases. In a case some threads go through phases, between which all meet at a barrier. Each shared variable has a way in which it is
kept: by a mutex of any type, a lock for readers and writers, a spin lock, a semaphore, or atomic operations of 1, 2, 4 or 8 bytes, in gcc's older or
newer or C11's words. In one phase all do to it what may be done in any order: add, or exclusive or, or ..., so what it is afterwards does not depend
on who came first, and is computed here. Threads also pass numbers through a queue with condition variables, write lists under a lock, each in order,
and write bytes that lie side by side.

The program compares, and says of each case "ok" or what is wrong. It is compiled once and run

  elf     as the ELF that mogcc links, under qemu-mipsel
  DEVICE  by mogrun, on each device

Status: 0 all right, 1 something is not, 2 usage, 77 a device or tool is not there (skipped).
"""
import argparse
import random
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))

import oracle       # noqa: E402

MOST_THREADS = 6
TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}
ORDERS = ("RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST")

# What may be done to a variable in any order, and what it makes of two numbers.
OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "xor": lambda a, b: a ^ b,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "mul": lambda a, b: a * b,
    "max": max,
    "min": min,
}
IN_C = {"add": "{0} + {1}", "sub": "{0} - {1}", "xor": "{0} ^ {1}", "or": "{0} | {1}", "and": "{0} & {1}", "mul": "{0} * {1}",
        "max": "{0} > {1} ? {0} : {1}", "min": "{0} < {1} ? {0} : {1}"}
WITH_BUILTIN = {"add", "sub", "xor", "or", "and"}

# How a variable is kept: what declares its lock, prepares it, locks and unlocks it.
LOCKS = {
    "mutex": ("pthread_mutex_t", "mutex_of_type(&{0}, PTHREAD_MUTEX_NORMAL)", "pthread_mutex_lock(&{0})", "pthread_mutex_unlock(&{0})", "pthread_mutex_destroy(&{0})"),
    "recursive": ("pthread_mutex_t", "mutex_of_type(&{0}, PTHREAD_MUTEX_RECURSIVE)", "lock_twice(&{0})", "unlock_twice(&{0})", "pthread_mutex_destroy(&{0})"),
    "checking": ("pthread_mutex_t", "mutex_of_type(&{0}, PTHREAD_MUTEX_ERRORCHECK)", "expect(pthread_mutex_lock(&{0}) == 0)", "expect(pthread_mutex_unlock(&{0}) == 0)",
                 "pthread_mutex_destroy(&{0})"),
    "trying": ("pthread_mutex_t", "mutex_of_type(&{0}, PTHREAD_MUTEX_NORMAL)", "while (pthread_mutex_trylock(&{0})) sched_yield()", "pthread_mutex_unlock(&{0})",
               "pthread_mutex_destroy(&{0})"),
    "rwlock": ("pthread_rwlock_t", "pthread_rwlock_init(&{0}, NULL)", "pthread_rwlock_wrlock(&{0})", "pthread_rwlock_unlock(&{0})", "pthread_rwlock_destroy(&{0})"),
    "spin": ("pthread_spinlock_t", "pthread_spin_init(&{0}, 0)", "pthread_spin_lock(&{0})", "pthread_spin_unlock(&{0})", "pthread_spin_destroy(&{0})"),
    "semaphore": ("sem_t", "sem_init(&{0}, 0, 1)", "while (sem_wait(&{0})) {{}}", "sem_post(&{0})", "sem_destroy(&{0})"),
    "c11": ("mtx_t", "mtx_init(&{0}, mtx_plain)", "mtx_lock(&{0})", "mtx_unlock(&{0})", "mtx_destroy(&{0})"),
}
ATOMICS = ("newer", "older", "c11 atomic")

PROLOGUE = r"""/* Made by random_programs.py. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

enum { ROOM = 4, LIST = 4096 };
static int wrong_ones;
static void complain(const char *what, unsigned long long is, unsigned long long expected) {
    printf(" %s is %llx and not %llx;", what, is, expected);
    __atomic_add_fetch(&wrong_ones, 1, __ATOMIC_RELAXED);
}
#define expect(condition) ((condition) ? (void)0 : complain(#condition, 0, 1))

static void mutex_of_type(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}
static void lock_twice(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_lock(mutex);
}
static void unlock_twice(pthread_mutex_t *mutex) {
    pthread_mutex_unlock(mutex);
    pthread_mutex_unlock(mutex);
}

static pthread_barrier_t barrier;

/* A queue that many write to and many read from. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static uint32_t queue[ROOM];
static unsigned queue_first, queue_used;
static void put(uint32_t value) {
    pthread_mutex_lock(&queue_lock);
    while (queue_used == ROOM) pthread_cond_wait(&not_full, &queue_lock);
    queue[(queue_first + queue_used++) % ROOM] = value;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&queue_lock);
}
static uint32_t get(void) {
    pthread_mutex_lock(&queue_lock);
    while (!queue_used) pthread_cond_wait(&not_empty, &queue_lock);
    const uint32_t value = queue[queue_first];
    queue_first = (queue_first + 1) % ROOM;
    --queue_used;
    pthread_mutex_unlock(&queue_lock);
    pthread_cond_signal(&not_full);
    return value;
}

/* A list to which each thread writes its numbers in order. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t list[LIST];
static unsigned list_used;
static void append(unsigned thread, unsigned number) {
    pthread_mutex_lock(&list_lock);
    list[list_used++] = thread << 16 | number;
    pthread_mutex_unlock(&list_lock);
}
static void check_list(unsigned expected) {
    unsigned next[16] = {0};
    if (list_used != expected) complain("the list's length", list_used, expected);
    for (unsigned i = 0; i < list_used; ++i)
        if (next[list[i] >> 16]++ != (list[i] & 0xffff)) complain("a number in the list", list[i] & 0xffff, next[list[i] >> 16] - 1);
    list_used = 0;
}

/* Some may be here at a time. */
static sem_t places;
static int inside;
static void visit(int most) {
    while (sem_wait(&places)) {}
    const int now = __atomic_add_fetch(&inside, 1, __ATOMIC_ACQ_REL);
    if (now > most) complain("those inside", now, most);
    sched_yield();
    __atomic_sub_fetch(&inside, 1, __ATOMIC_ACQ_REL);
    sem_post(&places);
}
static void check(const char *name, unsigned long long is, unsigned long long expected) {
    if (is != expected) complain(name, is, expected);
}
static void run(int number, int threads, int most, void *(*work)(void *)) {
    pthread_t others[16];
    wrong_ones = 0;
    printf("case %d:", number);
    sem_init(&places, 0, most);
    pthread_barrier_init(&barrier, NULL, threads);
    for (long i = 1; i < threads; ++i)
        if (pthread_create(&others[i], NULL, work, (void *)i)) complain("a thread", 0, 1);
    work((void *)0);
    for (int i = 1; i < threads; ++i) pthread_join(others[i], NULL);
    pthread_barrier_destroy(&barrier);
    sem_destroy(&places);
}
static int end(void) {
    puts(wrong_ones ? "" : " ok");
    return wrong_ones != 0;
}
"""


class Variable:
    def __init__(self, chance, name):
        self.name = name
        self.size = chance.choice(list(TYPES))
        self.mask = (1 << 8 * self.size) - 1
        self.keeper = chance.choice([*LOCKS, *ATOMICS, *ATOMICS])
        self.value = chance.getrandbits(64) & self.mask
        # Neighbours of the same kind in the same word: none of them may be hurt.
        self.before, self.after = chance.getrandbits(64) & self.mask, chance.getrandbits(64) & self.mask
        self.first = self.value

    def declare(self):
        kind = ("_Atomic " if self.keeper == "c11 atomic" else "") + TYPES[self.size]
        lines = [f"static struct {{ {kind} before, value, after, shadow; }} {self.name} = {{{self.before}u, {self.first}u, {self.after}u, {~self.first & self.mask}u}};"
                 .replace("u,", "ull,").replace("u}", "ull}")]
        if self.keeper in LOCKS:
            lines.append(f"static {LOCKS[self.keeper][0]} {self.name}_lock;")
        return lines

    def lock(self, which):
        return LOCKS[self.keeper][which].format(f"{self.name}_lock") + ";"

    def operand(self, chance, operation):
        number = chance.getrandbits(64) & self.mask
        return number | 1 if operation == "mul" else number

    def apply(self, operation, operand, times=1):
        for _ in range(times):
            self.value = OPERATIONS[operation](self.value, operand) & self.mask

    def in_c(self, chance, operation, operand):
        """Statements that do it once."""
        kind, value = TYPES[self.size], f"{self.name}.value"
        number = f"({kind}){operand}ull"
        if self.keeper in LOCKS:
            return [self.lock(2), f"{value} = ({kind})({IN_C[operation].format(value, number)});", f"{self.name}.shadow = ({kind})~{value};", self.lock(3)]
        order = chance.choice(ORDERS)
        if operation in WITH_BUILTIN and chance.random() < 0.7:
            call = chance.choice((f"fetch_{operation}", f"{operation}_fetch"))
            if self.keeper == "newer":
                return [f"__atomic_{call}(&{value}, {number}, __ATOMIC_{order});"]
            if self.keeper == "older":
                return [f"__sync_{call.replace('fetch', 'and_fetch', 1) if call.endswith('fetch') else call.replace('fetch_', 'fetch_and_')}(&{value}, {number});"]
            if chance.random() < 0.5 and operation != "and":
                return [f"{value} {dict(add='+', sub='-', xor='^')[operation] if operation != 'or' else '|'}= {number};"]
            return [f"atomic_fetch_{operation}_explicit(&{value}, {number}, memory_order_{order.lower()});"]
        new = IN_C[operation].format("old", number)
        if self.keeper == "newer":
            weak = int(chance.random() < 0.5)
            return [f"{{ {kind} old = __atomic_load_n(&{value}, __ATOMIC_RELAXED); "
                    f"while (!__atomic_compare_exchange_n(&{value}, &old, ({kind})({new}), {weak}, __ATOMIC_{order}, __ATOMIC_RELAXED)) {{}} }}"]
        if self.keeper == "older":
            return [f"{{ {kind} old; do old = __atomic_load_n(&{value}, __ATOMIC_RELAXED); "
                    f"while (!__sync_bool_compare_and_swap(&{value}, old, ({kind})({new}))); }}"]
        strength = chance.choice(("weak", "strong"))
        return [f"{{ {kind} old = atomic_load(&{value}); while (!atomic_compare_exchange_{strength}(&{value}, &old, ({kind})({new}))) {{}} }}"]

    def read(self):
        """Statements by which somebody reads it meanwhile: under a lock the shadow must fit."""
        if self.keeper == "rwlock":
            return [f"pthread_rwlock_rdlock(&{self.name}_lock);", f"expect(({TYPES[self.size]})~{self.name}.value == {self.name}.shadow);",
                    f"pthread_rwlock_unlock(&{self.name}_lock);"]
        if self.keeper in LOCKS:
            return [self.lock(2), f"expect(({TYPES[self.size]})~{self.name}.value == {self.name}.shadow);", self.lock(3)]
        return [f"(void)atomic_load(&{self.name}.value);" if self.keeper == "c11 atomic" else f"(void)__atomic_load_n(&{self.name}.value, __ATOMIC_ACQUIRE);"]


class Case:
    def __init__(self, number, seed):
        self.number = number
        self.chance = chance = random.Random(seed)
        self.threads = chance.randint(2, MOST_THREADS)
        self.variables = [Variable(chance, f"v{number}_{i}") for i in range(chance.randint(1, 5))]
        self.most = chance.randint(1, 3)
        self.bytes_ = [0] * self.threads
        self.slots = [chance.getrandbits(32) for _ in range(self.threads)]
        self.passed = 0
        self.first_slots = list(self.slots)
        self.bodies = [[] for _ in range(self.threads)]     # statements of each thread
        for phase in range(chance.randint(1, 4)):
            self.add_phase(phase)

    def add_phase(self, phase):
        chance = self.chance
        parts = [[] for _ in range(self.threads)]
        for variable in self.variables:
            kinds = ("add", "sub") if chance.random() < 0.3 else (chance.choice(list(OPERATIONS)),)
            for thread in range(self.threads):
                for _ in range(chance.randint(0, 3)):
                    operation, times = chance.choice(kinds), chance.choice((1, 1, 2, 9, 40))
                    operand = variable.operand(chance, operation)
                    statements = variable.in_c(chance, operation, operand)
                    variable.apply(operation, operand, times)
                    if chance.random() < 0.2:
                        statements += variable.read()
                    if times > 1:
                        statements = [f"for (int i = 0; i < {times}; ++i) {{", *statements, "}"]
                    parts[thread].append(statements)
        if chance.random() < 0.4:
            self.add_queue(parts)
        listed = 0
        if chance.random() < 0.4:
            for thread in range(self.threads):
                count = chance.randint(0, 12)
                parts[thread].append([f"for (unsigned i = 0; i < {count}; ++i) append({thread}, i);"])
                listed += count
        if chance.random() < 0.4:
            for thread in range(self.threads):
                parts[thread].append([f"visit({self.most});"] * chance.randint(0, 3))
        if chance.random() < 0.5:
            for thread in range(self.threads):
                self.bytes_[thread] = chance.getrandbits(8)
                parts[thread].append([f"bytes{self.number}[{thread}] = {self.bytes_[thread]};"])
        for thread, part in enumerate(parts):
            chance.shuffle(part)
            self.bodies[thread] += [line for statements in part for line in statements]
        # Between phases: what each makes of its neighbour's number needs the barrier on both sides.
        step = chance.choice((1, self.threads - 1))
        before, after = list(self.slots), self.slots
        for thread in range(self.threads):
            after[thread] = (before[(thread + step) % self.threads] * 5 + phase + thread) & 0xffffffff
            self.bodies[thread] += ["pthread_barrier_wait(&barrier);", f"mine = slots{self.number}[{(thread + step) % self.threads}] * 5 + {phase + thread}u;"]
            if thread == 0:
                self.bodies[thread].append(f"check_list({listed});")
                self.bodies[thread] += [f'check("{v.name} in phase {phase}", {v.name}.value, {v.value}ull);' for v in self.variables]
            self.bodies[thread] += ["pthread_barrier_wait(&barrier);", f"slots{self.number}[{thread}] = mine;", "pthread_barrier_wait(&barrier);"]

    def add_queue(self, parts):
        """Some put, others get as many in all."""
        chance = self.chance
        writers = chance.randint(1, self.threads - 1)
        puts = [chance.randint(0, 15) for _ in range(writers)]
        left, readers = sum(puts), self.threads - writers
        for i in range(readers):
            count = left if i == readers - 1 else chance.randint(0, left)
            left -= count
            if count:
                parts[writers + i].append([f"for (int i = 0; i < {count}; ++i) __atomic_fetch_add(&passed{self.number}, get(), __ATOMIC_RELAXED);"])
        for thread, count in enumerate(puts):
            start = chance.getrandbits(16)
            parts[thread].append([f"for (uint32_t i = 0; i < {count}; ++i) put({start} + i * i);"])
            self.passed += sum(start + i * i for i in range(count))

    def in_c(self):
        n, lines = self.number, []
        for variable in self.variables:
            lines += variable.declare()
        lines.append(f"static uint8_t bytes{n}[{self.threads}];")
        lines.append(f"static uint32_t passed{n}, slots{n}[] = {{{', '.join(f'{slot}u' for slot in self.first_slots)}}};")
        for thread, body in enumerate(self.bodies):
            lines += [f"static void thread{n}_{thread}(void) {{", "uint32_t mine;", *body, "}"]
        lines.append(f"static void *work{n}(void *number) {{ static void (*const threads[])(void) = {{{', '.join(f'thread{n}_{i}' for i in range(self.threads))}}}; "
                     f"threads[(long)number](); return NULL; }}")
        locked = [variable for variable in self.variables if variable.keeper in LOCKS]
        lines += [f"static int case{n}(void) {{", *(v.lock(1) for v in locked), f"run({n}, {self.threads}, {self.most}, work{n});"]
        for variable in self.variables:
            name = variable.name
            lines += [f'check("{name} ({variable.keeper})", {name}.value, {variable.value}ull);', f'check("what is before {name}", {name}.before, {variable.before}ull);',
                      f'check("what is behind {name}", {name}.after, {variable.after}ull);']
        lines += [f'check("what was passed", passed{n}, {self.passed & 0xffffffff}u);']
        lines += [f'check("byte {i}", bytes{n}[{i}], {value});' for i, value in enumerate(self.bytes_)]
        lines += [f'check("slot {i}", slots{n}[{i}], {value}u);' for i, value in enumerate(self.slots)]
        return lines + [*(v.lock(4) for v in locked), "return end();", "}"]


def program(seeds, mistake=False):
    cases = [Case(seed, seed) for seed in seeds]
    if mistake:
        cases[0].slots[0] ^= 1
    lines = [line for case in cases for line in case.in_c()]
    calls = " ".join(f"wrong += case{case.number}();" for case in cases)
    return PROLOGUE + "\n".join(lines) + f"\nint main(void) {{ int wrong = 0; {calls} printf(\"%d wrong\\n\", wrong); return wrong != 0; }}\n"


def expected_of(seeds):
    return "".join(f"case {seed}: ok\n" for seed in seeds) + "0 wrong\n"


def check(seeds, options):
    """What is wrong with a program of these cases, as texts, and which devices are not there."""
    work = options.work / f"cases-{seeds[0]}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    source, built = work / "cases.c", work / "cases"
    source.write_text(program(seeds, options.mistake))
    command = [options.mogcc, "-save-temps=obj", *oracle.build_options(options.way), options.level, "-pthread", "-w", source, "-latomic", "-o", built]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        return [f"mogcc: {done.stderr[:2000]}"], []
    commands, missing = {}, []
    if options.qemu:
        commands["elf"] = [options.qemu, f"{built}.mog.elf"]
    for device in options.devices.split(","):
        if device.startswith("opencl") and not oracle.has_opencl(options.mogrun):
            missing.append(device)
            continue
        extra = oracle.opencl_options(options.way) if device == "opencl" else []
        commands[device] = [options.mogrun, "-n", options.processes, f"--device={device}", *extra, *options.run_option, built]
    problems = []
    for name, command in commands.items():
        count = 1 if name == "elf" else options.processes
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=options.timeout)
            status, text = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired as end:
            status, text = f"no end within {options.timeout} s", (end.stdout or b"").decode(errors="replace")
        wanted = sorted(expected_of(seeds).splitlines() * count)
        if status or sorted(text.splitlines()) != wanted:
            bad = [line for line in text.splitlines() if line not in wanted]
            problems.append(f"{name}: status {status}: " + "\n".join(bad[:20] or text.splitlines()[-1:]))
    if not problems:
        shutil.rmtree(work)
    return problems, missing


def main():
    parser = argparse.ArgumentParser(description="Random programs with threads whose results are known.")
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--mogrun", default="mogrun")
    parser.add_argument("--qemu", default="qemu-mipsel")
    parser.add_argument("--work", default="/tmp/mog-random-threads", type=Path)
    parser.add_argument("--devices", default="host,reference,opencl")
    parser.add_argument("--way", default="usual", choices=oracle.WAYS, help="how programs are compiled and run (tests/oracle.py)")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--processes", type=int, default=1, help="how many do it at once")
    parser.add_argument("--run-option", action="append", default=[], help="an option for mogrun; may be repeated")
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    parser.add_argument("--count", type=int, default=40, help="how many cases")
    parser.add_argument("--each", type=int, default=40, help="how many cases a program has")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each run")
    parser.add_argument("--mistake", action="store_true", help="make one: a program that must be found wrong")
    parser.add_argument("--show", action="store_true", help="show the program of these cases, and do nothing")
    options = parser.parse_args()
    seeds = list(range(options.seed, options.seed + options.count))
    if options.show:
        print(program(seeds, options.mistake), end="")
        return 0
    options.mogcc, options.mogrun = (Path(shutil.which(tool) or tool).resolve() for tool in (options.mogcc, options.mogrun))
    options.qemu = shutil.which(options.qemu)
    options.work = options.work.resolve()
    failed, missing = False, set() if options.qemu else {"qemu"}
    for first in range(0, len(seeds), options.each):
        some = seeds[first:first + options.each]
        problems, absent = check(some, options)
        missing.update(absent)
        print(f"cases {some[0]} to {some[-1]}: " + ("WRONG\n  " + "\n".join(problems).replace("\n", "\n  ") if problems else "ok"), flush=True)
        failed |= bool(problems)
    if missing:
        print(f"not there: {', '.join(sorted(missing))}")
    return 1 if failed else oracle.SKIPPED if missing else 0


if __name__ == "__main__":
    sys.exit(main())
