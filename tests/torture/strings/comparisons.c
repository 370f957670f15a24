/* strcmp, strncmp, memcmp, strcasecmp, strcoll: only the sign counts; characters above 127 are large. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    static const char *v[] = {"", "a", "A", "ab", "abc", "abd", "abcdefgh", "abcdefgi", "\xe4", "zzzz", "abcdefghijklmnop"};
    for (int i = 0; i < 11; i++) {
        for (int j = 0; j < 11; j++)
            printf("%d%d%d%d%d ", sign(strcmp(v[i], v[j])), sign(strncmp(v[i], v[j], 3)), sign(memcmp(v[i], v[j], 1)), sign(strcasecmp(v[i], v[j])),
                   sign(strncasecmp(v[i], v[j], 2)));
        puts("");
    }
    return 0;
}
