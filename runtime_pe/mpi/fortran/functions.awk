# functions.awk: MPI's functions for Fortran, of declarations.awk's: of MPI_Send the function mpi_send_(), which takes all by address, and the
# result at the end, where mpi_f08 may leave it out.
BEGIN {
    by_hand = " Waitany Testany Waitsome Testsome Buffer_detach Grequest_start "
    print "#include \"fortran.h\"\n#include <stdlib.h>"
}
function binding(of, count,    i, name, parameters, lengths, before, after, call) {
    if (index(by_hand, " " of " ") || of ~ /_attr$|^Attr_(put|get|delete)$|eyval_create$|_create_keyval$/) return
    for (i = 1; i <= count; i++) {
        name = own[i]
        if (kinds[i] == "text") {
            parameters = parameters "char *" name ", "
            lengths = lengths ", int " name "_length"
            if (is_const[i]) {
                before = before "    char *" name "_text = mog_fortran_" (of ~ /^Info_/ ? "info_" : "") "text(" name ", " name "_length);\n"
                after = after "    free(" name "_text);\n"
            } else {
                before = before "    char " name "_text[2048] = \"\";\n"
                # A key that is not there leaves the value as it was.
                after = after (of == "Info_get" ? "    if (*(int *)flag)" : "") "    mog_fortran_pad(" name ", " name "_length, " name "_text);\n"
            }
            call = call name "_text, "
        } else if (kinds[i] == "value") {
            parameters = parameters "const " types[i] " *" name ", "
            call = call "*" name ", "
        } else {
            parameters = parameters "void *" name ", "
            if (kinds[i] == "buffer" || name ~ /weights/) call = call "mog_fortran_buffer(" name "), "
            else if (kinds[i] == "status") call = call "mog_fortran_status(" name "), "
            else call = call name ", "
        }
    }
    sub(/, $/, "", call)
    parameters = wrapped("void mpi_" tolower(of) "_(" parameters "int *error" lengths ")")
    printf "%s;\n%s {\n%s", parameters, parameters, before
    print wrapped("    mog_fortran_set(error, MPI_" of "(" call "));")
    printf "%s}\n", after
}
