/* space_private.h: the space "private": DATA, which a PE shares with nobody but other threads of its process.
 *
 * A space is a page of such words; the accesses of vocabulary.h are made of them. Offsets o are in bytes from
 * NAME_BASE, w counts words, e halves; who asks has asked before whether they are good.
 *   NAME_BASE, NAME_BYTES                          its first address, and its size, a multiple of 8
 *   NAME_BYTE(o)                                   a byte as a place, if PUT_BYTES is what NAME_PUT_PART does
 *   NAME_ACCESS, NAME_ACCESS_WORD                  an access that is known to be one to it
 *   NAME_GET8(o), NAME_GET16(o, e), NAME_GET32(w)  values
 *   NAME_WORD(w)                                   a word as a place, for what is done to it in one step
 *   NAME_PUT8(o, v), NAME_PUT16(o, e, v), NAME_PUT32(w, v)     statements
 *   NAME_PUT_PART(w, v, mask)                      the bits of `mask` of a word become those of v; others are left
 *   alone
 *
 * This one wants in scope:
 *   mem          pointer to this PE's first word of DATA, of which PRIVATE_WORD(w) is the word w
 *   data_bytes   size of DATA
 * Lanes of a warp stand in neighbouring words: what they access together is fetched together. With MOG_SECTORS they
 * stand in neighbouring sectors of MOG_SECTOR_WORDS words, which is what a GPU fetches at least: a lane that is alone
 * uses all that it gets. If PEs are threads of MOG_PROCESSES processes, each of their threads wants memory as it is; of
 * a warp of one PE bytes are neighbours too, which a compiler does not find out by itself. WORD_AT: of a byte offset
 * that is known to be a word's. Where other threads may write what is beside it, a part of a word is written alone, and
 * two bytes in one access.
 *
 * Of a window of DATA (form_thread.h), WINDOW_PLACE is the type of its place, WINDOW_AT(o) the place, IN_WINDOW(w)
 * makes its words those of the space: by another `mem`, or, where words are not at equal distances, by the number of
 * its first one, window_word, which is 0 in all of DATA. WINDOW_ON(w, bytes) moves it by a number of words, in bytes.
 */
#ifdef MOG_PROCESSES
#define WORD_STRIDE 1
#else
#define WORD_STRIDE MOG_WARP
#endif
#if WORD_STRIDE == 1
#undef MOG_SECTORS
#endif
/* Mailboxes (mailboxes.h). Threads have none. */
#if defined(MOG_MAIL_WORDS) && !defined(MOG_PROCESSES)
#define WORDS_BEHIND MOG_MAIL_WORDS
#else
#define WORDS_BEHIND 0u
#endif
#ifdef MOG_SECTORS
#define LANE_WORDS MOG_SECTOR_WORDS
#ifdef MOG_COUNT_SECTORS
#define WORDS_BEFORE MOG_L_WORDS
#else
#define WORDS_BEFORE 0u
#endif
#define WHOLE_WORDS(words) \
    (WORDS_BEFORE + (((words) + WORDS_BEHIND + MOG_SECTOR_WORDS - 1u) & ~(MOG_SECTOR_WORDS - 1u)))
/* Of an element of which a sector has `n`. */
#define PLACE(i, n) ((size_t)(i) * WORD_STRIDE - (size_t)(((i) & ((n) - 1u)) * (WORD_STRIDE - 1u)))
enum { window_word = 0 };
#define PRIVATE_WORD(w) mem[PLACE((u32)window_word + (w), MOG_SECTOR_WORDS)]
#define WINDOW_PLACE u32
#define WINDOW_AT(o) (o) >> 2
#define IN_WINDOW(w) const u32 window_word = w;
#define WINDOW_ON(w, bytes) w += (u32)((bytes) / 4);
#else
#define LANE_WORDS 1u
#define WORDS_BEFORE 0u
#define WHOLE_WORDS(words) ((words) + WORDS_BEHIND)
#define PRIVATE_WORD(w) mem[(size_t)(w) * WORD_STRIDE]
#define WINDOW_PLACE DATA_SPACE u32 *
#define WINDOW_AT(o) &WORD_AT(o)
#define IN_WINDOW(w) DATA_SPACE u32 *mem = w;
#define WINDOW_ON(w, bytes) w += (bytes) / 4 * (i64)WORD_STRIDE;
#endif
/* Where PE `pe` keeps the first word of its DATA: warps one after the other, lanes side by side; or, threads, processes
 * one after the other. */
