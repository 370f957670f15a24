# What the translator refuses, it refuses by name; no program is written.
printf '\t.globl main\n\t.set noreorder\n\t.type main,@function\nmain:\n\t.word 0x42000018\n\tjr $31\n\tnop\n\t.size main,.-main\n' >x.s
status 1 mogcc x.s -o prog
has err main
absent prog
