/* mpi_call.h: the call through which a PE's MPI library reaches the host's engine. Both include this file (C and C++).
 *
 * There is one system call, mog_mpi of syscalls.def, with eight words: $a0-$a3 and four words of the stack, which __mog_mpi() of call.S passes.
 *
 *   word 0   MOG_MPI_WORD(operation, flags, type, reduction)
 *   word 1   the communicator's context
 *   word 2   the caller's rank in it, which the engine checks
 *   3 to 7   as the table of operations says
 *
 * Result, in $v0: 0 or more if all went well; minus an error class of MPI if not, and then nothing was done, unless the class is
 * MPI_ERR_TRUNCATE. Nothing is printed by the engine: the library calls the communicator's error handler (mpi_failed() in
 * mpi_internal.h). Addresses and lengths are checked against the PE's memory: MPI_ERR_BUFFER.
 *
 * Blocking operations return when they are done. With MOG_MPI_NONBLOCKING they return at once: 0 if the operation is done already,
 * else its number, 1 or more. When it is done the engine writes a result block (below) into the PE's memory, where the library sees it
 * without a call; only what is not done yet needs MOG_MPI_WAIT. A result block must stay where it is until then.
 *
 * Communicators. A context is a number that the engine gives out for all members at once, and for which it keeps one table from rank to
 * world rank: 0 is MPI_COMM_WORLD (rank = PE), 1 MPI_COMM_SELF. The library keeps context, rank and size of the PE's own communicators. A
 * context with MOG_MPI_INTERNAL set names the same members, and its messages match only each other: for messages of the library itself
 * (reductions with the user's operations, for example).
 *
 * What travels is bytes. The library packs what does not lie in one piece, and unpacks. Types are named by the low byte of their handle,
 * for reductions and for checks, pairs with bit 7 (MOG_MPI_TYPE_ID); 0 says nothing.
 */
#ifndef MOG_ABI_MPI_CALL_H
#define MOG_ABI_MPI_CALL_H

#define MOG_MPI_WORD(operation, flags, type, reduction) \
    ((unsigned)(operation) | (unsigned)(flags) << 8 | ((unsigned)(type) & 0xffu) << 16 | ((unsigned)(reduction) & 0xffu) << 24)

/* What words of calls call a type of mpi_types.def: the low byte of its handle, with bit 7 for pairs of a value and an int. */
#define MOG_MPI_IS_VALUE_AND_INT(handle) ((unsigned)(handle) >> 24 == (unsigned)MPI_FLOAT_INT >> 24)
#define MOG_MPI_TYPE_ID(handle) ((MOG_MPI_IS_VALUE_AND_INT(handle) ? 0x80u : 0u) | ((unsigned)(handle) & 0xffu))

#define MOG_MPI_NONBLOCKING 1u
#define MOG_MPI_SYNCHRONOUS 2u  /* SEND: done when it is matched */
#define MOG_MPI_MATCHED 4u      /* PROBE: takes the message out of matching; RECEIVE: of such a message, word 3 is its number */

#define MOG_MPI_REMOTE 8u       /* SEND, MEMBERS: see intercommunicators */
#define MOG_MPI_ASKS_ON 16u     /* PROBE, WAIT, YIELD: asked again and again by a caller that does nothing else until something is done */

#define MOG_MPI_INTERNAL 0x80000000u
#define MOG_MPI_NO_CONTEXT 0xffffffffu
#define MOG_MPI_WORLD 0u
#define MOG_MPI_SELF 1u

