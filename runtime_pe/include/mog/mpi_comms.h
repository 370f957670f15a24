/* mpi_comms.h: groups, communicators, attributes and infos of MPI; a part of mpi.h, which includes it. */
#ifndef MOG_MPI_COMMS_API_H
#define MOG_MPI_COMMS_API_H

#define MPI_COMM_TYPE_SHARED 1

#define MPI_TAG_UB 0x64400001
#define MPI_HOST 0x64400003
#define MPI_IO 0x64400005
#define MPI_WTIME_IS_GLOBAL 0x64400007
#define MPI_UNIVERSE_SIZE 0x64400009
#define MPI_LASTUSEDCODE 0x6440000b
#define MPI_APPNUM 0x6440000d

typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void *value, void *extra);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
MPI_Comm_copy_attr_function MPI_COMM_DUP_FN;
#define MPI_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN
#define MPI_DUP_FN MPI_COMM_DUP_FN

/* ---- groups ----------------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Group_size, MPI_Group group, int *size);
MOG_MPI_FUNCTION(Group_rank, MPI_Group group, int *rank);
MOG_MPI_FUNCTION(Group_translate_ranks, MPI_Group group, int count, const int ranks[], MPI_Group other, int translated[]);
MOG_MPI_FUNCTION(Group_compare, MPI_Group group, MPI_Group other, int *result);
MOG_MPI_FUNCTION(Group_union, MPI_Group group, MPI_Group other, MPI_Group *result);
MOG_MPI_FUNCTION(Group_intersection, MPI_Group group, MPI_Group other, MPI_Group *result);
MOG_MPI_FUNCTION(Group_difference, MPI_Group group, MPI_Group other, MPI_Group *result);
MOG_MPI_FUNCTION(Group_incl, MPI_Group group, int count, const int ranks[], MPI_Group *result);
MOG_MPI_FUNCTION(Group_excl, MPI_Group group, int count, const int ranks[], MPI_Group *result);
MOG_MPI_FUNCTION(Group_range_incl, MPI_Group group, int count, int ranges[][3], MPI_Group *result);
MOG_MPI_FUNCTION(Group_range_excl, MPI_Group group, int count, int ranges[][3], MPI_Group *result);
MOG_MPI_FUNCTION(Group_free, MPI_Group *group);

/* ---- communicators ---------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Comm_group, MPI_Comm comm, MPI_Group *group);
MOG_MPI_FUNCTION(Comm_compare, MPI_Comm comm, MPI_Comm other, int *result);
MOG_MPI_FUNCTION(Comm_dup, MPI_Comm comm, MPI_Comm *made);
MOG_MPI_FUNCTION(Comm_dup_with_info, MPI_Comm comm, MPI_Info info, MPI_Comm *made);
MOG_MPI_FUNCTION(Comm_idup, MPI_Comm comm, MPI_Comm *made, MPI_Request *request);
MOG_MPI_FUNCTION(Comm_create, MPI_Comm comm, MPI_Group group, MPI_Comm *made);
MOG_MPI_FUNCTION(Comm_create_group, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made);
MOG_MPI_FUNCTION(Comm_split, MPI_Comm comm, int color, int key, MPI_Comm *made);
MOG_MPI_FUNCTION(Comm_split_type, MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made);
MOG_MPI_FUNCTION(Comm_free, MPI_Comm *comm);
MOG_MPI_FUNCTION(Comm_disconnect, MPI_Comm *comm);
MOG_MPI_FUNCTION(Comm_set_name, MPI_Comm comm, const char *name);
MOG_MPI_FUNCTION(Comm_get_name, MPI_Comm comm, char *name, int *length);
MOG_MPI_FUNCTION(Comm_set_info, MPI_Comm comm, MPI_Info info);
MOG_MPI_FUNCTION(Comm_get_info, MPI_Comm comm, MPI_Info *info);
MOG_MPI_FUNCTION(Comm_get_parent, MPI_Comm *parent);
MOG_MPI_FUNCTION(Comm_test_inter, MPI_Comm comm, int *flag);
MOG_MPI_FUNCTION(Intercomm_create, MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm *made);
MOG_MPI_FUNCTION(Intercomm_merge, MPI_Comm comm, int high, MPI_Comm *made);
MOG_MPI_FUNCTION(Comm_remote_size, MPI_Comm comm, int *size);
MOG_MPI_FUNCTION(Comm_remote_group, MPI_Comm comm, MPI_Group *group);

/* ---- attributes ------------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Comm_create_keyval, MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_function, int *keyval,
                 void *extra);
MOG_MPI_FUNCTION(Comm_free_keyval, int *keyval);
MOG_MPI_FUNCTION(Comm_set_attr, MPI_Comm comm, int keyval, void *value);
MOG_MPI_FUNCTION(Comm_get_attr, MPI_Comm comm, int keyval, void *value, int *flag);
MOG_MPI_FUNCTION(Comm_delete_attr, MPI_Comm comm, int keyval);
MOG_MPI_FUNCTION(Keyval_create, MPI_Copy_function *copy, MPI_Delete_function *delete_function, int *keyval, void *extra);
MOG_MPI_FUNCTION(Keyval_free, int *keyval);
MOG_MPI_FUNCTION(Attr_put, MPI_Comm comm, int keyval, void *value);
MOG_MPI_FUNCTION(Attr_get, MPI_Comm comm, int keyval, void *value, int *flag);
MOG_MPI_FUNCTION(Attr_delete, MPI_Comm comm, int keyval);

/* ---- infos ------------------------------------------------------------------------------------------------------------ */
MOG_MPI_FUNCTION(Info_create, MPI_Info *info);
MOG_MPI_FUNCTION(Info_dup, MPI_Info info, MPI_Info *copy);
MOG_MPI_FUNCTION(Info_free, MPI_Info *info);
MOG_MPI_FUNCTION(Info_set, MPI_Info info, const char *key, const char *value);
MOG_MPI_FUNCTION(Info_delete, MPI_Info info, const char *key);
MOG_MPI_FUNCTION(Info_get, MPI_Info info, const char *key, int length, char *value, int *flag);
MOG_MPI_FUNCTION(Info_get_valuelen, MPI_Info info, const char *key, int *length, int *flag);
MOG_MPI_FUNCTION(Info_get_nkeys, MPI_Info info, int *count);
MOG_MPI_FUNCTION(Info_get_nthkey, MPI_Info info, int number, char *key);

#endif
