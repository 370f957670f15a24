/* Offsets and alignment: natural, packed, raised, and in unions. */
#include <stddef.h>
#include <stdio.h>

struct natural { char a; short b; char c; int d; char e; double f; char g; long long h; };
struct __attribute__((packed)) tight { char a; short b; char c; int d; char e; double f; };
struct __attribute__((packed, aligned(2))) even { char a; int b; char c; };
struct raised { char a; _Alignas(16) char b; int c __attribute__((aligned(32))); };
union mix { char a[9]; double b; short c; };

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", offsetof(struct natural, b), offsetof(struct natural, d), offsetof(struct natural, f),
           offsetof(struct natural, g), offsetof(struct natural, h), sizeof(struct natural));
    printf("%zu %zu %zu\n", offsetof(struct tight, d), offsetof(struct tight, f), sizeof(struct tight));
    printf("%zu %zu %zu\n", offsetof(struct even, b), sizeof(struct even), _Alignof(struct even));
    printf("%zu %zu %zu %zu\n", offsetof(struct raised, b), offsetof(struct raised, c), sizeof(struct raised), _Alignof(struct raised));
    printf("%zu %zu\n", sizeof(union mix), _Alignof(union mix));
    static _Alignas(64) char aligned_static;
    _Alignas(128) char aligned_local[3];
    printf("%u %u\n", (unsigned)(size_t)&aligned_static % 64, (unsigned)(size_t)aligned_local % 128);
    return 0;
}
