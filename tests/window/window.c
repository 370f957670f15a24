#define _GNU_SOURCE
/* window.c: memory that all PEs share: variables, pieces, objects with names, mappings; locks between PEs; calls of the system with pointers
 * into it. Natively PEs are processes that were forked (native.h). PE 0 prints what came of it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef NATIVE
#include "native.h"
#else
#include <mog.h>

#include "../../runtime_pe/channels/reserve.h"
#define NATIVE_ID 0
#endif

enum { ROUNDS = 200, MOST = 64 };

MOG_SHARED pthread_barrier_t barrier;
MOG_SHARED pthread_mutex_t mutex, recursive, checked;
MOG_SHARED pthread_cond_t condition;
MOG_SHARED sem_t semaphore;
MOG_SHARED int ready, counter, by_exchange, under_mutex, depth, refused, turn, passed;
MOG_SHARED unsigned char bytes[MOST];
MOG_SHARED unsigned short halves[MOST];
MOG_SHARED double doubles[MOST];
MOG_SHARED struct { char a; int unaligned[MOST]; } __attribute__((packed)) odd;
MOG_SHARED int *volatile pieces[MOST];
MOG_SHARED long long wide;
MOG_SHARED float floats[MOST];

static void fail(const char *what)
{
    fprintf(stderr, "PE %d: %s: %s\n", IPROC, what, strerror(errno));
    exit(1);
}

static void meet(void)
{
    pthread_barrier_wait(&barrier);
}

static void begin(void)
{
    if (IPROC == 0) {
        pthread_barrierattr_t of_barrier;
        pthread_mutexattr_t of_mutex;
        pthread_condattr_t of_condition;
        int shared = -1;
        pthread_barrierattr_init(&of_barrier);
        pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&barrier, &of_barrier, NPROC);
        pthread_mutexattr_init(&of_mutex);
        pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&mutex, &of_mutex);
        pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&recursive, &of_mutex);
        pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_ERRORCHECK);
        pthread_mutex_init(&checked, &of_mutex);
        pthread_condattr_init(&of_condition);
        pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
        pthread_condattr_getpshared(&of_condition, &shared);
        if (shared != PTHREAD_PROCESS_SHARED) fail("the attribute of a condition");
        pthread_cond_init(&condition, &of_condition);
        sem_init(&semaphore, 1, 0);
        __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    } else {
        while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) sched_yield();
    }
    meet();
}

/* ---- variables ---- */

static void variables(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
        int seen = __atomic_load_n(&by_exchange, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(&by_exchange, &seen, seen + 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) continue;
        /* Neighbours of these are others'. */
        bytes[IPROC]++;
        halves[IPROC] += 3;
        floats[IPROC] += 0.25f;
        doubles[IPROC] += 0.5 * IPROC;
        odd.unaligned[IPROC] += IPROC + 1;
        pthread_mutex_lock(&mutex);
        under_mutex++;
        wide += 1ll << 33;
        pthread_mutex_unlock(&mutex);
    }
    meet();
    if (IPROC == 0) {
        int bad = 0;
        for (int i = 0; i < NPROC; i++)
            bad += bytes[i] != ROUNDS % 256 || halves[i] != 3 * ROUNDS || floats[i] != 0.25f * ROUNDS || doubles[i] != 0.5 * i * ROUNDS ||
                   odd.unaligned[i] != ROUNDS * (i + 1);
        printf("variables: %d %d %d %lld, %d bad\n", counter, by_exchange, under_mutex, wide >> 33, bad);
    }
    meet();
}

/* ---- reservations ---- */

