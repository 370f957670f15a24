/* strtok, strtok_r nested, strsep with empty fields. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[] = "  one, two,,three  ", b[] = "k=v;x=y=z;empty=", c[] = "a::b:";
    for (char *t = strtok(a, " ,"); t; t = strtok(NULL, " ,")) printf("[%s]", t);
    char *outer, *inner;
    for (char *t = strtok_r(b, ";", &outer); t; t = strtok_r(NULL, ";", &outer)) {
        printf(" {");
        for (char *u = strtok_r(t, "=", &inner); u; u = strtok_r(NULL, "=", &inner)) printf("%s.", u);
        printf("}");
    }
    char *rest = c;
    for (char *t; (t = strsep(&rest, ":"));) printf(" <%s>", t);
    puts("");
    return 0;
}
