/* An expression compiler and stack machine: tokens, precedence climbing, variables, functions, then bytecode. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { PUSH, LOAD, STORE, ADD, SUB, MUL, DIV, POW, NEG, CALL } Op;
typedef struct { Op op; double value; int index; } Code;

static const char *names = "abcdefghijklmnopqrstuvwxyz";
static const struct { const char *name; double (*f)(double); } functions[] = {{"sqrt", sqrt}, {"floor", floor}, {"abs", fabs}};
static double variables[26];
static Code code[100];
static int length;
static const char *at;
static jmp_buf bad;

static void emit(Op op, double value, int index) { code[length++] = (Code){op, value, index}; }
static void skip(void) { while (*at == ' ') at++; }
static void expression(int least);

static void primary(void) {
    skip();
    if (isdigit((unsigned char)*at) || *at == '.') { char *end; emit(PUSH, strtod(at, &end), 0); at = end; return; }
    if (*at == '(') { at++; expression(1); skip(); if (*at++ != ')') longjmp(bad, 2); return; }
    if (*at == '-') { at++; expression(3); emit(NEG, 0, 0); return; }
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(functions[i].name);
        if (!strncmp(at, functions[i].name, n) && at[n] == '(') { at += n; primary(); emit(CALL, 0, i); return; }
    }
    if (isalpha((unsigned char)*at)) { emit(LOAD, 0, (int)(strchr(names, *at++) - names)); return; }
    longjmp(bad, 1);
}

static void expression(int least) {
    primary();
    for (;;) {
        skip();
        static const char signs[] = "+-*/^";
        static const int levels[] = {1, 1, 2, 2, 4};
        const char *sign = *at ? strchr(signs, *at) : NULL;
        if (!sign || levels[sign - signs] < least) return;
        at++;
        int level = levels[sign - signs];
        expression(*sign == '^' ? level : level + 1); /* ^ groups to the right */
        emit(ADD + (Op)(sign - signs), 0, 0);
    }
}

static double run(void) {
    double stack[50], *top = stack;
    for (const Code *c = code; c < code + length; c++) {
        switch (c->op) {
        case PUSH: *top++ = c->value; break;
        case LOAD: *top++ = variables[c->index]; break;
        case STORE: variables[c->index] = top[-1]; break;
        case ADD: top--; top[-1] += top[0]; break;
        case SUB: top--; top[-1] -= top[0]; break;
        case MUL: top--; top[-1] *= top[0]; break;
        case DIV: top--; if (top[0] == 0) longjmp(bad, 3); top[-1] /= top[0]; break;
        case POW: top--; top[-1] = pow(top[-1], top[0]); break;
        case NEG: top[-1] = -top[-1]; break;
        case CALL: top[-1] = functions[c->index].f(top[-1]); break;
        }
    }
    return top[-1];
}

int main(void) {
    static const char *lines[] = {"1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-2 ^ 2", "10 - 4 - 3", "x = 5", "y = x * x + 1", "sqrt(y - 1) / 2", "z = y / (x - 5)",
                                  "floor(7.9) + abs(-3.25)", "2 * (3 + 4", "1 + * 2", "((((1))))", "a=3", "b=4", "sqrt(a*a + b*b)", "1e3 * .5", "100 / 8 / 2", ""};
    static const char *problems[] = {"", "expected a value", "expected )", "division by zero"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = lines[i];
        length = 0;
        int problem = setjmp(bad);
        if (problem) { printf("%-26s error at %d: %s\n", lines[i], (int)(at - lines[i]), problems[problem]); continue; }
        int target = -1;
        if (isalpha((unsigned char)at[0]) && strchr("= ", at[1]) && strchr(at, '=')) { target = at[0] - 'a'; at = strchr(at, '=') + 1; }
        expression(1);
        if (target >= 0) emit(STORE, 0, target);
        double value = run();
        printf("%-26s %.10g (%d instructions)\n", lines[i], value, length);
    }
    return 0;
}
