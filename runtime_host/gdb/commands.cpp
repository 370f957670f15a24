// commands.cpp: gdb's packets, and what is answered. Whoever does not know a packet answers nothing ("Remote Protocol" in gdb's manual).
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "runtime_host/gdb/debugger.hpp"
#include "runtime_host/gdb/target_description.hpp"
#include "runtime_host/output/ranks.hpp"

namespace mog::gdb {

namespace {

constexpr std::uint32_t packet_bytes = 0x20000;
constexpr std::size_t most_listed = 1024;  // threads that gdb is told of without being asked: with more it takes seconds for each stop
constexpr std::string_view wrong = "E01", no_such_file = "F-1,2", program_file = "/mog/program.elf";
constexpr std::uint32_t file_descriptor = 3;

std::span<const std::uint8_t> bytes_of(std::string_view text) { return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}; }

/// A register as it is in memory; `x` for one that is not known.
std::string register_text(std::optional<std::uint32_t> value) {
    if (!value) return "xxxxxxxx";
    return to_hex({reinterpret_cast<const std::uint8_t *>(&*value), sizeof *value});
}

std::optional<std::uint32_t> take_register(std::string_view &text) {
    const std::optional<std::string> bytes = from_hex(text.substr(0, 8));
    if (!bytes || bytes->size() != 4) return std::nullopt;
    text.remove_prefix(8);
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>((*bytes)[i]);
    return value;
}

/// "ADDRESS,LENGTH"
struct Extent {
    std::uint32_t first = 0, length = 0;
};
std::optional<Extent> take_range(std::string_view &text) {
    const std::optional<std::uint32_t> first = take_hex(text);
    if (!first || !take(text, ",")) return std::nullopt;
    const std::optional<std::uint32_t> length = take_hex(text);
    if (!length) return std::nullopt;
    return Extent{*first, *length};
}

/// A part of an object, as qXfer packets have it.
std::string part_of(std::string_view object, Extent part) {
    if (part.first >= object.size()) return "l";
    const std::string_view piece = object.substr(part.first, std::min(part.length, packet_bytes / 2));
    return (part.first + piece.size() < object.size() ? "m" : "l") + std::string(piece);
}

std::string escaped_xml(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
    return out;
}

}  // namespace

void Debugger::serve() {
    while (mode_ == Mode::stopped) {
        const std::optional<Arrival> arrival = connection_.receive(-1);
        if (!arrival) return detach();
        switch (arrival->kind) {
            case Arrival::Kind::packet: answer_packet(arrival->content); break;
            case Arrival::Kind::damaged: connection_.send("-"); break;
            case Arrival::Kind::nak: connection_.send(last_frame_); break;
            case Arrival::Kind::ack:
            case Arrival::Kind::interrupt: break;
        }
    }
}

void Debugger::send(std::string_view content) {
    last_frame_ = frame(content);
    connection_.send(last_frame_);
}

void Debugger::answer_packet(std::string_view packet) {
    if (!no_acks_) connection_.send("+");
    if (packet == "k") {
        mode_ = Mode::killed;
        return;
    }
    const std::string answer = reply(packet);
    if (mode_ == Mode::running && !non_stop_) return;  // the answer is the next stop
    send(answer);
    if (mode_ == Mode::detached) detach();
}

