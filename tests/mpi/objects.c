/* What belongs to types, windows and requests: attributes, names, functions of the program that are called for them. */
#include "check.h"

/* ---- attributes ---- */

static char told[200]; /* what functions were called for */

static int copy_next(MPI_Datatype type, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)type, (void)key;
    strcat(told, extra);
    *(char **)copy = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int tell(int object, int key, void *value, void *extra)
{
    (void)object, (void)key, (void)extra;
    strcat(told, value);
    return MPI_SUCCESS;
}

static int refuse(int object, int key, void *value, void *extra)
{
    (void)object, (void)key, (void)value;
    return *(int *)extra ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void attributes_of_types(void)
{
    int next, plain, none, firm, flag, refuses = 1;
    char text[] = "abc", *value;
    MPI_Datatype type, copy;
    MPI_Type_create_keyval(copy_next, (MPI_Type_delete_attr_function *)tell, &next, "+");
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &plain, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &none, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, (MPI_Type_delete_attr_function *)refuse, &firm, &refuses);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_get_attr(type, next, &value, &flag);
    CHECK(!flag);
    MPI_Type_set_attr(type, next, text);
    MPI_Type_set_attr(type, plain, text);
    MPI_Type_set_attr(type, none, text);
    MPI_Type_dup(type, &copy);
    CHECK(strcmp(told, "+") == 0);
    MPI_Type_get_attr(copy, next, &value, &flag);
    CHECK(flag && value == text + 1);
    MPI_Type_get_attr(copy, plain, &value, &flag);
    CHECK(flag && value == text);
    MPI_Type_get_attr(copy, none, &value, &flag);
    CHECK(!flag);
    MPI_Type_set_attr(copy, next, text + 2); /* what was there is deleted */
    CHECK(strcmp(told, "+bc") == 0);
    MPI_Type_delete_attr(copy, plain);
    MPI_Type_get_attr(copy, plain, &value, &flag);
    CHECK(!flag);
    MPI_Type_free(&copy);
    CHECK(strcmp(told, "+bcc") == 0);

    /* A keyval stays until its last attribute goes; a type stays if a function does not let it go. */
    MPI_Type_free_keyval(&next);
    CHECK(next == MPI_KEYVAL_INVALID);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_set_attr(type, firm, text);
#ifndef OPEN_MPI /* which forgets what functions return */
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS);
#endif
    refuses = 0;
    CHECK(MPI_Type_free(&type) == MPI_SUCCESS && type == MPI_DATATYPE_NULL);
    CHECK(strcmp(told, "+bccabc") == 0);
    CHECK(MPI_Type_set_attr(MPI_INT, MPI_TAG_UB, text) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);

    /* Types that are always there have attributes, too. */
    MPI_Type_set_attr(MPI_DOUBLE, plain, text);
    MPI_Type_get_attr(MPI_DOUBLE, plain, &value, &flag);
    CHECK(flag && value == text);
    MPI_Type_dup(MPI_DOUBLE, &copy);
    MPI_Type_get_attr(copy, plain, &value, &flag);
    CHECK(flag && value == text);
    MPI_Type_free(&copy);
    MPI_Type_delete_attr(MPI_DOUBLE, plain);
    MPI_Type_free_keyval(&plain);
    MPI_Type_free_keyval(&none);
    MPI_Type_free_keyval(&firm);
}

static void attributes_of_windows(void)
{
    int key, flag, x = 0;
    char *value;
    MPI_Win window;
    told[0] = 0;
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, (MPI_Win_delete_attr_function *)tell, &key, NULL);
    MPI_Win_get_attr(window, key, &value, &flag);
    CHECK(!flag);
    MPI_Win_set_attr(window, key, "w");
    MPI_Win_get_attr(window, key, &value, &flag);
    CHECK(flag && strcmp(value, "w") == 0);
    MPI_Win_set_attr(window, key, "v");
    MPI_Win_get_attr(window, MPI_WIN_BASE, &value, &flag);
    CHECK(flag && value == (char *)&x);
    MPI_Win_delete_attr(window, key);
    CHECK(strcmp(told, "wv") == 0);
    MPI_Win_set_attr(window, key, "u");
    MPI_Win_free_keyval(&key);
    MPI_Win_free(&window);
    CHECK(strcmp(told, "wvu") == 0);
}

