/* host.c: launches a program's OpenCL interpreter, collatz.cl, on PEs as collatz.h describes them, until all have ended, and collects
 * their results: what mogrun and libmog do, for a host that has its own OpenCL. Of system calls it serves exit() and write(): C's library
 * needs no more for printf() and malloc(). All others fail.
 *
 *     ./host PES
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collatz.h"

enum { WARP = 32, GROUP = 64, PASSES = 2000000, DATA_WORDS = 16384 };
enum { EXIT = 4001, WRITE = 4004, EXIT_GROUP = 4246, ENOSYS_OF_MIPS = 89, LONGEST_WRITE = 4096 };

static cl_context context;
static cl_command_queue queue;
static cl_kernel init_kernel, run_kernel, transfer_kernel;
static cl_mem list, staging; /* of transfers */

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "%s failed: OpenCL's code %d\n", what, code);
    exit(1);
}

/* All of a file, NUL behind it. Freed by the caller. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long end;
    if (file && fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 && (bytes = malloc((size_t)end + 1)) != NULL) {
        rewind(file);
        *size = fread(bytes, 1, (size_t)end, file);
        bytes[*size] = 0;
    }
    if (file) fclose(file);
    if (bytes) return bytes;
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
}

static cl_mem new_buffer(size_t bytes, const void *content)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes ? bytes : 4, NULL, &code);
    check(code, "clCreateBuffer");
    if (content && bytes) check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, content, 0, NULL, NULL), "clEnqueueWriteBuffer");
    return buffer;
}

static void read_buffer(cl_mem buffer, void *into, size_t bytes)
{
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, into, 0, NULL, NULL), "clEnqueueReadBuffer");
}

/* With local memory as the kernel's argument of that number: so many words for each PE of a work-group. */
static void launch(cl_kernel kernel, cl_uint local, size_t local_words, uint32_t pes)
{
    const size_t group = GROUP, all = (pes + GROUP - 1) / GROUP * GROUP;
    check(clSetKernelArg(kernel, local, 4 * local_words * GROUP, NULL), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}

#define SET(kernel, index, value) check(clSetKernelArg(kernel, index, sizeof(value), &(value)), "clSetKernelArg")

static void build(const char *path)
{
    char options[64];
    size_t size = 0;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    char *source = read_file(path, &size);
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, &size, &code);
    check(code, "clCreateProgramWithSource");
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DMOG_WARP=%du", WARP);
    check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
    init_kernel = clCreateKernel(program, "mog_init", &code);
    check(code, "clCreateKernel");
    run_kernel = clCreateKernel(program, "mog_run", &code);
    check(code, "clCreateKernel");
    transfer_kernel = clCreateKernel(program, "mog_transfer", &code);
    check(code, "clCreateKernel");
    free(source);
}

/* Does `count` transfers between PEs and `staging`: to them if to_pe is 1. */
static void transfer(uint32_t (*records)[MOG_T_WORDS], uint32_t count, uint32_t to_pe)
{
    check(clEnqueueWriteBuffer(queue, list, CL_TRUE, 0, sizeof *records * count, records, 0, NULL, NULL), "clEnqueueWriteBuffer");
    SET(transfer_kernel, MOG_ARG_TRANSFER_TO_PE, to_pe);
    SET(transfer_kernel, MOG_ARG_TRANSFER_COUNT, count);
    launch(transfer_kernel, MOG_ARG_TRANSFER_LOCAL, 1, count);
}

