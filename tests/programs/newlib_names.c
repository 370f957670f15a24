/* Functions that newlib has and glibc has not: a program may have its own by these names, of other types, whatever it includes. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* As in Kernighan and Ritchie's book. */
void itoa(int n, char s[])
{
    int i = 0, sign = n;
    if (n < 0) n = -n;
    do s[i++] = (char)(n % 10 + '0');
    while ((n /= 10) > 0);
    if (sign < 0) s[i++] = '-';
    s[i] = 0;
    for (int a = 0, b = i - 1; a < b; a++, b--) {
        char c = s[a];
        s[a] = s[b];
        s[b] = c;
    }
}
static const char *utoa(unsigned n) { return n % 2 ? "odd" : "even"; }
static int strlwr(char *s)
{
    int changed = 0;
    for (; *s; s++)
        if (isupper((unsigned char)*s)) *s = (char)tolower((unsigned char)*s), changed++;
    return changed;
}
static void strupr(char *to, const char *from)
{
    while ((*to++ = (char)toupper((unsigned char)*from++))) {}
}
static double infinity = 1e300;
static unsigned fls(unsigned long long n, int from)
{
    while (from > 0 && !(n >> (from - 1) & 1)) from--;
    return (unsigned)from;
}
static int cfree(void) { return 3; }
static float atoff(const char *s, float otherwise) { return *s ? (float)atof(s) : otherwise; }
static void iprintf(int indent, const char *what) { printf("%*s%s\n", indent, "", what); }
static int strnstr(const char *s) { return (int)strlen(s); }

int main(void)
{
    char digits[16], word[] = "MiXed", upper[8];
    itoa(-1234, digits);
    iprintf(4, digits);
    int changed = strlwr(word);
    strupr(upper, word);
    printf("%s %d %s %s\n", word, changed, upper, utoa(7));
    printf("%g %u %d %g %d\n", infinity, fls(0x1234567890ull, 64), cfree(), atoff("", 2.5f), strnstr("four"));
    return 0;
}
