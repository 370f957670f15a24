C     ring.f: MPI by mpif.h, in fixed form, with arguments of several types.
      PROGRAM RING
      INCLUDE 'mpif.h'
      INTEGER RANK, RANKS, IERR, STATUS(MPI_STATUS_SIZE), TOTAL
      DOUBLE PRECISION D, SUM
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
      TOTAL = RANK
      IF (RANK .GT. 0) THEN
         CALL MPI_RECV(TOTAL, 1, MPI_INTEGER, RANK - 1, 0,
     &                 MPI_COMM_WORLD, STATUS, IERR)
         TOTAL = TOTAL + RANK
      END IF
      IF (RANK .LT. RANKS - 1) CALL MPI_SEND(TOTAL, 1, MPI_INTEGER,
     &                 RANK + 1, 0, MPI_COMM_WORLD, IERR)
      D = 0.5D0
      CALL MPI_REDUCE(D, SUM, 1, MPI_DOUBLE_PRECISION, MPI_SUM,
     &                RANKS - 1, MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. RANKS - 1) WRITE (*, '(I6, F8.1)') TOTAL, SUM
      CALL MPI_FINALIZE(IERR)
      END
C     The program's own, as a tool has it: adds 100 to what is sent.
      SUBROUTINE MPI_SEND(NUMBER, COUNT, TYPE, DEST, TAG, COMM, IERR)
      INTEGER NUMBER, COUNT, TYPE, DEST, TAG, COMM, IERR
      CALL PMPI_SEND(NUMBER + 100, COUNT, TYPE, DEST, TAG, COMM, IERR)
      END
