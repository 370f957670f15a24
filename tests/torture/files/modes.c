/* fopen's modes: r, w, a, r+, w+, a+, x; and what each refuses. */
#include <stdio.h>

static const char *name = "modes.tmp";
static void content(void) {
    char b[64];
    FILE *f = fopen(name, "r");
    size_t n = fread(b, 1, 63, f);
    b[n] = 0;
    fclose(f);
    printf("[%s]", b);
}
static void with(const char *mode, const char *text) {
    FILE *f = fopen(name, mode);
    if (!f) { printf("%s none ", mode); return; }
    int r = fputs(text, f), c = (rewind(f), fgetc(f));
    printf("%s %d %d ", mode, r >= 0, c);
    fclose(f);
    content();
}

int main(void) {
    remove(name);
    with("r", "x"), with("w", "one"), with("a", "two"), with("r+", "T"), with("a+", "!"), with("w+", "new"), with("wx", "y");
    puts("");
    remove(name);
    with("w+x", "fresh");
    puts("");
    return remove(name);
}
