/* getopt and getopt_long over an argument list of one's own. */
#include <getopt.h>
#include <stdio.h>

int main(void) {
    char *arguments[] = {"prog", "-ab", "7", "file", "--long=x", "-c", "--flag", "--", "-d", NULL};
    static int flag;
    static const struct option longs[] = {{"long", required_argument, NULL, 'l'}, {"flag", no_argument, &flag, 5}, {0}};
    int c;
    opterr = 0;
    while ((c = getopt_long(9, arguments, "+ab:c", longs, NULL)) != -1) printf("%d:%s ", c, optarg ? optarg : "-");
    printf("| %d\n", optind);
    optind = 4;
    while ((c = getopt_long(9, arguments, "ab:c", longs, NULL)) != -1) printf("%d:%s ", c, optarg && c == 'l' ? optarg : "-");
    printf("| %s %d\n", arguments[optind], flag);
    return 0;
}
