/* An interpreter for a tiny language, with a program that prints squares. */
#include <stdio.h>

int main(void) {
    static const char program[] = "++++[>+++++<-]>[<+++++>-]+<+[>[>+>+<<-]++>>[<<+>>-]>>>[-]++>[-]+>>>+[[-]++++++>>>]<<<[[<++++++++<++>>-]+<.<[>----<-]<]<<[>>>>>[>>>[-]+++++++++<[>-<-]+++++++++>[-[<->-]+[<<<]<+>]<-<-<-]<<<<]<-]";
    static unsigned char tape[300], *p = tape;
    int depth;
    long steps = 0;
    for (const char *c = program; *c && steps < 400000; c++, steps++) switch (*c) {
        case '>': p++; break;
        case '<': if (p > tape) p--; break;
        case '+': ++*p; break;
        case '-': --*p; break;
        case '.': putchar(*p); break;
        case '[': if (!*p) for (depth = 1; depth;) depth += (*++c == '[') - (*c == ']'); break;
        case ']': if (*p) for (depth = 1; depth;) depth += (*--c == ']') - (*c == '['); break;
        }
    printf("\n%ld\n", steps);
    return 0;
}
