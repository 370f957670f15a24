/* settings.c: what OMP_* variables say, and what programs ask and set by functions of <omp.h>. */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "openmp.h"

struct environment omp_environment;

void omp_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("OpenMP: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

/* ---- variables ---- */

static void complain(const char *name, const char *value) {
    fprintf(stderr, "OpenMP: %s=%s is not understood, and is left out\n", name, value);
}

/* A whole number from `least` on; the name's value, or what was there. With `end`, more may follow. */
static bool read_number(const char *text, unsigned long least, unsigned long *number, char **end) {
    while (isspace((unsigned char)*text)) ++text;
    if (!isdigit((unsigned char)*text)) return false;
    *number = strtoul(text, end, 10);
    while (isspace((unsigned char)**end)) ++*end;
    return *number >= least;
}
static unsigned long number_of(const char *name, unsigned long least, unsigned long otherwise) {
    const char *value = getenv(name);
    unsigned long number;
    char *end;
    if (!value) return otherwise;
    if (read_number(value, least, &number, &end) && !*end) return number;
    complain(name, value);
    return otherwise;
}
static bool flag_of(const char *name, bool otherwise) {
    const char *value = getenv(name);
    if (!value) return otherwise;
    if (strcasecmp(value, "true") == 0) return true;
    if (strcasecmp(value, "false") != 0) complain(name, value);
    return false;
}

static void read_threads(struct environment *all) {
    const char *name = "OMP_NUM_THREADS", *value = getenv(name);
    if (!value) return;
    unsigned long number;
    unsigned levels = 1;
    char *end = (char *)value;
    for (const char *comma = value; (comma = strchr(comma, ',')); ++comma) ++levels;
    unsigned *list = malloc(levels * sizeof *list);
    for (unsigned i = 0; list && i < levels; ++i, ++end) {
        if (!read_number(end, 1, &number, &end) || *end != (i + 1 < levels ? ',' : 0)) {
            complain(name, value);
            free(list);
            return;
        }
        list[i] = (unsigned)number;
    }
    if (!list) return;
    all->first.threads = list[0];
    all->threads = list;
    all->threads_levels = levels;
}

static void read_schedule(struct settings *first) {
    static const struct {
        const char *name;
        omp_sched_t kind;
    } kinds[] = {{"static", omp_sched_static}, {"dynamic", omp_sched_dynamic}, {"guided", omp_sched_guided}, {"auto", omp_sched_auto}};
    const char *name = "OMP_SCHEDULE", *value = getenv(name), *text = value;
    if (!value) return;
    for (const char *colon; (colon = strchr(text, ':'));) text = colon + 1; /* monotonic: all are */
    while (isspace((unsigned char)*text)) ++text;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        const size_t length = strlen(kinds[i].name);
        if (strncasecmp(text, kinds[i].name, length) != 0) continue;
        text += length;
        while (isspace((unsigned char)*text)) ++text;
        unsigned long chunk = kinds[i].kind == omp_sched_dynamic || kinds[i].kind == omp_sched_guided;
        char *end = (char *)text;
        if (*text == ',' && !read_number(text + 1, 1, &chunk, &end)) break;
        if (*end || chunk > INT_MAX) break;
        first->schedule = kinds[i].kind;
        first->chunk = (unsigned)chunk;
        return;
    }
    complain(name, value);
}

/* A size in KiB, or with B, K, M or G behind it. */
static void read_stack(struct environment *all) {
    const char *name = getenv("OMP_STACKSIZE") ? "OMP_STACKSIZE" : "GOMP_STACKSIZE", *value = getenv(name);
    unsigned long number;
    char *end;
    if (!value) return;
    static const char units[] = "BKMG";
    const char *unit = read_number(value, 1, &number, &end) ? *end ? strchr(units, toupper((unsigned char)*end)) : units + 1 : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units) : 0;
    if (!unit || (*end && end[1] && !isspace((unsigned char)end[1])) || number > SIZE_MAX >> shift) {
        complain(name, value);
        return;
    }
    all->stack = number << shift;
    if (all->stack < PTHREAD_STACK_MIN) all->stack = PTHREAD_STACK_MIN;
}

