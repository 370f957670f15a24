/* Functions without prototypes: arguments are promoted, and declared afterwards. */
#include <stdio.h>

int old();
static int older(a, b, c) char a; float b; short c; { return a + (int)(b * 10) + c; }

int main(void) {
    char c = 'a';
    float f = 2.5f;
    printf("%d %d\n", old(c, f), older(1, 2.25f, 3));
    return 0;
}

int old(a, b) int a; double b; { return a * (int)b; }