/* Operations: name, number, the function of MPI that it is told as, the names of words 1 to 7 ("-": not used), as the deadlock report and
 * --strace show them.
 *
 * initialize   MPI_Init has been called.
 * finalize     Returns when every PE has come to it, or has ended. `types` handles of types were not freed.
 * abort        Ends the run with the status `code`. `bytes` at `text`: why, and after it the text of an error class, if one is given; of the
 *              first one that comes it is told.
 * yield        Returns in the next round: what MPI_Test does between two looks at its result blocks.
 * send         `bytes` at `address` to rank `peer`. Done when the bytes may be overwritten. Result block: for nonblocking ones.
 * receive      From rank `peer` (MPI_ANY_SOURCE, tag MPI_ANY_TAG) at most `bytes`. Result block: 0, or where the envelope goes.
 * probe        Waits for an envelope; nonblocking ones return 1 if there is one, else 0. With MOG_MPI_MATCHED the result, less 1, is the
 *              message's number.
 * wait         Until `need` of the `count` operations at `list` (an array of numbers) are done, since their start. Numbers that the engine
 *              does not know count as done. count 1: `list` is the number itself. What it need not wait for, it
 *              counts: `need` 0 asks how many are done.
 * cancel       A receive that is not matched, or a send that is still here: its result block says MOG_MPI_CANCELLED. Else no effect.
 * collectives  All members come, with the same operation, root, type and count; then all of it is done at once.
 *              `send` and `receive` are addresses, `bytes` the size of one rank's block (of each piece, for alltoall), `more` a struct
 *              mog_mpi_more or 0; `count` in reductions counts elements of the type. Blocks lie in the order of ranks.
 *              MPI_IN_PLACE is the library's affair: it gives the place in the receive buffer where the block is, and for alltoall a copy.
 *              Members that do not agree: MPI_ERR_NOT_SAME for all of them.
 * gatherv ...  counts and displacements in `more`, of the side that has several blocks; `bytes` for the other one.
 * split        Collective. A new communicator for each `color` that is not negative, its ranks in the order of `key`, then of the old
 *              rank. `out`: address of a struct mog_mpi_made.
 * create       Collective. A new communicator of the `count` ranks of `context` at `list`, which all its members give alike; nothing for
 *              those who are not in it. With a tag that is not negative only those on the list call, and such calls of the same list and
 *              tag belong together.
 * join         Collective. The two groups that call it become an intercommunicator. `leader` is a rank, whose `address` is that of a
 *              struct mog_mpi_leader.
 * merge        Collective of an intercommunicator: both its groups as one communicator, after the other those that say `high`.
 *
 *              An intercommunicator is two contexts, one for each group. Messages go from a group to the other one; those of the library
 *              (MOG_MPI_INTERNAL) stay within the group, but for MOG_MPI_REMOTE. In collectives of both groups the root says MPI_ROOT, and
 *              its group's others MPI_PROC_NULL; where there is no root, that word is the bytes of a block that is received.
 * free         This member's part of the communicator. Its context is used again when all have gone.
 * combine      `inout` = `in` and then `inout`, elements of a type and an operation of the engine, for this PE alone.
 * variable     What MPI_T tells of the engine and of the caller: `which` is an enum mog_mpi_variable. At `out`: 64 bits.
 * file_read    Bytes of the file that the PE has open as `file`, from the places that `count` runs at `runs` say (struct
 *              mog_mpi_file_run) to `address`, at most `bytes`. Gives how many they are: less at the end of the file.
 * file_write   The same way back.
 * file_pointer The pointer that all members of `context` share: is `low` and `high` afterwards (`sets` not 0), or that much further (up to
 *              2 GB). At `out`, 64 bits: what it was. It begins at 0, and goes with the communicator.
 * file_size    `how` 0: the file's size. 1: it gets the size `low` and `high`. 2: at least that. At `out`, 64 bits: the size then.
 * win_create   What other members of `context`, which is a window's own, may access of this rank: `bytes` at `base`, places counted in
 *              `unit` bytes. With `dynamic` not 0 nothing: what win_attach adds.
 * win_attach   Of a dynamic window, whose places are addresses: `bytes` at `base`, until win_detach with the same `base`.
 * win_access   `count` accesses (struct mog_mpi_access) at `list`, in their order; they are done, here and at their targets, when this
 *              returns. An error is that of the first one that has one; the others are done.
 * win_lock     Waits for a lock of `rank`'s part of the window, or of all parts (MOG_MPI_ALL_RANKS), which is shared.
 * win_unlock   Gives it back.
 * members      World ranks of `count` members from rank `first` on, to `address`.
 */
