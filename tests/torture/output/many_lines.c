/* Output larger than any buffer, in pieces of many sizes. */
#include <stdio.h>

int main(void) {
    unsigned x = 1;
    for (int i = 0; i < 300; i++) {
        x = x * 1103515245 + 12345;
        int n = x >> 26;
        for (int k = 0; k < n; k++) putchar('a' + k % 26);
        printf(" %d\n", n);
    }
    return 0;
}
