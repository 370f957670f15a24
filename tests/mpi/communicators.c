/* Groups, communicators, attributes, infos. */
#include "check.h"

static int compared(MPI_Group a, MPI_Group b)
{
    int result;
    MPI_Group_compare(a, b, &result);
    return result;
}

static int size_of(MPI_Group g)
{
    int n;
    MPI_Group_size(g, &n);
    return n;
}

/* Groups of all shapes, beside lists of their members: stretches up and down, of any distance, and ranks in no order. */
enum { SHAPES = 40 };

static unsigned next_random(void)
{
    static unsigned x = 12345;
    x = x * 1103515245u + 12345u;
    return x >> 8;
}

/* Some members, each once; returns how many. */
static int draw(int *members)
{
    int n = 0;
    char *const taken = calloc((size_t)size, 1);
    for (int stretches = (int)(next_random() % 6); stretches > 0; stretches--) {
        int at = (int)(next_random() % (unsigned)size), step = (int)(next_random() % 7) - 3;
        int count = next_random() % 3 ? (int)(next_random() % (unsigned)size) + 1 : 1;
        for (; count > 0 && at >= 0 && at < size; count--, at += step ? step : (int)(next_random() % 5) + 1)
            if (!taken[at]) {
                taken[at] = 1;
                members[n++] = at;
            }
    }
    free(taken);
    return n;
}

static int place_of(const int *members, int n, int member)
{
    for (int i = 0; i < n; i++)
        if (members[i] == member)
            return i;
    return MPI_UNDEFINED;
}

/* Whether a group has exactly these, in this order. */
static int has_members(MPI_Group group, MPI_Group world, const int *members, int n)
{
    int *const ranks = malloc((size_t)(2 * size + 1) * sizeof *ranks), *const there = ranks + size;
    int is_so = size_of(group) == n;
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    if (is_so)
        MPI_Group_translate_ranks(group, n, ranks, world, there);
    for (int i = 0; is_so && i < n; i++)
        is_so = there[i] == members[i];
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    MPI_Group_translate_ranks(world, size, ranks, group, there);
    for (int i = 0; i < size; i++)
        is_so &= there[i] == place_of(members, n, i);
    free(ranks);
    return is_so;
}

static void shapes_of_groups(void)
{
    int *const a = malloc((size_t)size * 5 * sizeof *a), *const b = a + size, *const expected = b + size; /* up to 2 * size */
    MPI_Group world, g, h, made;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int shape = 0; shape < SHAPES; shape++) {
        const int na = draw(a), nb = draw(b);
        MPI_Group_incl(world, na, a, &g);
        MPI_Group_incl(world, nb, b, &h);
        CHECK(has_members(g, world, a, na) && has_members(h, world, b, nb));

        int n = 0, common = 0, in_order = na == nb;
        for (int i = 0; i < na; i++)
            expected[n++] = a[i];
        for (int i = 0; i < nb; i++)
            if (place_of(a, na, b[i]) == MPI_UNDEFINED)
                expected[n++] = b[i];
        MPI_Group_union(g, h, &made);
        CHECK(has_members(made, world, expected, n));
        if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);

        for (int i = n = 0; i < na; i++) {
            if (place_of(b, nb, a[i]) != MPI_UNDEFINED)
                expected[n++] = a[i];
            in_order &= i < nb && a[i] == b[i];
        }
        common = n;
        MPI_Group_intersection(g, h, &made);
        CHECK(has_members(made, world, expected, n));
        if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);
        CHECK(compared(g, h) == (in_order ? MPI_IDENT : common == na && na == nb ? MPI_SIMILAR : MPI_UNEQUAL));

        for (int i = n = 0; i < na; i++)
            if (place_of(b, nb, a[i]) == MPI_UNDEFINED)
                expected[n++] = a[i];
        MPI_Group_difference(g, h, &made);
        CHECK(has_members(made, world, expected, n));
        if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);

        /* All but some, of the world and of a group that is no stretch. */
        for (int i = n = 0; i < size; i++)
            if (place_of(a, na, i) == MPI_UNDEFINED)
                expected[n++] = i;
        MPI_Group_excl(world, na, a, &made);
        CHECK(has_members(made, world, expected, n));
        if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);
        if (na > 2) {
            int places[2] = {na - 1, na / 3}, left = 0;
            for (int i = 0; i < na; i++)
                if (i != places[0] && i != places[1])
                    expected[left++] = a[i];
            MPI_Group_excl(g, 2, places, &made);
            CHECK(has_members(made, world, expected, left));
            if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);
            int back[1][3] = {{na - 1, 0, -2}};
            for (int i = na - 1, k = left = 0; i >= 0; i -= 2, k++)
                expected[left++] = a[i];
            MPI_Group_range_incl(g, 1, back, &made);
            CHECK(has_members(made, world, expected, left));
            if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);
        }
        MPI_Comm comm;
        MPI_Comm_create_group(MPI_COMM_WORLD, g, shape, &comm);
        CHECK((comm == MPI_COMM_NULL) == (place_of(a, na, rank) == MPI_UNDEFINED));
        if (comm != MPI_COMM_NULL) {
            int there;
            MPI_Comm_rank(comm, &there);
            CHECK(there == place_of(a, na, rank));
            MPI_Comm_free(&comm);
        }
        if (g != MPI_GROUP_EMPTY) MPI_Group_free(&g);
        if (h != MPI_GROUP_EMPTY) MPI_Group_free(&h);
    }
    /* Ranks whose distances leave the group and come back only as sums of 32 bits do; and one that is there twice. */
    int wild[5] = {0, 0x40000000, -0x7fffffff - 1, -0x40000000, 0}, error_class;
    const int twice[2] = {0, 0};
    (void)twice;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Group_incl(world, size < 5 ? 1 : 5, size < 5 ? wild + 1 : wild, &made), &error_class);
    CHECK(error_class == MPI_ERR_RANK);
