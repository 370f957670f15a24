/* hello: every PE says who it is.
 *
 *     mogcc -O2 hello.c -o hello
 *     mogrun -n 8 ./hello
 */
#include <mog.h>
#include <stdio.h>

int main(void) {
    printf("Hello from PE %d of %d\n", mog_rank(), mog_size());
    return 0;
}
