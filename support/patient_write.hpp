// patient_write.hpp: writing to a stream that others share and that perhaps nobody reads, for no longer than one wants to wait. Its
// flags stay as they are: O_NONBLOCK would be set for the others too.
#pragma once

#include <functional>
#include <string_view>

namespace mog {

class PatientWriter {
public:
    /// The descriptor stays the caller's.
    explicit PatientWriter(int fd) : fd_(fd) {}
    PatientWriter(const PatientWriter &) = delete;
    ~PatientWriter();

    /// Waits until a descriptor takes bytes. 0, or the errno with which the write shall end.
    using Wait = std::function<int(int fd)>;
    /// Writes all bytes, asking `wait` before it would have to wait. 0, or the errno that ended it.
    int write(std::string_view bytes, const Wait &wait);

private:
    void look();

    enum class Kind { Unknown, File, Socket, Own, Shared };
    int fd_, own_ = -1;
    Kind kind_ = Kind::Unknown;
};

}  // namespace mog