#ifndef OMPI_MAJOR_VERSION /* which takes it */
    MPI_Error_class(MPI_Group_excl(world, 2, twice, &made), &error_class);
    CHECK(error_class == MPI_ERR_RANK);
#endif
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Group_free(&world);
    free(a);
}

static void groups(void)
{
    MPI_Group world, even, odd, all, none, back, self;
    int n, me, ranges[2][3] = {{0, (size - 1) / 2 * 2, 2}, {size - 1, 0, -1}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(MPI_COMM_SELF, &self);
    MPI_Group_rank(world, &me);
    CHECK(size_of(world) == size && me == rank && size_of(self) == 1);
    MPI_Group_range_incl(world, 1, ranges, &even);
    MPI_Group_range_excl(world, 1, ranges, &odd);
    CHECK(size_of(even) == (size + 1) / 2 && size_of(odd) == size / 2);
    MPI_Group_rank(even, &me);
    CHECK(me == (rank % 2 ? MPI_UNDEFINED : rank / 2));
    MPI_Group_union(odd, even, &all);
    CHECK(size_of(all) == size && compared(all, world) == (size == 1 ? MPI_IDENT : MPI_SIMILAR));
    MPI_Group_intersection(odd, even, &none);
    CHECK(size_of(none) == 0 && compared(none, MPI_GROUP_EMPTY) == MPI_IDENT);
    MPI_Group_free(&none);
    MPI_Group_difference(all, odd, &none);
    CHECK(compared(none, even) == MPI_IDENT);
    MPI_Group_range_incl(world, 1, ranges + 1, &back);
    int ranks[3] = {0, size - 1, MPI_PROC_NULL}, there[3];
    MPI_Group_translate_ranks(back, 3, ranks, world, there);
    CHECK(there[0] == size - 1 && there[1] == 0 && there[2] == MPI_PROC_NULL);
    MPI_Group_translate_ranks(world, 2, ranks, self, there);
    CHECK(there[0] == (rank == 0 ? 0 : MPI_UNDEFINED));
    int *some = malloc((size_t)size * sizeof *some);
    for (n = 0; n < size; n++)
        some[n] = (n * (size > 2 ? size - 1 : 1) + 1) % size;
    MPI_Group picked, rest;
    MPI_Group_incl(world, size, some, &picked);
    MPI_Group_translate_ranks(picked, 1, &rank, world, there);
    CHECK(there[0] == some[rank] && compared(picked, world) != MPI_UNEQUAL);
    MPI_Group_excl(picked, 1, &rank, &rest);
    CHECK(size_of(rest) == size - 1);
    MPI_Group_translate_ranks(world, 1, some + rank, rest, there);
    CHECK(there[0] == MPI_UNDEFINED);
    free(some);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code, error_class;
    code = MPI_Group_incl(world, 1, &size, &none);
    MPI_Error_class(code, &error_class);
    CHECK(error_class == MPI_ERR_RANK);
    CHECK(MPI_Group_size(MPI_GROUP_NULL, &n) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Group *const freed[] = {&world, &even, &odd, &all, &none, &back, &self, &picked, &rest};
    for (n = 0; n < (int)(sizeof freed / sizeof *freed); n++)
        if (*freed[n] != MPI_GROUP_EMPTY)
            MPI_Group_free(freed[n]);
    CHECK(world == MPI_GROUP_NULL);
}

/* All ranks add theirs. */
static int sum(MPI_Comm comm)
{
    int all;
    MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, comm);
    return all;
}

static int compared_comms(MPI_Comm a, MPI_Comm b)
{
    int result;
    MPI_Comm_compare(a, b, &result);
    return result;
}

static void making(void)
{
    MPI_Comm copy, later, half, turned, alone, created, grouped;
    MPI_Request request;
    int me, n, got = -1, flag;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    CHECK(sum(copy) == size * (size - 1) / 2 && compared_comms(copy, MPI_COMM_WORLD) == MPI_CONGRUENT && compared_comms(copy, copy) == MPI_IDENT);
    MPI_Comm_idup(copy, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Messages of one communicator do not meet receives of another. */
    MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % size, 5, later, &request);
    int one = 1, two = 2;
    MPI_Request sends[2];
    MPI_Isend(&one, 1, MPI_INT, (rank + size - 1) % size, 5, copy, sends);
    MPI_Isend(&two, 1, MPI_INT, (rank + size - 1) % size, 5, later, sends + 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got == 2);
    MPI_Recv(&got, 1, MPI_INT, (rank + 1) % size, 5, copy, MPI_STATUS_IGNORE);
    CHECK(got == 1);
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    MPI_Comm_split(copy, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &n);
    CHECK(n == (size + 1 - rank % 2) / 2 && me == n - 1 - rank / 2);
    MPI_Comm_split(copy, rank == 0 ? MPI_UNDEFINED : 3, 0, &turned);
    CHECK((turned == MPI_COMM_NULL) == (rank == 0));
    if (turned != MPI_COMM_NULL)
        CHECK(sum(turned) == size * (size - 1) / 2);
    MPI_Comm_split_type(copy, MPI_UNDEFINED, 0, MPI_INFO_NULL, &alone);
    CHECK(alone == MPI_COMM_NULL);
    MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &alone);
    CHECK(alone != MPI_COMM_NULL);
    MPI_Group world, some;
    int range[1][3] = {{size - 1, size / 2, -1}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &some);
    MPI_Comm_create(copy, some, &created);
    CHECK((created != MPI_COMM_NULL) == (rank >= size / 2));
    if (rank >= size / 2) {
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &grouped);
        MPI_Comm_rank(grouped, &me);
        CHECK(me == size - 1 - rank && compared_comms(created, grouped) == MPI_CONGRUENT && sum(grouped) == sum(created));
        MPI_Comm_free(&grouped);
        MPI_Comm_free(&created);
    }
    MPI_Comm_test_inter(copy, &flag);
    CHECK(!flag);
    MPI_Comm_get_parent(&created);
    CHECK(created == MPI_COMM_NULL);
    MPI_Group_free(&world);
    MPI_Group_free(&some);
    if (turned != MPI_COMM_NULL)
        MPI_Comm_free(&turned);
    MPI_Comm_disconnect(&alone);
    MPI_Comm_free(&half);
    MPI_Comm_free(&later);
    MPI_Comm_free(&copy);
    CHECK(copy == MPI_COMM_NULL);
}

