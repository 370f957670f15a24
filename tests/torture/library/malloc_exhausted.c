/* At the end of memory malloc gives NULL with ENOMEM, and what is freed can be had again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    void *huge = malloc(0x7ff00000u);
    printf("%d %d\n", huge == NULL, huge ? 0 : errno == ENOMEM);
    errno = 0;
    printf("%d\n", calloc(0x10001, 0x10001) == NULL && errno == ENOMEM);
    void *a = malloc(1000);
    free(a);
    void *b = malloc(1000);
    printf("%d %d\n", b != NULL, realloc(b, (size_t)-100) == NULL);
    return 0;
}
