/* Graphs: Dijkstra with a binary heap, breadth first, Floyd-Warshall, union-find spanning tree, topological order. */
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

enum { N = 40, FAR = 1000000 };
typedef struct Edge { int to, length; struct Edge *next; } Edge;
typedef struct { int node, distance; } Item;

static Edge *edges[N];
static Item heap[1000];
static int used;

static void push(Item item) {
    int i = used++;
    for (; i && heap[(i - 1) / 2].distance > item.distance; i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = item;
}

static Item pop(void) {
    Item top = heap[0], last = heap[--used];
    int i = 0;
    for (int child; (child = 2 * i + 1) < used; i = child) {
        if (child + 1 < used && heap[child + 1].distance < heap[child].distance) child++;
        if (heap[child].distance >= last.distance) break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

static void add_edge(int from, int to, int length) {
    Edge *e = malloc(sizeof *e);
    *e = (Edge){to, length, edges[from]};
    edges[from] = e;
}

static void dijkstra(int from, int *distance) {
    for (int i = 0; i < N; i++) distance[i] = FAR;
    push((Item){from, distance[from] = 0});
    while (used) {
        Item item = pop();
        if (item.distance > distance[item.node]) continue;
        for (Edge *e = edges[item.node]; e; e = e->next)
            if (item.distance + e->length < distance[e->to]) push((Item){e->to, distance[e->to] = item.distance + e->length});
    }
}

static int parent[N];
static int root(int i) { return parent[i] == i ? i : (parent[i] = root(parent[i])); }

typedef struct { int a, b, length; } Link;
static int by_length(const void *x, const void *y) {
    const Link *a = x, *b = y;
    return a->length != b->length ? a->length - b->length : a->a != b->a ? a->a - b->a : a->b - b->b;
}

static int order[N], ordered, seen[N];
static void visit(int i) {
    if (seen[i]) return;
    seen[i] = 1;
    for (Edge *e = edges[i]; e; e = e->next)
        if (e->to > i) visit(e->to);
    order[ordered++] = i;
}

int main(void) {
    uint32_t random = 4711;
    int all[N][N], distance[N];
    Link links[N * 4];
    int count = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) all[i][j] = i == j ? 0 : FAR;
    for (int k = 0; k < N * 3; k++) {
        int a = (int)(next_random(&random) % N), b = (int)(next_random(&random) % N), length = (int)(next_random(&random) % 90) + 10;
        if (a == b) continue;
        add_edge(a, b, length);
        if (length < all[a][b]) all[a][b] = length;
        links[count++] = (Link){a, b, length};
    }
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (all[i][k] + all[k][j] < all[i][j]) all[i][j] = all[i][k] + all[k][j];
    int wrong = 0, reachable = 0;
    for (int from = 0; from < N; from += 5) {
        dijkstra(from, distance);
        for (int i = 0; i < N; i++) { wrong += distance[i] != all[from][i]; reachable += distance[i] < FAR; }
        printf("from %d: to %d in %d, to %d in %d\n", from, (from + 7) % N, distance[(from + 7) % N], (from + 20) % N, distance[(from + 20) % N]);
    }
    printf("%d reachable, %d wrong\n", reachable, wrong);
    qsort(links, (size_t)count, sizeof *links, by_length);
    int total = 0, trees = N;
    for (int i = 0; i < N; i++) parent[i] = i;
    for (int i = 0; i < count; i++)
        if (root(links[i].a) != root(links[i].b)) { parent[root(links[i].a)] = root(links[i].b); total += links[i].length; trees--; }
    printf("spanning forest: %d trees, length %d\n", trees, total);
    for (int i = 0; i < N; i++) visit(i);
    printf("order:");
    for (int i = N - 1; i >= 0; i--) printf(" %d", order[i]);
    printf("\n");
    return 0;
}
