/* segments.c: shared memory of System V: pieces of the window that PEs find by a key or a number (shmget). */
#include <errno.h>
#include <mog.h>
#include <stdlib.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shared.h"

struct segment {
    struct segment *next;
    int number;
    void *data;
    struct shmid_ds status;
};

static MOG_SHARED struct {
    unsigned lock;
    int last_number;
    struct segment *segments;
} shared;

/* What this PE has attached, however often. */
struct attachment {
    struct attachment *next;
    struct segment *segment;
};
static struct attachment *attachments;

static int fail(int number) {
    errno = number;
    return -1;
}

/* ---- with the lock */

static struct segment *numbered(int number) {
    struct segment *found = shared.segments;
    while (found && found->number != number) found = found->next;
    return found;
}

/* Who has found it by its number may attach it as long as others have it, though it was removed, as on Linux. */
static struct segment *of_key(key_t key) {
    struct segment *found = shared.segments;
    while (found && (found->status.shm_perm.__key != key || found->status.shm_perm.mode & SHM_DEST)) found = found->next;
    return found;
}

static struct segment *make(key_t key, size_t bytes, int flags) {
    struct segment *made = mog_shared_alloc(sizeof *made);
    void *data = made ? __mog_shared_allocate(bytes, SHARED_PAGE) : NULL;
    if (!data) {
        mog_shared_free(made);
        return NULL;
    }
    made->number = ++shared.last_number;
    made->data = data;
    struct shmid_ds *status = &made->status;
    status->shm_perm.__key = key;
    status->shm_perm.uid = status->shm_perm.cuid = geteuid();
    status->shm_perm.gid = status->shm_perm.cgid = getegid();
    status->shm_perm.mode = (mode_t)(flags & 0777);
    status->shm_segsz = bytes;
    status->shm_ctime = time(NULL);
    status->shm_cpid = getpid();
    made->next = shared.segments;
    return shared.segments = made;
}

static void forget_unused(struct segment *segment) {
    if (segment->status.shm_nattch > 0 || !(segment->status.shm_perm.mode & SHM_DEST)) return;
    struct segment **link = &shared.segments;
    while (*link != segment) link = &(*link)->next;
    *link = segment->next;
    mog_shared_free(segment->data);
    mog_shared_free(segment);
}

/* ---- the functions */

int shmget(key_t key, size_t bytes, int flags) {
    int error = 0, number = 0;
    shared_lock(&shared.lock);
    struct segment *found = key == IPC_PRIVATE ? NULL : of_key(key);
    if (found && (flags & (IPC_CREAT | IPC_EXCL)) == (IPC_CREAT | IPC_EXCL)) error = EEXIST;
    else if (found && bytes > found->status.shm_segsz) error = EINVAL;
    else if (!found && key != IPC_PRIVATE && !(flags & IPC_CREAT)) error = ENOENT;
    else if (!found && bytes == 0) error = EINVAL;
    else if (!found && !(found = make(key, bytes, flags))) error = ENOMEM;
    else number = found->number;
    shared_unlock(&shared.lock);
    return error ? fail(error) : number;
}

void *shmat(int number, const void *where, int flags) {
    struct attachment *made = malloc(sizeof *made);
    if (!made) return (void *)-1;
    (void)flags; /* protection is not changed */
    shared_lock(&shared.lock);
    struct segment *found = numbered(number);
    if (found && where && where != found->data) found = NULL; /* all PEs have it at one address */
    if (found) {
        ++found->status.shm_nattch;
        found->status.shm_atime = time(NULL);
        found->status.shm_lpid = getpid();
        *made = (struct attachment){attachments, found};
        attachments = made;
    }
    shared_unlock(&shared.lock);
    if (found) return found->data;
    free(made);
    errno = EINVAL;
    return (void *)-1;
}

/* With the lock. */
static void detach(struct attachment **link) {
    struct attachment *gone = *link;
    struct shmid_ds *status = &gone->segment->status;
    *link = gone->next;
    --status->shm_nattch;
    status->shm_dtime = time(NULL);
    status->shm_lpid = getpid();
    forget_unused(gone->segment);
    free(gone);
}

int shmdt(const void *where) {
    shared_lock(&shared.lock);
    struct attachment **link = &attachments;
    while (*link && (*link)->segment->data != where) link = &(*link)->next;
    const int found = *link != NULL;
    if (found) detach(link);
    shared_unlock(&shared.lock);
    return found ? 0 : fail(EINVAL);
}

static __attribute__((destructor(101))) void detach_all(void) {
    shared_lock(&shared.lock);
    while (attachments) detach(&attachments);
    shared_unlock(&shared.lock);
}

int shmctl(int number, int command, struct shmid_ds *status) {
    int error = 0;
    shared_lock(&shared.lock);
    struct segment *found = numbered(number);
    if (!found) error = EINVAL;
    else if (command == IPC_STAT) *status = found->status;
    else if (command == IPC_RMID) {
        found->status.shm_perm.mode |= SHM_DEST;
        forget_unused(found);
    } else if (command == IPC_SET) {
        found->status.shm_perm.mode = (found->status.shm_perm.mode & SHM_DEST) | (status->shm_perm.mode & 0777);
        found->status.shm_ctime = time(NULL);
    } else if (command != SHM_LOCK && command != SHM_UNLOCK) { /* memory is not paged */
        error = EINVAL;
    }
    shared_unlock(&shared.lock);
    return error ? fail(error) : 0;
}

key_t ftok(const char *path, int project) {
    struct stat status;
    if (stat(path, &status) < 0) return -1;
    return (key_t)((status.st_ino & 0xffff) | (status.st_dev & 0xff) << 16 | (unsigned)(project & 0xff) << 24);
}
