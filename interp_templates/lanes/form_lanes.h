/* form_lanes.h: compiled blocks of MOG_LANES PEs at once, one in each lane of vectors: the words of isa.def's bodies,
 * and those between instructions. Lanes that stand at the same place go on together; lanes.c has the surroundings. */
/* Where the text of an interpreter stands before this one, its words and a thread's are there. */
#undef REG
#undef LOW
#undef HIGH
#undef TWO
#undef SET_LOW
#undef SET_HIGH
#undef ENTER
#undef LEAVE
#undef LEAVE_ANYWHERE
#define LOW(p) V(words_of<0>((p).v))
#define HIGH(p) V(words_of<1>((p).v))
#define TWO(low, high) VL(from_words((low).v, (high).v))
#define ROW(n) (rows + (size_t)(n) * stride)
#define GET(n) V(load<::u32, 16>(ROW(n)))
#define REG(n) GET(MOG_S_REGS + (n))
#define GROUP_STATE \
    V acc_kept = GET(MOG_S_ACC), acc = acc_kept; VL dacc_kept = TWO(GET(MOG_S_DLO), GET(MOG_S_DHI)), dacc = dacc_kept; \
    Bits m = turn.m; int passes = s->passes, before = passes; enum { nans_ = 0 }; \
    ::u32 here = 0, there = 0; Bits taken = 0; \
    (void)mem; (void)data_bytes; (void)code_map; (void)acc; (void)dacc; \
    MAYBE_UNUSED const ::u32 read_only_bytes = MOG_READ_ONLY_BYTES; \
    SPACES_MAYBE_UNUSED
#define KEEP_ACCUMULATORS acc = keep(acc_kept, acc, m); if (uses_d) dacc = keep(dacc_kept, dacc, m);
#define COUNT_EXECUTED \
    s->executed += (unsigned long)(before - passes) * (unsigned)__builtin_popcount(m); before = passes;
#define GROUP_DONE COUNT_EXECUTED s->passes = passes; KEEP_ACCUMULATORS store(ROW(MOG_S_ACC), acc.v); \
    if (uses_d) { store(ROW(MOG_S_DLO), LOW(dacc).v); store(ROW(MOG_S_DHI), HIGH(dacc).v); }
/* Lanes stand somewhere: all of m `here`, or those of `taken` rather `there`. What follows is here once, for it is
 * long: whose turn it is. If others': the rows of the state get what these have computed, and what is there for those
 * comes from them. AVX-512 rather has registers right for all lanes all the time, where that costs nothing. */
