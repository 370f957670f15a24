/* A compiler of expressions to a stack machine, and the machine. */
#include <ctype.h>
#include <stdio.h>

static int code[100], used;
static const char *at;
static void emit(int op) { code[used++] = op; }
static void sum(void);
static void atom(void) {
    if (*at == '(') { at++, sum(), at++; return; }
    int v = 0;
    while (isdigit(*at)) v = v * 10 + *at++ - '0';
    emit('n'), emit(v);
}
static void product(void) { atom(); while (*at == '*' || *at == '/') { int op = *at++; atom(); emit(op); } }
static void sum(void) { product(); while (*at == '+' || *at == '-') { int op = *at++; product(); emit(op); } }
static int run(void) {
    int stack[32], *s = stack;
    for (int i = 0; i < used; i++) switch (code[i]) {
        case 'n': *s++ = code[++i]; break;
        case '+': s--, s[-1] += *s; break;
        case '-': s--, s[-1] -= *s; break;
        case '*': s--, s[-1] *= *s; break;
        case '/': s--, s[-1] = *s ? s[-1] / *s : 0; break;
        }
    return s[-1];
}

int main(void) {
    static const char *v[] = {"1+2*3", "(1+2)*3-4/2", "100/7*(3-5)", "((2))", "9-8-7-(6-5-4)"};
    for (int i = 0; i < 5; i++) used = 0, at = v[i], sum(), printf("%d in %d; ", run(), used);
    puts("");
    return 0;
}
