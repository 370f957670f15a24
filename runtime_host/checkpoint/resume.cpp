// resume.cpp: see resume.hpp.
#include "runtime_host/checkpoint/resume.hpp"

#include <sstream>
#include <string>

#include "runtime_host/checkpoint/file_journal.hpp"
#include "runtime_host/checkpoint/memory_pages.hpp"

namespace mog {

Result<void> resume_run(CheckpointReader &reader, const CheckpointSettings &settings, Device &device, const Image &image, ServiceLoop &loop,
                        const std::function<void(std::string_view)> &say) {
    // Files are cut when the state is read, so that what is damaged has to be found before.
    for (const CheckpointReader::Record &record : reader.records()) MOG_TRY(reader.verify(record));
    const Result<std::vector<std::uint8_t>> state = reader.bytes(*reader.last(RecordType::State));
    if (!state) return state.error();
    std::istringstream stream(std::string(state->begin(), state->end()));
    MOG_TRY(loop.check_state(stream, StateMemory::Apart));
    stream.seekg(0);
    MOG_TRY(reader.take_name());
    MOG_TRY(FileJournal::undo(reader.place(), reader.last_checkpoint(), loop.files().paths()));
    MOG_TRY(loop.read_state(stream, StateMemory::Apart));
    const MemoryOfRun memory{device, image, loop.population()};
    for (const CheckpointReader::Record &record : reader.records()) {
        const bool is_registers = record.head.type == RecordType::Registers && record.head.checkpoint == reader.last_checkpoint();
        if (!is_registers && record.head.type != RecordType::Memory) continue;
        const Result<std::vector<std::uint8_t>> bytes = reader.bytes(record);
        if (!bytes) return bytes.error();
        MOG_TRY(is_registers ? restore_registers(memory, *bytes) : restore_memory(memory, *bytes));
    }
    return restore_streams(reader, settings, say);
}

}  // namespace mog
