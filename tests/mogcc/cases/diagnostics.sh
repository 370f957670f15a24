# gcc's own diagnostics and status; nothing is left behind.
printf 'int main(void)\n{\n    return x;\n}\n' >bad.c
status 1 mogcc bad.c -o prog
has err "bad.c:3:12: error: 'x' undeclared"
has err '      |            ^'
absent prog
same "$(ls -A "$TMPDIR")" ""