static void names(void)
{
    static const struct {
        MPI_Datatype type;
        const char *name;
    } known[] = {{MPI_INT, "MPI_INT"},       {MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR"}, {MPI_PACKED, "MPI_PACKED"},
                 {MPI_2INT, "MPI_2INT"},     {MPI_DOUBLE_INT, "MPI_DOUBLE_INT"},       {MPI_UINT64_T, "MPI_UINT64_T"},
                 {MPI_COUNT, "MPI_COUNT"},   {MPI_C_BOOL, "MPI_C_BOOL"}};
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Datatype type;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        MPI_Type_get_name(known[i].type, name, &length);
        CHECK(strcmp(name, known[i].name) == 0 && length == (int)strlen(name));
    }
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_get_name(type, name, &length);
    CHECK(length == 0 && !*name);
    MPI_Type_set_name(type, "two");
    MPI_Type_set_name(type, "two of them");
    MPI_Type_get_name(type, name, &length);
    CHECK(strcmp(name, "two of them") == 0 && length == 11);
    MPI_Type_free(&type);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_get_name(type, name, &length);
    CHECK(length == 0);
    MPI_Type_free(&type);
}

/* ---- generalized requests ---- */

static int queries, frees, cancels;

static int query(void *extra, MPI_Status *status)
{
    queries++;
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
    MPI_Status_set_cancelled(status, cancels > 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = *(int *)extra;
    return MPI_SUCCESS;
}
static int release(void *extra)
{
    frees++;
    return *(int *)extra == 9 ? MPI_ERR_OTHER : MPI_SUCCESS;
}
static int cancel(void *extra, int is_complete)
{
    (void)extra;
    cancels += is_complete ? 10 : 1;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    int extra = 5, flag, count, index, in = -1, right = (rank + 1) % size;
    MPI_Request request, requests[3];
    MPI_Status status, statuses[3];
    MPI_Grequest_start(query, release, cancel, &extra, &request);
    MPI_Test(&request, &flag, &status);
    CHECK(!flag && !queries);
    MPI_Grequest_complete(request);
    MPI_Request_get_status(request, &flag, &status);
    CHECK(flag && queries == 1 && !frees && status.MPI_TAG == 5);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(queries == 2 && frees == 1 && count == 5 && status.MPI_SOURCE == 3 && request == MPI_REQUEST_NULL);

    /* With others in a list: what is done is found, whatever it is. */
    MPI_Grequest_start(query, release, cancel, &extra, requests);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests + 1);
    MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Waitany(2, requests, &index, &status);
    CHECK(index == 1 && in == (rank + size - 1) % size);
    MPI_Testsome(2, requests, &count, &index, &status);
    CHECK(count == 0);
    MPI_Cancel(requests);
    CHECK(cancels == 1);
    MPI_Grequest_complete(requests[0]);
    MPI_Cancel(requests);
    CHECK(cancels == 11);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, requests + 1);
    MPI_Isend(&rank, 1, MPI_INT, right, 2, MPI_COMM_WORLD, requests + 2);
    MPI_Waitall(3, requests, statuses);
    MPI_Test_cancelled(statuses, &flag);
    CHECK(flag && statuses[0].MPI_TAG == 5 && statuses[1].MPI_TAG == 2 && frees == 2);

    /* Freed before it is done, and after: nobody asks for a status. */
    const int asked = queries;
    MPI_Grequest_start(query, release, cancel, &extra, &request);
    requests[0] = request;
    MPI_Request_free(&request);
    CHECK(frees == 2 && request == MPI_REQUEST_NULL);
    MPI_Grequest_complete(requests[0]);
    CHECK(frees == 3);
    MPI_Grequest_start(query, release, cancel, &extra, &request);
    MPI_Grequest_complete(request);
    MPI_Request_free(&request);
    CHECK(frees == 4 && queries == asked);

    /* What the functions return comes back. */
#ifndef OPEN_MPI
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    extra = 9;
    MPI_Grequest_start(query, release, cancel, &extra, &request);
    MPI_Grequest_complete(request);
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
#endif
}

