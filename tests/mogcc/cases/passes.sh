# Every pass that is listed can be looked at; others are refused.
hello
mogcc --list-passes >passes
same "$(head -n 1 passes | cut -d ' ' -f 1)" find_blocks
while read -r pass description; do
    [ -n "$description" ] || fail "$pass is not described"
    status 0 mogcc -O2 "--dump-after=$pass" --emit=mog hello.c
    [ "$(wc -l <err)" -gt 1000 ] || fail "the program after $pass is not whole"
done <passes
status 2 mogcc --dump-after=nothing hello.c
has err '--dump-after=nothing: no such pass'

# Without the passes that a program can do without, it does the same.
status 2 mogcc --without-pass=accumulate hello.c
has err 'no program can do without this pass'
status 2 mogcc --without-pass=nothing hello.c
has err '--without-pass=nothing: no such pass'
export MOG_CXX=
for pass in pair_unaligned remove_faint forward_accumulator remove_dead_code lay_out_blocks; do
    mogcc -O2 --without-pass=$pass hello.c -o hello
    same "$(./hello)" "hello, 42"
done
mogcc -O2 --emit=mog hello.c -o with.mog
mogcc -O2 --emit=mog --without-pass=forward_accumulator hello.c -o without.mog
[ "$(wc -l <with.mog)" -lt "$(wc -l <without.mog)" ] || fail "the pass ran all the same"

# mogtr does the same with an executable.
mogcc -O2 --emit=elf hello.c -o hello.elf
mogtr --without-pass=forward_accumulator hello.elf -o without.tr.mog
mogtr hello.elf -o with.tr.mog
[ "$(wc -l <with.tr.mog)" -lt "$(wc -l <without.tr.mog)" ] || fail "mogtr ran the pass all the same"
status 2 mogtr --without-pass=accumulate hello.elf
has err '--without-pass=accumulate: no program can do without this pass'
status 2 mogtr --without-pass=nothing hello.elf
has err '--without-pass=nothing: no such pass'
