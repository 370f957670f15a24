/* Labels as values in a table: a byte-code interpreter. */
#include <stdio.h>

static int run(const unsigned char *code) {
    static void *const table[] = {&&halt, &&push, &&add, &&multiply, &&duplicate, &&decrement, &&jump_if};
    int stack[16], *sp = stack;
#define NEXT goto *table[*code++]
    const unsigned char *start = code;
    NEXT;
push: *++sp = *code++; NEXT;
add: sp--, sp[0] += sp[1]; NEXT;
multiply: sp--, sp[0] *= sp[1]; NEXT;
duplicate: sp++, sp[0] = sp[-1]; NEXT;
decrement: --*sp; NEXT;
jump_if: if (*sp) code = start + *code; else code++; NEXT;
halt: return sp[-1] * 10 + *sp;
}

int main(void) {
    printf("%d\n", run((unsigned char[]){1, 3, 1, 4, 3, 4, 2, 1, 5, 5, 6, 9, 0}));
    return 0;
}
