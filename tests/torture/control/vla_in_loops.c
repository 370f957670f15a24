/* The stack must come back after each turn of a loop with variable-length arrays, also by goto and break. */
#include <stdio.h>

int main(void) {
    unsigned sum = 0;
    for (int n = 1; n < 3000; n++) {
        int a[n % 97 + 1][3];
        for (int i = 0; i <= n % 97; i++) a[i][0] = i, a[i][1] = n, a[i][2] = i ^ n;
        sum = sum * 7 + a[n % 97 / 2][2] + sizeof a;
        if (n % 5 == 0) continue;
        char b[n % 31 + 1000];
        b[sizeof b - 1] = sum;
        if (n == 2900) goto out;
        sum += b[sizeof b - 1];
    }
out:
    printf("%u\n", sum);
    return 0;
}
