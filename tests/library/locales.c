/* Which locales there are: setlocale() refuses all others, and what was set stays. */
#include <assert.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *set(const char *name) {
    const char *now = setlocale(LC_ALL, name);
    return now ? now : "refused";
}

int main(void) {
    static const char *const names[] = {"C.UTF-8", "C.utf8", "POSIX", "C", "de_DE", "en_US.UTF-8", "C.ISO-8859-1", "C-UTF-8", "nonsense", "C/C/C"};
    static const char *const environments[] = {"de_DE.UTF-8", "en_GB.utf8", "de_DE", "POSIX", "C.UTF-8", "nonsense", ""};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        printf("%s: %s, then %s\n", names[i], set(names[i]), setlocale(LC_ALL, NULL));
        for (int category = LC_COLLATE; category <= LC_TIME; category++)
            assert((setlocale(category, names[i]) != NULL) == (i < 4));
        assert((newlocale(LC_ALL_MASK, names[i], 0) != 0) == (i < 4));
        assert(set("C")[0] == 'C');
    }
    setenv("LC_ALL", "", 1);
    for (unsigned i = 0; i < sizeof environments / sizeof *environments; i++) {
        setenv("LANG", environments[i], 1);
        printf("LANG=%s: %s, %d bytes a character\n", environments[i], set(""), (int)MB_CUR_MAX);
        assert(set("C")[0] == 'C');
    }
    /* One category apart, and what was saved set again. */
    setlocale(LC_CTYPE, "C.UTF-8");
    char saved[100];
    strcpy(saved, setlocale(LC_ALL, NULL));
    printf("%s\n", saved);
    assert(set("C")[0] == 'C');
    printf("%s: %d\n", set(saved), (int)MB_CUR_MAX);
    return 0;
}
