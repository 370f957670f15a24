// libmog_channels.cpp: the functions of mog_channels.h: the steps of abi/channel.h on the window of a run. PEs stand meanwhile, perhaps in
// the midst of steps of their own, so that each of these is done at once.
#include "runtime_host/api/libmog_handles.hpp"
#include "runtime_host/include/mog_channels.h"

using namespace mog;

namespace {

/// Words of the window. The first failure stays, and nothing is done any more.
class Window {
public:
    explicit Window(PeMemory memory) : memory_(memory) {}
    std::uint32_t load(std::uint32_t at) {
        std::uint32_t word = 0;
        move(at, &word, sizeof word, false);
        return word;
    }
    void store(std::uint32_t at, std::uint32_t word) { move(at, &word, sizeof word, true); }
    void move(std::uint32_t at, void *bytes, std::uint32_t size, bool writes) {
        if (failure_.code != MOG_OK) throw Failed{failure_};
        const mog_piece piece{0, at, size, bytes};
        const MemoryError error = writes ? memory_.write({&piece, 1}) : memory_.read({&piece, 1});
        if (error.code == MOG_OK) return;
        failure_ = {error.code, error.error.message};
        throw Failed{failure_};
    }
    struct Failed {
        Failure failure;
    };

private:
    PeMemory memory_;
    Failure failure_{};
};

bool compare_and_swap(Window *window, std::uint32_t at, std::uint32_t expected, std::uint32_t wanted) {
    if (window->load(at) != expected) return false;
    window->store(at, wanted);
    return true;
}
bool reserve(Window *window, std::uint32_t at, std::uint32_t count, std::uint32_t limit, std::uint32_t *was, std::uint32_t *tries) {
    *was = window->load(at);
    *tries = 0;
    if (static_cast<std::int32_t>(limit - count - *was) < 0) return false;
    window->store(at, *was + count);
    *tries = 1;
    return true;
}
std::uint32_t change(Window *window, std::uint32_t at, bool adds, std::uint32_t value) {
    const std::uint32_t before = window->load(at);
    window->store(at, adds ? before + value : value);
    return before;
}

}  // namespace

// Nobody else runs: what others have to do first cannot come about. No step that the host takes waits for others.
#define CHANNEL_MEMORY Window *
#define CHANNEL_FIXED(m, at) (m)->load(at)
#define CHANNEL_LOAD(m, at) (m)->load(at)
#define CHANNEL_STORE(m, at, value) (m)->store((at), (value))
#define CHANNEL_READ CHANNEL_LOAD
#define CHANNEL_WRITE CHANNEL_STORE
#define CHANNEL_RESERVE(m, at, count, limit, was, tries) reserve((m), (at), (count), (limit), (was), (tries))
#define CHANNEL_CAS(m, at, expected, wanted) compare_and_swap((m), (at), (expected), (wanted))
#define CHANNEL_ADD(m, at, n) change((m), (at), true, (n))
#define CHANNEL_SWAP(m, at, value) change((m), (at), false, (value))
#define CHANNEL_RELAX(m)                                 \
    throw Window::Failed {                               \
        { MOG_ERROR_INTERNAL, "a channel's step waits" } \
    }
#define CHANNEL_ROOM_MADE(m, channel) (void)(channel)

#include "abi/channel.h"

namespace {

std::string text_at(Window &window, std::uint32_t at) {
    std::string text;
    for (char c; window.move(at++, &c, 1, false), c != 0;) text += c;
    return text;
}

template <typename Body>
mog_code on_window(mog_run *run, mog_error *error, Body body) noexcept {
    return on_memory(run, error, [&](mog_run &r) -> Failure {
        Window window(r.run->memory());
        try {
            return body(r, window);
        } catch (const Window::Failed &failed) {
            return failed.failure;
        }
    });
}

/// The same for what is done with a channel.
template <typename Body>
mog_code on_channel(mog_run *run, const mog_run_channel *channel, mog_error *error, Body body) noexcept {
    return on_window(run, error, [&](mog_run &, Window &window) -> Failure {
        if (!channel) return null_argument("channel");
        if (channel->address == 0 || window.load(channel->address + CHANNEL_KIND) != CHANNEL_KIND_CHANNEL)
            return {MOG_ERROR_ADDRESS, fmt::format("at {:#x} there is no channel", channel->address)};
        return body(window);
    });
}

std::uint32_t place_of(Window &window, std::uint32_t channel, std::uint32_t index) {
    return window.load(channel + CHANNEL_DATA) + index * window.load(channel + CHANNEL_STRIDE);
}

}  // namespace

