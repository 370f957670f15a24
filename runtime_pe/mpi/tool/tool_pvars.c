/* tool_pvars.c: performance variables of MPI_T. Levels are what they are when they are read; counters begin with their handle at 0, and may
 * be set. All are continuous: they cannot be stopped. */
#include <stdlib.h>

#include "tools.h"

struct mog_mpi_tool_pvar {
    struct mog_mpi_tool_pvar *next;
    const struct mpi_tool_variable *variable;
    unsigned long long zero; /* of a counter: what the engine said when it was 0 */
};
struct mog_mpi_tool_session {
    struct mog_mpi_tool_session *next;
    struct mog_mpi_tool_pvar *handles;
};
static struct mog_mpi_tool_session *sessions;

static const struct mpi_tool_variable variables[] = {
    {"unexpected_messages", "messages that have come to this rank, and have not been received", MOG_MPI_UNEXPECTED, MPI_T_PVAR_CLASS_LEVEL},
    {"posted_receives", "receives of this rank for which no message has come", MOG_MPI_POSTED, MPI_T_PVAR_CLASS_LEVEL},
    {"kept_bytes", "bytes that messages take which are not received yet, and whose senders went on, to any rank of this process",
     MOG_MPI_KEPT_BYTES, MPI_T_PVAR_CLASS_LEVEL},
    {"sent_messages", "messages that this rank has sent: point to point, by the program", MOG_MPI_SENT_MESSAGES, MPI_T_PVAR_CLASS_COUNTER},
    {"sent_bytes", "bytes of these", MOG_MPI_SENT_BYTES, MPI_T_PVAR_CLASS_COUNTER},
};
enum { COUNT = sizeof variables / sizeof *variables };
const struct mpi_tool_variables __mog_mpi_pvars = {variables, COUNT};

static int is_counter(const struct mpi_tool_variable *variable) { return variable->class == MPI_T_PVAR_CLASS_COUNTER; }

MPI_DEFINE(T_pvar_get_num, int *count) {
    MPI_TOOLS_READY();
    MPI_TOOL_SET(count, COUNT);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_pvar_get_info, int index, char *name, int *name_length, int *verbosity, int *class, MPI_Datatype *type,
           MPI_T_enum *enumeration, char *description, int *description_length, int *bind, int *is_readonly, int *is_continuous,
           int *is_atomic) {
    const int code = __mog_mpi_tool_info(&__mog_mpi_pvars, index, name, name_length, verbosity, type, enumeration, description,
                                         description_length, bind);
    if (code != MPI_SUCCESS) return code;
    MPI_TOOL_SET(class, variables[index].class);
    MPI_TOOL_SET(is_readonly, !is_counter(variables + index));
    MPI_TOOL_SET(is_continuous, 1);
    MPI_TOOL_SET(is_atomic, 0);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_pvar_get_index, const char *name, int class, int *index) {
    MPI_TOOLS_READY();
    if (!name || !index) return MPI_T_ERR_INVALID;
    const int found = __mog_mpi_tool_index(&__mog_mpi_pvars, name);
    if (found < 0 || variables[found].class != class) return MPI_T_ERR_INVALID_NAME;
    *index = found;
    return MPI_SUCCESS;
}

/* ---- sessions and handles ---- */

/* Null: it is none. */
static MPI_T_pvar_session find_session(MPI_T_pvar_session session) {
    MPI_T_pvar_session s = sessions;
    while (s && s != session) s = s->next;
    return s;
}

MPI_DEFINE(T_pvar_session_create, MPI_T_pvar_session *session) {
    MPI_TOOLS_READY();
    MPI_T_pvar_session s = session ? calloc(1, sizeof *s) : NULL;
    if (!s) return session ? MPI_T_ERR_MEMORY : MPI_T_ERR_INVALID;
    s->next = sessions;
    sessions = *session = s;
    return MPI_SUCCESS;
}

