/* The value of main is the status, of which eight bits arrive. */
#include <stdio.h>
int main(void) {
    fprintf(stderr, "to standard error\n");
    printf("to standard output\n");
    return 7 + 256;
}
