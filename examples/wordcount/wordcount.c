/* wordcount: lines, words and bytes of a file, each PE counting in its own part of it.
 *
 *     mogrun -n 64 ./wordcount book.txt | awk '{ l += $3; w += $5; b += $7 } END { print l, w, b }'
 *
 * The parts are ranges of bytes and cut through words. A word belongs to the part in which it begins: whether the first
 * byte of a part begins a word depends on the byte before it, so each PE reads that one too.
 */
#include <ctype.h>
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 2) {
        if (mog_rank() == 0) fprintf(stderr, "usage: wordcount FILE\n");
        return 2;
    }
    int file = open(argv[1], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) {
        perror(argv[1]);
        return 1;
    }
    long long size = status.st_size;
    long from = (long)(size * mog_rank() / mog_size()), to = (long)(size * (mog_rank() + 1) / mog_size());

    long lines = 0, words = 0;
    int in_word = 0; /* was the byte before part of a word? */
    if (from > 0) {
        unsigned char before;
        lseek(file, from - 1, SEEK_SET);
        if (read(file, &before, 1) != 1) return 1;
        in_word = !isspace(before);
    }
    unsigned char buffer[2048];
    for (long at = from; at < to;) {
        size_t wanted = to - at < (long)sizeof buffer ? (size_t)(to - at) : sizeof buffer;
        ssize_t got = read(file, buffer, wanted);
        if (got <= 0) { /* somebody shortened the file meanwhile */
            perror(argv[1]);
            return 1;
        }
        for (ssize_t i = 0; i < got; i++) {
            int letter = !isspace(buffer[i]);
            lines += buffer[i] == '\n';
            words += letter && !in_word;
            in_word = letter;
        }
        at += got;
    }
    close(file);
    if (mog_size() == 1) printf("%ld lines, %ld words, %ld bytes\n", lines, words, to - from);
    else printf("PE %d: %ld lines, %ld words, %ld bytes\n", mog_rank(), lines, words, to - from);
    return 0;
}
