// tasks.hpp: what mogcc makes Cilk's constructs of in C++. Files that are compiled with -fcilk include it before all else.
//
//     x = cilk_spawn f(a, b);      spawn(frame, into(x, assign), [&](auto &&...a) -> decltype(f(a...)) { return f(a...); }, a, b);
//
// Arguments are there before the call is spawned, as Cilk has it: what f takes by value is copied, what it takes by reference is not. Which it is
// cannot be seen in the words, but it can be asked: whether f could be called with something else.
#ifndef _CILK_TASKS_HPP
#define _CILK_TASKS_HPP

#if defined __cplusplus && defined __cilk
#if __cplusplus < 201703L
#error "Cilk in C++ is for C++17 and later: -std=c++17"
#endif

#include <cilk/hyperobject_base.h>
#include <cilk/records.h>

#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

extern "C" {
void __mog_cilk_sync(unsigned);
void __mog_cilk_loop_ull(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int, unsigned long long,
                         unsigned long long, unsigned long long);
}

namespace __mog_cilk {

// ---- exceptions ----

// What children threw. The first in the order of the program is thrown by the sync.
class exceptions {
#if __cpp_exceptions
    struct one {
        std::exception_ptr what;
        unsigned long long order;
        one *next;
    };
    one *all_ = nullptr;

