/* own_names.c: goes through the library of C, while the program has all other names for itself (names.py). Prints what is wrong. */
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static int wrong;
#define CHECK(what) ((what) ? (void)0 : (void)(++wrong, printf("line %d: not so: %s\n", __LINE__, #what)))
static int near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b) + 1e-300; }
static int same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int format(char *to, size_t size, const char *how, ...) {
    va_list arguments;
    va_start(arguments, how);
    int n = vsnprintf(to, size, how, arguments);
    va_end(arguments);
    return n;
}

static void streams(void) {
    char text[200], name[L_tmpnam];
    CHECK(tmpnam(name) && strlen(name) > 4);
    FILE *file = fopen("own_names.txt", "w+");
    CHECK(file);
    CHECK(setvbuf(file, NULL, _IOFBF, 64) == 0);
    CHECK(fprintf(file, "%d %s %g %a %lld\n", 42, "words", 0.1, 1.0, 1ll << 40) > 0);
    CHECK(fputs("second\n", file) >= 0 && fputc('x', file) == 'x' && putc('\n', file) == '\n' && fwrite("12345", 1, 5, file) == 5);
    for (int i = 0; i < 500; ++i)
        fprintf(file, "%d,", i);
    CHECK(fflush(file) == 0);
    rewind(file);
    int i = 0;
    long long big = 0;
    double d = 0, one = 0;
    CHECK(fscanf(file, "%d %99s %lf %lf %lld", &i, text, &d, &one, &big) == 5 || i == 42);
    CHECK(i == 42 && same(text, "words") && d == 0.1);
    rewind(file);
    CHECK(fgets(text, sizeof text, file) && fgets(text, sizeof text, file) && same(text, "second\n"));
    fpos_t place;
    CHECK(fgetpos(file, &place) == 0 && fgetc(file) == 'x' && ungetc('y', file) == 'y' && getc(file) == 'y');
    CHECK(fsetpos(file, &place) == 0 && fread(text, 1, 7, file) == 7 && memcmp(text, "x\n12345", 7) == 0);
    CHECK(fseek(file, 0, SEEK_END) == 0 && ftell(file) > 1900 && fgetc(file) == EOF && feof(file) && !ferror(file));
    clearerr(file);
    CHECK(!feof(file) && fclose(file) == 0);
    CHECK((file = fopen("own_names.txt", "ab")) && fputs("end", file) >= 0 && (file = freopen("own_names.txt", "r", file)) && fgetc(file) == '4');
    CHECK(fclose(file) == 0 && rename("own_names.txt", "own_names.2") == 0 && remove("own_names.2") == 0);
    errno = 0;
    CHECK(!fopen("own_names.2", "r") && errno == ENOENT && same(strerror(ENOENT), "No such file or directory"));
    CHECK((file = tmpfile()) && fputws(L"wide", file) >= 0 && fwide(file, 0) > 0);
    rewind(file);
    CHECK(fgetwc(file) == L'w' && fclose(file) == 0);
    CHECK(format(text, sizeof text, "%5d|%-5s|%05.1f|%x|%p|%c|%%|%zu|%jd|%hhd|%e", 7, "ab", 2.25, 255, (void *)0, 'c', sizeof text, (intmax_t)-1, 300, 12345.678) > 20);
    CHECK(strstr(text, "    7|ab   |002.2|ff|"));
    CHECK(snprintf(text, 3, "%s", "longer") == 6 && same(text, "lo") && sprintf(text, "%.3s", "longer") == 3);
    CHECK(sscanf("17 0x1f word [abc]", "%d %i %s [%[a-c]", &i, &i, text, text + 50) == 4 && i == 31 && same(text + 50, "abc"));
    setbuf(stdout, NULL);
    CHECK(puts("to standard output") >= 0 && putchar('.') == '.' && printf("%s\n", "..") == 3);
    errno = EDOM;
    perror("perror");
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void at_end(void) { puts("at exit"); }

static void general(void) {
    CHECK(strtod("0x1.8p1", NULL) == 3 && strtod("-1e308", NULL) == -1e308 && strtof("2.5", NULL) == 2.5f && strtold("1e10", NULL) == 1e10L);
    CHECK(atof("2.5") == 2.5 && atoi("-7") == -7 && atol("7") == 7 && atoll("1099511627776") == 1ll << 40);
    CHECK(strtol("-77", NULL, 8) == -63 && strtoul("z", NULL, 36) == 35 && strtoll("-1099511627776", NULL, 10) == -(1ll << 40));
    CHECK(strtoull("ffffffffffffffff", NULL, 16) == ULLONG_MAX && strtoimax("12", NULL, 10) == 12 && imaxabs(-3) == 3 && imaxdiv(7, 2).rem == 1);
    srand(3);
    int list[300], first = rand();
    srand(3);
    CHECK(rand() == first);
    for (int i = 0; i < 300; ++i)
        list[i] = rand() % 1000;
    qsort(list, 300, sizeof *list, order);
    for (int i = 1; i < 300; ++i)
        CHECK(list[i - 1] <= list[i]);
    CHECK(bsearch(&list[150], list, 300, sizeof *list, order));
    char *memory = malloc(5000), *zeros = calloc(100, 50), *more = aligned_alloc(64, 128);
    CHECK(memory && zeros && more && (uintptr_t)more % 64 == 0 && zeros[4999] == 0);
    CHECK((memory = realloc(memory, 20000)) != NULL);
    free(memory), free(zeros), free(more);
    CHECK(abs(-3) == 3 && labs(-3) == 3 && llabs(-3) == 3 && div(7, 2).quot == 3 && ldiv(7, 2).rem == 1 && lldiv(7, 2).quot == 3);
    CHECK(!getenv("NO_SUCH_VARIABLE_HERE") && system(NULL) == 0);
    CHECK(atexit(at_end) == 0 && at_quick_exit(at_end) == 0);
    char text[40], other[40] = "abc";
    memcpy(text, "hello, world", 13), memmove(text + 1, text, 13), memset(text, 'j', 1);
    CHECK(same(text, "jhello, world") && memcmp(text, "jh", 2) == 0 && memchr(text, ',', 13) == text + 6 && strlen(text) == 13);
    CHECK(same(strcat(strcpy(other, "ab"), "cd"), "abcd") && same(strncat(other, "efg", 1), "abcde") && strncmp(other, "abX", 2) == 0);
    CHECK(strchr(other, 'c') == other + 2 && strrchr(other, 'z') == NULL && strspn(other, "ab") == 2 && strcspn(other, "d") == 3);
    CHECK(strpbrk(other, "xe") == other + 4 && strstr(other, "cde") == other + 2 && strcoll(other, "abcde") == 0 && strxfrm(text, other, 40) == 5);
    CHECK(same(strtok(other, "c"), "ab") && same(strtok(NULL, "c"), "de") && !strtok(NULL, "c") && same(strncpy(text, "x", 5), "x"));
    CHECK(isalpha('a') && !isdigit('a') && isspace(' ') && isxdigit('f') && toupper('a') == 'A' && tolower('A') == 'a' && ispunct('.') && isblank('\t'));
}

static void wide(void) {
    CHECK(setlocale(LC_ALL, "C") && setlocale(LC_CTYPE, "C.UTF-8") && localeconv()->decimal_point[0] == '.');
    wchar_t text[50];
    char bytes[50];
    CHECK(mbstowcs(text, "gr\xc3\xbc" "n", 50) == 4 && text[2] == 0xfc && wcstombs(bytes, text, 50) == 5 && wcslen(text) == 4);
    mbstate_t state = {0};
    char32_t c;
    char16_t c16;
    CHECK(mbrtoc32(&c, "\xf0\x9f\x98\x80", 4, &state) == 4 && c == 0x1f600 && c32rtomb(bytes, c, &state) == 4);
    CHECK(mbrtoc16(&c16, "a", 1, &state) == 1 && c16rtomb(bytes, c16, &state) == 1 && mblen("a", 1) == 1 && mbsinit(&state));
    CHECK(swprintf(text, 50, L"%d %ls", 5, L"five") == 6 && wcscmp(text, L"5 five") == 0 && wcstol(L"12", NULL, 10) == 12 && wcstod(L"1.5", NULL) == 1.5);
    int i;
    CHECK(swscanf(L"31", L"%d", &i) == 1 && i == 31 && wcschr(text, L'f') == text + 2 && wcsstr(text, L"ive") && wmemcmp(text, L"5", 1) == 0);
    CHECK(iswalpha(0xfc) && towupper(L'a') == L'A' && iswctype(L'1', wctype("digit")) && btowc('a') == L'a' && wctob(L'a') == 'a');
    setlocale(LC_ALL, "C");
}

static void numbers(void) {
    volatile double x = 0.7, two = 2;
    CHECK(near(sin(x) * sin(x) + cos(x) * cos(x), 1) && near(tan(x), sin(x) / cos(x)) && near(asin(sin(x)), x) && near(acos(cos(x)), x));
    CHECK(near(atan2(x, 1), atan(x)) && near(sinh(x), (exp(x) - exp(-x)) / 2) && near(acosh(cosh(x)), x) && near(asinh(sinh(x)), x) && near(atanh(tanh(x)), x));
    CHECK(near(log(exp(x)), x) && near(pow(two, 0.5), sqrt(two)) && near(cbrt(8 * two / 2), two) && near(hypot(3, 4), 5) && near(log10(1000), 3) && near(log2(8), 3));
    CHECK(near(exp2(3), 8) && near(expm1(x), exp(x) - 1) && near(log1p(x), log(1 + x)) && near(tgamma(5), 24) && near(lgamma(5), log(24)) && near(erf(x) + erfc(x), 1));
    CHECK(floor(-x) == -1 && ceil(x) == 1 && trunc(-x) == 0 && round(2.5) == 3 && rint(2.5) == 2 && lround(-2.5) == -3 && llrint(2.5) == 2 && nearbyint(x) == 1);
    CHECK(fmod(7, 4) == 3 && remainder(7, 4) == -1 && fmax(x, 1) == 1 && fdim(3, two) == 1 && fma(two, 3, 1) == 7 && copysign(1, -x) == -1);
    int e, q;
    double whole;
    CHECK(frexp(8, &e) == 0.5 && e == 4 && ldexp(0.5, 4) == 8 && scalbn(1, 3) == 8 && ilogb(8) == 3 && logb(8) == 3 && modf(2.5, &whole) == 0.5 && remquo(7, 4, &q) == -1);
    CHECK(nextafter(1, two) > 1 && isnan(nan("")) && isinf(INFINITY) && signbit(-0.0) && fpclassify(1e-310) == FP_SUBNORMAL);
    CHECK(fabsf(sinf(0.7f) - 0.644217687f) < 1e-6f && sqrtf(9) == 3 && powf(2, 3) == 8 && floorf(1.5f) == 1);
    CHECK(near(cabs(3 + 4 * I), 5) && near(creal(cexp(I * acos(-1))), -1) && near(cimag(csqrt(-4 + 0 * I)), 2) && near(carg(I), asin(1)));
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(!fetestexcept(FE_DIVBYZERO) && fesetround(FE_UPWARD) == 0 && fegetround() == FE_UPWARD && fesetround(FE_TONEAREST) == 0);
}

static void times(void) {
    struct tm fields = {.tm_year = 126, .tm_mon = 10, .tm_mday = 23, .tm_hour = 15};
    char text[80];
    time_t then = mktime(&fields), now = time(NULL);
    struct timespec precise;
    CHECK(then == 1795446000 && difftime(then, then - 5) == 5 && now > 1600000000 && clock() != (clock_t)-1 && timespec_get(&precise, TIME_UTC) == TIME_UTC);
    CHECK(same(asctime(gmtime(&then)), "Mon Nov 23 15:00:00 2026\n") && same(ctime(&then), "Mon Nov 23 15:00:00 2026\n"));
    CHECK(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j", localtime(&then)) && same(text, "2026-11-23 15:00:00 Mon 327"));
}

static volatile sig_atomic_t caught;
static void on_signal(int number) { caught = number; }

static void control(void) {
    jmp_buf back;
    if (setjmp(back) == 0)
        longjmp(back, 1);
    CHECK(signal(SIGUSR1, on_signal) == SIG_DFL && raise(SIGUSR1) == 0 && caught == SIGUSR1);
    _Atomic long long shared = 5;
    CHECK(atomic_fetch_add(&shared, 2) == 5 && shared == 7);
    assert(caught);
}

int main(void) {
    streams();
    general();
    wide();
    numbers();
    times();
    control();
    printf("%d wrong\n", wrong);
    exit(wrong != 0);
}
