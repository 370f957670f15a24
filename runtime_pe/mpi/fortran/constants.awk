# constants.awk: mpif.h, for Fortran in either form, of abi/mpi_constants.h and the headers of mpi.h. What C has as addresses are variables of common blocks (by_hand.c).
BEGIN {
    print "! mpif.h: MPI for Fortran. Made of abi/mpi_constants.h; the functions are those of libmpifort.a."
    # Where MPI_Status, five integers, has what; kinds of MPI_Aint, MPI_Offset and MPI_Count.
    split("STATUS_SIZE 5 SOURCE 3 TAG 4 ERROR 5 ADDRESS_KIND 4 OFFSET_KIND 8 COUNT_KIND 8 INTEGER_KIND 4", own, " ")
    for (i = 1; i < 17; i += 2) constant("MPI_" own[i], own[i + 1])
}
/^#define MPI_[A-Z0-9_]+ / {
    value = $0
    sub(/^#define [A-Z0-9_]+ +/, "", value)
    sub(/ *\/\*.*/, "", value)
    if (value ~ /\*\)/ || $2 ~ /^MPI_T_/) next
    gsub(/\(MPI_[A-Za-z]+\)|[()]/, "", value)
    if (value in known) value = known[value]
    else if (value ~ /^0x[0-9a-fA-F]+$/) value = number(value)
    if (value ~ /^-?[0-9]+$/) constant($2, value)
}
END {
    common("MPI_BOTTOM", "", "bottom")
    common("MPI_IN_PLACE", "", "in_place")
    common("MPI_STATUS_IGNORE", "(MPI_STATUS_SIZE)", "status_ignore")
    common("MPI_STATUSES_IGNORE", "(MPI_STATUS_SIZE)", "statuses_ignore")
    print "      double precision MPI_WTIME, MPI_WTICK\n      external MPI_WTIME, MPI_WTICK"
}
function constant(name, value) {
    known[name] = value
    printf "      integer %s\n      parameter (%s=%s)\n", name, name, value
}
function common(name, size, block) { printf "      integer %s%s\n      common /mpi_fortran_%s/ %s\n", name, size, block, name }
function number(hex,    i, value) {
    value = 0
    for (i = 3; i <= length(hex); i++) value = value * 16 + index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
    return value >= 2147483648 ? value - 4294967296 : value
}
