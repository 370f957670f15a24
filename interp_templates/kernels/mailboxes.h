/* mailboxes.h: messages of MPI from PE to PE within a launch, without the host.
 *
 * Behind its DATA each PE has a mailbox (MOG_M_... of launch_abi.h): a ring of messages, which any PE leaves there and
 * this one takes, and its own receives that wait. A sender takes the ring's next place by a compare-and-swap, and says
 * in the place's first word when all of the message is there. The rest is the owner's alone. Messages and receives meet
 * as MPI wants it, in the order of both: what has come is held against the receives that wait before anything else is
 * done; so no receive waits for a message that is in the ring and was looked at.
 *
 * A long message stays in its PE's memory, and only where it is goes to the mailbox: who receives it fetches it there.
 *
 * What does not fit here, or is no plain send or receive in the world of all PEs, is for the host, which takes a
 * mailbox over first when the call concerns it. As long as it has receives or messages of a PE, it keeps that one's
 * mailbox closed, so that no message overtakes another. */

#define MAIL(k) PRIVATE_WORD(data_words + (k))
#define MAIL_NOW(k) NOW_AT(&MAIL(k))
#define MAIL_SET(k, v) *(volatile DATA_SPACE u32 *)&MAIL(k) = (v);
#define PLACE_OF_MAIL(t, k) (MOG_M_PLACES + (t) % MOG_M_MOST_PLACES * MOG_M_PLACE_WORDS + (k))
#define POSTED(i, k) (MOG_M_RECEIVES + (i) * MOG_M_RECEIVE_WORDS + (k))
/* How often a PE looks whether its long message was taken, after messages have moved. */
#define MAIL_LONG_TRIES 64u
/* What a place's first word is when message t is there. */
#define IS_THERE(t) ((t) | 0x80000000u)

/* Up to four bytes of DATA at an offset. */
FUNCTION u32 mog_mail_bytes(DATA_SPACE u32 *mem, u32 o, u32 bytes)
{
    u32 word = 0u, k;
    if ((o & 3u) == 0u && bytes >= 4u) return PRIVATE_GET32(o >> 2);
    for (k = 0u; k < bytes && k < 4u; k++) word |= (u32)PRIVATE_GET8(o + k) << (8u * k);
    return word;
}

FUNCTION void mog_mail_put(DATA_SPACE u32 *mem, u32 o, u32 bytes, u32 word)
{
    u32 k;
    if ((o & 3u) == 0u && bytes >= 4u) { PRIVATE_PUT32(o >> 2, word) }
    else
        for (k = 0u; k < bytes && k < 4u; k++) { PRIVATE_PUT8(o + k, word >> (8u * k)) }
}

/* Whether DATA has these bytes, and if a message comes there, whether they may be written. */
FUNCTION bool mog_mail_has(u32 address, u32 bytes, u32 data_bytes, u32 read_only_bytes)
{
    u32 o = address - MOG_DATA_BASE;
    if (bytes == 0u) return true;
    if (o >= data_bytes || data_bytes - o < bytes) return false;
    return read_only_bytes == 0u || address + bytes <= MOG_READ_ONLY_BASE ||
           address >= MOG_READ_ONLY_BASE + read_only_bytes;
}

FUNCTION bool mog_mail_fits(DATA_SPACE u32 *mem, u32 data_words, u32 t, u32 context, u32 source, u32 tag)
{
    return MAIL(PLACE_OF_MAIL(t, MOG_M_CONTEXT)) == context &&
           (source == MAIL_ANY_SOURCE || MAIL(PLACE_OF_MAIL(t, MOG_M_FROM)) == source) &&
           (tag == MAIL_ANY_TAG || MAIL(PLACE_OF_MAIL(t, MOG_M_TAG)) == tag);
}

FUNCTION void mog_mail_tell(DATA_SPACE u32 *mem, u32 data_words, u32 t, u32 result, u32 error, u32 bytes)
{
    u32 w = (result - MOG_DATA_BASE) >> 2;
    if (result == 0u) return;
    PRIVATE_PUT32(w + 1u, MAIL(PLACE_OF_MAIL(t, MOG_M_FROM)))
    PRIVATE_PUT32(w + 2u, MAIL(PLACE_OF_MAIL(t, MOG_M_TAG)))
    PRIVATE_PUT32(w + 3u, bytes)
    PRIVATE_PUT32(w, MAIL_RESULT_DONE | error << 8)
}

