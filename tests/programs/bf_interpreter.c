/* An interpreter for a language of eight letters, with its jumps matched beforehand; runs a few programs. */
#include <stdio.h>
#include <string.h>

static void run(const char *program, const char *input, char *output, size_t room) {
    static unsigned char tape[300];
    static short match[600];
    short stack[50];
    int depth = 0, length = (int)strlen(program);
    for (int i = 0; i < length; i++) {
        if (program[i] == '[') stack[depth++] = (short)i;
        if (program[i] == ']') { match[i] = stack[--depth]; match[stack[depth]] = (short)i; }
    }
    memset(tape, 0, sizeof tape);
    unsigned char *cell = tape;
    char *end = output + room - 1;
    long steps = 0;
    for (int i = 0; i < length; i++, steps++) {
        switch (program[i]) {
        case '>': cell++; break;
        case '<': cell--; break;
        case '+': ++*cell; break;
        case '-': --*cell; break;
        case '.': if (output < end) *output++ = (char)*cell; break;
        case ',': *cell = (unsigned char)(*input ? *input++ : 0); break;
        case '[': if (!*cell) i = match[i]; break;
        case ']': if (*cell) i = match[i]; break;
        }
    }
    *output = 0;
    printf("%ld steps: ", steps);
}

int main(void) {
    char out[400];
    run("++++++++[>+++++++++>++++++++++<<-]>+++++.>-.<------.", "", out, sizeof out);
    printf("%s\n", out);
    run(",[>,]<[.<]", "reversed", out, sizeof out);
    printf("%s\n", out);
    run(",[[->+>+<<]>.>.[-]<[-]<,]", "double", out, sizeof out);
    printf("%s\n", out);
    run("++++++++[>++++++++<-]>+<++++++++++++++++++++++++++[>.+<-]", "", out, sizeof out);
    printf("%s\n", out);
    run("+++++[>+++++++<-]>-<+++++[>>+>+<<<-]>>[->[->+<<<.>>]>[-<+>]<<]", "", out, sizeof out); /* 5 times 5 characters */
    printf("%zu %s\n", strlen(out), out);
    return 0;
}