#ifdef NATIVE
static int reserve_in_word(unsigned *word, unsigned count, unsigned limit, unsigned *was, unsigned *tries)
{
    *tries = 0;
    *was = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while ((int)(limit - count - *was) >= 0)
        if (++*tries, __atomic_compare_exchange_n(word, was, *was + count, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 1;
    return 0;
}
#endif
enum { PLACES = 600, FIRST_PLACE = 0xffffff00 };
MOG_SHARED unsigned tail, tails[2], swaps;
MOG_SHARED unsigned char taken[PLACES];

/* Of different sizes, across the end of the numbers, until there is no room for one; then of two words by the same lanes. */
static void reservations(void)
{
    const unsigned count = 1 + (unsigned)IPROC % 3;
    unsigned was, tries, swapped = 0, before[2] = {0, 0};
    int bad = 0;
    if (IPROC == 0) tail = FIRST_PLACE;
    meet();
    while (reserve_in_word(&tail, count, FIRST_PLACE + PLACES, &was, &tries)) {
        for (unsigned i = 0; i < count; i++) __atomic_fetch_add(&taken[was - FIRST_PLACE + i], 1, __ATOMIC_RELAXED);
        bad += (int)(was - FIRST_PLACE) < (int)before[0];
        before[0] = was - FIRST_PLACE + count;
    }
    bad += PLACES - (was - FIRST_PLACE) >= count;
    for (int i = 0; i < ROUNDS; i++) bad += !reserve_in_word(&tails[IPROC % 2], 1, 1u << 30, &was, &tries);
    meet();
    for (int i = 0; i < ROUNDS; i++) {
#ifndef NATIVE
        /* Lanes go on together from here, so that one reserves for all. */
        if (i % 10 == 0) __asm__ volatile("sll $0, $0, 5"); /* pause */
#endif
        reserve_in_word(&tails[0], 1, 1u << 30, &was, &tries);
        swapped += tries;
    }
    __atomic_fetch_add(&swaps, swapped, __ATOMIC_RELAXED);
    __atomic_fetch_add(&refused, bad, __ATOMIC_RELAXED);
    meet();
    if (IPROC == 0) {
        for (int i = 0; i < PLACES; i++) refused += taken[i] != 1;
        printf("reservations: %u and %u, %d bad\n", tail - FIRST_PLACE, tails[0] + tails[1], refused);
        refused = 0;
        if (getenv("SWAPS")) printf("%d reservations, %u compare-and-swaps, %s\n", ROUNDS * NPROC, swaps, 8 * swaps <= (unsigned)(ROUNDS * NPROC) ? "saved" : "not saved");
    }
    meet();
}

/* ---- locks ---- */

static void locks(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        depth++;
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
        pthread_mutex_lock(&checked);
        if (pthread_mutex_lock(&checked) == EDEADLK) refused++;
        pthread_mutex_unlock(&checked);
    }
    meet();
    if (NPROC > 1) { /* somebody else's is not ours */
        if (IPROC == 0) pthread_mutex_lock(&checked);
        meet();
        if (IPROC == 1 && (pthread_mutex_unlock(&checked) != EPERM || pthread_mutex_trylock(&recursive) != 0)) fail("another PE's mutex");
        if (IPROC == 1) pthread_mutex_unlock(&recursive);
        meet();
        if (IPROC == 0) pthread_mutex_unlock(&checked);
    }
    /* Each in its turn. */
    for (int round = 0; round < 3; round++) {
        pthread_mutex_lock(&mutex);
        while (turn != round * NPROC + IPROC) pthread_cond_wait(&condition, &mutex);
        turn++;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
    }
    if (IPROC == 0)
        for (int i = 1; i < NPROC; i++) sem_wait(&semaphore);
    else sem_post(&semaphore);
    meet();
    if (IPROC == 0) printf("locks: %d %d %d\n", depth, refused, turn);
    meet();
}

/* ---- pieces ---- */

static void allocated(void)
{
    int *mine = mog_shared_alloc((size_t)(IPROC + 1) * sizeof *mine);
    if (!mine) fail("mog_shared_alloc");
    for (int i = 0; i <= IPROC; i++) {
        if (mine[i]) fail("a piece is not zero");
        mine[i] = 100 * IPROC + i;
    }
    pieces[IPROC] = mine;
    meet();
    long sum = 0;
    for (int pe = 0; pe < NPROC; pe++)
        for (int i = 0; i <= pe; i++) sum += pieces[pe][i];
    meet();
    mog_shared_free(pieces[(IPROC + 1) % NPROC]); /* another PE's */
    meet();
    for (int i = 0; i < 50; i++) {
        char *piece = mog_shared_alloc(1 + (size_t)(i * 37 + IPROC * 11) % 500);
        if (!piece || piece[0]) fail("a piece that serves again");
        piece[0] = 1;
        mog_shared_free(piece);
    }
    meet();
    if (IPROC == 0) printf("pieces: %ld\n", sum);
    meet();
}

/* ---- objects with names, mappings ---- */

static void mapped(void)
{
    const size_t size = 3 * 4096;
    char name[64];
    snprintf(name, sizeof name, "/mog-window-%d", NATIVE_ID);
    int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, size) < 0) fail("shm_open");
    struct stat status;
    if (fstat(fd, &status) < 0 || status.st_size != (off_t)size) fail("fstat");
    int *all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), *part = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096);
    if (all == MAP_FAILED || part == MAP_FAILED) fail("mmap");
    if (close(fd) < 0) fail("close");
    __atomic_fetch_add(&all[1024], IPROC + 1, __ATOMIC_SEQ_CST);
    meet();
    int seen = part[0], again = IPROC == 0 && shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST;
    meet();
    if (IPROC == 0 && (shm_unlink(name) < 0 || shm_open(name, O_RDWR, 0) >= 0 || errno != ENOENT)) fail("shm_unlink");
    if (munmap(part, 4096) < 0 || munmap(all, size) < 0) fail("munmap");
    meet();
    if (IPROC == 0) printf("objects: %d %d\n", seen, again);
    meet();
