/* hostile MODE: calls of the engine that no library makes, each of which once hurt mogrun: ranks that count twice, sums that do not fit
 * 32 bits, rounds without an end, memory of the host that nothing bounds. What the engine answers is printed by PE 0. hostile.py says how
 * much time and memory mogrun may take for it. */
#include <fcntl.h>
#include <mog.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/mpi_call.h"

int __mog_mpi_engine(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned);
#define ENGINE(operation, flags, ...) __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_##operation, flags, 0, 0), __VA_ARGS__)
#define A(pointer) ((unsigned)(pointer))

static unsigned me;
static struct mog_mpi_result result[4];

static void barrier(void) { ENGINE(barrier, 0, MOG_MPI_WORLD, me, 0, 0, 0, 0, 0); }
static void wait_for(volatile struct mog_mpi_result *r, unsigned number)
{
    while (!r->state)
        ENGINE(wait, 0, number, 1, 1, 0, 0, 0, 0);
}
#define TELL(...) (me == 0 ? (void)printf(__VA_ARGS__) : (void)0)

/* Memory of its own, as much as there is: pages that nobody has written cost the host nothing. */
static char *rest(unsigned *bytes)
{
    unsigned most = 2000u << 20, least = 0;
    while (most - least > 4096) {
        const unsigned middle = least + (most - least) / 2;
        char *const p = malloc(middle);
        if (p)
            least = middle;
        else
            most = middle;
        free(p);
    }
    *bytes = least & ~4095u;
    return malloc(*bytes);
}

/* Two nonblocking calls of one rank that make the same communicator: it counts once. */
static void twice(void)
{
    static struct mog_mpi_made made[2];
    static struct mog_mpi_more more[2];
    static const unsigned list[] = {0, 1};
    if (me == 0) {
        int number[2];
        for (int i = 0; i < 2; i++)
            number[i] = ENGINE(create, MOG_MPI_NONBLOCKING, MOG_MPI_WORLD, me, A(list), 2, A(made + i), 7, A(more + i));
        wait_for(&more[1].result, (unsigned)number[1]);
        TELL("the second: class %u\n", more[1].result.state >> 8);
        barrier();
        wait_for(&more[0].result, (unsigned)number[0]);
        TELL("the first: class %u, rank %d of %d\n", more[0].result.state >> 8, made[0].rank, made[0].size);
    } else {
        barrier();
        if (me == 1)
            ENGINE(create, 0, MOG_MPI_WORLD, me, A(list), 2, A(made), 7, 0);
    }
    const int code = me < 2 ? ENGINE(barrier, 0, made[0].context, me, 0, 0, 0, 0, 0) : 0;
    TELL("its barrier: %d\n", code);
}

/* A communicator that one member frees twice is still the other's. */
static void freed(void)
{
    static struct mog_mpi_made made;
    ENGINE(split, 0, MOG_MPI_WORLD, me, 0, me, A(&made), 0, 0);
    if (me == 0) {
        const int first = ENGINE(free, 0, made.context, me, 0, 0, 0, 0, 0), second = ENGINE(free, 0, made.context, me, 0, 0, 0, 0, 0);
        TELL("free: %d, %d\n", first, second);
    }
    barrier();
    int code = 0;
    if (me != 0) {
        int word = 5;
        code = ENGINE(send, 0, made.context, me, me, 1, A(&word), 4, 0);
        code = code ? code : ENGINE(receive, 0, made.context, me, me, 1, A(&word), 4, A(result));
    }
    if (me == 1)
        printf("the other: %d\n", code);
}

