/* functions.c: the functions of <omp.h>: locks, what is asked and set, memory, devices that are not there, time. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEAM = 6, ROUNDS = 400 };

static void locks(void) {
    omp_lock_t lock, hinted;
    omp_nest_lock_t nested;
    long counts[3] = {0}, tried = 0, got = 0;
    omp_init_lock(&lock);
    omp_init_lock(&hinted);
    omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(TEAM) reduction(+ : got)
    for (int i = 0; i < ROUNDS; ++i) {
        omp_set_lock(&lock);
        ++counts[0];
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nested);
        omp_set_nest_lock(&nested);
        ++counts[1];
        omp_unset_nest_lock(&nested);
        ++counts[1];
        omp_unset_nest_lock(&nested);
        if (omp_test_lock(&hinted)) {
            ++tried;
            ++got;
            omp_unset_lock(&hinted);
        }
    }
    printf("locks %ld %ld tried %d\n", counts[0], counts[1], tried == got && tried >= 1);
    omp_set_lock(&lock);
    printf("taken: %d", omp_test_lock(&lock));
    omp_unset_lock(&lock);
    printf(" free: %d\n", omp_test_lock(&lock));
    omp_unset_lock(&lock);
    const int once = omp_test_nest_lock(&nested), twice = omp_test_nest_lock(&nested);
    printf("nested: %d %d", once, twice);
    int other = -1;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) other = omp_test_nest_lock(&nested);
    printf(" other %d", other);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        other = omp_test_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
    }
    printf(" then %d\n", other);
    omp_destroy_lock(&lock);
    omp_destroy_lock(&hinted);
    omp_destroy_nest_lock(&nested);
}

static void levels(void) {
    printf("serial: %d of %d, level %d active %d in parallel %d, ancestor %d %d, size %d %d\n", omp_get_thread_num(), omp_get_num_threads(), omp_get_level(),
           omp_get_active_level(), omp_in_parallel(), omp_get_ancestor_thread_num(0), omp_get_ancestor_thread_num(1), omp_get_team_size(0), omp_get_team_size(7));
    omp_set_max_active_levels(2);
    printf("levels %d supported %d nested %d\n", omp_get_max_active_levels(), omp_get_supported_active_levels() > 1, omp_get_nested());
    omp_set_nested(0);
    printf("nested %d levels %d\n", omp_get_nested(), omp_get_max_active_levels());
    omp_set_max_active_levels(-3);
    printf("levels %d\n", omp_get_max_active_levels());
}

static void schedules(void) {
    static const struct {
        omp_sched_t kind;
        int chunk;
    } asked[] = {{omp_sched_static, 5}, {omp_sched_static, 0},  {omp_sched_dynamic, 0}, {omp_sched_dynamic, 7},
                 {omp_sched_guided, 3}, {omp_sched_guided, -1}, {omp_sched_auto, 4},    {omp_sched_static | omp_sched_monotonic, 2}};
    for (unsigned i = 0; i < sizeof asked / sizeof *asked; ++i) {
        omp_sched_t kind;
        int chunk;
        omp_set_schedule(asked[i].kind, asked[i].chunk);
        omp_get_schedule(&kind, &chunk);
        printf("schedule %x %d: %x %d\n", asked[i].kind, asked[i].chunk, kind, (kind & 7) == omp_sched_auto ? 0 : chunk);
    }
}

/* What a region sets is its own; what was set before is what its threads begin with. */
static void inherited(void) {
    int wrong = 0;
    omp_set_num_threads(3);
    omp_set_dynamic(1);
    printf("dynamic %d", omp_get_dynamic());
    omp_set_dynamic(0);
    printf(" %d, most %d\n", omp_get_dynamic(), omp_get_max_threads());
    omp_set_schedule(omp_sched_guided, 9);
#pragma omp parallel reduction(+ : wrong)
    {
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        wrong += omp_get_max_threads() != 3 || omp_get_num_threads() != 3 || kind != omp_sched_guided || chunk != 9;
        omp_set_num_threads(10 + omp_get_thread_num());
        omp_set_schedule(omp_sched_dynamic, 1 + omp_get_thread_num());
#pragma omp barrier
        omp_get_schedule(&kind, &chunk);
        wrong += omp_get_max_threads() != 10 + omp_get_thread_num() || chunk != 1 + omp_get_thread_num();
#pragma omp task
        omp_set_num_threads(77);
#pragma omp taskwait
        wrong += omp_get_max_threads() != 10 + omp_get_thread_num();
    }
    printf("inherited: wrong %d, most %d\n", wrong, omp_get_max_threads());
    omp_set_num_threads(-4);
    printf("at least %d\n", omp_get_max_threads());
}

