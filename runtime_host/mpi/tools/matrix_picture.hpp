// matrix_picture.hpp: the communication matrix as a picture.
#pragma once

#include <string>
#include <string_view>

#include "runtime_host/mpi/tools/statistics.hpp"

namespace mog::mpi {

/// SVG: a row for each sender (or several), a column for each receiver, dark where many bytes went. `title`: one line
/// above it.
std::string matrix_as_svg(const Matrix &matrix, std::string_view title);

}  // namespace mog::mpi