#define SELECT goto selected; \
    parted: __attribute__((unused)); stand(s, m, V(here)); stand(s, taken, V(there)); goto select; \
    stopped: __attribute__((unused)); stand(s, m, V(here)); goto cold; \
    paused: __attribute__((unused)); stand(s, m, V(here)); goto leave; \
    stood: __attribute__((unused)); stand(s, m, V(here)); \
    select: __attribute__((unused)); COUNT_EXECUTED turn = choose(s); if (turn.m != m) { KEEP_ACCUMULATORS
#undef SET
#ifdef LANES_AVX512
#define PARTED(n, r)
#define PARTED_PAIR(n, p)
#define SET(to, v) keep(to, v, m);
#define SET_REG(n, value) store(ROW(MOG_S_REGS + (n)), V(value).v);
#else
#define PARTED(n, r) SET_REG(n, r) r = REG(n);
#define PARTED_PAIR(n, p) SET_REG(n, LOW(p)) SET_REG((n) + 1u, HIGH(p)) p = TWO(REG(n), REG((n) + 1u));
#define SET(to, v) to = v;
#define SET_REG(n, value) store_lanes(ROW(MOG_S_REGS + (n)), V(value).v, m);
#endif
/* And is it here? */
#define SELECTED(number) m = turn.m; } selected: if (entry_of[turn.pc] >> 16 != number) goto leave; \
    switch (entry_of[turn.pc] & 0xffffu)

#define SET_LOW(p, v) SET(p, ((p) & VL(0xffffffff00000000ul)) | (u64)(v))
#define SET_HIGH(p, v) SET(p, ((p) & VL(0xfffffffful)) | ((u64)(v) << 32))
/* As in form_thread.h. */
#define DEFAULT_NANF(x) SET(x, mog_default_nanf(x))
#define DEFAULT_NAND(x) SET(x, mog_default_nand(x))
#define STOPS(at, left) enum { at_ = at, left_ = left };
#define STOPS_WITH_NANS(at, left, nans) enum { at_ = at, left_ = left, nans_ = nans };

#define ENTER(at, n) if (__builtin_expect((at) >= turn.wait, 0)) { here = at; goto stood; } \
    if (__builtin_expect(passes <= 0, 0)) { here = at; goto paused; } \
    passes -= (int)(n);
/* Ways: of all lanes; and of those that take a branch, while the others go on with `next`. */
#define GO(to) goto b##to;
#define LEAVE(to) { here = to##u; goto stood; }
#define GO_OR_DIVERGE(to, next) if (taken == m) goto b##to; DIVERGE(to, next)
#define LEAVE_OR_DIVERGE(to, next) if (taken == m) LEAVE(to) DIVERGE(to, next)
#define LEAVE_ANYWHERE goto select;
#define DIVERGE(to, next) if (taken != 0) { here = next##u; there = to##u; goto parted; }
#undef BRANCH
#define BRANCH(condition, way) { taken = bits(condition) & m; way }

/* ---- copies of loops, for when all lanes go through them together (assembler/blocks/guarded_regions.hpp) ----
 *
 * GUARD, at a head, tries the copy if all lanes are there. Where something that has to be the same in all of them was
 * not, or lanes parted in the copy, it does not try again for some rounds: 1, 2, 4 ... In the copy, m is constant, and
 * variables that are the same in all lanes are numbers, one5 for r5. What it executes is counted in `spent`:
 * instructions, and from bit 32 on those of them that are scalars. Each place to stop or pause at has a number, by
 * which the code at `guarded`, behind all copies, knows which of the numbers are to be written to lanes' variables.
 */
#define REGIONS(heads) int patience[heads] = {}, wait[heads] = {}, visits[heads] = {}, failures[heads] = {}; \
    int entered = 0; ::u32 one_acc = 0; unsigned long spent = 0; long skipped = 0; int state = 0; Bits some = 0; \
    V acc_before = acc; \
    (void)patience; (void)wait; (void)visits; (void)failures; (void)entered; (void)one_acc; (void)spent; \
    (void)skipped; (void)state; (void)some; (void)acc_before;
#define GUARD(head) if (m == 0xffffu && --patience[head] < 0) goto try##head; lanes##head:
#define GUARDED { enum : unsigned { m = 0xffffu, away_ = 0u };
#define GUARDED_TRAPPED skipped -= (long)(unsigned)left_ * (long)away_; state = set_; goto guarded;
/* Control comes to a loop from outside: what was not the same last time may be so now, for which it is asked at once,
 * unless that has failed three times in a row: then each 2nd, 3rd, 5th ... time, 257th at most. */
#define VISIT(head) if (m == 0xffffu && --visits[head] < 0) { \
    patience[head] = 0; visits[head] = 1 << failures[head] >> 3; \
    if (failures[head] < 11) failures[head]++; }
/* `level` 2: some of the lanes have blocks of their own in it. */
#define TRY(head, level) if (s->divergence < level) { TRY_LATER(head) goto lanes##head; } \
    s->asked++; { V differ_ = V(0u);
#define ASK(u, r) u = first_lane(r.v); differ_ |= r ^ V(u);
#define TRIED(head, to) if (bits(differ_ != V(0u)) != 0) { TRY_LATER(head) goto lanes##head; } } \
    entered = head; patience[head] = visits[head] = failures[head] = 0; s->held++; goto to;
/* What each lane has loaded has to be the same: else they leave the copy, to load it again for each. */
#define CONFIRM(u, r, label) { const ::u32 all_ = first_lane(r.v); \
    if (__builtin_expect(bits(r != V(all_)) != 0, 0)) { TRY_LATER(entered) goto label; } u = all_; }
