/* Reads a file of 100000 bytes in one go, and another time by lines. */
#include <stdio.h>

static char bytes[100000];

int main(void)
{
    FILE *file = fopen("zeros", "r");
    if (!file) return 1;
    printf("%zu\n", fread(bytes, 1, sizeof bytes, file));
    rewind(file);
    int count = 0;
    while (fgets(bytes, 100, file)) count++;
    printf("%d\n", count);
    return 0;
}
