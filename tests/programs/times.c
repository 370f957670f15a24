/* Clocks, sleeping, calendar arithmetic, and what can be asked about the system. Values that differ from run to run are
 * only checked. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void check(const char *what, int holds) { printf("%s: %s\n", what, holds ? "yes" : "NO"); }

int main(void) {
    struct timespec a, b;
    check("timespec_get", timespec_get(&a, TIME_UTC) == TIME_UTC && a.tv_sec > 1600000000 && a.tv_nsec < 1000000000);
    check("timespec_get of another base", timespec_get(&a, 77) == 0);
    clock_gettime(CLOCK_MONOTONIC, &a);
    struct timespec nap = {0, 20000000};
    check("nanosleep", nanosleep(&nap, NULL) == 0);
    clock_gettime(CLOCK_MONOTONIC, &b);
    check("slept", (b.tv_sec - a.tv_sec) * 1000000000ll + b.tv_nsec - a.tv_nsec >= 20000000);
    nap.tv_nsec = 1000000000;
    check("nanosleep of too many ns", nanosleep(&nap, NULL) < 0 && errno == EINVAL);
    check("usleep", usleep(1000) == 0);
    struct tms ticks;
    check("times", times(&ticks) != (clock_t)-1 && ticks.tms_cutime == 0);
    struct rusage usage;
    check("getrusage", getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_usec < 1000000);
    check("getrusage of another", getrusage(17, &usage) < 0 && errno == EINVAL);
    check("clock", clock() != (clock_t)-1);
    /* The ticks from before it to behind it: whoever has the processor in between. */
    const clock_t ticks_begun = times(&ticks), begun = clock();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    while ((b.tv_sec - a.tv_sec) * 1000000000ll + b.tv_nsec - a.tv_nsec < 60000000);
    const double by_clock = (double)(clock() - begun) / CLOCKS_PER_SEC, by_times = (double)(times(&ticks) - ticks_begun) / sysconf(_SC_CLK_TCK);
    check("clock counts parts of CLOCKS_PER_SEC", by_clock >= 0.06 && by_clock <= by_times + 0.02);
    check("ticks are HZ a second", HZ == sysconf(_SC_CLK_TCK) && CLOCKS_PER_SEC == 1000000);
    struct timeval now;
    check("gettimeofday", gettimeofday(&now, NULL) == 0 && labs((long)(now.tv_sec - time(NULL))) <= 1);

    /* timegm against gmtime, over centuries and with fields out of range */
    static const int years[] = {1902, 1969, 1970, 1972, 1999, 2000, 2001, 2004, 2024, 2037};
    for (unsigned i = 0; i < sizeof years / sizeof *years; i++)
        for (int month = 0; month < 12; month += 5) {
            struct tm date = {.tm_year = years[i] - 1900, .tm_mon = month, .tm_mday = 28, .tm_hour = 23, .tm_min = 59, .tm_sec = 58};
            time_t seconds = timegm(&date);
            struct tm back;
            gmtime_r(&seconds, &back);
            printf("%ld %d %d %s", (long)seconds, date.tm_wday, date.tm_yday, asctime(&back));
        }
    struct tm odd = {.tm_year = 100, .tm_mon = 14, .tm_mday = -3, .tm_hour = 50, .tm_min = -100, .tm_sec = 3700};
    printf("%ld\n", (long)timegm(&odd));
    printf("%s", asctime(&odd));
    char text[80];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %U %w %a %b", &odd);
    puts(text);
    struct tm parsed = {0};
    check("strptime", strptime("2021-03-04 05:06:07", "%Y-%m-%d %H:%M:%S", &parsed) != NULL);
    printf("%d %d %d %d\n", parsed.tm_year, parsed.tm_mon, parsed.tm_mday, parsed.tm_hour);

    struct utsname names;
    check("uname", uname(&names) == 0);
    printf("%s %s\n", names.sysname, names.machine);
    check("gethostname", gethostname(text, sizeof text) == 0 && strcmp(text, names.nodename) == 0);
    printf("%ld %ld %ld\n", sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK), sysconf(_SC_VERSION));
    check("open files", sysconf(_SC_OPEN_MAX) >= 20);
    errno = 0;
    check("sysconf of nonsense", sysconf(9999) == -1 && errno == EINVAL);
    printf("%ld %ld\n", pathconf(".", _PC_NAME_MAX), pathconf(".", _PC_PATH_MAX));
    check("ids", getuid() == geteuid() && getgid() == getegid() && getpid() > 0 && getppid() != getpid());
    check("isatty", isatty(1) == 0 && isatty(99) == 0 && errno == EBADF);
    struct winsize window;
    check("ioctl", ioctl(1, TIOCGWINSZ, &window) < 0 && errno == ENOTTY);
    check("ioctl of a closed one", ioctl(99, TIOCGWINSZ, &window) < 0 && errno == EBADF);
    unsigned char bytes[64] = {0};
    int zeros = 0;
    check("getrandom", getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
    for (unsigned i = 0; i < sizeof bytes; i++) zeros += bytes[i] == 0;
    check("random", zeros < 16);
    check("EFAULT", getrandom((void *)4, 8, 0) < 0 && errno == EFAULT);
    setenv("MOG_TEST_A", "one", 1);
    setenv("MOG_TEST_A", "two", 0);
    putenv("MOG_TEST_B=three");
    printf("%s %s\n", getenv("MOG_TEST_A"), getenv("MOG_TEST_B"));
    unsetenv("MOG_TEST_A");
    check("unset", !getenv("MOG_TEST_A"));
    check("setenv of nonsense", setenv("a=b", "c", 1) < 0 && errno == EINVAL);
    return 0;
}
