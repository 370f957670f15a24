/* options.c: command lines as getopt() and its like read them, and what they say of wrong ones. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int flag;
static const struct option options[] = {{"in-place", optional_argument, NULL, 'i'}, {"quiet", no_argument, NULL, 'n'}, {"quick", no_argument, &flag, 7},
                                        {"expression", required_argument, NULL, 'e'}, {"alike-one", no_argument, NULL, 'a'}, {"alike-two", no_argument, NULL, 'a'},
                                        {NULL, 0, NULL, 0}};
static const char *const lines[] = {
    "-n -i s/b/X/ -", "s -n - -i", "- -n", "-n -- - -n", "a - b -i.x c -- -n", "-i*.foo = b", "a b -n", "--in-place=x - --quiet -", "-", "--", "", "-e", "-ne", "-ex y",
    "-e x -nq", "a -x b -n", "--qui", "--qu", "--quick -n", "--quick=1", "--expression", "--expr=a --expression b c", "--what=it", "--alike", "-in-place", "-quick a",
    "-x-n", "a b -n c -e d f -i g -- h -n i", "-e - -n", "-W quick -n", "-Wexpression=4", "-ni -nq- -n", "-:", "-n---quiet",
};

static void read_line(const char *line, const char *letters, int how) {
    char text[80], *arguments[20] = {"options"};
    int count = 1, letter, index = -1;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) arguments[count++] = word;
    printf("%d %s, %s:", how, letters, line);
    optind = 0;
    flag = 0;
    while ((letter = how == 0   ? getopt(count, arguments, letters)
                     : how == 1 ? getopt_long(count, arguments, letters, options, &index)
                                : getopt_long_only(count, arguments, letters, options, &index)) != -1) {
        printf(" %d %c[%s]", letter, letter < ' ' ? '.' : letter, optarg ? optarg : "-");
        if (letter == '?' || letter == ':') printf("(%d)", optopt);
        if (index >= 0) printf("#%d", index);
        index = -1;
    }
    printf(", %d, then %d:", flag, optind);
    for (int i = 1; i < count; ++i) printf(" %s", arguments[i]);
    puts("");
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    static const char *const letters[] = {"ni::e:W;", "+ni::e:", "-ni::e:", ":ni::e:"};
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; ++i)
        for (unsigned k = 0; k < sizeof letters / sizeof *letters; ++k)
            for (int how = 0; how < 3; ++how) read_line(lines[i], letters[k], how);
    setenv("POSIXLY_CORRECT", "1", 1);
    read_line("a -n b", letters[0], 0);
    return 0;
}
