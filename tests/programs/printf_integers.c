/* printf of integers, characters and strings: every conversion, flag, width, precision and length, and snprintf's edges. */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    static const int values[] = {0, 1, -1, 42, -42, 255, 65535, INT_MAX, INT_MIN};
    for (int i = 0; i < 9; i++) {
        int v = values[i];
        printf("[%d][%i][%u][%x][%X][%o][%5d][%-5d][%05d][%+d][% d][%#x][%#o]\n", v, v, (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v, v, v, v, v, v, (unsigned)v, (unsigned)v);
        printf("[%.3d][%8.3d][%-8.3d][%+.4d][%#10x][%-#10x][%#010x][%.8x]\n", v, v, v, v, (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v);
    }
    static const long long wide[] = {0, -1, 1LL << 40, -(1LL << 40), LLONG_MAX, LLONG_MIN, 1000000000000LL};
    for (int i = 0; i < 7; i++) {
        long long v = wide[i];
        printf("[%lld][%llu][%llx][%llo][%24lld][%-24lld][%024lld][%+lld][%#llx]\n", v, (unsigned long long)v, (unsigned long long)v, (unsigned long long)v, v, v, v, v, (unsigned long long)v);
        printf("[%" PRId64 "][%" PRIu64 "][%" PRIx64 "][%jd][%ju]\n", (int64_t)v, (uint64_t)v, (uint64_t)v, (intmax_t)v, (uintmax_t)v);
    }
    printf("[%hhd][%hhu][%hd][%hu][%hhx][%ld][%lu][%lx]\n", (signed char)-100, (unsigned char)200, (short)-30000, (unsigned short)60000, (unsigned char)0xab, -123456L, 123456UL, 0xabcdefUL);
    printf("[%zu][%zx][%td][%zd]\n", sizeof(int), (size_t)255, (ptrdiff_t)-5, (size_t)7);
    printf("[%c][%5c][%-5c][%s][%10s][%-10s][%.3s][%10.3s][%-10.3s][%.0s]\n", 'A', 'B', 'C', "text", "right", "left", "truncated", "abcdef", "abcdef", "gone");
    printf("[%*d][%-*d][%.*d][%*.*d][%*s][%.*s]\n", 8, 42, 8, 42, 5, 42, 10, 4, 42, 6, "ab", 2, "xyz");
    printf("[%*d][%.*d]\n", -8, 42, -1, 42);
    printf("%%[%c%c%c]\n", 'x', 'y', 'z');
    printf("[%.0d][%.0x][%5.0d]\n", 0, 0u, 0);
    int so_far = -1;
    printf("12345%n6789", &so_far);
    printf(" %d\n", so_far);
    printf("%08" PRIX32 " %" PRIu8 " %" PRId16 "\n", (uint32_t)0xdeadbeef, (uint8_t)255, (int16_t)-1);

    char buffer[10];
    for (size_t size = 0; size <= 10; size += 2) {
        buffer[0] = '?';
        buffer[1] = 0;
        int n = snprintf(buffer, size, "%d-%s", 1234, "abcd");
        printf("snprintf %zu: %d \"%s\"\n", size, n, buffer);
    }
    char text[100];
    int n = sprintf(text, "%s/%d/%c", "one", 2, '3');
    int printed = printf("abc\n");
    printf("%d %s, returned %d\n", n, text, printed);
    putchar('p');
    puts("uts");
    fputs("fputs\n", stdout);
    fprintf(stdout, "%s %d\n", "fprintf", 1);
    fwrite("fwrite\n", 1, 7, stdout);
    return 0;
}
