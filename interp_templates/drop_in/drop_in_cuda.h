/* ---- CUDA: @stem@.cu ---------------------------------------------------------------------------------------------------------
 * Its functions put a kernel into `stream` (a cudaStream_t; NULL: the default one) of the current device and return
 * cudaGetLastError(), 0 if all is well. Pointers are the device's. Kernels launched by other means are called
 * @name@_mog_init, @name@_mog_run and @name@_mog_transfer, with the parameters that launch_abi.h lists. */
typedef struct @name@_memory {
    const uint16_t *text;     /* @NAME@_TEXT */
    const uint32_t *cpool;    /* @NAME@_CPOOL */
    const uint32_t *code_map; /* @NAME@_CODE_MAP */
    const uint32_t *entry_of; /* @entry_of_comment@ */
    uint32_t *data;           /* data_words * stride words */
    uint32_t data_words;      /* of each PE; even */
    uint32_t *state;          /* @NAME@_STATE_ROWS * stride words */
    uint32_t stride;          /* the number of PEs, rounded up to a multiple of 32 */
    uint32_t *requests;       /* MOG_Q_WORDS words for each PE */
    uint32_t *nrequests;      /* one word: 0 before a launch of mog_run, then how many PEs stopped */
} @name@_memory;

/* Gives all PEs their memory and registers: `image` is a copy of @NAME@_DATA (image_words: @NAME@_DATA_WORDS),
 * `startup` what their stack begins with: argc, argv, 0, environment, 0, auxiliary vector, as Linux has it, at the end
 * of DATA. */
int @name@_launch_init(const @name@_memory *memory, const uint32_t *image, uint32_t image_words, const uint32_t *startup,
                uint32_t startup_words, uint32_t pes, void *stream);

/* Runs the `count` PEs that `active` lists for a slice of `passes` passes. */
int @name@_launch_run(const @name@_memory *memory, const uint32_t *active, uint32_t count, uint32_t passes, void *stream);

/* Does `count` transfers of `list`, MOG_T_WORDS words each, between PEs and `staging`: to them if to_pe is not 0. */
int @name@_launch_transfer(const @name@_memory *memory, const uint32_t *list, uint32_t count, void *staging, int to_pe, void *stream);

