/* faults: goes wrong in the way that its argument says, on those PEs whose rank the other arguments give (on all without).
 * Each way is a function of its own, so that the message can be checked for its name and line. */
#include <assert.h>
#include <limits.h>
#include <mog.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the compiler cannot see through. */
static volatile uint32_t zero = 0, wild = 0x7fff0000u, odd = 1;
static volatile int sink;
static double numbers[4];

static void null_read(void) {
    sink = *(volatile int *)(uintptr_t)zero;
}
static void null_write(void) {
    ((volatile char *)(uintptr_t)zero)[12] = 'x';
}
static void null_call(void) {
    ((void (*)(void))(uintptr_t)zero)();
}
static void wild_read(void) {
    sink = *(volatile short *)(uintptr_t)wild;
}
static void wild_write(void) {
    *(volatile double *)(uintptr_t)wild = 1.5;
}
static void code_write(void) {
    *(volatile int *)(uintptr_t)code_write = 0;
}
static void misaligned_read(void) {
    sink = *(volatile int *)((char *)numbers + odd);
}
static void misaligned_write(void) {
    *(volatile short *)((char *)numbers + odd) = 7;
}
static void misaligned_double(void) {
    *(volatile double *)((char *)numbers + 4 * odd) = 2.5;
}
static void divide(void) {
    sink = (int)odd / (int)zero;
}
static void modulo(void) {
    sink = (int)(odd % zero);
}
static int deeper(volatile char *above) {
    volatile char room[200];
    room[0] = above[0];
    return deeper(room) + room[0];
}
static void stack_overflow(void) {
    char start[1] = {1};
    sink = deeper(start);
}
static void big_array(void) {
    volatile char room[odd << 20];
    room[0] = 1;
    sink = room[0];
}
static void trap(void) {
    __builtin_trap();
}
static void break_code(void) {
    __asm__ volatile("break 12");
}
static void illegal(void) {
    __asm__ volatile(".word 0x0000003f");
}
static void overflow(void) {
    int result, big = INT_MAX;
    __asm__ volatile("add %0, %1, %2" : "=r"(result) : "r"(big), "r"(odd));
    sink = result;
}
static void jump_to_data(void) {
    ((void (*)(void))(void *)(numbers + odd))();
}
static void jump_between(void) {
    ((void (*)(void))((uintptr_t)null_read + 2 * odd))();
}
static void in_library(void) {
    memset((void *)(uintptr_t)wild, 0, 4 + zero);
}
static void bad_string(void) {
    printf("%s\n", (const char *)(uintptr_t)wild);
}
static void abort_call(void) {
    abort();
}
static void assertion(void) {
    assert(zero == 1);
}
static void raise_signal(void) {
    raise(SIGTERM);
}
static void endless(void) {
    for (;;) sink++;
}
static void heap(void) { /* not a fault: malloc says no, and the program goes on */
    size_t blocks = 0;
    void *last = NULL;
    for (void **p; (p = malloc(4096)); blocks++) {
        *p = last;
        last = p;
    }
    int some = blocks > 8;
    while (last) {
        void *next = *(void **)last;
        free(last);
        last = next;
    }
    printf("malloc gave %s and then NULL; afterwards %s\n", some ? "some" : "little", malloc(4096) ? "it gives again" : "nothing");
}
static void status_is_rank(void) {
    exit(mog_rank());
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
#define WAY(name) {#name, name}
    WAY(null_read), WAY(null_write), WAY(null_call), WAY(wild_read), WAY(wild_write), WAY(code_write), WAY(misaligned_read),
    WAY(misaligned_write), WAY(misaligned_double), WAY(divide), WAY(modulo), WAY(stack_overflow), WAY(big_array), WAY(trap),
    WAY(break_code), WAY(illegal), WAY(overflow), WAY(jump_to_data), WAY(jump_between), WAY(in_library), WAY(bad_string), WAY(abort_call),
    WAY(assertion), WAY(raise_signal), WAY(endless), WAY(heap), WAY(status_is_rank),
};

int main(int argc, char **argv) {
    int chosen = argc == 2;
    for (int i = 2; i < argc; i++) chosen |= atoi(argv[i]) == mog_rank();
    for (size_t i = 0; chosen && i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(argv[1], ways[i].name)) ways[i].run();
    printf("PE %d ends well\n", mog_rank());
    return 0;
}
