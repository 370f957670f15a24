/* getenv, setenv, putenv, unsetenv, clearenv. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    printf("%d\n", getenv("TORTURE_NOT_THERE") == NULL);
    setenv("TORTURE_A", "one", 1);
    setenv("TORTURE_A", "two", 0);
    static char own[] = "TORTURE_B=three";
    putenv(own);
    printf("%s %s\n", getenv("TORTURE_A"), getenv("TORTURE_B"));
    unsetenv("TORTURE_A");
    printf("%d %d\n", getenv("TORTURE_A") == NULL, setenv("BAD=NAME", "x", 1));
    return 0;
}
