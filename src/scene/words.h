#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The word that was probably meant: fewest letters to insert, delete, change or swap, and few
/// compared with its length. Empty when none is close. Ties go to the first.
std::string nearest_word(std::string_view written, const std::vector<std::string>& known);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words, std::string_view between);

/// "a, b and c"
std::string listed(const std::vector<std::string>& words, std::string_view last);

}  // namespace pliant
