/* refusing_linker.c: libmogcuda as a driver that refuses to link. Everything else is looked up behind it. */
int cuLinkComplete(void *state, void **code, unsigned long *bytes);
int cuLinkComplete(void *state, void **code, unsigned long *bytes) {
    (void)state, (void)code, (void)bytes;
    return 218; /* CUDA_ERROR_INVALID_PTX */
}
