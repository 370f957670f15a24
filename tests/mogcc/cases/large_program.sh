# 100,000 instructions are translated and assembled in less than 3 s of processor time and 500 MB.
! grep -q '^MOG_SANITIZE:BOOL=ON' "$BUILD/CMakeCache.txt" || skip "sanitizers take their own time and memory"
awk 'BEGIN {
    print "static unsigned g[64]; static double h[16];"
    for (i = 0; i < 1350; i++) {
        printf "unsigned f%d(unsigned a, unsigned b)\n{\n    unsigned s = a;\n", i
        printf "    for (unsigned i = 0; i < (b & 7); i++) s += g[(s ^ i) & 63] * %du;\n", i + 3
        printf "    if (s & %d) s ^= b; else g[%d] = s >> 3;\n", i % 50, i % 64
        printf "    switch (s & 3) { case 0: s++; break; case 1: s = ~s; break; case 2: s *= 3; }\n"
        printf "    h[%d] = h[s & 15] * 1.5 + (double)b;\n", i % 16
        if (i) printf "    if (b > %d) s += f%d(s, b >> 1);\n", i % 9, i - 1
        print "    return s;\n}"
    }
    print "int main(void) { return f1349(1, 2) & 1; }"
}' >large.c
mogcc -O0 --emit=elf large.c -o large.elf
instructions=$(($(mipsel-linux-gnu-size -A large.elf | awk '$1 == ".text" { print $2 }') / 4))
[ "$instructions" -ge 100000 ] || fail "the program has only $instructions instructions"
(ulimit -v 500000 && "$BUILD/bin/mogtr" large.elf -o large.mog && "$BUILD/bin/mogas" large.mog -o large.mogi && times >times) ||
    fail "mogtr or mogas fails with 500 MB"
# What this shell's children took: user and system time, "0m1.234s 0m0.056s".
tail -n 1 times | awk '{ gsub("[ms]", " "); exit !($1 * 60 + $2 + $3 * 60 + $4 < 3) }' || fail "they need more than 3 s: $(tail -n 1 times)"

# More of it is compiled than of a small program, unless somebody says how long that may take.
"$BUILD/bin/mogas" --emit=cpp large.mog -o usual.cpp
"$BUILD/bin/mogas" --emit=cpp --build-time=1 large.mog -o second.cpp
usual=$(wc -l <usual.cpp) second=$(wc -l <second.cpp)
[ "$usual" -gt $((second + second / 4)) ] || fail "usually $usual lines, in a second $second"