/* Answers the system call of record `q`: one PE at a time, which is slow where thousands call. */
static void serve(const uint32_t *q)
{
    const uint32_t pe = q[MOG_Q_PE], file = q[MOG_Q_ARG], bytes = q[MOG_Q_ARG + 2];
    uint32_t answer[2] = {ENOSYS_OF_MIPS, 1}, rows[2][MOG_T_WORDS] = {{pe | MOG_T_STATE, COLLATZ_ROW_RESULT, 4, 0},
                                                                      {pe | MOG_T_STATE, COLLATZ_ROW_FAILED, 4, 4}};
    if (q[MOG_Q_NUMBER] == WRITE && (file == 1 || file == 2)) {
        char text[LONGEST_WRITE];
        const uint32_t size = bytes < sizeof text ? bytes : sizeof text, from = q[MOG_Q_ARG + 1] - MOG_DATA_BASE;
        uint32_t record[1][MOG_T_WORDS] = {{pe, q[MOG_Q_ARG + 1], size, 0}};
        if (from > 4 * DATA_WORDS || size > 4 * DATA_WORDS - from) {
            answer[0] = 14; /* EFAULT: transfers do not check addresses */
        } else {
            if (size > 0) {
                transfer(record, 1, 0);
                read_buffer(staging, text, size);
                fwrite(text, 1, size, file == 1 ? stdout : stderr);
            }
            answer[0] = size; /* a write that is longer comes back with the rest */
            answer[1] = 0;
        }
    }
    check(clEnqueueWriteBuffer(queue, staging, CL_TRUE, 0, sizeof answer, answer, 0, NULL, NULL), "clEnqueueWriteBuffer");
    transfer(rows, 2, 1);
}

