/* mpi_files.h: MPI-IO; a part of mpi.h, which includes it. */
#ifndef MOG_MPI_FILES_API_H
#define MOG_MPI_FILES_API_H

typedef struct mpi_file *MPI_File;
typedef void MPI_File_errhandler_function(MPI_File *file, int *code, ...);
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;

#define MPI_FILE_NULL ((MPI_File)0)
#define MPI_MODE_RDONLY 2
#define MPI_MODE_RDWR 8
#define MPI_MODE_WRONLY 4
#define MPI_MODE_CREATE 1
#define MPI_MODE_EXCL 64
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_UNIQUE_OPEN 32
#define MPI_MODE_APPEND 128
#define MPI_MODE_SEQUENTIAL 256
#define MPI_SEEK_SET 600
#define MPI_SEEK_CUR 602
#define MPI_SEEK_END 604
#define MPI_DISPLACEMENT_CURRENT (-54278278)
#define MPI_MAX_DATAREP_STRING 128

MOG_MPI_FUNCTION(File_open, MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file);
MOG_MPI_FUNCTION(File_close, MPI_File *file);
MOG_MPI_FUNCTION(File_delete, const char *name, MPI_Info info);
MOG_MPI_FUNCTION(File_set_size, MPI_File file, MPI_Offset size);
MOG_MPI_FUNCTION(File_preallocate, MPI_File file, MPI_Offset size);
MOG_MPI_FUNCTION(File_get_size, MPI_File file, MPI_Offset *size);
MOG_MPI_FUNCTION(File_get_amode, MPI_File file, int *mode);
MOG_MPI_FUNCTION(File_get_group, MPI_File file, MPI_Group *group);
MOG_MPI_FUNCTION(File_set_info, MPI_File file, MPI_Info info);
MOG_MPI_FUNCTION(File_get_info, MPI_File file, MPI_Info *info);
MOG_MPI_FUNCTION(File_set_view, MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                 const char *representation, MPI_Info info);
MOG_MPI_FUNCTION(File_get_view, MPI_File file, MPI_Offset *displacement, MPI_Datatype *etype, MPI_Datatype *filetype, char *representation);
MOG_MPI_FUNCTION(File_get_byte_offset, MPI_File file, MPI_Offset offset, MPI_Offset *bytes);
MOG_MPI_FUNCTION(File_get_type_extent, MPI_File file, MPI_Datatype type, MPI_Aint *extent);
MOG_MPI_FUNCTION(File_set_atomicity, MPI_File file, int flag);
MOG_MPI_FUNCTION(File_get_atomicity, MPI_File file, int *flag);
MOG_MPI_FUNCTION(File_sync, MPI_File file);
MOG_MPI_FUNCTION(File_seek, MPI_File file, MPI_Offset offset, int whence);
MOG_MPI_FUNCTION(File_seek_shared, MPI_File file, MPI_Offset offset, int whence);
MOG_MPI_FUNCTION(File_get_position, MPI_File file, MPI_Offset *offset);
MOG_MPI_FUNCTION(File_get_position_shared, MPI_File file, MPI_Offset *offset);
MOG_MPI_FUNCTION(File_create_errhandler, MPI_File_errhandler_function *function, MPI_Errhandler *handler);
MOG_MPI_FUNCTION(File_set_errhandler, MPI_File file, MPI_Errhandler handler);
MOG_MPI_FUNCTION(File_get_errhandler, MPI_File file, MPI_Errhandler *handler);
MOG_MPI_FUNCTION(File_call_errhandler, MPI_File file, int code);