mog_code mog_run_channel_connect(mog_run *run, const char *name, const char *type, size_t element_bytes, mog_run_channel *channel,
                                 mog_error *error) {
    return on_window(run, error, [&](mog_run &r, Window &window) -> Failure {
        if (!name) return null_argument("name");
        if (!type) return null_argument("type");
        if (!channel) return null_argument("channel");
        const auto &symbols = r.program->image.symbols;
        const auto list = std::ranges::find_if(symbols, [](const Symbol &symbol) { return symbol.name == "__mog_channels"; });
        if (list == symbols.end()) return {MOG_ERROR_SYMBOL, "the program has no channels"};
        std::uint32_t at = window.load(list->address);
        while (at != 0 &&
               (window.load(at + CHANNEL_KIND) != CHANNEL_KIND_CHANNEL || text_at(window, window.load(at + CHANNEL_NAME)) != name))
            at = window.load(at + CHANNEL_NEXT);
        if (at == 0) return {MOG_ERROR_SYMBOL, fmt::format("no PE has made a channel \"{}\" yet", name)};
        const std::string has = text_at(window, window.load(at + CHANNEL_TYPE));
        const std::uint32_t bytes = window.load(at + CHANNEL_ELEMENT_BYTES);
        if (bytes != element_bytes || has != type)
            return {MOG_ERROR_ARGUMENT,
                    fmt::format("channel \"{}\" is connected to for elements of type {} with {} bytes, but has such of type {} with {}",
                                name, type, element_bytes, has, bytes)};
        if (!(window.load(at + CHANNEL_FLAGS) & CHANNEL_HOST))
            return {
                MOG_ERROR_ARGUMENT,
                fmt::format("channel \"{}\" was made without MOG_CHANNEL_HOST: who waits at it sleeps, and the host wakes nobody", name)};
        *channel = {at, bytes, window.load(at + CHANNEL_LENGTH)};
        return done;
    });
}

mog_code mog_run_channel_put(mog_run *run, const mog_run_channel *channel, const void *elements, size_t count, size_t *put,
                             mog_error *error) {
    return on_channel(run, channel, error, [&](Window &window) -> Failure {
        if (!put) return null_argument("done");
        *put = 0;
        if (!elements && count) return null_argument("elements");
        std::string_view left(static_cast<const char *>(elements), count * channel->element_bytes);
        for (; *put < count; ++*put) {
            const std::uint32_t index = channel_reserve(&window, channel->address, 1);
            if (index == CHANNEL_NO_ROOM) break;
            std::string element(left.substr(0, channel->element_bytes));
            window.move(place_of(window, channel->address, index), element.data(), channel->element_bytes, true);
            channel_publish(&window, channel->address, index, 1);
            left.remove_prefix(channel->element_bytes);
        }
        return done;
    });
}

mog_code mog_run_channel_get(mog_run *run, const mog_run_channel *channel, void *elements, size_t most, size_t *got, mog_error *error) {
    return on_channel(run, channel, error, [&](Window &window) -> Failure {
        if (!got) return null_argument("got");
        *got = 0;
        if (!elements && most) return null_argument("elements");
        for (std::uint32_t at = 0; *got < most && channel_claim(&window, channel->address, 1, 1, &at) == 1; ++*got) {
            const std::uint32_t index = channel_index(&window, channel->address, at);
            window.move(place_of(window, channel->address, index), static_cast<char *>(elements) + *got * channel->element_bytes,
                        channel->element_bytes, false);
            (void)channel_finish(&window, channel->address, index, 1);
        }
        return done;
    });
}

mog_code mog_run_channel_close(mog_run *run, const mog_run_channel *channel, mog_error *error) {
    return on_channel(run, channel, error, [&](Window &window) -> Failure {
        window.store(channel->address + CHANNEL_CLOSED, 1);
        return done;
    });
}

mog_code mog_run_channel_is_over(mog_run *run, const mog_run_channel *channel, int *over, mog_error *error) {
    return on_channel(run, channel, error, [&](Window &window) -> Failure {
        if (!over) return null_argument("over");
        *over = window.load(channel->address + CHANNEL_CLOSED) != 0 &&
                window.load(channel->address + CHANNEL_CONTROL_HEAD) == window.load(channel->address + CHANNEL_CONTROL_TAIL);
        return done;
    });
}
