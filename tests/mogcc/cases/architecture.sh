cat >f.c <<'C'
#include <stdio.h>
int main(int argc, char **argv) { (void)argv; printf("%d %u\n", argc * 7 / 3, 12345u % (unsigned)(argc + 9)); return 0; }
C
for architecture in -mips2 -march=mips32 -march=24kf; do
    mogcc -O2 "$architecture" f.c
    ./a.out >out
    [ "$(cat out)" = "2 5" ]
done
