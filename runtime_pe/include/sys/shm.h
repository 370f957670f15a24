/* sys/shm.h: segments of memory that PEs share, by key. They are the run's, as what shm_open() makes is. */
#ifndef _SYS_SHM_H
#define _SYS_SHM_H

#include <sys/ipc.h>
#include <time.h>
#include <unistd.h>

#define SHM_R 0400
#define SHM_W 0200
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_EXEC 0100000
#define SHM_LOCK 11
#define SHM_UNLOCK 12
#define SHM_DEST 01000
#define SHMLBA (getpagesize())

typedef unsigned long shmatt_t;

struct shmid_ds {
    struct ipc_perm shm_perm;
    size_t shm_segsz;
    time_t shm_atime, shm_dtime, shm_ctime;
    pid_t shm_cpid, shm_lpid;
    shmatt_t shm_nattch;
};

__BEGIN_DECLS
int shmget(key_t, size_t, int);
void *shmat(int, const void *, int);
int shmdt(const void *);
int shmctl(int, int, struct shmid_ds *);
__END_DECLS

#endif
