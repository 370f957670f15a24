/* errno values have the machine's numbers, and strerror its texts. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    printf("%d %d %d %d %d %d\n", EPERM, ENOENT, EAGAIN, EINVAL, ERANGE, EDOM);
    printf("%s|%s|%s\n", strerror(ENOENT), strerror(EACCES), strerror(EINVAL));
    errno = 0;
    fopen("/nonexistent/file", "r");
    printf("%s %d\n", strerror(errno), errno == ENOENT);
    return 0;
}
