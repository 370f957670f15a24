/* Addresses of labels that are kept in variables and structures, compared, and jumped to later. */
#include <stdio.h>

int main(void) {
    struct { void *resume; int count; } state = {&&first, 0};
    void *volatile last = &&last_label;
    int trace = 0;
again:
    goto *state.resume;
first:
    trace = trace * 10 + 1;
    state.resume = &&second;
    goto again;
second:
    trace = trace * 10 + 2;
    state.resume = ++state.count < 3 ? &&first : last;
    goto again;
last_label:
    printf("%d %d\n", trace, state.resume == last);
    return state.count;
}
