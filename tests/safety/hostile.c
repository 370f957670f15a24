/* hostile.c: asks more of the host than is good for it:   hostile WHAT. Each goes on until it is ended. */
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char room[4 << 20];

static void device(void) {
    int fd = open("/dev/urandom", O_RDONLY);
    while (read(fd, room, sizeof room) > 0)
        ;
}

/* Each with a mask of its own, at descriptors that are never ready. */
static void masks(void) {
    enum { most = 900 };
    static struct pollfd list[most];
    int ends[2], n = 3;
    pipe(ends);
    while (n < most && dup(ends[0]) >= 0)
        ++n;
    for (int i = 0; i < n; ++i)
        list[i].fd = i < 3 ? -1 : i, list[i].events = 1 << (IPROC + i) % 8 | POLLIN;
    poll(list, n, -1);
}

static void print(void) {
    memset(room, 'x', 1000);
    room[999] = '\n';
    while (write(1, room, 1000) > 0)
        ;
}

static void endless_line(void) {
    memset(room, 'a' + IPROC % 26, 60000);
    for (int i = 0; i < 250; ++i)
        write(1, room, 60000);
}

/* A file that grows as long as it may. */
static void grow(void) {
    char name[32];
    sprintf(name, "big%d", IPROC);
    int fd = open(name, O_CREAT | O_WRONLY, 0600);
    while (write(fd, room, 1000) > 0)
        ;
    printf("%s\n", strerror(errno));
}

/* What mogrun shall write later: the name leads out, or to nobody. */
static void plant(char **names) {
    for (; *names; names += 2) {
        unlink(names[1]);
        if (!strcmp(names[0], "fifo"))
            mkfifo(names[1], 0666);
        else
            symlink(names[0], names[1]);
    }
}

int main(int argc, char **argv) {
    const char *what = argv[1];
    if (!strcmp(what, "device"))
        device();
    else if (!strcmp(what, "masks"))
        masks();
    else if (!strcmp(what, "print"))
        print();
    else if (!strcmp(what, "endless-line"))
        endless_line();
    else if (!strcmp(what, "grow"))
        grow();
    else if (!strncmp(what, "plant", 5))
        plant(argv + 2);
    if (!strcmp(what, "plant-and-fall"))
        abort();
    if (!strcmp(what, "plant-and-send")) {
        int one = 1, sum;
        MPI_Init(NULL, NULL);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Finalize();
    }
    return argc == 0;
}