/* ---- collectives of neighbours that are under way ---- */

static void neighbours(void)
{
    enum { LONG = 3000 }; /* more than what goes before it is received */
    const int period = 1, left = (rank + size - 1) % size, right = (rank + 1) % size;
    int flag, index, seen = 0, *out = malloc(2 * LONG * sizeof *out), *in = malloc(2 * LONG * sizeof *in), around[2] = {-1, -1};
    MPI_Comm ring;
    MPI_Request requests[3];
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring);
    for (int i = 0; i < 2 * LONG; i++)
        out[i] = 10 * rank + i / LONG;
    MPI_Ineighbor_alltoall(out, LONG, MPI_INT, in, LONG, MPI_INT, ring, requests);
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, ring, requests + 1);
    MPI_Ibarrier(ring, requests + 2);
    for (int i = 0; i < 3; i++) {
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
        seen |= 1 << index;
    }
    CHECK(seen == 7 && around[0] == left && around[1] == right);
    CHECK(in[0] == 10 * left + 1 && in[LONG - 1] == 10 * left + 1 && in[LONG] == 10 * right && in[2 * LONG - 1] == 10 * right);

    /* Blocks of their own sizes and types, which may be freed meanwhile. */
    const int counts[2] = {1, 2}, received[2] = {2, 1}, places[2] = {0, 1}, got_places[2] = {0, 2};
    const MPI_Aint bytes[2] = {0, 4 * sizeof(int)};
    int got[8] = {0}, apart[8] = {0};
    MPI_Datatype types[2] = {MPI_INT, MPI_DATATYPE_NULL};
    MPI_Type_vector(2, 1, 2, MPI_INT, types + 1);
    MPI_Type_commit(types + 1);
    out[0] = rank, out[1] = rank + 1000, out[2] = rank + 2000;
    MPI_Ineighbor_alltoallv(out, counts, places, MPI_INT, got, received, got_places, MPI_INT, ring, requests);
    MPI_Ineighbor_allgatherv(out, 1, MPI_INT, in, (const int[]){1, 1}, (const int[]){3, 1}, MPI_INT, ring, requests + 1);
    MPI_Ineighbor_alltoallw(out, counts, (const MPI_Aint[]){0, sizeof(int)}, (const MPI_Datatype[]){MPI_INT, MPI_INT}, apart, (const int[]){1, 1}, bytes,
                            (const MPI_Datatype[]){types[1], MPI_INT}, ring, requests + 2);
    MPI_Type_free(types + 1);
    do
        MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
    while (!flag);
    CHECK(got[0] == left + 1000 && got[1] == left + 2000 && got[2] == right && in[3] == left && in[1] == right);
    CHECK(apart[0] == left + 1000 && apart[2] == left + 2000 && apart[1] == 0 && apart[4] == right);
    MPI_Comm_free(&ring);
    free(out);
    free(in);
}

/* ---- statuses ---- */

static void statuses(void)
{
    static const MPI_Count counts[] = {0, 1, 0x7fffffff, 0x123456789ll, 1ll << 40};
    MPI_Status status;
    MPI_Count count;
    int narrow, flag;
    memset(&status, 0, sizeof status);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        MPI_Status_set_elements_x(&status, MPI_DOUBLE, counts[i]);
        MPI_Status_set_cancelled(&status, (int)i & 1);
        MPI_Get_elements_x(&status, MPI_DOUBLE, &count);
        CHECK(count == counts[i]);
        MPI_Get_elements(&status, MPI_DOUBLE, &narrow);
        CHECK(narrow == (counts[i] <= 0x7fffffff ? (int)counts[i] : MPI_UNDEFINED));
        MPI_Get_count(&status, MPI_DOUBLE, &narrow);
        CHECK(narrow == (counts[i] <= 0x7fffffff ? (int)counts[i] : MPI_UNDEFINED));
        MPI_Test_cancelled(&status, &flag);
        CHECK(flag == ((int)i & 1));
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    attributes_of_types();
    attributes_of_windows();
    check_part("attributes");
    names();
    check_part("names");
    generalized();
    check_part("generalized requests");
    neighbours();
    check_part("neighbours");
    statuses();
    check_part("statuses");
    return check_end();
}
