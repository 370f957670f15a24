// marks.hpp: how all processes of a world come to a mark together: a moment at which no PE runs and nothing is on its way between
// processes, so that what each of them has then, all together, is what the world has. Process 0 leads.
//
// It asks all; whoever was asked has no PE run any more, and answers once it has done what came, with the numbers of frames that it has
// sent and received. PEs begin nothing then, but what came may ask for answers. When all that was sent was received, and so it was when
// process 0 asked before, nothing is on its way and nothing ever will be (Mattern's four counters, as in ending.hpp): the mark is there.
//
// Beside it they agree: each says yes, or why not, and all learn whether all have said yes. So they know whether everyone has taken what it
// writes down, before one goes on and sends something; and whether everyone has written it, before it counts.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime_host/mpi/transport/bridge.hpp"
#include "support/result.hpp"

namespace mog::mpi {

class Marks {
public:
    explicit Marks(Bridge &bridge) : bridge_(bridge), answers_(bridge.processes()), before_(bridge.processes()) {}

    /// Which mark it is.
    struct Mark {
        u64 life = 0;  ///< a number of this run, since it began or was gone on with, that no other one has
        u32 number = 0;
        bool is_last = false;  ///< nobody goes on after it
    };
    /// Of process 0, while none is under way: all are asked.
    void begin(const Mark &mark);
    /// Somebody wants one to be the last. Of process 0: somebody has wanted so since begin() for such a one.
    void want_last();
    bool last_is_wanted() const { return last_is_wanted_; }
    bool leads() const { return bridge_.process() == 0; }
    u32 process() const { return bridge_.process(); }
    u32 processes() const { return bridge_.processes(); }

    /// The one that this process was asked for; until rested().
    const std::optional<Mark> &asked() const { return asked_; }
    /// While asked() for: everything that came is done. Has to be said again and again.
    void rests();
    /// The mark is there. PEs have to rest until everybody has what it wants to write.
    bool is_there() const { return is_there_; }
    /// PEs may run again.
    void leave() {
        asked_.reset();
        is_there_ = false;
    }

    /// What processes agree about, each once at a time.
    enum class About : u32 { Began, Taken, Written, Ended, Removed, count };
    struct Verdict {
        bool is_yes = false;
        std::string why_not;  ///< of one that said no, which is named
    };
    void say(About about, const Result<void> &yes);
    /// All have said it. Handed over once.
    std::optional<Verdict> take_verdict(About about) { return std::exchange(verdicts_[static_cast<u32>(about)], std::nullopt); }
    /// There is something to be done about marks, between two rounds.
    bool has_news() const { return asked_ || verdicts_[static_cast<u32>(About::Written)] || (leads() && last_is_wanted_ && !is_writing_); }
    /// Of process 0: of the last mark nobody knows yet whether all have written it.
    bool is_under_way() const { return is_writing_; }

    void take(u32 process, Frame kind, FrameReader frame);

private:
    struct Question {
        u64 life;
        u32 number, is_last, wave, padding;
    };
    struct Answer {
        u32 wave, padding;
        u64 sent, received;
    };
    struct Word {
        u32 about, is_yes;
    };
    void ask();
    void note_answer(u32 process, const Answer &answer);
    void note_word(u32 process, About about, bool is_yes, std::string why_not);
    void send_first(Frame kind, std::span<const u8> head, std::span<const u8> body = {});

    Bridge &bridge_;
    std::optional<Mark> asked_;
    std::optional<u32> wave_;  ///< that has not been answered
    bool is_there_ = false;
    std::array<std::optional<Verdict>, static_cast<u32>(About::count)> verdicts_;
    // Of process 0.
    Mark mark_;
    bool is_writing_ = false, last_is_wanted_ = false;
    u32 waves_ = 0;
    std::vector<std::optional<Answer>> answers_, before_;  ///< of this wave, and of the one before
    struct Count {
        u32 said = 0;
        Verdict verdict{true, {}};
    };
    std::array<Count, static_cast<u32>(About::count)> counts_;
};

}  // namespace mog::mpi
