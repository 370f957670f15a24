// resume.hpp: a run that is loaded goes on where a checkpoint was written.
#pragma once

#include <functional>
#include <string_view>

#include "runtime_host/checkpoint/checkpoint_file.hpp"
#include "runtime_host/checkpoint/settings.hpp"
#include "runtime_host/service/service_loop.hpp"
#include "support/result.hpp"

namespace mog {

/// Before the loop has run, of PEs that were loaded for it (RunConfig::goes_on). Nothing outside of this process has changed if the file is
/// damaged, or of another program. Error: what is wrong; the loop is of no use then.
Result<void> resume_run(CheckpointReader &reader, const CheckpointSettings &settings, Device &device, const Image &image, ServiceLoop &loop,
                        const std::function<void(std::string_view)> &say);

}  // namespace mog
