#!/usr/bin/env python3
"""every_instruction.py OUT.c: writes a C program that runs every row of mips.def over awkward operands.

Each row becomes an assembly function that has registers loaded from memory, runs the instruction once, and has them stored back, by
code that all share, so that it is compiled once; the program prints a hash of all results per row and operand set. Run on qemu-mipsel and on every device, the output must be the
same. A row that cannot be tested this way has its reason below; a row without either fails.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ELSEWHERE = {
    "syscall": "every program that prints", "break": "tests/faults", "sdbbp": "refused by the translator",
    "rdhwr": "tests/torture/gnu/thread_local.c", "cfc1": "tests/programs/fcsr_register.c", "ctc1": "tests/programs/fcsr_register.c",
    "nop": "", "ulw": "made by pair_unaligned from lwl and lwr", "usw": "made by pair_unaligned from swl and swr", "illegal": "tests/faults",
    "sc": "qemu's link register needs the ll before it: the pair is tested as one",
}
# Traps that must not fire: 0 and 1 in $0 and $13.
TRAPS = {"tge": "$0,$13", "tgeu": "$0,$13", "tlt": "$13,$0", "tltu": "$13,$0", "teq": "$0,$13", "tne": "$0,$0",
         "tgei": "$0,1", "tgeiu": "$0,1", "tlti": "$13,0", "tltiu": "$13,0", "teqi": "$0,1", "tnei": "$0,0"}
# Would trap on overflow: 1 and 7.
SMALL = {"add": "$8,$13,$14", "sub": "$8,$13,$14", "neg": "$8,$14", "addi": "$8,$14,-5"}

LOAD = """test_load:
    lw $8,0($4)
    lw $9,4($4)
    lw $10,8($4)
    lw $2,12($4)
    mthi $2
    lw $2,16($4)
    mtlo $2
""" + "".join(f"    lwc1 $f{2 + i},{24 + 4 * i}($4)\n" for i in range(8)) + """    addiu $11,$4,64
    li $12,8
    li $13,1
    li $14,7
    c.eq.s $fcc1,$f8,$f8
    jr $31
    nop
"""
STORE = """test_store:
    sw $8,0($4)
    sw $9,4($4)
    sw $10,8($4)
    mfhi $2
    sw $2,12($4)
    mflo $2
    sw $2,16($4)
""" + "".join(f"    swc1 $f{2 + i},{24 + 4 * i}($4)\n" for i in range(8)) + """    li $2,0
    li $3,1
    movt $2,$3,$fcc0
    sw $2,56($4)
    li $2,0
    movt $2,$3,$fcc1
    sw $2,60($4)
    jr $24
    nop
"""
# Around an instruction: $24 returns to the driver, and $31 is what a call would leave.
BEFORE = """    move $24,$31
    jal test_load
    nop
    move $31,$24
"""
AFTER = """    j test_store
    nop
