/* sscanf's %s, %c, %[...], literals and white space. */
#include <stdio.h>

int main(void) {
    char a[20] = "", b[20] = "", c[4] = "...", d = 0;
    int i;
    printf("%d %s %s\n", sscanf("  hello world", "%s %3s", a, b), a, b);
    printf("%d %.3s %c\n", sscanf("xyz w", "%3c %c", c, &d), c, d);
    printf("%d %s %s\n", sscanf("abc123-def", "%[a-z]%[^-]", a, b), a, b);
    printf("%d %s\n", sscanf("]x]y", "%[]x]", a), a);
    printf("%d %d\n", sscanf("key = 42;", "key = %d ;", &i), i);
    printf("%d %d\n", sscanf("50%", "%d%%", &i), i);
    printf("%d\n", sscanf("abd", "abc%d", &i));
    return 0;
}
