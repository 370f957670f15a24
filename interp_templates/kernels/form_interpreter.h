/* form_interpreter.h: what the words of isa.def's bodies do in an interpreter, which has the instruction at hand in ir,
 * and the words that name its operands there. */
#define OPND (ir & 0xffu)
#define CONSTANT CONSTANT_AT(cpool, MOG_CPOOL_HASH(pc, ir) >> MOG_CPOOL_SHIFT)
#define PAIR(n) ((u64)REG(n) | ((u64)REG((n) + 1u) << 32))
#define SET_PAIR(n, v) { REG(n) = (u32)(v); REG((n) + 1u) = (u32)((v) >> 32); }

/* A stopped PE carries an instruction word that nobody serves until the pass is over. */
#undef TRAP
#define TRAP(cause, why) { stop = (u32)(cause); info = (u32)(why); ir = MOG_NO_OP; }

/* Where others run in the same launch beside a PE that waits (WAITS_IN_LAUNCH), it need not end its turn for them,
 * until somebody waits for the host, who may be the one that is waited for. The fence has it see what they wrote. */
#ifdef WAITS_IN_LAUNCH
#undef LET_OTHERS_RUN
#define LET_OTHERS_RUN \
    { \
        if (waits != 0u && NOW_AT(nrequests) == 0u) { \
            waits--; \
            REST \
            FENCE \
        } else { \
            TRAP(MOG_STOP_YIELD, 0u) \
        } \
    }
#endif

/* A call that is done by PEs themselves. One that waits is made again. Who waits for messages does so as long as some
 * move; as long as none does, and for words, as often as it may. */
#ifdef HAS_OWN_CALLS
#undef CALL_HOST
#define CALL_HOST(number) \
    { \
        u32 way_ = (number) == 0u ? OWN_CALL : CALL_FOR_HOST; \
        if (way_ == CALL_FOR_HOST) { \
            TRAP(MOG_STOP_SYS, number) \
        } else if (way_ != CALL_DONE) { \
            u32 moved_ = NOW_AT(nrequests + MOG_N_MOVED); \
            if (moved_ != moved) waits = WAITS_IN_LAUNCH; \
            moved = moved_; \
            if (way_ == CALL_AGAIN) { \
                pc--; \
                COUNT_ONE_LESS \
            } \
            LET_OTHERS_RUN \
        } \
    }
#endif

#undef BRANCH
#undef JUMP
#define BRANCH(condition, way) if (condition) { way }
#define JUMP(a, way) { u32 a_ = (a); u32 t_ = MOG_NO_CODE; FIND_CODE(a_, t_) \
    if (t_ == MOG_NO_CODE) TRAP(MOG_STOP_JUMP_RANGE, a_) else pc = t_; }  /* that is the way */
#define GO_TO(index) pc = (index);
