/* printf's integer conversions: flags, widths, precisions, in combination. */
#include <stdio.h>

int main(void) {
    static const char *formats[] = {"[%d]", "[%5d]", "[%-5d]", "[%05d]", "[%+d]", "[% d]", "[%.3d]", "[%8.3d]", "[%-8.3d]", "[%+.0d]", "[%+-6d]", "[% 05d]"};
    static const int v[] = {0, 7, -7, 12345, -123456, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 7; j++) printf(formats[i], v[j]);
    puts("");
    static const char *other[] = {"[%x]", "[%#x]", "[%08X]", "[%#010x]", "[%o]", "[%#o]", "[%u]", "[%.5o]", "[%-#9X]"};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 7; j++) printf(other[i], v[j]);
    puts("");
    return printf("%.0d|%.0x|%i\n", 0, 0, -3);
}
