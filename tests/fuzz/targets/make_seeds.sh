#!/bin/sh
# make_seeds.sh SOURCE_ROOT MOGTR MAKE_IMAGE OUT: a folder of seeds for each fuzz target, from what other tests have as input:
# linked programs of a few functions, their assembly, their images, command lines.
set -eu
root=$1 mogtr=$2 make_image=$3 out=$4
here=$root/tests/fuzz/targets/seeds
rm -rf "$out"
mkdir -p "$out/elf" "$out/assembly" "$out/image" "$out/profile" "$out/mogcc" "$out/mogrun" "$out/ptx"

flags='-march=mips32r2 -mfp32 -mno-abicalls -fno-pic'
printf '.section .mogcb, "aw"\n.space 32\n' | mipsel-linux-gnu-gcc $flags -c -x assembler - -o "$out/cb.o"
for source in "$root"/tests/translator/passes/*/*.s "$here"/*.c; do
    name=$(basename "${source%.*}")
    mipsel-linux-gnu-gcc $flags -O1 -g -ffreestanding -c "$source" -o "$out/a.o"
    mipsel-linux-gnu-gcc -nostdlib -static -no-pie -Wl,--emit-relocs,--build-id=none,-e,main,-z,noexecstack,-z,max-page-size=64,--no-warn-mismatch \
        -T "$root/runtime_pe/mog.ld" "$out/a.o" "$out/cb.o" -o "$out/elf/$name"
    # A few are there to be refused.
    "$mogtr" "$out/elf/$name" -o "$out/assembly/$name" 2>"$out/errors" || grep -q "$name" "$out/errors"
done
rm "$out/a.o" "$out/cb.o" "$out/errors"

cp "$here"/*.mog "$out/assembly"
for test in "$root"/tests/assembler/*.test "$root"/tests/generate/*.test; do
    sed '/^===/,$d' "$test" >"$out/assembly/$(basename "$test" .test)"
done
for program in "$out"/assembly/*; do
    name=$(basename "$program")
    "$make_image" "$program" "$out/image/$name" "$out/image/$name.executable" 2>/dev/null || true
done
# A profile as if each instruction had been executed, and some jumps taken.
"$make_image" "$here/profiled.mog" "$out/profile.image" "$out/profile.executable" "$out/profile/counts"
rm "$out/profile.image" "$out/profile.executable"
cp "$root"/tests/ptx/kernels/*.ptx "$out/ptx"
cp "$here"/mogcc/* "$out/mogcc"
cp "$here"/mogrun/* "$out/mogrun"
# Too few would be a mistake in here.
for kind in elf assembly image; do [ "$(ls "$out/$kind" | wc -l)" -gt 10 ]; done
