# The executable needs neither compiler nor sources nor the build: only itself.
hello
mogcc hello.c -o prog
mkdir alone
mv prog alone/
cp alone/prog alone/copy
rm hello.c
same "$(env -i alone/copy)" "hello, 42"
ldd alone/copy >out
for library in fmt stdc++ elf dw CLI; do
    lacks out "lib$library"
done
