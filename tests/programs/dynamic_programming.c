/* Dynamic programming: knapsack with its items, edit distance, longest common subsequence, coin change, partitions. */
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

static int max(int a, int b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }

static void knapsack(int capacity) {
    static const struct { int weight, value; } items[] = {{12, 24}, {7, 13}, {11, 23}, {8, 15}, {9, 16}, {6, 11}, {5, 9}, {14, 28}};
    enum { ITEMS = 8 };
    int best[ITEMS + 1][41] = {{0}};
    for (int i = 0; i < ITEMS; i++)
        for (int w = 0; w <= capacity; w++) best[i + 1][w] = max(best[i][w], w >= items[i].weight ? best[i][w - items[i].weight] + items[i].value : 0);
    printf("capacity %d: value %d, items", capacity, best[ITEMS][capacity]);
    for (int i = ITEMS, w = capacity; i > 0; i--)
        if (best[i][w] != best[i - 1][w]) { printf(" %d", i - 1); w -= items[i - 1].weight; }
    printf("\n");
}

static int edit_distance(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), *row = malloc(sizeof(int) * (size_t)(m + 1));
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int above = row[j];
            row[j] = min(min(above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    int result = row[m];
    free(row);
    return result;
}

static void common(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b);
    unsigned char length[40][40] = {{0}};
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--) length[i][j] = (unsigned char)(a[i] == b[j] ? length[i + 1][j + 1] + 1 : max(length[i + 1][j], length[i][j + 1]));
    printf("common \"");
    for (int i = 0, j = 0; i < n && j < m;) {
        if (a[i] == b[j]) { putchar(a[i]); i++; j++; }
        else if (length[i + 1][j] >= length[i][j + 1]) i++;
        else j++;
    }
    printf("\" %d\n", length[0][0]);
}

int main(void) {
    for (int capacity = 5; capacity <= 40; capacity += 7) knapsack(capacity);
    static const char *words[] = {"kitten", "sitting", "", "flaw", "lawn", "intention", "execution"};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) printf("%3d", edit_distance(words[i], words[j]));
        printf("\n");
    }
    common("AGGTABTTAGC", "GXTXAYBAGGC");
    common("the cat sat on the mat", "a hat is not that");
    unsigned long long ways[501] = {1};
    static const int coins[] = {1, 2, 5, 10, 20, 50, 100, 200};
    for (int c = 0; c < 8; c++)
        for (int i = coins[c]; i <= 500; i++) ways[i] += ways[i - coins[c]];
    printf("change of 500: %llu ways\n", ways[500]);
    unsigned long long partitions[121] = {1};
    for (int part = 1; part <= 120; part++)
        for (int i = part; i <= 120; i++) partitions[i] += partitions[i - part];
    printf("partitions of 120: %llu\n", partitions[120]);
    return 0;
}
