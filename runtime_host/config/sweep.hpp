// sweep.hpp: many runs of a program that knows nothing of ranks, each with arguments, environment, files and folder of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// As a user says it. Names of files may have "%r" in them, which is a run's number, "%5r" with five digits at least, and "%%".
struct SweepOptions {
    std::string arguments, environment;                        ///< files with a line for each run; "-": standard input
    std::string stdin_file, stdout_file, stderr_file, folder;  ///< names with %r
    std::uint32_t runs = 0;                                    ///< 0: not said
    std::uint32_t retries = 0;                                 ///< of runs whose status is not 0
    std::string results;                                       ///< file for the table of runs

    static void carry(auto &self, auto &archive) {
        archive(self.arguments, self.environment, self.stdin_file, self.stdout_file, self.stderr_file, self.folder, self.runs, self.retries,
                self.results);
    }
    /// Nothing of it: it is no sweep.
    bool is_empty() const {
        return arguments.empty() && environment.empty() && stdin_file.empty() && stdout_file.empty() && stderr_file.empty() &&
               folder.empty() && runs == 0 && retries == 0 && results.empty();
    }
};

/// "%r" and the like in a name, replaced by a run's number. Error: another letter follows a %.
Result<std::string> fill_pattern(std::string_view pattern, std::uint32_t run);

/// A user's sweep with all that its files say.
class Sweep {
public:
    /// `nproc`: -n, 0 if it was not said: the number of runs, if nothing else says it. Error: a file cannot be read, files have not the
    /// same number of lines, nothing says how many runs there are, or a file for standard input is not there.
    static Result<Sweep> make(const SweepOptions &options, std::uint32_t nproc);

    Sweep() = default;
    /// With what its files said: they need not be there any more (support/archive.hpp).
    static void carry(auto &self, auto &archive) { archive(self.options_, self.runs_, self.arguments_, self.environments_); }
    /// False: what was read has runs without lines, or names that cannot be.
    bool is_sound() const;

    const SweepOptions &options() const { return options_; }
    std::uint32_t runs() const { return runs_; }
    /// What is added to the common arguments of a run.
    std::vector<std::string> arguments_of(std::uint32_t run) const;
    bool has_environments() const { return !environments_.empty(); }
    /// The common environment with what the run has of its own in its place or behind it.
    std::vector<std::string> environment_of(std::uint32_t run, std::vector<std::string> common) const;
    /// Of a pattern that make() has tried.
    static std::string name_of(const std::string &pattern, std::uint32_t run) { return *fill_pattern(pattern, run); }

private:
    SweepOptions options_;
    std::uint32_t runs_ = 0;
    std::vector<std::string> arguments_, environments_;  ///< lines, by run
};

}  // namespace mog
