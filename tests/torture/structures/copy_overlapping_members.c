/* Assignment of members of the same object, and through pointers to parts of it. */
#include <stdio.h>

struct leaf { int a; short b[3]; };
struct tree { struct leaf left, right; struct tree *self; };

int main(void) {
    struct tree t = {{1, {2, 3, 4}}, {5, {6, 7, 8}}, 0};
    t.self = &t;
    struct leaf saved = t.left;
    t.self->left = t.self->right;
    t.right = saved;
    t.self->self->right.b[1] = t.left.b[2];
    struct tree u = t;
    u.self->left.a++;
    printf("%d %d %d %d %d %d\n", t.left.a, t.left.b[0], t.right.a, t.right.b[1], u.left.a, u.self == &t);
    return u.right.b[2];
}
