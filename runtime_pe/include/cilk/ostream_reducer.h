// ostream_reducer.h: cilk::ostream_reducer<char>, a stream that strands write to side by side, and whose text is in the order of the program.
#ifndef _CILK_OSTREAM_REDUCER_H
#define _CILK_OSTREAM_REDUCER_H

#include <cilk/hyperobject.hpp>

#include <ostream>
#include <sstream>

namespace cilk {

template <class Character, class Traits = std::char_traits<Character>>
class ostream_reducer {
    // What comes first in the program writes to the stream itself.
    struct text {
        std::basic_ostream<Character, Traits> *stream;
        std::basic_ostringstream<Character, Traits> kept;
        explicit text(std::basic_ostream<Character, Traits> *stream = nullptr) : stream(stream) {}
        std::basic_ostream<Character, Traits> &get() { return stream ? *stream : kept; }
    };
    static void identity(void *view) { ::new (view) text(); }
    static void reduce(void *left, void *right) {
        static_cast<text *>(left)->get() << static_cast<text *>(right)->kept.str();
        static_cast<text *>(right)->~text();
    }

public:
    explicit ostream_reducer(std::basic_ostream<Character, Traits> &stream) : text_(&stream) {}
    operator std::basic_ostream<Character, Traits> &() { return text_.view().get(); }
    std::basic_ostream<Character, Traits> &operator*() { return text_.view().get(); }
    template <class T>
    std::basic_ostream<Character, Traits> &operator<<(const T &value) {
        return text_.view().get() << value;
    }
    std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &(*change)(std::basic_ostream<Character, Traits> &)) {
        return change(text_.view().get());
    }

private:
    hyperobject<text, identity, reduce> text_;
};

}  // namespace cilk

#endif
