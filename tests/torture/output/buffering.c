/* setvbuf in its three modes, fflush, and what is still in the buffer at exit. */
#include <stdio.h>

static char own[32];

int main(void) {
    setvbuf(stdout, own, _IOFBF, sizeof own);
    for (int i = 0; i < 20; i++) printf("%d,", i * i);
    fflush(stdout);
    printf("\n");
    fflush(NULL);
    FILE *f = fopen("/dev/null", "w");
    printf("%d %d\n", setvbuf(f, NULL, _IONBF, 0), fputs("x", f) >= 0);
    fclose(f);
    printf("left in the buffer");
    return 0;
}
