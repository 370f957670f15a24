/* space_shared.h: the space "shared": a window of memory that all PEs of a device see, and the host, word after word
 * (docs/memory.md). Its size is the run's: the first words of the buffer `spaces` are sizes
 * (assembler/image/spaces.hpp).
 *
 * Others write it at any time: what is not read or written as it stands here, once for each access, would be kept in
 * registers by compilers. Parts of words are written as bytes, which leaves their neighbours to others. */
#define SHARED_ACCESS(kind, a, s, action, x, y) ACCESS_IN(SHARED, kind, a, s, action, x, y)
#define SHARED_ACCESS_WORD(kind, a, action, x, y) ACCESS_WORD_IN(SHARED, kind, a, action, x, y)
#define SHARED_WORD(w) spaces[SHARED_AT + (w)]
#define SHARED_BYTE(o) ((volatile DEVICE_BUFFER u8 *)(spaces + SHARED_AT))[o]
#define SHARED_GET8(o) SHARED_BYTE(o)
#define SHARED_GET16(o, e) ((volatile DEVICE_BUFFER u16 *)(spaces + SHARED_AT))[e]
#define SHARED_GET32(w) ((volatile DEVICE_BUFFER u32 *)(spaces + SHARED_AT))[w]
#define SHARED_PUT8(o, v) SHARED_BYTE(o) = (u8)(v);
#define SHARED_PUT16(o, e, v) ((volatile DEVICE_BUFFER u16 *)(spaces + SHARED_AT))[e] = (u16)(v);
#define SHARED_PUT32(w, v) ((volatile DEVICE_BUFFER u32 *)(spaces + SHARED_AT))[w] = (v);
#define SHARED_PUT_PART(w, v, mask) PUT_BYTES(SHARED, w, v, mask)
