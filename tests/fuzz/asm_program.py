"""asm_program.py: random MIPS machine code in random control flow, for the passes of the translator.

A program is a C file: an assembly function `run` and a driver that calls it with several sets of registers and prints
all registers, hi and lo, FPU registers and condition codes, and the memory that it worked on. In `run`

    $23       the arena: ARENA bytes that all loads and stores fall into      $22   jumps backwards that are left
    $29       the stack pointer, unused in between          $26   where to store registers at the end
    others    random operands

Blocks end with random branches to any block, a delay slot filled or not, calls of small subroutines, jumps through
registers and tables, or nothing. Each jump backwards counts down $22, so that every program ends.
"""

ARENA = 256
# Not $0 as a destination: twice in the list as a source.
POOL = list(range(1, 22)) + [24, 25, 28, 30, 31]
CONSTANTS = [0, 1, 2, 7, 31, 32, 0x7f, 0x80, 0xff, 0x7fff, -1, -2, -0x8000, -0x7fff, 0x100, 0x55]
REGISTER3 = ["addu", "subu", "and", "or", "xor", "nor", "slt", "sltu", "mul", "movz", "movn", "sllv", "srlv", "srav", "rorv"]
IMMEDIATE = ["addiu", "slti", "sltiu"]
LOGICAL = ["andi", "ori", "xori"]
SHIFTS = ["sll", "srl", "sra", "ror"]
ONE_SOURCE = ["clz", "clo", "wsbh", "seb", "seh", "negu", "not", "move"]
HILO2 = ["mult", "multu", "div", "divu", "madd", "maddu", "msub", "msubu"]
FLOAT3 = ["add", "sub", "mul", "div"]
FLOAT2 = ["sqrt", "abs", "neg", "mov"]
TO_WORD = ["round.w", "trunc.w", "ceil.w", "floor.w", "cvt.w"]
CONDITIONS = ["f", "un", "eq", "ueq", "olt", "ult", "ole", "ule", "sf", "ngle", "seq", "ngl", "lt", "nge", "le", "ngt"]


