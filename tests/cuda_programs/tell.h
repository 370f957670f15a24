/* tell.h: a PE's line: its number and a sum. */
#include <mog.h>
#include <unistd.h>
static void tell(unsigned sum) {
    char line[] = "........ ........\n";
    for (int i = 0; i < 8; i++) {
        line[i] = 'a' + (IPROC >> 4 * i & 15);
        line[9 + i] = 'a' + (sum >> 4 * i & 15);
    }
    write(1, line, sizeof line - 1);
}
