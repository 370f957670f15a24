// copies.cpp: all memory is the host's, so that copies are memcpy at the right time.
#include "runtime_cuda/library/copies.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "runtime_cuda/library/exported.hpp"
#include "runtime_cuda/library/memory.hpp"

namespace mog::cuda {

namespace {

void move_box(const Place &to, const Place &from, const Box &box) {
    for (std::size_t z = 0; z < box.depth; z++)
        for (std::size_t y = 0; y < box.height; y++)
            std::memmove(static_cast<char *>(to.begin) + z * to.slice + y * to.pitch,
                         static_cast<const char *>(from.begin) + z * from.slice + y * from.pitch, box.width);
}

bool fits(const Place &place, const Box &box) { return box.height <= 1 || place.pitch >= box.width; }

cudaError_t check_box(const Place &to, const Place &from, const Box &box) {
    if (const cudaError_t error = fault_so_far(); error != cudaSuccess) return error;
    if (!fits(to, box) || !fits(from, box)) return cudaErrorInvalidPitchValue;
    if (box.width && box.height && box.depth && (!to.begin || !from.begin)) return cudaErrorInvalidValue;
    return cudaSuccess;
}

template <typename Element>
void fill(const Place &to, Element element, const Box &box) {
    for (std::size_t z = 0; z < box.depth; z++)
        for (std::size_t y = 0; y < box.height; y++) {
            char *row = static_cast<char *>(to.begin) + z * to.slice + y * to.pitch;
            if (element == 0 && zero_at_first(row, box.width / sizeof element * sizeof element)) continue;
            std::fill_n(reinterpret_cast<Element *>(row), box.width / sizeof element, element);
        }
}

}  // namespace

cudaError_t copy(void *to, const void *from, std::size_t bytes) { return copy_box({to}, {const_cast<void *>(from)}, {bytes}); }

cudaError_t copy_box(const Place &to, const Place &from, const Box &box) {
    if (const cudaError_t error = check_box(to, from, box); error != cudaSuccess) return note(error);
    add_and_wait(legacy_stream(), [&] { move_box(to, from, box); });
    return note(fault_so_far());
}

cudaError_t copy_in_stream(void *to, const void *from, std::size_t bytes, const void *stream, bool to_host) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = check_box({to}, {const_cast<void *>(from)}, {bytes}); error != cudaSuccess) return note(error);
    if (to_host && !stays(to)) {
        add_and_wait(found, [=] { std::memmove(to, from, bytes); });
    } else if (!to_host && !stays(from)) {
        auto taken = std::make_shared<std::string>(static_cast<const char *>(from), bytes);
        add(found, [=] { std::memcpy(to, taken->data(), bytes); });
    } else {
        add(found, [=] { std::memmove(to, from, bytes); });
    }
    return note(fault_so_far());
}

cudaError_t copy_box_in_stream(const Place &to, const Place &from, const Box &box, const void *stream) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = check_box(to, from, box); error != cudaSuccess) return note(error);
    if (!stays(to.begin) || !stays(from.begin)) add_and_wait(found, [&] { move_box(to, from, box); });
    else add(found, [=] { move_box(to, from, box); });
    return note(fault_so_far());
}

cudaError_t fill_box(const Place &to, unsigned element, int element_bytes, const Box &box, const void *stream, bool waits) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = check_box(to, to, box); error != cudaSuccess) return note(error);
    auto work = [=] {
        if (element_bytes == 1) fill(to, static_cast<unsigned char>(element), box);
        else if (element_bytes == 2) fill(to, static_cast<unsigned short>(element), box);
        else fill(to, element, box);
    };
    if (waits) add_and_wait(found, work);
    else add(found, work);
    return note(fault_so_far());
}

}  // namespace mog::cuda