static int handled;
static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static void names_and_errors(void)
{
    MPI_Comm copy, child;
    MPI_Errhandler own, got;
    char name[MPI_MAX_OBJECT_NAME];
    int length, n = 0;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "mine");
    MPI_Comm_get_name(copy, name, &length);
    CHECK(strcmp(name, "mine") == 0 && length == 4);
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Comm_dup(copy, &child); /* inherits it */
    MPI_Send(&n, 1, MPI_INT, size, 0, child);
    CHECK(handled == 1);
    MPI_Comm_get_errhandler(child, &got);
    CHECK(got == own);
    MPI_Errhandler_free(&own);
    MPI_Comm_free(&child);
    MPI_Comm_free(&copy);
}

static int copies, deletes;
static int copy_double(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag)
{
    (void)comm, (void)keyval;
    copies += *(int *)extra;
    *(void **)copy = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}
static int count_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value;
    deletes += *(int *)extra;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    static int ten = 10;
    char text[4];
    void *value;
    int key, plain, kept, flag;
    MPI_Comm copy, again;
    MPI_Comm_create_keyval(copy_double, count_delete, &key, &ten);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &plain, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_get_attr(copy, key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_set_attr(copy, key, text);
    MPI_Comm_set_attr(copy, plain, text);
    MPI_Comm_set_attr(copy, kept, text + 3);
    MPI_Comm_dup(copy, &again);
    CHECK(copies == 10);
    MPI_Comm_get_attr(again, key, &value, &flag);
    CHECK(flag && value == text + 1);
    MPI_Comm_get_attr(again, plain, &value, &flag);
    CHECK(!flag);
    MPI_Comm_get_attr(again, kept, &value, &flag);
    CHECK(flag && value == text + 3);
    MPI_Comm_set_attr(again, key, text + 2);
    CHECK(deletes == 10);
    MPI_Comm_delete_attr(again, key);
    CHECK(deletes == 20);
    MPI_Comm_free(&again);
    CHECK(deletes == 20);
    /* A keyval goes with its last attribute; until then other copies of it are good. */
    const int same_key = key;
    MPI_Comm_free_keyval(&key);
    CHECK(key == MPI_KEYVAL_INVALID && deletes == 20);
    MPI_Comm_get_attr(copy, same_key, &value, &flag);
    CHECK(flag && value == text);
    MPI_Comm_free(&copy);
    CHECK(deletes == 30);
    MPI_Comm_free_keyval(&plain);
    MPI_Comm_free_keyval(&kept);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    CHECK(flag && *(int *)value >= 32767);
}