/* Calls that make no sense with an intercommunicator, or not at once. */
static void join(void)
{
    static struct mog_mpi_made half, inter, made;
    static struct mog_mpi_more more;
    static const unsigned list[] = {0};
    struct mog_mpi_leader leader = {MOG_MPI_WORLD, me, 1 - me, 3};
    ENGINE(split, 0, MOG_MPI_WORLD, me, me, 0, A(&half), 0, 0);
    TELL("join: %d\n", ENGINE(join, 0, half.context, 0, 0, A(&leader), A(&inter), 0, 0));
    if (me == 1)
        ENGINE(join, 0, half.context, 0, 0, A(&leader), A(&inter), 0, 0);
    const int again = ENGINE(join, 0, inter.context, 0, me == 0 ? (unsigned)MPI_ROOT : 0, A(&leader), A(&made), 0, 0);
    TELL("join of an intercommunicator: %d\n", again);
    const int created = ENGINE(create, 0, inter.context, 0, A(list), 1, A(&made), 1, 0);
    TELL("create group of one: %d\n", created);
    const int later = ENGINE(join, MOG_MPI_NONBLOCKING, half.context, 0, 0, A(&leader), A(&made), 0, A(&more));
    TELL("join, nonblocking: %d\n", later);
    const int merged = ENGINE(merge, MOG_MPI_NONBLOCKING, inter.context, 0, 0, 0, A(&made), 0, A(&more));
    TELL("merge, nonblocking: %d\n", merged);
    barrier();
}

/* All name as many operations as their memory holds. */
static void lists(void)
{
    unsigned bytes;
    char *const list = rest(&bytes);
    const int done = ENGINE(wait, 0, A(list), bytes / 4, 0, 0, 0, 0, 0);
    TELL("%d\n", done == (int)(bytes / 4));
}

/* An accumulate of nearly all memory, and a swap of more than an element. */
static void accumulate(void)
{
    static struct mog_mpi_made window;
    unsigned bytes;
    char *const base = rest(&bytes);
    bytes /= 2;
    ENGINE(split, 0, MOG_MPI_WORLD, me, 0, me, A(&window), 0, 0);
    ENGINE(win_create, 0, window.context, me, A(base), bytes, 1, 0, 0);
    barrier();
    struct mog_mpi_access access = {.kind = MOG_MPI_ACCUMULATE, .type = (unsigned char)MPI_INT, .reduction = (unsigned char)MPI_SUM,
                                    .target = 0, .bytes = bytes, .origin = A(base + bytes), .result = 0};
    int last = 0;
    memcpy(base + bytes - 4, &last, 4);
    last = 1 + (int)me;
    memcpy(base + 2 * bytes - 4, &last, 4);
    const int code = ENGINE(win_access, 0, window.context, me, A(&access), 1, 0, 0, 0);
    barrier();
    memcpy(&last, base + bytes - 4, 4);
    TELL("accumulate: %d, %d\n", code, last);
    access.kind = MOG_MPI_SWAP;
    access.result = access.compare = access.origin;
    const int swapped = ENGINE(win_access, 0, window.context, me, A(&access), 1, 0, 0, 0);
    TELL("swap of all of it: %d\n", swapped);
    barrier();
}

/* What a rank puts into itself, half of it over what it puts. */
static void overlap(void)
{
    static struct mog_mpi_made window;
    unsigned bytes;
    unsigned char *const base = (unsigned char *)rest(&bytes);
    ENGINE(split, 0, MOG_MPI_WORLD, me, 0, me, A(&window), 0, 0);
    ENGINE(win_create, 0, window.context, me, A(base), bytes, 1, 0, 0);
    const unsigned shift = 4100;
    int code = 0, wrong = 0;
    for (int up = 0; up < 2; up++) {
        for (unsigned i = 0; i < bytes; i += 4096)
            base[i] = (unsigned char)(i >> 12);
        const struct mog_mpi_access access = {.kind = MOG_MPI_PUT, .target = me, .displacement = up ? shift : 0, .bytes = bytes - shift,
                                              .origin = A(base + (up ? 0 : shift))};
        code |= ENGINE(win_access, 0, window.context, me, A(&access), 1, 0, 0, 0);
        if (up)
            for (unsigned i = 0; i + shift < bytes; i += 4096)
                wrong += base[i + shift] != (unsigned char)(i >> 12);
        else
            for (unsigned i = 8192; i + 4 < bytes; i += 4096)
                wrong += base[i - shift] != (unsigned char)(i >> 12);
    }
    TELL("put: %d, %d wrong\n", code, wrong);
    barrier();
}

