/* Strings in one block with offsets, sorted by them, found by halving. */
#include <stdio.h>
#include <string.h>

static const char block[] = "zinc\0iron\0gold\0tin\0silver\0copper\0lead\0nickel\0";

int main(void) {
    unsigned short at[16];
    int n = 0;
    for (const char *p = block; *p; p += strlen(p) + 1) at[n++] = p - block;
    for (int i = 1; i < n; i++)
        for (int j = i; j && strcmp(block + at[j - 1], block + at[j]) > 0; j--) { unsigned short t = at[j]; at[j] = at[j - 1], at[j - 1] = t; }
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(block + at[middle], "lead") < 0) low = middle + 1;
        else high = middle;
    }
    for (int i = 0; i < n; i++) printf("%s ", block + at[i]);
    printf("%d %d\n", n, low);
    return 0;
}