"""


def rows():
    """(name, syntax) of every row; the comparison macros expanded."""
    text = (ROOT / "translator/mips/mips.def").read_text()
    found = re.findall(r'^MIPS_OP\("([^"]+)",\s*"([^"]*)",\s*"([^"]*)",', text, re.M)
    # No instructions, but what loops and calls become.
    result = [(name, syntax) for name, _, syntax in found if not name.startswith(("amo", "div64."))]
    conditions = re.findall(r'MIPS_COMPARE_ROW\("(c\.\w+)"\s', text)
    assert len(conditions) == 16, conditions
    for fmt in (".s", ".d"):
        for name in conditions:
            result += [(name + fmt, "S,T"), (name + fmt, "C,S,T")]
    return result


def variants(name, syntax):
    """Assembly for the instruction, one string per variant."""
    if name in TRAPS:
        return [f"    {name} {TRAPS[name]}" + (",3" if ",n" in syntax else "")]
    if name in SMALL:
        return [f"    {name} {SMALL[name]}"]
    if name == "ll":
        return ["    ll $8,4($11)\n    addiu $8,$8,1\n    sc $8,4($11)"]
    if "B" in syntax or name in ("j", "jal"):
        return branches(name, syntax)
    if name.split(".")[0] in ("jr", "jalr"):
        return [f"    lui $9,%hi(1f)\n    addiu $9,$9,%lo(1f)\n    {name} {syntax.replace('d', '$31').replace('s', '$9')}\n    {slot}\n"
                f"    addiu $8,$8,16\n1:  addiu $8,$8,256\n    subu $10,$10,$31" for slot in ("addiu $8,$8,1", "addiu $9,$9,1")]
    memory = "i(s)" in syntax
    immediates = ["0", "1", "-1", "0x7fff", "-0x8000"] if "i" in syntax else ["0", "1", "0xffff", "0x8000"]
    if memory:
        immediates = ["0", "8"] if name in ("ldc1", "sdc1") else ["0", "4"]
        if name in ("lb", "lbu", "sb", "lwl", "lwr", "swl", "swr"):
            immediates = ["0", "1", "2", "3", "5"]
        if name in ("lh", "lhu", "sh"):
            immediates = ["0", "2", "6"]
    if not set("iu") & set(syntax):
        immediates = ["0"]
    shifts = [("0", "32"), ("5", "7"), ("31", "1"), ("8", "24")] if "a" in syntax else [("0", "0")]
    indexed = "t(s)" in syntax
    dest_t = name in ("addiu", "slti", "sltiu", "andi", "ori", "xori", "lui", "ext", "ins", "mfc1", "mfhc1") or memory
    out = []
    for imm in immediates:
        for shift, size in shifts:
            text = ""
            for ch in syntax:
                text += {"s": "$11" if memory or indexed else "$9", "t": "$12" if indexed else "$8" if dest_t else "$10",
                         "d": "$8", "S": "$f4", "T": "$f6", "F": "$f2", "R": "$f8", "C": "$fcc1", "i": imm, "u": imm,
                         "a": shift, "m": size, "n": "0"}.get(ch, ch)
            out.append(f"    {name} {text}")
    return out


def branches(name, syntax):
    operands = syntax.replace("s", "$9").replace("t", "$10").replace("C", "$fcc1").replace("B", "1f").replace("J", "1f")
    out = []
    for slot in ("addiu $8,$8,1", "addiu $9,$9,1", "c.eq.s $f2,$f4\n    nop"):
        if slot.startswith("c.") and "bc1" not in name:
            continue
        slot = slot.split("\n")[0]
        out.append(f"    {name} {operands}\n    {slot}\n    addiu $8,$8,16\n1:  addiu $8,$8,256\n    subu $10,$31,$24")
    return out


def main():
    tests, missing = [], []
    for name, syntax in rows():
        if name in ELSEWHERE:
            continue
        made = variants(name, syntax)
        if not made:
            missing.append(name)
        tests += [(f"{name} {syntax}", code) for code in made]
    assert not missing, missing
    out = ["/* Made by every_instruction.py from mips.def. */", "#include <stdio.h>", "#include <string.h>", "__asm__("]
    lines = [".text", ".set noreorder", ".set noat", ".set nomacro", ".set macro"]
    for name, code in (("test_load", LOAD), ("test_store", STORE)):
        lines += [f".type {name},@function", *code.rstrip().split("\n"), f".size {name},.-{name}"]
    for index, (_, code) in enumerate(tests):
        lines += [f".globl test_{index}", f".type test_{index},@function", f"test_{index}:"]
        lines += (BEFORE + code + "\n" + AFTER).rstrip().split("\n")
        lines += [f".size test_{index},.-test_{index}"]
    lines += [".set reorder", ".set at"]
    out += ['    "%s\\n"' % line for line in lines] + [");"]
    out += ["typedef unsigned state[24] __attribute__((aligned(8)));"]
    out += [f"void test_{i}(unsigned *);" for i in range(len(tests))]
    out += ["static const struct { void (*run)(unsigned *); const char *name; } tests[] = {"]
    out += ['    {test_%d, "%s"},' % (i, name) for i, (name, _) in enumerate(tests)]
    out += ["};", (Path(__file__).parent / "every_instruction_main.c").read_text()]
    Path(sys.argv[1]).write_text("\n".join(out))


if __name__ == "__main__":
    main()