/* Bytes of another PE's memory; it learns that they were taken. */
FUNCTION void mog_mail_fetch(DATA_SPACE u32 *mem, u32 data_words, u32 t, DATA_SPACE u32 *source, u32 o, u32 bytes)
{
    u32 from = MAIL(PLACE_OF_MAIL(t, MOG_M_OUT_ADDRESS)) - MOG_DATA_BASE, k;
    u32 result = MAIL(PLACE_OF_MAIL(t, MOG_M_OUT_RESULT)), place = MAIL(PLACE_OF_MAIL(t, MOG_M_OUT_PLACE));
    for (k = 0u; k < bytes; k += 4u) mog_mail_put(mem, o + k, bytes - k, mog_mail_bytes(source, from + k, bytes - k));
    mem = source;
    FENCE
    if (result != 0u) {
        PRIVATE_PUT32((result - MOG_DATA_BASE) >> 2, MAIL_RESULT_DONE)
        FENCE
        MAIL_SET(MOG_M_SENDS + 2u * place, 0u)
    } else {
        MAIL_SET(MOG_M_BLOCKED, 2u)
    }
}

/* Takes message t: its bytes to `address`, at most `room`, its envelope to `result`. Gives the class of an error. */
FUNCTION u32 mog_mail_take(DATA_SPACE u32 *mem, DEVICE_BUFFER u32 *data, u32 data_words,
                           DEVICE_BUFFER u32 *nrequests, u32 t, u32 address, u32 room, u32 result)
{
    u32 bytes = MAIL(PLACE_OF_MAIL(t, MOG_M_BYTES)), o = address - MOG_DATA_BASE, error = 0u, k, head;
    if (bytes > room) {
        bytes = room;
        error = MAIL_TRUNCATED;
    }
    if ((MAIL(PLACE_OF_MAIL(t, MOG_M_TYPE)) & MOG_M_LONG) != 0u)
        mog_mail_fetch(mem, data_words, t, PE_MEMORY(MAIL(PLACE_OF_MAIL(t, MOG_M_FROM))), o, bytes);
    else
        for (k = 0u; k < bytes; k += 4u)
            mog_mail_put(mem, o + k, bytes - k, MAIL(PLACE_OF_MAIL(t, MOG_M_PAYLOAD + (k >> 2))));
    mog_mail_tell(mem, data_words, t, result, error, bytes);
    MAIL(PLACE_OF_MAIL(t, MOG_M_THERE)) = 0u;
    head = MAIL(MOG_M_HEAD);
    while (head != MAIL(MOG_M_SEEN) && MAIL(PLACE_OF_MAIL(head, MOG_M_THERE)) == 0u) head++;
    FENCE
    MAIL_SET(MOG_M_HEAD, head)
    ATOMIC_INC(nrequests + MOG_N_MOVED);
    return error;
}

/* Holds what has come against the receives that wait. */
FUNCTION void mog_mail_look(DATA_SPACE u32 *mem, DEVICE_BUFFER u32 *data, u32 data_words,
                            DEVICE_BUFFER u32 *nrequests)
{
    for (;;) {
        u32 t = MAIL(MOG_M_SEEN), posted = MAIL(MOG_M_POSTED), i, k;
        if (MAIL_NOW(PLACE_OF_MAIL(t, MOG_M_THERE)) != IS_THERE(t)) return;
        FENCE
        MAIL(MOG_M_SEEN) = t + 1u;
        for (i = 0u; i < posted; i++)
            if (mog_mail_fits(mem, data_words, t, MAIL(POSTED(i, MOG_M_CONTEXT)), MAIL(POSTED(i, MOG_M_FROM)),
                              MAIL(POSTED(i, MOG_M_TAG)))) {
                mog_mail_take(mem, data, data_words, nrequests, t, MAIL(POSTED(i, MOG_M_ADDRESS)),
                              MAIL(POSTED(i, MOG_M_BYTES)), MAIL(POSTED(i, MOG_M_RESULT)));
                for (k = POSTED(i, 0u); k < POSTED(posted - 1u, 0u); k++) MAIL(k) = MAIL(k + MOG_M_RECEIVE_WORDS);
                MAIL(MOG_M_POSTED) = posted - 1u;
                break;
            }
    }
}

