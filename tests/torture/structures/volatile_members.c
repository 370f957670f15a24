/* Volatile structures are copied member by member, and every access counts. */
#include <stdio.h>

struct device { volatile unsigned status; volatile unsigned char data; volatile long long count; };
static volatile struct device d;

int main(void) {
    d.status = 1;
    for (int i = 0; i < 10; i++) {
        d.data += i;
        d.count += d.data;
        d.status <<= d.status < 1000;
    }
    struct device copy = *(struct device *)&d;
    printf("%u %u %lld\n", copy.status, copy.data, copy.count);
    return d.data;
}