/* Empty messages that nobody receives. */
static void empty(void)
{
    for (unsigned i = 0;; i++)
        ENGINE(send, 0, MOG_MPI_WORLD, me, 0, i & 0xffff, 0, 0, 0);
}

/* What all receive is the square of what they send. */
static void gatherv(void)
{
    const int each = 4500;
    int *const counts = malloc((unsigned)NPROC * sizeof *counts), *const displacements = malloc((unsigned)NPROC * sizeof *counts);
    char *const own = malloc((unsigned)each), *const all = malloc((unsigned)(each * NPROC));
    for (int i = 0; i < NPROC; i++) {
        counts[i] = each;
        displacements[i] = each * (NPROC - 1 - i);
    }
    for (int i = 0; i < each; i++)
        own[i] = (char)((int)me * 7 + i);
    const struct mog_mpi_more more = {.receive_counts = A(counts), .receive_displacements = A(displacements), .receive_unit = 1};
    const int code = ENGINE(allgatherv, 0, MOG_MPI_WORLD, me, 0, A(own), A(all), (unsigned)each, A(&more));
    int wrong = 0, sum = 0;
    for (int k = 0; k < NPROC; k++)
        for (int i = 0; i < each; i += 499)
            wrong += all[displacements[k] + i] != (char)(k * 7 + i);
    __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_allreduce, 0, MPI_INT, MPI_SUM), MOG_MPI_WORLD, me, 0, A(&wrong), A(&sum), 1, 0);
    TELL("gatherv: %d, %d wrong\n", code, sum);
}

/* Requests without an end: one result block serves all of them. */
static int requests_of(unsigned operation, unsigned context, unsigned rank)
{
    static struct mog_mpi_more more;
    int said;
    do
        said = __mog_mpi_engine(MOG_MPI_WORD(operation, MOG_MPI_NONBLOCKING, 0, 0), context, rank, 0, 0, 0, 0, A(&more));
    while (said > 0);
    return said;
}
static void requests(void)
{
    static struct mog_mpi_made own;
    ENGINE(split, 0, MOG_MPI_WORLD, me, me / 2, 0, A(&own), 0, 0);
    const int barriers = me % 2 == 0 ? requests_of(MOG_MPI_barrier, own.context, 0) : 0, receives = requests_of(MOG_MPI_receive, MOG_MPI_SELF, 0);
    TELL("receives end with %d\nbarriers end with %d\n", receives, barriers);
}

/* Communicators without an end, and parts of windows. */
static void objects(void)
{
    static struct mog_mpi_made made;
    int said;
    do
        said = ENGINE(split, 0, MOG_MPI_SELF, 0, 0, 0, A(&made), 0, 0);
    while (said == 0);
    TELL("communicators end with %d\n", said);
}
static void parts(void)
{
    static struct mog_mpi_made window;
    unsigned bytes, at = 0;
    char *const base = rest(&bytes);
    int said;
    ENGINE(split, 0, MOG_MPI_WORLD, me, 0, me, A(&window), 0, 0);
    ENGINE(win_create, 0, window.context, me, 0, 0, 1, 1, 0);
    do
        said = ENGINE(win_attach, 0, window.context, me, A(base + at++), 1, 0, 0, 0);
    while (said == 0 && at < bytes);
    TELL("parts end with %d\n", said);
}

/* Millions of pieces of a file of one byte each. */
static void pieces(const char *name)
{
    unsigned bytes;
    char *const buffer = rest(&bytes);
    const int file = open(name, O_RDWR | O_CREAT, 0600);
    const struct mog_mpi_file_run run = {0, 0, 1, bytes, 3, 0};
    for (;;)
        ENGINE(file_write, 0, (unsigned)file, 0, A(&run), 1, A(buffer), bytes, 0);
}

