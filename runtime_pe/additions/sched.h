
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_SCHED_H
#define _MOG_ADDED_SCHED_H
#include <sys/cdefs.h>
#ifndef SCHED_OTHER
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#endif
#if __GNU_VISIBLE
#define CPU_SETSIZE 1024
typedef struct { unsigned long __bits[CPU_SETSIZE / 32]; } cpu_set_t;
#define CPU_ALLOC_SIZE(count) (((count) + 31) / 32 * 4)
#define CPU_ALLOC(count) ((cpu_set_t *)__builtin_malloc(CPU_ALLOC_SIZE(count)))
#define CPU_FREE(set) __builtin_free(set)
#define CPU_ZERO_S(bytes, set) ((void)__builtin_memset((set), 0, (bytes)))
#define CPU_SET_S(cpu, bytes, set) ((void)((size_t)(cpu) / 8 < (bytes) && ((set)->__bits[(cpu) / 32] |= 1ul << ((cpu) % 32))))
#define CPU_CLR_S(cpu, bytes, set) ((void)((size_t)(cpu) / 8 < (bytes) && ((set)->__bits[(cpu) / 32] &= ~(1ul << ((cpu) % 32)))))
#define CPU_ISSET_S(cpu, bytes, set) ((size_t)(cpu) / 8 < (bytes) && ((set)->__bits[(cpu) / 32] >> ((cpu) % 32) & 1))
#define CPU_COUNT_S(bytes, set) __mog_cpu_count((bytes), (set))
#define CPU_EQUAL_S(bytes, a, b) (__builtin_memcmp((a), (b), (bytes)) == 0)
#define CPU_ZERO(set) CPU_ZERO_S(sizeof(cpu_set_t), (set))
#define CPU_SET(cpu, set) CPU_SET_S((cpu), sizeof(cpu_set_t), (set))
#define CPU_CLR(cpu, set) CPU_CLR_S((cpu), sizeof(cpu_set_t), (set))
#define CPU_ISSET(cpu, set) CPU_ISSET_S((cpu), sizeof(cpu_set_t), (set))
#define CPU_COUNT(set) CPU_COUNT_S(sizeof(cpu_set_t), (set))
#define CPU_EQUAL(a, b) CPU_EQUAL_S(sizeof(cpu_set_t), (a), (b))
#endif
__BEGIN_DECLS
int sched_yield(void);
int sched_get_priority_max(int);
int sched_get_priority_min(int);
#if __GNU_VISIBLE
int sched_getcpu(void);
int sched_getaffinity(pid_t, size_t, cpu_set_t *);
int sched_setaffinity(pid_t, size_t, const cpu_set_t *);
int __mog_cpu_count(size_t, const cpu_set_t *);
#endif
__END_DECLS
#endif
