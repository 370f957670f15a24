// opadd_reducer.h: cilk::opadd_reducer<T>, a sum that strands add to.
#ifndef _CILK_OPADD_REDUCER_H
#define _CILK_OPADD_REDUCER_H

#include <cilk/hyperobject.hpp>

namespace cilk {

template <class T>
void zero(void *view) {
    ::new (view) T(0);
}
template <class T>
void plus(void *left, void *right) {
    *static_cast<T *>(left) += *static_cast<T *>(right);
    static_cast<T *>(right)->~T();
}

template <class T>
class opadd_reducer {
public:
    opadd_reducer(T first = T(0)) : sum_(std::move(first)) {}
    operator T &() { return sum_.view(); }
    T &operator*() { return sum_.view(); }
    T &operator=(const T &value) { return sum_.view() = value; }
    template <class Other>
    T &operator+=(const Other &value) {
        return sum_.view() += value;
    }
    template <class Other>
    T &operator-=(const Other &value) {
        return sum_.view() -= value;
    }
    T &operator++() { return ++sum_.view(); }
    T &operator--() { return --sum_.view(); }
    T operator++(int) { return sum_.view()++; }
    T operator--(int) { return sum_.view()--; }

private:
    hyperobject<T, zero<T>, plus<T>> sum_;
};

}  // namespace cilk

#endif
