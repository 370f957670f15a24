/* A nested function leaves its parent's middle with goto to a local label: a longjmp in disguise. */
#include <stdio.h>

static int search(const int *v, int n, int wanted) {
    __label__ done;
    int at = -1;
    void look(int i) {
        if (v[i] == wanted) {
            at = i;
            goto done;
        }
        if (i + 1 < n) look(i + 1);
    }
    look(0);
    return -100;
done:
    return at;
}

int main(void) {
    int v[] = {4, 8, 15, 16, 23, 42};
    printf("%d %d %d\n", search(v, 6, 16), search(v, 6, 4), search(v, 6, 7));
    return 0;
}
