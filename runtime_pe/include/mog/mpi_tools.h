/* mpi_tools.h: tools; a part of mpi.h, which includes it. MPI_T: what the engine is set to, and what it counts. */
#ifndef MOG_MPI_TOOLS_API_H
#define MOG_MPI_TOOLS_API_H

typedef struct mog_mpi_tool_enum *MPI_T_enum; /* there are none */
typedef struct mog_mpi_tool_cvar *MPI_T_cvar_handle;
typedef struct mog_mpi_tool_pvar *MPI_T_pvar_handle;
typedef struct mog_mpi_tool_session *MPI_T_pvar_session;
#define MPI_T_ENUM_NULL ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_ALL_HANDLES ((MPI_T_pvar_handle)-1)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)

enum {
    MPI_T_VERBOSITY_USER_BASIC = 221,
    MPI_T_VERBOSITY_USER_DETAIL,
    MPI_T_VERBOSITY_USER_ALL,
    MPI_T_VERBOSITY_TUNER_BASIC,
    MPI_T_VERBOSITY_TUNER_DETAIL,
    MPI_T_VERBOSITY_TUNER_ALL,
    MPI_T_VERBOSITY_MPIDEV_BASIC,
    MPI_T_VERBOSITY_MPIDEV_DETAIL,
    MPI_T_VERBOSITY_MPIDEV_ALL
};
enum {
    MPI_T_BIND_NO_OBJECT = 9700,
    MPI_T_BIND_MPI_COMM,
    MPI_T_BIND_MPI_DATATYPE,
    MPI_T_BIND_MPI_ERRHANDLER,
    MPI_T_BIND_MPI_FILE,
    MPI_T_BIND_MPI_GROUP,
    MPI_T_BIND_MPI_OP,
    MPI_T_BIND_MPI_REQUEST,
    MPI_T_BIND_MPI_WIN,
    MPI_T_BIND_MPI_MESSAGE,
    MPI_T_BIND_MPI_INFO
};
enum {
    MPI_T_SCOPE_CONSTANT = 60439,
    MPI_T_SCOPE_READONLY,
    MPI_T_SCOPE_LOCAL,
    MPI_T_SCOPE_GROUP,
    MPI_T_SCOPE_GROUP_EQ,
    MPI_T_SCOPE_ALL,
    MPI_T_SCOPE_ALL_EQ
};
enum {
    MPI_T_PVAR_CLASS_STATE = 240,
    MPI_T_PVAR_CLASS_LEVEL,
    MPI_T_PVAR_CLASS_SIZE,
    MPI_T_PVAR_CLASS_PERCENTAGE,
    MPI_T_PVAR_CLASS_HIGHWATERMARK,
    MPI_T_PVAR_CLASS_LOWWATERMARK,
    MPI_T_PVAR_CLASS_COUNTER,
    MPI_T_PVAR_CLASS_AGGREGATE,
    MPI_T_PVAR_CLASS_TIMER,
    MPI_T_PVAR_CLASS_GENERIC
};

/* ---- tools: beginning and end ------------------------------------------------------------------------------------------ */
MOG_MPI_FUNCTION(T_init_thread, int required, int *provided);
MOG_MPI_FUNCTION(T_finalize, void);

/* ---- tools: control variables ------------------------------------------------------------------------------------------ */
MOG_MPI_FUNCTION(T_cvar_get_num, int *count);
MOG_MPI_FUNCTION(T_cvar_get_info, int index, char *name, int *name_length, int *verbosity, MPI_Datatype *type, MPI_T_enum *enumeration,
                 char *description, int *description_length, int *bind, int *scope);
MOG_MPI_FUNCTION(T_cvar_get_index, const char *name, int *index);
MOG_MPI_FUNCTION(T_cvar_handle_alloc, int index, void *object, MPI_T_cvar_handle *handle, int *count);
MOG_MPI_FUNCTION(T_cvar_handle_free, MPI_T_cvar_handle *handle);
MOG_MPI_FUNCTION(T_cvar_read, MPI_T_cvar_handle handle, void *value);
MOG_MPI_FUNCTION(T_cvar_write, MPI_T_cvar_handle handle, const void *value);

/* ---- tools: performance variables -------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(T_pvar_get_num, int *count);
MOG_MPI_FUNCTION(T_pvar_get_info, int index, char *name, int *name_length, int *verbosity, int *variable_class, MPI_Datatype *type,
                 MPI_T_enum *enumeration, char *description, int *description_length, int *bind, int *is_readonly, int *is_continuous,
                 int *is_atomic);
MOG_MPI_FUNCTION(T_pvar_get_index, const char *name, int variable_class, int *index);
MOG_MPI_FUNCTION(T_pvar_session_create, MPI_T_pvar_session *session);
MOG_MPI_FUNCTION(T_pvar_session_free, MPI_T_pvar_session *session);
MOG_MPI_FUNCTION(T_pvar_handle_alloc, MPI_T_pvar_session session, int index, void *object, MPI_T_pvar_handle *handle, int *count);
MOG_MPI_FUNCTION(T_pvar_handle_free, MPI_T_pvar_session session, MPI_T_pvar_handle *handle);
MOG_MPI_FUNCTION(T_pvar_start, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
MOG_MPI_FUNCTION(T_pvar_stop, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
MOG_MPI_FUNCTION(T_pvar_read, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *value);
MOG_MPI_FUNCTION(T_pvar_write, MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *value);
MOG_MPI_FUNCTION(T_pvar_reset, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
MOG_MPI_FUNCTION(T_pvar_readreset, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *value);

/* ---- tools: categories, enumerations ----------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(T_category_get_num, int *count);
MOG_MPI_FUNCTION(T_category_get_info, int index, char *name, int *name_length, char *description, int *description_length,
                 int *control_variables, int *performance_variables, int *categories);
MOG_MPI_FUNCTION(T_category_get_index, const char *name, int *index);
MOG_MPI_FUNCTION(T_category_get_cvars, int index, int count, int indices[]);
MOG_MPI_FUNCTION(T_category_get_pvars, int index, int count, int indices[]);
MOG_MPI_FUNCTION(T_category_get_categories, int index, int count, int indices[]);
MOG_MPI_FUNCTION(T_category_changed, int *stamp);
MOG_MPI_FUNCTION(T_enum_get_info, MPI_T_enum enumeration, int *count, char *name, int *name_length);
MOG_MPI_FUNCTION(T_enum_get_item, MPI_T_enum enumeration, int index, int *value, char *name, int *name_length);

#endif