std::string Debugger::reply(std::string_view packet) {
    std::string_view rest = packet.empty() ? packet : packet.substr(1);
    const bool has_thread = is_thread(general_);
    switch (packet.empty() ? '\0' : packet.front()) {
        case '!': return "OK";
        case '?': return non_stop_ ? all_that_stand() : stop_reply();
        case 'q': return query(packet);
        case 'Q': return set(packet);
        case 'v': return v_packet(packet);
        case 'Z':
        case 'z': return point(packet);
        case 'D': mode_ = Mode::detached; return "OK";  // when that is sent
        case 'H': {
            const bool is_general = take(rest, "g");
            if (!is_general && !take(rest, "c")) return std::string(wrong);
            if (!is_general) continued_ = no_pe;
            if (rest == "-1" || rest == "0") return "OK";
            const std::optional<u32> pe = read_thread(rest);
            if (!pe) return std::string(wrong);
            (is_general ? general_ : continued_) = *pe;
            return "OK";
        }
        case 'T': return read_thread(rest) ? "OK" : std::string(wrong);
        case 'b': return packet == "bs" || packet == "bc" ? reverse(packet == "bs") : "";
        case 'c':
        case 's': return resume(fmt::format(";{}", packet.front()));
        case 'C':
        case 'S': return resume(fmt::format(";{}{}", packet.front(), rest.substr(0, 2)));
        case 'g': {
            if (!has_thread) return std::string(wrong);
            std::string all;
            for (u32 i = 0; i < register_count; i++) all += register_text(register_of(general_, i));
            return all;
        }
        case 'G': {
            bool good = has_thread;
            for (u32 i = 0; good && i < register_count && !rest.empty(); i++) {
                if (rest.starts_with("xxxxxxxx")) {
                    rest.remove_prefix(8);
                    continue;
                }
                const std::optional<u32> value = take_register(rest);
                good = value && (register_of(general_, i) == value || set_register(general_, i, *value));
            }
            return good ? "OK" : std::string(wrong);
        }
        case 'p': {
            const std::optional<u32> number = take_hex(rest);
            return number && has_thread ? register_text(register_of(general_, *number)) : std::string(wrong);
        }
        case 'P': {
            const std::optional<u32> number = take_hex(rest);
            if (!number || !take(rest, "=") || !has_thread) return std::string(wrong);
            const std::optional<u32> value = take_register(rest);
            return value && set_register(general_, *number, *value) ? "OK" : std::string(wrong);
        }
        case 'm': {
            const std::optional<Extent> range = take_range(rest);
            if (!range || !has_thread) return std::string(wrong);
            if (range->length == 0) return "";
            const std::string bytes = read_memory(general_, range->first, std::min(range->length, packet_bytes / 2));
            return bytes.empty() ? std::string(wrong) : to_hex(bytes_of(bytes));
        }
        case 'M':
        case 'X': {
            const std::optional<Extent> range = take_range(rest);
            if (!range || !take(rest, ":") || !has_thread) return std::string(wrong);
            const std::optional<std::string> bytes = packet.front() == 'X' ? std::optional(std::string(rest)) : from_hex(rest);
            return bytes && bytes->size() == range->length && write_memory(general_, range->first, *bytes) ? "OK" : std::string(wrong);
        }
        default: return "";
    }
}

// ---- questions ------------------------------------------------------------------------------------------------------------

std::string Debugger::query(std::string_view packet) {
    std::string_view rest = packet;
    if (take(rest, "qSupported")) {
        knows_no_resumed_ = rest.find("no-resumed+") != std::string_view::npos;
        return fmt::format(
            "PacketSize={:x};QStartNoAckMode+;QNonStop+;qXfer:features:read+;qXfer:threads:read+;qXfer:osdata:read+;swbreak+;"
            "vContSupported+;"
            "ConditionalBreakpoints+;"
            "no-resumed+{}{}",
            packet_bytes, history_ ? ";ReverseStep+;ReverseContinue+" : "", code_.file().empty() ? "" : ";qXfer:exec-file:read+");
    }
    if (take(rest, "qXfer:")) return transfer(rest);
    // One that came later leaves a run that goes on.
    if (packet == "qAttached" || packet.starts_with("qAttached:")) return coming_ == Coming::later ? "1" : "0";
    if (packet == "qC") return fmt::format("QC{:x}", general_ + 1);
    if (packet == "qsThreadInfo") return "l";
    if (packet == "qfThreadInfo") {
        std::string list;
        for (const u32 pe : listed()) list += fmt::format("{}{:x}", list.empty() ? "m" : ",", pe + 1);
        return list.empty() ? "l" : list;
    }
    if (take(rest, "qRcmd,")) {
        const std::optional<std::string> command = from_hex(rest);
        return command ? to_hex(bytes_of(monitor(*command))) : std::string(wrong);
    }
    if (take(rest, "qThreadExtraInfo,")) {
        const std::optional<u32> pe = read_thread(rest);
        return pe ? to_hex(bytes_of(fmt::format("{}: {}", name_of_thread(*pe), state_of_thread(*pe)))) : std::string(wrong);
    }
    return "";
}

