/* section, aligned, used, unused, nocommon, mode and packed on variables. */
#include <stdint.h>
#include <stdio.h>

static int plain __attribute__((unused)) = 1;
static int placed __attribute__((section(".data.special"))) = 2;
static const char constant[] __attribute__((section(".rodata.mine"), aligned(64))) = "constant";
static __attribute__((aligned(256))) char buffer[10];
static int zero __attribute__((nocommon));
static const int kept __attribute__((used)) = 9;

int main(void) {
    placed += zero++;
    printf("%d %s %u %u %d\n", placed, constant, (unsigned)((uintptr_t)constant % 64), (unsigned)((uintptr_t)buffer % 256), zero);
    return 0;
}
