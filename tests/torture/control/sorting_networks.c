/* Eight ways to sort the same numbers: they all agree. */
#include <stdio.h>
#include <string.h>

enum { N = 64 };
static void exchange(int *a, int *b) { int t = *a; *a = *b, *b = t; }
static void insertion(int *v, int n) { for (int i = 1; i < n; i++) for (int j = i; j > 0 && v[j] < v[j - 1]; j--) exchange(v + j, v + j - 1); }
static void selection(int *v, int n) { for (int i = 0; i < n; i++) { int m = i; for (int j = i; j < n; j++) if (v[j] < v[m]) m = j; exchange(v + i, v + m); } }
static void quick(int *v, int n) { if (n < 2) return; int p = v[n / 2], i = -1, j = n; for (;;) { do i++; while (v[i] < p); do j--; while (v[j] > p); if (i >= j) break; exchange(v + i, v + j); } quick(v, j + 1), quick(v + j + 1, n - j - 1); }
static void sift(int *v, int i, int n) { for (int c; (c = 2 * i + 1) < n; i = c) { if (c + 1 < n && v[c + 1] > v[c]) c++; if (v[i] >= v[c]) return; exchange(v + i, v + c); } }
static void heap(int *v, int n) { for (int i = n / 2; i--;) sift(v, i, n); while (n--) exchange(v, v + n), sift(v, 0, n); }
static void merge(int *v, int n) { if (n < 2) return; int h = n / 2, t[N], i = 0, j = h, k = 0; merge(v, h), merge(v + h, n - h); while (i < h || j < n) t[k++] = j == n || (i < h && v[i] <= v[j]) ? v[i++] : v[j++]; memcpy(v, t, n * sizeof *v); }
static void shell(int *v, int n) { for (int g = n / 2; g; g /= 2) for (int i = g; i < n; i++) for (int j = i; j >= g && v[j] < v[j - g]; j -= g) exchange(v + j, v + j - g); }
static void bitonic(int *v, int n) { for (int k = 2; k <= n; k *= 2) for (int j = k / 2; j; j /= 2) for (int i = 0; i < n; i++) if ((i ^ j) > i && ((i & k) == 0) == (v[i] > v[i ^ j])) exchange(v + i, v + (i ^ j)); }
static void radix(int *v, int n) { for (int s = 0; s < 32; s += 4) { int c[17] = {0}, t[N]; for (int i = 0; i < n; i++) c[(((unsigned)v[i] ^ 0x80000000u) >> s & 15) + 1]++; for (int i = 1; i < 17; i++) c[i] += c[i - 1]; for (int i = 0; i < n; i++) t[c[((unsigned)v[i] ^ 0x80000000u) >> s & 15]++] = v[i]; memcpy(v, t, n * sizeof *v); } }

int main(void) {
    static void (*const sorts[])(int *, int) = {insertion, selection, quick, heap, merge, shell, bitonic, radix};
    int first[N], v[N];
    for (int k = 0; k < 8; k++) {
        unsigned x = 3;
        for (int i = 0; i < N; i++) v[i] = (int)(x = x * 1664525 + 1013904223) >> (i & 15);
        sorts[k](v, N);
        if (k == 0) memcpy(first, v, sizeof v);
        printf("%d", memcmp(first, v, sizeof v) == 0);
    }
    printf(" %d %d\n", first[0], first[N - 1]);
    return 0;
}