std::string Debugger::transfer(std::string_view packet) {
    const auto answer = [&](std::string_view object) {
        const std::optional<Extent> part = take_range(packet);
        return part ? part_of(object, *part) : std::string(wrong);
    };
    if (take(packet, "features:read:target.xml:")) return answer(target_description());
    if (take(packet, "threads:read::")) {
        // With many threads it has many parts; nobody begins to run between them.
        if (packet.starts_with("0,")) {
            object_ = "<?xml version=\"1.0\"?><threads>";
            for (const u32 pe : listed())
                object_ += fmt::format("<thread id=\"{:x}\" name=\"{}\">{}</thread>", pe + 1, escaped_xml(name_of_thread(pe)),
                                       state_of_thread(pe));
            object_ += "</threads>";
        }
        return answer(object_);
    }
    if (take(packet, "osdata:read:")) {
        const std::string_view annex = packet.substr(0, packet.find(':'));
        packet.remove_prefix(std::min(annex.size() + 1, packet.size()));
        if (packet.starts_with("0,")) object_ = osdata(annex);
        return object_.empty() ? std::string(wrong) : answer(object_);
    }
    if (take(packet, "exec-file:read:")) {
        packet.remove_prefix(std::min(packet.find(':') + 1, packet.size()));  // the number of the process
        return answer(program_file);
    }
    return "";
}

std::string Debugger::set(std::string_view packet) {
    if (packet == "QStartNoAckMode") {
        no_acks_ = true;
        return "OK";
    }
    if (packet == "QNonStop:1" && !non_stop_) {
        // Whom gdb sees stands until it says otherwise; from now on it is listened to between launches.
        non_stop_ = true;
        is_told_ = false;
        events_.clear();
        event_.reset();
        for (u32 pe = 0; pe < pes_; pe++)
            if (is_shown(pe)) seen_[pe].wish = {};
        mode_ = Mode::running;
        return "OK";
    }
    if (packet == "QNonStop:0" || packet == "QNonStop:1") return (packet == "QNonStop:1") == non_stop_ ? "OK" : std::string(wrong);
    return "";
}

std::string Debugger::v_packet(std::string_view packet) {
    if (packet == "vCont?") return non_stop_ ? "vCont;c;C;s;S;t;r" : "vCont;c;C;s;S;r";
    if (packet == "vStopped" && non_stop_) return next_event();
    if (packet == "vCtrlC" && non_stop_) return stop_running({});
    if (take(packet, "vCont")) return resume(packet);
    if (take(packet, "vKill")) {
        mode_ = Mode::killed;
        return "OK";
    }
    if (take(packet, "vFile:")) return host_file(packet);
    return "";
}

/// The one file that gdb may read here: the program's.
std::string Debugger::host_file(std::string_view packet) {
    const std::span<const std::uint8_t> file = code_.file();
    if (take(packet, "setfs:")) return "F0";
    if (take(packet, "open:")) {
        const std::optional<std::string> name = from_hex(packet.substr(0, packet.find(',')));
        return name == program_file && !file.empty() ? fmt::format("F{:x}", file_descriptor) : std::string(no_such_file);
    }
    if (take(packet, "close:")) return "F0";
    if (take(packet, "pread:")) {
        const std::optional<u32> descriptor = take_hex(packet);
        if (descriptor != file_descriptor || !take(packet, ",")) return std::string(no_such_file);
        const std::optional<Extent> part = take_range(packet);  // length, offset
        if (!part) return std::string(no_such_file);
        const std::size_t at = std::min<std::size_t>(part->length, file.size());
        const std::span<const std::uint8_t> piece =
            file.subspan(at, std::min<std::size_t>({part->first, packet_bytes / 2, file.size() - at}));
        return fmt::format("F{:x};", piece.size()) + std::string(piece.begin(), piece.end());
    }
    if (take(packet, "fstat:")) {
        // struct stat of the protocol: numbers with their highest byte first.
        std::string stat(64, '\0');
        const auto put = [&](std::size_t at, std::size_t size, std::uint64_t value) {
            for (std::size_t i = size; i-- > 0; value >>= 8) stat[at + i] = static_cast<char>(value & 0xff);
        };
        constexpr std::uint32_t regular_readable = 0100444;
        put(8, 4, regular_readable);
        put(12, 4, 1);
        put(28, 8, file.size());
        return "F40;" + stat;
    }
    return "";
}

