C     old.f: FORTRAN 77 in its columns: COMMON, EQUIVALENCE, computed GOTO, ENTRY, statement functions, BLOCK DATA.
      PROGRAM OLD
      INTEGER N, I, K(4)
      REAL X, F, Y(2)
      DOUBLE PRECISION D
      EQUIVALENCE (Y(1), K(1))
      COMMON /SHARED/ D, N
      CHARACTER*8 NAME
      DATA NAME /'SEVENTY7'/
      F(X) = X * X + 1.0
      DO 10 I = 1, 4
         K(I) = I
   10 CONTINUE
      Y(1) = 2.5
      WRITE (*, 100) F(3.0), NAME(3:5), K(2), D, N
  100 FORMAT (1X, F6.2, 2X, A3, I5, D12.4, I4)
      DO 50 I = 1, 4
         GO TO (20, 30, 40), I
         PRINT *, 'FELL THROUGH', I
         GO TO 50
   20    PRINT *, 'ONE'
         GO TO 50
   30    PRINT *, 'TWO'
         GO TO 50
   40    PRINT *, 'THREE'
   50 CONTINUE
      IF (N - 7) 60, 70, 80
   60 PRINT *, 'LESS'
   70 PRINT *, 'EQUAL'
   80 CALL FIRST(N)
      CALL OTHER(N)
      PRINT *, N
      ASSIGN 90 TO I
      GO TO I
   90 PRINT *, 'ASSIGNED'
      END

      BLOCK DATA
      DOUBLE PRECISION D
      COMMON /SHARED/ D, N
      DATA D, N /1.25D2, 7/
      END

      SUBROUTINE FIRST(M)
      M = M + 1
      RETURN
      ENTRY OTHER(M)
      M = M * 10
      END
