/* syslog() with LOG_PERROR: the line on standard error, as glibc has it, without a daemon. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
#include <unistd.h>

static void by_list(int priority, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsyslog(priority, format, arguments);
    va_end(arguments);
}

int main(void) {
    dup2(1, 2);
    syslog(LOG_ERR, "nobody sees this");
    openlog("logging", LOG_PERROR | LOG_NDELAY, LOG_USER);
    errno = ENOENT;
    syslog(LOG_ERR, "%s: %m, %%m, %d%%", "file", 42);
    printf("%d\n", errno == ENOENT);
    fflush(stdout);
    syslog(LOG_INFO, "with an end\n");
    by_list(LOG_LOCAL3 | LOG_WARNING, "%5.2f|%-4s|", 3.14159, "ab");
    printf("%d\n", setlogmask(LOG_UPTO(LOG_WARNING)));
    fflush(stdout);
    syslog(LOG_INFO, "too unimportant");
    syslog(LOG_WARNING, "important");
    printf("%d %d\n", setlogmask(0), LOG_FAC(LOG_LOCAL3 | LOG_ERR));
    fflush(stdout);
    closelog();
    openlog("again", LOG_PERROR, LOG_DAEMON);
    syslog(LOG_CRIT, "%s", "the last");
    return 0;
}
