/* environment.c: the beginning and the end. */
#include <mog.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "mpi_internal.h"
#include "runtime_pe/system/linux.h"

__attribute__((section(".mogfirst"))) struct mpi_state __mog_mpi_state = {MPI_BEFORE,
                                                                          {MOG_MPI_WORLD, 0, 0, 0, MPI_ERRORS_ARE_FATAL, 0, NULL}};

static int provided_level;
int __mog_mpi_begin(int required, int *provided) {
    extern const unsigned __mog_limit; /* of the control block: 0 outside of MOG */
    if (__mog_mpi_state.stage != MPI_BEFORE) return __mog_mpi_failed(MPI_COMM_WORLD, MPI_ERR_OTHER, "MPI_Init");
    if (!__mog_limit) {
        static const char text[] = "MPI_Init: MPI is there under mogrun only\n";
        write(STDERR_FILENO, text, sizeof text - 1);
        _exit(1);
    }
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_initialize, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0);
    __mog_mpi_state.stage = MPI_BETWEEN;
    __mog_mpi_state.world.rank = IPROC;
    __mog_mpi_state.world.size = NPROC;
    provided_level = required < MPI_THREAD_SINGLE ? MPI_THREAD_SINGLE : required > MPI_THREAD_MULTIPLE ? MPI_THREAD_MULTIPLE : required;
    if (provided) *provided = provided_level;
    return MPI_SUCCESS;
}

MPI_DEFINE(Init, int *argc, char ***argv) {
    (void)argc, (void)argv;
    return __mog_mpi_begin(MPI_THREAD_SINGLE, NULL);
}

/* Of comm_attributes.c, in programs that have them. */
void __mog_mpi_end_attributes(void);
#pragma weak __mog_mpi_end_attributes
/* Of type_table.c. */
unsigned __mog_mpi_left_types(void);
#pragma weak __mog_mpi_left_types

MPI_DEFINE(Finalize, void) {
    if (__mog_mpi_state.stage != MPI_BETWEEN) return __mog_mpi_failed(MPI_COMM_WORLD, MPI_ERR_OTHER, "MPI_Finalize");
    if (__mog_mpi_end_attributes) __mog_mpi_end_attributes();
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_finalize, 0, 0, 0), __mog_mpi_left_types ? __mog_mpi_left_types() : 0, 0, 0, 0, 0, 0, 0);
    __mog_mpi_state.stage = MPI_AFTER;
    return MPI_SUCCESS;
}

MPI_DEFINE(Initialized, int *flag) {
    *flag = __mog_mpi_state.stage != MPI_BEFORE;
    return MPI_SUCCESS;
}

MPI_DEFINE(Finalized, int *flag) {
    *flag = __mog_mpi_state.stage == MPI_AFTER;
    return MPI_SUCCESS;
}

MPI_DEFINE(Query_thread, int *provided) {
    *provided = provided_level;
    return MPI_SUCCESS;
}

/* Linux gives the first thread the number of its process. */
MPI_DEFINE(Is_thread_main, int *flag) {
    *flag = linux_call(LINUX_gettid, 0, 0, 0, 0) == linux_call(LINUX_getpid, 0, 0, 0, 0);
    return MPI_SUCCESS;
}

MPI_DEFINE(Abort, MPI_Comm comm, int code) { __mog_mpi_abort(comm, code, (char *)NULL); }

MPI_DEFINE(Get_processor_name, char *name, int *length) {
    struct utsname system;
    if (uname(&system) < 0) strcpy(system.nodename, "unknown");
    strncpy(name, system.nodename, MPI_MAX_PROCESSOR_NAME - 1);
    name[MPI_MAX_PROCESSOR_NAME - 1] = 0;
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

MPI_DEFINE(Get_version, int *version, int *subversion) {
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

MPI_DEFINE(Get_library_version, char *version, int *length) {
    strcpy(version, "MOG MPI (messages between processing elements)");
    *length = (int)strlen(version);
    return MPI_SUCCESS;
}

MPI_DEFINE(Pcontrol, const int level, ...) {
    (void)level;
    return MPI_SUCCESS;
}

static double seconds(const struct timespec *time) { return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec; }

double MPI_Wtime(void) __attribute__((weak, alias("PMPI_Wtime")));
double PMPI_Wtime(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return seconds(&time);
}

double MPI_Wtick(void) __attribute__((weak, alias("PMPI_Wtick")));
double PMPI_Wtick(void) {
    struct timespec time;
    clock_getres(CLOCK_MONOTONIC, &time);
    return seconds(&time);
}
