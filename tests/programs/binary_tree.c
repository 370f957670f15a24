/* An AVL tree: insertion, deletion, rotations, invariants checked after every change, walks in three orders. */
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

typedef struct Tree { struct Tree *child[2]; int key, height; } Tree;

static int height(const Tree *t) { return t ? t->height : 0; }
static void update(Tree *t) { int a = height(t->child[0]), b = height(t->child[1]); t->height = 1 + (a > b ? a : b); }
static int rotations;

static Tree *rotate(Tree *t, int side) {
    Tree *top = t->child[!side];
    t->child[!side] = top->child[side];
    top->child[side] = t;
    update(t);
    update(top);
    rotations++;
    return top;
}

static Tree *balance(Tree *t) {
    update(t);
    for (int side = 0; side < 2; side++) {
        Tree *heavy = t->child[side];
        if (height(heavy) - height(t->child[!side]) < 2) continue;
        if (height(heavy->child[!side]) > height(heavy->child[side])) t->child[side] = rotate(heavy, side);
        return rotate(t, !side);
    }
    return t;
}

static Tree *insert(Tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
        t->height = 1;
        return t;
    }
    if (key == t->key) return t;
    int side = key > t->key;
    t->child[side] = insert(t->child[side], key);
    return balance(t);
}

static Tree *take_first(Tree *t, Tree **first) {
    if (!t->child[0]) { *first = t; return t->child[1]; }
    t->child[0] = take_first(t->child[0], first);
    return balance(t);
}

static Tree *erase(Tree *t, int key) {
    if (!t) return NULL;
    if (key != t->key) {
        int side = key > t->key;
        t->child[side] = erase(t->child[side], key);
        return balance(t);
    }
    Tree *left = t->child[0], *right = t->child[1];
    free(t);
    if (!right) return left;
    Tree *root;
    right = take_first(right, &root);
    root->child[0] = left;
    root->child[1] = right;
    return balance(root);
}

/* Number of nodes; -1 if any invariant is broken. */
static int check(const Tree *t, int low, int high) {
    if (!t) return 0;
    int a = check(t->child[0], low, t->key), b = check(t->child[1], t->key, high), d = height(t->child[0]) - height(t->child[1]);
    return a < 0 || b < 0 || t->key <= low || t->key >= high || d > 1 || d < -1 ? -1 : a + b + 1;
}

static uint32_t walk(const Tree *t, int order, uint32_t sum) {
    if (!t) return sum;
    if (order == 0) sum = hash_u32(sum, (uint32_t)t->key);
    sum = walk(t->child[0], order, sum);
    if (order == 1) sum = hash_u32(sum, (uint32_t)t->key);
    sum = walk(t->child[1], order, sum);
    if (order == 2) sum = hash_u32(sum, (uint32_t)t->key);
    return sum;
}

int main(void) {
    Tree *tree = NULL;
    uint32_t random = 11;
    for (int i = 0; i < 100; i++) tree = insert(tree, i);
    printf("in order: %d nodes, height %d, %d rotations\n", check(tree, -1, 1000000), height(tree), rotations);
    for (int i = 0; i < 300; i++) {
        int key = (int)(next_random(&random) % 500);
        tree = i % 3 == 2 ? erase(tree, key) : insert(tree, key);
        if (check(tree, -1, 1000000) < 0) { printf("broken at %d\n", i); return 1; }
    }
    printf("mixed: %d nodes, height %d, %d rotations\n", check(tree, -1, 1000000), height(tree), rotations);
    printf("walks %08x %08x %08x\n", walk(tree, 0, HASH_START), walk(tree, 1, HASH_START), walk(tree, 2, HASH_START));
    for (int key = 0; key < 500; key++) tree = erase(tree, key);
    printf("empty: %d, %d rotations\n", tree == NULL, rotations);
    return 0;
}
