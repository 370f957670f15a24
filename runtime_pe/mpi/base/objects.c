/* objects.c: tables of handles. They grow by little, for each PE has its own. */
#include <stdlib.h>
#include <string.h>

#include "mpi_internal.h"
#include "objects.h"

enum { MORE = 4 };

void *__mog_mpi_object(const struct mpi_objects *table, int handle) {
    MPI_HOLD_TABLES
    const unsigned place = (unsigned)handle - table->first;
    return place < table->count ? table->objects[place] : NULL;
}

int __mog_mpi_add_object(struct mpi_objects *table, void *object, int *handle) {
    MPI_HOLD_TABLES
    unsigned place = table->taken;
    while (place < table->count && table->objects[place]) place++;
    if (place == table->count) {
        const unsigned added = MORE + table->count / 4;
        void **more = realloc(table->objects, (table->count + added) * sizeof *more);
        if (!more) return 0;
        memset(more + table->count, 0, added * sizeof *more);
        table->objects = more;
        table->count += added;
    }
    table->objects[place] = object;
    table->taken = place + 1;
    *handle = (int)(table->first + place);
    return 1;
}

void __mog_mpi_remove_object(struct mpi_objects *table, int handle) {
    MPI_HOLD_TABLES
    const unsigned place = (unsigned)handle - table->first;
    table->objects[place] = NULL;
    if (place < table->taken) table->taken = place;
}