// ---- breakpoints ----------------------------------------------------------------------------------------------------------

std::string Debugger::point(std::string_view packet) {
    const bool inserts = packet.front() == 'Z';
    const char kind = packet.size() > 2 && packet[2] == ',' ? packet[1] : '\0';
    std::string_view rest = packet.substr(std::min<std::size_t>(3, packet.size()));
    const std::optional<Extent> range = take_range(rest);
    if (kind < '0' || kind > '4' || !range) return std::string(wrong);
    if (kind >= '2') {
        const Watchpoint watchpoint{range->first, range->length, kind != '2', kind != '3', kind};
        std::erase(watchpoints_, watchpoint);
        if (inserts) watchpoints_.push_back(watchpoint);
        if (non_stop_) patch();
        return "OK";
    }
    if (!inserts) {
        breakpoints_.erase(range->first);
        if (non_stop_) patch();
        return "OK";
    }
    // On the stack functions return that gdb calls; anywhere else nothing would come by.
    if (places_->places(range->first).empty() && !addresses_.has(range->first, 1)) return std::string(wrong);
    Breakpoint breakpoint;
    take(rest, ";");
    while (take(rest, "X")) {
        const std::optional<u32> length = take_hex(rest);
        if (!length || !take(rest, ",") || *length > rest.size() / 2) return std::string(wrong);
        std::optional<std::string> code = from_hex(rest.substr(0, std::size_t{2} * *length));
        if (!code) return std::string(wrong);
        breakpoint.conditions.push_back(*std::move(code));
        rest.remove_prefix(std::size_t{2} * *length);
        take(rest, ";");
    }
    breakpoints_[range->first] = std::move(breakpoint);
    if (non_stop_) patch();
    return "OK";
}

// ---- on ---------------------------------------------------------------------------------------------------------------------

/// ";ACTION[:THREAD]...": of each thread the first one that names it, or no thread at all. Others stay where they are.
std::string Debugger::resume(std::string_view actions) {
    std::map<u32, Wish> wishes;
    std::optional<Wish> of_others;
    while (take(actions, ";")) {
        Wish wish;
        const char action = actions.empty() ? '\0' : actions.front();
        actions.remove_prefix(actions.empty() ? 0 : 1);
        if (action == 'c' || action == 'C') wish.kind = Wish::Kind::goes_on;
        else if (action == 's' || action == 'S' || action == 'r') wish.kind = Wish::Kind::steps;
        else if (action == 't' && non_stop_) wish.kind = Wish::Kind::rests;
        else return std::string(wrong);
        if (action == 'C' || action == 'S') {
            const std::optional<u32> signal = take_hex(actions);
            if (!signal) return std::string(wrong);
            wish.signal = *signal != 0;
        }
        if (action == 'r') {
            const std::optional<Extent> range = take_range(actions);
            if (!range) return std::string(wrong);
            wish.from = range->first;
            wish.to = range->length;
        }
        if (take(actions, ":") && !take(actions, "-1")) {
            const std::optional<u32> pe = read_thread(actions);
            if (!pe) return std::string(wrong);
            wishes.try_emplace(*pe, wish);
        } else if (!of_others) {
            of_others = wish;
        }
    }
    if (!actions.empty() || (wishes.empty() && !of_others)) return std::string(wrong);
    if (non_stop_) return resume_some(wishes, of_others);
    const u32 stopped = event_ ? event_->pe : general_;
    for (u32 pe = 0; pe < pes_; pe++) {
        if (!is_shown(pe)) continue;
        const auto own = wishes.find(pe);
        seen_[pe].wish = own != wishes.end() ? own->second : of_others.value_or(Wish{});
        // A signal without a thread is for the one that stopped.
        if (own == wishes.end() && pe != stopped) seen_[pe].wish.signal = false;
        seen_[pe].stepped = false;
        seen_[pe].from = 0;
    }
    if (put_off_ != no_pe && std::ranges::none_of(threads(), [&](u32 pe) { return seen_[pe].wish.kind == Wish::Kind::rests; }))
        put_off_ = no_pe;
    event_.reset();
    patch();
    mode_ = Mode::running;
    return "";
}

