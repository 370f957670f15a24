/* strdup, strndup, and lists of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *list[10];
    char word[16] = "w";
    for (int i = 0; i < 10; i++) {
        list[i] = i & 1 ? strdup(word) : strndup(word, 3);
        strcat(word, (char[]){'a' + i, 0});
    }
    for (int i = 9; i >= 0; i--) {
        printf("%s ", list[i]);
        free(list[i]);
    }
    puts("");
    return 0;
}
