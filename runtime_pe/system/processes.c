/* processes.c: there are no other processes, no timers of intervals and no shared libraries. The calls fail as Linux's do on a system
 * without them (ENOSYS), and MOG says once that they were asked for. */
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

pid_t fork(void) { return CALL0(fork); }
pid_t vfork(void) { return CALL0(fork); }
pid_t waitpid(pid_t pid, int *status, int options) { return CALL4(wait4, pid, status, options, 0); }
pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage) { return (void)usage, waitpid(pid, status, options); }
pid_t wait3(int *status, int options, struct rusage *usage) { return wait4(-1, status, options, usage); }
pid_t wait(int *status) { return waitpid(-1, status, 0); }

int execve(const char *path, char *const arguments[], char *const environment[]) { return CALL3(execve, path, arguments, environment); }
int execv(const char *path, char *const arguments[]) { return execve(path, arguments, environ); }
int execvp(const char *name, char *const arguments[]) { return execve(name, arguments, environ); }
int execl(const char *path, const char *first, ...) { return execve(path, (char *const *)&first, environ); }
int execlp(const char *name, const char *first, ...) { return execve(name, (char *const *)&first, environ); }

int system(const char *command) { return command ? fork() : 0; }

FILE *popen(const char *command, const char *mode) {
    (void)command, (void)mode;
    fork();
    return NULL;
}

int pclose(FILE *file) {
    (void)file;
    errno = EINVAL;
    return -1;
}

void *dlopen(const char *path, int mode) { return (void)path, (void)mode, NULL; }
void *dlsym(void *restrict handle, const char *restrict name) { return (void)handle, (void)name, NULL; }
int dlclose(void *handle) { return (void)handle, -1; }
char *dlerror(void) { return "shared libraries cannot be loaded: a program for PEs is linked as a whole"; }

int setitimer(int which, const struct itimerval *restrict wanted, struct itimerval *restrict old) {
    return CALL3(setitimer, which, wanted, old);
}
