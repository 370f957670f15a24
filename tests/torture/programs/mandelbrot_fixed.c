/* The Mandelbrot set in fixed point: products of 64 bits, shifts of signed numbers. */
#include <stdio.h>

int main(void) {
    for (int y = -12; y <= 12; y += 2) {
        for (int x = -24; x <= 10; x++) {
            int cr = x * 65536 / 12, ci = y * 65536 / 10, zr = 0, zi = 0, n = 0;
            for (; n < 40; n++) {
                long long rr = (long long)zr * zr >> 16, ii = (long long)zi * zi >> 16;
                if (rr + ii > 4 << 16) break;
                zi = (int)((long long)zr * zi >> 15) + ci;
                zr = (int)(rr - ii) + cr;
            }
            putchar(" .:-=+*#%@"[n / 4 > 9 ? 9 : n / 4]);
        }
        puts("");
    }
    return 0;
}
