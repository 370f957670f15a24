# module.awk: the source of the module mpi, or with -v f08=1 of mpi_f08: interfaces of the functions of libmpifort.a, of declarations.awk's. mpi has
# mpif.h's constants, all handles integers, and looks at no more than what is passed by value; mpi_f08 has constants of its own (constants.awk)
# and looks at types.
BEGIN {
    if (!f08) print "module mpi\n  implicit none\n  include 'mpif.h'"
    print "  interface"
    own_error = f08 ? "integer, optional, intent(out) :: ierror" : "integer :: ierror"
    by_hand("MPI_Init(ierror)", "", own_error)
    by_hand("MPI_Init_thread(required, provided, ierror)", "integer :: required, provided", own_error)
    by_hand("MPI_F_sync_reg(buf)", "!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf\n      type(*), dimension(*) :: buf", "")
    if (f08) {
        by_hand("MPI_Pcontrol(level)", "integer, intent(in) :: level", "")
        by_hand("MPI_Status_f2f08(f_status, f08_status, ierror)",
            "integer, intent(in) :: f_status(MPI_STATUS_SIZE)\n      type(MPI_Status), intent(out) :: f08_status", own_error)
        by_hand("MPI_Status_f082f(f08_status, f_status, ierror)",
            "type(MPI_Status), intent(in) :: f08_status\n      integer, intent(out) :: f_status(MPI_STATUS_SIZE)", own_error)
        for (i = 1; i <= 2; i++) {
            profiled = i == 1 ? "" : "P"
            printf "    double precision function %sMPI_Wtime()\n    end function\n    double precision function %sMPI_Wtick()\n    end function\n", profiled, profiled
            for (j = 1; j <= 2; j++)
                printf "    integer(MPI_ADDRESS_KIND) function %sMPI_Aint_%s\n      import\n      integer(MPI_ADDRESS_KIND), intent(in) :: %s\n    end function\n",
                    profiled, j == 1 ? "add(base, disp)" : "diff(addr1, addr2)", j == 1 ? "base, disp" : "addr1, addr2"
        }
    }
    for (i = 1; i <= 2; i++) {
        profiled = i == 1 ? "" : "P"
        printf "    subroutine %sMPI_Sizeof(x, size, ierror) bind(C, name='%smpi_sizeof_')\n      %s\n      type(*), dimension(..), intent(in) :: x\n", profiled, tolower(profiled), "import"
        print "      integer, intent(out) :: size\n      " (f08 ? own_error : "integer, intent(out) :: ierror") "\n    end subroutine"
    }
}
END { print "  end interface\nend module" }
function by_hand(head, arguments, error) {
    one_by_hand(head, arguments, error)
    one_by_hand("P" head, arguments, error)
}
function one_by_hand(head, arguments, error) {
    print "    subroutine " head
    if (f08) print "      import"
    if (arguments != "") print "      " arguments
    if (error != "") print "      " error
    print "    end subroutine"
}
function binding(of, count,    i, list, lines) {
    # By the standard these are deleted or were never there, in mpi_f08.
    if (f08 && of ~ /^(Attr_|Keyval_|Type_(extent|lb|ub)$)/) return
    for (i = 1; i <= count; i++) {
        list = list names[i] ", "
        lines = lines (f08 ? declared_08(i) : declared(i))
    }
    interface("MPI_", of, list, lines)
    interface("PMPI_", of, list, lines)
}
function interface(prefix, of, list, lines) {
    print wrapped("    subroutine " prefix of "(" list "ierror)" (f08 && of == "Buffer_detach" ? " bind(C, name='" tolower(prefix) "buffer_detach_f08_')" : ""), " &")
    if (f08) print "      import"
    printf "%s      integer%s :: ierror\n    end subroutine\n", lines, f08 ? ", optional, intent(out)" : ""
}
function number(i) {
    if (index(logical, " " own[i] " ")) return "logical"
    if (types[i] == "MPI_Aint") return f08 ? "integer(MPI_ADDRESS_KIND)" : "integer(4)"
    return types[i] == "MPI_Offset" || types[i] == "MPI_Count" ? "integer(8)" : "integer"
}
function any(name) { return "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: " name "\n      type(*), dimension(*) :: " name "\n" }
function declared(i) {
    if (kinds[i] == "text") return "      character(*) :: " names[i] "\n"
    if (kinds[i] == "procedure") return "      external :: " names[i] "\n"
    if (kinds[i] != "value") return any(names[i])
    return "      " number(i) ", intent(in) :: " names[i] "\n"
}
function declared_08(i,    type, intent) {
    if (kinds[i] == "buffer") return any(names[i])
    if (kinds[i] == "procedure") return "      procedure(" types[i] ") :: " names[i] "\n"
    if (kinds[i] == "text") type = "character(*)"
    else if (kinds[i] == "address") type = own[i] ~ /memory|base/ ? "type(c_ptr)" : "integer(MPI_ADDRESS_KIND)"
    else if (types[i] ~ /^(int|long|MPI_Aint|MPI_Offset|MPI_Count)$/) type = number(i)
    else type = "type(" types[i] ")"
    # What is changed may be undefined before, and what is only read may come in a variable: so neither is asked for without need.
    intent = kinds[i] == "value" || is_const[i] ? ", intent(in)" : kinds[i] == "text" || type == "type(c_ptr)" ? ", intent(out)" : ""
    return "      " type intent " :: " names[i] (types[i] == "int" && own[i] == "ranges" ? "(3, *)" : is_list[i] ? "(*)" : "") "\n"
}
