/* A simulation of a queue with two clerks, in whole seconds. */
#include <stdio.h>

int main(void) {
    unsigned x = 11;
    int clerk[2] = {0, 0}, queue[64], head = 0, tail = 0, served = 0, longest = 0, waited = 0;
    for (int t = 0; t < 3000; t++) {
        x = x * 1103515245 + 12345;
        if ((x >> 16) % 20 == 0 && tail - head < 64) queue[tail++ & 63] = t;
        for (int c = 0; c < 2; c++) {
            if (clerk[c] > 0) { clerk[c]--; continue; }
            if (head == tail) continue;
            waited += t - queue[head++ & 63];
            clerk[c] = 20 + (x >> 20) % 30;
            served++;
        }
        if (tail - head > longest) longest = tail - head;
    }
    printf("%d %d %d %d\n", served, longest, waited, tail - head);
    return 0;
}
