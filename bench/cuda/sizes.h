/* sizes.h: what all versions of the kernels compute, and how often. */
#define VECTOR (1 << 20)
#define IMAGE 1024      /* rows and columns of images */
#define MATRIX 256      /* rows and columns of matrices */
#define BODIES 2048
#define BINS 256
#define SORTED 512      /* numbers of a block that it sorts */
#define ROWS 20000      /* of a sparse matrix, with 1 to 31 numbers in each */
#define OPTIONS (1 << 18)
#define FRACTAL 512
#ifndef TRIES
#define TRIES 9         /* of which the median counts */
#endif
