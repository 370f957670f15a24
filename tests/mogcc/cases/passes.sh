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
