#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pliant::cli {

/// JSON as text. Names from files may be no UTF-8: what is wrong in them is replaced.
std::string json_text(const nlohmann::json& value, int indent = -1);

/// On standard output, indented.
void print_json(const nlohmann::json& value);

}  // namespace pliant::cli