/* The first message that was looked at, was not taken, and fits; or MOG_M_SEEN. */
FUNCTION u32 mog_mail_find(DATA_SPACE u32 *mem, u32 data_words, u32 context, u32 source, u32 tag)
{
    u32 t, seen = MAIL(MOG_M_SEEN);
    for (t = MAIL(MOG_M_HEAD); t != seen; t++)
        if (MAIL(PLACE_OF_MAIL(t, MOG_M_THERE)) != 0u && mog_mail_fits(mem, data_words, t, context, source, tag)) break;
    return t;
}

/* The number of what waits from now on. */
FUNCTION u32 mog_mail_number(DATA_SPACE u32 *mem, u32 data_words)
{
    u32 number = (MAIL(MOG_M_NUMBER) + 1u) % MOG_M_NUMBERS;
    MAIL(MOG_M_NUMBER) = number;
    return number | MOG_M_NUMBERS;
}

/* The first of MOG_M_SENDS that is free, or MOG_M_MOST_SENDS; and it becomes used. */
FUNCTION u32 mog_mail_free_send(DATA_SPACE u32 *mem, u32 data_words)
{
    u32 i = 0u;
    while (i < MOG_M_MOST_SENDS && MAIL_NOW(MOG_M_SENDS + 2u * i) != 0u) i++;
    return i;
}
FUNCTION u32 mog_mail_use_send(DATA_SPACE u32 *mem, u32 data_words, u32 i, u32 to)
{
    u32 number = mog_mail_number(mem, data_words);
    MAIL(MOG_M_SENDS + 2u * i) = number;
    MAIL(MOG_M_SENDS + 2u * i + 1u) = to;
    return number;
}
FUNCTION void mog_mail_block(DATA_SPACE u32 *mem, u32 data_words) { MAIL(MOG_M_BLOCKED) = 1u; }

/* To the mailbox at `mem` the bytes at offset `o` of `own`, or where they are. */
FUNCTION u32 mog_mail_leave(DATA_SPACE u32 *mem, u32 data_words, DATA_SPACE u32 *own, DEVICE_BUFFER u32 *nrequests,
                            const u32 *w, bool blocks, u32 *number)
{
    u32 t = MAIL_NOW(MOG_M_TAIL), bytes = w[6], send = 0u, k;
    bool is_long = bytes > 4u * MOG_M_PAYLOAD_WORDS;
    if (MAIL_NOW(MOG_M_CLOSED) != 0u) return CALL_FOR_HOST;
    if (is_long && !blocks && (send = mog_mail_free_send(own, data_words)) == MOG_M_MOST_SENDS) return CALL_FOR_HOST;
    if (t - MAIL_NOW(MOG_M_HEAD) >= MOG_M_MOST_PLACES) return CALL_AGAIN;
    if (COMPARE_AND_SWAP(&MAIL(MOG_M_TAIL), t, t + 1u) != t) return CALL_AGAIN;
    MAIL(PLACE_OF_MAIL(t, MOG_M_CONTEXT)) = w[1];
    MAIL(PLACE_OF_MAIL(t, MOG_M_FROM)) = w[2];
    MAIL(PLACE_OF_MAIL(t, MOG_M_TAG)) = w[4];
    MAIL(PLACE_OF_MAIL(t, MOG_M_BYTES)) = bytes;
    MAIL(PLACE_OF_MAIL(t, MOG_M_TYPE)) = (w[0] >> 16 & 0xffu) | (is_long ? MOG_M_LONG : 0u);
    if (is_long) {
        if (blocks) mog_mail_block(own, data_words);
        else *number = mog_mail_use_send(own, data_words, send, w[3]);
        MAIL(PLACE_OF_MAIL(t, MOG_M_OUT_ADDRESS)) = w[5];
        MAIL(PLACE_OF_MAIL(t, MOG_M_OUT_RESULT)) = blocks ? 0u : w[7];
        MAIL(PLACE_OF_MAIL(t, MOG_M_OUT_NUMBER)) = *number;
        MAIL(PLACE_OF_MAIL(t, MOG_M_OUT_PLACE)) = send;
    } else {
        for (k = 0u; k < bytes; k += 4u)
            MAIL(PLACE_OF_MAIL(t, MOG_M_PAYLOAD + (k >> 2))) =
                mog_mail_bytes(own, w[5] - MOG_DATA_BASE + k, bytes - k);
    }
    FENCE
    MAIL_SET(PLACE_OF_MAIL(t, MOG_M_THERE), IS_THERE(t))
    ATOMIC_INC(nrequests + MOG_N_MOVED);
    return is_long && blocks ? CALL_AGAIN : CALL_DONE;
}

