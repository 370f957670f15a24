/* Tables put together by the linker: __start_ and __stop_ of a section. */
#include <stdio.h>

struct command { const char *name; int (*run)(int); };
#define COMMAND(n, body)                                                                                                  \
    static int run_##n(int x) { return body; }                                                                            \
    static const struct command command_##n __attribute__((used, section("torture_commands"), aligned(4))) = {#n, run_##n};
COMMAND(twice, x * 2)
COMMAND(square, x * x)
COMMAND(negate, -x)
extern const struct command __start_torture_commands[], __stop_torture_commands[];

int main(void) {
    int sum = 0, count = 0;
    for (const struct command *c = __start_torture_commands; c < __stop_torture_commands; c++) sum += c->run(7), count++;
    printf("%d %d\n", sum, count);
    return 0;
}
