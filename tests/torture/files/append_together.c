/* Two descriptors of one file, one appending; offsets are each one's own. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a = open("append.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0644), b = open("append.tmp", O_RDWR | O_APPEND);
    char text[32] = "";
    write(a, "aaaa", 4), write(b, "bb", 2), write(a, "AA", 2), write(b, "c", 1);
    lseek(b, 0, SEEK_SET);
    int n = read(b, text, 31);
    printf("%d %s %d %d\n", n, text, (int)lseek(a, 0, SEEK_CUR), (fcntl(b, F_GETFL) & O_APPEND) != 0);
    return unlink("append.tmp");
}
