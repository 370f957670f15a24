# mogfortran: what it compiles and links, and what it says of mistakes, also while a program runs.
command -v mipsel-linux-gnu-gfortran >/dev/null || skip "no gfortran-mipsel-linux-gnu"
ls /usr/src/gcc-*/gcc-*.tar.xz >/dev/null 2>&1 || skip "no source of gcc"
mogfortran=$(dirname "$MOGCC")/mogfortran
fortran() { "$mogfortran" $search "$@"; }
cat >sums.f90 <<'F'
program sums
  use helpers
  implicit none
  integer :: a(3), i
  do i = 1, twice(2)
    a(i) = i
  end do
  print *, sum(a)
end program
F
printf 'module helpers\ncontains\n  integer function twice(n)\n    integer, intent(in) :: n\n    twice = 2 * n\n  end function\nend module\n' >helpers.f90
# Objects and a module file; then linked by mogfortran, or by mogcc beside a source.
fortran -c helpers.f90
exists helpers.o helpers.mod
fortran -c -fcheck=bounds sums.f90
fortran sums.o helpers.o -o sums
status 2 ./sums
has err "At line 6 of file sums.f90"
has err "Index '4' of dimension 1 of array 'a' above upper bound of 3"
printf 'program p\n  integer :: unit\n  open (newunit=unit, file="none", status="old")\nend program\n' >opens.f90
mogcc opens.f90 -o opens
status 2 ./opens
has err "At line 3 of file opens.f90"
has err "No such file or directory"
printf 'print *, 1\nerror stop 7\nend\n' >stops.f90
fortran stops.f90
status 7 ./a.out
# With C.
printf 'void shout_(int *n) { *n += 40; }\n' >shout.c
printf 'integer :: n = 2\ncall shout(n)\nprint "(i0)", n\nend\n' >calls.f90
fortran calls.f90 shout.c
same "$(./a.out)" 42
# Preprocessed, in fixed form, and in many PEs.
printf '      PROGRAM P\n#ifdef __mog__\n      PRINT *, ANSWER\n#endif\n      END\n' >fixed.F
fortran -DANSWER=42 fixed.F
same "$(MOG_NPROC=2 ./a.out | tr -d ' \n')" 4242
# What cannot be.
cat >passes.f90 <<'F'
subroutine counts(n)
  integer, intent(inout) :: n
  interface
    subroutine twice(f)
      interface
        subroutine f()
        end subroutine
      end interface
    end subroutine
  end interface
  call twice(add)
contains
  subroutine add()
    n = n + 1
  end subroutine
end subroutine
F
status 1 fortran -c passes.f90
has err "trampoline generated for nested function"
status 1 env MOG_CROSS=mipsel-linux-gnu-none- "$mogfortran" sums.f90
# Asked as other wrappers are, for CMake's FindMPI.
lib=$("$(dirname "$MOGCC")/mogmpicc" --showme:libdirs)
same "$("$(dirname "$MOGCC")/mogmpifort" -show x.f90)" "mogfortran x.f90 -I$lib/finclude -fallow-argument-mismatch -L$lib -lmpifort -lmpi"
exists "$lib/finclude/mpif.h" "$lib/finclude/mpi.mod"
# A library of a C library that was made anew since is made anew, too.
sysroot=$(cd "$(dirname "$MOGCC")/../sysroot" && pwd)
mkdir -p anew/lib
ln -s "$sysroot/include" anew/include
ln -s "$sysroot"/lib/* anew/lib/
rm anew/lib/libc.a anew/lib/libgfortran.a anew/lib/build-fortran-library
cp -p "$sysroot/lib/libc.a" "$sysroot/lib/libgfortran.a" anew/lib/
printf '#!/bin/sh\ntouch "$1/made" "$1/lib/libgfortran.a"\n' >anew/lib/build-fortran-library
chmod +x anew/lib/build-fortran-library
MOG_SYSROOT=$PWD/anew fortran helpers.f90 sums.f90 -o sums
absent anew/made
touch -d '+1 minute' anew/lib/libc.a
MOG_SYSROOT=$PWD/anew fortran helpers.f90 sums.f90 -o sums
exists anew/made
