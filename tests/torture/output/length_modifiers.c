/* hh, h, l, ll, j, z, t for all conversions. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%hhd %hhu %hhx %hho\n", 300, 300, -1, -1);
    printf("%hd %hu %hx\n", 70000, 70000, -1);
    printf("%ld %lu %lx\n", -5l, 5ul, 0xabcdul);
    printf("%lld %llu %llx %llo %#llX\n", -1ll, ~0ull, 1ull << 40, 1ull << 62, 255ull);
    printf("%jd %zu %td %zx\n", (intmax_t)-9, sizeof(int), (ptrdiff_t)-3, (size_t)4000000000u);
    printf("%20lld|%-20llu|%020lld|%+.15lld\n", 123456789012ll, 5ull, -77ll, 42ll);
    return 0;
}
