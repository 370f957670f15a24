/* subject.c: the program that the tests of libmog run: its first argument says what it does. */
#include <errno.h>
#include <mog.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

volatile int parameter = 7;
volatile double result;
volatile int untouched[4] = {1, 2, 3, 4};

static void say_start(int argc, char **argv)
{
    printf("%d of %d:", IPROC, NPROC);
    for (int i = 2; i < argc; i++) printf(" %s", argv[i]);
    printf(" WHO=%s\n", getenv("WHO") ? getenv("WHO") : "nobody");
}

static void copy_input(void)
{
    int c;
    while ((c = getchar()) != EOF) putchar(c);
}

static int square(void)
{
    result = (double)parameter * parameter + 0.5;
    return 0;
}

static void count_for_ever(void)
{
    for (;;) parameter++;
}

/* Native functions: each PE gives the sum of its rank + 1 numbers to the host to work out, and what came of it is printed. */
static int call_natives(void)
{
    static int numbers[16];
    static double mean;
    for (int i = 0; i <= IPROC; i++) numbers[i] = 10 * IPROC + i;
    const int sum = mog_native("sum"), fails = mog_native("fails"), words = mog_native("words");
    printf("sum %d", mog_native_call(sum, numbers, IPROC + 1, &mean));
    printf(" mean %g", mean);
    errno = 0;
    printf(" fails %d", mog_native_call(fails, -3));
    printf(" %d", errno == EDOM);
    errno = 0;
    printf(" words %d", mog_native_call(words, 1, 2u, 'c', &numbers, -5, 6));
    printf(" none %d %d", mog_native_call(words), errno);
    printf(" unknown %d %d", mog_native("unknown"), errno == ENOSYS);
    errno = 0;
    printf(" bad %d %d\n", mog_native_call(99), errno == ENOSYS);
    return 0;
}

/* Ranks that add up, or end each other: how, `what` says. */
static __attribute__((noinline)) int call_mpi(int argc, char **argv, const char *what)
{
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(&IPROC, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(what, "mpi-abort") == 0 && IPROC == 1) MPI_Abort(MPI_COMM_WORLD, 42);
    if (strcmp(what, "mpi-wait") == 0 && IPROC == 1) MPI_Recv(&sum, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "nothing";
    if (strcmp(what, "start") == 0) say_start(argc, argv);
    if (strcmp(what, "cat") == 0) copy_input();
    if (strcmp(what, "square") == 0) return square();
    if (strcmp(what, "native") == 0) return call_natives();
    if (strcmp(what, "wild") == 0) return mog_native_call(mog_native("sum"), 8, 1, 8) == -1 && errno == EFAULT ? 0 : 1;
    if (strcmp(what, "two") == 0) return mog_native_call(mog_native(IPROC % 2 ? "odd" : "even"), IPROC);
    if (strcmp(what, "exit") == 0) return atoi(argv[2]);
    if (strcmp(what, "rank") == 0) return IPROC;
    if (strcmp(what, "fault") == 0 && IPROC == 1) return *(volatile int *)4;
    if (strncmp(what, "mpi-", 4) == 0) return call_mpi(argc, argv, what);
    if (strcmp(what, "length") == 0) parameter = (int)strlen((const char *)(parameter + 1));
    if (strcmp(what, "abort") == 0) abort();
    if (strcmp(what, "loop") == 0) count_for_ever();
    if (strcmp(what, "sleep") == 0) sleep(1000);
    if (strcmp(what, "streams") == 0) {
        fputs("to output", stdout);
        fputs("to error", stderr);
    }
    if (strcmp(what, "write") == 0) return write(1, "lost", 4) < 0 ? errno : 0;
    if (strcmp(what, "pipe") == 0) {
        int ends[2];
        if (pipe(ends) != 0) return 99;
        close(ends[0]);
        write(ends[1], "x", 1); /* nobody reads: SIGPIPE */
        return 98;
    }
    return 0;
}
