#include "formats/medit.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "formats/scanner.h"
#include "formats/text.h"

namespace pliant {
namespace {

bool is_keyword(std::string_view word) {
  return (word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z');
}

class MeditReader {
 public:
  MeditReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings)
      : file_(file), scan_(checked_text(bytes, file), file, '#'), cells_(file, 1, warnings) {}

  Solid read() {
    find_sections();
    if (!vertices_) throw InputError(file_, "", "has no section Vertices");
    read_points(*vertices_);
    if (tets_ && read_cells<4>(*tets_, "the number of tets", "tets")) return cells_.finish();
    if (triangles_) read_cells<3>(*triangles_, "the number of triangles", "triangles");
    return cells_.finish();
  }

 private:
  // Bookmarks behind the keywords: a section may refer to points that come later.
  void find_sections() {
    bool first = true;
    for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word()) {
      if (first && !equal_ignoring_case(word, "MeshVersionFormatted"))
        scan_.refuse(fmt::format("starts with {}; a Medit file starts with MeshVersionFormatted",
                                 in_quotes(word)));
      first = false;
      if (!is_keyword(word)) continue;
      if (equal_ignoring_case(word, "End")) return;
      if (equal_ignoring_case(word, "Dimension")) read_dimension();
      else if (equal_ignoring_case(word, "Vertices")) mark(vertices_, word);
      else if (equal_ignoring_case(word, "Tetrahedra")) mark(tets_, word);
      else if (equal_ignoring_case(word, "Triangles")) mark(triangles_, word);
      else skip_section(word);
    }
  }

  void mark(std::optional<Scanner>& section, std::string_view word) {
    if (section) scan_.refuse(fmt::format("starts a second section {}", in_quotes(word)));
    section = scan_;
  }

  void read_dimension() {
    const std::int64_t dimension = scan_.whole(NumberType::int32, "the dimension");
    if (dimension != 3) scan_.refuse(fmt::format("says dimension {}; it must be 3", dimension));
  }

  void skip_section(std::string_view word) {
    for (const char* name : {"Hexahedra", "Prisms", "Pentahedra", "Pyramids", "Quadrilaterals"}) {
      if (!equal_ignoring_case(word, name)) continue;
      const Place place = scan_.place();
      cells_.skip(place, scan_.whole(NumberType::int32, "the number of cells"));
    }
  }

  // Each row ends with a number that names its region: the reference.
  void read_points(Scanner scan) {
    const std::int64_t count = scan.whole(NumberType::int32, "the number of points");
    scan.check_room(count, 8, 8, "points");
    cells_.reserve_points(count);
    for (std::int64_t i = 1; i <= count; ++i) {
      Vec3 p;
      p[0] = scan.real(NumberType::float64, "a coordinate");
      const Place place = scan.place();
      for (int k = 1; k < 3; ++k) p[k] = scan.real(NumberType::float64, "a coordinate");
      scan.real(NumberType::float64, "the reference of a point");
      cells_.add_point(p, i, place);
    }
  }

  template <std::size_t corners>
  bool read_cells(Scanner scan, const char* number, const char* things) {
    const std::int64_t count = scan.whole(NumberType::int32, number);
    scan.check_room(count, 2 * corners + 2, 1, things);
    for (std::int64_t i = 1; i <= count; ++i) {
      std::array<std::int64_t, corners> cell;
      cell[0] = scan.whole(NumberType::int32, "a corner");
      const Place place = scan.place();
      for (std::size_t k = 1; k < corners; ++k) cell[k] = scan.whole(NumberType::int32, "a corner");
      scan.real(NumberType::float64, "the reference of a cell");
      if constexpr (corners == 4) cells_.add_tet(cell, i, place);
      else cells_.add_triangle(cell, i, place);
    }
    return count > 0;
  }

  std::string file_;
  Scanner scan_;
  CellCollector cells_;
  std::optional<Scanner> vertices_, tets_, triangles_;
};

}  // namespace

Solid parse_medit(std::string_view text, const std::string& name,
                  std::vector<std::string>* warnings) {
  return MeditReader(text, name, warnings).read();
}

}  // namespace pliant
