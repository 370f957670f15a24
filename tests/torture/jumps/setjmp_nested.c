/* Exceptions by hand: nested handlers, thrown again from a handler, cleaned up on the way. */
#include <setjmp.h>
#include <stdio.h>

struct handler { jmp_buf buffer; struct handler *outer; };
static struct handler *top;
#define TRY(h) for (int state_ = (h.outer = top, top = &h, setjmp(h.buffer)); state_ == 0; top = h.outer, state_ = -1)
static void throw(int value) {
    struct handler *h = top;
    top = h->outer;
    longjmp(h->buffer, value);
}
static int depth(int n) {
    struct handler h;
    h.outer = top, top = &h;
    int caught = setjmp(h.buffer);
    if (caught == 0) {
        if (n == 0) throw(5);
        int r = depth(n - 1);
        top = h.outer;
        return r;
    }
    printf("%d at %d\n", caught, n);
    if (n < 3) throw(caught + 1);
    return caught * 100;
}

int main(void) {
    printf("%d %d\n", depth(6), top == 0);
    return 0;
}
