/* conversions.c: prints and reads many numbers, ordinary and nasty ones, and tells a checksum of each block of conversions: of all, of one in
 * so many ("every 10"), or of one with its texts ("block 3"). conversions.py compares that with the C library of the host. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __mog__
#include <mog.h>
#else
enum { IPROC = 0, NPROC = 1 };
#endif

enum { KINDS = 12, BLOCKS = 20 * KINDS, VALUES = 90 };

static uint64_t state, sum;
static int verbose;

static uint64_t random_bits(void) {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static unsigned below(unsigned limit) { return (unsigned)(random_bits() >> 33) % limit; }

static double of_bits(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void tell(const char *text) {
    if (verbose) puts(text);
    do sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
    while (*text++);
}

/* ERANGE is of interest where nothing is left or too much came: C leaves subnormals open. */
static void read_double(const char *text) {
    char *end, line[2000];
    errno = 0;
    const double number = strtod(text, &end);
    const int out = errno == ERANGE && (number == 0 || isinf(number));
    snprintf(line, sizeof line, "%016" PRIx64 " %d after %d of %s", isnan(number) ? 0 : bits_of(number), out, (int)(end - text), text);
    tell(line);
}

static void print_double(const char *format, double number) {
    char text[500];
    snprintf(text, sizeof text, format, number);
    tell(text);
}

static void print_digits(const char *format, int digits, double number) {
    char text[1500];
    snprintf(text, sizeof text, format, digits, number);
    tell(text);
}

/* number * 2^twos, of hundreds of digits where it lies between two doubles; and what is a little more or less. */
static void read_halfway(uint64_t number, int twos) {
    static uint32_t parts[140];
    static char digits[1300], text[1400];
    int used = 3, places = twos < 0 ? -twos : 0;
    parts[0] = (uint32_t)(number % 1000000000);
    parts[1] = (uint32_t)(number / 1000000000 % 1000000000);
    parts[2] = (uint32_t)(number / 1000000000 / 1000000000);
    for (int times = twos < 0 ? -twos : twos; times;) {
        const int few = times < 9 ? times : 9;
        uint32_t factor = 1;
        for (int i = 0; i < few; i++) factor *= twos < 0 ? 5 : 2;
        uint64_t carry = 0;
        for (int i = 0; i < used || carry; i++) {
            if (i == used) parts[used++] = 0;
            carry += (uint64_t)parts[i] * factor;
            parts[i] = (uint32_t)(carry % 1000000000);
            carry /= 1000000000;
        }
        times -= few;
    }
    while (used > 1 && parts[used - 1] == 0) used--;
    int length = sprintf(digits, "%" PRIu32, parts[used - 1]);
    for (int i = used - 2; i >= 0; i--) length += sprintf(digits + length, "%09" PRIu32, parts[i]);
    sprintf(text, "%se-%d", digits, places);
    read_double(text);
    sprintf(text, "%.1s.%se%d", digits, digits + 1, length - 1 - places);
    read_double(text);
    sprintf(text, "%s.000000000000000000000000000001e-%d", digits, places);
    read_double(text);
    for (int i = length; digits[--i]-- == '0';) digits[i] = '9';
    sprintf(text, "-%s.9e-%d", digits, places);
    read_double(text);
}

static double or_one(double number) { return isfinite(number) ? number : 1; }