    void rethrow() {
        std::exception_ptr first;
        unsigned long long order = ~0ull;
        for (one *each = all_; each;) {
            if (each->order <= order) first = each->what, order = each->order;
            delete std::exchange(each, each->next);
        }
        all_ = nullptr;
        std::rethrow_exception(first);
    }

public:
    exceptions() = default;
    exceptions(const exceptions &) = delete;
    void operator=(const exceptions &) = delete;
    ~exceptions() {
        while (all_) delete std::exchange(all_, all_->next);
    }
    // By children, which may be several at a time.
    template <class Work>
    void keep(unsigned long long order, Work &&work) noexcept {
        try {
            work();
        } catch (...) {
            one *mine = new one{std::current_exception(), order, __atomic_load_n(&all_, __ATOMIC_RELAXED)};
            while (!__atomic_compare_exchange_n(&all_, &mine->next, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {}
        }
    }
    bool any() const { return __builtin_expect(all_ != nullptr, 0); }
    void throw_them() {
        if (any()) rethrow();
    }
#else
public:
    template <class Work>
    void keep(unsigned long long, Work &&work) {
        work();
    }
    bool any() const { return false; }
    void throw_them() {}
#endif
};

// A function's children, or an iteration's. Whatever leaves it waits for them.
class frame {
public:
    frame() = default;
    ~frame() {
        if (children_) join();
    }
    void sync() {
        join();
        exceptions_.throw_them();
    }
    // Without an exception: another one is on its way.
    void join() {
        if (children_) __mog_cilk_sync(std::exchange(children_, 0));
    }
    bool has_children() const { return children_ || exceptions_.any(); }  // or what they threw
    void add() { ++children_; }
    // Of a spawn, in the order of the program.
    unsigned next() { return spawns_++; }
    class exceptions &exceptions() { return exceptions_; }

private:
    unsigned children_ = 0, spawns_ = 0;
    class exceptions exceptions_;
};

inline int exceptions_on_their_way() {
#if __cpp_exceptions
    return std::uncaught_exceptions();
#else
    return 0;
#endif
}

// Behind the declaration of a variable: if an exception leaves its block, children end before it is destroyed.
class guard {
public:
    explicit guard(frame &own) : frame_(own), before_(exceptions_on_their_way()) {}
    guard(const guard &) = delete;
    void operator=(const guard &) = delete;
    ~guard() {
        if (frame_.has_children() && exceptions_on_their_way() > before_) frame_.join();
    }

private:
    frame &frame_;
    const int before_;
};

// `return returning(frame), value;`: the value is there before the sync, and variables are destroyed after it.
class returning {
public:
    explicit returning(frame &own) : frame_(own), before_(own.has_children() ? exceptions_on_their_way() : -1) {}
    returning(const returning &) = delete;
    void operator=(const returning &) = delete;
    ~returning() noexcept(false) {
        if (before_ < 0) return;
        if (exceptions_on_their_way() > before_) frame_.join();
        else frame_.sync();
    }

private:
    frame &frame_;
    const int before_;
};

// ---- arguments ----

// Becomes what is taken by reference to a constant, and not what is taken by value, for which there are two ways; nor can it be copied.
template <class T>
struct only_constant_reference {
    only_constant_reference(const only_constant_reference &) = delete;
    operator const T &() const;
    operator T() const;
};

// An object that has several operators (), or a template, and may have to look into its arguments to tell what it gives.
template <class T, class = void>
struct is_generic : std::is_class<std::remove_reference_t<T>> {};
template <class T>
struct is_generic<T, std::void_t<decltype(&std::remove_reference_t<T>::operator())>> : std::false_type {};

template <class... T>
struct types {};

// Whether an argument T & between these is to be copied. Generic: `call` may have to be made to tell what it gives.
template <class Call, bool Generic, class T, class... Before, class... After>
constexpr bool is_copied(types<Before...>, types<After...>) {
    if constexpr (std::is_array_v<T> || std::is_function_v<T> || !std::is_copy_constructible_v<T>) return false;
    else if constexpr (!std::is_invocable_v<Call &, Before..., T, After...>) return false;  // as where T & is wanted
    else if constexpr (!std::is_class_v<T> || Generic || (std::is_trivially_copyable_v<T> && sizeof(T) <= 16)) return true;
    else return !std::is_invocable_v<Call &, Before..., only_constant_reference<std::remove_cv_t<T>>, After...>;
}

// How an argument of type A (a reference if it is an lvalue) waits for the call.
template <class A, bool Copied>
struct slot {  // a copy, or what was a temporary
    std::remove_cv_t<std::remove_reference_t<A>> value;
    template <class Given>
    explicit slot(Given &&given) : value(std::forward<Given>(given)) {}
    A &&get() { return static_cast<A &&>(value); }
};
template <class T>
struct slot<T &, false> {
    T *place;
    explicit slot(T &given) : place(std::addressof(given)) {}
    T &get() { return *place; }
};

template <class... Slots>
struct slots {
    template <class Function, class... Got>
    decltype(auto) give(Function &function, Got &&...got) {
        return function(std::forward<Got>(got)...);
    }
};
template <class First, class... Others>
struct slots<First, Others...> {
    First first;
    slots<Others...> others;
    template <class A, class... B>
    explicit slots(A &&a, B &&...b) : first(std::forward<A>(a)), others(std::forward<B>(b)...) {}
    template <class Function, class... Got>
    decltype(auto) give(Function &function, Got &&...got) {
        return others.give(function, std::forward<Got>(got)..., first.get());
    }
};

template <class Call, bool Generic, class Before, class... After>
struct kept_as;
template <class Call, bool Generic, class... Before>
struct kept_as<Call, Generic, types<Before...>> {
    template <class... Slots>
    using type = slots<Slots...>;
};
template <class Call, bool Generic, class... Before, class A, class... After>
struct kept_as<Call, Generic, types<Before...>, A, After...> {
    static constexpr bool copied() {
        if constexpr (std::is_lvalue_reference_v<A>) return is_copied<Call, Generic, std::remove_reference_t<A>>(types<Before...>(), types<After...>());
        else return true;
    }
    template <class... Slots>
    using type = typename kept_as<Call, Generic, types<Before..., A>, After...>::template type<Slots..., slot<A, copied()>>;
};

// ---- calls ----

struct nowhere {
    template <class Work>
    void operator()(Work &&work) {
        work();
    }
};
template <class T, class Assign>
struct into_place {
    T *place;
    Assign assign;
    template <class Work>
    void operator()(Work &&work) {
        assign(*place, work());
    }
};
// Where the result goes, which is known before the call.
template <class T, class Assign>
into_place<T, Assign> into(T &place, Assign assign) {
    return {std::addressof(place), assign};
}

template <class Into, class Call, class Slots>
struct task {
    frame *parent;
    unsigned order;
    Into into;
    Call call;
    Slots arguments;

    void run() {
        parent->exceptions().keep(order, [&] { into([&]() -> decltype(auto) { return arguments.give(call); }); });
    }
    static void run_here(void *data) { static_cast<task *>(data)->run(); }
    static void run_elsewhere(void *data) {
        task *own = *static_cast<task **>(data);
        own->run();
        delete own;
    }
};

// A spawn of `run`, with what it is to find, of which references lead into it while it runs.
template <class Data, class... Parts>
inline void put(void (*run)(void *), Parts &&...parts) {
    __mog_cilk_worker *const own = __mog_cilk_self;
    if (__mog_cilk_has_room(own, sizeof(Data), alignof(Data))) {
        new (__mog_cilk_push(own, run, sizeof(Data))) Data{std::forward<Parts>(parts)...};
        __mog_cilk_offer(own);
    } else {
        Data here{std::forward<Parts>(parts)...};
        __mog_cilk_spawn_slowly(run, &here, nullptr, sizeof here, alignof(Data));
    }
}

template <class Slots, class Into, class Call, class... Given>
void start(frame &parent, Into into, Call call, Given &&...given) {
    using task = __mog_cilk::task<Into, Call, Slots>;
    if (__mog_cilk_has_enough(__mog_cilk_self)) {
        task{&parent, parent.next(), into, std::move(call), Slots(std::forward<Given>(given)...)}.run();
        return;
    }
    const unsigned order = parent.next();
    if constexpr (std::is_trivially_copyable_v<task> && std::is_trivially_destructible_v<task>) {
        put<task>(task::run_here, &parent, order, into, call, Slots(std::forward<Given>(given)...));
    } else {
        put<task *>(task::run_elsewhere, new task{&parent, order, into, std::move(call), Slots(std::forward<Given>(given)...)});
    }
    parent.add();
}

// A function by its name.
template <class Into, class Call, class... A>
void spawn(frame &parent, Into into, Call call, A &&...arguments) {
    using kept = typename kept_as<Call, false, types<>, A...>::template type<>;
    start<kept>(parent, into, std::move(call), std::forward<A>(arguments)...);
}
// An object, which is the first argument of `call`: of a method, or one that is called. It is not copied if it has a name and is of a class.
template <class Into, class Call, class Object, class... A>
void spawn_of(frame &parent, Into into, Call call, Object &&object, A &&...arguments) {
    constexpr bool copied = !std::is_lvalue_reference_v<Object> || !(std::is_class_v<std::remove_reference_t<Object>> ||
                                                                     std::is_union_v<std::remove_reference_t<Object>> ||
                                                                     std::is_function_v<std::remove_reference_t<Object>>);
    using kept = typename kept_as<Call, is_generic<Object>::value, types<Object>, A...>::template type<slot<Object, copied>>;
    start<kept>(parent, into, std::move(call), std::forward<Object>(object), std::forward<A>(arguments)...);
}

// ---- loops ----

enum class until { less, less_equal, greater, greater_equal, not_equal };

template <class Step>
struct up {
    Step step;
    explicit up(Step step) : step(step) {}
    static constexpr bool goes_up = true;
};
template <class Step>
struct down {
    Step step;
    explicit down(Step step) : step(step) {}
    static constexpr bool goes_up = false;
};

template <class Body>
struct iterations {
    Body &body;
    exceptions thrown;

    struct range {
        unsigned long long from, to;
        iterations *own;
    };
    static void run(void *data) {
        range *const part = static_cast<range *>(data);
        unsigned long long i = part->from;
        part->own->thrown.keep(i, [&] {
            for (; i != part->to; ++i) part->own->body(i);
        });
    }
    void run_all(unsigned long long count, unsigned long grain) {
        constexpr unsigned goes_up = 256, has_grain = 512;
        range all{0, count, this};
        __mog_cilk_loop_ull(run, &all, nullptr, sizeof all, alignof(range), goes_up | (grain ? has_grain : 0u), grain, 0, 0, count, 1);
        thrown.throw_them();
    }
};
template <class Body>
void run_iterations(unsigned long long count, unsigned long grain, Body &&body) {
    iterations<Body>{body, {}}.run_all(count, grain);
}

template <until Until, class I, class Limit, class Way, class Body>
void loop(I first, const Limit &limit, Way way, unsigned long grain, Body &&body) {
    using wide = unsigned long long;
    bool any;
    if constexpr (Until == until::less) any = first < limit;
    else if constexpr (Until == until::less_equal) any = first <= limit;
    else if constexpr (Until == until::greater) any = first > limit;
    else if constexpr (Until == until::greater_equal) any = first >= limit;
    else any = first != limit;
    if (!any) return;
    constexpr bool counts = std::is_integral_v<I>;
    wide distance;
    if constexpr (counts) distance = Way::goes_up ? static_cast<wide>(limit) - static_cast<wide>(first) : static_cast<wide>(first) - static_cast<wide>(limit);
    else distance = static_cast<wide>(Way::goes_up ? limit - first : first - limit);
    const wide step = static_cast<wide>(way.step);
    wide count = distance / step + (distance % step ? 1 : 0);
    if constexpr (Until == until::less_equal || Until == until::greater_equal) count = distance / step + 1;
    run_iterations(count, grain, [&](wide i) {
        if constexpr (counts) {
            body(static_cast<I>(Way::goes_up ? static_cast<wide>(first) + i * step : static_cast<wide>(first) - i * step));
        } else {
            using difference = decltype(limit - first);
            body(Way::goes_up ? first + static_cast<difference>(i * step) : first - static_cast<difference>(i * step));
        }
    });
}

// `cilk_for (auto &x : range)`
template <class Range, class Body>
void each(Range &&range, unsigned long grain, Body &&body) {
    using std::begin, std::end;
    const auto first = begin(range);
    run_iterations(static_cast<unsigned long long>(end(range) - first), grain,
                   [&](unsigned long long i) { body(*(first + static_cast<decltype(first - first)>(i))); });
}

}  // namespace __mog_cilk

#endif
#endif
