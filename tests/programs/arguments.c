/* argv, argc and the environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv) {
    printf("%d arguments\n", argc - 1);
    for (int i = 1; i < argc; i++) printf("%d: \"%s\" (%zu)\n", i, argv[i], strlen(argv[i]));
    printf("end: %d\n", argv[argc] == NULL);
    printf("MOG_TEST_NAME=%s\n", getenv("MOG_TEST_NAME") ? getenv("MOG_TEST_NAME") : "(none)");
    printf("MOG_TEST_EMPTY=%s.\n", getenv("MOG_TEST_EMPTY") ? getenv("MOG_TEST_EMPTY") : "(none)");
    printf("MOG_TEST_MISSING=%s\n", getenv("MOG_TEST_MISSING") ? getenv("MOG_TEST_MISSING") : "(none)");
    int found = 0;
    for (char **e = environ; *e; e++) found += !strncmp(*e, "MOG_TEST_", 9);
    printf("%d in environ\n", found);
    setenv("MOG_TEST_NEW", "set here", 1);
    setenv("MOG_TEST_NAME", "not changed", 0);
    unsetenv("MOG_TEST_EMPTY");
    printf("%s, %s, %d\n", getenv("MOG_TEST_NEW"), getenv("MOG_TEST_NAME"), getenv("MOG_TEST_EMPTY") == NULL);
    argv[1][0] = '#'; /* arguments are the program's own */
    const char *name = strrchr(argv[0], '/');
    printf("%s %s\n", argv[1], name ? name + 1 : argv[0]);
    return argc;
}
