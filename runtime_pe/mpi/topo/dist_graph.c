/* dist_graph.c: graphs of which each rank has its own neighbours only. */
#include <stdlib.h>
#include <string.h>

#include "topology.h"

/* Where a topology has its lists. */
static int *sources_of(struct mpi_topology *t) { return t->data; }
static int *source_weights_of(struct mpi_topology *t) { return t->data + t->sources; }
static int *dests_of(struct mpi_topology *t) { return t->data + 2 * t->sources; }
static int *dest_weights_of(struct mpi_topology *t) { return t->data + 2 * t->sources + t->dests; }

static struct mpi_topology *new_graph(int sources, int dests, int is_weighted) {
    struct mpi_topology *const t = __mog_mpi_new_topology(MPI_DIST_GRAPH, 2 * (sources + dests));
    if (t) {
        t->sources = sources;
        t->dests = dests;
        t->is_weighted = is_weighted;
    }
    return t;
}

static int check_ranks(const struct mpi_comm *c, int count, const int ranks[]) {
    for (int i = 0; i < count; i++)
        if (c->remote_size || (unsigned)ranks[i] >= (unsigned)c->size) return MPI_ERR_RANK;
    return MPI_SUCCESS;
}

/* A list of `count` numbers; without one, `otherwise` for each. */
static void fill(int *to, int count, const int *from, int otherwise) {
    for (int i = 0; i < count; i++) to[i] = from ? from[i] : otherwise;
}
static const int *given(const int *weights) { return weights == MPI_UNWEIGHTED || weights == MPI_WEIGHTS_EMPTY ? NULL : weights; }

MPI_DEFINE(Dist_graph_create_adjacent, MPI_Comm comm, int in_count, const int sources[], const int source_weights[], int out_count,
           const int dests[], const int dest_weights[], MPI_Info info, int reorder, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    (void)info, (void)reorder;
    int code = !c ? MPI_ERR_COMM : in_count < 0 || out_count < 0 ? MPI_ERR_ARG : check_ranks(c, in_count, sources);
    if (code == MPI_SUCCESS) code = check_ranks(c, out_count, dests);
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    struct mpi_topology *const t = new_graph(in_count, out_count, source_weights != MPI_UNWEIGHTED);
    if (t) {
        fill(sources_of(t), in_count, sources, 0);
        fill(source_weights_of(t), in_count, given(source_weights), 1);
        fill(dests_of(t), out_count, dests, 0);
        fill(dest_weights_of(t), out_count, given(dest_weights), 1);
    }
    MPI_RETURN(comm, __mog_mpi_make_with_topology(c, 0, t, made));
}

/* ---- edges that any rank may give ---- */

/* What one end of an edge is told of it. */
struct edge {
    int is_out, peer, weight;
};
struct edges {
    struct edge *list; /* from malloc() */
    int count, room, failed;
};

static void add(struct edges *edges, struct edge edge) {
    if (edges->count == edges->room) {
        const int room = edges->room ? 2 * edges->room : 8;
        struct edge *more = realloc(edges->list, (size_t)room * sizeof *more);
        if (!more) {
            edges->failed = 1;
            return;
        }
        edges->list = more;
        edges->room = room;
    }
    edges->list[edges->count++] = edge;
}

/* Edges to both their ends, over a communicator that has no other messages: all are there when everybody's messages have been received,
 * which everybody says by coming to a barrier. So nobody needs to know from whom some will come. */
static void exchange(MPI_Comm comm, int count, const struct edge *out, const int *to, struct edges *in) {
    enum { WORDS = sizeof(struct edge) / sizeof(int) };
    MPI_Request *const sends = malloc((size_t)(count ? count : 1) * sizeof *sends), barrier = MPI_REQUEST_NULL;
    int is_sent = 0, is_done = 0, comes;
    if (!sends) in->failed = 1; /* who is failed takes part without edges */
    for (int i = 0; i < count && sends; i++) PMPI_Issend(out + i, WORDS, MPI_INT, to[i], 0, comm, sends + i);
    while (!is_done) {
        struct edge edge;
        PMPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &comes, MPI_STATUS_IGNORE);
        if (comes) {
            PMPI_Recv(&edge, WORDS, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
            add(in, edge);
        } else if (is_sent) {
            PMPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE);
        } else {
            is_sent = !sends || !count;
            if (!is_sent) PMPI_Testall(count, sends, &is_sent, MPI_STATUSES_IGNORE);
            if (is_sent) PMPI_Ibarrier(comm, &barrier);
        }
    }
    free(sends);
}

