! language.f90: what Fortran has from 77 to 2018, of which gfortran under qemu says the same.
module shapes
  implicit none
  type, abstract :: shape
  contains
    procedure(area_of), deferred :: area
  end type
  abstract interface
    function area_of(self) result(a)
      import :: shape
      class(shape), intent(in) :: self
      real(8) :: a
    end function
  end interface
  type, extends(shape) :: circle
    real(8) :: radius = 1
  contains
    procedure :: area => area_of_circle
    final :: forget
  end type
  type, extends(shape) :: square
    real(8) :: side = 2
  contains
    procedure :: area => area_of_square
  end type
  interface operator(.plus.)
    module procedure sum_of_areas
  end interface
  integer :: forgotten = 0
contains
  function area_of_circle(self) result(a)
    class(circle), intent(in) :: self
    real(8) :: a
    a = acos(-1.0d0) * self%radius**2
  end function
  function area_of_square(self) result(a)
    class(square), intent(in) :: self
    real(8) :: a
    a = self%side**2
  end function
  function sum_of_areas(x, y) result(a)
    class(shape), intent(in) :: x, y
    real(8) :: a
    a = x%area() + y%area()
  end function
  subroutine forget(self)
    type(circle), intent(inout) :: self
    forgotten = forgotten + 1
    self%radius = 0
  end subroutine
  recursive integer function fibonacci(n) result(f)
    integer, intent(in) :: n
    f = n
    if (n > 1) f = fibonacci(n - 1) + fibonacci(n - 2)
  end function
  elemental integer function doubled(n)
    integer, intent(in) :: n
    doubled = 2 * n
  end function
end module

program language
  use shapes
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int64, real64, output_unit, error_unit
  use, intrinsic :: ieee_arithmetic
  implicit none
  interface
    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_size_t, c_char
      character(kind=c_char), intent(in) :: text(*)
    end function
    subroutine c_sort(base, count, size, compare) bind(c, name="qsort")
      import :: c_size_t, c_ptr, c_funptr
      type(c_ptr), value :: base
      integer(c_size_t), value :: count, size
      type(c_funptr), value :: compare
    end subroutine
  end interface
  interface
    integer(c_int) function ascending(a, b) bind(c)
      import :: c_int
      integer(c_int), intent(in) :: a, b
    end function
  end interface
  real(real64), allocatable :: matrix(:, :), vector(:)
  class(shape), allocatable :: some
  integer, allocatable :: numbers(:)
  integer(c_int), target :: unsorted(5) = [5, 3, 9, 1, 7]
  character(len=:), allocatable :: word
  character(len=40) :: text
  integer :: i, status, unit, total
  integer(int64) :: large, ticks, rate
  complex :: z
  logical :: exists
  namelist /settings/ i, total, text

  ! Arrays.
  allocate(matrix(3, 3), source=0.0d0)
  do concurrent (i = 1:3)
    matrix(i, i) = i
  end do
  vector = matmul(matrix, [1.0d0, 2.0d0, 3.0d0])
  print '(a, 3f8.3)', 'matmul', vector
  numbers = [(i * i, i = 1, 10)]
  numbers = pack(numbers, mod(numbers, 2) == 0)
  print *, 'even', numbers, sum(numbers), maxval(numbers), size(numbers)
  numbers = [numbers, doubled(numbers)]
  print *, 'more', numbers(::2), reshape(numbers, [2, 5])
  print *, 'located', findloc(numbers, 64), count(numbers > 20), any(numbers == 36), cshift([1, 2, 3], 1)
  where (matrix == 0) matrix = -1
  print '(3(3f5.1, /))', transpose(matrix)
  ! Objects.
  allocate(circle :: some)
  print '(a, f10.6)', 'circle', some%area()
  deallocate(some)
  allocate(some, source=square(side=3))
  select type (some)
  type is (square)
    print '(a, 2f8.2)', 'square', some%area(), some .plus. some
  class default
    error stop 'not a square'
  end select
  print *, 'forgotten', forgotten, fibonacci(15)
  ! Text.
  word = 'over' // repeat('-', 3) // trim('  there  ')
  print *, word, len(word), index(word, 'there'), scan(word, 'aeiou'), adjustl('   x') // '|', verify('aab', 'a')
  write (text, '(i0, 1x, z8.8, 1x, es12.4e3, 1x, l1)') 42, 255, 1234.5d0, .true.
  print *, text
  read (text, *) i
  print *, 'read', i
  ! Numbers.
  large = huge(large)
  z = sqrt(cmplx(-4.0, 0.0))
  print '(a, i0, 2f6.2)', 'huge ', large, z
  print *, int(-2.5), nint(-2.5), modulo(-7, 3), mod(-7, 3), ishft(1, 10), popcnt(255), ibits(1023, 3, 4)
  print '(a, 4f12.8)', 'functions ', gamma(4.5d0), erf(0.5d0), bessel_j0(1.0d0), hypot(3.0d0, 4.0d0)
  print *, ieee_is_nan(ieee_value(1.0, ieee_quiet_nan)), ieee_class(1.0) == ieee_positive_normal, epsilon(1.0), tiny(1.0d0)
  print '(a, b8.8, 1x, o6, 1x, g0, 1x, f0.3)', 'formats ', 37, 511, 1.5d0, -0.25
  ! C.
  print *, 'strlen', c_strlen('four' // c_null_char)
  call c_sort(c_loc(unsorted), 5_c_size_t, c_sizeof(unsorted(1)), c_funloc(ascending))
  print *, 'sorted', unsorted
  ! Files of the PE.
  open (newunit=unit, file='numbers.txt', status='replace', action='readwrite', iostat=status)
  do i = 1, 5
    write (unit, '(i4, a)') i, ' line'
  end do
  rewind (unit)
  total = 0
  do
    read (unit, '(i4)', iostat=status) i
    if (status /= 0) exit
    total = total + i
  end do
  close (unit, status='delete')
  inquire (file='numbers.txt', exist=exists)
  print *, 'total', total, is_iostat_end(status), exists
  open (newunit=unit, form='unformatted', access='direct', recl=8, status='scratch')
  do i = 1, 4
    write (unit, rec=i) real(i, real64) / 4
  end do
  read (unit, rec=3) vector(1)
  close (unit)
  open (newunit=unit, file='stream.bin', access='stream', form='unformatted', status='replace')
  write (unit) 1_int8, 2_int8, 'abc'
  inquire (unit, size=i)
  close (unit, status='delete')
  print *, 'direct', vector(1), 'stream', i
  i = 7; text = 'named'
  write (*, nml=settings)
  open (newunit=unit, file='none/there', status='old', iostat=status, iomsg=text)
  print *, 'refused', status /= 0, trim(text)
  ! The program's surroundings.
  print *, 'arguments', command_argument_count()
  call get_command_argument(1, text, status=status)
  print *, status, trim(text)
  call system_clock(ticks, rate)
  print *, rate > 0, ticks >= 0
  call random_seed()
  block
    real :: r(100)
    call random_number(r)
    print *, all(r >= 0 .and. r < 1)
    associate (half => r / 2)
      print *, maxval(half) < 0.5
    end associate
  end block
  write (error_unit, '(a)') 'to standard error'
  write (output_unit, '(a)') 'done'
  stop 3
end program

integer(c_int) function ascending(a, b) bind(c)
  use, intrinsic :: iso_c_binding, only: c_int
  integer(c_int), intent(in) :: a, b
  ascending = a - b
end function