#define MOG_MPI_OPERATIONS(X)                                                                                         \
    X(initialize, 1, "MPI_Init", "-", "-", "-", "-", "-", "-", "-")                                                   \
    X(finalize, 2, "MPI_Finalize", "types", "-", "-", "-", "-", "-", "-")                                             \
    X(abort, 3, "MPI_Abort", "context", "me", "code", "text", "bytes", "class", "-")                                  \
    X(yield, 4, "MPI_Test", "-", "-", "-", "-", "-", "-", "-")                                                        \
    X(send, 5, "MPI_Send", "context", "me", "peer", "tag", "address", "bytes", "result")                              \
    X(receive, 6, "MPI_Recv", "context", "me", "peer", "tag", "address", "bytes", "result")                           \
    X(probe, 7, "MPI_Probe", "context", "me", "peer", "tag", "-", "-", "result")                                      \
    X(wait, 8, "MPI_Wait", "list", "count", "need", "-", "-", "-", "-")                                               \
    X(cancel, 9, "MPI_Cancel", "number", "-", "-", "-", "-", "-", "-")                                                \
    X(barrier, 16, "MPI_Barrier", "context", "me", "-", "-", "-", "-", "more")                                        \
    X(bcast, 17, "MPI_Bcast", "context", "me", "root", "address", "-", "bytes", "more")                               \
    X(gather, 18, "MPI_Gather", "context", "me", "root", "send", "receive", "bytes", "more")                          \
    X(gatherv, 19, "MPI_Gatherv", "context", "me", "root", "send", "receive", "bytes", "more")                        \
    X(scatter, 20, "MPI_Scatter", "context", "me", "root", "send", "receive", "bytes", "more")                        \
    X(scatterv, 21, "MPI_Scatterv", "context", "me", "root", "send", "receive", "bytes", "more")                      \
    X(allgather, 22, "MPI_Allgather", "context", "me", "-", "send", "receive", "bytes", "more")                       \
    X(allgatherv, 23, "MPI_Allgatherv", "context", "me", "-", "send", "receive", "bytes", "more")                     \
    X(alltoall, 24, "MPI_Alltoall", "context", "me", "-", "send", "receive", "bytes", "more")                         \
    X(alltoallv, 25, "MPI_Alltoallv", "context", "me", "-", "send", "receive", "-", "more")                           \
    X(reduce, 26, "MPI_Reduce", "context", "me", "root", "send", "receive", "count", "more")                          \
    X(allreduce, 27, "MPI_Allreduce", "context", "me", "-", "send", "receive", "count", "more")                       \
    X(reduce_scatter, 28, "MPI_Reduce_scatter", "context", "me", "-", "send", "receive", "-", "more")                 \
    X(reduce_scatter_block, 29, "MPI_Reduce_scatter_block", "context", "me", "-", "send", "receive", "count", "more") \
    X(scan, 30, "MPI_Scan", "context", "me", "-", "send", "receive", "count", "more")                                 \
    X(exscan, 31, "MPI_Exscan", "context", "me", "-", "send", "receive", "count", "more")                             \
    X(split, 40, "MPI_Comm_split", "context", "me", "color", "key", "out", "-", "more")                               \
    X(create, 41, "MPI_Comm_create", "context", "me", "list", "count", "out", "tag", "more")                          \
    X(free, 42, "MPI_Comm_free", "context", "me", "-", "-", "-", "-", "-")                                            \
    X(members, 43, "MPI_Members", "context", "me", "first", "count", "address", "-", "-")                             \
    X(join, 46, "MPI_Intercomm_create", "context", "me", "leader", "address", "out", "-", "more")                     \
    X(merge, 47, "MPI_Intercomm_merge", "context", "me", "high", "-", "out", "-", "more")                             \
    X(combine, 44, "MPI_Reduce_local", "-", "-", "-", "in", "inout", "count", "-")                                    \
    X(variable, 45, "MPI_Variable", "-", "-", "which", "out", "-", "-", "-")                                          \
    X(file_read, 48, "MPI_File_read", "file", "-", "runs", "count", "address", "bytes", "-")                          \
    X(file_write, 49, "MPI_File_write", "file", "-", "runs", "count", "address", "bytes", "-")                        \
    X(file_pointer, 50, "MPI_File_seek_shared", "context", "me", "sets", "low", "high", "out", "-")                   \
    X(file_size, 51, "MPI_File_get_size", "file", "-", "how", "low", "high", "out", "-")                              \
    X(win_create, 56, "MPI_Win_create", "context", "me", "base", "bytes", "unit", "dynamic", "-")                     \
    X(win_attach, 57, "MPI_Win_attach", "context", "me", "base", "bytes", "-", "-", "-")                              \
    X(win_detach, 58, "MPI_Win_detach", "context", "me", "base", "-", "-", "-", "-")                                  \
    X(win_access, 59, "MPI_Win_flush", "context", "me", "list", "count", "-", "-", "-")                               \
    X(win_lock, 60, "MPI_Win_lock", "context", "me", "rank", "exclusive", "-", "-", "-")                              \
    X(win_unlock, 61, "MPI_Win_unlock", "context", "me", "rank", "-", "-", "-", "-")

