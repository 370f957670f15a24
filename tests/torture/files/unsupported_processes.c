/* fork, exec and threads do not exist for a PE; a program that looks at the result goes on. Under Linux they work, so only
 * what holds in both worlds is printed. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    errno = 0;
    int r = execl("/nonexistent/program", "program", (char *)NULL);
    printf("%d %d\n", r, errno != 0);
    return 0;
}
