/* Dijkstra with a binary heap, and Floyd and Warshall: they must agree. */
#include <stdio.h>

enum { N = 24 };
static int edge[N][N], all[N][N];
static int heap[N * N][2], used;
static void push(int d, int v) {
    int i = used++;
    for (; i && heap[(i - 1) / 2][0] > d; i = (i - 1) / 2) heap[i][0] = heap[(i - 1) / 2][0], heap[i][1] = heap[(i - 1) / 2][1];
    heap[i][0] = d, heap[i][1] = v;
}
static void pop(int out[2]) {
    out[0] = heap[0][0], out[1] = heap[0][1];
    int d = heap[--used][0], v = heap[used][1], i = 0;
    for (int c; (c = 2 * i + 1) < used; i = c) {
        if (c + 1 < used && heap[c + 1][0] < heap[c][0]) c++;
        if (heap[c][0] >= d) break;
        heap[i][0] = heap[c][0], heap[i][1] = heap[c][1];
    }
    heap[i][0] = d, heap[i][1] = v;
}

int main(void) {
    unsigned x = 9;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) x = x * 1664525 + 1013904223, all[i][j] = edge[i][j] = i == j ? 0 : x >> 30 ? 1 << 20 : 1 + (x >> 20 & 63);
    for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)
        if (all[i][k] + all[k][j] < all[i][j]) all[i][j] = all[i][k] + all[k][j];
    int wrong = 0, sum = 0;
    for (int s = 0; s < N; s++) {
        int d[N];
        for (int i = 0; i < N; i++) d[i] = 1 << 20;
        d[s] = 0, used = 0, push(0, s);
        while (used) {
            int top[2];
            pop(top);
            if (top[0] > d[top[1]]) continue;
            for (int v = 0; v < N; v++) if (top[0] + edge[top[1]][v] < d[v]) push(d[v] = top[0] + edge[top[1]][v], v);
        }
        for (int v = 0; v < N; v++) wrong += d[v] != all[s][v], sum += d[v];
    }
    printf("%d %d\n", wrong, sum);
    return wrong;
}
