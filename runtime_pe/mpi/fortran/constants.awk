# constants.awk: MPI's constants for Fortran, of abi/mpi_constants.h and the headers of mpi.h: mpif.h in either form, or with -v f08=1 the beginning
# of the module mpi_f08, with its types. What C has as addresses are variables, whose addresses by_hand.c knows.
BEGIN {
    handles = " Comm Group Datatype Request Message Op Errhandler Info Win File "
    if (!f08) print "! mpif.h: MPI for Fortran. Made of abi/mpi_constants.h; the functions are those of libmpifort.a."
    else types()
    # Where MPI_Status, five integers, has what; kinds of MPI_Aint, MPI_Offset and MPI_Count.
    split("STATUS_SIZE 5 SOURCE 3 TAG 4 ERROR 5 ADDRESS_KIND 4 OFFSET_KIND 8 COUNT_KIND 8 INTEGER_KIND 4", own, " ")
    for (i = 1; i < 17; i += 2)
        # The last three are names of components in mpi_f08.
        if (!f08 || own[i] !~ /^(SOURCE|TAG|ERROR)$/) constant("MPI_" own[i], own[i + 1], "")
    logical("MPI_SUBARRAYS_SUPPORTED")
    logical("MPI_ASYNC_PROTECTS_NONBLOCKING")
}
/^#define MPI_[A-Z0-9_]+ / {
    value = $0
    sub(/^#define [A-Z0-9_]+ +/, "", value)
    sub(/ *\/\*.*/, "", value)
    if (value ~ /\*\)/ || $2 ~ /^MPI_T_/) next
    # The pair of two integers has a name in C.
    if ($2 == "MPI_2INTEGER") value = "MPI_2INT"
    kind = ""
    if (value ~ /\(MPI_[A-Za-z]+\)/) {
        kind = value
        sub(/^\(*MPI_/, "", kind)
        sub(/\).*/, "", kind)
    }
    gsub(/\(MPI_[A-Za-z]+\)|[()]/, "", value)
    if (value in known) {
        kind = kind_of[value]
        value = known[value]
    } else if (value ~ /^0x[0-9a-fA-F]+$/) value = number(value)
    if (value ~ /^-?[0-9]+$/) constant($2, value, kind)
}
/^enum/ { next_value = 0; in_enum = 1 }
in_enum && /^ +MPI_[A-Z0-9_]+/ {
    name = $1
    sub(/,$/, "", name)
    if ($2 == "=") next_value = $3 + 0
    if (name !~ /^MPI_T_/) constant(name, next_value, "")
    next_value++
}
/^};/ { in_enum = 0 }
END {
    if (f08) {
        variable("integer", "MPI_BOTTOM", "bottom")
        variable("integer", "MPI_IN_PLACE", "in_place")
        variable("type(MPI_Status)", "MPI_STATUS_IGNORE", "status_ignore")
        variable("type(MPI_Status)", "MPI_STATUSES_IGNORE(1)", "statuses_ignore")
        variable("integer", "MPI_UNWEIGHTED(1)", "unweighted")
        variable("integer", "MPI_WEIGHTS_EMPTY(1)", "weights_empty")
        callbacks()
        operators()
    } else {
        common("MPI_BOTTOM", "", "bottom")
        common("MPI_IN_PLACE", "", "in_place")
        common("MPI_STATUS_IGNORE", "(MPI_STATUS_SIZE)", "status_ignore")
        common("MPI_STATUSES_IGNORE", "(MPI_STATUS_SIZE,1)", "statuses_ignore")
        common("MPI_UNWEIGHTED", "(1)", "unweighted")
        common("MPI_WEIGHTS_EMPTY", "(1)", "weights_empty")
        for (i = 1; i <= 2; i++) {
            profiled = i == 1 ? "" : "P"
            printf "      double precision %sMPI_WTIME, %sMPI_WTICK\n      external %sMPI_WTIME, %sMPI_WTICK\n", profiled, profiled, profiled, profiled
            printf "      integer %sMPI_AINT_ADD, %sMPI_AINT_DIFF\n      external %sMPI_AINT_ADD, %sMPI_AINT_DIFF\n", profiled, profiled, profiled, profiled
        }
        for (i = split("COMM TYPE WIN", own, " "); i > 0; i--)
            printf "      external MPI_%s_NULL_COPY_FN\n      external MPI_%s_DUP_FN, MPI_%s_NULL_DELETE_FN\n", own[i], own[i], own[i]
        print "      external MPI_NULL_COPY_FN, MPI_DUP_FN, MPI_NULL_DELETE_FN"
    }
}
function constant(name, value, kind) {
    known[name] = value
    kind_of[name] = kind
    # What is of another kind than others: a displacement in a file.
    long = name == "MPI_DISPLACEMENT_CURRENT" ? "(8)" : ""
    if (f08 && index(handles, " " kind " ")) printf "  type(MPI_%s), parameter :: %s = MPI_%s(%s)\n", kind, name, kind, value
    else if (f08) printf "  integer%s, parameter :: %s = %s\n", long, name, value
    else printf "      integer%s %s\n      parameter (%s=%s)\n", long, name, name, value
}
function logical(name) {
    if (f08) printf "  logical, parameter :: %s = .false.\n", name
    else printf "      logical %s\n      parameter (%s=.false.)\n", name, name
}
function common(name, size, block) { printf "      integer %s%s\n      common /mpi_fortran_%s/ %s\n", name, size, block, name }
function variable(type, name, block) { printf "  %s, bind(C, name='mpi_fortran_%s_') :: %s\n", type, block, name }
function types(    i, list) {
    print "! The module mpi_f08. Made of abi/mpi_constants.h and mpi.h; the functions are those of libmpifort.a."
    print "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr, c_int\n  implicit none\n  private :: c_ptr, c_int"
    i = split(handles, list, " ")
    for (; i > 0; i--) printf "  type, bind(C) :: MPI_%s\n    integer(c_int) :: MPI_VAL\n  end type\n", list[i]
    print "  type, bind(C) :: MPI_Status\n    integer(c_int), private :: count(2)\n    integer(c_int) :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n  end type"
}
function operators(    i, count, list) {
    count = split(handles, list, " ")
    for (operator = 0; operator < 2; operator++) {
        printf "  interface operator(%s)\n", operator ? "/=" : "=="
        for (i = 1; i <= count; i++) {
            printf "    pure logical function mog_%s_%s(a, b) bind(C, name='mog_fortran_%s')\n", list[i], operator ? "differ" : "same", operator ? "differ" : "same"
            printf "      import\n      type(MPI_%s), intent(in) :: a, b\n    end function\n", list[i]
        }
        print "  end interface"
    }
}
# What programs give MPI to call, and what MPI has of that kind.
function callbacks(    i, list, handle, of) {
    print "  abstract interface\n    subroutine MPI_User_function(invec, inoutvec, len, datatype)\n      import\n      type(c_ptr), value :: invec, inoutvec"
    print "      integer :: len\n      type(MPI_Datatype) :: datatype\n    end subroutine"
    for (i = split("Comm Win File", list, " "); i > 0; i--) {
        printf "    subroutine MPI_%s_errhandler_function(%s, error_code)\n      import\n", list[i], tolower(list[i])
        printf "      type(MPI_%s) :: %s\n      integer :: error_code\n    end subroutine\n", list[i], tolower(list[i])
    }
    for (i = split("Comm Type Win", list, " "); i > 0; i--) {
        copy_function("MPI_" list[i] "_copy_attr_function", list[i])
        delete_function("MPI_" list[i] "_delete_attr_function", list[i])
    }
    print "    subroutine MPI_Grequest_query_function(extra_state, status, ierror)\n      import\n      integer(MPI_ADDRESS_KIND) :: extra_state"
    print "      type(MPI_Status) :: status\n      integer :: ierror\n    end subroutine"
    print "    subroutine MPI_Grequest_free_function(extra_state, ierror)\n      import\n      integer(MPI_ADDRESS_KIND) :: extra_state"
    print "      integer :: ierror\n    end subroutine"
    print "    subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)\n      import\n      integer(MPI_ADDRESS_KIND) :: extra_state"
    print "      logical :: complete\n      integer :: ierror\n    end subroutine"
    print "  end interface\n  interface"
    for (i = split("Comm Type Win", list, " "); i > 0; i--) {
        copy_function("MPI_" toupper(list[i]) "_NULL_COPY_FN", list[i])
        copy_function("MPI_" toupper(list[i]) "_DUP_FN", list[i])
        delete_function("MPI_" toupper(list[i]) "_NULL_DELETE_FN", list[i])
    }
    print "  end interface"
}
function copy_function(name, of) {
    printf "    subroutine %s(old, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)\n", name
    printf "      import\n      type(MPI_%s) :: old\n      integer :: keyval, ierror\n", of == "Type" ? "Datatype" : of
    print "      integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out\n      logical :: flag\n    end subroutine"
}
function delete_function(name, of) {
    printf "    subroutine %s(of, keyval, attribute_val, extra_state, ierror)\n", name
    printf "      import\n      type(MPI_%s) :: of\n      integer :: keyval, ierror\n", of == "Type" ? "Datatype" : of
    print "      integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state\n    end subroutine"
}
function number(hex,    i, value) {
    value = 0
    for (i = 3; i <= length(hex); i++) value = value * 16 + index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
    return value >= 2147483648 ? value - 4294967296 : value
}
