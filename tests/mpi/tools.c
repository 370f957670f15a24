/* MPI_T: variables that say what they should, and errors. Of MOG: other libraries have other variables. */
#include "check.h"

static MPI_T_pvar_session session;

static MPI_T_pvar_handle handle_of(const char *name, int variable_class)
{
    int index = -1, count = 0;
    MPI_T_pvar_handle handle;
    CHECK(MPI_T_pvar_get_index(name, variable_class, &index) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS && count == 1);
    return handle;
}

static unsigned long long value_of(MPI_T_pvar_handle handle)
{
    unsigned long long value = 12345;
    CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
    return value;
}

static void control(void)
{
    int count, index, bind, scope, length = 4, all = 0;
    char name[8] = "........";
    unsigned long long value = 1;
    MPI_Datatype type;
    MPI_T_enum enumeration;
    MPI_T_cvar_handle handle, old;
    CHECK(MPI_T_cvar_get_num(&count) == MPI_SUCCESS && count == 2);
    CHECK(MPI_T_cvar_get_index("mpi_eager", &index) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_info(index, name, &length, NULL, &type, &enumeration, NULL, &all, &bind, &scope) == MPI_SUCCESS);
    CHECK(strcmp(name, "mpi") == 0 && name[4] == '.' && length == 10 && all > 20);
    CHECK(type == MPI_UNSIGNED_LONG_LONG && enumeration == MPI_T_ENUM_NULL && bind == MPI_T_BIND_NO_OBJECT && scope == MPI_T_SCOPE_CONSTANT);
    CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS && count == 1);
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value == 4096);
    CHECK(MPI_T_cvar_write(handle, &value) == MPI_T_ERR_CVAR_SET_NEVER);
    old = handle;
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS && handle == MPI_T_CVAR_HANDLE_NULL);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_T_ERR_INVALID_HANDLE && old);
    CHECK(MPI_T_cvar_get_index("none of them", &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_cvar_get_info(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID_INDEX);
}

static void performance(void)
{
    const int next = (rank + 1) % size;
    int in[3], index, kind = -1, readonly = -1;
    char long_one[5000];
    unsigned long long kept;
    MPI_Request request;
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    const MPI_T_pvar_handle unexpected = handle_of("unexpected_messages", MPI_T_PVAR_CLASS_LEVEL),
                            posted = handle_of("posted_receives", MPI_T_PVAR_CLASS_LEVEL),
                            bytes_kept = handle_of("kept_bytes", MPI_T_PVAR_CLASS_LEVEL),
                            messages = handle_of("sent_messages", MPI_T_PVAR_CLASS_COUNTER),
                            bytes = handle_of("sent_bytes", MPI_T_PVAR_CLASS_COUNTER);
    CHECK(value_of(unexpected) == 0 && value_of(posted) == 0 && value_of(messages) == 0 && value_of(bytes) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        MPI_Send(&i, 1, MPI_INT, next, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(value_of(unexpected) == 3 && value_of(messages) == 3 && value_of(bytes) == 12);
    kept = value_of(bytes_kept);
    CHECK(kept >= 12ull * (unsigned)size);
    MPI_Irecv(long_one, sizeof long_one, MPI_CHAR, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &request);
    CHECK(value_of(posted) == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        MPI_Recv(in + i, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(long_one, sizeof long_one, MPI_CHAR, next, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(value_of(unexpected) == 0 && value_of(posted) == 0 && value_of(bytes_kept) == 0);
    CHECK(value_of(messages) == 4 && value_of(bytes) == 5012);

    /* Counters can be set; levels cannot, and nothing can be stopped. */
    unsigned long long value = 0;
    CHECK(MPI_T_pvar_readreset(session, bytes, &value) == MPI_SUCCESS && value == 5012 && value_of(bytes) == 0);
    value = 7;
    CHECK(MPI_T_pvar_write(session, bytes, &value) == MPI_SUCCESS && value_of(bytes) == 7);
    CHECK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS && value_of(bytes) == 0 && value_of(messages) == 0);
    CHECK(MPI_T_pvar_reset(session, posted) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_start(session, posted) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_get_index("sent_bytes", MPI_T_PVAR_CLASS_LEVEL, &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_pvar_get_info(0, NULL, NULL, NULL, &kind, NULL, NULL, NULL, NULL, NULL, &readonly, NULL, NULL) == MPI_SUCCESS);
    CHECK(kind == MPI_T_PVAR_CLASS_LEVEL && readonly == 1);
    MPI_T_pvar_handle freed = messages;
    CHECK(MPI_T_pvar_handle_free(session, &freed) == MPI_SUCCESS && freed == MPI_T_PVAR_HANDLE_NULL);
    CHECK(MPI_T_pvar_read(session, messages, &value) == MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_session gone = session;
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS && session == MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_pvar_read(gone, bytes, &value) == MPI_T_ERR_INVALID_SESSION);
}

static void categories(void)
{
    int count, cvars, pvars, index, list[8] = {-1, -1, -1};
    CHECK(MPI_T_category_get_num(&count) == MPI_SUCCESS && count == 1);
    CHECK(MPI_T_category_get_index("mog", &index) == MPI_SUCCESS && index == 0);
    CHECK(MPI_T_category_get_info(0, NULL, NULL, NULL, NULL, &cvars, &pvars, NULL) == MPI_SUCCESS && cvars == 2 && pvars == 5);
    CHECK(MPI_T_category_get_pvars(0, 2, list) == MPI_SUCCESS && list[0] == 0 && list[1] == 1 && list[2] == -1);
    CHECK(MPI_T_category_get_cvars(1, 2, list) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &count, NULL, NULL) == MPI_T_ERR_INVALID_HANDLE);
}

int main(int argc, char **argv)
{
    int provided, count, length;
    char text[MPI_MAX_ERROR_STRING];
    CHECK(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && provided == MPI_THREAD_SINGLE);
    control(); /* before MPI_Init */
    check_begin(&argc, &argv);
    control();
    check_part("control variables");
    performance();
    check_part("performance variables");
    categories();
    check_part("categories");
    MPI_Error_string(MPI_T_ERR_INVALID_NAME, text, &length);
    CHECK(length > 0);
    const int status = check_end();
    CHECK(MPI_T_finalize() == MPI_SUCCESS && MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED);
    return status || failures != 0;
}
