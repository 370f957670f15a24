/* ---- a run by a host without libmog -------------------------------------------------------------------------------------------
 * Memory of the device: DATA, all zero, and STATE; copies of TEXT, CPOOL and CODE_MAP. mog_init gives PEs 0 to NPROC -
 * 1 their start: memory, stack, registers. Then, until no PE is left: NREQUESTS is set to 0, and mog_run runs those
 * that ACTIVE lists, all that have not ended. After it there are NREQUESTS records of MOG_Q_WORDS words in REQUESTS, in
 * any order, one of each PE that stopped. One without a record has come to the end of its slice and runs on next time.
 * MOG_Q_STOP of a record says why:
 *
 *   MOG_STOP_SYS              it waits for a system call of MIPS Linux (o32), MOG_Q_NUMBER, its arguments are MOG_Q_ARG
 *                             and the words behind it: 4001 is exit (status), 4246 exit_group (status), 4003 read and
 *                             4004 write (descriptor, address, bytes). The host ends the PE, or answers by writing the
 *                             two rows below with mog_transfer (MOG_T_STATE), which also reads and writes what
 *                             addresses point to. A call that it does not serve it answers as failed with ENOSYS, 89;
 *                             for printf() and malloc(), exit and write are enough
 *   MOG_STOP_FIRST_FAULT ...  a fault ended it: MOG_STOPS in launch_abi.h names them */
#define @NAME@_ROW_RESULT (MOG_S_REGS + @v0@u) /* $v0: the result, or the number of the error as MIPS Linux has it */
#define @NAME@_ROW_FAILED (MOG_S_REGS + @a3@u) /* $a3: 1: it failed; 0: it did not */