/* Each random number is drawn in a statement of its own: arguments have no order. */
static double value_of_kind(int kind, int *digits) {
    static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const int some = (int)below(16), three = (int)below(3);
    const unsigned many = below(2045) + 1, hundred = below(100);
    const uint64_t bits = random_bits();
    char text[40];
    switch (kind) {
        case 0: return or_one(of_bits(bits));
        case 1: *digits = some; return (double)(bits >> (11 + hundred % 50)) / tens[some];
        case 2: *digits = some; return ldexp((double)(bits >> (11 + some + (int)hundred % 34) | 1), -some - 1);     /* a tie of %.*f */
        case 3: *digits = some % 3; return (double)(bits % 1000) * tens[some] + (some ? 5 * tens[some - 1] : 0);    /* of %.*e */
        case 4: return of_bits((uint64_t)many << 52) * (1 + (double)three / 2);     /* powers of two */
        case 5: return or_one(of_bits(((uint64_t)many << 52) + hundred % 5 - 2));
        case 6: sprintf(text, "%de%d", 1 + three * 4, (int)many % 632 - 323); return or_one(of_bits(bits_of(strtod(text, 0)) + hundred % 3 - 1));
        case 7: return of_bits(bits >> (12 + hundred % 52));        /* subnormal */
        case 8: return (double)(bits >> hundred % 64);              /* integers */
        case 9: sprintf(text, "%d.%02ue%d", three, hundred, (int)many % 60 - 30); return strtod(text, 0);
        case 10: *digits = 0; return (double)((bits >> 20) * 2 + 1) / 2;        /* of %.0f, 44 bits */
        default: return (hundred % 2 ? 1 : -1) * ldexp((double)(bits >> 11), (int)many % 120 - 110);
    }
}

static void convert(int kind) {
    static const char *const formats[] = {"%f", "%.0f", "%.1f", "%.2f", "%.3f", "%.15f", "%.40f", "%e", "%.0e", "%.1e", "%.15e", "%.16e", "%.17e",
                                          "%.20e", "%g", "%.0g", "%.1g", "%.9g", "%.15g", "%.16g", "%.17g", "%.18g", "%.30g", "%#.3e", "%#.0f", "%#.0e",
                                          "%+.3f", "% .3g", "%012.4f", "%-12.4e|", "%15g", "%G", "%E", "%F"};
    static const char *const with_digits[] = {"%.*f", "%.*e", "%.*g"};
    char text[500];
    int digits = (int)below(20), length;
    const double number = value_of_kind(kind, &digits);
    const char *const other = with_digits[below(3)];
    const unsigned more = below(26);
    print_double(formats[below(sizeof formats / sizeof *formats)], number);
    print_digits("%.*f", digits, number);
    print_digits("%.*e", digits, number);
    print_digits(other, digits, number);
    if (number == 0 || fabs(number) >= 0x1p-1022) print_double(more % 2 ? "%a" : "%.3a", number);    /* C leaves subnormals open */
    snprintf(text, sizeof text, other, (int)more, number);
    read_double(text);
    snprintf(text, sizeof text, "%.17g", number);
    read_double(text);
    length = (int)strlen(text);
    if (strchr(text, '.') && !strchr(text, 'e')) {      /* longer than a double has digits */
        snprintf(text + length, sizeof text - (unsigned)length, "%" PRIu64 "%se%d", random_bits(), more % 2 ? "000000" : "", (int)more - 13);
        read_double(text);
    }
    double scanned = 0;
    int count = -1;
    snprintf(text, sizeof text, " %.16ex", number);
    sscanf(text, "%lf%n", &scanned, &count);
    snprintf(text, sizeof text, "%016" PRIx64 " %d", bits_of(scanned), count);
    tell(text);

    static const char *const integers[] = {"%" PRIu64, "%" PRId64, "%+" PRId64, "%025" PRId64, "%-25" PRIu64 "|", "%.22" PRId64, "% " PRId64};
    uint64_t integer = random_bits();
    integer >>= below(64);
    snprintf(text, sizeof text, integers[more % 7], integer);
    tell(text);
    snprintf(text, sizeof text, "%d %u %5d %hd", (int)integer, (unsigned)integer, (int)(integer >> 40), (int)(short)integer);
    tell(text);
}