class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        # Few registers make more hazards; many, more pressure.
        self.pool = rng.sample(POOL, rng.choice([3, 5, 8, len(POOL)]))
        self.in_subroutine = False
        self.slot_labels = []       # delay slots that are jumped to from elsewhere
        self.floats = rng.sample(range(0, 32, 2), rng.choice([2, 4, 16]))
        kinds = [self.alu, self.alu, self.alu, self.memory, self.memory, self.unaligned, self.hilo, self.bits, self.constant,
                 self.select, self.fpu, self.fpu, self.compare, self.fpu_memory, self.fpu_move, self.indexed]
        # Each program prefers some kinds.
        self.kinds = kinds + rng.choices(kinds, k=len(kinds))

    # ---- operands ---------------------------------------------------------------------------------------------------
    def source(self):
        return f"${0 if self.rng.random() < 0.08 else self.rng.choice(self.pool)}"

    def destination(self):
        if self.rng.random() < 0.03:
            return "$0"
        return f"${self.rng.choice([r for r in self.pool if r != 31 or not self.in_subroutine] or [2])}"

    def single(self):
        return f"$f{self.rng.choice(self.floats) + (self.rng.random() < 0.3)}"

    def double(self):
        return f"$f{self.rng.choice(self.floats)}"

    def offset(self, size, unaligned=False):
        place = self.rng.choice([self.rng.randrange(0, 24), self.rng.randrange(0, ARENA - 8)])
        return place if unaligned else place // size * size

    # ---- instructions, each a list of lines; those that fit a delay slot are of one --------------------------
    def alu(self):
        d, s, t = self.destination(), self.source(), self.source()
        kind = self.rng.randrange(4)
        if kind == 0:
            return [f"{self.rng.choice(REGISTER3)} {d},{s},{t}"]
        if kind == 1:
            return [f"{self.rng.choice(IMMEDIATE)} {d},{s},{self.rng.choice(CONSTANTS)}"]
        if kind == 2:
            return [f"{self.rng.choice(LOGICAL)} {d},{s},{self.rng.choice(CONSTANTS) & 0xffff}"]
        return [f"{self.rng.choice(SHIFTS)} {d},{s},{self.rng.randrange(32)}"]

    def constant(self):
        d = self.destination()
        kind = self.rng.randrange(3)
        if kind == 0:
            return [f"lui {d},{self.rng.randrange(65536)}"]
        if kind == 1:
            return [f"li {d},{self.rng.choice(CONSTANTS)}"]
        return [f"lui {d},{self.rng.randrange(65536)}", f"{self.rng.choice(['ori', 'xori'])} {d},{d},{self.rng.randrange(65536)}"]

    def select(self):
        return [f"{self.rng.choice(['movz', 'movn'])} {self.destination()},{self.source()},{self.source()}",
                f"{self.rng.choice(['movf', 'movt'])} {self.destination()},{self.source()},$fcc{self.rng.randrange(3)}"][
                    self.rng.randrange(2):][:1]

    def bits(self):
        position = self.rng.randrange(32)
        size = self.rng.randrange(1, 33 - position)
        kind = self.rng.randrange(3)
        if kind == 0:
            return [f"{self.rng.choice(ONE_SOURCE)} {self.destination()},{self.source()}"]
        return [f"{'ext' if kind == 1 else 'ins'} {self.destination()},{self.source()},{position},{size}"]

    def hilo(self):
        kind = self.rng.randrange(4)
        if kind < 2:
            return [f"{self.rng.choice(['mfhi', 'mflo', 'mthi', 'mtlo'])} {self.destination()}"]
        op = self.rng.choice(HILO2)
        return [f"{op} {'$0,' if op.startswith('div') else ''}{self.source()},{self.source()}"]

    def memory(self):
        op, size = self.rng.choice([("lw", 4), ("sw", 4), ("lb", 1), ("lbu", 1), ("sb", 1), ("lh", 2), ("lhu", 2), ("sh", 2)])
        register = self.destination() if op[0] == "l" else self.source()
        return [f"{op} {register},{self.offset(size)}($23)"]

    def unaligned(self):
        at, op = self.offset(1, True), self.rng.choice("ls")
        register = self.destination() if op == "l" else self.source()
        halves = [f"{op}wl {register},{at + 3}($23)", f"{op}wr {register},{at}($23)"]
        self.rng.shuffle(halves)
        form = self.rng.randrange(6)
        if form == 0:
            return halves[:1]
        if form == 1:   # two that are no pair
            return [halves[0], halves[1].replace(f",{at}(", f",{at + 1}(").replace(f",{at + 3}(", f",{at + 4}(")]
        between = self.one() if form < 4 else []
        return [halves[0], *between, halves[1]]

    def indexed(self):
        base = self.rng.choice([r for r in self.pool if r != 31 or not self.in_subroutine] or [2])
        lines = [f"andi ${base},{self.source()},{self.rng.choice([0x3c, 0x7c, 0x78])}", f"addu ${base},${base},$23"]
        at = self.rng.randrange(0, 16) * 4
        return lines + [self.rng.choice([f"lw ${base},{at}(${base})", f"lw {self.destination()},{at}(${base})", f"sw ${base},{at}(${base})",
                                         f"sw {self.source()},{at}(${base})", f"lbu {self.destination()},{at + 1}(${base})",
                                         f"sh {self.source()},{at + 2}(${base})",
                                         f"lwl ${base},{at + 4}(${base})", f"swr {self.source()},{at + 1}(${base})"])]

    def fpu(self):
        kind, fmt = self.rng.randrange(6), self.rng.choice("sd")
        operand = self.single if fmt == "s" else self.double
        if kind < 2:
            return [f"{self.rng.choice(FLOAT3)}.{fmt} {operand()},{operand()},{operand()}"]
        if kind == 2:
            return [f"{self.rng.choice(FLOAT2)}.{fmt} {operand()},{operand()}"]
        if kind == 3:
            return [f"{self.rng.choice(TO_WORD)}.{fmt} {self.single()},{operand()}"]
        if kind == 4:
            return [self.rng.choice([f"cvt.s.w {self.single()},{self.single()}", f"cvt.d.w {self.double()},{self.single()}",
                                     f"cvt.s.d {self.single()},{self.double()}", f"cvt.d.s {self.double()},{self.single()}"])]
        return [self.rng.choice([f"movz.{fmt} {operand()},{operand()},{self.source()}", f"movn.{fmt} {operand()},{operand()},{self.source()}",
                                 f"movf.{fmt} {operand()},{operand()},$fcc{self.rng.randrange(3)}",
                                 f"movt.{fmt} {operand()},{operand()},$fcc{self.rng.randrange(3)}"])]

    def compare(self):
        fmt = self.rng.choice("sd")
        operand = self.single if fmt == "s" else self.double
        return [f"c.{self.rng.choice(CONDITIONS)}.{fmt} $fcc{self.rng.choice([0, 0, 1, 2])},{operand()},{operand()}"]

    def fpu_memory(self):
        kind = self.rng.randrange(4)
        if kind < 2:
            return [f"{['lwc1', 'swc1'][kind]} {self.single()},{self.offset(4)}($23)"]
        return [f"{['ldc1', 'sdc1'][kind - 2]} {self.double()},{self.offset(8)}($23)"]

    def fpu_move(self):
        kind = self.rng.randrange(4)
        if kind < 2:
            return [f"{['mtc1', 'mthc1'][kind]} {self.source()},{[self.single, self.double][kind]()}"]
        return [f"{['mfc1', 'mfhc1'][kind - 2]} {self.destination()},{[self.single, self.double][kind - 2]()}"]

    def some(self):
        return self.rng.choice(self.kinds)()

    def one(self):
        """An instruction that may stand in a delay slot or between two others: a single one."""
        while True:
            lines = self.some()
            if len(lines) == 1:
                return lines

    def slot(self):
        return ["nop"] if self.rng.random() < 0.15 else self.one()

    # ---- control flow -------------------------
    def branch(self, target):
        likely = "l" if self.rng.random() < 0.3 else ""
        kind = self.rng.randrange(4)
        if kind == 0:
            return f"{self.rng.choice(['beq', 'bne'])}{likely} {self.source()},{self.source()},{target}"
        if kind == 1:
            return f"{self.rng.choice(['blez', 'bgtz', 'bltz', 'bgez'])}{likely} {self.source()},{target}"
        if kind == 2:
            return f"{self.rng.choice(['bc1f', 'bc1t'])}{likely} $fcc{self.rng.choice([0, 0, 1, 2])},{target}"
        return f"{self.rng.choice(['beq', 'bne'])}{likely} {self.source()},$0,{target}"

    def block_end(self, index, blocks, subroutines):
        """The lines that end a block."""
        rng = self.rng
        target = rng.randrange(blocks)
        kind = rng.randrange(16)
        name = f".Lblock_{target}" if target < blocks - 1 or rng.random() < 0.5 else ".Lexit"
        end = []
        if kind < 8:
            if self.slot_labels and rng.random() < 0.2:
                name, target = rng.choice(self.slot_labels), 0
            end = [self.branch(name), *self.slot()]
            if rng.random() < 0.2:
                self.slot_labels.append(f".Lslot_{index}")
                end.insert(1, f".Lslot_{index}:")
        elif kind == 8:
            end = [f"{rng.choice(['j', 'b'])} {name}", *self.slot()]
        elif kind == 9:
            register = rng.choice(self.pool)
            end = [f"lui ${register},%hi({name})", f"addiu ${register},${register},%lo({name})", f"jr ${register}", *self.slot()]
        elif kind == 10:
            register = rng.choice(self.pool)
            end = [f"andi ${register},{self.source()},12", f"lui $27,%hi(.Ltable)", f"addu $27,$27,${register}",
                   f"lw ${register},%lo(.Ltable)($27)", f"jr ${register}", *self.slot()]
            return ["addiu $22,$22,-1", "bltz $22,.Lexit", *self.slot(), *end]
        elif kind == 11:
            name = f"sub_{rng.randrange(subroutines)}"
            call = rng.choice([f"jal {name}", f"jal {name}", f"bal {name}", f"bltzal {self.source().replace('$31', '$2')},{name}",
                               f"bgezal {self.source().replace('$31', '$2')},{name}"])
            return [call, *self.slot_of_call()]
        elif kind == 12:
            name = f"sub_{rng.randrange(subroutines)}"
            return ["lui $27,%hi(" + name + ")", "addiu $27,$27,%lo(" + name + ")", rng.choice(["jalr $27", "jalr $31,$27"]),
                    *self.slot_of_call()]
        elif kind == 13:     # a call that returns through another register
            register = rng.choice([r for r in self.pool if r != 31] or [2])
            return [f"lui ${register},%hi(thunk)", f"addiu ${register},${register},%lo(thunk)", f"jalr $27,${register}", *self.slot()]
        else:
            return []
        if target <= index:
            end = ["addiu $22,$22,-1", "bltz $22,.Lexit", *self.slot()] + end
        return end

    def slot_of_call(self):
        """Of a call: it must not change $31, or the subroutine would not come back."""
        self.in_subroutine = True
        lines = self.slot()
        self.in_subroutine = False
        return lines

    def subroutine(self, index):
        self.in_subroutine = True
        lines = [f".globl sub_{index}", f".type sub_{index},@function", f"sub_{index}:"]
        for _ in range(self.rng.randrange(5)):
            lines += self.some()
        # Some end in a jump to the one before.
        lines += ["jr $31" if index == 0 or self.rng.random() < 0.7 else f"j sub_{index - 1}", *self.slot(), f".size sub_{index},.-sub_{index}"]
        self.in_subroutine = False
        return lines

    def system_call(self):
        """write(1, arena + 8, 0): changes $2 and $7 only."""
        return ["li $2,4004", "li $4,1", "addiu $5,$23,8", "li $6,0", "syscall"]


