#include <stdio.h>

int main(void) {
    printf("said");
    return 7;
}
