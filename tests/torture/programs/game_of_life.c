/* Life on a torus with a glider and bits as cells. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint16_t now[16] = {[1] = 2, [2] = 4, [3] = 7, [9] = 0x700, [10] = 0x0e00};
    for (int turn = 0; turn < 64; turn++) {
        uint16_t next[16];
        for (int y = 0; y < 16; y++) {
            next[y] = 0;
            for (int x = 0; x < 16; x++) {
                int n = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) n += (dx || dy) && now[(y + dy) & 15] >> ((x + dx) & 15) & 1;
                next[y] |= (n == 3 || (n == 2 && now[y] >> x & 1)) << x;
            }
        }
        for (int y = 0; y < 16; y++) now[y] = next[y];
    }
    for (int y = 0; y < 16; y++) printf("%04x ", now[y]);
    puts("");
    return 0;
}
