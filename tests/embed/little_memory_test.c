/* little_memory_test.c PROGRAM: a host whose memory is short, wherever it runs out, gets an error that says so, and may try again. */
#include <mog.h>
#include <stdio.h>
#include <sys/resource.h>

/* On two devices, each with threads of its own. */
static mog_code run_once(mog_program *program, mog_error *error)
{
    static const char *const words[] = {"subject", "rank"};
    mog_run *run = NULL;
    mog_code code = mog_run_new(program, &run, error);
    if (!code) code = mog_run_set_pes(run, 100, error);
    if (!code) code = mog_run_set_device(run, "host=1,reference=1", error);
    if (!code) code = mog_run_set(run, "mem", "128K", error);
    if (!code) code = mog_run_set_arguments(run, MOG_ALL_PES, 2, words, error);
    if (!code) code = mog_run_to_end(run, NULL, error);
    mog_run_free(run);
    return code;
}

/* Pages of addresses in use. */
static unsigned long used_pages(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages;
}

int main(int argc, char **argv)
{
    mog_error error;
    mog_program *program = NULL;
    struct rlimit all;
    int failed = 0, wrong = 0;
    if (argc != 2 || mog_program_open(argv[1], &program, &error) || getrlimit(RLIMIT_AS, &all)) return 2;
    for (unsigned long more = 0; more < 64; more += 2) {
        struct rlimit little = all;
        little.rlim_cur = used_pages() * 4096 + (more << 20);
        setrlimit(RLIMIT_AS, &little);
        const mog_code code = run_once(program, &error);
        setrlimit(RLIMIT_AS, &all);
        if (code) failed++;
        if (code && code != MOG_ERROR_MEMORY && code != MOG_ERROR_DEVICE) {
            fprintf(stderr, "with %lu MiB more: %s: %s\n", more, mog_code_name((int)code), error.text);
            wrong = 1;
        }
    }
    if (run_once(program, &error)) {
        fprintf(stderr, "with all memory: %s\n", error.text);
        wrong = 1;
    }
    if (failed == 0) fprintf(stderr, "there was memory enough always\n");
    mog_program_free(program);
    return wrong || failed == 0;
}
