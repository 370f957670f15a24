/* Records written to a file of bytes and read back by hand, in network order. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char b[64], *p = b;
    for (int i = 0; i < 5; i++) {
        unsigned w = htonl(i * 0x01020304u);
        unsigned short h = htons(i * 257);
        memcpy(p, &w, 4), memcpy(p + 4, &h, 2), p += 6;
    }
    unsigned sum = 0;
    for (unsigned char *q = b; q < p; q += 6) {
        unsigned w;
        unsigned short h;
        memcpy(&w, q, 4), memcpy(&h, q + 4, 2);
        sum = sum * 31 + ntohl(w) + ntohs(h);
    }
    printf("%u %02x%02x\n", sum, b[6], b[9]);
    return 0;
}