#define TRY_LATER(head) patience[head] = 1 << wait[head]; if (wait[head] < 12) wait[head]++;
#define STAYED wait[entered] = 0;
#define PAUSE(at, number) if (__builtin_expect((int)spent >= passes, 0)) { here = at; state = number; goto guarded; }
#define SPENT(n, scalars) spent += (unsigned long)(n) | (unsigned long)(scalars) << 32;
#define GUARDED_DONE \
    passes -= (int)(unsigned)spent; s->guarded += (unsigned)spent; s->scalars += spent >> 32; spent = 0; \
    s->executed -= (unsigned long)skipped; skipped = 0;
#define STOPS_GUARDED(at, left, nans, number) enum { at_ = at, left_ = left, nans_ = nans, set_ = number };
#define GO_IF_ALL(label) if (taken != 0) goto label;    /* whose condition is a number: all lanes, or none */
/* A branch that need not come out the same, one way of which leaves the loop: lanes that go there lead all out of the
 * copy. */
#define GO_IF_ANY(label) if (taken != 0) goto label;
#define GO_UNLESS_ALL(label) if (taken != m) goto label;
#define PARTED_AT(next, to) if (taken != 0 && taken != m) { TRY_LATER(entered) } \
    here = next##u; there = to##u; goto parted;
/* An instruction with numbers: in its body, the words for lanes' variables and their types mean these. */
#define BY_ONE ::u32 &acc = one_acc; typedef ::u32 u32 __attribute__((unused)); \
    typedef ::i32 i32 __attribute__((unused)); (void)acc;
#define SET_SCALAR(to, v) to = v;
#ifdef MOG_CHECK_SCALARS
#define SCALAR(one, each, r, u) { each } { BY_ONE one } check_scalar(r, u, __LINE__);
#else
#define SCALAR(one, each, r, u) { BY_ONE one }
#endif
/* A block that the lanes of `some` execute, while the others are behind it. */
#define SOME(label) some = (Bits)(0xffffu & ~taken); if (some == 0) goto label;
#define FOR_SOME(n) { const Bits m = some; const unsigned away_ = 16u - (unsigned)__builtin_popcount(m); \
    acc_before = acc; spent += (n); skipped += (long)((n) * away_);
#define SET_SOME(to, v) keep(to, v, m);
#define SOME_DONE acc = keep(acc_before, acc, m); }
#define SOME_STOPPED(join) acc = keep(acc_before, acc, some); GUARDED_DONE stand(s, (Bits)(0xffffu & ~some), V(join)); \
    stand(s, some, V(here)); goto cold;

/* What would stop a lane is done by the interpreter, for all of them. */
#undef TRAP
#undef TRAP_IF
#define TRAP(cause, why) { passes += left_; s->nans = nans_; here = at_; TRAPPED }
#define TRAPPED goto stopped;
#define TRAP_IF(condition, cause, why) if (__builtin_expect((bits(condition) & m) != 0, 0)) TRAP(cause, why)
#define STOP_IF(lanes) if (__builtin_expect((lanes) != 0, 0)) TRAP(0, 0)
#undef JUMP
#define JUMP(a, way) { const V a_ = (a); unsigned one_; V t_; \
    if (same(a_, m, one_)) { \
        STOP_IF((one_ & 3u) != 0u || (one_ - MOG_CODE_BASE) >> 2 >= MOG_CODE_WORDS) \
        t_ = V(code_map[(one_ - MOG_CODE_BASE) >> 2]); \
    } else { \
        const V w_ = (a_ - V(MOG_CODE_BASE)) >> V(2u); \
        STOP_IF(m & (bits((a_ & V(3u)) != V(0u)) | bits(w_ >= V(MOG_CODE_WORDS)))) \
        t_ = gather(code_map, w_.v, m); \
    } \
    STOP_IF(m & bits(t_ == V(MOG_NO_CODE))) \
    stand(s, m, t_); way }
