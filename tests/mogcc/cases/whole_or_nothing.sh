# Under the name of a product stands a finished one or what stood there before, whatever ends mogcc and however many write there.
hello
echo 'before' >prog
# A compiler for this machine that waits: then the MIPS program is linked, and the executable is not there yet.
waits slow
for kind in KILL TERM; do
    begin env MOG_CXX=$PWD/slow "$MOGCC" --build-time=0.1 hello.c -o prog
    end $kind
    same "$(cat prog)" before
    same "$(echo .mog* a.out*)" ".mog* a.out*"
done
rm -rf "$TMPDIR"/mog-*
# Errors leave what is there too.
echo 'int main(void) { return missing(); }' >bad.c
status 1 mogcc -w bad.c -o prog
same "$(cat prog)" before

# Objects too, with an assembler that is killed when half is written.
mkdir bin
waits bin/as half
echo before >x.o
begin "$MOGCC" -B"$PWD/bin/" -c hello.c -o x.o
same "$(cat x.o)" before
end KILL
same "$(cat x.o)" before
rm -f .mog-*    # what SIGKILL leaves
mogcc -c -MD -MF x.d -MT target hello.c -o x.o
same "$(kind x.o)" "REL MIPS"
has x.d 'target: hello.c'

# Many at once, on the same name.
export MOG_CXX=
for i in 1 2 3 4 5 6; do
    { "$MOGCC" hello.c -o same && echo done >>ends; } &
done
wait
same "$(wc -l <ends)" 6
same "$(MOG_DEVICE=reference ./same)" "hello, 42"
same "$(ls -A | grep -c '^\.mog')" 0

# Permissions are those of the umask, and the new file is no other name's.
ln prog other
(umask 027; mogcc hello.c -o prog; mogcc --emit=image hello.c -o image; mogcc --emit=elf hello.c -o elf)
same "$(stat -c %a prog image elf | tr '\n' ' ')" "750 640 750 "
same "$(cat other)" before
# A name as long as names can be.
long=$(printf '%0255d' 7)
mogcc hello.c -o "$long"
[ -x "$long" ] || fail "a long name"

# Links, as ld has it: one to a file with contents is replaced, one to an empty file or to nothing is followed.
: >empty
for link in other empty nowhere; do
    ln -s $link to_$link
    mogcc hello.c -o to_$link
done
same "$(cat other)" before
[ ! -L to_other ] || fail "the link is still there"
for file in empty nowhere; do
    [ -L to_$file ] || fail "the link was replaced"
    same "$(MOG_DEVICE=reference ./$file)" "hello, 42"
done
# Devices and descriptors are written to, also where they lead to a file.
mogcc hello.c -o /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"
mogcc hello.c -o /dev/stdout >out
cmp out prog
[ -L /dev/stdout ] || fail "/dev/stdout was replaced"
mogcc --emit=mog hello.c -o /dev/fd/5 5>mog
has mog "ja    __mog_start"
# Other tools write the same way.
for command in "mogtr elf" "mogas mog --emit=image"; do
    ln -sf other link
    "$BUILD"/bin/$command -o link
    [ ! -L link ] || fail "$command writes through a link to a file"
done
same "$(cat other)" before

# Without -o, gcc's own names: each source's object, the rules of make as gcc has them; and objects that -r links.
rm -f ./*.o
echo 'int other(void) { return 2; }' >b.c
for name in hello b; do echo before >$name.o; done
begin "$MOGCC" -B"$PWD/bin/" -c hello.c b.c
end KILL
same "$(cat hello.o b.o)" "before
before"
rm -f .mog-*
mogcc -c -MMD hello.c b.c
same "$(kind hello.o) $(kind b.o)" "REL MIPS REL MIPS"
same "$(cat hello.d b.d)" "hello.o: hello.c
b.o: b.c"
mkdir sub
mogcc -c -MMD hello.c -o sub/x.o
same "$(cat sub/x.d)" "sub/x.o: hello.c"
echo 'bad' >bad.c
echo before >bad.o
status 1 mogcc -c bad.c b.c
same "$(cat bad.o)" before
rm bin/as
waits bin/ld half
echo before >both.o
begin "$MOGCC" -B"$PWD/bin/" -r hello.o b.o -o both.o
end KILL
same "$(cat both.o)" before
rm -f .mog-* bin/ld
mogcc -r hello.o b.o -o both.o
same "$(kind both.o)" "REL MIPS"
