/* Regular expressions, patterns of file names, and looking for files by pattern. Every PE uses a directory of its own. */
#include <fnmatch.h>
#include <glob.h>
#include <mog.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void match(const char *pattern, int flags, const char *text) {
    regex_t expression;
    regmatch_t found[5];
    int failed = regcomp(&expression, pattern, flags);
    if (failed) {
        printf("/%s/ is wrong\n", pattern);
        return;
    }
    int missing = regexec(&expression, text, 5, found, 0);
    printf("/%s/ on \"%s\":", pattern, text);
    if (missing)
        printf(" %s", missing == REG_NOMATCH ? "no" : "error");
    else
        for (size_t i = 0; i < 5 && i <= expression.re_nsub; i++) printf(" %d-%d", (int)found[i].rm_so, (int)found[i].rm_eo);
    printf(", %d groups\n", (int)expression.re_nsub);
    regfree(&expression);
}

static void names(const char *pattern, int flags) {
    glob_t found;
    memset(&found, 0, sizeof found);
    int failed = glob(pattern, flags, NULL, &found);
    printf("%s:", pattern);
    if (failed == GLOB_NOMATCH)
        printf(" none");
    else if (failed)
        printf(" error");
    else
        for (size_t i = 0; i < found.gl_pathc; i++) printf(" %s", found.gl_pathv[i]);
    putchar('\n');
    if (!failed) globfree(&found);
}

int main(void) {
    match("abc", 0, "xxabcxx");
    match("^a.*c$", 0, "abbbc");
    match("(a|b)+c", REG_EXTENDED, "xababcx");
    match("\\(a*\\)\\(b\\)\\{2\\}", 0, "aabbb");
    match("([0-9]+)-([0-9]+)", REG_EXTENDED, "tel. 123-4567");
    match("[[:alpha:]_][[:alnum:]_]*", REG_EXTENDED, "42 name_7");
    match("HELLO", REG_ICASE, "say hello");
    match("^b", REG_NEWLINE, "a\nb");
    match("^b", 0, "a\nb");
    match("(x)?(y)?z", REG_EXTENDED, "yz");
    match("a{2,3}", REG_EXTENDED, "caaaat");
    match("[^a-c]+", REG_EXTENDED, "abcxyzabc");
    match("([a-z]+)@([a-z]+)\\.(com|org)", REG_EXTENDED, "mail to someone@example.org today");
    match("(", REG_EXTENDED, "x");
    match("[a", REG_EXTENDED, "x");
    match("(a)(b)(c)(d)", REG_EXTENDED, "zabcd");
    match("\\(ab\\)\\1", 0, "xababx");

    static const struct {
        const char *pattern, *text;
        int flags;
    } cases[] = {
        {"*.c", "main.c", 0}, {"*.c", "main.h", 0}, {"m??n.c", "main.c", 0}, {"[a-m]*", "main", 0}, {"[!a-m]*", "main", 0},
        {"*", "a/b", 0}, {"*", "a/b", FNM_PATHNAME}, {"*/b", "a/b", FNM_PATHNAME}, {"*", ".hidden", FNM_PERIOD},
        {"\\*", "*", 0}, {"\\*", "\\x", FNM_NOESCAPE}, {"", "", 0}, {"a*b*c", "aXXbYYc", 0}, {"[]]", "]", 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        printf("%s %s %d\n", cases[i].pattern, cases[i].text, fnmatch(cases[i].pattern, cases[i].text, cases[i].flags) == 0);

    char own[32];
    snprintf(own, sizeof own, "glob_%d", mog_rank());
    mkdir(own, 0755);
    if (chdir(own)) return 1;
    mkdir("sub", 0755);
    static const char *const files[] = {"a.c", "b.c", "c.h", ".hidden", "sub/d.c", "sub/e.h"};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) fclose(fopen(files[i], "w"));
    names("*", 0);
    names("*.c", 0);
    names("*/*.c", 0);
    names("[ab].?", 0);
    names("*.none", 0);
    names("*.none", GLOB_NOCHECK);
    names("s*", GLOB_MARK);
    names(".h*", 0);
    names("sub/../*.h", 0);
    return 0;
}
