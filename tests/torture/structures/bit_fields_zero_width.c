/* A field of width zero begins a new unit; unnamed fields are padding that keeps its bits. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct padded { unsigned char a : 3, : 0, b : 2; unsigned : 5; unsigned c : 4; int : 0; char d; };

int main(void) {
    struct padded p;
    memset(&p, 0xff, sizeof p);
    p.a = 0, p.b = 1, p.c = 2, p.d = 3;
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    for (unsigned i = 0; i < sizeof p; i++) printf("%02x ", bytes[i]);
    printf("%zu %zu\n", sizeof p, offsetof(struct padded, d));
    return 0;
}
