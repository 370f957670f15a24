cat >f.c <<'C'
#include <stdio.h>
int main(int argc, char **argv) { (void)argv; printf("%d %u\n", argc * 7 / 3, 12345u % (unsigned)(argc + 9)); return 0; }
C
for architecture in -mips2 -march=mips32 -march=24kf; do
    mogcc -O2 "$architecture" f.c
    ./a.out >out
    [ "$(cat out)" = "2 5" ]
done
# The sign of a number is one instruction: gcc would take it apart and put it together in integer registers, for NaNs as old FPUs had them.
cat >sign.c <<'E'
#include <math.h>
#include <stdio.h>
#include <string.h>
__attribute__((noinline)) double magnitude(double x) { return fabs(x); }
__attribute__((noinline)) float negated(float x) { return -x; }
int main(void)
{
    unsigned long long bits = 0xfff0000000001234, of_magnitude;
    unsigned of_negated, nan = 0x7fa00001;
    double d;
    float f;
    memcpy(&d, &bits, 8);
    memcpy(&f, &nan, 4);
    d = magnitude(d);
    f = negated(f);
    memcpy(&of_magnitude, &d, 8);
    memcpy(&of_negated, &f, 4);
    printf("%llx %x %g\n", of_magnitude, of_negated, magnitude(-2.5));
    return 0;
}
E
MOG_CXX= mogcc -O2 sign.c -o sign
MOG_CXX= mogcc -O2 -c sign.c -o sign.o
mipsel-linux-gnu-objdump -d sign.o >listing
has listing abs.d
has listing neg.s
same "$(MOG_DEVICE=reference ./sign)" "7ff0000000001234 ffa00001 2.5"
# An older processor has no such instructions, and is asked for with ours out of the way.
MOG_CXX= mogcc -O2 -march=mips32 sign.c -o old
same "$(MOG_DEVICE=reference ./old)" "7ff0000000001234 ffa00001 2.5"