#ifdef MOG_PROCESSES
#define PE_MEMORY(pe) (data + (size_t)((pe) % MOG_PROCESSES) * (size_t)data_words)
#else
#define PE_MEMORY(pe) (data + (size_t)((pe) / MOG_WARP) * ((size_t)WHOLE_WORDS(data_words) * MOG_WARP) + \
    WORDS_BEFORE * MOG_WARP + (pe) % MOG_WARP * LANE_WORDS)
#endif

#define PRIVATE_BASE MOG_DATA_BASE
#define PRIVATE_BYTES data_bytes
#ifdef MOG_COUNT_SECTORS
#define COUNT_WORD(a) mog_count_word(mem, (u32)window_word + (((a) - PRIVATE_BASE) >> 2));
#define PRIVATE_ACCESS(kind, a, s, action, x, y) { COUNT_WORD(a) if ((s) == 3u) COUNT_WORD((a) + 4u) \
    ACCESS_IN(PRIVATE, kind, a, s, action, x, y) }
#define PRIVATE_ACCESS_WORD(kind, a, action, x, y) { COUNT_WORD(a) ACCESS_WORD_IN(PRIVATE, kind, a, action, x, y) }
#else
#define PRIVATE_ACCESS(kind, a, s, action, x, y) ACCESS_IN(PRIVATE, kind, a, s, action, x, y)
#define PRIVATE_ACCESS_WORD(kind, a, action, x, y) ACCESS_WORD_IN(PRIVATE, kind, a, action, x, y)
#endif
#if WORD_STRIDE == 1
#define PRIVATE_BYTE(o) (((DATA_SPACE u8 *)mem)[o])
#define PRIVATE_GET16(o, e) LOAD_HALF(&PRIVATE_BYTE(o))
#define PRIVATE_PUT16(o, e, v) STORE_HALF(&PRIVATE_BYTE(o), v)
#define PRIVATE_PUT_PART(w, v, mask) PUT_BYTES(PRIVATE, w, v, mask)
#define WORD_AT(o) (*(DATA_SPACE u32 *)((DATA_SPACE u8 *)mem + (o)))
#elif defined(MOG_SECTORS)
#define PRIVATE_BYTE(o) (((DATA_SPACE u8 *)mem)[PLACE(4u * (u32)window_word + (o), 4u * MOG_SECTOR_WORDS)])
#define PRIVATE_GET16(o, e) LOAD_HALF(&PRIVATE_BYTE(o))
#define PRIVATE_PUT16(o, e, v) STORE_HALF(&PRIVATE_BYTE(o), v)
#define PRIVATE_PUT_PART(w, v, mask) PRIVATE_WORD(w) = (v) | (PRIVATE_WORD(w) & ~(mask));
#else
#define PRIVATE_BYTE(o) (((DATA_SPACE u8 *)mem)[(size_t)((o) >> 2) * (4u * WORD_STRIDE) + ((o) & 3u)])
#define PRIVATE_GET16(o, e) ((PRIVATE_WORD((e) >> 1) >> (16u * ((e) & 1u))) & 0xffffu)
#define PRIVATE_PUT16(o, e, v) PRIVATE_BYTE(o) = (u8)(v); PRIVATE_BYTE((o) + 1u) = (u8)((v) >> 8);
#define PRIVATE_PUT_PART(w, v, mask) PRIVATE_WORD(w) = (v) | (PRIVATE_WORD(w) & ~(mask));
#define WORD_AT(o) PRIVATE_WORD((o) >> 2)
#endif
#define PRIVATE_GET8(o) PRIVATE_BYTE(o)
#define PRIVATE_GET32(w) PRIVATE_WORD(w)
#define PRIVATE_PUT8(o, v) PRIVATE_BYTE(o) = (u8)(v);
#define PRIVATE_PUT32(w, v) PRIVATE_WORD(w) = (v);