static void read_allocator(struct settings *first) {
    static const struct {
        const char *name;
        omp_allocator_handle_t handle;
    } allocators[] = {{"omp_default_mem_alloc", omp_default_mem_alloc}, {"omp_large_cap_mem_alloc", omp_large_cap_mem_alloc},
                      {"omp_const_mem_alloc", omp_const_mem_alloc},     {"omp_high_bw_mem_alloc", omp_high_bw_mem_alloc},
                      {"omp_low_lat_mem_alloc", omp_low_lat_mem_alloc}, {"omp_cgroup_mem_alloc", omp_cgroup_mem_alloc},
                      {"omp_pteam_mem_alloc", omp_pteam_mem_alloc},     {"omp_thread_mem_alloc", omp_thread_mem_alloc}};
    const char *name = "OMP_ALLOCATOR", *value = getenv(name);
    first->allocator = omp_default_mem_alloc;
    if (!value) return;
    for (size_t i = 0; i < sizeof allocators / sizeof *allocators; ++i)
        if (strcasecmp(value, allocators[i].name) == 0) {
            first->allocator = allocators[i].handle;
            return;
        }
    complain(name, value);
}

static void read_all(void) {
    struct environment *all = &omp_environment;
    all->first =
        (struct settings){.threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN), .schedule = omp_sched_dynamic, .chunk = 1, .levels = 1};
    read_threads(all);
    read_schedule(&all->first);
    read_stack(all);
    all->first.dynamic = flag_of("OMP_DYNAMIC", false);
    const bool nested = flag_of("OMP_NESTED", all->threads_levels > 1);
    all->first.levels = (unsigned)number_of("OMP_MAX_ACTIVE_LEVELS", 0, nested ? INT_MAX : 1);
    all->thread_limit = (unsigned)number_of("OMP_THREAD_LIMIT", 1, UINT_MAX);
    all->cancellation = flag_of("OMP_CANCELLATION", false);
    all->priority = (int)number_of("OMP_MAX_TASK_PRIORITY", 0, 0);
    all->first.device = (int)number_of("OMP_DEFAULT_DEVICE", 0, 0);
    all->teams = (int)number_of("OMP_NUM_TEAMS", 1, 0);
    all->teams_threads = (int)number_of("OMP_TEAMS_THREAD_LIMIT", 1, 0);
    read_allocator(&all->first);
    all->affinity_format = getenv("OMP_AFFINITY_FORMAT");
    if (!all->affinity_format) all->affinity_format = "level %L thread %i affinity %A";
    all->display_affinity = flag_of("OMP_DISPLAY_AFFINITY", false);
    const char *shows = getenv("OMP_DISPLAY_ENV");
    if (shows && strcasecmp(shows, "false") != 0) omp_display_env(strcasecmp(shows, "verbose") == 0);
}
void omp_read_environment(void) {
    static pthread_once_t done = PTHREAD_ONCE_INIT;
    pthread_once(&done, read_all);
}

static const char *name_of(omp_sched_t kind) {
    switch ((int)(kind & 7)) {
        case omp_sched_static: return "STATIC";
        case omp_sched_guided: return "GUIDED";
        case omp_sched_auto: return "AUTO";
        default: return "DYNAMIC";
    }
}
void omp_display_env(int verbose) {
    const struct environment *all = &omp_environment;
    const struct settings *first = &all->first;
    fputs("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n", stderr);
    fprintf(stderr, "  OMP_DYNAMIC = '%s'\n  OMP_NESTED = '%s'\n  OMP_NUM_THREADS = '%u", first->dynamic ? "TRUE" : "FALSE",
            first->levels > 1 ? "TRUE" : "FALSE", first->threads);
    for (unsigned i = 1; i < all->threads_levels; ++i) fprintf(stderr, ",%u", all->threads[i]);
    fprintf(stderr, "'\n  OMP_SCHEDULE = '%s,%u'\n  OMP_STACKSIZE = '%lu'\n", name_of(first->schedule), first->chunk,
            (unsigned long)all->stack);
    fprintf(stderr, "  OMP_THREAD_LIMIT = '%u'\n  OMP_MAX_ACTIVE_LEVELS = '%u'\n  OMP_CANCELLATION = '%s'\n", all->thread_limit,
            first->levels, all->cancellation ? "TRUE" : "FALSE");
    fprintf(stderr, "  OMP_DEFAULT_DEVICE = '%d'\n  OMP_MAX_TASK_PRIORITY = '%d'\n", first->device, all->priority);
    if (verbose) fprintf(stderr, "  OMP_ALLOCATOR = '%lu'\n", (unsigned long)first->allocator);
    if (verbose) fprintf(stderr, "  OMP_NUM_TEAMS = '%d'\n  OMP_TEAMS_THREAD_LIMIT = '%d'\n", all->teams, all->teams_threads);
    fputs("OPENMP DISPLAY ENVIRONMENT END\n", stderr);
}

