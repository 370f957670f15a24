# Objects that clang made.
clang --print-targets 2>/dev/null | grep -q mipsel || skip "no clang for mipsel"
cat >x.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
struct pair { int a; double b; };
static struct pair next(struct pair p) { return (struct pair){p.a * 3 + 1, p.b / 7}; }
int kind(int x) {
    switch (x) { case 0: return 5; case 1: return -3; case 2: return 70; case 3: return 11; case 4: return 2; case 5: return 1000; }
    return 0;
}
static int (*const functions[])(int) = {kind, abs};
int main(int argc, char **argv) {
    struct pair p = {argc, 0.5};
    for (int i = 0; i < 5; i++) p = next(p);
    long long wide = (long long)p.a << 33;
    for (int i = 0; i < 7; i++) printf("%d ", functions[i & 1](i - argc));
    printf("%d %.12g %lld %s\n", p.a, p.b, wide / 1000003, argv[1] ? argv[1] : "none");
    return kind(3);
}
EOF
mogcc -O1 x.c -o x     # what gcc makes of it says what is right
right=$(./x || true)
for options in "-O0" "-O2" "-O2 -fPIC" "-Os -mno-abicalls -fno-pic"; do
    # shellcheck disable=SC2086
    clang --target=mipsel-linux-gnu -march=mips32r2 -mfp32 $options -nostdlibinc -isystem "$BUILD/sysroot/include" -D__mog__ -c x.c -o x.o
    mogcc x.o -o x
    status 11 ./x
    got=$(cat out)
    [ "$right" = "$got" ] || fail "with $options: $got, not $right"
done
