/* Structures that are stored big-endian: GCC swaps at each access. */
#include <stdio.h>
#include <string.h>

struct __attribute__((scalar_storage_order("big-endian"))) network { unsigned short port; unsigned address; unsigned flags : 3, length : 13; long long stamp; };

int main(void) {
    struct network n = {.port = 0x1234, .address = 0x0a000001, .flags = 5, .length = 0x1abc, .stamp = 0x0102030405060708ll};
    unsigned char bytes[sizeof n];
    memset(bytes, 0, sizeof bytes);
    n.port++;
    n.stamp -= 1;
    memcpy(bytes, &n, sizeof n);
    for (int at = 0; at < 2; at++) printf("%02x", bytes[at]);
    for (unsigned at = 4; at < 10; at++) printf("%02x", bytes[at]);
    for (unsigned at = 16; at < sizeof n; at++) printf("%02x", bytes[at]);
    printf(" %x %x %d %x\n", n.port, n.address, n.flags, n.length);
    return 0;
}
