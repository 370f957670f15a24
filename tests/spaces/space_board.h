/* space_board.h: the test's space "board": words that all PEs see, one after the other. Parts of words are written
 * alone, for another PE may write their neighbours at the same time. */
#define BOARD_ACCESS(kind, a, s, action, x, y) ACCESS_IN(BOARD, kind, a, s, action, x, y)
#define BOARD_ACCESS_WORD(kind, a, action, x, y) ACCESS_WORD_IN(BOARD, kind, a, action, x, y)
#define BOARD_WORD(w) spaces[BOARD_AT + (w)]
#define BOARD_BYTE(o) ((DEVICE_BUFFER u8 *)(spaces + BOARD_AT))[o]
#define BOARD_GET8(o) BOARD_BYTE(o)
#define BOARD_GET16(o, e) LOAD_HALF(&BOARD_BYTE(o))
#define BOARD_GET32(w) BOARD_WORD(w)
#define BOARD_PUT8(o, v) BOARD_BYTE(o) = (u8)(v);
#define BOARD_PUT16(o, e, v) STORE_HALF(&BOARD_BYTE(o), v)
#define BOARD_PUT32(w, v) BOARD_WORD(w) = (v);
#define BOARD_PUT_PART(w, v, mask) PUT_BYTES(BOARD, w, v, mask)
