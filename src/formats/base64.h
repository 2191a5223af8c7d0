#pragma once

#include <string>
#include <string_view>

namespace pliant {

/// Bytes of the base64 text at the start of `text`, up to `most` of them; white space is passed
/// over. Stops at the first character that is none of its own. Padding may end any group of four,
/// so pieces encoded one by one and put behind each other are read, too.
std::string decode_base64(std::string_view text, std::size_t most);

}  // namespace pliant
