# Makefile.inc serves a makefile of two lines.
hello
printf 'include %s/Makefile.inc\nall: hello\n' "$SOURCE" >Makefile
make -s MOGCC="$MOGCC" hello hello.cl hello.mog
same "$(./hello)" "hello, 42"
has hello.cl '__kernel'
has hello.mog main
same "$(make MOGCC="$MOGCC")" "make: Nothing to be done for 'all'."
