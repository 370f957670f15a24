/* picture.c: a graph as a picture: channels on the left with what was ready in them over time, nodes on the right. */
#include <stdio.h>

#include "graph.h"

enum { ROW = 70, LEFT = 20, RIGHT = 430, WIDE = 250, HIGH = 50 };

static uint32_t of_stack(const mog_graph *graph, uint32_t stack, uint32_t word) {
    return CHANNEL_LOAD(0, graph->block + GRAPH_STACKS + stack * GRAPH_STACK_BYTES + 4 * word);
}
static void print_text(FILE *out, const char *text) {
    for (; *text; ++text)
        if (*text == '<') fputs("&lt;", out);
        else if (*text == '&') fputs("&amp;", out);
        else fputc(*text, out);
}
static void line(FILE *out, int x1, int y1, int x2, int y2, const char *style) {
    fprintf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" %s marker-end=\"url(#a)\"/>\n", x1, y1, x2, y2, style);
}

int mog_graph_draw(const mog_graph *graph, const char *file) {
    FILE *out = fopen(file, "w");
    if (!out) return -1;
    const int rows = (int)(graph->stack_count > graph->node_count ? graph->stack_count : graph->node_count);
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"700\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
            rows * ROW + 50);
    fputs(
        "<defs><marker id=\"a\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"3\" orient=\"auto\"><path d=\"M0,0 L7,3 L0,6 "
        "z\"/></marker></defs>\n",
        out);
    fputs("<text x=\"20\" y=\"24\" font-size=\"15\">", out);
    print_text(out, graph->name);
    fputs("</text>\n", out);
    for (int i = 0; i < (int)graph->node_count; ++i) {
        const mog_node *node = &graph->nodes[i];
        const int y = 40 + i * ROW;
        fprintf(out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"12\" fill=\"#dde8f8\" stroke=\"#345\"/>\n<text x=\"%d\" y=\"%d\">",
                RIGHT, y, WIDE, HIGH, RIGHT + 12, y + 20);
        print_text(out, node->name);
        fprintf(out, "</text>\n<text x=\"%d\" y=\"%d\">width %lu</text>\n", RIGHT + 12, y + 38, (unsigned long)node->width);
        for (int s = 0; s < (int)graph->stack_count; ++s)
            if (node->makes >> s & 1) line(out, RIGHT, y + 36, LEFT + WIDE, 40 + s * ROW + 36, "stroke=\"#a40\" stroke-dasharray=\"4 3\"");
    }
    for (int i = 0; i < (int)graph->stack_count; ++i) {
        const mog_stack *stack = &graph->stacks[i];
        const int y = 40 + i * ROW;
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f6efdc\" stroke=\"#543\"/>\n", LEFT, y, WIDE, HIGH);
        for (int sample = 0; sample < GRAPH_SAMPLES; ++sample) {
            const uint32_t ready = of_stack(graph, (uint32_t)i, 1 + (uint32_t)sample);
            const int height = (int)((unsigned long long)ready * HIGH / stack->length);
            if (ready)
                fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"6\" height=\"%d\" fill=\"#e2b23c\"/>\n", LEFT + 4 + sample * 7,
                        y + HIGH - (height ? height : 1), height ? height : 1);
        }
        fprintf(out, "<text x=\"%d\" y=\"%d\">", LEFT + 12, y + 20);
        print_text(out, stack->name);
        fprintf(out, ": %lu elements</text>\n<text x=\"%d\" y=\"%d\">%lu of %lu at a time</text>\n",
                (unsigned long)of_stack(graph, (uint32_t)i, 0), LEFT + 12, y + 38, (unsigned long)stack->level_count,
                (unsigned long)stack->length);
        for (int n = 0; n < (int)graph->node_count; ++n)
            if (stack->node == &graph->nodes[n]) line(out, LEFT + WIDE, y + 14, RIGHT, 40 + n * ROW + 14, "stroke=\"#345\"");
    }
    fputs("</svg>\n", out);
    return fclose(out) == 0 ? 0 : -1;
}
