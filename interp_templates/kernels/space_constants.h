/* space_constants.h: the space "constants": what no PE may write, once for all PEs of a device, word after word
 * (docs/memory.md). The kernels of a program ask for it where an address is not one of DATA, and only loads do. */
#define ONLY_LOADS_LOAD(loads) loads
#define ONLY_LOADS_STORE(loads)
#define CONSTANTS_ACCESS(kind, a, s, action, x, y) ACCESS_IN(CONSTANTS, kind, a, s, action, x, y)
#define CONSTANTS_ACCESS_WORD(kind, a, action, x, y) ACCESS_WORD_IN(CONSTANTS, kind, a, action, x, y)
#define CONSTANTS_GET8(o) ((const DEVICE_BUFFER u8 *)(spaces + CONSTANTS_AT))[o]
#define CONSTANTS_GET16(o, e) ((const DEVICE_BUFFER u16 *)(spaces + CONSTANTS_AT))[e]
#define CONSTANTS_GET32(w) spaces[CONSTANTS_AT + (w)]