/* ---- functions ---- */

static struct settings *own_settings(void) { return &omp_task(omp_self())->settings; }

void omp_set_num_threads(int threads) { own_settings()->threads = threads > 0 ? (unsigned)threads : 1; }
/* Each member asks for these two in each of its loops: nothing is begun for that. */
int omp_get_num_threads(void) { return omp_own.team ? (int)omp_own.team->threads : 1; }
int omp_get_thread_num(void) { return (int)omp_own.number; }
int omp_get_max_threads(void) { return (int)own_settings()->threads; }
int omp_get_num_procs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
int omp_in_parallel(void) { return omp_self()->team->active_level > 0; }
int omp_in_final(void) { return omp_task(omp_self())->final; }
void omp_set_dynamic(int dynamic) { own_settings()->dynamic = dynamic != 0; }
int omp_get_dynamic(void) { return own_settings()->dynamic; }
int omp_get_supported_active_levels(void) { return INT_MAX; }
void omp_set_max_active_levels(int levels) {
    if (levels >= 0) own_settings()->levels = (unsigned)levels;
}
int omp_get_max_active_levels(void) { return (int)own_settings()->levels; }
void omp_set_nested(int nested) { own_settings()->levels = nested ? INT_MAX : 1; }
int omp_get_nested(void) { return own_settings()->levels > 1; }
void omp_set_schedule(omp_sched_t kind, int chunk) {
    struct settings *settings = own_settings();
    const omp_sched_t plain = kind & ~(unsigned)omp_sched_monotonic;
    if (plain < omp_sched_static || plain > omp_sched_auto) return;
    settings->schedule = kind;
    settings->chunk = chunk > 0 ? (unsigned)chunk : plain == omp_sched_static || plain == omp_sched_auto ? 0 : 1;
}
void omp_get_schedule(omp_sched_t *kind, int *chunk) {
    *kind = own_settings()->schedule;
    *chunk = (int)own_settings()->chunk;
}
int omp_get_thread_limit(void) {
    const unsigned limit = omp_self()->team->contention->limit;
    return limit > INT_MAX ? INT_MAX : (int)limit;
}
int omp_get_cancellation(void) {
    omp_self();
    return omp_environment.cancellation;
}
int omp_get_max_task_priority(void) {
    omp_self();
    return omp_environment.priority;
}
int omp_get_level(void) { return (int)omp_self()->team->level; }
int omp_get_active_level(void) { return (int)omp_self()->team->active_level; }

static const struct team *team_at(int level, unsigned *number) {
    const struct context *own = omp_self();
    const struct team *team = own->team;
    if (level < 0 || (unsigned)level > team->level) return NULL;
    *number = own->number;
    while (team->level > (unsigned)level) {
        *number = team->outer_number;
        team = team->outer;
    }
    return team;
}
int omp_get_ancestor_thread_num(int level) {
    unsigned number;
    return team_at(level, &number) ? (int)number : -1;
}
int omp_get_team_size(int level) {
    unsigned number;
    const struct team *team = team_at(level, &number);
    return team ? (int)team->threads : -1;
}

