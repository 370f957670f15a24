/* form_linked.h: groups of compiled blocks that a kernel is linked with (form_part.h): other programs have them, too, so
 * they take the buffer of all spaces, whether this program has any or not: LINKED_SPACES. */
#define LINKED_GROUP(name) PART_FUNCTION void mog_group_##name(MogBlocks *s, u32 entry, REGISTERS_PARAMETER, \
    DATA_SPACE u32 *mem, u32 data_bytes, CONSTANT_BUFFER u32 *code_map, DEVICE_BUFFER u32 *spaces);
#define CALL_LINKED(number, name) case number##u: \
    mog_group_##name(s, entry & 0xffffu, REGISTERS_ARGUMENT, mem, data_bytes, code_map, LINKED_SPACES); break;
