/* Recursive descent with precedence climbing, variables and functions. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static double variable[26];
static double expression(int level);
static double primary(void) {
    while (isspace(*at)) at++;
    if (*at == '(') { at++; double v = expression(0); at++; return v; }
    if (*at == '-') { at++; return -primary(); }
    if (strncmp(at, "sqrt", 4) == 0) { at += 4; return sqrt(primary()); }
    if (isalpha(*at)) return variable[*at++ - 'a'];
    return strtod(at, (char **)&at);
}
static double expression(int level) {
    double v = primary();
    for (;;) {
        while (isspace(*at)) at++;
        static const char operators[] = "+-*/^";
        const char *o = *at ? strchr(operators, *at) : NULL;
        int l = !o ? -1 : (o - operators) / 2 + 1;
        if (l < level || l < 0 || l == 0) return v;
        at++;
        double w = expression(*o == '^' ? l : l + 1);
        v = *o == '+' ? v + w : *o == '-' ? v - w : *o == '*' ? v * w : *o == '/' ? v / w : pow(v, w);
    }
}

int main(void) {
    variable['x' - 'a'] = 3, variable['y' - 'a'] = -0.5;
    static const char *v[] = {"1 + 2*3", "2^3^2 / 4", "(x - y) * (x + y)", "-x^2", "sqrt(16) - 10 / 4 - 1", "1/3*3 - 1"};
    for (int i = 0; i < 6; i++) printf("%g\n", (at = v[i], expression(0)));
    return 0;
}
