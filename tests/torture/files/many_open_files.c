/* Thirty files open at once, written in turns, each with its own offset. */
#include <stdio.h>

int main(void) {
    FILE *f[30];
    char name[24];
    unsigned sum = 0;
    for (int i = 0; i < 30; i++) sprintf(name, "many.%d", i), f[i] = fopen(name, "w+");
    for (int turn = 0; turn < 5; turn++) for (int i = 0; i < 30; i++) fprintf(f[i], "%d,", turn * i);
    for (int i = 0; i < 30; i++) {
        rewind(f[i]);
        for (int c; (c = getc(f[i])) != EOF;) sum = sum * 31 + c;
        fclose(f[i]);
        sprintf(name, "many.%d", i), remove(name);
    }
    printf("%u\n", sum);
    return 0;
}