/* A receive that does not wait in its call; gives its number. */
FUNCTION u32 mog_mail_post(DATA_SPACE u32 *mem, u32 data_words, DEVICE_BUFFER u32 *nrequests, const u32 *w)
{
    u32 i = MAIL(MOG_M_POSTED), number = mog_mail_number(mem, data_words);
    MAIL(MOG_M_POSTED) = i + 1u;
    MAIL(POSTED(i, MOG_M_THERE)) = number;
    MAIL(POSTED(i, MOG_M_CONTEXT)) = w[1];
    MAIL(POSTED(i, MOG_M_FROM)) = w[3];
    MAIL(POSTED(i, MOG_M_TAG)) = w[4];
    MAIL(POSTED(i, MOG_M_BYTES)) = w[6];
    MAIL(POSTED(i, MOG_M_TYPE)) = w[0] >> 16 & 0xffu;
    MAIL(POSTED(i, MOG_M_ADDRESS)) = w[5];
    MAIL(POSTED(i, MOG_M_RESULT)) = w[7];
    ATOMIC_INC(nrequests + MOG_N_MOVED);
    return number;
}

/* How many of a list still wait; all on it are of this mailbox, or are done. Else MOG_M_NUMBERS: the host knows some of
 * them. */
FUNCTION u32 mog_mail_pending(DATA_SPACE u32 *mem, u32 data_words, u32 data_bytes, u32 list, u32 count)
{
    u32 pending = 0u, posted = MAIL(MOG_M_POSTED), i, k;
    if (count != 1u && ((list & 3u) != 0u || count > MOG_M_LONGEST_LIST ||
                        !mog_mail_has(list, 4u * count, data_bytes, 0u)))
        return MOG_M_NUMBERS;
    for (k = 0u; k < count; k++) {
        u32 number = count == 1u ? list : PRIVATE_GET32(((list - MOG_DATA_BASE) >> 2) + k);
        if (number != 0u && number < MOG_M_NUMBERS) return MOG_M_NUMBERS;
        for (i = 0u; i < posted; i++) pending += MAIL(POSTED(i, MOG_M_THERE)) == number ? 1u : 0u;
        for (i = 0u; i < MOG_M_MOST_SENDS && number != 0u; i++)
            pending += MAIL_NOW(MOG_M_SENDS + 2u * i) == number ? 1u : 0u;
    }
    FENCE
    return pending;
}