/// In non-stop mode: those that stand and are named go on, or stop; others do what they did.
std::string Debugger::resume_some(const std::map<u32, Wish> &wishes, const std::optional<Wish> &of_others) {
    for (u32 pe = 0; pe < pes_; pe++) {
        if (!is_shown(pe)) continue;
        const auto own = wishes.find(pe);
        if (own == wishes.end() && !of_others) continue;
        const Wish &wish = own != wishes.end() ? own->second : *of_others;
        Seen &seen = seen_[pe];
        if (wish.kind == Wish::Kind::rests) {
            if (is_thread(pe)) (void)stop_running(pe);
            continue;
        }
        // Of one that has stopped gdb may not know yet.
        const bool is_news = std::ranges::any_of(events_, [&](const Event &event) { return event.pe == pe; });
        if (seen.wish.kind != Wish::Kind::rests || is_news) continue;
        seen.wish = wish;
        seen.wish.signal &= own != wishes.end();
        seen.stepped = false;
        seen.from = 0;
    }
    patch();
    return "OK";
}

/// The answer to "?" in non-stop mode: one that stands. The others are told as if they had stopped afterwards: gdb 13.1 that is given
/// several while it connects fails an assertion of its own (remote.c:8351), for it marks an event that it does not wait for yet.
std::string Debugger::all_that_stand() {
    events_.clear();
    is_told_ = false;
    for (const u32 pe : listed())
        if (seen_[pe].wish.kind == Wish::Kind::rests) events_.push_back({pe, 0});
    if (events_.empty()) return "OK";
    is_told_ = tells_one_ = true;
    return stop_reply(events_.front());
}

/// gdb has taken note of the event that it was told of.
std::string Debugger::next_event() {
    if (is_told_ && !events_.empty()) events_.pop_front();
    is_told_ = !std::exchange(tells_one_, false) && !events_.empty();
    return is_told_ ? stop_reply(events_.front()) : "OK";
}

std::string Debugger::stop_reply() { return event_ ? stop_reply(*event_) : fmt::format("S{:02x}", 5); }

std::string Debugger::stop_reply(const Event &event) {
    std::string text = fmt::format("T{:02x}thread:{:x};{}", event.signal, event.pe + 1, event.reason);
    for (const u32 number : {register_pc, register_sp, register_fp, register_ra})
        if (const std::optional<u32> value = register_of(event.pe, number)) text += fmt::format("{:02x}:{};", number, register_text(value));
    return text;
}

// ---- threads ----------------------------------------------------------------------------------------------------------------

bool Debugger::is_thread(u32 pe) const {
    if (pe >= pes_ || !is_shown(pe)) return false;
    const Life life = life_ ? life_(pe) : Life::runs;
    return life == Life::runs || life == Life::waits;
}

std::vector<Debugger::u32> Debugger::threads() const {
    std::vector<u32> all;
    for (u32 pe = 0; pe < pes_; pe++)
        if (is_thread(pe)) all.push_back(pe);
    return all;
}

