/* Function pointers in tables, as arguments, as results, compared, and cast there and back. */
#include <stdio.h>

typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static operation choose(char c) { return c == '+' ? add : c == '-' ? subtract : multiply; }
static int fold(operation f, const int *v, int n, int start) { return n ? fold(f, v + 1, n - 1, f(start, *v)) : start; }
static int (*(*maker)(char))(int, int) = choose;

int main(void) {
    static operation const table[] = {multiply, add, subtract};
    int v[] = {2, 3, 4, 5};
    for (int i = 0; i < 3; i++) printf("%d ", fold(table[i], v, 4, 100));
    void (*anything)(void) = (void (*)(void))maker('-');
    printf("%d %d %d\n", ((operation)anything)(9, 4), choose('*') == table[0], choose('+') == subtract);
    return (*(**maker)('+'))(1, 2);
}
