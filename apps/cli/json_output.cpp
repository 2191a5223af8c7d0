#include "json_output.h"

#include <fmt/format.h>

namespace pliant::cli {

std::string json_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

void print_json(const nlohmann::json& value) { fmt::print("{}\n", json_text(value, 2)); }

}  // namespace pliant::cli
