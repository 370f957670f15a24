/* raw_calls.c: a program that makes system calls, or calls of the MPI engine, as no library makes them.
 *
 *     raw_calls KIND SEED CALLS [tame]
 *
 * KIND is syscalls or mpi. Each PE draws CALLS calls from SEED and its own number, and what they are given: descriptors, lengths, ranks and
 * contexts that exist, so that sequences get far, and some that do not; addresses in the PE's memory, at its edges and outside; what earlier
 * calls gave is used again. Of MPI many calls are made by all PEs together, with arguments that fit each other or nearly so. With `tame`, which
 * is for runs without --root, paths name nothing that matters to the host.
 *
 * The calls and what their arguments mean are those of the tables that the host serves them by.
 *
 * A PE ends with a status from 64 to 95, or by what a call does to it: the memory that calls fill is its own, the control block included.
 */
#include <mog.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/linux.h"
#include "abi/mpi_call.h"

/* ---- the tables ---- */

struct row {
    unsigned number;
    const char *name, *arguments, *trace;
};
static const struct row calls[] = {
#define MOG_SYSCALL(name, arguments, trace, handler, urgency, remark) {LINUX_##name, #name, arguments, trace},
#include "runtime_host/linux/syscalls.def"
};
static const unsigned open_flags[] = {
#define MOG_OPEN_FLAG(name, value) value,
#include "abi/constants.def"
};
struct operation {
    const char *name;
    unsigned number;
    const char *words[7];
};
static const struct operation operations[] = {
#define ROW(name, number, function, a, b, c, d, e, f, g) {#name, number, {a, b, c, d, e, f, g}},
    MOG_MPI_OPERATIONS(ROW)
#undef ROW
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- random numbers: some are this PE's own, some the same in all PEs ---- */

static unsigned own, common;
static unsigned next(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}
static unsigned any(unsigned below) { return (next(&own) >> 4) % below; }
static unsigned together(unsigned below) { return (next(&common) >> 4) % below; }
#define PICK(array) ((array)[any(COUNT(array))])

/* ---- memory ---- */

enum { ARENA = 64 << 10 };
static unsigned char *arena; /* at the end of the heap: what is written beyond it hurts nobody */
static unsigned last_address, data_end;
static unsigned care = 1; /* the more of it, the fewer arguments of MPI calls are wrong */

static unsigned aligned(unsigned bytes) { return (unsigned)arena + any((ARENA - bytes) / 4 + 1) * 4; }

static unsigned address(void)
{
    switch (any(64)) {
    case 0: return 0;
    case 1: return data_end - any(17);
    case 2: return 0x10000000u - 1 - any(16);
    case 3: return any(4) ? data_end : 0x10000000u + any(32);
    case 4: return data_end - any(8) * 1024;
    case 5: return 0xffffffffu - any(16);
    case 6: return 0x7fffffffu + any(3);
    case 7: return next(&own);
    case 8: return 0x00400000u + any(64);
    case 9: case 10: case 11: case 12: return last_address + any(8);
    case 13: case 14: case 15: case 16: return (unsigned)arena + any(ARENA);
    default: return aligned(0);
    }
}

static unsigned size(void)
{
    switch (any(32)) {
    case 0: return 0;
    case 1: return 0xffffffffu - any(8);
    case 2: return 0x7fffffffu + any(3);
    case 3: return 1u << any(32);
    case 4: return (1u << any(32)) - 1;
    case 5: return data_end - 0x10000000u + any(3) - 1;
    case 6: return 0u - last_address + any(3);
    case 7: return ARENA;
    case 8: return 4096 * (1 + any(8));
    case 9: case 10: case 11: return any(5000);
    default: return any(100);
    }
}

static unsigned number(void)
{
    switch (any(8)) {
    case 0: return size();
    case 1: return address();
    case 2: return 0u - any(4);
    case 3: return any(1024);
    default: return any(8);
    }
}

/* ---- calls ---- */

static unsigned raw(unsigned number, unsigned w[8], unsigned *failed)
{
    /* What a run ends with has to show whether mogrun is well. */
    if (number == LINUX_exit || number == LINUX_exit_group)
        w[0] = 64 + w[0] % 32 + (any(2) ? next(&own) << 8 : 0);
    if (number == LINUX_mog_mpi && (w[0] & 0xff) == MOG_MPI_abort)
        w[3] = 64 + w[3] % 32 + (any(2) ? next(&own) << 8 : 0);
    register unsigned v0 __asm__("$2") = number;
    register const unsigned *more __asm__("$8") = w + 4;
    register unsigned r4 __asm__("$4") = w[0], r5 __asm__("$5") = w[1], r6 __asm__("$6") = w[2], r7 __asm__("$7") = w[3];
    __asm__ volatile("addiu $sp, $sp, -32\n\t"
                     "lw $9, 0($8)\n\tlw $10, 4($8)\n\tlw $11, 8($8)\n\tlw $12, 12($8)\n\t"
                     "sw $9, 16($sp)\n\tsw $10, 20($sp)\n\tsw $11, 24($sp)\n\tsw $12, 28($sp)\n\t"
                     "syscall\n\taddiu $sp, $sp, 32"
                     : "+r"(v0), "+r"(r7), "+r"(more)
                     : "r"(r4), "r"(r5), "r"(r6)
                     : "$1", "$3", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo", "memory");
    *failed = r7;
    return v0;
}

static unsigned descriptor(void)
{
    switch (any(32)) {
    case 0: return 0u - any(3);
    case 1: return (unsigned)LINUX_AT_FDCWD;
    case 2: return number();
    case 3: return any(1026);
    case 4: return any(3);
    case 5: case 6: case 7: case 8: return 3 + any(40);
    default: return 3 + any(8);
    }
}

static int is_tame;
static unsigned path(void)
{
    static const char *const parts[] = {"a", "b", "c", "d", "a", "b", "f", "f", "e", "..", ".", "", "link", "out", "abs", "loop", "self"};
    static const char *const wild[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/stdin", "/proc/self/mem", "/proc/self/fd/0",
                                       "/proc/self/root", "/dev/fd/1", "/dev/tty", "zero", "fifo"};
    switch (any(40)) {
    case 0: return address();
    case 1: return (unsigned)"";
    case 2: return data_end - any(4);
    case 3: { /* too long, or nearly */
        char *p = (char *)arena;
        const unsigned length = LINUX_PATH_MAX - 6 + any(8);
        for (unsigned i = 0; i < length; i++)
            p[i] = i % 2 ? '/' : '.';
        p[length] = 0;
        return (unsigned)p;
    }
    case 4: { /* as deep as one pleases */
        char *p = (char *)arena;
        for (unsigned i = any(1300); i--; p += 3)
            memcpy(p, any(9) ? "../" : "d//", 3);
        *p = 0;
        return (unsigned)arena;
    }
    case 5: case 6: return (unsigned)(is_tame ? any(2) ? "/proc/self/mem" : "/dev/null" : PICK(wild));
    default: {
        char *p = (char *)aligned(200);
        unsigned at = 0;
        if (any(6) == 0)
            p[at++] = '/';
        for (unsigned i = any(3) + 1; i--;) {
            const char *part = PICK(parts);
            memcpy(p + at, part, strlen(part));
            at += (unsigned)strlen(part);
            if (i || any(16) == 0)
                p[at++] = '/';
        }
        p[at] = 0;
        return (unsigned)p;
    }
    }
}

static unsigned *words(unsigned count) { return (unsigned *)aligned(4 * count); }

/* The trace letters say what a number means. */
static unsigned flags_of(char meaning)
{
    static const unsigned commands[] = {
        5, /* one that there is not */
#define MOG_FCNTL(name, value) value,
#define MOG_FCNTL_LOCK(name, value) value,
#include "abi/constants.def"
    };
    static const unsigned requests[] = {
#define MOG_IOCTL(name, value) value,
#include "abi/constants.def"
    };
    static const unsigned at_flags[] = {
        0,
#define MOG_AT_FLAG(name, value) value,
#include "abi/constants.def"
    };
    unsigned flags = any(3);
    if (any(16) == 0)
        return number();
    switch (meaning) {
    case 'O': case 'o':
        for (unsigned i = any(4); i--;)
            flags |= PICK(open_flags);
        return any(2) ? flags | LINUX_O_CREAT : flags;
    case 'C': return PICK(commands);
    case 'I': return PICK(requests);
    case 'A': return PICK(at_flags);
    case 'k': return (any(2) ? LINUX_S_IFIFO : any(2) ? LINUX_S_IFREG : any(16) << 12) | any(01000);
    case 'm': case 'M': return any(4) ? 0700u | any(01000) : any(010000);
    case 'w': return any(5);
    case 'n': return any(4) ? 0 : any(130);
    case 'K': return any(2) ? 4 | 1u << any(2) : any(16);
    default: return any(2) ? any(16) : number();
    }
}

/* A vector's length; who asks for much gets what is there. */
static unsigned entries(void) { return any(32) ? any(9) : any(2) ? 1023 + any(3) : size(); }

static unsigned argument(const struct row *row, unsigned k, const unsigned w[8])
{
    const unsigned before = k ? w[k - 1] : 0;
    unsigned *p;
    switch (row->arguments[k]) {
    case 'f': return descriptor();
    case 's': return path();
    case 'i': case 'j':
        p = words(2 * 1024);
        for (unsigned i = 0; i < 16; i++)
            p[2 * i] = address(), p[2 * i + 1] = size();
        return any(16) ? (unsigned)p : address();
    case 'q':
        p = words(2 * 64);
        for (unsigned i = 0; i < 64; i++)
            p[2 * i] = descriptor(), p[2 * i + 1] = any(4) ? any(64) : next(&own);
        return any(16) ? (unsigned)p : address();
    case 't': case 'T':
        p = words(4);
        for (unsigned i = 0; i < 2; i++)
            p[2 * i] = any(64) ? 0 : number(), p[2 * i + 1] = any(16) ? any(100000) : any(2) ? LINUX_UTIME_OMIT + any(2) : number();
        return any(16) ? (unsigned)p : address();
    case 'a': case 'l':
        p = words(8);
        p[0] = any(3) | any(4) << 16;
        for (unsigned i = 1; i < 8; i++)
            p[i] = any(2) ? any(64) : number();
        return any(8) ? (unsigned)p : address();
    case 'k': return any(2) ? data_end - 4096 - any(8192) : address();
    case 'p': case 'r': case 'w': return address();
    case 'x': return flags_of(row->trace[k]);
    default:
        if (before && k && strchr("ijq", row->arguments[k - 1]))
            return entries();
        if (k && strchr("rw", row->arguments[k - 1]))
            return size();
        if (row->arguments[k] == 'u' && strchr("mMkKCOAwn", row->trace[k]))
            return flags_of(row->trace[k]);
        /* Who waits for ever makes a short sequence. */
        return strcmp(row->name, "poll") == 0 && any(64) ? any(2) : number();
    }
}

static void make_syscall(void)
{
    const struct row *row = &PICK(calls);
    unsigned w[8], failed;
    for (unsigned k = 0; k < 8; k++)
        w[k] = any(4) ? 0 : number();
    for (unsigned k = 0; row->arguments[k]; k++)
        w[k] = argument(row, k, w);
    /* Few sequences end early. */
    if (strncmp(row->name, "exit", 4) == 0) {
        if (any(200))
            return;
    }
    if ((strcmp(row->name, "kill") == 0 || strcmp(row->name, "tgkill") == 0) && any(50))
        w[0] = number();
    /* Pipes that somebody may wait at for ever are rare, and so are locks. */
    if (strcmp(row->name, "pipe2") == 0 && any(20))
        w[1] = 0x80;
    if (strncmp(row->name, "fcntl", 5) == 0 && (w[1] == 7 || w[1] == 35) && any(20))
        w[1] = 6;
    if (strcmp(row->name, "flock") == 0 && any(20))
        w[1] |= 4;
    if (strcmp(row->name, "read") == 0 && w[0] == 0 && any(4))
        w[0] = 3;
    for (unsigned k = 0; row->arguments[k]; k++)
        if (strchr("prwijq", row->arguments[k]))
            last_address = w[k];
    raw(any(300) ? row->number : LINUX_syscall + any(600), w, &failed);
}

/* ---- MPI ---- */

struct comm {
    unsigned context, rank, size, remote;
};
static struct comm comms[16];
static unsigned comm_count, numbers[32], locked, locked_context, opened;
static unsigned waits_rarely; /* one call in so many may wait for what never comes */

/* A member's word that all members give alike. `draw` is any, or together: then all PEs draw the same. */
typedef unsigned draw_function(unsigned below);

static unsigned rank_of(const struct comm *c, draw_function *draw)
{
    const unsigned peers = c->remote ? c->remote : c->size;
    switch (draw(48)) {
    case 0: return (unsigned)MPI_ANY_SOURCE;
    case 1: return (unsigned)MPI_PROC_NULL;
    case 2: return (unsigned)MPI_ROOT;
    case 3: return peers + draw(2);
    case 4: return 0x7fffffffu + draw(3);
    case 5: return 1u << draw(32);
    default: return peers ? draw(peers) : 0;
    }
}

static unsigned length_of(draw_function *draw)
{
    switch (draw(40)) {
    case 0: return 0xffffffffu - draw(8);
    case 1: return 1u << draw(32);
    case 2: return 0x7fffffffu + draw(3);
    case 3: return data_end - 0x10000000u;
    case 4: return 4096 + draw(2);
    case 5: case 6: return draw(20000);
    case 7: return 0x40000000u / (1 + draw(64));
    default: return draw(40) * 4;
    }
}

static unsigned room(void) { return any(24 * care) ? aligned(4096) : address(); }

static unsigned result_block(void)
{
    return any(4) == 0 ? 0 : any(24 * care) ? aligned(16) : address();
}

/* Sizes of blocks and where they begin, one for each rank; many are the same, some overlap. */
static unsigned more_block(const struct comm *c)
{
    struct mog_mpi_more *m = (struct mog_mpi_more *)words(sizeof *m / 4);
    const unsigned members = c->size + c->remote < 1024 ? c->size + c->remote : 1024;
    memset(m, 0, sizeof *m);
    for (unsigned side = 0; side < 2; side++) {
        unsigned *const counts = words(members), *const places = words(members);
        for (unsigned i = 0; i < members; i++) {
            counts[i] = any(64 * care) ? any(8) : length_of(any);
            places[i] = any(64 * care) ? i * 8 : number();
        }
        unsigned *const to = side ? &m->receive_counts : &m->send_counts;
        to[0] = any(24 * care) ? (unsigned)counts : address();
        to[1] = any(24 * care) ? (unsigned)places : address();
        to[2] = any(24 * care) ? 1 + any(4) : number();
    }
    return any(24 * care) ? (unsigned)m : address();
}

static unsigned list_for(unsigned operation, const struct comm *c, unsigned count)
{
    unsigned *p = words(1024);
    switch (operation) {
    case MOG_MPI_wait:
        for (unsigned i = 0; i < 32; i++)
            p[i] = any(16) ? PICK(numbers) : number();
        if (count == 1 && any(8))
            return PICK(numbers);
        break;
    case MOG_MPI_win_access: {
        struct mog_mpi_access *const a = (struct mog_mpi_access *)p;
        for (unsigned i = 0; i < 8; i++) {
            a[i] = (struct mog_mpi_access){(unsigned char)(1 + any(4)), (unsigned char)(any(4) ? 5 : any(256)), (unsigned char)any(16), 0, rank_of(c, any),
                                           any(8) ? any(64) : number(), any(8) ? 0 : (int)number(), length_of(any), room(), any(2) ? 0 : room(), room(), 0, 0, 0};
            if (any(3) == 0) {
                struct mog_mpi_target_run *const run = (struct mog_mpi_target_run *)words(8);
                a[i].runs = any(16) ? (unsigned)run : address();
                a[i].run_count = any(8) ? 1 + any(2) : number();
                a[i].extent = (int)(any(4) ? any(64) : number());
                for (unsigned k = 0; k < 2; k++)
                    run[k] = (struct mog_mpi_target_run){(int)(any(8) ? any(64) : number()), any(8) ? any(32) : number(), (int)(any(8) ? any(4) : number()),
                                                         (int)(any(8) ? any(64) : number())};
            }
        }
        break;
    }
    case MOG_MPI_file_read: case MOG_MPI_file_write: {
        struct mog_mpi_file_run *const run = (struct mog_mpi_file_run *)p;
        for (unsigned i = 0; i < 8; i++)
            run[i] = (struct mog_mpi_file_run){any(8) ? any(9000) : number(), any(8) ? 0 : number(), any(8) ? any(64) : number(), any(8) ? any(8) : number(),
                                               any(8) ? any(100) : number(), any(16) ? 0 : number()};
        break;
    }
    default: /* ranks */
        for (unsigned i = 0, first = together(4); i < 64; i++)
            p[i] = together(64) ? first + i : rank_of(c, together);
    }
    return any(24 * care) ? (unsigned)p : address();
}

static int is(const char *word, const char *name) { return strcmp(word, name) == 0; }

/* Of an intercommunicator: one group has the root, and knows; the other one says which rank it is. */
static unsigned root_between(const struct comm *c, draw_function *draw)
{
    const unsigned side = draw(2), root = draw(c->size < c->remote ? c->size : c->remote);
    return side != ((unsigned)IPROC & 1) ? root : c->rank == root ? (unsigned)MPI_ROOT : (unsigned)MPI_PROC_NULL;
}

/* One call. `draw`: all PEs make it, each of them with what fits the others. */
static void make_mpi_call(const struct operation *o, const struct comm *c, draw_function *draw)
{
    const int all = draw == together;
    care = all ? 1 + (unsigned)NPROC / 2 : 1;
    const unsigned root = rank_of(c, draw), length = length_of(draw), tag = draw(24) ? draw(3) : draw(2) ? 0xffffffffu : 1u << draw(32);
    const unsigned type = draw(8) ? 5 : draw(256), reduction = draw(8) ? 3 : draw(256), few = draw(8) ? draw(5) : draw(2) ? draw(1025) : length_of(draw);
    unsigned flags = draw(2) | draw(2) << 1 | (draw(8) == 0) << 2 | (draw(8) == 0) << 3;
    unsigned w[8] = {0}, failed, made = 0;
    if ((!all || o->number <= MOG_MPI_cancel) && any(waits_rarely))
        flags |= MOG_MPI_NONBLOCKING;
    /* Somebody has another opinion, now and then. */
    if (all && any(16 * waits_rarely) == 0)
        draw = any;
    for (unsigned k = 0; k < 7; k++) {
        const char *word = o->words[k];
        unsigned *to = &w[k + 1];
        if (is(word, "-")) *to = any(16) ? 0 : number();
        else if (is(word, "context")) *to = any(300 * care) ? c->context : any(2) ? c->context | MOG_MPI_INTERNAL : number();
        else if (is(word, "me")) *to = any(300 * care) ? c->rank : number();
        else if (is(word, "peer") || is(word, "root") || is(word, "leader") || is(word, "rank")) *to = draw == any ? rank_of(c, any) : c->remote && any(64) ? root_between(c, draw) : root;
        else if (is(word, "tag")) *to = tag;
        else if (is(word, "bytes")) *to = draw == any ? length_of(any) : length;
        else if (is(word, "count")) *to = o->number == MOG_MPI_create || o->number == MOG_MPI_wait || o->number >= MOG_MPI_file_read || o->number == MOG_MPI_members ? few : length / 4;
        else if (is(word, "result")) *to = result_block();
        else if (is(word, "more")) *to = flags & MOG_MPI_NONBLOCKING || any(2) ? more_block(c) : 0;
        else if (is(word, "list") || is(word, "runs")) *to = list_for(o->number, c, few);
        else if (is(word, "out")) *to = made = any(24 * care) ? aligned(16) : address();
        else if (is(word, "number")) *to = any(8) ? PICK(numbers) : number();
        else if (is(word, "need")) *to = any(waits_rarely) ? 0 : any(4);
        else if (is(word, "color")) *to = any(64 * care) ? draw(4) ? (unsigned)IPROC >> draw(2) & 1 : any(2) : number();
        else if (is(word, "file")) *to = any(8) ? opened : descriptor();
        else if (is(word, "unit")) *to = any(4) ? 1u << any(4) : number();
        else if (is(word, "key") || is(word, "first") || is(word, "high") || is(word, "how") || is(word, "sets") || is(word, "which") || is(word, "dynamic") ||
                 is(word, "class") || is(word, "types")) *to = any(16) ? any(4) : number();
        else if (is(word, "exclusive")) *to = any(32) == 0;
        else if (is(word, "low")) *to = any(4) ? any(10000) : number();
        else *to = room();
    }
    if (o->number == MOG_MPI_create) /* a collective of all, or of those on the list */
        w[6] = all && together(4) ? 0xffffffffu : tag & 0x7fffffffu;
    if (o->number == MOG_MPI_win_unlock && locked && any(16))
        w[1] = locked_context, w[3] = locked - 1;
    if (o->number == MOG_MPI_join && draw(8)) {
        /* Halves of the world, by the lowest bit of the rank, meet. */
        struct mog_mpi_leader *const leader = (struct mog_mpi_leader *)words(4);
        *leader = (struct mog_mpi_leader){0, (unsigned)IPROC, any(16 * care) ? (unsigned)IPROC ^ 1 : any((unsigned)NPROC), tag};
        w[3] = draw(16) && !c->remote ? 0 : w[3], w[4] = (unsigned)leader;
    }
    w[0] = MOG_MPI_WORD(any(500 * care) ? o->number : any(256), any(60 * care) ? flags : any(256), type, reduction);
    struct mog_mpi_made *const block = made % 4 == 0 && made >= (unsigned)arena && made <= (unsigned)arena + ARENA - sizeof *block ? (struct mog_mpi_made *)made : NULL;
    const int makes = o->number == MOG_MPI_split || o->number == MOG_MPI_create || o->number == MOG_MPI_join || o->number == MOG_MPI_merge;
    if (block)
        block->context = MOG_MPI_NO_CONTEXT;
    last_address = w[4 + any(3)];
    const unsigned said = raw(LINUX_mog_mpi, w, &failed);
    if ((int)said > 0 && (int)said < 1 << 20)
        numbers[any(COUNT(numbers))] = said;
    if (o->number == MOG_MPI_win_lock && (int)said >= 0)
        locked = w[3] + 1, locked_context = w[1];
    if (o->number == MOG_MPI_win_unlock)
        locked = 0;
    /* The place in the list is the same in all PEs. */
    if (makes && all) {
        struct comm *const to = comm_count < COUNT(comms) ? &comms[comm_count++] : &comms[2 + together(COUNT(comms) - 2)];
        *to = block && block->context != MOG_MPI_NO_CONTEXT
                  ? (struct comm){block->context, (unsigned)block->rank, (unsigned)block->size, (unsigned)block->remote_size}
                  : comms[0];
    }
}

static void make_mpi_calls(void)
{
    const int all = together(3) == 0;
    draw_function *const draw = all ? together : any;
    const struct comm *const c = &comms[draw(2) ? 0 : draw(16) % comm_count];
    const struct operation *o = locked && any(3) == 0 ? NULL : &operations[draw(COUNT(operations))];
    if (!o)
        for (o = operations; o->number != MOG_MPI_win_unlock;)
            o++;
    /* Few sequences end early, and most of what only all can do is done by all. */
    if ((o->number == MOG_MPI_abort || o->number == MOG_MPI_finalize) && together(100) + any(waits_rarely))
        return;
    if (o->number == MOG_MPI_free && draw(8))
        return;
    const int is_collective = (o->number >= MOG_MPI_barrier && o->number <= MOG_MPI_split) || o->number == MOG_MPI_join || o->number == MOG_MPI_merge;
    if (!all && is_collective && any(c == comms ? waits_rarely : 8))
        return;
    if (!all && o->number == MOG_MPI_win_lock && any(waits_rarely))
        return;
    make_mpi_call(o, c, draw);
}

int main(int argc, char **argv)
{
    const int is_mpi = argc > 1 && strcmp(argv[1], "mpi") == 0;
    const unsigned seed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1, count = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 100;
    is_tame = argc > 4;
    arena = malloc(ARENA);
    if (!arena)
        return 64;
    data_end = ((const volatile unsigned *)0x10000000u)[3];
    own = (seed * 40503u + (unsigned)IPROC * 2246822519u) ^ 0x9e3779b9u;
    own += own == 0;
    for (unsigned i = 0; i < 32; i++)
        next(&own);
    for (unsigned i = 0; i < ARENA; i++)
        arena[i] = (unsigned char)('a' + i % 26);
    if (is_mpi) {
        comms[0] = (struct comm){MOG_MPI_WORLD, (unsigned)IPROC, (unsigned)NPROC, 0};
        comms[1] = (struct comm){MOG_MPI_SELF, 0, 1, 0};
        comm_count = 2;
        waits_rarely = 40 * (unsigned)NPROC;
        unsigned failed, file[8] = {(unsigned)"file", 0x102, 0600};
        opened = raw(LINUX_open, file, &failed);
        if (failed)
            opened = 0;
    }
    for (unsigned i = 0; i < count; i++) {
        /* Whatever a PE drew before, of this step it draws what the others do. */
        common = (seed * 2654435761u + i * 2246822519u) | 1;
        next(&common), next(&common);
        if (is_mpi ? together(100) != 0 : any(200) == 0) {
            if (!comm_count)
                comms[0] = (struct comm){MOG_MPI_WORLD, (unsigned)IPROC, (unsigned)NPROC, 0}, comm_count = 1, waits_rarely = 1000000;
            make_mpi_calls();
        } else {
            make_syscall();
        }
    }
    return 64 + (int)(seed % 32);
}