int main(int argc, char **argv)
{
    const uint32_t pes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0, zero = 0, words = DATA_WORDS, passes = PASSES;
    if (pes == 0) {
        fprintf(stderr, "usage: host PES\n");
        return 2;
    }
    build("collatz.cl");

    /* What a PE finds above its stack: argc, argv, the end of the environment and of the auxiliary vector, and argv[0]. */
    const uint32_t limit = MOG_DATA_BASE + 4 * DATA_WORDS, startup_words = 8;
    uint32_t startup[8] = {1, limit - 8, 0, 0, 0, 0};
    memcpy(&startup[6], "program", 8);

    const uint32_t stride = (pes + WARP - 1) / WARP * WARP, image_words = COLLATZ_DATA_WORDS, entry = COLLATZ_ENTRY;
    cl_mem text = new_buffer(2 * COLLATZ_TEXT_HALFWORDS, COLLATZ_TEXT), cpool = new_buffer(4 * COLLATZ_CPOOL_WORDS, COLLATZ_CPOOL),
           code_map = new_buffer(4 * COLLATZ_CODE_MAP_WORDS, COLLATZ_CODE_MAP), initial = new_buffer(4 * COLLATZ_DATA_WORDS, COLLATZ_DATA),
           start = new_buffer(sizeof startup, startup), data = new_buffer((size_t)4 * DATA_WORDS * stride, NULL),
           state = new_buffer((size_t)4 * COLLATZ_STATE_ROWS * stride, NULL), requests = new_buffer((size_t)4 * MOG_Q_WORDS * pes, NULL),
           nrequests = new_buffer(4, &zero), active = new_buffer((size_t)4 * pes, NULL);
    list = new_buffer((size_t)16 * (pes + 1), NULL);
    staging = new_buffer((size_t)8 * pes + LONGEST_WRITE, NULL);
    check(clEnqueueFillBuffer(queue, data, &zero, 4, 0, (size_t)4 * DATA_WORDS * stride, 0, NULL, NULL), "clEnqueueFillBuffer");

    SET(init_kernel, MOG_ARG_INIT_IMAGE, initial);
    SET(init_kernel, MOG_ARG_INIT_IMAGE_WORDS, image_words);
    SET(init_kernel, MOG_ARG_INIT_STARTUP, start);
    SET(init_kernel, MOG_ARG_INIT_STARTUP_WORDS, startup_words);
    SET(init_kernel, MOG_ARG_INIT_DATA, data);
    SET(init_kernel, MOG_ARG_INIT_DATA_WORDS, words);
    SET(init_kernel, MOG_ARG_INIT_STATE, state);
    SET(init_kernel, MOG_ARG_INIT_STRIDE, stride);
    SET(init_kernel, MOG_ARG_INIT_NPROC, pes);
    SET(init_kernel, MOG_ARG_INIT_ENTRY, entry);
    SET(init_kernel, MOG_ARG_INIT_COUNT, pes);
    launch(init_kernel, MOG_ARG_INIT_LOCAL, 1, pes);

    SET(transfer_kernel, MOG_ARG_TRANSFER_LIST, list);
    SET(transfer_kernel, MOG_ARG_TRANSFER_STAGING, staging);
    SET(transfer_kernel, MOG_ARG_TRANSFER_DATA, data);
    SET(transfer_kernel, MOG_ARG_TRANSFER_DATA_WORDS, words);
    SET(transfer_kernel, MOG_ARG_TRANSFER_STATE, state);
    SET(transfer_kernel, MOG_ARG_TRANSFER_STRIDE, stride);
    SET(transfer_kernel, MOG_ARG_TRANSFER_FIRST, zero);

    /* Launches of so many passes, with those that still run, until none is left. */
    uint32_t *running = malloc(4 * (size_t)pes), left = pes, launches = 0;
    uint32_t(*stopped)[MOG_Q_WORDS] = malloc(sizeof *stopped * pes);
    unsigned char *ended = calloc(pes, 1);
    if (!running || !stopped || !ended) return 1;
    for (uint32_t pe = 0; pe < pes; pe++) running[pe] = pe;
    while (left > 0) {
        uint32_t count = 0, kept = 0;
        check(clEnqueueWriteBuffer(queue, active, CL_TRUE, 0, (size_t)4 * left, running, 0, NULL, NULL), "clEnqueueWriteBuffer");
        check(clEnqueueWriteBuffer(queue, nrequests, CL_TRUE, 0, 4, &zero, 0, NULL, NULL), "clEnqueueWriteBuffer");
        SET(run_kernel, MOG_ARG_RUN_TEXT, text);
        SET(run_kernel, MOG_ARG_RUN_CPOOL, cpool);
        SET(run_kernel, MOG_ARG_RUN_CODE_MAP, code_map);
        SET(run_kernel, MOG_ARG_RUN_DATA, data);
        SET(run_kernel, MOG_ARG_RUN_DATA_WORDS, words);
        SET(run_kernel, MOG_ARG_RUN_STATE, state);
        SET(run_kernel, MOG_ARG_RUN_STRIDE, stride);
        SET(run_kernel, MOG_ARG_RUN_REQUESTS, requests);
        SET(run_kernel, MOG_ARG_RUN_NREQUESTS, nrequests);
        SET(run_kernel, MOG_ARG_RUN_ACTIVE, active);
        SET(run_kernel, MOG_ARG_RUN_PASSES, passes);
        SET(run_kernel, MOG_ARG_RUN_FIRST, zero);
        SET(run_kernel, MOG_ARG_RUN_COUNT, left);
        launch(run_kernel, MOG_ARG_RUN_LOCAL, COLLATZ_REGISTERS, left);
        launches++;
        read_buffer(nrequests, &count, 4);
        if (count > 0) read_buffer(requests, stopped, sizeof *stopped * count);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *q = stopped[i];
            if (q[MOG_Q_STOP] != MOG_STOP_SYS) {
                fprintf(stderr, "PE %u was ended by a fault, reason %u\n", (unsigned)q[MOG_Q_PE], (unsigned)q[MOG_Q_STOP]);
                return 1;
            }
            if (q[MOG_Q_NUMBER] == EXIT || q[MOG_Q_NUMBER] == EXIT_GROUP) ended[q[MOG_Q_PE]] = 1;
            else serve(q);
        }
        for (uint32_t i = 0; i < left; i++)
            if (!ended[running[i]]) running[kept++] = running[i];
        left = kept;
    }

    /* The results: the two words of `longest` in every PE, by one launch. */
    uint32_t(*records)[MOG_T_WORDS] = malloc(sizeof *records * pes), (*results)[2] = malloc(sizeof *results * pes);
    if (!records || !results) return 1;
    for (uint32_t pe = 0; pe < pes; pe++) {
        records[pe][MOG_T_PE] = pe;
        records[pe][MOG_T_ADDRESS] = COLLATZ_ADDRESS_longest;
        records[pe][MOG_T_LENGTH] = 8;
        records[pe][MOG_T_STAGING] = 8 * pe;
    }
    transfer(records, pes, 0);
    read_buffer(staging, results, sizeof *results * pes);

    uint32_t best = 0;
    for (uint32_t pe = 1; pe < pes; pe++)
        if (results[pe][1] > results[best][1]) best = pe;
    printf("%u takes longest: %u steps (found by PE %u of %u)\n", (unsigned)results[best][0], (unsigned)results[best][1], (unsigned)best,
           (unsigned)pes);
    fprintf(stderr, "%u launches\n", (unsigned)launches);
    return 0;
}
