! ranks08.F90: MPI by `use mpi_f08`: handles of types, errors left out, statuses, functions that MPI calls, by native MPI as by MOG's.
module called
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: copies = 0, deletions = 0, complaints = 0, queries = 0
contains
  subroutine larger(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    real(8), pointer :: in(:), inout(:)
    if (datatype /= MPI_DOUBLE_PRECISION) call MPI_Abort(MPI_COMM_WORLD, 8)
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    where (in > inout) inout = in
  end subroutine
  subroutine copied(old, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: old
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copies = copies + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = old == MPI_COMM_WORLD
    ierror = MPI_SUCCESS
  end subroutine
  subroutine deleted(comm, keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deletions = deletions + int(attribute_val)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine complained(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    complaints = complaints + 1
  end subroutine
  subroutine queried(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    queries = queries + int(extra_state)
    status%MPI_SOURCE = MPI_UNDEFINED
    status%MPI_TAG = 17
    call MPI_Status_set_elements(status, MPI_INTEGER, 5, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine freed(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    queries = queries + 1000
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancelled(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program ranks
  use mpi_f08
  use called
  implicit none
  integer :: rank, size, got, total, left, right, i, index, key, old(MPI_STATUS_SIZE), pair(2), counts(4), pages(2)
  integer(MPI_ADDRESS_KIND) :: value, lower, extent, places(2)
  integer(MPI_OFFSET_KIND) :: place
  integer(MPI_COUNT_KIND) :: elements
  integer :: room(100)
  integer, pointer :: shared(:)
  type(c_ptr) :: address
  type(MPI_Comm) :: comm, grid
  type(MPI_Group) :: group, part
  type(MPI_Request) :: requests(2), request
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Datatype) :: type, of_kind, again
  type(MPI_Op) :: op
  type(MPI_Win) :: window
  type(MPI_File) :: file
  type(MPI_Info) :: info
  type(MPI_Errhandler) :: handler
  type(MPI_Message) :: message
  real(selected_real_kind(12)) :: real_of_kind, sum_of_kind
  integer :: bytes
  real(8) :: x(3), matrix(3, 4)
  logical :: flag
  character(MPI_MAX_OBJECT_NAME) :: name
  type :: record
    sequence
    integer :: number
    real(8) :: value
  end type
  type(record) :: one

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(comm=MPI_COMM_WORLD, size=size, ierror=i)
  call check(i == MPI_SUCCESS, 'ierror')
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  ! Messages, statuses. Open MPI 4.1 declares the conversions of a status, but does not have them.
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 1, got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status)
  call check(got == left .and. status%MPI_SOURCE == left .and. status%MPI_TAG == 1, 'sendrecv')
  call MPI_Get_count(status, MPI_INTEGER, i)
  call check(i == 1, 'get_count')
  call MPI_Get_elements_x(status, MPI_BYTE, elements)
  call check(elements == 4, 'get_elements_x')
#ifndef OPEN_MPI
  call MPI_Status_f082f(status, old)
  call MPI_Status_f2f08(old, statuses(1))
  call check(statuses(1)%MPI_SOURCE == left .and. statuses(1)%MPI_TAG == 1, 'status_f2f08')
#endif
  call MPI_Irecv(buf=got, count=1, datatype=MPI_INTEGER, source=left, tag=2, comm=MPI_COMM_WORLD, request=requests(1))
  call MPI_Isend(2 * rank, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, requests(2))
  call check(requests(1) /= requests(2), 'requests')
  call MPI_Waitall(2, requests, statuses)
  call check(got == 2 * left .and. statuses(1)%MPI_SOURCE == left, 'waitall')
  call check(requests(1) == MPI_REQUEST_NULL, 'request_null')
  call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, requests(2))
  call MPI_Send(rank, 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD)
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE)
  call check(index == 2 .and. got == left, 'waitany')
  call MPI_Isend(rank, 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, request)
  call MPI_Mprobe(left, 4, MPI_COMM_WORLD, message, status)
  call MPI_Mrecv(got, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE)
  call check(message == MPI_MESSAGE_NULL .and. got == left, 'mrecv')
  requests(1) = request
  call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE)
  call MPI_Buffer_attach(room, 400)
  call MPI_Bsend(rank, 1, MPI_INTEGER, rank, 5, MPI_COMM_WORLD)
  call MPI_Recv(got, 1, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Buffer_detach(address, i)
  call MPI_Get_address(room, value)
  call check(transfer(address, value) == value .and. i == 400, 'buffer_detach')
  ! Collectives, in place and of buffers of any rank; operations of the program.
  total = rank
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(total == size * (size - 1) / 2, 'allreduce')
  matrix = rank
  call MPI_Bcast(matrix, 12, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD)
  call check(all(matrix == 1), 'bcast')
  matrix(2, :) = rank
  call MPI_Bcast(matrix(2, 1:4:2), 2, MPI_REAL8, 2, MPI_COMM_WORLD)
  call check(all(matrix(2, :) == [2, rank, 2, rank]), 'section')
  call MPI_Op_create(larger, .true., op)
  x = [rank, -rank, 7]
  call MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD)
  call check(all(x == [size - 1, 0, 7]), 'op_create')
  call MPI_Op_free(op)
  call check(op == MPI_OP_NULL, 'op_free')
  pair = [mod(rank, 2), rank]
  call MPI_Allreduce(MPI_IN_PLACE, pair, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD)
  call check(all(pair == [1, 1]), 'maxloc')
  call MPI_Iallgather(rank * 2, 1, MPI_INTEGER, counts, 1, MPI_INTEGER, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_F_sync_reg(counts)
  call check(all(counts == [0, 2, 4, 6]), 'iallgather')
  ! Types.
  call MPI_Get_address(one%number, places(1))
  call MPI_Get_address(one%value, places(2))
  places = [0_MPI_ADDRESS_KIND, MPI_Aint_diff(places(2), places(1))]
  call MPI_Type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_DOUBLE_PRECISION], type)
  call MPI_Type_commit(type)
  call MPI_Type_get_extent(type, lower, extent)
  call check(lower == 0 .and. extent >= 12, 'extent')
  one = record(rank, rank / 2d0)
  call MPI_Bcast(one, 1, type, 3, MPI_COMM_WORLD)
  call check(one%number == 3 .and. one%value == 1.5d0, 'struct')
  call MPI_Type_set_name(type, 'a record')
  call MPI_Type_get_name(type, name, i)
  call check(name == 'a record' .and. i == 8, 'type_name')
  call MPI_Type_get_envelope(type, i, index, key, got)
  call check(got == MPI_COMBINER_STRUCT .and. i == 3, 'envelope')
  call MPI_Type_free(type)
  call check(type == MPI_DATATYPE_NULL, 'type_free')
  ! Communicators, groups, grids.
  call MPI_Comm_group(MPI_COMM_WORLD, group)
  call MPI_Group_range_incl(group, 1, reshape([0, 3, 2], [3, 1]), part)
  call MPI_Group_size(part, i)
  call check(i == 2, 'range_incl')
  call MPI_Comm_create(MPI_COMM_WORLD, part, comm)
  call check((comm == MPI_COMM_NULL) .eqv. mod(rank, 2) == 1, 'comm_create')
  if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm)
  call MPI_Group_compare(group, part, i)
  call check(i == MPI_UNEQUAL .and. group /= part, 'group_compare')
  call MPI_Group_free(part)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .false.], .false., grid)
  call MPI_Cart_shift(grid, 1, 1, left, i)
  call check((i == MPI_PROC_NULL) .eqv. mod(rank, 2) == 1, 'cart_shift')
  call MPI_Comm_free(grid)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + 1, 4)], MPI_UNWEIGHTED, 1, [mod(rank + 3, 4)], &
    MPI_UNWEIGHTED, MPI_INFO_NULL, .false., grid)
  call MPI_Dist_graph_neighbors_count(grid, i, got, flag)
  call check(i == 1 .and. got == 1 .and. .not. flag, 'unweighted')
  call MPI_Comm_free(grid)
  ! Attributes: of the program, and MPI's own.
  call MPI_Comm_create_keyval(copied, deleted, key, 5_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 37_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_get_attr(comm, key, value, flag)
  call check(flag .and. value == 42 .and. copies == 1, 'copied')
  call MPI_Comm_free(comm)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
  call check(deletions == 79, 'deleted')
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 11_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_get_attr(comm, key, value, flag)
  call check(flag .and. value == 11, 'dup_fn')
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  call check(flag .and. value >= 32767, 'tag_ub')
  ! Errors.
  call MPI_Comm_create_errhandler(complained, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  call MPI_Send(rank, 1, MPI_INTEGER, size, 1, comm, i)
  call check(complaints == 1, 'errhandler')
  call MPI_Errhandler_free(handler)
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
  call MPI_Send(rank, 1, MPI_INTEGER, size, 1, comm, i)
  call MPI_Error_class(i, got)
  call check(got == MPI_ERR_RANK, 'error_class')
  call MPI_Comm_free(comm)
  ! Generalized requests.
  call MPI_Grequest_start(queried, freed, cancelled, 9_MPI_ADDRESS_KIND, request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, i)
  call check(queries == 1009 .and. i == 5 .and. status%MPI_TAG == 17, 'grequest')
  ! Infos.
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'colour', 'green')
  call MPI_Info_get(info, 'colour', 20, name, flag)
  call check(flag .and. name == 'green', 'info')
  call MPI_Info_free(info)
  call check(info == MPI_INFO_NULL, 'info_free')
  ! Types of Fortran's kinds.
  call MPI_Type_create_f90_real(12, MPI_UNDEFINED, of_kind)
  call MPI_Type_create_f90_real(12, MPI_UNDEFINED, again)
  call check(of_kind == again, 'type_create_f90_real')
  call MPI_Type_get_envelope(of_kind, counts(1), counts(2), counts(3), counts(4))
  call check(all(counts == [2, 0, 0, MPI_COMBINER_F90_REAL]), 'envelope')
  call MPI_Sizeof(real_of_kind, bytes)
  call MPI_Type_size(of_kind, counts(1))
  call check(bytes == counts(1), 'sizeof')
  real_of_kind = rank + 0.25d0
  call PMPI_Reduce(real_of_kind, sum_of_kind, 1, of_kind, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) call check(sum_of_kind == size * (size - 1) / 2 + size * 0.25d0, 'reduce')
  ! Windows.
  call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, address, window)
  call c_f_pointer(address, shared, [4])
  shared = -1
  call MPI_Win_fence(0, window)
  call MPI_Put(rank, 1, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, window)
  call MPI_Win_fence(0, window)
  call check(all(shared == [-1, -1, mod(rank + size - 1, size), -1]), 'put')
  call MPI_Win_get_attr(window, MPI_WIN_SIZE, value, flag)
  call check(flag .and. value == 16, 'win_size')
  call MPI_Win_get_attr(window, MPI_WIN_BASE, value, flag)
  call check(flag .and. value == transfer(address, value), 'win_base')
  call MPI_Win_free(window)
  ! Files.
  call MPI_File_open(MPI_COMM_WORLD, 'ranks08.dat', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file)
  place = 4 * rank
  call MPI_File_write_at_all(file, place, rank + 7, 1, MPI_INTEGER, status)
  call MPI_File_set_atomicity(file, .true.)
  call MPI_File_get_atomicity(file, flag)
  call check(flag, 'atomicity')
  call MPI_File_read_at_all(file, 0_MPI_OFFSET_KIND, counts, 4, MPI_INTEGER, MPI_STATUS_IGNORE)
  call check(all(counts == [7, 8, 9, 10]), 'file')
  call MPI_File_close(file)
  call check(file == MPI_FILE_NULL, 'file_close')
  pages = 0
  if (rank == 0) call MPI_File_delete('ranks08.dat', MPI_INFO_NULL)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) print '(a, i0)', 'all right in ', size
  call MPI_Finalize()
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    print *, 'wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 9)
  end subroutine
end program
