/* getopt.c: options of a command line, as glibc reads them, with its messages. newlib's takes the argument "-" for an option. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static char *next;             /* what is left of an argument with several options */
static int first_word, behind; /* words that are no options and were passed over; they are moved behind options that follow */
static enum { PERMUTE, STOP, TELL } at_words;
static int has_begun;

/* Moves the options from `behind` to optind in front of the words that were passed over. */
static void exchange(char **arguments) {
    for (; behind < optind; ++behind, ++first_word) {
        char *option = arguments[behind];
        memmove(arguments + first_word + 1, arguments + first_word, (size_t)(behind - first_word) * sizeof *arguments);
        arguments[first_word] = option;
    }
}

static int is_word(const char *argument) { return argument[0] != '-' || argument[1] == '\0'; }

static int find_long(const struct option *options, const char *name, size_t length, int is_only, int *is_ambiguous) {
    int found = -1;
    for (int i = 0; options[i].name; ++i) {
        if (strncmp(options[i].name, name, length) != 0) continue;
        if (strlen(options[i].name) == length) return *is_ambiguous = 0, i;
        if (found < 0) found = i;
        else if (is_only || options[found].has_arg != options[i].has_arg || options[found].flag != options[i].flag ||
                 options[found].val != options[i].val)
            *is_ambiguous = 1;
    }
    return found;
}

static void tell_ambiguous(const char *program, const char *prefix, const struct option *options, size_t length) {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, prefix, next);
    for (; options->name; ++options)
        if (!strncmp(options->name, next, length)) fprintf(stderr, " '%s%s'", prefix, options->name);
    fputc('\n', stderr);
}

/* -1: it may be a short one. */
static int take_long(int count, char **arguments, const char *letters, const struct option *options, int *index, int is_only, int tells,
                     const char *prefix) {
    size_t length = strcspn(next, "=");
    int is_ambiguous = 0, found = find_long(options, next, length, is_only, &is_ambiguous);
    if (is_ambiguous) {
        if (tells) tell_ambiguous(arguments[0], prefix, options, length);
        next += strlen(next);
        ++optind;
        optopt = 0;
        return '?';
    }
    if (found < 0) {
        if (is_only && arguments[optind][1] != '-' && strchr(letters, *next)) return -1;
        if (tells) fprintf(stderr, "%s: unrecognized option '%s%s'\n", arguments[0], prefix, next);
        next = NULL;
        ++optind;
        optopt = 0;
        return '?';
    }
    const struct option *option = &options[found];
    char *value = next[length] ? next + length + 1 : NULL;
    ++optind;
    next = NULL;
    if (value && option->has_arg == no_argument) {
        if (tells) fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", arguments[0], prefix, option->name);
        optopt = option->val;
        return '?';
    }
    if (!value && option->has_arg == required_argument) {
        if (optind >= count) {
            if (tells) fprintf(stderr, "%s: option '%s%s' requires an argument\n", arguments[0], prefix, option->name);
            optopt = option->val;
            return *letters == ':' ? ':' : '?';
        }
        value = arguments[optind++];
    }
    optarg = value;
    if (index) *index = found;
    if (!option->flag) return option->val;
    *option->flag = option->val;
    return 0;
}

static int take_letter(int count, char **arguments, const char *letters, const struct option *options, int *index, int tells) {
    char letter = *next++;
    const char *found = letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
    if (!*next) ++optind;
    if (!found) {
        if (tells) fprintf(stderr, "%s: invalid option -- '%c'\n", arguments[0], letter);
        optopt = letter;
        return '?';
    }
    int is_long = found[0] == 'W' && found[1] == ';' && options;
    if (found[1] != ':' && !is_long) return letter;
    char *rest = *next ? next : NULL;
    if (rest) ++optind;
    next = NULL;
    optarg = rest;
    if (rest || (!is_long && found[2] == ':')) goto taken; /* an optional one is in the same word */
    if (optind >= count) {
        if (tells) fprintf(stderr, "%s: option requires an argument -- '%c'\n", arguments[0], letter);
        optopt = letter;
        return *letters == ':' ? ':' : '?';
    }
    optarg = arguments[optind++];
taken:
    if (!is_long) return letter;
    next = optarg;
    optarg = NULL;
    --optind; /* which goes on behind it */
    return take_long(count, arguments, letters, options, index, 0, tells, "-W ");
}

static int take(int count, char *const words[], const char *letters, const struct option *options, int *index, int is_only) {
    char **arguments = (char **)words;
    if (count < 1) return -1;
    optarg = NULL;
    if (optind == 0 || !has_begun) {
        if (optind == 0) optind = 1;
        first_word = behind = optind;
        next = NULL;
        at_words = *letters == '-' ? TELL : *letters == '+' || getenv("POSIXLY_CORRECT") ? STOP : PERMUTE;
        has_begun = 1;
    }
    if (*letters == '-' || *letters == '+') ++letters;
    int tells = opterr && *letters != ':';
    if (!next || !*next) {
        if (behind > optind) behind = optind; /* the program may have changed it */
        if (first_word > optind) first_word = optind;
        if (at_words == PERMUTE) {
            if (first_word != behind && behind != optind) exchange(arguments);
            else if (behind != optind) first_word = optind;
            while (optind < count && is_word(arguments[optind])) ++optind;
            behind = optind;
        }
        if (optind < count && !strcmp(arguments[optind], "--")) {
            ++optind;
            if (first_word != behind && behind != optind) exchange(arguments);
            else if (first_word == behind) first_word = optind;
            behind = count;
            optind = count;
        }
        if (optind >= count) {
            if (first_word != behind) optind = first_word;
            return -1;
        }
        if (is_word(arguments[optind])) {
            if (at_words == STOP) return -1;
            optarg = arguments[optind++];
            return 1;
        }
        char *argument = arguments[optind];
        if (options && argument[1] == '-') {
            next = argument + 2;
            return take_long(count, arguments, letters, options, index, is_only, tells, "--");
        }
        next = argument + 1;
        if (options && is_only && (argument[2] || !strchr(letters, argument[1]))) {
            int result = take_long(count, arguments, letters, options, index, 1, tells, "-");
            if (result != -1) return result;
        }
    }
    return take_letter(count, arguments, letters, options, index, tells);
}

int getopt(int count, char *const arguments[], const char *letters) { return take(count, arguments, letters, NULL, NULL, 0); }
int getopt_long(int count, char *const arguments[], const char *letters, const struct option *options, int *index) {
    return take(count, arguments, letters, options, index, 0);
}
int getopt_long_only(int count, char *const arguments[], const char *letters, const struct option *options, int *index) {
    return take(count, arguments, letters, options, index, 1);
}