/* Pieces of a window, likewise. */
static void runs(void)
{
    static struct mog_mpi_made window;
    unsigned bytes;
    char *const base = rest(&bytes);
    ENGINE(split, 0, MOG_MPI_WORLD, me, 0, me, A(&window), 0, 0);
    ENGINE(win_create, 0, window.context, me, A(base), bytes, 1, 0, 0);
    barrier();
    const struct mog_mpi_target_run run = {0, 1, (int)(bytes / 2), 2};
    struct mog_mpi_access access = {.kind = MOG_MPI_PUT, .target = (me + 1) % (unsigned)NPROC, .bytes = bytes / 2, .origin = A(base), .runs = A(&run), .run_count = 1};
    for (int kind = 0;; kind ^= 1) {
        access.kind = kind ? MOG_MPI_ACCUMULATE : MOG_MPI_PUT;
        access.type = (unsigned char)MPI_BYTE;
        access.reduction = (unsigned char)MPI_BOR;
        ENGINE(win_access, 0, window.context, me, A(&access), 1, 0, 0, 0);
    }
}

/* Reductions of nearly all memory: who is in one when the time is up does not wait for the others. */
static void reductions(void)
{
    unsigned bytes;
    char *const base = rest(&bytes);
    for (;;)
        __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_reduce, 0, MPI_INT, MPI_SUM), MOG_MPI_WORLD, me, 0, A(base), A(base + bytes / 2), bytes / 8, 0);
}

/* One rank has many receives, through which what others send is looked for. */
static void search(void)
{
    if (me == 0)
        for (unsigned i = 0; i < 20000; i++)
            ENGINE(receive, MOG_MPI_NONBLOCKING, MOG_MPI_WORLD, me, 1, i, 0, 0, A(result));
    barrier();
    for (unsigned i = 0; me != 0; i++)
        ENGINE(send, MOG_MPI_NONBLOCKING, MOG_MPI_WORLD, me, 0, 0x7ffffff, 0, 0, A(result));
    barrier();
}

/* A shared file pointer that leaves 64 bits. */
static void pointer(void)
{
    static struct mog_mpi_made made;
    static long long was[2];
    ENGINE(split, 0, MOG_MPI_WORLD, me, 0, me, A(&made), 0, 0);
    const int set = ENGINE(file_pointer, 0, made.context, me, 1, 0x80000000, 0x7fffffff, A(was), 0);
    const int added = ENGINE(file_pointer, 0, made.context, me, 0, 0x7fffffff, 0, A(was), 0);
    const int then = ENGINE(file_pointer, 0, made.context, me, 0, 0, 0, A(was + 1), 0);
    TELL("pointer: %d, %d, %d; %llx, %llx\n", set, added, then, was[0], was[1]);
    const int negative = ENGINE(file_pointer, 0, made.context, me, 1, 0, 0x80000000, A(was), 0);
    TELL("before the beginning: %d\n", negative);
}

/* A reduction of two blocks for this PE alone, as long as memory has room for. */
static void combine(void)
{
    unsigned bytes;
    char *const base = rest(&bytes);
    const unsigned half = bytes / 2 & ~7u;
    int word = 2;
    memcpy(base + half - 4, &word, 4);
    word = 40 + (int)me;
    memcpy(base + 2 * half - 4, &word, 4);
    const int code = __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_combine, 0, MPI_INT, MPI_SUM), 0, 0, 0, A(base), A(base + half), half / 4, 0);
    memcpy(&word, base + 2 * half - 4, 4);
    TELL("combine: %d, %d\n", code, word);
}

/* Groups of half of the ranks, all members of which give the same long list; and what ranks the members are. */
static void groups(void)
{
    const unsigned half = (unsigned)NPROC / 2, base = me < half ? 0 : half;
    static struct mog_mpi_made made;
    unsigned *const list = malloc(half * sizeof *list);
    for (unsigned i = 0; i < half; i++)
        list[i] = base + i;
    const int code = ENGINE(create, 0, MOG_MPI_WORLD, me, A(list), half, A(&made), 1, 0);
    memset(list, 0, half * sizeof *list);
    const int asked = ENGINE(members, 0, made.context, (unsigned)made.rank, 0, half, A(list), 0, 0);
    int wrong = 0;
    for (unsigned i = 0; i < half; i += 97)
        wrong += list[i] != base + i;
    int all = 0;
    ENGINE(allreduce, 0, MOG_MPI_WORLD, me, 0, 0, 0, 0, 0);
    __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_allreduce, 0, MPI_INT, MPI_SUM), MOG_MPI_WORLD, me, 0, A(&wrong), A(&all), 1, 0);
    TELL("groups: %d, %d, %d wrong\n", code, asked, all);
}

