# A program that prints, doubles included, needs no more than 24 KB per PE.
cat >print.c <<'END'
#include <stdio.h>
#include <mog.h>
int main(void)
{
    printf("PE %d of %d: %s %f %.10g\n", IPROC, NPROC, "text", 2.5 * IPROC, 1.0 / 3);
    return 0;
}
END
mogcc -O2 print.c -o print
for device in reference host; do
    status 0 "$BUILD/bin/mogrun" -n 3 --mem 24K --device=$device ./print
    same "$(sort out)" "PE 0 of 3: text 0.000000 0.3333333333
PE 1 of 3: text 2.500000 0.3333333333
PE 2 of 3: text 5.000000 0.3333333333"
done