double omp_get_wtime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
double omp_get_wtick(void) {
    struct timespec step;
    clock_getres(CLOCK_MONOTONIC, &step);
    return (double)step.tv_sec + (double)step.tv_nsec * 1e-9;
}

/* ---- places: threads are wherever there is room ---- */

omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
int omp_get_num_places(void) { return 0; }
int omp_get_place_num_procs(int place) { return (void)place, 0; }
void omp_get_place_proc_ids(int place, int *numbers) { (void)place, (void)numbers; }
int omp_get_place_num(void) { return -1; }
int omp_get_partition_num_places(void) { return 0; }
void omp_get_partition_place_nums(int *numbers) { (void)numbers; }

void omp_set_affinity_format(const char *format) {
    omp_self();
    char *copy = strdup(format);
    if (copy) omp_environment.affinity_format = copy;
}
size_t omp_get_affinity_format(char *text, size_t room) {
    omp_self();
    return (size_t)snprintf(text, room, "%s", omp_environment.affinity_format);
}

/* The fields of the format: %L or %{nesting_level} and so on, with 0, a dot and a width before the letter. */
static void print_field(char *text, size_t room, const char *flags, int letter) {
    char format[24];
    const bool zeros = flags[0] == '0', right = strchr(flags, '.') != NULL;
    const int width = atoi(flags + strspn(flags, "0."));
    long number = 0;
    const char *word = NULL;
    char machine[65] = "";
    switch (letter) {
        case 't': number = 0; break;
        case 'T': number = 1; break;
        case 'L': number = omp_get_level(); break;
        case 'n': number = omp_get_thread_num(); break;
        case 'N': number = omp_get_num_threads(); break;
        case 'a': number = omp_get_ancestor_thread_num(omp_get_level() - 1); break;
        case 'i':
        case 'P': number = getpid(); break;
        case 'H':
            gethostname(machine, sizeof machine);
            word = machine;
            break;
        case 'A':
            snprintf(machine, sizeof machine, "0-%d", omp_get_num_procs() - 1);
            word = machine;
            break;
        default: word = "undefined"; break;
    }
    snprintf(format, sizeof format, "%%%s%s*%s", right ? "" : "-", zeros && right && !word ? "0" : "", word ? "s" : "ld");
    if (word) snprintf(text, room, format, width, word);
    else snprintf(text, room, format, width, number);
}

size_t omp_capture_affinity(char *text, size_t room, const char *format) {
    static const struct {
        const char *name;
        char letter;
    } names[] = {{"team_num", 't'},      {"num_teams", 'T'}, {"nesting_level", 'L'}, {"thread_num", 'n'},       {"num_threads", 'N'},
                 {"ancestor_tnum", 'a'}, {"host", 'H'},      {"process_id", 'P'},    {"native_thread_id", 'i'}, {"thread_affinity", 'A'}};
    omp_self();
    if (!format || !*format) format = omp_environment.affinity_format;
    size_t length = 0;
    while (*format) {
        char field[100] = {*format};
        if (*format++ == '%' && *format) {
            char flags[12];
            size_t count = strspn(format, "0.123456789");
            snprintf(flags, sizeof flags, "%.*s", (int)count, format);
            format += count;
            int letter = *format++;
            if (letter == '{') {
                const char *end = strchr(format, '}');
                letter = 0;
                for (size_t i = 0; end && i < sizeof names / sizeof *names; ++i)
                    if (strlen(names[i].name) == (size_t)(end - format) && strncmp(names[i].name, format, (size_t)(end - format)) == 0)
                        letter = names[i].letter;
                format = end ? end + 1 : format + strlen(format);
            }
            if (letter == '%') strcpy(field, "%");
            else print_field(field, sizeof field, flags, letter);
        }
        for (const char *from = field; *from; ++from, ++length)
            if (length + 1 < room) text[length] = *from;
    }
    if (room) text[length < room ? length : room - 1] = 0;
    return length;
}
void omp_display_affinity(const char *format) {
    char text[400];
    omp_capture_affinity(text, sizeof text, format);
    fprintf(stderr, "%s\n", text);
}
