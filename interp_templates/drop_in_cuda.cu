#include "@stem@.h"

/* Several programs may be in one application. */
#define mog_init @name@_mog_init
#define mog_run @name@_mog_run
#define mog_transfer @name@_mog_transfer
#define MogBlocks @name@_MogBlocks
//@ DEFINITIONS

//@ INTERPRETER

/* ---- launches ------------------------------------------------------------------------------------- */

/* PEs of a block: as many as have their registers in the 48 KiB of shared memory that every device gives. */
static const unsigned run_block = MOG_NREGS <= 96u ? 128u : MOG_NREGS <= 192u ? 64u : 32u;

static unsigned blocks_of(uint32_t count, unsigned block)
{
    return count / block + (count % block != 0u);
}

extern "C" int @name@_launch_init(const @name@_memory *m, const uint32_t *image, uint32_t image_words, const uint32_t *startup,
                           uint32_t startup_words, uint32_t pes, void *stream)
{
    if (pes == 0u) return 0;
    mog_init<<<blocks_of(pes, 128u), 128u, 0, static_cast<cudaStream_t>(stream)>>>(
        image, image_words, startup, startup_words, m->data, m->data_words, m->state, m->stride, pes, @NAME@_ENTRY, pes);
    return static_cast<int>(cudaGetLastError());
}

extern "C" int @name@_launch_run(const @name@_memory *m, const uint32_t *active, uint32_t count, uint32_t passes, void *stream)
{
    if (count == 0u) return 0;
    mog_run<<<blocks_of(count, run_block), run_block, 4u * MOG_NREGS * run_block, static_cast<cudaStream_t>(stream)>>>(
        m->text, m->cpool, m->code_map, m->data, m->data_words, m->state, m->stride, m->requests, m->nrequests, active, passes, 0u,
        count@entry_of_argument@);
    return static_cast<int>(cudaGetLastError());
}

extern "C" int @name@_launch_transfer(const @name@_memory *m, const uint32_t *list, uint32_t count, void *staging, int to_pe, void *stream)
{
    if (count == 0u) return 0;
    mog_transfer<<<blocks_of(count, 64u), 64u, 0, static_cast<cudaStream_t>(stream)>>>(
        list, static_cast<unsigned char *>(staging), m->data, m->data_words, m->state, m->stride, to_pe ? 1u : 0u, 0u, count);
    return static_cast<int>(cudaGetLastError());
}
