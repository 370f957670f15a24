/* Much output in pieces of every size, through stdio and through write: order, and nothing lost or torn. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char text[300];
    for (int n = 1; n < 280; n += 31) {
        memset(text, 'a' + n % 26, (size_t)n);
        text[n] = '\n';
        fwrite(text, 1, (size_t)n + 1, stdout);
    }
    fflush(stdout);
    for (int i = 0; i < 10; i++) {
        snprintf(text, sizeof text, "write %d\n", i);
        if (write(1, text, strlen(text)) != (ssize_t)strlen(text)) return 1;
    }
    for (int i = 0; i < 300; i++) printf("%d%c", i * i, i % 10 == 9 ? '\n' : ' ');
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("unbuffered %d\n", 1);
    for (int i = 0; i < 5; i++) putchar('.');
    putchar('\n');
    if (write(1, text, 0) != 0) return 2;
    return 0;
}
