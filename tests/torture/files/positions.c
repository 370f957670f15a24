/* fgetpos, fsetpos, ftello, holes, and writing after reading. */
#include <stdio.h>

int main(void) {
    FILE *f = fopen("positions.tmp", "w+");
    fpos_t p;
    fputs("0123456789", f);
    fseek(f, 5, SEEK_SET);
    fgetpos(f, &p);
    int a = getc(f);
    fsetpos(f, &p);
    int b = getc(f);
    fseek(f, 20, SEEK_SET);
    putc('z', f);
    fseek(f, 12, SEEK_SET);
    int hole = getc(f);
    fseek(f, 0, SEEK_CUR);
    putc('y', f);
    fseek(f, 0, SEEK_END);
    printf("%c %c %d %ld %d\n", a, b, hole, ftell(f), fseek(f, -100, SEEK_SET));
    fclose(f);
    return remove("positions.tmp");
}
