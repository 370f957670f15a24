# Options of Open MPI's and MPICH's launchers, as scripts have them: taken, or refused with a sentence.
PATH=$(dirname "$MOGCC"):$PATH
export MOG_DEVICE=reference
cat >seen.c <<'C'
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char here[300];
    if (IPROC != 0) return 0;
    const char *colour = getenv("COLOUR"), *size = getenv("SIZE");
    printf("%d PEs, %s, %s, in %s, %s\n", NPROC, colour ? colour : "no colour", size ? size : "no size", strrchr(getcwd(here, sizeof here), '/') + 1, argv[argc - 1]);
    return 0;
}
C
mogcc -O1 seen.c -o seen
mkdir -p inside
cp seen inside
same "$(mogrun -np 4 --oversubscribe -bind-to core -mca btl self,vader --map-by=slot -x COLOUR=red -genv SIZE big -wdir inside ./seen : x)" "4 PEs, red, big, in inside, x"
same "$(mogmpiexec -n 3 -tag-output ./seen -x)" "[0] 3 PEs, no colour, no size, in w, -x"
same "$(mogmpirun -np=3 -l ./seen --oversubscribe)" "[0] 3 PEs, no colour, no size, in w, --oversubscribe"
same "$(COLOUR=blue mogmpirun -c 5 --allow-run-as-root -x COLOUR seen)" "5 PEs, blue, no size, in w, seen"
same "$(mogmpirun -timeout 60 -stdin none ./seen)" "$(getconf _NPROCESSORS_ONLN) PEs, no colour, no size, in w, ./seen"
same "$(MOG_NPROC=6 mogmpirun ./seen)" "6 PEs, no colour, no size, in w, ./seen"
same "$(PATH=$PWD/inside:$PATH && rm seen && mogrun -n 1 seen)" "1 PEs, no colour, no size, in w, seen"
cp inside/seen .
printf '# two names of one machine\nlocalhost slots=7\n\n127.0.0.1 slots=2 max_slots=3\n' >hosts
same "$(mogmpirun --hostfile hosts ./seen)" "9 PEs, no colour, no size, in w, ./seen"
same "$(mogmpirun -f hosts -n 2 ./seen)" "2 PEs, no colour, no size, in w, ./seen"
same "$(mogmpirun -H localhost:2,localhost:4 ./seen)" "6 PEs, no colour, no size, in w, ./seen"
refused() { # refused TEXT OPTION...
    text=$1
    shift
    status 2 mogmpirun "$@"
    has err "$text"
    same "$(cat out)" ""
}
refused '`:` would begin another program' -np 2 ./seen : -np 3 ./seen
refused '-H: far is another machine' -H localhost,far ./seen
echo far.example slots=4 >>hosts
refused '-machinefile hosts: far.example is another machine' -machinefile hosts ./seen
refused 'cannot open none' --hostfile none ./seen
refused '"x" is not a number of slots' -host localhost:x ./seen
refused '-x has no value' -x
refused '--oversubscribe takes no value' --oversubscribe=3 ./seen
refused 'cannot begin in none' -wdir none ./seen
refused '"0" is not a number of PEs' -np 0 ./seen
refused 'there is no option --output-filename' --output-filename x ./seen
status 0 mogmpirun -np 1 -x NONE ./seen
has err 'warning: -x NONE: there is no such variable'
