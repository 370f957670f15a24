/* goto into and out of blocks, loops and branches, backwards and forwards. */
#include <stdio.h>

int main(void) {
    int n = 0, trace = 0;
    goto into;
    while (n < 5) {
        trace += 1;
    into:
        n++;
        if (n == 3) {
            goto nested;
        } else {
            trace += 10;
            if (n == 4) goto out;
        }
        continue;
        {
            int x;
        nested:
            x = n * 100;
            trace += x;
        }
    }
out:
    if (trace < 1000) {
        trace *= 2;
        goto out;
    }
    printf("%d %d\n", n, trace);
    return 0;
}
