/* Functions set errno on domain and range errors. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double minus = -1, big = 1e10, zero = 0;
    double sum = 0;
    errno = 0, sum += isnan(sqrt(minus)), printf("%d ", errno == EDOM);
    errno = 0, sum += isnan(log(minus)), printf("%d ", errno == EDOM);
    errno = 0, sum += isinf(log(zero)), printf("%d ", errno == ERANGE);
    errno = 0, sum += isinf(exp(big)), printf("%d ", errno == ERANGE);
    errno = 0, sum += isinf(pow(big, big)), printf("%d ", errno == ERANGE);
    errno = 0, sum += isnan(acos(minus * 2)), printf("%d\n", errno == EDOM);
    return sum;
}
