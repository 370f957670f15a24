/* host.c: launches a program's OpenCL interpreter, PROGRAM.cl, on PEs as PROGRAM.image describes them, until all have ended, and collects
 * their results: what mogrun and libmog do, for a host that has its own OpenCL. Of system calls it serves exit() alone.
 *
 *     ./host PROGRAM PES
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <mog/launch_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

enum { WARP = 32, GROUP = 64, PASSES = 2000000, DATA_WORDS = 16384, EXIT = 4001, EXIT_GROUP = 4246 };

static cl_context context;
static cl_command_queue queue;
static cl_kernel init_kernel, run_kernel, transfer_kernel;

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "%s failed: OpenCL's code %d\n", what, code);
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

/* The last argument of every kernel is local memory: so many words for each PE of a work-group. */
static void launch(cl_kernel kernel, cl_uint arguments, size_t local_words, uint32_t pes)
{
    const size_t group = GROUP, all = (pes + GROUP - 1) / GROUP * GROUP;
    check(clSetKernelArg(kernel, arguments, 4 * local_words * GROUP, NULL), "clSetKernelArg");
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
    unsigned char *source = read_file(path, &size);
    if (!source) exit(1);
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

int main(int argc, char **argv)
{
    char path[4096];
    struct image image;
    const uint32_t pes = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0, zero = 0, words = DATA_WORDS, passes = PASSES;
    if (pes == 0 || strlen(argv[1]) > sizeof path - 10) {
        fprintf(stderr, "usage: host PROGRAM PES\n");
        return 2;
    }
    sprintf(path, "%s.image", argv[1]);
    if (!read_image(path, &image)) return 1;
    sprintf(path, "%s.cl", argv[1]);
    build(path);

    /* What a PE finds above its stack: argc, argv, the end of the environment and of the auxiliary vector, and argv[0]. */
    const uint32_t limit = MOG_DATA_BASE + 4 * DATA_WORDS, startup_words = 8;
    uint32_t startup[8] = {1, limit - 8, 0, 0, 0, 0};
    memcpy(&startup[6], "program", 8);

    const uint32_t stride = (pes + WARP - 1) / WARP * WARP, rows = MOG_S_REGS + image.registers, data_words = (uint32_t)(image.data.size / 4);
    cl_mem text = new_buffer(image.text.size, image.text.bytes), cpool = new_buffer(image.cpool.size, image.cpool.bytes),
           code_map = new_buffer(image.codemap.size, image.codemap.bytes), initial = new_buffer(image.data.size, image.data.bytes),
           start = new_buffer(sizeof startup, startup), data = new_buffer((size_t)4 * DATA_WORDS * stride, NULL),
           state = new_buffer((size_t)4 * rows * stride, NULL), requests = new_buffer((size_t)4 * MOG_Q_WORDS * pes, NULL),
           nrequests = new_buffer(4, &zero), active = new_buffer((size_t)4 * pes, NULL), list = new_buffer((size_t)16 * pes, NULL),
           staging = new_buffer((size_t)8 * pes, NULL);
    check(clEnqueueFillBuffer(queue, data, &zero, 4, 0, (size_t)4 * DATA_WORDS * stride, 0, NULL, NULL), "clEnqueueFillBuffer");

    SET(init_kernel, 0, initial);
    SET(init_kernel, 1, data_words);
    SET(init_kernel, 2, start);
    SET(init_kernel, 3, startup_words);
    SET(init_kernel, 4, data);
    SET(init_kernel, 5, words);
    SET(init_kernel, 6, state);
    SET(init_kernel, 7, stride);
    SET(init_kernel, 8, pes);
    SET(init_kernel, 9, image.entry);
    SET(init_kernel, 10, pes);
    launch(init_kernel, 11, 1, pes);

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
        SET(run_kernel, 0, text);
        SET(run_kernel, 1, cpool);
        SET(run_kernel, 2, code_map);
        SET(run_kernel, 3, data);
        SET(run_kernel, 4, words);
        SET(run_kernel, 5, state);
        SET(run_kernel, 6, stride);
        SET(run_kernel, 7, requests);
        SET(run_kernel, 8, nrequests);
        SET(run_kernel, 9, active);
        SET(run_kernel, 10, passes);
        SET(run_kernel, 11, zero);
        SET(run_kernel, 12, left);
        launch(run_kernel, 13, image.registers, left);
        launches++;
        read_buffer(nrequests, &count, 4);
        if (count > 0) read_buffer(requests, stopped, sizeof *stopped * count);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *q = stopped[i];
            if (q[MOG_Q_STOP] != MOG_STOP_SYS || (q[MOG_Q_NUMBER] != EXIT && q[MOG_Q_NUMBER] != EXIT_GROUP)) {
                fprintf(stderr, "PE %u stopped for reason %u, system call %u, which this host does not serve\n", (unsigned)q[MOG_Q_PE],
                        (unsigned)q[MOG_Q_STOP], (unsigned)q[MOG_Q_NUMBER]);
                return 1;
            }
            ended[q[MOG_Q_PE]] = 1;
        }
        for (uint32_t i = 0; i < left; i++)
            if (!ended[running[i]]) running[kept++] = running[i];
        left = kept;
    }

    /* The results: the two words of `longest` in every PE, by one launch. */
    const uint32_t address = find_symbol(&image, "longest"), from_pe = 0;
    uint32_t(*records)[MOG_T_WORDS] = malloc(sizeof *records * pes), (*results)[2] = malloc(sizeof *results * pes);
    if (!address || !records || !results) return 1;
    for (uint32_t pe = 0; pe < pes; pe++) {
        records[pe][MOG_T_PE] = pe;
        records[pe][MOG_T_ADDRESS] = address;
        records[pe][MOG_T_LENGTH] = 8;
        records[pe][MOG_T_STAGING] = 8 * pe;
    }
    check(clEnqueueWriteBuffer(queue, list, CL_TRUE, 0, sizeof *records * pes, records, 0, NULL, NULL), "clEnqueueWriteBuffer");
    SET(transfer_kernel, 0, list);
    SET(transfer_kernel, 1, staging);
    SET(transfer_kernel, 2, data);
    SET(transfer_kernel, 3, words);
    SET(transfer_kernel, 4, state);
    SET(transfer_kernel, 5, stride);
    SET(transfer_kernel, 6, from_pe);
    SET(transfer_kernel, 7, zero);
    SET(transfer_kernel, 8, pes);
    launch(transfer_kernel, 9, 1, pes);
    read_buffer(staging, results, sizeof *results * pes);

    uint32_t best = 0;
    for (uint32_t pe = 1; pe < pes; pe++)
        if (results[pe][1] > results[best][1]) best = pe;
    printf("%u takes longest: %u steps (found by PE %u of %u)\n", (unsigned)results[best][0], (unsigned)results[best][1], (unsigned)best,
           (unsigned)pes);
    fprintf(stderr, "%u launches\n", (unsigned)launches);
    return 0;
}
