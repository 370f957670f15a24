#!/bin/sh
# steady.sh: messages about faults, from standard input, without what changes with libraries and environment: the addresses of
# frames, the values of registers, how deep endless recursion came. That there are registers is still to be seen.
exec sed -E -e 's/^(#[0-9]+ +)0x[0-9a-f]{8} in /\1/' -e 's/^#[0-9]{3,} /#... /' -e 's/^\.\.\. [0-9,]{3,} more/... many more/' -e '/^  ([a-z][a-z0-9]{1,3} +([0-9a-f]{8}|-)( +|$))+$/d'
