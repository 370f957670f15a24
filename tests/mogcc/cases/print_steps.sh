# -### prints the commands and runs none.
hello
export MOG_NATIVE=none  # as on any processor
status 0 mogcc -### -O2 hello.c -o prog
absent prog
same "$(cat out)" ""
sed -e "s|$BUILD|BUILD|g" -e 's|"[^"]*/gcc-cross/[^"]*/include"|"GCC/include"|' err >steps
golden print_steps.txt steps
status 0 mogcc -### -c hello.c
same "$(wc -l <err)" 1
