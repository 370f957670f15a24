/* Accounts as records, commands as text, a log of what failed. */
#include <stdio.h>
#include <string.h>

static struct { char name[12]; long cents; } account[8];
static int accounts;
static long *find(const char *name) { for (int i = 0; i < accounts; i++) if (!strcmp(account[i].name, name)) return &account[i].cents; return NULL; }

int main(void) {
    static const char *script[] = {"open ann 100.50", "open bob 7", "move ann bob 50.25", "move bob eve 1", "move bob ann 99999", "open ann 5", "jump", "move bob ann 0.05"};
    for (int i = 0; i < 8; i++) {
        char a[12], b[12];
        double amount;
        if (sscanf(script[i], "open %11s %lf", a, &amount) == 2) {
            if (find(a)) { printf("%s exists; ", a); continue; }
            strcpy(account[accounts].name, a), account[accounts++].cents = (long)(amount * 100 + 0.5);
        } else if (sscanf(script[i], "move %11s %11s %lf", a, b, &amount) == 3) {
            long *from = find(a), *to = find(b), c = (long)(amount * 100 + 0.5);
            if (!from || !to) printf("no %s; ", from ? b : a);
            else if (*from < c) printf("%s has %ld; ", a, *from);
            else *from -= c, *to += c;
        } else printf("what is %s; ", script[i]);
    }
    for (int i = 0; i < accounts; i++) printf("%s %ld.%02ld; ", account[i].name, account[i].cents / 100, account[i].cents % 100);
    puts("");
    return 0;
}
