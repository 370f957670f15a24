/* Memory is finite: a request beyond it returns NULL, errno says so, and what was allocated stays whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *kept = malloc(100);
    strcpy(kept, "still here");
    volatile size_t most = (size_t)-1 / 2, many = (size_t)-1 / 2;
    errno = 0;
    void *huge = malloc(most);
    printf("malloc %d %d\n", huge == NULL, errno == ENOMEM);
    void *product = calloc(many, 16); /* the product overflows */
    printf("calloc %d\n", product == NULL);
    char *more = realloc(kept, most);
    if (more) return 1;
    printf("realloc fails, %s\n", kept);
    free(kept);
    char *again = malloc(1000);
    printf("after %d\n", again != NULL);
    free(again);
    return 0;
}
