#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// Names that come from files (bodies of a recording, groups of a model, buffers of a glTF) are
// made fit here, where they are used, whatever was checked when they were read.

/// A name as one part of a file name: what is no letter, digit, space, _ - or . becomes _, and the
/// first character is a letter, a digit or _. So no name leads out of a folder or is hidden. Keeps
/// letters of any language; at most 64 bytes; never empty.
std::string file_name_of(std::string_view name);

/// Of several names, told apart by numbers: different bodies never share a file.
std::vector<std::string> file_names_of(std::span<const std::string> names);

/// Whether a text has characters that are not what they look like: control characters, bytes that
/// are no UTF-8, invisible marks, marks that turn the direction of writing, look-alikes of slashes.
bool has_misleading_characters(std::string_view text);

/// The text as UTF-8: bytes that are none become ?.
std::string valid_utf8(std::string_view text);

}  // namespace pliant
