/* mog/channel.hpp: channels (mog/channel.h) whose elements have a type. An object may be copied; the channel stays.
 *
 *     mog::channel<job> jobs("jobs", 256);
 *     jobs.put({1, 2});
 *     for (job one; jobs.get(one);) work(one);
 *
 * The type's name is the compiler's, and is compared where PEs of other programs' parts, or the host, connect; a name of one's own may follow that of the channel.
 */
#ifndef MOG_CHANNEL_HPP
#define MOG_CHANNEL_HPP

#include <mog/channel.h>

#include <string>
#include <string_view>
#include <type_traits>

namespace mog {

/* As the compiler writes it: "int", "{anonymous}::job". */
template <typename Type>
std::string type_name() {
    std::string_view name = __PRETTY_FUNCTION__; /* ... [with Type = int; std::string = ...] */
    name.remove_prefix(name.find("Type = ") + 7);
    return std::string(name.substr(0, name.find_first_of(";]")));
}

template <typename Element>
class channel {
    static_assert(std::is_trivially_copyable_v<Element>, "elements lie in memory that PEs share: they are copied as bytes");

public:
    channel(const char *name, uint32_t length, const mog_channel_options *options = nullptr)
        : channel(name, type_name<Element>().c_str(), length, options) {}
    channel(const char *name, const char *type, uint32_t length, const mog_channel_options *options = nullptr)
        : channel_(mog_channel_open(name, type, sizeof(Element), length, options)) {}
    explicit operator bool() const { return channel_ != nullptr; }
    mog_channel *get() const { return channel_; }

    Element *talloc(uint32_t count = 1) { return static_cast<Element *>(mog_channel_talloc(channel_, count)); }
    Element *try_talloc(uint32_t count = 1) { return static_cast<Element *>(mog_channel_try_talloc(channel_, count)); }
    void enq(Element *elements, uint32_t count = 1) { mog_channel_enq(channel_, elements, count); }
    bool put(const Element &element) { return mog_channel_put(channel_, &element) == 0; }
    bool get(Element &element) { return mog_channel_get(channel_, &element) == 0; }

    /* Elements that were taken, which are freed at the end of the object's life. */
    class batch {
    public:
        batch(mog_channel *channel, uint32_t at, uint32_t count) : channel_(channel), at_(at), count_(count) {}
        batch(const batch &) = delete;
        batch &operator=(const batch &) = delete;
        ~batch() {
            if (count_) mog_channel_tfree(channel_, at_, count_);
        }
        uint32_t size() const { return count_; }
        explicit operator bool() const { return count_ != 0; }
        Element &operator[](uint32_t i) const { return *static_cast<Element *>(mog_channel_deq(channel_, at_ + i)); }

    private:
        mog_channel *channel_;
        uint32_t at_, count_;
    };
    batch take(uint32_t most, uint32_t least = 1) {
        uint32_t at = 0;
        const uint32_t count = mog_channel_take(channel_, least, most, &at);
        return batch(channel_, at, count);
    }
    void finish() { mog_channel_finish(channel_); }
    void close() { mog_channel_close(channel_); }

private:
    mog_channel *channel_;
};

} /* namespace mog */

#endif
