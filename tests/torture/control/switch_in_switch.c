/* Nested switches, with break, continue and goto out of them. */
#include <stdio.h>

int main(void) {
    int trace = 0;
    for (int i = 0; i < 12; i++) {
        switch (i % 4) {
        case 0:
            switch (i / 4) {
            case 0: trace += 1; break;
            case 1: continue;
            default: goto out;
            }
            trace *= 2;
            break;
        case 1: trace += 10;
        case 2: trace += 100; continue;
        case 3: break;
        }
        trace++;
        continue;
    out:
        trace += 1000;
    }
    printf("%d\n", trace);
    return trace & 127;
}