static void memory(void) {
    static const omp_allocator_handle_t allocators[] = {omp_null_allocator,      omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc,
                                                        omp_high_bw_mem_alloc,   omp_low_lat_mem_alloc, omp_cgroup_mem_alloc,    omp_pteam_mem_alloc,
                                                        omp_thread_mem_alloc};
    int wrong = 0;
    for (unsigned i = 0; i < sizeof allocators / sizeof *allocators; ++i) {
        char *plain = omp_alloc(100, allocators[i]), *aligned = omp_aligned_alloc(128, 256, allocators[i]), *zero = omp_calloc(10, 30, allocators[i]);
        if (!plain || !aligned || !zero) {
            ++wrong;
            continue;
        }
        memset(plain, 1, 100);
        wrong += (uintptr_t)aligned % 128 != 0;
        for (int k = 0; k < 300; ++k) wrong += zero[k] != 0;
        plain = omp_realloc(plain, 5000, allocators[i], allocators[i]);
        for (int k = 0; k < 100; ++k) wrong += plain[k] != 1;
        omp_free(plain, allocators[i]);
        omp_free(aligned, omp_null_allocator);
        omp_free(zero, allocators[i]);
    }
    /* A pool of its own that is soon used up: null, or from elsewhere. */
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1024}, {omp_atk_fallback, omp_atv_null_fb}, {omp_atk_alignment, 64}};
    omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 3, traits);
    void *first = omp_alloc(400, small), *second = omp_alloc(900, small);
    printf("pool: %d %d aligned %d", first != NULL, second != NULL, (uintptr_t)first % 64 == 0);
    omp_free(first, small);
    second = omp_alloc(700, small);
    printf(" again %d\n", second != NULL);
    omp_free(second, small);
    omp_destroy_allocator(small);
    omp_alloctrait_t other[] = {{omp_atk_pool_size, 64}, {omp_atk_fallback, omp_atv_allocator_fb}, {omp_atk_fb_data, omp_large_cap_mem_alloc}};
    omp_allocator_handle_t falls = omp_init_allocator(omp_default_mem_space, 3, other);
    first = omp_alloc(4000, falls);
    printf("fallback: %d", first != NULL);
    omp_free(first, falls);
    omp_destroy_allocator(falls);
    omp_alloctrait_t invalid[] = {{omp_atk_alignment, 3}};
    printf(" invalid %d", omp_init_allocator(omp_default_mem_space, 1, invalid) == omp_null_allocator);
    omp_set_default_allocator(omp_high_bw_mem_alloc);
    printf(" default %d, wrong %d\n", omp_get_default_allocator() == omp_high_bw_mem_alloc, wrong);
    int summed = 0;
#pragma omp parallel num_threads(TEAM) reduction(+ : summed)
    {
        int list[20], one = 3;
#pragma omp task firstprivate(one) allocate(omp_default_mem_alloc : one) shared(list)
        list[0] = one;
#pragma omp taskwait
        summed += list[0];
    }
    printf("allocate %d\n", summed);
}