#undef STACK_MEETS_HEAP
#define HEAP_ENDS V(load<::u32, 16>(mem + MOG_CB_BRK * MOG_LANES))
#define STACK_MEETS_HEAP(a, old) \
    (((a) < HEAP_ENDS && (old) >= HEAP_ENDS) || (a) - V(PRIVATE_BASE) > V(PRIVATE_BYTES))

/* ---- memory: accesses as in vocabulary.h, at the PLACE ---- */
#ifdef MOG_UNCHECKED
#define STOP_IF_BAD(space, s)
#define STOP_IF_BAD_WORD(space)
#define STOP_IF_READ_ONLY(space, more)
#else
#define STOP_IF_BAD(space, s) STOP_IF((bad<s>(PLACE, space##_BYTES, m)))
#define STOP_IF_BAD_WORD(space) STOP_IF(bad_word(PLACE, space##_BYTES, m))
#define STOP_IF_READ_ONLY(space, more) if (read_only_bytes != 0u) STOP_IF( \
    within(PLACE, MOG_READ_ONLY_BASE - (more) - space##_BASE, read_only_bytes + (more), m))
#endif
#define IF_LOAD(action)
#define IF_STORE(action) action
#define AT_PLACE(space, a, action) { const auto each_ = (a) - space##_BASE; unsigned one_; \
    if (__builtin_expect(same(each_, m, one_), 1)) { const ::u32 place_ = one_; action } \
    else { const auto place_ = each_; action } }
