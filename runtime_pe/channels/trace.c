/* trace.c: which batches were done when, by whom, and how full stacks were then, as JSON for Perfetto or chrome://tracing. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "graph.h"

static uint32_t word_of(const mog_graph *graph, uint32_t offset) { return CHANNEL_LOAD(0, graph->block + offset); }

int __mog_graph_begin_trace(void *block) {
    const char *file = getenv("MOG_GRAPH_TRACE");
    uint32_t *words = block;
    struct timespec now;
    if (!file || !*file) return 1;
    void *events = __mog_window_piece(GRAPH_MOST_TRACED * sizeof(struct traced));
    if (!events) return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    words[GRAPH_EPOCH / 4] = (uint32_t)now.tv_sec;
    words[GRAPH_EPOCH / 4 + 1] = (uint32_t)now.tv_nsec;
    words[GRAPH_TRACE / 4] = address_of(events);
    return 1;
}

uint32_t __mog_graph_now(const mog_graph *graph) {
    struct timespec now;
    if (CHANNEL_READ(0, graph->block + GRAPH_TRACE) == 0) return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint32_t seconds = (uint32_t)now.tv_sec - word_of(graph, GRAPH_EPOCH);
    const uint32_t time = seconds * 1000000u + (uint32_t)now.tv_nsec / 1000u - word_of(graph, GRAPH_EPOCH + 4) / 1000u;
    return time ? time : 1;
}

void __mog_graph_trace(const mog_stack *stack, uint32_t level, uint32_t count, uint32_t ready, uint32_t begin) {
    const mog_graph *graph = stack->graph;
    const uint32_t at = CHANNEL_ADD(0, graph->block + GRAPH_TRACED, 1);
    if (at >= GRAPH_MOST_TRACED) return;
    struct traced *events = (struct traced *)CHANNEL_WORD(word_of(graph, GRAPH_TRACE));
    events[at] = (struct traced){begin, __mog_graph_now(graph), (uint32_t)IPROC, __mog_self.id, stack->number, level, count, ready};
}

static void print_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; ++text)
        if (*text == '"' || *text == '\\') fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ') fprintf(out, "\\u%04x", *text);
        else fputc(*text, out);
    fputc('"', out);
}

int __mog_graph_write_trace(const mog_graph *graph, const char *file) {
    FILE *out = fopen(file, "w");
    if (!out) return -1;
    const uint32_t made = word_of(graph, GRAPH_TRACED), count = made < GRAPH_MOST_TRACED ? made : GRAPH_MOST_TRACED;
    const struct traced *events = (const struct traced *)CHANNEL_WORD(word_of(graph, GRAPH_TRACE));
    fputs("{\"traceEvents\": [", out);
    for (int pe = 0; pe < NPROC; ++pe)
        fprintf(out, "\n{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"args\": {\"name\": \"PE %d\"}},", pe, pe);
    fprintf(out, "\n{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"args\": {\"name\": ", NPROC);
    print_string(out, graph->name);
    fputs("}}", out);
    for (uint32_t i = 0; i < count; ++i) {
        const struct traced *one = &events[i];
        const mog_stack *stack = &graph->stacks[one->stack];
        fputs(",\n{\"ph\": \"X\", \"name\": ", out);
        print_string(out, stack->node->name);
        fprintf(out, ", \"ts\": %lu, \"dur\": %lu, \"pid\": %lu, \"tid\": %lu, \"args\": {\"level\": %lu, \"elements\": %lu}},\n",
                (unsigned long)one->begin, (unsigned long)(one->end - one->begin), (unsigned long)one->pe, (unsigned long)one->thread,
                (unsigned long)one->level, (unsigned long)one->count);
        fputs("{\"ph\": \"C\", \"name\": ", out);
        print_string(out, stack->name);
        fprintf(out, ", \"ts\": %lu, \"pid\": %d, \"args\": {\"ready\": %lu}}", (unsigned long)one->begin, NPROC,
                (unsigned long)one->ready);
    }
    fprintf(out, "\n], \"batches\": %lu, \"batches left out\": %lu}\n", (unsigned long)made, (unsigned long)(made - count));
    return fclose(out) == 0 ? 0 : -1;
}
