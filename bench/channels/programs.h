/* programs.h: what the four programs have in common. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <mog.h>
#include <mog/graph.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* With PADDED no two elements are in one line of a cache. */
#ifdef PADDED
#define ELEMENT __attribute__((aligned(64)))
#else
#define ELEMENT
#endif

static inline int number(int argc, char **argv, int which, int usual) { return argc > which ? atoi(argv[which]) : usual; }
static inline void *need(void *what) {
    if (what) return what;
    perror("channels");
    exit(1);
}
static inline void *execute_too(void *graph) { return (void *)(intptr_t)mog_graph_execute(graph); }

/* With the variable ALONE no reservations are made together; with COUNTED they are counted; with TIMED it is measured how long workers wait for a scheduler. */
static inline mog_graph *open_graph(const char *name, int threads) {
    mog_graph *graph = need(mog_graph_open(name, (uint32_t)(NPROC * threads)));
    const mog_channel_options options = {(getenv("ALONE") ? MOG_CHANNEL_ALONE : 0) | (getenv("COUNTED") ? MOG_CHANNEL_COUNTED : 0), 0, 0};
    mog_graph_channels(graph, &options);
    if (getenv("TIMED")) mog_graph_measure(graph);
    return graph;
}

static MOG_SHARED int over;

/* By so many threads of this PE. Whether this PE is the last one that is done: it tells the result. With the variable STATISTICS it says on standard error what was done. */
static inline int execute(mog_graph *graph, int threads) {
    struct timespec begin, end;
    pthread_t *others = need(calloc((size_t)threads, sizeof *others));
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 1; i < threads; ++i)
        if (pthread_create(&others[i], NULL, execute_too, graph)) exit((perror("pthread_create"), 1));
    if (mog_graph_execute(graph) != 0) exit((perror("mog_graph_execute"), 1));
    for (int i = 1; i < threads; ++i) pthread_join(others[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    free(others);
    if (__atomic_add_fetch(&over, 1, __ATOMIC_ACQ_REL) != NPROC) return 0;
    if (getenv("STATISTICS")) {
        const mog_graph_statistics s = mog_graph_get_statistics(graph);
        const double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
        fprintf(stderr, "%.4f seconds %u elements %u batches %u full %u helps %u bytes %u levels %u reservations %u cas %u asked %llu worked %llu waited\n", seconds, (unsigned)s.elements, (unsigned)s.batches,
                (unsigned)s.full_batches, (unsigned)s.helps, (unsigned)s.help_bytes, (unsigned)s.most_levels, (unsigned)s.reservations, (unsigned)s.cas, (unsigned)s.asked,
                (unsigned long long)s.worked_ns, (unsigned long long)s.waited_ns);
    }
    return 1;
}

#endif