#undef ACCESS_IN
#undef ACCESS_WORD_IN
#undef IN_SPACE
#define ACCESS_IN(space, kind, a, s, action, x, y) { const auto each_ = (a) - space##_BASE; unsigned one_; \
    if (__builtin_expect(same(each_, m, one_), 1)) { const ::u32 place_ = one_; \
        TRY_ACCESS(space, kind, s, action, x, y) } \
    else { MAYBE_UNUSED const auto place_ = each_; action##_APART(space, kind, s, x, y) } }
#define TRY_ACCESS(space, kind, s, action, x, y) STOP_IF_BAD(space, s) \
    IF_##kind(STOP_IF_READ_ONLY(space, 0u)) action(space, x, y)
#define ACCESS_WORD_IN(space, kind, a, action, x, y) AT_PLACE(space, a, STOP_IF_BAD_WORD(space) \
    IF_##kind(STOP_IF_READ_ONLY(space, 3u)) action(space, x, y))
/* Lanes in several spaces at once are rare, and bad in the last one: the interpreter takes them one by one. */
#define IN_SPACE(space, a) if (are_in(a, space##_BASE, space##_BYTES, m))

#undef DO_LOAD8
#undef DO_LOADS8
#undef DO_LOAD16
#undef DO_LOADS16
#undef DO_LOAD32
#undef DO_LOAD64
#undef DO_STORE8
#undef DO_STORE16
#undef DO_STORE32
#undef DO_STORE64
#define DO_LOAD8(space, dst, y)   dst = load_part(space##_LANES, PLACE, 0xffu, m);
#define DO_LOADS8(space, dst, y)  dst = SEXT8(load_part(space##_LANES, PLACE, 0xffu, m));
#define DO_LOAD16(space, dst, y)  dst = load_part(space##_LANES, PLACE, 0xffffu, m);
#define DO_LOADS16(space, dst, y) dst = SEXT16(load_part(space##_LANES, PLACE, 0xffffu, m));
#define DO_LOAD32(space, dst, y)  dst = load_word(space##_LANES, PLACE, m);
#define DO_LOAD64(space, dst, y) \
    dst = TWO(load_word(space##_LANES, PLACE, m), load_word(space##_LANES, FURTHER(4u), m));
#define DO_STORE8(space, v, y)    store_part(space##_LANES, PLACE, v, 0xffu, m);
#define DO_STORE16(space, v, y)   store_part(space##_LANES, PLACE, v, 0xffffu, m);
#define DO_STORE32(space, v, y)   store_word(space##_LANES, PLACE, v, m);
#define DO_STORE64(space, v, y) u64 v_ = (v); \
    store_word(space##_LANES, PLACE, LOW(v_), m); store_word(space##_LANES, FURTHER(4u), HIGH(v_), m);
/* The same of lanes that are not together: functions of lanes.h. */
#define LOAD_APART(space, s, dst, extended) { const V places_(each_); V x_; \
    STOP_IF((load_at<s>(space##_LANES, &places_, space##_BYTES, m, &x_))) const V got_ = x_; dst = extended(got_); }
#define STORE_APART(function, space, ...) { const V places_(each_), x_[] = {__VA_ARGS__}; \
    STOP_IF((function(space##_LANES, &places_, space##_BYTES, MOG_READ_ONLY_BASE - space##_BASE, read_only_bytes, \
        x_, m))) }
#define AS_IT_IS(v) v
#define DO_LOAD8_APART(space, kind, s, dst, y)   LOAD_APART(space, 0u, dst, AS_IT_IS)
#define DO_LOADS8_APART(space, kind, s, dst, y)  LOAD_APART(space, 0u, dst, SEXT8)
#define DO_LOAD16_APART(space, kind, s, dst, y)  LOAD_APART(space, 1u, dst, AS_IT_IS)
#define DO_LOADS16_APART(space, kind, s, dst, y) LOAD_APART(space, 1u, dst, SEXT16)
#define DO_LOAD32_APART(space, kind, s, dst, y)  LOAD_APART(space, 2u, dst, AS_IT_IS)
#define DO_LOAD64_APART(space, kind, s, dst, y) { const V places_(each_); V x_[2]; \
    STOP_IF((load_pair_at(space##_LANES, &places_, space##_BYTES, m, x_))) const V low_ = x_[0], high_ = x_[1]; \
    dst = TWO(low_, high_); }
#define DO_STORE8_APART(space, kind, s, v, y)    STORE_APART(store_at<0u>, space, V(v))
#define DO_STORE16_APART(space, kind, s, v, y)   STORE_APART(store_at<1u>, space, V(v))
#define DO_STORE32_APART(space, kind, s, v, y)   STORE_APART(store_at<2u>, space, V(v))
#define DO_STORE64_APART(space, kind, s, v, y)   { u64 v_ = (v); STORE_APART(store_pair_at, space, LOW(v_), HIGH(v_)) }
/* Steps and unaligned ones are rare anyway. */
#define DO_LOADL_APART(space, kind, s, x, y)    TRY_ACCESS(space, kind, s, DO_LOADL, x, y)
#define DO_LOADR_APART(space, kind, s, x, y)    TRY_ACCESS(space, kind, s, DO_LOADR, x, y)
#define DO_STOREL_APART(space, kind, s, x, y)   TRY_ACCESS(space, kind, s, DO_STOREL, x, y)
#define DO_STORER_APART(space, kind, s, x, y)   TRY_ACCESS(space, kind, s, DO_STORER, x, y)
#define DO_CAS32_APART(space, kind, s, x, y)    TRY_ACCESS(space, kind, s, DO_CAS32, x, y)
#define DO_AMO_ADD_APART(space, kind, s, x, y)  TRY_ACCESS(space, kind, s, DO_AMO_ADD, x, y)
#define DO_AMO_AND_APART(space, kind, s, x, y)  TRY_ACCESS(space, kind, s, DO_AMO_AND, x, y)
#define DO_AMO_OR_APART(space, kind, s, x, y)   TRY_ACCESS(space, kind, s, DO_AMO_OR, x, y)
#define DO_AMO_XOR_APART(space, kind, s, x, y)  TRY_ACCESS(space, kind, s, DO_AMO_XOR, x, y)
#define DO_AMO_SWAP_APART(space, kind, s, x, y) TRY_ACCESS(space, kind, s, DO_AMO_SWAP, x, y)

#undef DO_CAS32
#undef DO_AMO_ADD
#undef DO_AMO_AND
#undef DO_AMO_OR
#undef DO_AMO_XOR
#undef DO_AMO_SWAP
#undef FENCE
#undef ACQUIRE
#ifdef SHARED_LANES
#define DO_CAS32(space, dst, pair) const u64 v_ = (pair); \
    dst = compare_and_swap(space##_LANES, PLACE, LOW(v_), HIGH(v_), m);
#define DO_AMO_ADD(space, dst, v)  dst = fetch_add(space##_LANES, PLACE, v, m);
#define DO_AMO_AND(space, dst, v)  dst = fetch_and(space##_LANES, PLACE, v, m);
#define DO_AMO_OR(space, dst, v)   dst = fetch_or(space##_LANES, PLACE, v, m);
#define DO_AMO_XOR(space, dst, v)  dst = fetch_xor(space##_LANES, PLACE, v, m);
#define DO_AMO_SWAP(space, dst, v) dst = exchange(space##_LANES, PLACE, v, m);
#define FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST);
#define ACQUIRE __atomic_thread_fence(__ATOMIC_ACQUIRE);
#else
/* Lanes have memory of their own each, so that a step of one is a step for all. */
#define DO_CAS32(space, dst, pair) const u64 v_ = (pair); \
    const V was_ = load_word(space##_LANES, PLACE, m); const Bits done_ = bits(was_ == LOW(v_)) & m; \
    if (done_) { store_word(space##_LANES, PLACE, HIGH(v_), done_); } dst = was_;
#define REPLACE_WORD(space, dst, v, becomes) const V v_ = (v), was_ = load_word(space##_LANES, PLACE, m); \
    store_word(space##_LANES, PLACE, becomes, m); dst = was_;
#define DO_AMO_ADD(space, dst, v)  REPLACE_WORD(space, dst, v, was_ + v_)
#define DO_AMO_AND(space, dst, v)  REPLACE_WORD(space, dst, v, was_ & v_)
#define DO_AMO_OR(space, dst, v)   REPLACE_WORD(space, dst, v, was_ | v_)
#define DO_AMO_XOR(space, dst, v)  REPLACE_WORD(space, dst, v, was_ ^ v_)
#define DO_AMO_SWAP(space, dst, v) REPLACE_WORD(space, dst, v, v_)
#define FENCE
#define ACQUIRE
#endif

/* The unaligned ones. Lanes whose word is aligned need nothing of the second one. */
#undef DO_LOADL
#undef DO_LOADR
#undef DO_STOREL
#undef DO_STORER
#undef DO_LOADU
#undef DO_STOREU
#define BELOW(s) ((V(1u) << (s)) - V(1u))
#define DO_LOADL(space, dst, old) V s_ = V(24u) - shift_in_word(PLACE); V old_ = (old); \
    dst = (load_word(space##_LANES, PLACE, m) << s_) | (old_ & BELOW(s_));
#define DO_LOADR(space, dst, old) V s_ = shift_in_word(PLACE); V old_ = (old); \
    dst = (load_word(space##_LANES, PLACE, m) >> s_) | (old_ & ~(V(0xffffffffu) >> s_));
#define DO_STOREL(space, v, y) V s_ = V(24u) - shift_in_word(PLACE); \
    store_masked(space##_LANES, PLACE, (v) >> s_, V(0xffffffffu) >> s_, m);
#define DO_STORER(space, v, y) V s_ = shift_in_word(PLACE); \
    store_masked(space##_LANES, PLACE, (v) << s_, ~BELOW(s_), m);
#define DO_LOADU(space, dst, y) V s_ = shift_in_word(PLACE); const Bits two_ = m & bits(s_ != V(0u)); \
    V w_ = load_word(space##_LANES, PLACE, m) >> s_; \
    if (two_) { w_ |= load_word(space##_LANES, FURTHER(4u), two_) << V(1u) << (V(31u) - s_); } dst = w_;
#define DO_STOREU(space, v, y) V v_ = (v); V s_ = shift_in_word(PLACE); const Bits two_ = m & bits(s_ != V(0u)); \
    store_masked(space##_LANES, PLACE, v_ << s_, ~BELOW(s_), m); \
    if (two_) store_masked(space##_LANES, FURTHER(4u), v_ >> V(1u) >> (V(31u) - s_), BELOW(s_), two_);
