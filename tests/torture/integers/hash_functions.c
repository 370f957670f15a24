/* Well-known hashes over the same text: FNV, djb2, Adler, Jenkins, Murmur, SipHash-like rounds. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *text = "pack my box with five dozen liquor jugs";
    uint32_t fnv = 2166136261u, djb = 5381, jenkins = 0, a = 1, b = 0, murmur = 0x9747b28c;
    uint64_t wide = 14695981039346656037ull;
    for (const char *p = text; *p; p++) {
        fnv = (fnv ^ *p) * 16777619u, wide = (wide ^ *p) * 1099511628211ull, djb = djb * 33 ^ *p;
        jenkins += *p, jenkins += jenkins << 10, jenkins ^= jenkins >> 6;
        a = (a + *p) % 65521, b = (b + a) % 65521;
    }
    for (size_t i = 0; i + 4 <= strlen(text); i += 4) {
        uint32_t k;
        memcpy(&k, text + i, 4);
        k *= 0xcc9e2d51, k = k << 15 | k >> 17, k *= 0x1b873593;
        murmur ^= k, murmur = murmur << 13 | murmur >> 19, murmur = murmur * 5 + 0xe6546b64;
    }
    jenkins += jenkins << 3, jenkins ^= jenkins >> 11, jenkins += jenkins << 15;
    printf("%08x %016llx %08x %08x %08x %08x\n", fnv, (unsigned long long)wide, djb, jenkins, b << 16 | a, murmur);
    return 0;
}
