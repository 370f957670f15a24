/* Columns made with stars and minus signs, of integers, doubles and text. */
#include <stdio.h>

int main(void) {
    for (int width = 1; width < 12; width += 3)
        for (int precision = 0; precision < 6; precision += 2)
            printf("|%*d|%-*d|%*.*f|%-*.*e|%*.*s|\n", width, -42, width, 42, width, precision, 3.14159, width + 6, precision, 31415.9, width, precision, "columns");
    return 0;
}