static void infos(void)
{
    MPI_Info info, copy;
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1];
    int n, flag;
    MPI_Info_create(&info);
    MPI_Info_set(info, "one", "1");
    MPI_Info_set(info, "long", "a longer value");
    MPI_Info_set(info, "one", "first");
    MPI_Info_get_nkeys(info, &n);
    CHECK(n == 2);
    MPI_Info_get_valuelen(info, "long", &n, &flag);
    CHECK(flag && n == 14);
    MPI_Info_get(info, "long", 8, value, &flag);
    CHECK(flag && strcmp(value, "a longer") == 0);
    memset(value, 'x', sizeof value);
    MPI_Info_get(info, "long", MPI_MAX_INFO_VAL, value, &flag);
    CHECK(flag && strcmp(value, "a longer value") == 0 && value[MPI_MAX_INFO_VAL] == 'x');
    MPI_Info_get(info, "none", 8, value, &flag);
    CHECK(!flag);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "one");
    MPI_Info_get_nthkey(info, 0, key);
    CHECK(strcmp(key, "long") == 0);
    MPI_Info_get(copy, "one", MPI_MAX_INFO_VAL, value, &flag);
    CHECK(flag && strcmp(value, "first") == 0);
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    CHECK(info == MPI_INFO_NULL);
    MPI_Info_get_nkeys(MPI_INFO_ENV, &n);
    CHECK(n > 0);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    groups();
    shapes_of_groups();
    check_part("groups");
    making();
    check_part("making");
    names_and_errors();
    check_part("names and errors");
    attributes();
    check_part("attributes");
    infos();
    check_part("infos");
    return check_end();
}
