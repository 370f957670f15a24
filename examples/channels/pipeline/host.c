/* host: runs pipeline on PEs of a device and gives it the lines, as fast as it takes them.
 *
 *     cc host.c $(pkg-config --cflags --libs mog) -o host && ./host ./pipeline 8
 */
#include <mog.h>
#include <mog_channels.h>
#include <stdlib.h>

#include "line.h"

int main(int argc, char **argv) {
    mog_error error;
    mog_program *program = NULL;
    mog_run *run = NULL;
    mog_run_channel lines;
    mog_run_state state = MOG_RUN_READY;
    const char *const arguments[] = {"pipeline", "host"};
    int waits = 0, status = 1;
    if (argc < 2) return fprintf(stderr, "usage: host PROGRAM [PES [DEVICE]]\n"), 2;
    if (mog_program_open(argv[1], &program, &error) || mog_run_new(program, &run, &error) ||
        mog_run_set_pes(run, argc > 2 ? (uint32_t)atoi(argv[2]) : 4, &error) || mog_run_set_device(run, argc > 3 ? argv[3] : "host", &error) ||
        mog_run_set_arguments(run, MOG_ALL_PES, 2, arguments, &error) || mog_run_set(run, "slice", "50000", &error) || mog_run_load(run, &error))
        goto failed;
    /* The PEs make the channel. */
    for (int tries = 0; mog_run_channel_connect(run, "lines", "struct line", sizeof(struct line), &lines, &error); ++tries)
        if (error.code != MOG_ERROR_SYMBOL || tries == 1000 || mog_run_for(run, 0, 1, &state, &error)) goto failed;
    for (unsigned next = 0; next < LINES;) {
        struct line some[8];
        size_t count = 0, done;
        for (; count < 8 && next + count < LINES; ++count) some[count] = line_of(next + (unsigned)count);
        if (mog_run_channel_put(run, &lines, some, count, &done, &error)) goto failed;
        next += (unsigned)done;
        if (done == count) continue;
        ++waits; /* no room: the PEs go on first */
        if (mog_run_for(run, 0, 1, &state, &error)) goto failed;
    }
    if (mog_run_channel_close(run, &lines, &error) || mog_run_to_end(run, &status, &error)) goto failed;
    for (uint32_t pe = 0; pe < mog_run_pes(run); ++pe) {
        const char *bytes;
        size_t size;
        if (mog_run_output(run, pe, 1, &bytes, &size, &error)) goto failed;
        fwrite(bytes, 1, size, stdout);
    }
    fprintf(stderr, "the host had to wait %s\n", waits ? "for room" : "for nothing");
    mog_run_free(run);
    mog_program_free(program);
    return status;
failed:
    fprintf(stderr, "host: %s\n", error.text);
    mog_run_free(run);
    mog_program_free(program);
    return error.code == MOG_ERROR_DEVICE ? 77 : 1;
}
