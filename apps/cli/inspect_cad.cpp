#include "inspect_cad.h"

#include <fmt/format.h>

namespace pliant::cli {
namespace {

constexpr std::size_t most_rows = 60;

std::string remarks(const CadFace& face) {
  std::string text = face.is_trimmed ? "trimmed" : "";
  const auto add = [&](bool is_so, const std::string& what) {
    if (is_so) text += (text.empty() ? "" : ", ") + what;
  };
  add(face.is_rational, "rational");
  add(face.was_turned, "turned");
  add(face.piece > 1, fmt::format("piece {}", face.piece));
  return text;
}

/// Not longer than a column, and not cut within a letter.
std::string shortened(const std::string& name) {
  std::size_t end = 24;
  if (name.size() <= end) return name;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end);
}

std::string control_points(const CadFace& face) {
  const std::string given = fmt::format("{} x {}", face.poles_u, face.poles_v);
  return face.refined > 0 ? given + fmt::format(" -> {}", face.refined) : given;
}

/// "1-6, 9"
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t from = 0, to = 0; from < numbers.size(); from = to) {
    while (to < numbers.size() && numbers[to] - numbers[from] == int(to - from)) ++to;
    text += (from > 0 ? ", " : "") + std::to_string(numbers[from]);
    if (to > from + 1) text += "-" + std::to_string(numbers[to - 1]);
  }
  return text;
}

void print_parts(const std::vector<CadPart>& parts) {
  for (std::size_t p = 0; p < std::min(most_rows, parts.size()); ++p)
    fmt::print("{:<10} \"{}\": faces {}\n", p == 0 ? "parts" : "", parts[p].name,
               ranges(parts[p].faces));
  if (parts.size() > most_rows)
    fmt::print("{:<10} and {} more; --json tells all\n", "", parts.size() - most_rows);
}

}  // namespace

void print_cad(const CadInspection& cad) {
  const FaceMeetings& m = cad.meetings;
  const auto length = [&](double metres) {
    return fmt::format("{:.4g}", metres / cad.unit_length);
  };
  fmt::print("{:<10} {} {}: {} meet the border of another face", "borders", length(m.length),
             cad.unit, length(m.met));
  for (const auto& [part, what] : {std::pair{m.resting, "end on a face"},
                                   {m.buried, "lie inside the solid"},
                                   {m.open, "are free"}})
    if (part > 0) fmt::print(", {} {}", length(part), what);
  const double widest = m.pairs.empty() ? 0 : m.pairs.front().gap;
  fmt::print("\n{:<10} {} {} {} apart; up to {} {} they belong together\n", "",
             widest > cad.accuracy ? "up to" : "less than", length(std::max(widest, cad.accuracy)),
             cad.unit, length(cad.reach), cad.unit);

  print_parts(cad.parts);
  std::size_t columns = 4;
  for (const CadFace& face : cad.faces) columns = std::max(columns, shortened(face.name).size());
  const std::string square = cad.unit.find(' ') == std::string::npos ? cad.unit + "^2" : "m^2";
  fmt::print("{:<10} {:>6}  {:<{}}  degree  control points  {:>11}  {:>12}\n", "faces", "number",
             "name", columns, "area " + square, "thickness " + cad.unit);
  for (std::size_t f = 0; f < std::min(most_rows, cad.faces.size()); ++f) {
    const CadFace& face = cad.faces[f];
    fmt::print("{:<10} {:>6}  {:<{}}  {:>6}  {:>14}  {:>11.4g}  {:>12}  {}\n", "", face.number,
               shortened(face.name), columns, fmt::format("{}, {}", face.degree_u, face.degree_v),
               control_points(face), face.area / (cad.unit_length * cad.unit_length),
               face.thickness > 0 ? length(face.thickness) : "?", remarks(face));
  }
  if (cad.faces.size() > most_rows)
    fmt::print("{:<10} and {} more; --json tells all\n", "", cad.faces.size() - most_rows);
}

nlohmann::json json_of(const CadInspection& cad) {
  const FaceMeetings& m = cad.meetings;
  nlohmann::json faces = nlohmann::json::array(), parts = faces, pairs = faces, crossings = faces,
                 rests = faces;
  for (const CadPart& part : cad.parts)
    parts.push_back({{"name", part.name}, {"faces", part.faces}});
  for (const CadFace& face : cad.faces)
    faces.push_back({{"number", face.number},
                     {"name", face.name},
                     {"within", face.within},
                     {"degree", {face.degree_u, face.degree_v}},
                     {"control_points", {face.poles_u, face.poles_v}},
                     {"refined_control_points", face.refined},
                     {"rational", face.is_rational},
                     {"trimmed", face.is_trimmed},
                     {"turned", face.was_turned},
                     {"piece", face.piece},
                     {"area_m2", face.area},
                     {"thickness_m", face.thickness}});
  for (const FaceMeeting& pair : m.pairs)
    pairs.push_back(
        {{"faces", {pair.first, pair.second}}, {"length_m", pair.length}, {"gap_m", pair.gap}});
  for (const FaceMeetings::Pair& pair : m.crossings) crossings.push_back({pair.first, pair.second});
  for (const FaceMeetings::Pair& pair : m.rests) rests.push_back({pair.first, pair.second});
  return {{"unit", cad.unit},
          {"unit_m", cad.unit_length},
          {"faces_left_out", cad.left_out},
          {"pieces", cad.pieces},
          {"parts", parts},
          {"faces", faces},
          {"borders",
           {{"length_m", m.length},
            {"met_m", m.met},
            {"resting_m", m.resting},
            {"buried_m", m.buried},
            {"free_m", m.open},
            {"reach_m", cad.reach},
            {"holes", m.holes},
            {"meetings", pairs},
            {"resting_on", rests},
            {"crossing", crossings}}}};
}

}  // namespace pliant::cli
