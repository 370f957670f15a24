// marks.cpp
#include "runtime_host/mpi/marks.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mog::mpi {

/// To process 0, which may be this one.
void Marks::send_first(Frame kind, std::span<const u8> head, std::span<const u8> body) {
    if (!leads()) return bridge_.send(0, kind, head, body);
    std::vector<u8> frame(head.begin(), head.end());
    frame.insert(frame.end(), body.begin(), body.end());
    take(0, kind, FrameReader(frame));
}

void Marks::begin(const Mark &mark) {
    mark_ = mark;
    is_writing_ = true;
    if (mark.is_last) last_is_wanted_ = false;
    std::ranges::fill(before_, std::nullopt);
    ask();
}

void Marks::ask() {
    std::ranges::fill(answers_, std::nullopt);
    const Question question{mark_.life, mark_.number, mark_.is_last, ++waves_, 0};
    bridge_.send_all(Frame::MarkAsk, head_bytes(question));
    take(0, Frame::MarkAsk, FrameReader(head_bytes(question)));
}

void Marks::want_last() { send_first(Frame::MarkWanted, {}); }

void Marks::rests() {
    if (!wave_) return;
    const Answer answer{*wave_, 0, bridge_.sent(), bridge_.received()};
    wave_.reset();
    send_first(Frame::MarkAnswer, head_bytes(answer));
}

void Marks::note_answer(u32 process, const Answer &answer) {
    if (answer.wave != waves_) return;
    answers_[process] = answer;
    if (!std::ranges::all_of(answers_, [](const auto &one) { return one.has_value(); })) return;
    u64 sent = 0, received = 0;
    bool is_same = true;
    for (std::size_t i = 0; i < answers_.size(); i++) {
        sent += answers_[i]->sent;
        received += answers_[i]->received;
        is_same = is_same && before_[i] && before_[i]->sent == answers_[i]->sent && before_[i]->received == answers_[i]->received;
    }
    if (!is_same || sent != received) {
        before_ = answers_;
        return ask();
    }
    bridge_.send_all(Frame::MarkThere);
    take(0, Frame::MarkThere, FrameReader({}));
}

void Marks::say(About about, const Result<void> &yes) {
    const Word word{static_cast<u32>(about), bool(yes)};
    const std::string why_not = yes ? std::string() : yes.error().text();
    send_first(Frame::MarkSaid, head_bytes(word), {reinterpret_cast<const u8 *>(why_not.data()), why_not.size()});
}

void Marks::note_word(u32 process, About about, bool is_yes, std::string why_not) {
    Count &count = counts_[static_cast<u32>(about)];
    if (!is_yes && count.verdict.is_yes) count.verdict = {false, fmt::format("process {}: {}", process, why_not)};
    if (++count.said < bridge_.processes()) return;
    const Verdict verdict = std::exchange(count, {}).verdict;
    // A mark that one of them could not take is over for all.
    if (about == About::Written || (about == About::Taken && !verdict.is_yes)) is_writing_ = false;
    const Word word{static_cast<u32>(about), verdict.is_yes};
    const std::span<const u8> text{reinterpret_cast<const u8 *>(verdict.why_not.data()), verdict.why_not.size()};
    for (u32 other = 1; other < bridge_.processes(); other++) bridge_.send(other, Frame::MarkVerdict, head_bytes(word), text);
    verdicts_[static_cast<u32>(about)] = verdict;
}

void Marks::take(u32 process, Frame kind, FrameReader frame) {
    const auto take_word = [&](const auto &use) {
        const auto word = frame.take<Word>();
        if (!frame.is_good() || word.about >= static_cast<u32>(About::count)) return;
        use(static_cast<About>(word.about), word.is_yes != 0, std::string(frame.rest().begin(), frame.rest().end()));
    };
    switch (kind) {
        case Frame::MarkWanted: last_is_wanted_ = true; break;
        case Frame::MarkAsk: {
            const auto question = frame.take<Question>();
            asked_ = Mark{question.life, question.number, question.is_last != 0};
            wave_ = question.wave;
            break;
        }
        case Frame::MarkAnswer: note_answer(process, frame.take<Answer>()); break;
        case Frame::MarkThere: is_there_ = true; break;
        case Frame::MarkSaid:
            take_word([&](About about, bool is_yes, std::string text) { note_word(process, about, is_yes, std::move(text)); });
            break;
        default:  // MarkVerdict
            take_word([&](About about, bool is_yes, std::string text) {
                verdicts_[static_cast<u32>(about)] = Verdict{is_yes, std::move(text)};
            });
    }
}

}  // namespace mog::mpi
