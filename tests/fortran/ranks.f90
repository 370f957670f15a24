! ranks.f90: MPI by `use mpi`: messages, requests, collectives, types, groups of ranks, operations, text, files.
program ranks
  use mpi
  implicit none
  integer :: rank, size, error, status(MPI_STATUS_SIZE), requests(2), statuses(MPI_STATUS_SIZE, 2), got, total, i
  integer :: column, half, half_rank, half_size, cart, coordinates(2), most, left, right, index, file, all(4)
  integer(MPI_OFFSET_KIND) :: place
  integer(MPI_ADDRESS_KIND) :: upper
  real(8) :: matrix(3, 4), x(4), began
  complex :: z
  logical :: flag
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  character(len=5) :: word
  external :: largest

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  began = MPI_Wtime()
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  ! Messages.
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 1, got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status, error)
  call check(got == left .and. status(MPI_SOURCE) == left .and. status(MPI_TAG) == 1, 'sendrecv')
  call MPI_Get_count(status, MPI_INTEGER, i, error)
  call check(i == 1, 'get_count')
  call MPI_Irecv(got, 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(2 * rank, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, statuses, error)
  call check(got == 2 * left .and. statuses(MPI_SOURCE, 1) == left, 'waitall')
  call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, requests(1), error)
  requests(2) = MPI_REQUEST_NULL
  call MPI_Send(rank, 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, error)
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, error)
  call check(index == 1 .and. got == left, 'waitany')
  ! A column apart, as a type.
  matrix = reshape([(real(i + 100 * rank, 8), i = 1, 12)], [3, 4])
  call MPI_Type_vector(4, 1, 3, MPI_DOUBLE_PRECISION, column, error)
  call MPI_Type_commit(column, error)
  call MPI_Sendrecv(matrix(2, 1), 1, column, right, 4, x, 4, MPI_REAL8, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call check(all_same(x, [2.0d0, 5.0d0, 8.0d0, 11.0d0] + 100 * left), 'vector')
  call MPI_Type_free(column, error)
  ! Collectives.
  total = rank
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call check(total == size * (size - 1) / 2, 'allreduce')
  z = cmplx(rank, 1)
  call MPI_Allreduce(MPI_IN_PLACE, z, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, error)
  call check(z == cmplx(total, size), 'complex')
  flag = rank < size
  call MPI_Allreduce(MPI_IN_PLACE, flag, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
  call check(flag, 'logical')
  word = 'wrong'
  if (rank == 0) word = 'right'
  call MPI_Bcast(word, 5, MPI_CHARACTER, 0, MPI_COMM_WORLD, error)
  call check(word == 'right', 'bcast')
  call MPI_Gather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  if (rank == 0) call check(sum(all) == 6, 'gather')
  call MPI_Op_create(largest, .true., most, error)
  call MPI_Reduce(rank, got, 1, MPI_INTEGER, most, 0, MPI_COMM_WORLD, error)
  if (rank == 0) call check(got == size - 1, 'operation')
  call MPI_Op_free(most, error)
  ! Groups of ranks.
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, error)
  call MPI_Comm_rank(half, half_rank, error)
  call MPI_Comm_size(half, half_size, error)
  call check(half_rank == half_size - 1 - rank / 2, 'split')
  call MPI_Comm_set_name(half, 'half of all  ', error)
  name = 'x'
  call MPI_Comm_get_name(half, name, i, error)
  call check(name == 'half of all' .and. i == 11, 'names')
  call MPI_Comm_free(half, error)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .false.], .false., cart, error)
  call MPI_Cart_coords(cart, rank, 2, coordinates, error)
  call MPI_Cart_shift(cart, 1, 1, left, right, error)
  call check(all_equal(coordinates, [rank / 2, mod(rank, 2)]) .and. (right == MPI_PROC_NULL .eqv. mod(rank, 2) == 1), 'cart')
  call MPI_Comm_free(cart, error)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, upper, flag, error)
  call check(flag .and. upper >= 32767, 'attribute')
  ! Files.
  call MPI_File_open(MPI_COMM_WORLD, 'ranks.dat  ', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, error)
  place = 4 * rank
  call MPI_File_write_at_all(file, place, rank + 7, 1, MPI_INTEGER, status, error)
  call MPI_File_close(file, error)
  if (rank == 0) then
    open (newunit=file, file='ranks.dat', access='stream', form='unformatted')
    read (file) all
    close (file, status='delete')
    call check(all_equal(all, [7, 8, 9, 10]), 'file')
  end if
  call MPI_Get_processor_name(name, i, error)
  call check(i > 0 .and. len_trim(name) == i, 'processor')
  call check(MPI_Wtime() >= began .and. MPI_Wtick() > 0, 'time')
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) print '(a, i0)', 'all right in ', size
  call MPI_Finalize(error)
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    print *, 'wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 9, error)
  end subroutine
  logical function all_equal(a, b)
    integer, intent(in) :: a(:), b(:)
    all_equal = all_of(a == b)
  end function
  logical function all_same(a, b)
    real(8), intent(in) :: a(:), b(:)
    all_same = all_of(a == b)
  end function
  logical function all_of(list)
    logical, intent(in) :: list(:)
    all_of = count(list) == ubound(list, 1)
  end function
end program

subroutine largest(in, inout, length, type)
  integer :: length, type, in(length), inout(length)
  inout = max(in, inout)
end subroutine
