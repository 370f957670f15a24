// hyperobject.hpp: reducers of C++ that are objects: a variable, a member or an element, whose strands have a view each.
#ifndef _CILK_HYPEROBJECT_HPP
#define _CILK_HYPEROBJECT_HPP

#include <cilk/hyperobject_base.h>

#include <new>
#include <utility>

namespace cilk {

// Identity makes a view, Reduce puts the right one behind the left one and destroys it.
template <class T, void (*Identity)(void *), void (*Reduce)(void *, void *)>
class hyperobject {
public:
    template <class... A>
    explicit hyperobject(A &&...arguments) : value_(std::forward<A>(arguments)...) {
#ifdef __cilk
        __cilkrts_reducer_register(&value_, sizeof value_, Identity, Reduce);
#endif
    }
    hyperobject(const hyperobject &) = delete;
    void operator=(const hyperobject &) = delete;
    ~hyperobject() {
#ifdef __cilk
        __cilkrts_reducer_unregister(&value_);
#endif
    }
    T &view() {
#ifdef __cilk
        return *static_cast<T *>(__cilkrts_reducer_lookup(&value_, sizeof value_, Identity, Reduce));
#else
        return value_;
#endif
    }

private:
    alignas(alignof(T) < 16 ? alignof(T) : 16) T value_;
};

}  // namespace cilk

#endif
