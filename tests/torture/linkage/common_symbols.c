/* Tentative definitions: declared several times, defined once at the end; with different initialisers none. */
#include <stdio.h>

int tentative;
int tentative;
extern int tentative;
static int hidden;
static int hidden = 4;
int array[];
int array[5];

int main(void) {
    extern int tentative;
    tentative += hidden;
    array[4] = tentative;
    printf("%d %d %zu\n", tentative, array[4], sizeof array);
    return 0;
}
