/* host_test.c: a program that runs PEs by the library reads and writes what they share. Arguments: the program, a device. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

static mog_error error;
static void ok(mog_code code, const char *what)
{
    if (code == MOG_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, mog_code_name(code), error.text);
    exit(code == MOG_ERROR_DEVICE ? 77 : 1);
}

static void in_window(uint32_t address, uint32_t begin, uint32_t size, const char *what)
{
    if (address >= begin && address < begin + size) return;
    fprintf(stderr, "%s is not in the window: %#x\n", what, address);
    exit(1);
}

int main(int argc, char **argv)
{
    mog_program *program;
    mog_run *run;
    mog_symbol box, results;
    uint32_t begin, size, place, numbers[16], got[16];
    int status, wrong = 0;
    if (argc != 3) return 2;
    ok(mog_program_open(argv[1], &program, &error), "open");
    ok(mog_program_symbol(program, "box", &box, &error), "box");
    ok(mog_program_symbol(program, "results", &results, &error), "results");
    ok(mog_run_new(program, &run, &error), "new");
    ok(mog_run_set_device(run, argv[2], &error), "device");
    ok(mog_run_set_pes(run, 5, &error), "pes");
    ok(mog_run_set(run, "shared-memory", "1M", &error), "shared-memory");
    ok(mog_run_load(run, &error), "load");
    ok(mog_run_window(run, &begin, &size, &error), "window");
    if (size != 1 << 20) fprintf(stderr, "the window has %u bytes\n", size), wrong = 1;
    in_window(box.address, begin, size, "box");
    for (uint32_t i = 0; i < 16; i++) numbers[i] = i + 3;
    ok(mog_run_write(run, 0, box.address, numbers, sizeof numbers, &error), "write");
    if (mog_run_read(run, 0, begin + size - 4, got, 8, &error) != MOG_ERROR_ADDRESS) fprintf(stderr, "read behind it\n"), wrong = 1;
    ok(mog_run_to_end(run, &status, &error), "to_end");
    ok(mog_run_read(run, 3, results.address, &place, sizeof place, &error), "read"); /* whichever PE it is */
    in_window(place, begin, size, "what was allocated");
    ok(mog_run_read(run, 4, place, got, sizeof got, &error), "read");
    for (uint32_t i = 0; i < 16; i++)
        if (got[i] != (i + 3) * (i + 3)) fprintf(stderr, "result %u is %u\n", i, got[i]), wrong = 1;
    if (status) fprintf(stderr, "status %d\n", status), wrong = 1;
    ok(mog_run_free(run), "free");
    mog_program_free(program);
    return wrong;
}
