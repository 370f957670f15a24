/* objects.h: tables from handles to what they stand for: communicators, groups, infos, keys of attributes. */
#ifndef MOG_MPI_OBJECTS_H
#define MOG_MPI_OBJECTS_H

struct mpi_objects {
    unsigned first; /* the handle of place 0 */
    unsigned count;
    void **objects; /* null: the place is free */
    unsigned taken; /* places before this one are not free */
};

/* Null: there is none of this handle. */
void *__mog_mpi_object(const struct mpi_objects *table, int handle);
/* False: no memory. */
int __mog_mpi_add_object(struct mpi_objects *table, void *object, int *handle);
/* The handle, which is one, stands for nothing then. */
void __mog_mpi_remove_object(struct mpi_objects *table, int handle);

#endif
