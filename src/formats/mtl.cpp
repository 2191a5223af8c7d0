#include "formats/mtl.h"

#include <algorithm>

#include "formats/text.h"

namespace pliant {
namespace {

constexpr std::size_t most_materials = 10'000;

/// The file that a map names, behind its options: "-s 1 1 1 -o 0 0 0 wood.png".
std::string_view map_file(std::string_view rest) {
  rest = trimmed(rest);
  while (rest.starts_with('-')) {
    const std::string_view option = next_word(rest);
    if (option == "-imfchan" || option == "-type") next_word(rest);
    while (true) {
      std::string_view after = rest;
      const std::string_view word = next_word(after);
      double ignored = 0;
      if (word.empty() ||
          (word != "on" && word != "off" && parse_number(word, ignored) != NumberKind::finite))
        break;
      rest = after;
    }
    rest = trimmed(rest);
  }
  return rest;
}

Vec3 color_of(std::string_view rest) {
  Vec3 color = Vec3::Ones();
  for (int k = 0; k < 3; ++k) {
    double value = 0;
    if (parse_number(next_word(rest), value) != NumberKind::finite)
      return k == 1 ? Vec3::Constant(color[0]) : Vec3(Vec3::Ones());  // one number: grey
    color[k] = std::clamp(value, 0.0, 1.0);
  }
  return color;
}

}  // namespace

std::map<std::string, int, std::less<>> parse_mtl(std::string_view text, Faces& faces,
                                                  ModelImages& images) {
  std::map<std::string, int, std::less<>> paints;
  Paint* current = nullptr;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    std::string_view rest = text.substr(at, end - at);
    at = end + 1;
    const std::string_view keyword = next_word(rest);
    if (keyword == "newmtl") {
      if (paints.size() >= most_materials) break;
      const std::string name(trimmed(rest));
      const auto [known, is_new] = paints.try_emplace(name, int(faces.paints.size()));
      if (is_new) faces.paints.push_back({.name = name});
      current = &faces.paints[std::size_t(known->second)];
    } else if (keyword == "Kd" && current) {
      if (current->image < 0) current->color = color_of(rest);
    } else if (keyword == "map_Kd" && current && !map_file(rest).empty()) {
      current->image = images.from_file(std::string(map_file(rest)));
      if (current->image >= 0) current->color = Vec3::Ones();
    }
  }
  return paints;
}

}  // namespace pliant
