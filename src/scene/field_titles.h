#pragma once

#include <span>
#include <string_view>

namespace pliant {

/// What people are told about a field that bodies can show, in legends and on the reference page.
struct FieldTitle {
  const char* name;     // as in "color_by"
  const char* title;    // as in a legend
  const char* unit;     // "" for a ratio
  bool has_sign;        // zero is the middle, not the least
  const char* methods;  // that have it
};

std::span<const FieldTitle> field_titles();

/// Null for a field that nobody wrote a line for.
const FieldTitle* field_title(std::string_view name);

}  // namespace pliant
