# -S gives MIPS assembly.
hello
mogcc -S hello.c
grep -q '^main:' hello.s
mogcc -S -o - hello.c >printed
diff hello.s printed
