/* constexpr functions and tables, consteval, static_assert, if constexpr. */
#include <stdint.h>
#include <stdio.h>

namespace {
struct table { uint32_t v[256]; };
constexpr table make() {
    table t{};
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        t.v[i] = c;
    }
    return t;
}
constexpr table crc = make();
static_assert(crc.v[1] == 0x77073096);
consteval int square(int x) { return x * x; }
constexpr int length(const char *s) { return *s ? 1 + length(s + 1) : 0; }
}

int main() {
    uint32_t c = ~0u;
    for (const char *p = "constant"; *p; p++) c = crc.v[(c ^ *p) & 255] ^ c >> 8;
    int room[square(3)];
    printf("%08x %zu %d\n", ~c, sizeof room, length("expression"));
    return 0;
}
