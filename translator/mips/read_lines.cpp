// read_lines.cpp: DWARF line tables through libdw, thinned to one row per change of line.
#include "translator/mips/read_lines.hpp"

#include <elfutils/libdw.h>

#include <algorithm>
#include <map>

namespace mog {

void read_lines(Elf *elf, Segments &segments) {
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
    if (dwarf == nullptr) return;
    std::map<std::string, std::uint32_t> file_numbers;
    Dwarf_Off offset = 0, next = 0;
    std::size_t header_size = 0;
    while (dwarf_nextcu(dwarf, offset, &next, &header_size, nullptr, nullptr, nullptr) == 0) {
        Dwarf_Die unit;
        Dwarf_Lines *lines = nullptr;
        std::size_t count = 0;
        if (dwarf_offdie(dwarf, offset + header_size, &unit) != nullptr && dwarf_getsrclines(&unit, &lines, &count) == 0) {
            for (std::size_t i = 0; i < count; ++i) {
                Dwarf_Line *line = dwarf_onesrcline(lines, i);
                Dwarf_Addr address = 0;
                int number = 0;
                bool end = false;
                const char *file = dwarf_linesrc(line, nullptr, nullptr);
                if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 || file == nullptr) continue;
                dwarf_lineendsequence(line, &end);
                if (!segments.has_code(static_cast<std::uint32_t>(address)) && !end) continue;
                std::string name = file;
                if (name.starts_with("./")) name.erase(0, 2);
                const auto [at, fresh] = file_numbers.try_emplace(name, static_cast<std::uint32_t>(segments.files.size()));
                if (fresh) segments.files.push_back(name);
                segments.lines.push_back({static_cast<std::uint32_t>(address), at->second, end ? 0u : static_cast<std::uint32_t>(number)});
            }
        }
        offset = next;
    }
    dwarf_end(dwarf);

    // An end of sequence yields to a line that begins at the same address; of several lines the last one counts.
    std::stable_sort(segments.lines.begin(), segments.lines.end(), [](const Line &a, const Line &b) {
        return a.address != b.address ? a.address < b.address : (a.line == 0) > (b.line == 0);
    });
    std::vector<Line> thinned;
    for (const Line &line : segments.lines) {
        if (!thinned.empty() && thinned.back().address == line.address) thinned.pop_back();
        if (!thinned.empty() && thinned.back().line == line.line && thinned.back().file == line.file) continue;
        thinned.push_back(line);
    }
    segments.lines = std::move(thinned);
}

}  // namespace mog
