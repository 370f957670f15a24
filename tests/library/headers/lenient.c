/* lenient.c: what gcc does not warn of with glibc's headers. */
#include <ctype.h>

int main(int argc, char **argv) { return argc > 1 && (isspace(*argv[1]) || isupper(*argv[1])); }
