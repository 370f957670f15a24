/* native.h: PEs as processes of Linux: what window.c wants, where no MOG is. Usage: ./window N */
#include <stdint.h>
#include <sys/wait.h>

/* In the pages of the section other variables are shared, too. */
static __thread int NPROC, IPROC;
#define NATIVE_ID ((int)getppid())
/* Pages that are put in the place of this section before processes are forked. */
#define MOG_SHARED __attribute__((section("mogshared")))
extern char __start_mogshared[], __stop_mogshared[];

static char *pool;
static pthread_mutex_t *pool_mutex;
enum { POOL_BYTES = 1 << 20 };
static void *mog_shared_alloc(size_t bytes)
{
    size_t *used = (size_t *)(pool_mutex + 1);
    pthread_mutex_lock(pool_mutex);
    void *piece = pool + *used;
    *used += (bytes + 15) / 16 * 16;
    pthread_mutex_unlock(pool_mutex);
    return piece;
}
static void mog_shared_free(void *piece) { (void)piece; }

int pe_main(void);
int main(int argc, char **argv)
{
    NPROC = argc > 1 ? atoi(argv[1]) : 1;
    char *first = (char *)((uintptr_t)__start_mogshared & ~(uintptr_t)4095);
    const size_t bytes = ((size_t)(__stop_mogshared - first) + 4095) / 4096 * 4096;
    /* In one step, for what is beside the section is in use. */
    char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memcpy(pages, first, bytes);
    if (mremap(pages, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, first) != first) return 3;
    pool = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pool_mutex = (pthread_mutex_t *)pool;
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(pool_mutex, &shared);
    *(size_t *)(pool_mutex + 1) = 4096;
    for (IPROC = 0; IPROC < NPROC; IPROC++)
        if (fork() == 0) exit(pe_main());
    int status, worst = 0;
    while (wait(&status) > 0) worst |= status;
    return worst != 0;
}
