/* <stdint.h> and <inttypes.h>: sizes, limits and formats. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(int8_t), sizeof(int16_t), sizeof(int32_t), sizeof(int64_t));
    printf("%" PRId8 " %" PRId16 " %" PRId32 " %" PRId64 "\n", (int8_t)INT8_MIN, (int16_t)INT16_MIN, INT32_MIN, INT64_MIN);
    printf("%" PRIu64 " %" PRIx64 " %" PRIX32 " %" PRIo16 "\n", UINT64_MAX, UINT64_C(0xabcdef), UINT32_C(0xabc), (uint16_t)511);
    printf("%zu %zu %" PRIdMAX " %" PRIuPTR "\n", sizeof(intptr_t), sizeof(intmax_t), INTMAX_MIN, UINTPTR_MAX);
    intmax_t parsed = strtoimax("-9223372036854775808", NULL, 10);
    imaxdiv_t d = imaxdiv(-17, 5);
    printf("%" PRIdMAX " %" PRIdMAX " %" PRIdMAX " %" PRIdMAX "\n", parsed, d.quot, d.rem, imaxabs(-3));
    return 0;
}
