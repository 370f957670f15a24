/* Records of a fixed size updated in place, in any order. */
#include <stdio.h>

struct record { int key; char name[12]; double balance; };

int main(void) {
    FILE *f = fopen("records.tmp", "w+b");
    for (int i = 0; i < 20; i++) {
        struct record r = {i, "", i * 1.5};
        sprintf(r.name, "name %d", i);
        fwrite(&r, sizeof r, 1, f);
    }
    for (int i = 7, n = 0; n < 30; n++, i = i * 11 % 20) {
        struct record r;
        fseek(f, i * (long)sizeof r, SEEK_SET);
        fread(&r, sizeof r, 1, f);
        r.balance = r.balance * 2 - n;
        fseek(f, -(long)sizeof r, SEEK_CUR);
        fwrite(&r, sizeof r, 1, f);
    }
    rewind(f);
    double sum = 0;
    for (struct record r; fread(&r, sizeof r, 1, f) == 1;) sum += r.balance * r.key;
    printf("%g %ld\n", sum, ftell(f) / (long)sizeof(struct record));
    fclose(f);
    return remove("records.tmp");
}