MPI_DEFINE(T_pvar_session_free, MPI_T_pvar_session *session) {
    MPI_TOOLS_READY();
    MPI_T_pvar_session s = session ? find_session(*session) : NULL;
    if (!s) return MPI_T_ERR_INVALID_SESSION;
    MPI_T_pvar_session *place = &sessions;
    while (*place != s) place = &(*place)->next;
    *place = s->next;
    while (s->handles) {
        MPI_T_pvar_handle const handle = s->handles;
        s->handles = handle->next;
        free(handle);
    }
    free(s);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(T_pvar_handle_alloc, MPI_T_pvar_session session, int index, void *object, MPI_T_pvar_handle *handle, int *count) {
    (void)object;
    MPI_TOOLS_READY();
    MPI_T_pvar_session const s = find_session(session);
    if (!s || !handle || (unsigned)index >= COUNT)
        return !s ? MPI_T_ERR_INVALID_SESSION : !handle ? MPI_T_ERR_INVALID : MPI_T_ERR_INVALID_INDEX;
    MPI_T_pvar_handle const made = malloc(sizeof *made);
    if (!made) return MPI_T_ERR_OUT_OF_HANDLES;
    *made = (struct mog_mpi_tool_pvar){s->handles, variables + index,
                                       is_counter(variables + index) ? __mog_mpi_tool_value(variables + index) : 0};
    s->handles = *handle = made;
    MPI_TOOL_SET(count, 1);
    return MPI_SUCCESS;
}

/* The place of a handle. An error: there is none in this session. */
static int find_handle(MPI_T_pvar_session session, MPI_T_pvar_handle handle, MPI_T_pvar_handle **place) {
    MPI_TOOLS_READY();
    MPI_T_pvar_session const s = find_session(session);
    if (!s) return MPI_T_ERR_INVALID_SESSION;
    *place = &s->handles;
    while (**place && **place != handle) *place = &(**place)->next;
    return **place ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

MPI_DEFINE(T_pvar_handle_free, MPI_T_pvar_session session, MPI_T_pvar_handle *handle) {
    MPI_T_pvar_handle *place;
    const int code = handle ? find_handle(session, *handle, &place) : MPI_T_ERR_INVALID_HANDLE;
    if (code != MPI_SUCCESS) return code;
    *place = (*handle)->next;
    free(*handle);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

/* ---- values ---- */

/* All that can be started, which are none, or one, which cannot. */
static int start_or_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    MPI_T_pvar_handle *place;
    const int code = find_handle(session, handle, &place);
    return code == MPI_T_ERR_INVALID_HANDLE && handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS
           : code == MPI_SUCCESS                                                ? MPI_T_ERR_PVAR_NO_STARTSTOP
                                                                                : code;
}
MPI_DEFINE(T_pvar_start, MPI_T_pvar_session session, MPI_T_pvar_handle handle) { return start_or_stop(session, handle); }
MPI_DEFINE(T_pvar_stop, MPI_T_pvar_session session, MPI_T_pvar_handle handle) { return start_or_stop(session, handle); }

MPI_DEFINE(T_pvar_read, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *value) {
    MPI_T_pvar_handle *place;
    const int code = find_handle(session, handle, &place);
    if (code == MPI_SUCCESS) *(unsigned long long *)value = __mog_mpi_tool_value(handle->variable) - handle->zero;
    return code;
}

/* A counter is so much now. */
static int set(MPI_T_pvar_handle handle, unsigned long long value) {
    if (!is_counter(handle->variable)) return MPI_T_ERR_PVAR_NO_WRITE;
    handle->zero = __mog_mpi_tool_value(handle->variable) - value;
    return MPI_SUCCESS;
}

MPI_DEFINE(T_pvar_write, MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *value) {
    MPI_T_pvar_handle *place;
    const int code = find_handle(session, handle, &place);
    return code == MPI_SUCCESS ? set(handle, *(const unsigned long long *)value) : code;
}

MPI_DEFINE(T_pvar_reset, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    MPI_T_pvar_handle *place;
    const int code = find_handle(session, handle, &place);
    if (code != MPI_T_ERR_INVALID_HANDLE || handle != MPI_T_PVAR_ALL_HANDLES) return code == MPI_SUCCESS ? set(handle, 0) : code;
    /* Those that cannot be set are left out. */
    for (MPI_T_pvar_handle h = session->handles; h; h = h->next) set(h, 0);
    return MPI_SUCCESS;
}

/* Nothing is sent between the two, for a PE has one thread. */
MPI_DEFINE(T_pvar_readreset, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *value) {
    MPI_T_pvar_handle *place;
    const int code = find_handle(session, handle, &place);
    if (code != MPI_SUCCESS || !is_counter(handle->variable)) return code != MPI_SUCCESS ? code : MPI_T_ERR_PVAR_NO_WRITE;
    PMPI_T_pvar_read(session, handle, value);
    return set(handle, 0);
}
