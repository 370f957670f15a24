// translate.hpp: Cilk's constructs in preprocessed C, as C.
//
//     x = cilk_spawn fib(n - 1);
//     y = fib(n - 2);
//     cilk_sync;
//     return x + y;
//
// becomes, but for the markers that keep the lines of the source,
//
//     { __auto_type __cilk_to = &(x); __auto_type __cilk_1 = (n - 1);
//       if (__mog_cilk_has_enough(...)) *__cilk_to = fib(__cilk_1); else { ++__cilk_children;
//       struct __cilk_arguments { ... } const __cilk_arguments = { __cilk_to, __cilk_1 };
//       void __cilk_spawned_fib(void *data) { ... own = *(struct __cilk_arguments *)data; *own.__cilk_to = fib(own.__cilk_1); }
//       ... __mog_cilk_push(..., __cilk_spawned_fib, 0) = __cilk_arguments; ... } }
//     y = fib(n - 2);
//     if (__cilk_children) __mog_cilk_sync(__cilk_children), __cilk_children = 0;
//     { int __cilk_result = x + y; if (__cilk_children) ...; return __cilk_result; }
//
// by what <cilk/records.h> has. What such a function cannot call, or be handed, becomes a task of OpenMP, as in the form for other
// compilers: gcc makes functions of tasks, with copies of the arguments, and calls GOMP_task() with them, which in a file of Cilk stands
// for a function of the Cilk runtime (runtime_pe/cilk):
//
//     #pragma omp task untied firstprivate(__cilk_to, __cilk_1)
//     *__cilk_to = fib(__cilk_1); }
//
// In C++ it becomes a call of a template (<cilk/tasks.hpp>), for only the compiler knows what is copied there:
//
//     ::__mog_cilk::spawn(__cilk_children, ::__mog_cilk::into(x, ...), [&](auto &&...a) -> decltype(fib(a...)) { return fib(a...); }, n -
//     1);
#pragma once

#include <string>
#include <string_view>

#include "support/result.hpp"

namespace mog {

/// What becomes of Cilk: calls of MOG's runtime; functions cut at their syncs, whose frames pass through channels (split.cpp); or OpenMP
/// for any compiler. (What is left if Cilk is left out, the preprocessor can do.)
enum class CilkForm { steal, channels, openmp };
enum class CilkLanguage { c, cxx };

/// `name`: of the file, where no marker in the text says otherwise. A text without Cilk comes back as it is. An error says where, in the
/// source.
Result<std::string> translate_cilk(std::string_view text, const std::string &name, CilkForm form, CilkLanguage language);

}  // namespace mog
