/* Recursion back and forth between files, and static state in each. */
#include <stdio.h>

int pong(int n);
static int calls;
int ping(int n) {
    calls++;
    return n <= 0 ? calls : pong(n - 2) + 1;
}

int main(void) {
    printf("%d %d\n", ping(15), ping(4));
    return calls;
}
