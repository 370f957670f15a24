/* find_frame.c: how the unwinder of libgcc finds what is known of a function's frame: in the table that the linker sorts, .eh_frame_hdr
 * (Linux Standard Base 5.0, 10.6.2). A program is one file, so nothing is registered, and nothing is locked. */
#include <stddef.h>
#include <stdint.h>

/* unwind-dw2-fde.h of libgcc has it. */
struct dwarf_eh_bases {
    void *text, *data, *function;
};

static const uint8_t RELATIVE_TO_TABLE = 0x3b; /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */

/* Of mog.ld; nothing stands there in a program without such frames. */
extern const struct table {
    uint8_t version, frames_encoding, count_encoding, encoding;
    int32_t frames;
    uint32_t count;
    struct {
        int32_t function, entry; /* from the beginning of the table */
    } rows[];
} __mog_eh_frame_hdr;

/* An entry: its length, how far before this its common part is, then the function's first address and its size. */
enum { ENTRY_SIZE_PLACE = 12 };

const void *_Unwind_Find_FDE(void *address, struct dwarf_eh_bases *bases) {
    const struct table *table = &__mog_eh_frame_hdr;
    const char *base = (const char *)table;
    if (table->version != 1 || table->encoding != RELATIVE_TO_TABLE || !table->count || (char *)address < base + table->rows[0].function)
        return NULL;
    uint32_t first = 0, end = table->count;
    while (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        if ((char *)address < base + table->rows[middle].function) end = middle;
        else first = middle;
    }
    const char *entry = base + table->rows[first].entry, *function = base + table->rows[first].function;
    if ((char *)address >= function + *(const uint32_t *)(entry + ENTRY_SIZE_PLACE)) return NULL;
    *bases = (struct dwarf_eh_bases){NULL, NULL, (void *)function};
    return entry;
}