/* Who is told first depends on time; this does not. */
static int by_peer(const void *x, const void *y) {
    const struct edge *a = x, *b = y;
    return a->is_out != b->is_out ? a->is_out - b->is_out : a->peer != b->peer ? a->peer - b->peer : a->weight - b->weight;
}

static struct mpi_topology *topology_of(struct edges *in, int is_weighted) {
    int sources = 0;
    qsort(in->list, (size_t)in->count, sizeof *in->list, by_peer);
    while (sources < in->count && !in->list[sources].is_out) sources++;
    struct mpi_topology *const t = new_graph(sources, in->count - sources, is_weighted);
    for (int i = 0; t && i < in->count; i++) {
        const int is_out = in->list[i].is_out, place = is_out ? i - sources : i;
        (is_out ? dests_of(t) : sources_of(t))[place] = in->list[i].peer;
        (is_out ? dest_weights_of(t) : source_weights_of(t))[place] = in->list[i].weight;
    }
    return t;
}

MPI_DEFINE(Dist_graph_create, MPI_Comm comm, int count, const int sources[], const int degrees[], const int dests[], const int weights[],
           MPI_Info info, int reorder, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    long long edges = 0;
    (void)info, (void)reorder;
    int code = !c ? MPI_ERR_COMM : count < 0 ? MPI_ERR_ARG : check_ranks(c, count, sources);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        code = degrees[i] < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
        edges += degrees[i];
    }
    if (code == MPI_SUCCESS) code = edges > 1 << 24 ? MPI_ERR_ARG : check_ranks(c, (int)edges, dests);
    struct edge *const out = code == MPI_SUCCESS ? malloc((size_t)(2 * edges + 1) * (sizeof *out + sizeof(int))) : NULL;
    if (code == MPI_SUCCESS && !out) code = MPI_ERR_NO_MEM;
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    int *const to = (int *)(out + 2 * edges), *const own = (int *)given(weights);
    for (int i = 0, k = 0, n = 0; i < count; i++)
        for (int j = 0; j < degrees[i]; j++, k++) {
            const int weight = own ? own[k] : 1;
            to[n] = sources[i];
            out[n++] = (struct edge){1, dests[k], weight};
            to[n] = dests[k];
            out[n++] = (struct edge){0, sources[i], weight};
        }
    struct edges in = {NULL, 0, 0, 0};
    code = c->remote_size ? MPI_ERR_COMM : __mog_mpi_split(c, 0, c->rank, made);
    if (code == MPI_SUCCESS) {
        exchange(*made, (int)(2 * edges), out, to, &in);
        struct mpi_topology *const t = in.failed ? NULL : topology_of(&in, weights != MPI_UNWEIGHTED);
        struct mpi_comm_more *const more = __mog_mpi_comm_more(__mog_mpi_comm(*made));
        if (t && more) {
            more->topology = t;
        } else {
            free(t);
            PMPI_Comm_free(made);
            code = MPI_ERR_NO_MEM;
        }
    }
    free(in.list);
    free(out);
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Dist_graph_neighbors_count, MPI_Comm comm, int *in_count, int *out_count, int *is_weighted) {
    struct mpi_comm *c;
    const struct mpi_topology *t;
    const int code = __mog_mpi_topology(comm, MPI_DIST_GRAPH, &c, &t);
    if (code == MPI_SUCCESS) {
        *in_count = t->sources;
        *out_count = t->dests;
        *is_weighted = t->is_weighted;
    }
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Dist_graph_neighbors, MPI_Comm comm, int most_in, int sources[], int source_weights[], int most_out, int dests[],
           int dest_weights[]) {
    struct mpi_comm *c;
    const struct mpi_topology *t;
    int code = __mog_mpi_topology(comm, MPI_DIST_GRAPH, &c, &t);
    if (code == MPI_SUCCESS && (most_in < 0 || most_out < 0)) code = MPI_ERR_ARG;
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    const int in = most_in < t->sources ? most_in : t->sources, out = most_out < t->dests ? most_out : t->dests;
    struct mpi_topology *const lists = c->more->topology;
    fill(sources, in, sources_of(lists), 0);
    fill(dests, out, dests_of(lists), 0);
    if (t->is_weighted && given(source_weights)) fill(source_weights, in, source_weights_of(lists), 1);
    if (t->is_weighted && given(dest_weights)) fill(dest_weights, out, dest_weights_of(lists), 1);
    return MPI_SUCCESS;
}
