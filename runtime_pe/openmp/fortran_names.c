/* fortran_names.c: what programs in Fortran call OpenMP's functions: a name with an underscore, arguments by their addresses. Where omp_lib
 * has a second form for 64-bit integers, it is called ..._8_. */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#define ASKS(type, name) \
    type name##_(void);  \
    type name##_(void) { return name(); }
#define ASKS_OF(type, name)                               \
    type name##_(const int32_t *);                        \
    type name##_(const int32_t *of) { return name(*of); } \
    type name##_8_(const int64_t *);                      \
    type name##_8_(const int64_t *of) { return name((int)*of); }
#define SETS(name)                                       \
    void name##_(const int32_t *);                       \
    void name##_(const int32_t *value) { name(*value); } \
    void name##_8_(const int64_t *);                     \
    void name##_8_(const int64_t *value) { name((int)*value); }

ASKS(int32_t, omp_get_num_threads)
ASKS(int32_t, omp_get_max_threads)
ASKS(int32_t, omp_get_thread_num)
ASKS(int32_t, omp_get_num_procs)
ASKS(int32_t, omp_in_parallel)
ASKS(int32_t, omp_in_final)
ASKS(int32_t, omp_get_dynamic)
ASKS(int32_t, omp_get_nested)
ASKS(int32_t, omp_get_thread_limit)
ASKS(int32_t, omp_get_supported_active_levels)
ASKS(int32_t, omp_get_max_active_levels)
ASKS(int32_t, omp_get_level)
ASKS(int32_t, omp_get_active_level)
ASKS(int32_t, omp_get_cancellation)
ASKS(int32_t, omp_get_max_task_priority)
ASKS(int32_t, omp_get_proc_bind)
ASKS(int32_t, omp_get_num_places)
ASKS(int32_t, omp_get_place_num)
ASKS(int32_t, omp_get_partition_num_places)
ASKS(int32_t, omp_get_num_teams)
ASKS(int32_t, omp_get_team_num)
ASKS(int32_t, omp_get_max_teams)
ASKS(int32_t, omp_get_teams_thread_limit)
ASKS(int32_t, omp_get_default_device)
ASKS(int32_t, omp_get_num_devices)
ASKS(int32_t, omp_get_device_num)
ASKS(int32_t, omp_is_initial_device)
ASKS(int32_t, omp_get_initial_device)
ASKS(double, omp_get_wtime)
ASKS(double, omp_get_wtick)
ASKS_OF(int32_t, omp_get_ancestor_thread_num)
ASKS_OF(int32_t, omp_get_team_size)
ASKS_OF(int32_t, omp_get_place_num_procs)
SETS(omp_set_num_threads)
SETS(omp_set_dynamic)
SETS(omp_set_nested)
SETS(omp_set_max_active_levels)
SETS(omp_set_num_teams)
SETS(omp_set_teams_thread_limit)
SETS(omp_set_default_device)

void omp_set_schedule_(const int32_t *, const int32_t *);
void omp_set_schedule_(const int32_t *kind, const int32_t *chunk) { omp_set_schedule((omp_sched_t)*kind, *chunk); }
void omp_set_schedule_8_(const int32_t *, const int64_t *);
void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk) { omp_set_schedule((omp_sched_t)*kind, (int)*chunk); }
void omp_get_schedule_(int32_t *, int32_t *);
void omp_get_schedule_(int32_t *kind, int32_t *chunk) {
    omp_sched_t now;
    int pieces;
    omp_get_schedule(&now, &pieces);
    *kind = (int32_t)now;
    *chunk = pieces;
}
void omp_get_schedule_8_(int32_t *, int64_t *);
void omp_get_schedule_8_(int32_t *kind, int64_t *chunk) {
    int32_t pieces;
    omp_get_schedule_(kind, &pieces);
    *chunk = pieces;
}

/* A lock is a variable of the program's. Nested ones are larger than that: it holds the address of one. */
#define LOCKS(action)                        \
    void omp_##action##_lock_(omp_lock_t *); \
    void omp_##action##_lock_(omp_lock_t *lock) { omp_##action##_lock(lock); }
LOCKS(init)
LOCKS(destroy)
LOCKS(set)
LOCKS(unset)
int32_t omp_test_lock_(omp_lock_t *);
int32_t omp_test_lock_(omp_lock_t *lock) { return omp_test_lock(lock); }

void omp_init_nest_lock_(omp_nest_lock_t **);
void omp_init_nest_lock_(omp_nest_lock_t **lock) {
    *lock = malloc(sizeof **lock);
    if (!*lock) abort();
    omp_init_nest_lock(*lock);
}
void omp_destroy_nest_lock_(omp_nest_lock_t **);
void omp_destroy_nest_lock_(omp_nest_lock_t **lock) {
    omp_destroy_nest_lock(*lock);
    free(*lock);
    *lock = NULL;
}
void omp_set_nest_lock_(omp_nest_lock_t **);
void omp_set_nest_lock_(omp_nest_lock_t **lock) { omp_set_nest_lock(*lock); }
void omp_unset_nest_lock_(omp_nest_lock_t **);
void omp_unset_nest_lock_(omp_nest_lock_t **lock) { omp_unset_nest_lock(*lock); }
int32_t omp_test_nest_lock_(omp_nest_lock_t **);
int32_t omp_test_nest_lock_(omp_nest_lock_t **lock) { return omp_test_nest_lock(*lock); }
