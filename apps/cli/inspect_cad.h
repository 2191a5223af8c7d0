#pragma once

#include <nlohmann/json.hpp>

#include "play/inspect.h"

namespace pliant::cli {

/// What is said about a CAD model besides what is said about every surface.
void print_cad(const CadInspection& cad);
nlohmann::json json_of(const CadInspection& cad);

}  // namespace pliant::cli
