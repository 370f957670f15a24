/* Each operation is rounded to its own type: float to float, double to double. */
#include <stdio.h>

int main(void) {
    volatile float a = 16777216, b = 1, c = 1e-8f;
    volatile double x = 9007199254740992, y = 1;
    float s = a + b + b;
    float t = b + c - b;
    double u = x + y + y;
    printf("%.9g %.9g %.17g %d\n", s, t, u, (float)(a * a + b) == a * a + b);
    return sizeof(a + b) + sizeof(a + x);
}
