# Asked as mpicc of MPICH and of Open MPI are: what it stands for; and CMake's FindMPI is content with it, in both ways.
mogmpicc=$(dirname "$MOGCC")/mogmpicc
cat >ring.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d\n", sum);
    return MPI_Finalize();
}
C
include=$("$mogmpicc" --showme:incdirs)
exists "$include/mpi.h"
same "$("$mogmpicc" -showme:compile)" "-I$include"
same "$("$mogmpicc" --showme:libs)" mpi
exists "$("$mogmpicc" -showme:libdirs)/libmpi.a"
same "$("$mogmpicc" -show -O2 ring.c -o ring)" "mogcc -O2 ring.c -o ring -I$include $("$mogmpicc" --showme:link)"
absent ring
PATH=$(dirname "$MOGCC"):$PATH
$("$mogmpicc" -show ring.c -o ring)
same "$(MOG_NPROC=4 ./ring)" 6
status 1 "$mogmpicc" -showme:nothing ring.c
"$mogmpicc" --showme:version >out
has out "MPI 3.1"

cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(ring C)
find_package(MPI REQUIRED)
add_executable(ring ring.c)
enable_testing()
add_test(NAME ring COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 4 $<TARGET_FILE:ring>)
target_link_libraries(ring PRIVATE MPI::MPI_C)
C
for compilers in "-DCMAKE_C_COMPILER=$mogmpicc" "-DCMAKE_C_COMPILER=$MOGCC -DMPI_C_COMPILER=$mogmpicc"; do
    rm -rf build
    "$CMAKE" $compilers -S . -B build >out 2>err || { cat err >&2; fail "CMake with $compilers"; }
    has out 'version "3.1"'
    "$CMAKE" --build build >out
    same "$(MOG_NPROC=4 build/ring)" 6
done
# With the folder of the usual names, mpiexec is mogrun.
home=$("$mogmpicc" --showme:home)
for compilers in "-DCMAKE_C_COMPILER=$mogmpicc" "-DCMAKE_C_COMPILER=$MOGCC -DMPI_C_COMPILER=$mogmpicc" "-DCMAKE_C_COMPILER=$MOGCC"; do
    rm -rf build
    "$CMAKE" $compilers -DMPI_HOME="$home" -S . -B build >out 2>err || { cat err >&2; fail "CMake with $compilers and MPI_HOME"; }
    "$CMAKE" --build build >out
    (cd build && "$(dirname "$CMAKE")/ctest" -V) >out
    has out "1: 6"
    has out "mpi/bin/mpiexec"
done
PATH=$home/bin:$PATH
mpicc -O2 ring.c -o again
same "$(mpirun -np 4 ./again)" 6
same "$(mpiexec -np=3 --device=reference ./again)" 3
