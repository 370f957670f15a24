/* <search.h>: binary trees, hash tables, linear search. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(a, b); }
static int visited;
static void visit(const void *node, VISIT when, int depth) {
    (void)depth;
    if (when == postorder || when == leaf) printf("%s ", *(char *const *)node), visited++;
}

int main(void) {
    static char *words[] = {"pear", "apple", "fig", "kiwi", "date", "apple"};
    void *root = NULL;
    for (int i = 0; i < 6; i++) tsearch(words[i], &root, compare);
    twalk(root, visit);
    tdelete("fig", &root, compare);
    printf("%d %d %d\n", visited, tfind("fig", &root, compare) == NULL, tfind("kiwi", &root, compare) != NULL);
    hcreate(10);
    ENTRY e = {"key", "value"};
    hsearch(e, ENTER);
    e.data = NULL;
    ENTRY *found = hsearch((ENTRY){"key", NULL}, FIND);
    printf("%s\n", (char *)found->data);
    return 0;
}
