/* small_headers.c: uchar.h, endian.h, byteswap.h, sys/sysmacros.h, error.h and others that newlib lacks. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <byteswap.h>
#include <complex.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sysexits.h>
#include <tgmath.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>

static void print_name(void) { fputs("name: ", stderr); }

static void unicode(void) {
    static const char text[] = "a\u00e4\u20ac\U0001f600z";
    mbstate_t state;
    memset(&state, 0, sizeof state);
    printf("UTF-16:");
    for (const char *s = text;;) {
        char16_t unit;
        size_t length = mbrtoc16(&unit, s, 6, &state);
        if (length == 0 || length == (size_t)-1)
            break;
        printf(" %04x(%d)", unit, (int)length);
        s += length == (size_t)-3 ? 0 : length;
    }
    memset(&state, 0, sizeof state);
    printf("\nUTF-32:");
    for (const char *s = text;;) {
        char32_t unit;
        size_t length = mbrtoc32(&unit, s, 6, &state);
        if (length == 0 || length == (size_t)-1)
            break;
        printf(" %06lx", (unsigned long)unit);
        s += length;
    }
    static const char16_t units[] = {'a', 0xe4, 0x20ac, 0xd83d, 0xde00, 'z', 0};
    char bytes[MB_LEN_MAX + 8];
    memset(&state, 0, sizeof state);
    printf("\nbytes:");
    for (const char16_t *u = units; *u; ++u) {
        size_t length = c16rtomb(bytes, *u, &state);
        printf(" %d:", (int)length);
        for (size_t i = 0; i < length; ++i)
            printf("%02x", (unsigned char)bytes[i]);
    }
    printf(" %d", (int)c32rtomb(bytes, 0x1f600, &state));
    errno = 0;
    printf(" %d %s\n", (int)c16rtomb(bytes, 0xde00, &state), strerror(errno));
}

/* What <limits.h> and the system say agrees, and is no less than POSIX's minimum. */
static void limits(void) {
#define LIMIT(name, least) {#name, name, sysconf(_SC_##name), least}
#define THREAD_LIMIT(name, least) {#name, PTHREAD_##name, sysconf(_SC_THREAD_##name), least}
#define PATH_LIMIT(name, least) {#name, name, pathconf(".", _PC_##name), least}
    const struct { const char *name; long here, told, least; } rows[] = {
        LIMIT(HOST_NAME_MAX, 1), LIMIT(LOGIN_NAME_MAX, _POSIX_LOGIN_NAME_MAX), LIMIT(TTY_NAME_MAX, _POSIX_TTY_NAME_MAX),
        LIMIT(NGROUPS_MAX, _POSIX_NGROUPS_MAX), LIMIT(IOV_MAX, _XOPEN_IOV_MAX), LIMIT(LINE_MAX, _POSIX2_LINE_MAX),
        LIMIT(SEM_VALUE_MAX, _POSIX_SEM_VALUE_MAX), LIMIT(RE_DUP_MAX, _POSIX_RE_DUP_MAX),
        LIMIT(COLL_WEIGHTS_MAX, _POSIX2_COLL_WEIGHTS_MAX), LIMIT(BC_STRING_MAX, _POSIX2_BC_STRING_MAX),
        THREAD_LIMIT(KEYS_MAX, _POSIX_THREAD_KEYS_MAX), THREAD_LIMIT(STACK_MIN, 0),
        THREAD_LIMIT(DESTRUCTOR_ITERATIONS, _POSIX_THREAD_DESTRUCTOR_ITERATIONS),
        PATH_LIMIT(NAME_MAX, _POSIX_NAME_MAX), PATH_LIMIT(PATH_MAX, _POSIX_PATH_MAX), PATH_LIMIT(PIPE_BUF, _POSIX_PIPE_BUF),
        PATH_LIMIT(MAX_CANON, _POSIX_MAX_CANON), PATH_LIMIT(MAX_INPUT, _POSIX_MAX_INPUT)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        printf("%s %d %d\n", rows[i].name, rows[i].here == rows[i].told, rows[i].here >= rows[i].least);
    printf("%d %d %d %d %d %d\n", SSIZE_MAX == INT_MAX, WORD_BIT, LONG_BIT, NZERO, PATH_MAX, PIPE_BUF);
}

/* Addresses as text and back. */
static void addresses(void) {
    static const char *const fours[] = {"127.0.0.1", "1.2.3", "0x7f.1", "010.0.0.1", "256.1.1.1", "1.2.3.4.5", "1.2.3.4 x", "4294967295", "", "1."};
    for (size_t i = 0; i < sizeof fours / sizeof *fours; ++i) {
        struct in_addr one = {0}, other = {0};
        const int result = inet_aton(fours[i], &one), strict = inet_pton(AF_INET, fours[i], &other);
        printf("%s: %d %s %08x, %d %08x\n", fours[i], result, inet_ntoa(one), (unsigned)inet_network(fours[i]), strict, (unsigned)ntohl(other.s_addr));
    }
    static const char *const sixes[] = {"::", "::1", "1::", "2001:db8::ff00:42:8329", "::ffff:10.1.2.3", "::10.1.2.3", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
        "1:0:0:2:0:0:0:3", "fe80::1:0:2", "1:2:3:4:5:6:7", "1::2::3", ":1", "1:", "12345::", "1:2:3:4:5:6:7:8:9", "::1.2.3", "g::", "0:0:0:0:0:0:0:1", "1:2:3:4:5:6:1.2.3.4", "::0:7",
        "::2:1.2.3.4", "0:1::"};
    for (size_t i = 0; i < sizeof sixes / sizeof *sixes; ++i) {
        struct in6_addr one = IN6ADDR_ANY_INIT;
        char text[INET6_ADDRSTRLEN];
        const int result = inet_pton(AF_INET6, sixes[i], &one);
        printf("%s: %d %s %d%d%d\n", sixes[i], result, inet_ntop(AF_INET6, &one, text, sizeof text), IN6_IS_ADDR_UNSPECIFIED(&one) != 0, IN6_IS_ADDR_LOOPBACK(&one) != 0, IN6_IS_ADDR_V4MAPPED(&one) != 0);
    }
    char little[8];
    printf("%d %d\n", inet_ntop(AF_INET, &(struct in_addr){0xffffffff}, little, sizeof little) == NULL && errno == ENOSPC, inet_pton(99, "1", little) < 0 && errno == EAFNOSUPPORT);

    printf("%d\n", listen(0, 1) < 0 && errno == ENOTSOCK);
    printf("%d %s\n", listen(77, 1), strerror(errno));
}

int main(void) {
    printf("%d\n", setlocale(LC_CTYPE, "C.UTF-8") != NULL);
    unicode();
    limits();
    addresses();
    printf("%08x %04x %016llx %08x %d\n", (unsigned)htobe32(0x12345678), htons(0x1234), (unsigned long long)bswap_64(0x0123456789abcdefull),
           (unsigned)le32toh(0x12345678), BYTE_ORDER == LITTLE_ENDIAN);
    printf("%u %u %d\n", major(makedev(259, 70)), minor(makedev(259, 70)), EX_CONFIG);

    double complex z = CMPLX(0.0, -0.0);
    printf("%g %g %g\n", creal(z), cimag(z), cimag(conj(CMPLXF(1, 2))));
    printf("%g %g\n", (double)creall(cprojl(CMPLXL(INFINITY, 1))), (double)cimagl(conjl(CMPLXL(1, 2))));
    printf("%d %d\n", nexttoward(1.0f, 2.0L) == 1 + 0x1p-23f, sizeof nexttoward(1.0f, 2.0L) == sizeof(float));

    error_print_progname = print_name;      /* argv[0] is another path in each run */
    error(0, ENOENT, "message %d", 1);
    error(0, 0, "no number");
    error_at_line(0, EINVAL, "file.c", 12, "at %s", "line");
    printf("%u %s\n", error_message_count, program_invocation_short_name);

    struct timespec past = {5, 0}, wrong = {0, 2000000000};
    printf("%d %d\n", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &past, NULL), clock_nanosleep(CLOCK_REALTIME, 0, &wrong, NULL));
    char name[] = "smallXXXXXX";
    struct stat status;
    int fd = mkstemp(name);
    int allocated = posix_fallocate(fd, 100, 900);
    fstat(fd, &status);
    printf("%d %ld %d\n", allocated, (long)status.st_size, posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL));
    unlink(name);
    flockfile(stdout);
    putchar_unlocked('x');
    putchar('\n');
    funlockfile(stdout);
    clearenv();
    printf("%d %d\n", getenv("PATH") == NULL, setenv("A", "b", 1));
    printf("%d %d %d %d\n", setenv("", "b", 1), unsetenv(""), setenv("A=B", "c", 1), errno == EINVAL);
    printf("%d ", putenv("A"));
    printf("%d %d\n", getenv("A") == NULL, setenv("A", "c", 1));
    char unknown[40];
    const char *const before = strerror(-1);
    printf("%d %s\n", strcmp(strerror_r(-2, unknown, sizeof unknown), before) != 0, before);
    gid_t groups[1];
    printf("%d %d\n", getgroups(0, groups) >= 0, getgroups(-1, groups));
    puts(getenv("A"));
    return 0;
}
