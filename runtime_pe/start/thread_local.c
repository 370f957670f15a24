/* thread_local.c: thread-local variables of position-independent code, which asks for their addresses. A PE runs one program, so they are
 * at a fixed distance from the thread pointer. */

/* An entry of the GOT, which the linker has filled. */
struct thread_local_index {
    unsigned long module, offset;
};

void *__tls_get_addr(const struct thread_local_index *index) {
    enum { POINTER_BIAS = 0x7000, OFFSET_BIAS = 0x8000 }; /* TLS_TP_OFFSET and TLS_DTP_OFFSET of MIPS's ABI */
    char *pointer;
    __asm__("rdhwr %0, $29" : "=v"(pointer));
    return pointer - POINTER_BIAS + OFFSET_BIAS + index->offset;
}
