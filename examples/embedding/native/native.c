/* native.c: a host whose PEs call its function multiply(a, b, product, n) for square matrices of doubles. A library for matrices, or a
 * GPU's, would do all products of a round in one call, which is why the function gets all of them at once.
 *
 *     ./native [PES [DEVICE]]
 */
#include <errno.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

MOG_DECLARE_LINKED(powers);

enum { MOST = 256 }; /* rows that we take */

struct counts {
    unsigned long rounds, products;
};

/* What a library would offer: `count` products, each of matrices that stand one after the other. */
static void multiply_batch(const double *a, const double *b, double *product, size_t n, size_t count)
{
    for (size_t m = 0; m < count; m++, a += n * n, b += n * n, product += n * n)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) {
                double sum = 0;
                for (size_t j = 0; j < n; j++) sum += a[i * n + j] * b[j * n + k];
                product[i * n + k] = sum;
            }
}

/* The PEs' calls become one batch. All ask for the same size here; whoever does not gets EINVAL. */
static void multiply(void *user, mog_call *calls, size_t count, mog_memory *memory)
{
    struct counts *counts = user;
    const size_t n = calls[0].arguments[3], size = n * n;
    const size_t bytes = size * sizeof(double);
    size_t taken = 0;
    double *a = NULL, *b = NULL, *product = NULL;
    mog_piece *in = NULL, *out = NULL;
    mog_error error;

    if (n > 0 && n <= MOST) {
        a = malloc(count * bytes);
        b = malloc(count * bytes);
        product = malloc(count * bytes);
        in = malloc(2 * count * sizeof *in);
        out = malloc(count * sizeof *out);
    }
    for (size_t i = 0; i < count; i++) {
        if (calls[i].arguments[3] != n || !a || !b || !product || !in || !out) {
            calls[i].error = EINVAL;
            continue;
        }
        in[2 * taken] = (mog_piece){calls[i].pe, calls[i].arguments[0], (uint32_t)bytes, a + taken * size};
        in[2 * taken + 1] = (mog_piece){calls[i].pe, calls[i].arguments[1], (uint32_t)bytes, b + taken * size};
        out[taken] = (mog_piece){calls[i].pe, calls[i].arguments[2], (uint32_t)bytes, product + taken * size};
        taken++;
    }
    if (taken > 0) {
        int failed = mog_memory_read(memory, in, 2 * taken, &error) != MOG_OK;
        if (!failed) {
            multiply_batch(a, b, product, n, taken);
            failed = mog_memory_write(memory, out, taken, &error) != MOG_OK;
        }
        /* A pointer that is none: nobody's matrices were transferred. */
        for (size_t i = 0; failed && i < count; i++)
            if (!calls[i].error) calls[i].error = EFAULT;
    }
    counts->rounds++;
    counts->products += taken;
    free(a);
    free(b);
    free(product);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    const uint32_t pes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 64;
    struct counts counts = {0, 0};
    mog_error error;
    mog_program *program = NULL;
    mog_run *run = NULL;
    int status = 1;

    if (mog_program_from_memory(MOG_LINKED(powers), &program, &error) || mog_run_new(program, &run, &error) ||
        mog_run_set_pes(run, pes, &error) || mog_run_set_device(run, argc > 2 ? argv[2] : "auto", &error) ||
        mog_run_set_output(run, MOG_OUTPUT_STREAMS, &error) || mog_run_register(run, "multiply", multiply, &counts, &error) ||
        mog_run_to_end(run, &status, &error))
        fprintf(stderr, "native: %s\n", error.text);
    else
        printf("%lu products in %lu calls of the host's function\n", counts.products, counts.rounds);
    mog_run_free(run);
    mog_program_free(program);
    return status;
}
