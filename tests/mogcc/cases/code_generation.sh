# Options that change the machine code: a program with jump tables, computed gotos, 64-bit and floating-point arithmetic says the same.
cat >x.c <<'EOF'
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
/* MIPS I truncates by setting the rounding mode. */
#define TRUNCATED(x) (__mips == 1 ? 100000000 : (int)(x))
static jmp_buf back;
static int word(int x) {
    static const int distance[] = {&&one - &&one, &&two - &&one};
    static void *const place[] = {&&three, &&four};
    if (x < 2) goto *(&&one + distance[x]);
    goto *place[x - 2];
one: return 10;
two: return 20;
three: return 30;
four: return 40;
}
static int table(int x) {
    switch (x) {
    case 0: return 7; case 1: puts("one"); return 1; case 2: return x * 3; case 3: return -9; case 4: longjmp(back, 5);
    }
    return 99;
}
static long long sum(int n, ...) {
    va_list list;
    va_start(list, n);
    long long s = 0;
    while (n--) s = s * 3 + va_arg(list, long long) / 7;
    va_end(list);
    return s;
}
int (*const functions[])(int) = {word, table};
int main(void) {
    volatile double d = 1e10, e = 3;
    volatile float f = 0.1f;
    for (int i = 0; i < 4; i++) printf("%d %d ", functions[0](i), functions[1](i));
    printf("%lld %.17g %.9g %d\n", sum(3, 100ll, -1ll << 40, 12345678901ll), d / e + f, f * 3, TRUNCATED(d / 100));
    int jumped = setjmp(back);
    return jumped ? jumped : table(4);
}
EOF
want=$(mogcc -O0 x.c -o x && { ./x && :; echo "status $?"; })
for options in -O1 -O2 -O3 -Os "-O2 -flto" "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections" "-O2 -funroll-loops" "-O2 -g" \
    "-O2 -mbranch-likely" "-O2 -fdelayed-branch" "-O0 -mips1" "-O2 -mips2" "-O2 -march=mips32" "-O2 -mabicalls -fPIC" "-O2 -mlong-calls" \
    "-O2 -fstack-protector-all" "-O2 -mno-explicit-relocs" "-O2 -fno-jump-tables" "-O2 -mno-check-zero-division"; do
    # shellcheck disable=SC2086
    mogcc --build-time=0.1 $options x.c -o x
    got=$(./x && :; echo "status $?")
    [ "$got" = "$want" ] || fail "with $options: $got"
done

# Objects that gcc made as Debian's gcc does by default, position-independent.
for options in "-O0 -fPIC" "-O2 -fPIC" "-O2 -fno-pic -mplt"; do
    # shellcheck disable=SC2086
    mipsel-linux-gnu-gcc -mabicalls -mfp32 $options -c x.c -o x.o -nostdinc -isystem "$(mipsel-linux-gnu-gcc -print-file-name=include)" -isystem "$BUILD/sysroot/include"
    mogcc --build-time=0.1 x.o -o x
    got=$(./x && :; echo "status $?")
    [ "$got" = "$want" ] || fail "abicalls with $options: $got"
done
