/* Variadic macros: __VA_ARGS__, __VA_OPT__, GNU's named ones, counting arguments, stringizing. */
#include <stdio.h>

#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define COUNT_(a, b, c, d, e, n, ...) n
#define SAY(format, ...) printf(format "\n", ##__VA_ARGS__)
#define LIST(items...) {items, -1}
#define TEXT(...) #__VA_ARGS__
#define CALL(f, ...) f(1 __VA_OPT__(,) __VA_ARGS__)
#define GLUE(a, b) a##b

static int one(int a) { return a; }
static int two(int a, int b) { return a * 10 + b; }

int main(void) {
    int list[] = LIST(3, 1, 4);
    SAY("nothing");
    SAY("%d %d %d", COUNT(a), COUNT(a, b, c), list[3]);
    SAY("%s|%s", TEXT(a, "b\n",  c + d), TEXT());
    SAY("%d %d %d", CALL(one), CALL(two, 7), GLUE(4, 2));
    return 0;
}
