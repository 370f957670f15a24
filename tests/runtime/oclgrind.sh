#!/bin/sh
# oclgrind.sh MOGCC MOGRUN: a generated kernel under the simulator oclgrind, which finds accesses outside buffers and data races:
# the sequence of subinterpreters with memory interleaved, as on a GPU. Skipped (77) where oclgrind is not installed.
set -eu
mogcc=$1 mogrun=$2
driver=${OCLGRIND_ICD:-/usr/lib/oclgrind/liboclgrind-rt-icd.so}
[ -e "$driver" ] || { echo "skipped: no oclgrind (Debian package oclgrind)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >program.c <<'C'
#include <mog.h>
#include <stdlib.h>
#include <unistd.h>
struct odd { char c; int i; short s; } __attribute__((packed));
int main(void)
{
    int *p = malloc(64), sum = 0;
    struct odd o[3];
    for (int i = 0; i < 16; i++) p[i] = i * mog_rank();
    for (int i = 0; i < 16; i++) sum += p[i];
    for (int i = 0; i < 3; i++) o[i] = (struct odd){(char)i, sum, (short)-i};
    if (mog_rank() == 5) return *(volatile int *)4;     /* a fault stays inside its PE */
    return getpid() > 0 && o[2].i == 120 * mog_rank() && o[2].s == -2 && mog_size() == 40 ? 0 : 1;
}
C
"$mogcc" -O2 program.c -o program
mkdir vendors
echo "$driver" >vendors/oclgrind.icd
status=0
# Without optimisation: oclgrind does not know the rotation that clang makes of two shifts.
OCL_ICD_VENDORS=$work/vendors OCLGRIND_CHECK_API=1 OCLGRIND_DATA_RACES=1 OCLGRIND_BUILD_OPTIONS=-cl-opt-disable MOG_CACHE_DIR=$work/cache \
    "$mogrun" -n 40 --device=opencl --engine=sequence --warp=32 --mem 64K --slice 20000 ./program >out 2>err || status=$?
cat out err
[ "$status" -eq 139 ] || { echo "status $status, not that of the PE with the fault"; exit 1; }
[ ! -s out ]
# One message, MOG's own about PE 5, with calls and registers; everything else would be oclgrind's.
grep -q "^mogrun: PE 5: null pointer" err
! grep -v -e "^mogrun: PE 5: null pointer" -e "^#[0-9]" -e "^registers of PE 5:" -e "^  " err
