/* A static function and a static table in a header: each file has its own. */
#include <stdio.h>
#include "own.h"

int other_count(void);

int main(void) {
    count_up(), count_up();
    printf("%d %d %d\n", other_count(), own_counter, other_count());
    return 0;
}