/* Reading and writing: at an offset, at the own pointer, at the one that all share. */
#define MOG_MPI_FILE_READ MPI_File file, void *buffer, int count, MPI_Datatype type
#define MOG_MPI_FILE_WRITE MPI_File file, const void *buffer, int count, MPI_Datatype type
#define MOG_MPI_FILE_READ_AT MPI_File file, MPI_Offset offset, void *buffer, int count, MPI_Datatype type
#define MOG_MPI_FILE_WRITE_AT MPI_File file, MPI_Offset offset, const void *buffer, int count, MPI_Datatype type
MOG_MPI_FUNCTION(File_read_at, MOG_MPI_FILE_READ_AT, MPI_Status *status);
MOG_MPI_FUNCTION(File_read_at_all, MOG_MPI_FILE_READ_AT, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_at, MOG_MPI_FILE_WRITE_AT, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_at_all, MOG_MPI_FILE_WRITE_AT, MPI_Status *status);
MOG_MPI_FUNCTION(File_iread_at, MOG_MPI_FILE_READ_AT, MPI_Request *request);
MOG_MPI_FUNCTION(File_iread_at_all, MOG_MPI_FILE_READ_AT, MPI_Request *request);
MOG_MPI_FUNCTION(File_iwrite_at, MOG_MPI_FILE_WRITE_AT, MPI_Request *request);
MOG_MPI_FUNCTION(File_iwrite_at_all, MOG_MPI_FILE_WRITE_AT, MPI_Request *request);
MOG_MPI_FUNCTION(File_read, MOG_MPI_FILE_READ, MPI_Status *status);
MOG_MPI_FUNCTION(File_read_all, MOG_MPI_FILE_READ, MPI_Status *status);
MOG_MPI_FUNCTION(File_write, MOG_MPI_FILE_WRITE, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_all, MOG_MPI_FILE_WRITE, MPI_Status *status);
MOG_MPI_FUNCTION(File_iread, MOG_MPI_FILE_READ, MPI_Request *request);
MOG_MPI_FUNCTION(File_iread_all, MOG_MPI_FILE_READ, MPI_Request *request);
MOG_MPI_FUNCTION(File_iwrite, MOG_MPI_FILE_WRITE, MPI_Request *request);
MOG_MPI_FUNCTION(File_iwrite_all, MOG_MPI_FILE_WRITE, MPI_Request *request);
MOG_MPI_FUNCTION(File_read_shared, MOG_MPI_FILE_READ, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_shared, MOG_MPI_FILE_WRITE, MPI_Status *status);
MOG_MPI_FUNCTION(File_iread_shared, MOG_MPI_FILE_READ, MPI_Request *request);
MOG_MPI_FUNCTION(File_iwrite_shared, MOG_MPI_FILE_WRITE, MPI_Request *request);
MOG_MPI_FUNCTION(File_read_ordered, MOG_MPI_FILE_READ, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_ordered, MOG_MPI_FILE_WRITE, MPI_Status *status);
/* In two parts. */
MOG_MPI_FUNCTION(File_read_at_all_begin, MOG_MPI_FILE_READ_AT);
MOG_MPI_FUNCTION(File_read_at_all_end, MPI_File file, void *buffer, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_at_all_begin, MOG_MPI_FILE_WRITE_AT);
MOG_MPI_FUNCTION(File_write_at_all_end, MPI_File file, const void *buffer, MPI_Status *status);
MOG_MPI_FUNCTION(File_read_all_begin, MOG_MPI_FILE_READ);
MOG_MPI_FUNCTION(File_read_all_end, MPI_File file, void *buffer, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_all_begin, MOG_MPI_FILE_WRITE);
MOG_MPI_FUNCTION(File_write_all_end, MPI_File file, const void *buffer, MPI_Status *status);
MOG_MPI_FUNCTION(File_read_ordered_begin, MOG_MPI_FILE_READ);
MOG_MPI_FUNCTION(File_read_ordered_end, MPI_File file, void *buffer, MPI_Status *status);
MOG_MPI_FUNCTION(File_write_ordered_begin, MOG_MPI_FILE_WRITE);
MOG_MPI_FUNCTION(File_write_ordered_end, MPI_File file, const void *buffer, MPI_Status *status);

#endif
