"""known.py: MPICH's tests that cannot pass here, and why; and what some need of mogrun."""

# Folders of MPICH's test/mpi whose tests are of MPI 3.1 in C.
FOLDERS = "attr coll comm datatype errhan group info init io pt2pt rma topo".split()
# Those of its tests in Fortran, by each of the ways that Fortran has to MPI, and what is in them.
FORTRAN = {
    "f77": "attr coll comm datatype ext info init io pt2pt rma topo".split(),
    "f90": "attr coll comm datatype ext f90types info init io misc pt2pt rma timer topo".split(),
    "f08": "attr coll comm datatype ext info init io misc pt2pt rma subarray timer topo".split(),
}

# Reason: tests; "coll/bcast:10" is only the row with 10 ranks.
KNOWN = {
    "needs functions of MPI 4": """
        coll/coll_large coll/p_allgather coll/p_allgatherv coll/p_allred coll/p_alltoall coll/p_alltoallv coll/p_alltoallw coll/p_barrier coll/p_bcast
        coll/p_bcast2 coll/p_exscan coll/p_gather coll/p_gatherv coll/p_order coll/p_red coll/p_red_scat_block coll/p_redscat coll/p_scan coll/p_scatter
        coll/p_scatterv comm/cmsplit_type comm/idup_with_info info/infogetstring info/info_no_init info/infocreateenv init/session init/session_psets
        init/session_self pt2pt/isendrecv datatype/type_large pt2pt/isendrecv_replace pt2pt/pt2pt_large pt2pt/sendrecv3""",
    "needs functions of MPI 4 in Fortran": """
        f08/pt2pt/pt2pt_largef08 f77/info/infocrenvf f77/info/infogetstrf f90/info/infocrenvf90 f90/info/infogetstrf90 f08/info/infocrenvf90 f08/info/infogetstrf90""",
    "needs what MPI 3 has removed": "f77/datatype/hindex1f f90/datatype/hindex1f90",
    "hands arrays of types where one type is meant, which the module's interfaces refuse": "f90/coll/alltoallvf90 f90/coll/split_typef90",
    "declares itself what mpif.h declares": "f77/rma/aintf",
    "is of a file that the package has not": "f08/ext/c2f2cf90 f08/ext/ctypesinf90",
    "is of a file that C does not compile": "f08/io/c2f2ciof90",
    "needs types of ROMIO's own": "io/async",
    "needs other parts of MPICH": """
        pt2pt/sendself coll/allred coll/allred2 coll/reduce coll/op_coll datatype/sendrecvt2 datatype/sendrecvt4 rma/mutex_bench""",
    "allocates more than 31 bits count": "coll/allgatherv4",
    "wants types of Fortran that PEs have not": """
        datatype/typename datatype/typename_oldapi f77/datatype/typenamef f90/datatype/typenamef90 f08/datatype/typenamef08""",
    "pairs with gaps travel with these, so a status counts them": "datatype/get_elements_pairtype",
    "wants hints that have no effect to be forgotten": "comm/comm_info rma/win_info",
    "wants MPI_COMM_NULL where the standard has a grid without dimensions for each rank": "topo/cartsuball",
    "wants 21 x 16 x 15, which is no more balanced than 20 x 18 x 14": "topo/dims5",
    "runs for ever, to see whether it is stopped": "init/timeout",
}

# Buffers of gigabytes, or very many objects.
OPTIONS = {
    "--mem=1G": "pt2pt/manylmt pt2pt/huge_anysrc pt2pt/huge_dupcomm pt2pt/huge_ssend coll/uoplong",
    "--mem=256M": "datatype/lots_of_types",
    "--mem=64M": "rma/strided_acc_onelock rma/strided_acc_subarray rma/put_base rma/put_bottom",
}

# Those that are run with any --share.
ALWAYS = "f77/info/infotest2f f77/pt2pt/greqf f77/io/setviewcurf f90/attr/fandcattrf90".split()

# Long ones, for --share=1 only.
SLOW = "coll/nonblocking3 rma/large_acc_flush_local rma/derived_acc_flush_local rma/rma_contig pt2pt/bsendpending".split()


def by_name(table):
    return {name: key for key, names in table.items() for name in names.split()}


REASONS, NEEDS = by_name(KNOWN), by_name(OPTIONS)


def reason(folder, name, ranks):
    """Why a test fails; None: it has to pass."""
    return REASONS.get(f"{folder}/{name}") or REASONS.get(f"{folder}/{name}:{ranks}")


def options(folder, name):
    return NEEDS.get(f"{folder}/{name}", "").split()
