"""mixed_program.py: random C of the kinds that csmith has little of: floating point with all conversions, unaligned
and packed data, 64-bit arithmetic, structures by value, varargs, switch and computed goto, recursion, function
pointers, setjmp.

The compiler's choices for undefined cases (overflow, conversion out of range) do not matter: what is compared is one
machine program on two machines. Only wild addresses, division by zero and endless loops are avoided: indices are
masked, divisors made odd, and each call and each turn of a loop takes one from `fuel`."""

INTEGERS = {"s8": 8, "u8": 8, "s16": 16, "u16": 16, "s32": 32, "u32": 32, "s64": 64, "u64": 64}
FLOATS = ["float", "double"]
TYPES = list(INTEGERS) + FLOATS * 3
ARITHMETIC = ["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
INTEGER_VALUES = ["0", "1", "-1", "2", "7", "31", "127", "-128", "255", "32767", "65535", "2147483647", "(-2147483647 - 1)", "0xffffffffu",
                  "0x12345678", "0x8000000000000000ull", "0x7fffffffffffffffll", "0x123456789abcdefll", "-1ll", "0x100000000ll"]
FLOAT_VALUES = ["0.0", "-0.0", "1.0", "-1.5", "0.1", "3.0", "1e-40", "4.9e-324", "2.2250738585072014e-308", "1.17549435e-38", "3.4028234e38",
                "1e308", "16777217.0", "2147483647.5", "-2147483648.5", "4294967295.0", "9.3e18", "0.5", "2.5", "1.0 / 3", "INFINITY", "-INFINITY",
                "NAN", "1e10", "-7e-5", "0x1p-149", "0x1.fffffep-127", "0x1p63"]
MATH1 = ["sqrt", "fabs", "floor", "ceil", "trunc", "rint", "round"]
MATH2 = ["fmod", "copysign", "fmin", "fmax", "hypot"]
SLOW1 = ["sin", "exp", "log", "atan", "cbrt", "tanh"]

FIELDS = [("s8", "a"), ("double", "b"), ("u16", "c"), ("u64", "d"), ("float", "e"), ("s32", "f"), ("u8", "g")]
BIT_FIELDS = [("u32", "p", 3), ("s32", "q", 13), ("u32", "r", 17), ("s64", "s", 37), ("u64", "t", 29), ("s32", "u", 1)]


class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.functions = []     # (name, return type, parameter types)
        self.lines = []
        self.names = []         # variables in scope: (name, type)
        self.labels = 0
        self.made = 0
        self.depth = 0

    def fresh(self, letter):
        self.made += 1
        return f"{letter}{self.made}"

    # ---- expressions ----------------------
    def literal(self, kind):
        rng = self.rng
        if rng.random() < 0.2:
            value = f"{rng.randrange(1 << 63)}ull" if kind not in FLOATS else f"{rng.uniform(-9, 9) * 2.0 ** rng.choice([0, 4, 30, 31, 60, -20, -140])!r}"
            return f"(({kind}){value})"
        if kind in FLOATS:
            return f"(({kind}){rng.choice(FLOAT_VALUES)})"
        return f"(({kind}){rng.choice(INTEGER_VALUES)})"

    def place(self, kind=None):
        """Something that can be read and assigned: a variable, an element, a field."""
        rng = self.rng
        form = rng.randrange(9)
        fitting = [name for name, of in self.names if kind in (None, of)]
        if form < 4 and fitting:
            return rng.choice(fitting)
        if form == 4:
            return f"packed[{self.index(3)}].{rng.choice([n for t, n in FIELDS if kind in (None, t)] or ['a'])}"
        if form == 5:
            return f"bits[{self.index(3)}].{rng.choice(BIT_FIELDS)[1]}"
        if form == 6:
            kind = kind or rng.choice(TYPES)
            return f"(({kind}_unaligned *)(bytes + ({self.expression('u32', 1)} & 63)))->value"
        if form == 7:
            return f"record{rng.randrange(2)}.{rng.choice([n for t, n in FIELDS if kind in (None, t)] or ['a'])}"
        kind = kind or rng.choice(TYPES)
        return f"{kind}_array[{self.index(7)}]"

    def index(self, mask):
        return str(self.rng.randrange(mask + 1)) if self.rng.random() < 0.5 else f"{self.expression('u32', 1)} & {mask}"

    def expression(self, kind, depth):
        """An expression of type `kind` (after conversion)."""
        rng = self.rng
        if depth <= 0:
            return self.literal(kind) if rng.random() < 0.3 else f"(({kind}){self.place(kind if rng.random() < 0.7 else None)})"
        form = rng.randrange(12)
        if form < 4:
            return self.binary(kind, depth)
        if form == 4:
            return f"(({kind}){self.expression(rng.choice(TYPES), depth - 1)})"
        if form == 5:
            of = rng.choice(TYPES)
            return f"(({kind})({self.expression(of, depth - 1)} {rng.choice(COMPARISONS)} {self.expression(of, depth - 1)}))"
        if form == 6:
            return f"({self.condition(depth - 1)} ? {self.expression(kind, depth - 1)} : {self.expression(kind, depth - 1)})"
        if form == 7 and kind in FLOATS:
            f = "f" if kind == "float" else ""
            if rng.random() < 0.15:
                return f"{rng.choice(SLOW1)}{f}({self.expression(kind, depth - 1)})"
            if rng.random() < 0.6:
                return f"{rng.choice(MATH1)}{f}({self.expression(kind, depth - 1)})"
            return f"{rng.choice(MATH2)}{f}({self.expression(kind, depth - 1)}, {self.expression(kind, depth - 1)})"
        if form == 8:
            return self.call(kind, depth) or self.binary(kind, depth)
        if form == 9:
            return f"(({kind}){self.builtin(depth - 1)})"
        if form == 10 and rng.random() < 0.5:
            return f"(({kind}){rng.choice(['++', '--', '-', '~', '!'])}({rng.choice(INTEGERS_LIST)}_array[{self.index(7)}]))"
        return f"({'-' if rng.random() < 0.5 else '+'}{self.expression(kind, depth - 1)})"

    def binary(self, kind, depth):
        rng = self.rng
        a = self.expression(kind, depth - 1)
        if kind in FLOATS:
            return f"({a} {rng.choice('+-*/')} {self.expression(kind, depth - 1)})"
        op = rng.choice(ARITHMETIC)
        if op in ("<<", ">>"):
            return f"(({kind})({a} {op} ({self.expression('u32', depth - 1)} & {max(31, INTEGERS[kind] - 1)})))"
        if op in "/%":
            # INT_MIN / -1 gives what the machine gives; zero would stop the program.
            return f"(({kind})({a} {op} ({self.expression(kind, depth - 1)} | 1)))"
        return f"(({kind})({a} {op} {self.expression(kind, depth - 1)}))"

    def condition(self, depth):
        rng = self.rng
        kind = rng.choice(TYPES)
        form = rng.randrange(5)
        if form < 3:
            return f"({self.expression(kind, depth)} {rng.choice(COMPARISONS)} {self.expression(kind, depth)})"
        if form == 3:
            test = rng.choice(["isnan", "isinf", "signbit", "isfinite", "isnormal"])
            return f"{test}({self.expression(rng.choice(FLOATS), depth)})"
        if depth > 0:
            return f"({self.condition(depth - 1)} {rng.choice(['&&', '||'])} {self.condition(depth - 1)})"
        return f"!{self.expression(kind, 0)}"

    def builtin(self, depth):
        a, b = self.expression("u32", depth), self.expression("u64", depth)
        return self.rng.choice([f"__builtin_clz({a} | 1)", f"__builtin_ctz({a} | 64)", f"__builtin_popcount({a})", f"__builtin_bswap32({a})",
                                f"__builtin_clzll({b} | 1)", f"__builtin_ctzll({b} | 256)", f"__builtin_bswap64({b})", f"__builtin_popcountll({b})",
                                f"__builtin_bswap16({a})", f"({a} << 5 | {a} >> 27)", f"(u32)(((s64)(s32){a} * (s32){b}) >> 32)",
                                f"bits_of_float((float){b})", f"bits_of_double({self.expression('double', depth)})",
                                f"float_of_bits({a})", f"double_of_bits({b})", f"abs((s32){a})"])

    def call(self, kind, depth):
        """A call of one of the functions so far."""
        rng = self.rng
        if not self.functions:
            return None
        form = rng.randrange(6)
        if form == 0:
            count = rng.randrange(0, 6)
            kinds = [rng.choice(["s32", "s64", "double"]) for _ in range(count)]
            letters = "".join({"s32": "i", "s64": "l", "double": "d"}[k] for k in kinds)
            arguments = "".join(", " + self.expression(k, depth - 1) for k in kinds)
            return f"(({kind})sum_of(\"{letters}\"{arguments}))"
        if form == 1:
            return f"(({kind})table[{self.index(3)}]({self.expression('s32', depth - 1)}, {self.expression('double', depth - 1)}))"
        if form == 2:
            return f"(({kind})mix_records(record{rng.randrange(2)}, {self.expression('s32', depth - 1)}, packed[{self.index(3)}]).{rng.choice(FIELDS)[1]})"
        if form == 3:
            return f"(({kind})rescue({self.expression('u32', depth - 1)} & 15, {self.expression('double', depth - 1)}))"
        if form == 4:
            return f"(({kind})(__real__ turn({self.expression('double', depth - 1)} + {self.expression('float', depth - 1)} * 1.0i)))"
        name, _, parameters = rng.choice(self.functions)
        return f"(({kind}){name}({', '.join(self.expression(p, depth - 1) for p in parameters)}))"

    # ---- statements ----------------------
    def out(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def block(self, count):
        self.depth += 1
        names = len(self.names)
        for _ in range(count):
            self.statement()
        del self.names[names:]
        self.depth -= 1

    def statement(self):
        rng = self.rng
        form = rng.randrange(16)
        deep = self.depth >= 3
        size = rng.randrange(1, 4)
        if form < 6 or deep:
            op = rng.choice(["", "", "", "+", "-"])
            kind = rng.choice(TYPES)
            self.out(f"{self.place(kind)} {op}= {self.expression(kind, rng.randrange(1, 4))};")
        elif form == 6:
            kind, name = rng.choice(TYPES), self.fresh("v")
            self.out(f"{rng.choice(['', '', 'volatile '])}{kind} {name} = {self.expression(kind, 2)};")
            self.names.append((name, kind))
        elif form in (7, 8):
            self.out(f"if ({self.condition(2)}) {{")
            self.block(size)
            if rng.random() < 0.5:
                self.out("} else {")
                self.block(size)
            self.out("}")
        elif form == 9:
            name = self.fresh("i")
            self.out(f"for (u32 {name} = 0; {name} < {rng.randrange(1, 9)} && fuel-- > 0; {name}++) {{")
            self.names.append((name, "none"))
            self.out(f"    if ({self.condition(1)}) {rng.choice(['continue', 'break'])};")
            self.block(size)
            self.names.pop()
            self.out("}")
        elif form == 10:
            self.out(f"while ({self.condition(1)} && fuel-- > 0) {{")
            self.block(size)
            self.out("}")
        elif form == 11:
            kind = rng.choice(["s32", "u8", "s64"])
            dense = rng.random() < 0.6
            self.out(f"switch ({self.expression(kind, 2)}{' & 15' if dense else ''}) {{")
            values = rng.sample(range(16), 8) if dense else rng.sample([-1, 0, 1, 7, 100, 127, 32767, -32768, 65535, 99999, 2147483647], 5)
            for value in values:
                self.out(f"case {value}:")
                self.block(1)
                if rng.random() < 0.7:
                    self.out("    break;")
            self.out("default:")
            self.block(1)
            self.out("}")
        elif form == 12:
            self.computed_goto()
        elif form == 13:
            self.out(f"memmove(bytes + {rng.randrange(32)}, bytes + {rng.randrange(32)}, {rng.randrange(1, 30)});")
        elif form == 14:
            self.out(rng.choice([f"record{rng.randrange(2)} = mix_records(record{rng.randrange(2)}, {self.expression('s32', 1)}, packed[{self.index(3)}]);",
                                 f"memcpy(bytes + {rng.randrange(32)}, &packed[{self.index(3)}], sizeof packed[0]);",
                                 f"packed[{self.index(3)}] = packed[{self.index(3)}];", f"bits[{self.index(3)}] = bits[{self.index(3)}];"]))
        else:
            self.out(f"show({self.expression('double', 2)}, {self.expression('s64', 2)});")

    def computed_goto(self):
        """A little machine that jumps between labels."""
        rng = self.rng
        self.labels += 1
        n, count = self.labels, rng.randrange(2, 5)
        self.out("{")
        self.out(f"    static void *const labels{n}[] = {{{', '.join(f'&&label{n}_{k}' for k in range(count))}, &&end{n}}};")
        self.out(f"    goto *labels{n}[{self.expression('u32', 1)} % {count}];")
        for k in range(count):
            self.out(f"label{n}_{k}:;")
            depth, self.depth = self.depth, 4   # plain statements only: no declaration may be jumped over
            self.statement()
            self.depth = depth
            self.out(f"    if (fuel-- <= 0) goto end{n};")
            self.out(f"    goto *labels{n}[{self.expression('u32', 1)} % {count + 1}];")
        self.out(f"end{n}:;")
        self.out("}")

    def function(self, index):
        rng = self.rng
        kind = rng.choice(TYPES)
        parameters = [rng.choice(TYPES) for _ in range(rng.randrange(0, 7))]
        name = f"function{index}"
        self.names = [(f"a{i}", t) for i, t in enumerate(parameters)]
        # Of its own accord GCC would put small ones into their callers.
        attribute = rng.choice(["", "__attribute__((noinline)) "])
        self.lines.append(f"static {attribute}{kind} {name}({', '.join(f'{t} a{i}' for i, t in enumerate(parameters)) or 'void'})")
        self.lines.append("{")
        self.out(f"if (fuel-- <= 0) return {self.literal(kind)};")
        for _ in range(rng.randrange(2, 7)):
            self.statement()
        if rng.random() < 0.4:
            self.functions.append((name, kind, parameters))
            self.out(f"if ({self.condition(1)}) {self.place()} = {name}({', '.join(self.expression(p, 1) for p in parameters)});")
            self.functions.pop()
        self.out(f"return {self.expression(kind, 3)};")
        self.lines += ["}", ""]
        self.functions.append((name, kind, parameters))


INTEGERS_LIST = list(INTEGERS)


def generate(rng):
    writer = Writer(rng)
    head = []
    for kind in dict.fromkeys(TYPES):
        head.append(f"typedef struct {{ {kind} value; }} __attribute__((packed, may_alias)) {kind}_unaligned;")
        head.append(f"static {kind} {kind}_array[8] = {{{', '.join(writer.literal(kind) for _ in range(8))}}};")
    for index in range(rng.randrange(2, 6)):
        writer.function(index)
    writer.names = []
    # The table's functions have one type; what they call was written before them.
    for index in range(4):
        writer.names = [("x", "s32"), ("y", "double")]
        writer.lines += [f"static double entry{index}(s32 x, double y)", "{", "    if (fuel-- <= 0) return y;"]
        for _ in range(rng.randrange(1, 4)):
            writer.statement()
        writer.lines += [f"    return {writer.expression('double', 2)};", "}", ""]
    writer.lines += [f"static double (*const table[4])(s32, double) = {{{', '.join(f'entry{k}' for k in range(4))}}};", ""]
    writer.names = []
    main = ["int main(void)", "{"]
    body, writer.lines = writer.lines, []
    writer.out("memcpy(packed, bytes, 60), memcpy(bits, bytes + 7, 60);")
    writer.out("for (u32 turns = 0; turns < 4; turns++) {")
    writer.names, writer.depth = [("turns", "u32")], 1
    for name, _, parameters in writer.functions:
        writer.out(f"fuel = {rng.choice([50, 200, 600])};")
        kind = rng.choice(TYPES)
        writer.out(f"{kind}_array[(turns + {rng.randrange(8)}) & 7] = {name}({', '.join(writer.expression(p, 1) for p in parameters)});")
        writer.statement()
    writer.depth = 0
    writer.out("}")
    main += writer.lines
    for kind in dict.fromkeys(TYPES):
        main.append(f'    dump("{kind}", {kind}_array, sizeof {kind}_array);')
    main += ['    dump("packed", packed, sizeof packed);', '    dump("bits", bits, sizeof bits);', '    dump("bytes", bytes, sizeof bytes);']
    main += [f'    dump_record(&record{k});' for k in range(2)]
    main += ["    return bytes[5];", "}", ""]
    fields = " ".join(f"{kind} {name};" for kind, name in FIELDS)
    bits = " ".join(f"{kind} {name} : {width};" for kind, name, width in BIT_FIELDS)
    return (PROLOGUE.replace("FIELDS", fields).replace("BITS", bits) + "\n".join(head) + MIDDLE + "\n".join(body + main))


PROLOGUE = r'''/* Made by tests/fuzz/mixed_program.py. */
#include <math.h>
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#undef I
typedef signed char s8; typedef unsigned char u8; typedef short s16; typedef unsigned short u16;
typedef int s32; typedef unsigned u32; typedef long long s64; typedef unsigned long long u64;
typedef struct { FIELDS } Record;
typedef struct { FIELDS } __attribute__((packed)) Packed;
typedef struct { BITS } Bits;
static int fuel;
static Packed packed[4];
static Bits bits[4];
static Record record0 = {1, 2.5, 3, 4, 5.5f, 6, 7}, record1 = {-1, -2.5, 65535, ~0ull, 1e-40f, -6, 77};
static u8 bytes[96] = "some bytes that make odd numbers when they are read as such";
'''

MIDDLE = r'''
static double (*const table[4])(s32, double);

static u32 bits_of_float(float f) { u32 u; memcpy(&u, &f, 4); return u; }
static u64 bits_of_double(double d) { u64 u; memcpy(&u, &d, 8); return u; }
static float float_of_bits(u32 u) { float f; memcpy(&f, &u, 4); return f; }
static double double_of_bits(u64 u) { union { u64 u; double d; } both = {u}; return both.d; }

static void dump(const char *name, const void *data, u32 size)
{
    const u8 *p = data;
    printf("%s:", name);
    for (u32 i = 0; i < size; i++) printf("%s%02x", i % 8 ? "" : " ", p[i]);
    printf("\n");
}

static void dump_record(const Record *r)
{
    printf("record: %d %016llx %u %llx %08x %d %u\n", r->a, bits_of_double(r->b), r->c, r->d, bits_of_float(r->e), r->f, r->g);
}

static int shown;
static void show(double d, s64 n)
{
    if (shown++ < 40) printf("%016llx %.17g %a %lld\n", bits_of_double(d), d, d, n);
}

static __attribute__((noinline)) double sum_of(const char *kinds, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
            case 'i': sum += va_arg(list, s32); break;
            case 'l': sum += va_arg(list, s64); break;
            default: sum -= va_arg(list, double); break;
        }
    }
    va_end(list);
    return sum;
}

static __attribute__((noinline)) Record mix_records(Record r, s32 n, Packed p)
{
    r.a += p.g;
    r.b = r.b * p.e + n;
    r.c ^= p.c;
    r.d += p.d << (n & 63);
    r.e -= (float)p.b;
    r.f = p.f * n;
    r.g = r.g >> 1 | p.a << 7;
    return r;
}

static __attribute__((noinline)) _Complex double turn(_Complex double z) { return z * z + 1.0i * z; }

static jmp_buf home;
static int depth;
static __attribute__((noinline)) double dive(u32 n, double x)
{
    char room[1 + (n & 7)];
    memset(room, n, sizeof room);
    if (n == 0) longjmp(home, 3);
    return dive(n - 1, x * 0.5) + room[n & 7 ? 1 : 0];
}
static __attribute__((noinline)) double rescue(u32 n, double x)
{
    volatile double kept = x + n;
    if (depth || fuel-- <= 0) return kept;
    depth = 1;
    int came = setjmp(home);
    if (came == 0) kept = dive(n, x);
    depth = 0;
    return kept + came;
}

'''