def generate(rng):
    writer = Writer(rng)
    blocks, subroutines = rng.randrange(2, 14), rng.randrange(1, 4)
    body = []
    for index in range(blocks):
        body.append(f".Lblock_{index}:")
        for _ in range(rng.randrange(1, 10)):
            body += writer.some()
        if rng.random() < 0.06:
            body += writer.system_call()
        body += writer.block_end(index, blocks, subroutines)
    integers = [r for r in range(1, 32) if r not in (26, 27, 29, 22, 23)]
    # $4 points to the state: registers by number, hi and lo at 128, FPU registers at 144, condition codes at 272.
    lines = [".text", ".set push", ".set noreorder", ".set noat", ".globl run", ".type run,@function", "run:", "addiu $29,$29,-64"]
    lines += [f"sw ${r},{4 * i}($29)" for i, r in enumerate([16, 17, 18, 19, 20, 21, 22, 23, 28, 30, 31])]
    lines += ["sdc1 $f%d,%d($29)" % (20, 48), "move $26,$4", "move $23,$5", "move $22,$6"]
    lines += ["lw $2,128($26)", "mthi $2", "lw $2,132($26)", "mtlo $2"]
    lines += [f"lwc1 $f{i},{144 + 4 * i}($26)" for i in range(32)]
    lines += [f"c.eq.s $fcc{i},$f{2 * i},$f{2 * i}" for i in range(3)]
    lines += [f"lw ${r},{4 * r}($26)" for r in integers]
    lines += ["# [body"] + body + ["# body]", ".Lexit:"]
    lines += [f"sw ${r},{4 * r}($26)" for r in integers]
    lines += ["mfhi $2", "sw $2,128($26)", "mflo $2", "sw $2,132($26)"]
    lines += [f"swc1 $f{i},{144 + 4 * i}($26)" for i in range(32)]
    for i in range(3):
        lines += ["li $2,0", "li $3,1", f"movt $2,$3,$fcc{i}", f"sw $2,{272 + 4 * i}($26)"]
    lines += [f"lw ${r},{4 * i}($29)" for i, r in enumerate([16, 17, 18, 19, 20, 21, 22, 23, 28, 30, 31])]
    lines += ["ldc1 $f20,48($29)", "jr $31", "addiu $29,$29,64", ".size run,.-run"]
    for index in range(subroutines):
        lines += writer.subroutine(index)
    lines += [".type thunk,@function", "thunk:", *writer.some(), "jr $27", *writer.slot(), ".size thunk,.-thunk"]
    lines += [".set pop", ".rdata", ".align 2", ".Ltable:"]
    lines += [f".word .Lblock_{rng.randrange(blocks)}" for _ in range(4)] + [".text"]
    assembly = "\n".join('    "%s\\n"' % (line if line.endswith(":") else "    " + line) for line in lines)
    return DRIVER.replace("ASSEMBLY", assembly).replace("SEED", str(rng.randrange(1, 1 << 31)))


