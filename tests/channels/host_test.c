/* host_test.c: a host at both ends of a channel, and what it is told when it connects wrongly. Arguments: examples/channels/pipeline, a device. */
#include <mog.h>
#include <mog_channels.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/channels/pipeline/line.h"

static mog_error error;
static int wrong;
static void expect(mog_code code, mog_code expected, const char *text, const char *what) {
    if (code == MOG_ERROR_DEVICE && expected != MOG_ERROR_DEVICE) exit(77);
    if (code == expected && (code == MOG_OK || strstr(error.text, text))) return;
    fprintf(stderr, "%s: %s: %s\n", what, mog_code_name(code), code ? error.text : "");
    wrong = 1;
}

int main(int argc, char **argv) {
    mog_program *program;
    mog_run *run;
    mog_run_channel lines = {0, 0, 0}, nothing = {0, 0, 0};
    mog_run_state state;
    const char *const arguments[] = {"pipeline", "host"};
    struct line some[300], got[300];
    size_t put = 0, taken = 0;
    int over = 1;
    if (argc != 3) return 2;
    expect(mog_program_open(argv[1], &program, &error), MOG_OK, "", "open");
    expect(mog_run_new(program, &run, &error), MOG_OK, "", "new");
    expect(mog_run_set_device(run, argv[2], &error), MOG_OK, "", "device");
    expect(mog_run_set_pes(run, 2, &error), MOG_OK, "", "pes");
    expect(mog_run_set_arguments(run, MOG_ALL_PES, 2, arguments, &error), MOG_OK, "", "arguments");
    expect(mog_run_load(run, &error), MOG_OK, "", "load");
    expect(mog_run_channel_connect(run, "lines", "struct line", sizeof some[0], &lines, &error), MOG_ERROR_SYMBOL, "no PE has made", "too early");
    expect(mog_run_channel_put(run, &nothing, some, 1, &put, &error), MOG_ERROR_ADDRESS, "there is no channel", "no channel");
    for (int i = 0; i < 100 && mog_run_channel_connect(run, "lines", "struct line", sizeof some[0], &lines, &error); ++i)
        expect(mog_run_for(run, 0, 1, &state, &error), MOG_OK, "", "for");
    expect(mog_run_channel_connect(run, "lines", "struct line", 4, &lines, &error), MOG_ERROR_ARGUMENT, "with 4 bytes, but has such", "size");
    expect(mog_run_channel_connect(run, "lines", "int", sizeof some[0], &lines, &error), MOG_ERROR_ARGUMENT, "of type int", "type");
    for (int i = 0; i < 100 && mog_run_channel_connect(run, "readings", "struct reading", 8, &nothing, &error) == MOG_ERROR_SYMBOL; ++i)
        expect(mog_run_for(run, 0, 1, &state, &error), MOG_OK, "", "for");
    expect(mog_run_channel_connect(run, "readings", "struct reading", 8, &nothing, &error), MOG_ERROR_ARGUMENT, "MOG_CHANNEL_HOST", "no host");
    /* Nobody else runs: what is put comes back, until the channel is full. */
    for (unsigned i = 0; i < 300; ++i) some[i] = line_of(i);
    expect(mog_run_channel_put(run, &lines, some, 300, &put, &error), MOG_OK, "", "put");
    expect(mog_run_channel_get(run, &lines, got, 300, &taken, &error), MOG_OK, "", "get");
    if (put != 256 || taken != 256 || memcmp(some, got, 256 * sizeof some[0])) fprintf(stderr, "%zu put, %zu taken\n", put, taken), wrong = 1;
    expect(mog_run_channel_is_over(run, &lines, &over, &error), MOG_OK, "", "is over");
    if (over) fprintf(stderr, "it is over before it is closed\n"), wrong = 1;
    expect(mog_run_channel_close(run, &lines, &error), MOG_OK, "", "close");
    expect(mog_run_channel_is_over(run, &lines, &over, &error), MOG_OK, "", "is over");
    if (!over) fprintf(stderr, "it is not over\n"), wrong = 1;
    expect(mog_run_to_end(run, NULL, &error), MOG_OK, "", "to end");
    mog_run_free(run);
    mog_program_free(program);
    return wrong;
}
