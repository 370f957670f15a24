# The arguments are the program's, also those that look like mogrun's; so are the environment and the status.
cat >x.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]);
    printf("%s\n", getenv("COLOUR"));
    return argc;
}
EOF
mogcc x.c -o prog
status 4 env COLOUR=green ./prog -n 'two words' --help
same "$(cat out)" "[-n][two words][--help]green"
