/* Every byte through putchar, printf and fwrite, zeros among them. */
#include <stdio.h>

int main(void) {
    char all[256];
    for (int i = 0; i < 256; i++) all[i] = i == '\n' ? 'n' : i;
    fwrite(all, 1, 256, stdout);
    putchar('\n');
    printf("%c%c%c\n", 0, 255, 128);
    return 0;
}
