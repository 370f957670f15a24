/* A left-leaning red-black tree: insertions keep it balanced. */
#include <stdio.h>

static struct node { int key, red, left, right; } n[600];
static int used;
static int rotate_left(int h) { int x = n[h].right; n[h].right = n[x].left, n[x].left = h, n[x].red = n[h].red, n[h].red = 1; return x; }
static int rotate_right(int h) { int x = n[h].left; n[h].left = n[x].right, n[x].right = h, n[x].red = n[h].red, n[h].red = 1; return x; }
static int insert(int h, int key) {
    if (!h) { n[++used] = (struct node){key, 1, 0, 0}; return used; }
    if (key < n[h].key) { int l = insert(n[h].left, key); n[h].left = l; }
    else if (key > n[h].key) { int r = insert(n[h].right, key); n[h].right = r; }
    if (n[n[h].right].red && !n[n[h].left].red) h = rotate_left(h);
    if (n[n[h].left].red && n[n[n[h].left].left].red) h = rotate_right(h);
    if (n[n[h].left].red && n[n[h].right].red) n[h].red = 1, n[n[h].left].red = n[n[h].right].red = 0;
    return h;
}
static int height(int h) { if (!h) return 0; int a = height(n[h].left), b = height(n[h].right); return 1 + (a > b ? a : b); }
static int check(int h, int last) { if (!h) return last; last = check(n[h].left, last); if (n[h].key <= last) return 1 << 30; return check(n[h].right, n[h].key); }

int main(void) {
    int root = 0;
    for (int i = 0; i < 500; i++) root = insert(root, i * 7919 % 10007), n[root].red = 0;
    printf("%d %d %d\n", used, height(root), check(root, -1));
    return 0;
}