/* The call of MPI that the PE makes (own_calls.h). */
SEPARATE_FUNCTION u32 mog_mail(REGISTERS_PARAMETER, DATA_SPACE u32 *mem, DEVICE_BUFFER u32 *data, u32 data_words,
                               u32 pe, u32 read_only_bytes, DEVICE_BUFFER u32 *nrequests, u32 tries)
{
    u32 w[8], data_bytes = 4u * data_words, o = REG(MOG_REG_SP) - MOG_DATA_BASE;
    u32 operation, flags, way = CALL_DONE, value = 0u, t, k, pending;
    bool waits = nrequests[MOG_N_MAIL] == MOG_MAIL_WAITS;
    if ((o & 3u) != 0u || o >= data_bytes || data_bytes - o < 32u) return CALL_FOR_HOST;
    w[0] = REG(MOG_REG_A0);
    w[1] = REG(MOG_REG_A1);
    w[2] = REG(MOG_REG_A2);
    w[3] = REG(MOG_REG_A3);
    for (k = 4u; k < 8u; k++) w[k] = PRIVATE_GET32((o >> 2) + k);
    operation = w[0] & 0xffu;
    flags = w[0] >> 8 & 0xffu;

    if (operation == MAIL_SEND && MAIL(MOG_M_BLOCKED) != 0u) {
        /* The call is made again. Not for long: the host might keep the message. */
        if (MAIL_NOW(MOG_M_BLOCKED) == 2u) {
            FENCE
            MAIL(MOG_M_BLOCKED) = 0u;
        } else {
            way = tries + MAIL_LONG_TRIES < WAITS_IN_LAUNCH ? CALL_FOR_HOST : CALL_AGAIN;
        }
    } else if (operation == MAIL_SEND) {
        bool blocks = (flags & MAIL_NONBLOCKING) == 0u, is_long = w[6] > 4u * MOG_M_PAYLOAD_WORDS;
        if ((flags & ~MAIL_NONBLOCKING) != 0u || (w[1] & ~MAIL_INTERNAL) != MAIL_WORLD || w[2] != pe ||
            w[3] >= PRIVATE_WORD(MOG_CB_NPROC) || (i32)w[4] < 0 || w[6] > MOG_M_LONGEST ||
            (is_long && blocks && !waits) ||
            (is_long && !blocks && ((w[7] & 3u) != 0u || !mog_mail_has(w[7], 16u, data_bytes, read_only_bytes))) ||
            !mog_mail_has(w[5], w[6], data_bytes, 0u))
            return CALL_FOR_HOST;
        way = mog_mail_leave(PE_MEMORY(w[3]), data_words, mem, nrequests, w, blocks, &value);
    } else {
        if (MAIL_NOW(MOG_M_CLOSED) != 0u) return CALL_FOR_HOST;
        if (operation == MAIL_RECEIVE || operation == MAIL_PROBE) {
            if ((flags & ~MAIL_NONBLOCKING) != 0u || (w[1] & ~MAIL_INTERNAL) != MAIL_WORLD || w[2] != pe ||
                (w[3] >= PRIVATE_WORD(MOG_CB_NPROC) && w[3] != MAIL_ANY_SOURCE) ||
                ((i32)w[4] < 0 && w[4] != MAIL_ANY_TAG) || (w[7] & 3u) != 0u ||
                (w[7] != 0u && !mog_mail_has(w[7], 16u, data_bytes, read_only_bytes)) ||
                (operation == MAIL_RECEIVE && !mog_mail_has(w[5], w[6], data_bytes, read_only_bytes)))
                return CALL_FOR_HOST;
            mog_mail_look(mem, data, data_words, nrequests);
            t = mog_mail_find(mem, data_words, w[1], w[3], w[4]);
            if (t != MAIL(MOG_M_SEEN)) {
                if (operation == MAIL_RECEIVE) {
                    value = 0u - mog_mail_take(mem, data, data_words, nrequests, t, w[5], w[6], w[7]);
                    if ((flags & MAIL_NONBLOCKING) != 0u) value = 0u; /* its result says what was wrong */
                } else {
                    mog_mail_tell(mem, data_words, t, w[7], 0u, MAIL(PLACE_OF_MAIL(t, MOG_M_BYTES)));
                    value = 1u;
                }
            } else if ((flags & MAIL_NONBLOCKING) == 0u) {
                way = CALL_AGAIN;
            } else if (operation == MAIL_PROBE) {
                way = CALL_TURN;
            } else if (MAIL(MOG_M_POSTED) < MOG_M_MOST_RECEIVES) {
                value = mog_mail_post(mem, data_words, nrequests, w);
            } else {
                return CALL_FOR_HOST;
            }
        } else if (operation == MAIL_WAIT) {
            mog_mail_look(mem, data, data_words, nrequests);
            pending = mog_mail_pending(mem, data_words, data_bytes, w[1], w[2]);
            if (pending == MOG_M_NUMBERS) return CALL_FOR_HOST;
            value = w[2] - pending;
            if (w[3] > value) way = CALL_AGAIN;
        } else if (operation == MAIL_YIELD) {
            mog_mail_look(mem, data, data_words, nrequests);
            way = CALL_TURN;
        } else {
            return CALL_FOR_HOST;
        }
    }
    if (way == CALL_FOR_HOST || (way >= CALL_TURN && !waits)) return CALL_FOR_HOST;
    if (way != CALL_AGAIN) {
        REG(MOG_REG_V0) = value;
        REG(MOG_REG_A3) = 0u;
    }
    return way;
}