#define MOG_MPI_OPERATION_ENUM(name, number, function, a, b, c, d, e, f, g) MOG_MPI_##name = number,
enum mog_mpi_operation { MOG_MPI_OPERATIONS(MOG_MPI_OPERATION_ENUM) MOG_MPI_OPERATION_END };

/* Counts are those of messages that a program sends itself, from the first time that somebody asks. */
enum mog_mpi_variable {
    MOG_MPI_EAGER_BYTES,   /* --mpi-eager */
    MOG_MPI_BUFFER_BYTES,  /* --mpi-buffer */
    MOG_MPI_UNEXPECTED,    /* messages that wait for a receive of the caller */
    MOG_MPI_POSTED,        /* receives of the caller that wait for a message */
    MOG_MPI_KEPT_BYTES,    /* of messages to all ranks that the engine keeps */
    MOG_MPI_SENT_MESSAGES,
    MOG_MPI_SENT_BYTES
};

/* What an operation came to. The library sets `state` to 0 before. */
struct mog_mpi_result {
    unsigned state;  /* MOG_MPI_DONE, with MOG_MPI_CANCELLED and an error class << 8 */
    int source, tag; /* of receives and probes; for collectives undefined */
    unsigned bytes;  /* that came */
};
#define MOG_MPI_DONE 1u
#define MOG_MPI_CANCELLED 2u

/* What a collective needs beside its words. Displacements count units, too; of alltoallw the library makes bytes. */
struct mog_mpi_more {
    struct mog_mpi_result result;                            /* of nonblocking ones */
    unsigned send_counts, send_displacements, send_unit;     /* addresses of int[size]; bytes of a unit */
    unsigned receive_counts, receive_displacements, receive_unit;
};

/* `count` blocks of `bytes` in a file, `stride` from one to the next. */
struct mog_mpi_file_run {
    unsigned offset_low, offset_high;
    unsigned bytes, count;
    unsigned stride_low, stride_high;
};

/* An access to the memory of a window. The target's place is `displacement` units and `offset` bytes from its base; there are `bytes` in
 * one piece (`runs` 0), or elements, each `extent` bytes after the one before, that have `run_count` runs at `runs`. */
struct mog_mpi_access {
    unsigned char kind, type, reduction, unused; /* low bytes of handles, of MOG_MPI_ACCUMULATE */
    unsigned target, displacement;
    int offset;
    unsigned bytes;   /* that travel */
    unsigned origin;  /* what is put, combined, or swapped in; not read if the reduction is MPI_NO_OP */
    unsigned result;  /* where goes what was there before; 0: nowhere, if it is MOG_MPI_PUT or MOG_MPI_ACCUMULATE */
    unsigned compare; /* what has to be there, of MOG_MPI_SWAP */
    unsigned runs, run_count;
    int extent;
};
enum mog_mpi_access_kind { MOG_MPI_PUT = 1, MOG_MPI_GET, MOG_MPI_ACCUMULATE, MOG_MPI_SWAP };
#define MOG_MPI_ALL_RANKS 0xffffffffu

/* `count` blocks of `bytes`, `stride` from one to the next. */
struct mog_mpi_target_run {
    int offset;
    unsigned bytes;
    int count, stride;
};

/* A communicator that was made; context MOG_MPI_NO_CONTEXT: the caller is not in one. */
struct mog_mpi_made {
    unsigned context;
    int rank, size;
    int remote_size; /* of an intercommunicator; else 0 */
};

/* How the leader of a group finds that of the other one, for an intercommunicator. */
struct mog_mpi_leader {
    unsigned context, me; /* of a communicator that both are in */
    unsigned remote;      /* the other's rank there */
    unsigned tag;
};

#endif
