# The linked MIPS program runs under Linux as it is.
# label: qemu
hello
mogcc --emit=elf hello.c
same "$(kind a.elf)" "EXEC MIPS"
mipsel-linux-gnu-readelf -r a.elf | grep -q R_MIPS_26 || fail "no relocations"
[ -n "$QEMU" ] || skip "no qemu-mipsel"
same "$("$QEMU" a.elf)" "hello, 42"