/* The same by the library: half of the ranks as a list, and the others. */
static void halves(void)
{
    int wrong = 0, all = 0, there, compared;
    MPI_Group world, mine, others, both;
    MPI_Comm comm;
    MPI_Init(NULL, NULL);
    const int half = NPROC / 2, base = (int)me < half ? 0 : half;
    int *const list = malloc((unsigned)half * sizeof *list);
    for (int i = 0; i < half; i++)
        list[i] = base + i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, half, list, &mine);
    MPI_Group_excl(world, half, list, &others);
    MPI_Group_union(mine, others, &both);
    MPI_Group_compare(both, world, &compared);
    MPI_Comm_create_group(MPI_COMM_WORLD, mine, 1, &comm);
    MPI_Comm_rank(comm, &there);
    wrong = there != (int)me - base || compared != (base ? MPI_SIMILAR : MPI_IDENT);
    MPI_Comm_free(&comm);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    TELL("halves: %d wrong\n", all);
    MPI_Finalize();
}

/* One access of 150 MB, in blocks that nothing divides: it goes through the host in parts. */
static void large(const char *path)
{
    enum { BLOCK = 1000003, STRIDE = 1500007, BYTES = 150000000 };
    MPI_File file;
    MPI_Datatype blocks;
    MPI_Status status;
    int wrong = 0, wrote, got;
    MPI_Init(NULL, NULL);
    unsigned *const words = malloc(BYTES), count = BYTES / 4;
    for (unsigned i = 0; i < count; i++)
        words[i] = i * 2654435761u;
    MPI_Type_vector(BYTES / BLOCK + 1, BLOCK, STRIDE, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 5, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 7, words, BYTES, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &wrote);
    /* Where the access has put a byte in the middle, and all of them as they come back. More is asked for than there is. */
    const long long middle = BYTES / 2 + 7;
    unsigned char byte = 0;
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 5 + middle / BLOCK * STRIDE + middle % BLOCK, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    wrong += byte != ((unsigned char *)words)[BYTES / 2];
    memset(words, 0, BYTES);
    MPI_File_set_view(file, 5, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 7 + 8, words, BYTES, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &got);
    for (unsigned i = 0; i < count - 2; i++)
        wrong += words[i] != (i + 2) * 2654435761u;
    TELL("large: %d, %d, %d wrong\n", wrote, got, wrong);
    MPI_File_close(&file);
    MPI_Type_free(&blocks);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *const mode = argc > 1 ? argv[1] : "";
    me = (unsigned)IPROC;
    if (!strcmp(mode, "twice")) twice();
    if (!strcmp(mode, "freed")) freed();
    if (!strcmp(mode, "join")) join();
    if (!strcmp(mode, "lists")) lists();
    if (!strcmp(mode, "accumulate")) accumulate();
    if (!strcmp(mode, "overlap")) overlap();
    if (!strcmp(mode, "empty")) empty();
    if (!strcmp(mode, "requests")) requests();
    if (!strcmp(mode, "gatherv")) gatherv();
    if (!strcmp(mode, "objects")) objects();
    if (!strcmp(mode, "parts")) parts();
    if (!strcmp(mode, "pieces")) pieces(argv[2]);
    if (!strcmp(mode, "runs")) runs();
    if (!strcmp(mode, "reductions")) reductions();
    if (!strcmp(mode, "search")) search();
    if (!strcmp(mode, "pointer")) pointer();
    if (!strcmp(mode, "combine")) combine();
    if (!strcmp(mode, "groups")) groups();
    if (!strcmp(mode, "large")) large(argv[2]);
    if (!strcmp(mode, "halves")) halves();
    return 0;
}