static void devices(void) {
    int here = 1, list[6] = {1, 2, 3, 4, 5, 6}, copy[6] = {0};
    printf("devices %d initial %d is %d default %d", omp_get_num_devices(), omp_get_initial_device() == omp_get_num_devices(), omp_is_initial_device(),
           omp_get_default_device());
    omp_set_default_device(3);
    printf(" then %d", omp_get_default_device());
    omp_set_default_device(0);
#pragma omp target map(tofrom : here) map(to : list)
    here += omp_is_initial_device() + list[5];
    printf(" target %d", here);
    const int device = omp_get_initial_device();
    void *memory = omp_target_alloc(sizeof list, device);
    printf(" copies %d", omp_target_memcpy(memory, list, sizeof list, 0, 0, device, device));
    printf(" %d", omp_target_memcpy(copy, memory, 2 * sizeof *list, 0, sizeof *list, device, device));
    omp_target_free(memory, device);
    printf(" %d %d %d present %d\n", copy[0], copy[1], copy[2], omp_target_is_present(list, device));
    int square[4][4], part[4][4] = {{0}};
    for (int i = 0; i < 16; ++i) square[i / 4][i % 4] = i;
    printf("rectangle %d:",
           omp_target_memcpy_rect(part, square, sizeof(int), 2, (size_t[]){2, 3}, (size_t[]){1, 0}, (size_t[]){2, 1}, (size_t[]){4, 4}, (size_t[]){4, 4}, device, device));
    for (int i = 0; i < 16; ++i) printf(" %d", part[i / 4][i % 4]);
    printf("\npause %d %d\n", omp_pause_resource(omp_pause_soft, device), omp_pause_resource_all(omp_pause_hard));
    int again = 0;
#pragma omp parallel num_threads(TEAM) reduction(+ : again)
    again += omp_get_thread_num() + (omp_pause_resource(omp_pause_soft, device) == -1);
    printf("after the pause %d\n", again);
}

static void texts(void) {
    char text[60];
    size_t length;
    omp_set_affinity_format("%0.4n/%N level %L|%5n|%.5n|%{thread_num}|%%");
    length = omp_get_affinity_format(text, sizeof text);
    printf("format %zu \"%s\"\n", length, text);
    omp_get_affinity_format(text, 5);
    printf("cut \"%s\"\n", text);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        length = omp_capture_affinity(text, sizeof text, "team of %N at level %{nesting_level}, %t of %T");
        printf("captured %zu \"%s\"\n", length, text);
    }
    length = omp_capture_affinity(text, sizeof text, "");
    printf("captured %zu \"%s\"\n", length, text);
    length = omp_capture_affinity(text, 8, "0123456789");
    printf("captured %zu \"%s\"\n", length, text);
}

static void others(void) {
    const double begin = omp_get_wtime();
    double now;
    do now = omp_get_wtime();
    while (now - begin < 0.002);
    printf("time %d tick %d\n", now > begin, omp_get_wtick() > 0 && omp_get_wtick() < 1);
    printf("priority %d cancellation %d final %d\n", omp_get_max_task_priority(), omp_get_cancellation(), omp_in_final());
    printf("limit %d procs %d places %d %d bind %d\n", omp_get_thread_limit() > 1000, omp_get_num_procs() > 0, omp_get_num_places(), omp_get_place_num(),
           omp_get_proc_bind());
    printf("teams %d %d most %d limit %d\n", omp_get_num_teams(), omp_get_team_num(), omp_get_max_teams(), omp_get_teams_thread_limit());
    omp_set_num_teams(4);
    omp_set_teams_thread_limit(5);
    printf("teams most %d limit %d\n", omp_get_max_teams(), omp_get_teams_thread_limit());
    int seen = 0;
#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : seen)
    {
        int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
        inner += 1;
        seen += 100 * omp_get_num_teams() + 10 * omp_get_team_num() + inner;
    }
    printf("league %d\n", seen);
#pragma omp teams distribute parallel for num_teams(2) reduction(+ : seen)
    for (int i = 0; i < 100; ++i) seen += i;
    printf("distributed %d\n", seen);
}

int main(void) {
    locks();
    levels();
    schedules();
    inherited();
    memory();
    devices();
    texts();
    others();
    return 0;
}
