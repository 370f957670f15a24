# What the translator refuses, it refuses with the address, the function and the instruction; no program is written.
printf '\t.globl main\n\t.set noreorder\n\t.type main,@function\nmain:\n\tjr $31\n\tb main\n\tnop\n\t.size main,.-main\n' >x.s
status 1 mogcc x.s -o prog
has err 'mogcc: error: x.s: 0x4'
has err '(main): b'
absent prog