static void read_nasty(void) {
    static const char *const texts[] = {
        "2.2250738585072012e-308", "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623158e308",
        "1.7976931348623159e308", "9007199254740993", "9007199254740992.99999999999999999999999", "9007199254740993.00000000000000000000001", "1e23",
        "8.5", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.47032822920623272e-324", "4.9406564584124654e-324", "1e400", "-1e400",
        "1e-400", "-1e-400", "1e99999999999", "0e99999999999", "1e-99999999999", "0.000e-5", "", "+", "-", ".", "-.", "+.e1", "e5", "1e", "1e+", "1e-x",
        "1.e5", "5.", ".5", "+.5e-3z", "00000.000001", "0000123.e-2", " \t\n\v\f\r1", "- 1", "--1", "1..2", "1.2.3", "0x", "0x1.8p1", "0xg", "00x1",
        "-0x.8p-2", "inf", "-infinityx", "INFINIT", "nan", "nan(12)", "n", "-0", "-0.0e5x", "0", "000", "0.", "1_000", "1,5", "1e5.5", "1E5", "1d5",
        "18446744073709551615", "18446744073709551616", "9223372036854775807", "99999999999999999999999999", "123456789", "1234567890", "123456789.",
        "123456789012345678", "1234567890123456789", "12345678901234567890", "1234567890123456789.", "1234567890123456789.5e1", "123456789.123456789",
        "123456789.1234567891", "123456789.12345678912", ".1234567891234567891", "1.0000000000000000000000000000000000000000000", "1e22", "1e-22",
        "123456789012345e22", "123456789012345e23", "1234567890123456e-22", "6.631236846766476e-316", "3.2378839133029012895883524125015321748630e0",
        "0.500000000000000166533453693773481063544750213623046875", "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124", "1.00000000000000011102230246251565404236316680908203126",
        "7.2057594037927933e16", "36028797018963964.99999999999999", "30078505129381147446200", "1777820000000000000001", "358416272e-33", "1e-5x",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e100",
        "1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000e-100"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) read_double(texts[i]);
    const double special[] = {0.0, -0.0, INFINITY, -INFINITY, (double)NAN, 0.5, 1.5, 2.5, 0.05, 1234565, 123456.5, 9.9999995, 999999.5, 99999.95, 0.0001,
                              0.00009999995, 1e22, 1e23, 9.5, 0.95, 0.9999, 99.99995, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e15, 1e16,
                              1e17, 999999999999999.9, 4503599627370495.5, 9007199254740991.0, 18446744073709551615.0, 2.5e17, 25e20};
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++)
        for (int digits = 0; digits < 24; digits++) {
            print_digits("%.*f", digits, special[i]);
            print_digits("%.*e", digits, special[i]);
            print_digits("%.*g", digits, special[i]);
            print_digits("%#.*e", digits, special[i]);
        }
    static const char *const integers[] = {"%d", "%5d", "%-5d|", "%05d", "%+d", "%.0d", "%.3d", "%u", "%hhd"};
    static const int numbers[] = {0, 1, -1, 9, 10, 99, 100, 9999, 10000, 99999999, 100000000, 999999999, 1000000000, INT32_MAX, INT32_MIN};
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
        for (unsigned j = 0; j < sizeof numbers / sizeof *numbers; j++) {
            char text[40];
            snprintf(text, sizeof text, integers[i], numbers[j]);
            tell(text);
        }
}

static void do_block(int block) {
    state = (uint64_t)block << 32;
    sum = 0xcbf29ce484222325;
    if (block == 0) read_nasty();
    for (int i = 0; i < VALUES; i++) convert(block % KINDS);
    for (int i = 0; i < 2; i++) {
        const uint64_t mantissa = random_bits() >> 11 | (uint64_t)1 << 52;
        read_halfway(mantissa * 2 + 1, (int)below(i ? 40 : 1900) - (i ? 20 : 1074) - 1);
    }
    printf("block %d %016" PRIx64 "\n", block, sum);
}

int main(int argc, char **argv) {
    const int number = argc > 2 ? atoi(argv[2]) : 1;
    verbose = argc > 2 && strcmp(argv[1], "block") == 0;
    if (verbose && IPROC == 0) do_block(number);
    for (int i = IPROC * KINDS; !verbose && i < BLOCKS * KINDS; i += NPROC * KINDS) {
        const int block = i % BLOCKS + i / BLOCKS;      /* all of a kind, then all of the next */
        if (block / KINDS % number == 0) do_block(block);
    }
    return 0;
}