DRIVER = r'''/* Made by tests/fuzz/asm_program.py. */
#include <stdio.h>
#include <string.h>
__asm__(
ASSEMBLY
);
typedef struct { unsigned gpr[32], hi, lo, pad[2], fpr[32], cc[3], end; } State;
void run(State *, unsigned char *arena, int backward);
static unsigned seed = SEEDu;
static unsigned next(void) { return seed = seed * 1664525u + 1013904223u; }
static const unsigned words[] = {0, 1, ~0u, 0x7fffffff, 0x80000000, 31, 0xff80, 0x12345678, 0xfffffff8, 2, 0x3f800000, 0x7f800000, 0x10000};
static const unsigned floats[] = {0, 0x80000000, 1, 0x807fffff, 0x3f800000, 0x40490fdb, 0xc0200000, 0x3fc00000, 0x7f800000, 0xff800000,
                                  0x7fbfffff, 0x7fc00001, 0xffa12345, 0x7f7fffff, 0x4f000000, 0xcf000001, 0x40080000, 0xc0e00000, 0x7ff80000};
static unsigned pick(const unsigned *table, unsigned count)
{
    unsigned r = next() >> 8;
    return r % 3 ? table[r / 3 % count] : next() ^ r << 20;
}

int main(void)
{
    static unsigned char arena[512] __attribute__((aligned(16)));
    for (int round = 0; round < 6; round++) {
        State s;
        memset(&s, 0, sizeof s);
        for (int i = 0; i < 34; i++) s.gpr[i] = pick(words, sizeof words / sizeof *words);
        for (int i = 0; i < 32; i++) s.fpr[i] = pick(floats, sizeof floats / sizeof *floats);
        for (int i = 0; i < 512; i++) arena[i] = next() >> 24;
        run(&s, arena, 40);
        printf("round %d\n", round);
        for (int i = 0; i < 32; i += 4) printf("r%-2d %08x %08x %08x %08x\n", i, s.gpr[i], s.gpr[i + 1], s.gpr[i + 2], s.gpr[i + 3]);
        printf("hi %08x lo %08x cc %u%u%u\n", s.hi, s.lo, s.cc[0], s.cc[1], s.cc[2]);
        for (int i = 0; i < 32; i += 4) printf("f%-2d %08x %08x %08x %08x\n", i, s.fpr[i], s.fpr[i + 1], s.fpr[i + 2], s.fpr[i + 3]);
        unsigned hash = 2166136261u;
        for (int i = 0; i < 512; i++) hash = (hash ^ arena[i]) * 16777619u;
        printf("memory %08x:", hash);
        for (int i = 0; i < 64; i++) printf("%s%02x", i % 4 ? "" : " ", arena[i]);
        printf("\n");
    }
    return seed >> 24;
}
'''
