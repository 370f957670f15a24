/* Huffman codes made, used and undone. */
#include <stdio.h>
#include <string.h>

static struct node { int count, left, right; } tree[64];
static char code[256][24];
static void walk(int n, char *prefix, int depth, const int *symbol) {
    prefix[depth] = 0;
    if (tree[n].left < 0) { strcpy(code[symbol[n]], prefix); return; }
    prefix[depth] = '0', walk(tree[n].left, prefix, depth + 1, symbol);
    prefix[depth] = '1', walk(tree[n].right, prefix, depth + 1, symbol);
}

int main(void) {
    const char *text = "she sells sea shells by the sea shore";
    int count[256] = {0}, symbol[64], alive[64], n = 0, roots = 0;
    for (const char *p = text; *p; p++) count[(unsigned char)*p]++;
    for (int c = 0; c < 256; c++) if (count[c]) tree[n] = (struct node){count[c], -1, -1}, symbol[n] = c, alive[roots++] = n++;
    while (roots > 1) {
        int a[2];
        for (int k = 0; k < 2; k++) {
            int best = 0;
            for (int i = 1; i < roots; i++) if (tree[alive[i]].count < tree[alive[best]].count) best = i;
            a[k] = alive[best], alive[best] = alive[--roots];
        }
        tree[n] = (struct node){tree[a[0]].count + tree[a[1]].count, a[0], a[1]};
        alive[roots++] = n++;
    }
    char prefix[24], bits[400] = "", back[64];
    walk(alive[0], prefix, 0, symbol);
    for (const char *p = text; *p; p++) strcat(bits, code[(unsigned char)*p]);
    int k = 0;
    for (const char *b = bits; *b;) {
        int at = alive[0];
        while (tree[at].left >= 0) at = *b++ == '0' ? tree[at].left : tree[at].right;
        back[k++] = symbol[at];
    }
    back[k] = 0;
    printf("%zu %s\n", strlen(bits), back);
    return strcmp(back, text) != 0;
}
