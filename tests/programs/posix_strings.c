/* String functions of POSIX and GNU, getline, paths taken apart, searching, printing into strings, wide characters. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <mog.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>
#undef basename
#include <libgen.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int compare_text(const void *a, const void *b) { return strcmp(a, b); }
static void visit(const void *node, VISIT order, int level) {
    if (order == postorder || order == leaf) printf("%d ", **(int *const *)node);
    (void)level;
}

int main(void) {
    char text[128], *save, *rest;
    strcpy(text, "one, two;;three ,four");
    for (char *word = strtok_r(text, ", ;", &save); word; word = strtok_r(NULL, ", ;", &save)) printf("[%s]", word);
    putchar('\n');
    strcpy(text, "a:b::c:");
    rest = text;
    for (char *word; (word = strsep(&rest, ":"));) printf("[%s]", word);
    putchar('\n');
    char *copy = strdup("duplicate"), *part = strndup("duplicate", 3);
    printf("%s %s %zu %zu\n", copy, part, strnlen(copy, 4), strnlen(copy, 40));
    free(copy);
    free(part);
    printf("%s|%s|%s\n", strcasestr("Hello World", "WORLD"), strchrnul("abc", 'x') + 0, (char *)memrchr("a/b/c", '/', 5));
    printf("%d %d %d\n", strcasecmp("ABC", "abc"), strncasecmp("ABCx", "abcy", 3), strcasecmp("a", "b") < 0);
    printf("%s %d\n", (char *)memmem("needle in hay", 13, "in", 2), memmem("abc", 3, "x", 1) == NULL);
    printf("%s\n", stpcpy(text, "start") - 2);
    printf("%zu %d %d\n", strspn("aabbc", "ab"), ffs(40), ffs(0));
    char *end = mempcpy(text, "xyz", 3);
    *end = 0;
    printf("%s\n", text);
    printf("%d %d %d\n", strverscmp("a9", "a10") < 0, strverscmp("a1", "a1"), strcoll("a", "b") < 0);

    static const char *const paths[] = {"/usr/lib/x.so", "/usr/", "usr", "/", ".", "..", "", "//a//b//", "a/b"};
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        char one[32], two[32];
        strcpy(one, paths[i]);
        strcpy(two, paths[i]);
        printf("%s: %s in %s\n", paths[i], basename(one), dirname(two));
    }

    char name[40];
    snprintf(name, sizeof name, "lines_%d.tmp", mog_rank());
    FILE *file = fopen(name, "w+");
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i * i * 10; k++) fputc('a' + k % 26, file);
        fputc(i == 3 ? ';' : '\n', file);
    }
    fputs("no end", file);
    rewind(file);
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, file)) >= 0) printf("%ld %d\n", (long)length, room > (size_t)length);
    rewind(file);
    while ((length = getdelim(&line, &room, ';', file)) >= 0) printf("%ld\n", (long)length);
    free(line);
    fclose(file);
    unlink(name);

    int numbers[10] = {5, 3, 9, 1}, key = 9;
    size_t count = 4;
    printf("%d ", lfind(&key, numbers, &count, sizeof *numbers, compare) == numbers + 2);
    key = 7;
    printf("%d ", lfind(&key, numbers, &count, sizeof *numbers, compare) == NULL);
    printf("%d %zu\n", *(int *)lsearch(&key, numbers, &count, sizeof *numbers, compare), count);
    void *tree = NULL;
    for (size_t i = 0; i < count; i++) tsearch(&numbers[i], &tree, compare);
    twalk(tree, visit);
    printf("%d\n", tfind(&key, &tree, compare) != NULL);
    hcreate(30);
    ENTRY item = {"key", "value"};
    hsearch(item, ENTER);
    ENTRY wanted = {"key", NULL}, absent = {"none", NULL};
    printf("%s %d\n", (char *)hsearch(wanted, FIND)->data, hsearch(absent, FIND) == NULL);
    (void)compare_text;

    char *made;
    printf("%d %s\n", asprintf(&made, "%05d|%-6s|%x", 42, "ab", 255), made);
    free(made);
    char *memory;
    size_t size;
    FILE *stream = open_memstream(&memory, &size);
    fprintf(stream, "%s %d", "in memory", 7);
    fclose(stream);
    printf("%s %zu\n", memory, size);
    free(memory);
    stream = fmemopen("12 34 words", 11, "r");
    int a, b;
    char word[20];
    printf("%d ", fscanf(stream, "%d %d %19s", &a, &b, word));
    printf("%d %d %s\n", a, b, word);
    fclose(stream);
    dprintf(1, "%s", "");

    wchar_t wide[32];
    printf("%zu %ls\n", mbstowcs(wide, "wide text", 32), wide);
    printf("%zu %d %d\n", wcslen(wide), wcscmp(wide, L"wide text"), (int)(wcschr(wide, L't') - wide));
    swprintf(wide, 32, L"%d-%s-%c", 12, "ab", 'z');
    printf("%zu %ld\n", wcstombs(text, wide, sizeof text), wcstol(L"123abc", NULL, 10));
    puts(text);
    printf("%d %d %d %lc\n", iswalpha(L'x') != 0, iswdigit(L'x') != 0, towupper(L'q') == L'Q', (wint_t)L'w');
    printf("%s %s\n", setlocale(LC_ALL, NULL), localeconv()->decimal_point);
    printf("%d %d\n", setlocale(LC_ALL, "C") != NULL, setlocale(LC_ALL, "xx_YY.nonsense") == NULL);
    printf("%s\n%s\n", strerror(ENOENT), strerror(EINVAL));
    return 0;
}
