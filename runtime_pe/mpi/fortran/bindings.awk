# bindings.awk: MPI's functions for Fortran, made of the declarations in mpi.h: of MOG_MPI_FUNCTION(Send, const void *buffer, int count, ...) the
# function mpi_send_(), which takes all by address, and the result at the end.
#
#   awk -v make=c -f bindings.awk mpi.h mog_mpi_*.h           the source of libmpifort.a
#   awk -v make=module -f bindings.awk mpi.h mog_mpi_*.h      the source of the module mpi
#
# Left out are those that by_hand.c has, those that call back with arguments by value, and MPI_T.
BEGIN {
    by_hand = " Init Init_thread Waitany Testany Waitsome Testsome Comm_get_attr Attr_get "
    # What is LOGICAL in Fortran.
    logical = " reorder commutes high "
    if (make == "c") print "#include \"fortran.h\"\n#include <stdlib.h>"
    else print "module mpi\n  implicit none\n  include 'mpif.h'\n  interface"
}
/^#define MOG_MPI_[A-Z_]+ / {
    several[$2] = $0
    sub(/^#define [A-Z_]+ +/, "", several[$2])
}
/^MOG_MPI_FUNCTION\(/ { text = ""; inside = 1 }
inside { text = text " " $0 }
inside && /\);/ { inside = 0; declaration(text) }
END {
    if (make == "module") print "  end interface\nend module"
}

function declaration(text,    parts, count, i, name, words, type, parameters, call, before, after, lengths, interface_text, arguments, pointer) {
    sub(/^ *MOG_MPI_FUNCTION\(/, "", text)
    sub(/\);.*/, "", text)
    gsub(/[ \t]+/, " ", text)
    for (name in several) sub(name "(,|$)", several[name] ",", text)
    sub(/,$/, "", text)
    count = split(text, parts, /, */)
    if (index(by_hand, " " parts[1] " ") || parts[1] ~ /^T_/ || text ~ /\.\.\./) return
    if (text ~ /_function|Copy_function|Delete_function/ && text !~ /MPI_User_function|_errhandler_function/) return
    for (i = 2; i <= count; i++) {
        if (parts[i] == "void") continue
        pointer = parts[i] ~ /[*[]/
        name = parts[i]
        sub(/\[.*/, "", name)
        sub(/.*[ *]/, "", name)
        type = parts[i]
        gsub(/const |[*]+|\[.*/, "", type)
        sub(/ [a-z_]+ *$/, "", type)
        arguments = arguments name ", "
        if (parts[i] ~ /char \*/) {
            parameters = parameters "char *" name ", "
            lengths = lengths ", int " name "_length"
            if (parts[i] ~ /const/) {
                before = before "    char *" name "_text = mog_fortran_text(" name ", " name "_length);\n"
                after = after "    free(" name "_text);\n"
            } else {
                before = before "    char " name "_text[2048] = \"\";\n"
                after = after "    mog_fortran_pad(" name ", " name "_length, " name "_text);\n"
            }
            call = call name "_text, "
            interface_text = interface_text "      character(*) :: " name "\n"
        } else if (pointer) {
            parameters = parameters "void *" name ", "
            call = call (type ~ /^void/ ? "mog_fortran_buffer(" name "), " : type == "MPI_Status" ? "mog_fortran_status(" name "), " : name ", ")
            interface_text = interface_text (type ~ /_function/ ? "      external :: " name "\n" : "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: " name "\n      type(*), dimension(*) :: " name "\n")
        } else {
            parameters = parameters "const " type " *" name ", "
            call = call "*" name ", "
            interface_text = interface_text (index(logical, " " name " ") ? "      logical" : type == "MPI_Offset" ? "      integer(8)" : "      integer") ", intent(in) :: " name "\n"
        }
    }
    sub(/, $/, "", call)
    if (make == "c") {
        parameters = "(" parameters "int *error" lengths ")"
        printf "void mpi_%s_%s;\nvoid mpi_%s_%s {\n%s    *error = MPI_%s(%s);\n%s}\n", tolower(parts[1]), parameters, tolower(parts[1]), parameters, before, parts[1], call, after
    } else {
        printf "    subroutine MPI_%s(%serror)\n%s      integer :: error\n    end subroutine\n", parts[1], arguments, interface_text
    }
}