/// Those of which gdb is told: all, or of very many those that it has met, or asked for.
std::vector<Debugger::u32> Debugger::listed() const {
    std::vector<u32> all = threads();
    if (all.size() <= most_listed || lists_all_) return all;
    std::erase_if(all, [&](u32 pe) { return pe != general_ && !(event_ && event_->pe == pe) && !listed_.contains(pe); });
    return all;
}

/// What `monitor` is given, and what it says.
std::string Debugger::monitor(std::string_view command) {
    if (take(command, "list ") || command == "list") {
        const std::optional<std::vector<u32>> ranks = parse_ranks(command);
        lists_all_ = command == "all";
        if (!lists_all_ && !ranks) return "monitor list all, or RANKS as 0,3-5\n";
        if (!lists_all_)
            for (const u32 rank : *ranks)
                for (u32 pe = rank; pe < pes_ && rank < processes_; pe += processes_) listed_.insert(pe);
        return fmt::format("{} threads of {}\n", listed().size(), threads().size());
    }
    if (command == "core" && write_core_) {
        const Result<std::string> file = write_core_(general_ % processes_);
        return file ? fmt::format("wrote {}\n", *file) : fmt::format("no core: {}\n", file.error().text());
    }
    if (command == "history") {
        if (!history_ || !history_->has(general_)) return "nobody goes back here: --device=reference and --gdb-history=SIZE say who does\n";
        const std::uint64_t now = history_->count(general_), present = history_->present(general_);
        return fmt::format("{}: {} instructions of MOG back to where its history begins{}; all histories take {} of {} bytes\n",
                           name_of_thread(general_), now - std::min(now, history_->first(general_)),
                           present == now ? "" : fmt::format(", {} on to the present", present - now), history_->bytes(),
                           history_->limit());
    }
    return "monitor core: writes a core of the PE that is selected, as it stands\n"
           "monitor history: how far the PE that is selected can go back\n"
           "monitor list RANKS: of more than a thousand PEs gdb's threads are those that it has met, and these; monitor list all\n";
}

/// The tables of `info os`.
std::string Debugger::osdata(std::string_view annex) {
    std::string text = "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"osdata.dtd\"><osdata type=\"" +
                       std::string(annex.empty() ? "types" : annex) + "\">";
    const auto row = [&](std::initializer_list<std::pair<std::string_view, std::string>> columns) {
        text += "<item>";
        for (const auto &[name, value] : columns) text += fmt::format("<column name=\"{}\">{}</column>", name, escaped_xml(value));
        text += "</item>";
    };
    if (annex.empty()) {
        row({{"Type", "pes"}, {"Description", "PEs and their threads, by rank"}, {"Title", "PEs"}});
    } else if (annex == "pes") {
        for (const u32 pe : threads())
            row({{"PE", std::to_string(pe % processes_)},
                 {"thread", std::to_string(pe / processes_)},
                 {"state", std::string(state_of_thread(pe))},
                 {"pc", fmt::format("{:#x}", address_of(pe))}});
    } else {
        return "";
    }
    return text + "</osdata>";
}

/// Of a packet, from 1 on, in hexadecimal digits.
std::optional<Debugger::u32> Debugger::read_thread(std::string_view &text) const {
    const std::optional<u32> number = take_hex(text);
    return number && *number != 0 && is_thread(*number - 1) ? std::optional(*number - 1) : std::nullopt;
}

std::string Debugger::name_of_thread(u32 pe) const {
    const u32 thread = pe / processes_;
    return fmt::format("PE {}{}", first_rank_ + pe % processes_, thread == 0 ? "" : fmt::format(" thread {}", thread));
}

std::string_view Debugger::state_of_thread(u32 pe) const {
    if (history_ && history_->is_past(pe)) return "is in the past";
    if (seen_[pe].fault) return "faults";
    if (seen_[pe].in_call) return "in a system call";
    return life_ && life_(pe) == Life::waits ? "waits" : "runs";
}

}  // namespace mog::gdb
