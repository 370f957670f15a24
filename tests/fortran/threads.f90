! threads.f90: OpenMP in Fortran: regions, loops, reductions, tasks, locks, and what omp_lib asks and sets.
program threads
  use omp_lib
  implicit none
  integer, parameter :: n = 1000
  integer :: i, total, seen(4), depth
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nested
  integer(omp_sched_kind) :: kind
  real(8) :: values(n), largest, began

  call omp_set_num_threads(4)
  print *, 'at most', omp_get_max_threads(), omp_in_parallel()
  seen = -1
  !$omp parallel
  seen(omp_get_thread_num() + 1) = omp_get_num_threads()
  !$omp end parallel
  print *, 'seen', seen
  total = 0
  !$omp parallel do reduction(+: total) schedule(dynamic, 7)
  do i = 1, n
    total = total + i
    values(i) = sqrt(real(i, 8))
  end do
  !$omp end parallel do
  print *, 'total', total
  largest = 0
  !$omp parallel do reduction(max: largest) collapse(1)
  do i = 1, n
    largest = max(largest, values(i))
  end do
  print '(a, f10.4)', 'largest', largest
  call omp_init_lock(lock)
  call omp_init_nest_lock(nested)
  total = 0
  !$omp parallel do private(depth)
  do i = 1, 100
    call omp_set_lock(lock)
    total = total + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nested)
    depth = omp_test_nest_lock(nested)
    if (depth /= 2) error stop 'a nested lock was not ours'
    call omp_unset_nest_lock(nested)
    call omp_unset_nest_lock(nested)
  end do
  print *, 'locked', total, omp_test_lock(lock)
  call omp_unset_lock(lock)
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nested)
  !$omp parallel
  !$omp single
  print *, 'fibonacci', fibonacci(15)
  !$omp end single
  !$omp end parallel
  !$omp parallel workshare
  values = values * 2
  !$omp end parallel workshare
  print '(a, f12.4)', 'sum', sum(values)
  !$omp parallel sections reduction(+: total)
  !$omp section
  total = total + 1
  !$omp section
  total = total + 2
  !$omp end parallel sections
  print *, 'sections', total
  call omp_set_schedule(omp_sched_guided, 5)
  call omp_get_schedule(kind, i)
  print *, kind == omp_sched_guided, i, omp_get_level()
  began = omp_get_wtime()
  print *, omp_get_wtime() >= began
contains
  recursive integer function fibonacci(m) result(f)
    integer, intent(in) :: m
    integer :: a, b
    if (m < 2) then
      f = m
      return
    end if
    !$omp task shared(a) if (m > 10)
    a = fibonacci(m - 1)
    !$omp end task
    !$omp task shared(b) if (m > 10)
    b = fibonacci(m - 2)
    !$omp end task
    !$omp taskwait
    f = a + b
  end function
end program