#ifndef NATIVE /* where processes are forked, it would have to be mapped before */
    int *first = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int *second = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED || second == MAP_FAILED || own == MAP_FAILED) fail("mmap");
    own[0] += 1;
    __atomic_fetch_add(&first[0], own[0], __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&second[0], 2, __ATOMIC_SEQ_CST);
    meet();
    if (first[0] != NPROC || second[0] != 2 * NPROC) fail("mappings without names");
    meet();
#endif
}

/* ---- segments by keys ---- */

MOG_SHARED int segment, private_segment, made;
MOG_SHARED key_t key;

static void segments(void)
{
    enum { SIZE = 3 * 4096 };
    struct shmid_ds status;
    if (IPROC == 0) {
        key = 0x6d6f6700 ^ (key_t)NATIVE_ID << 8;
        private_segment = shmget(IPC_PRIVATE, 100, IPC_CREAT | 0600);
        if (shmget(key, SIZE, 0600) >= 0 || errno != ENOENT) fail("a segment that nobody made");
    }
    meet();
    /* Whoever comes first makes it, and it is one. */
    int mine = shmget(key, SIZE, IPC_CREAT | IPC_EXCL | 0600);
    if (mine >= 0) __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST);
    else if (errno != EEXIST || (mine = shmget(key, 0, 0600)) < 0) fail("shmget");
    if (IPROC == NPROC - 1) segment = mine;
    int *data = shmat(mine, NULL, 0), *others = shmat(private_segment, NULL, SHM_RDONLY);
    if (data == (void *)-1 || others == (void *)-1) fail("shmat");
    if (shmdt(others) < 0) fail("shmdt");
    __atomic_fetch_add(&data[SIZE / sizeof *data - 1], IPROC + 1, __ATOMIC_SEQ_CST);
    meet();
    int same = segment == mine, sum = data[SIZE / sizeof *data - 1];
    if (shmget(key, SIZE + 1, 0600) >= 0 || errno != EINVAL) fail("more than there is");
    if (shmctl(mine, IPC_STAT, &status) < 0 || status.shm_segsz != SIZE || (status.shm_perm.mode & 0777) != 0600) fail("shmctl");
    if ((int)status.shm_nattch != NPROC) fail("who has it");
    meet();
    if (IPROC == 0 && (shmctl(mine, IPC_RMID, NULL) < 0 || shmctl(private_segment, IPC_RMID, NULL) < 0)) fail("removing");
    meet();
    if (shmget(key, SIZE, 0600) >= 0 || errno != ENOENT || data[0] != 0) fail("a removed segment");
    meet();
    if (shmdt(data) < 0 || shmdt(data) >= 0 || errno != EINVAL) fail("shmdt");
    meet();
    if (shmat(mine, NULL, 0) != (void *)-1 || errno != EINVAL) fail("a segment that is no more");
    if (IPROC == 0) printf("segments: %d %d %d\n", made, same, sum);
    meet();
}

/* ---- calls of the system ---- */

MOG_SHARED char text[64], path[64];
MOG_SHARED struct timespec pause_for;

static void calls(void)
{
    int ends[2];
    if (IPROC == 0) {
        strcpy(text, "what is shared");
        strcpy(path, "/no/such/file");
        pause_for.tv_nsec = 1000;
        if (pipe(ends) < 0 || write(ends[1], text, strlen(text)) < 0 || read(ends[0], text + 16, 40) != 14) fail("pipe");
        if (open(path, O_RDONLY) >= 0 || errno != ENOENT) fail("open");
        if (nanosleep(&pause_for, NULL) < 0) fail("nanosleep");
    }
    meet();
    if (strcmp(text + 16, "what is shared")) fail("what was read");
    meet();
    if (IPROC == NPROC - 1 && write(1, "calls: ", 7) == 7) {
        text[30] = '\n';
        if (write(1, text + 16, 15) != 15) fail("write");
    }
    meet();
}

#ifdef NATIVE
int pe_main(void)
#else
int main(void)
#endif
{
    setvbuf(stdout, NULL, _IONBF, 0);
    if (NPROC > MOST) return 2;
    begin();
    variables();
    reservations();
    locks();
    allocated();
    mapped();
    segments();
    calls();
    return 0;
}
