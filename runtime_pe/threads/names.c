/* names.c: names of threads, and what is accepted and changes nothing: places, policies, priorities. */
#include <sched.h>
#include <string.h>

#include "thread.h"

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set) {
    int filled = CALL3(sched_getaffinity, process, bytes, set);
    if (filled < 0) return -1;
    memset((char *)set + filled, 0, bytes - (size_t)filled);
    return 0;
}
/* A thread runs where there is room. */
int sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t *set) {
    (void)process;
    if (__mog_cpu_count(bytes, set)) return 0;
    errno = EINVAL;
    return -1;
}
int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set) {
    return (void)thread, __mog_cpu_count(bytes, set) ? 0 : EINVAL;
}
int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set) {
    return (void)thread, sched_getaffinity(0, bytes, set) ? errno : 0;
}
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t bytes, const cpu_set_t *set) {
    return (void)attributes, __mog_cpu_count(bytes, set) ? 0 : EINVAL;
}
int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t bytes, cpu_set_t *set) {
    return (void)attributes, sched_getaffinity(0, bytes, set) ? errno : 0;
}
int sched_getcpu(void) { return 0; }
int sched_get_priority_max(int policy) { return policy == SCHED_OTHER ? 0 : 99; }
int sched_get_priority_min(int policy) { return policy == SCHED_OTHER ? 0 : 1; }
int pthread_yield(void) { return sched_yield(); }

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters) {
    (void)thread;
    if (policy < SCHED_OTHER || policy > SCHED_RR) return EINVAL;
    return policy == SCHED_OTHER ? parameters->sched_priority ? EINVAL : 0 : EPERM;
}
int pthread_getschedparam(pthread_t thread, int *restrict policy, struct sched_param *restrict parameters) {
    (void)thread;
    *policy = SCHED_OTHER;
    parameters->sched_priority = 0;
    return 0;
}
int pthread_setschedprio(pthread_t thread, int priority) { return (void)thread, priority ? EINVAL : 0; }
static int concurrency;
int pthread_getconcurrency(void) { return concurrency; }
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : (concurrency = level, 0); }
int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    if (thread != pthread_self()) return ENOENT;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

int pthread_setname_np(pthread_t number, const char *name) {
    struct thread *thread = (struct thread *)number;
    if (strlen(name) >= sizeof thread->name) return ERANGE;
    strcpy(thread->name, name);
    return 0;
}
int pthread_getname_np(pthread_t number, char *name, size_t room) {
    const struct thread *thread = (struct thread *)number;
    if (room <= strlen(thread->name)) return ERANGE;
    strcpy(name, thread->name);
    return 0;
}
