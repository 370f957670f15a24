/* own_calls.h: calls that PEs do by themselves within a launch, without the host: those of MPI (mailboxes.h), and what
 * threads ask of futex().
 *
 * What such a function gives. A call that waits is made again, as long as its turn lasts. */
#define CALL_FOR_HOST 0u  /* the host does it                                            */
#define CALL_DONE 1u      /* it is done: $v0 and $a3 have the result                     */
#define CALL_TURN 2u      /* the same, and others may do something meanwhile             */
#define CALL_AGAIN 3u     /* it waits for others                                         */

/* Threads are in a launch together. Who waits for a word to change need not sleep, so that nobody has to wake it, as
 * long as it may wait in the launch: it looks again, and says that the word is another one, as Linux does to who comes
 * too late. Who wakes calls the host only if somebody sleeps there. */
#if defined(MOG_PROCESSES) && defined(WAITS_IN_LAUNCH) && !defined(MOG_FUEL)
#define HAS_OWN_CALLS
SEPARATE_FUNCTION u32 mog_futex(REGISTERS_PARAMETER, DATA_SPACE u32 *mem, u32 data_bytes,
                                DEVICE_BUFFER u32 *nrequests, u32 waits)
{
    u32 o = REG(MOG_REG_A0) - MOG_DATA_BASE, operation = REG(MOG_REG_A1) & FUTEX_OPERATIONS;
    if ((o & 3u) != 0u || o >= data_bytes) return CALL_FOR_HOST;
    if (operation == FUTEX_WAKE && nrequests[MOG_N_AWAKE] != 0u) {
        REG(MOG_REG_V0) = REG(MOG_REG_A3) = 0u;
        return CALL_DONE;
    }
    if (operation != FUTEX_WAIT || REG(MOG_REG_A3) != 0u) return CALL_FOR_HOST;
    if (NOW_AT(&PRIVATE_WORD(o >> 2)) == REG(MOG_REG_A2)) return waits != 0u ? CALL_AGAIN : CALL_FOR_HOST;
    FENCE
    REG(MOG_REG_V0) = FUTEX_HAS_CHANGED;
    REG(MOG_REG_A3) = 1u;
    return CALL_DONE;
}
#define OWN_CALL \
    (REG(MOG_REG_V0) == FUTEX_CALL ? mog_futex(REGISTERS_ARGUMENT, mem, data_bytes, nrequests, waits) : CALL_FOR_HOST)

#elif defined(MOG_MAIL_WORDS)
#define HAS_OWN_CALLS
#define OWN_CALL \
    (REG(MOG_REG_V0) == MAIL_CALL && MOG_MAIL_WORDS != 0u && nrequests[MOG_N_MAIL] != MOG_MAIL_RESTS ? \
        mog_mail(REGISTERS_ARGUMENT, mem, data, data_words, pe, read_only_bytes, nrequests, waits) : CALL_FOR_HOST)
#endif
