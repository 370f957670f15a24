/* What goes wrong in a PE: a null pointer, a signal of its own. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

static int read_at(int *place)
{
    return *place;
}

int main(int argc, char **argv)
{
    int good = 7;
    if (IPROC == 1) abort();
    printf("%d\n", read_at(IPROC == 0 ? NULL : &good));
    return 0;
}
