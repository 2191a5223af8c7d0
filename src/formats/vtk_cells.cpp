#include "formats/vtk_cells.h"

#include <fmt/format.h>

#include "core/assert.h"

namespace pliant::vtk {

void read_cell(Scanner& scan, NumberType as, std::int64_t type, std::int64_t corners,
               std::int64_t number, CellCollector& cells) {
  struct Kind {
    int type, nodes, corners;
  };
  constexpr Kind kinds[] = {{10, 4, 4}, {24, 10, 4}, {5, 3, 3}, {22, 6, 3}};
  for (const Kind& kind : kinds) {
    if (kind.type != type) continue;
    if (corners != kind.nodes)
      scan.refuse(fmt::format("is before cell {} with {} corners; its type {} has {}", number,
                              corners, type, kind.nodes));
    std::array<std::int64_t, 4> c{};
    c[0] = scan.whole(as, "a corner");
    const Place place = scan.place();
    for (int k = 1; k < kind.corners; ++k) c[k] = scan.whole(as, "a corner");
    scan.skip(std::uint64_t(kind.nodes - kind.corners), as, "a corner");
    if (kind.corners == 4) cells.add_tet(c, number, place);
    else cells.add_triangle({c[0], c[1], c[2]}, number, place);
    return;
  }
  scan.skip(std::uint64_t(corners), as, "a corner");
  cells.skip(scan.place());
}

void read_cells(Scanner& connectivity, NumberType as, std::span<const std::int64_t> ends,
                std::span<const std::uint8_t> types, CellCollector& cells) {
  ASSERT(ends.size() == types.size(), "each cell has an end and a type");
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    read_cell(connectivity, as, types[i], ends[i] - begin, std::int64_t(i), cells);
    begin = ends[i];
  }
}

void read_points(Scanner& scan, NumberType as, std::int64_t count, CellCollector& cells) {
  scan.check_room(count, 6, 3 * size_of(as), "points");
  cells.reserve_points(count);
  for (std::int64_t i = 0; i < count; ++i) {
    Vec3 p;
    p[0] = scan.real(as, "a coordinate");
    const Place place = scan.place();
    for (int k = 1; k < 3; ++k) p[k] = scan.real(as, "a coordinate");
    cells.add_point(p, i, place);
  }
}

std::vector<std::int64_t> read_ends(Scanner& scan, NumberType as, std::int64_t count) {
  scan.check_room(count, 2, size_of(as), "ends of cells");
  std::vector<std::int64_t> ends;
  ends.reserve(std::size_t(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t end = scan.whole(as, "the end of a cell");
    const std::int64_t least = ends.empty() ? 0 : ends.back();
    if (end < least)
      scan.refuse(fmt::format("has the offset {} after {}; offsets must not fall", end, least));
    ends.push_back(end);
  }
  return ends;
}

std::vector<std::uint8_t> read_types(Scanner& scan, NumberType as, std::int64_t count) {
  scan.check_room(count, 2, size_of(as), "types of cells");
  std::vector<std::uint8_t> types;
  types.reserve(std::size_t(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t type = scan.whole(as, "the type of a cell");
    if (type < 0 || type > 255)
      scan.refuse(fmt::format("gives cell {} the type {}, which does not exist", i, type));
    types.push_back(std::uint8_t(type));
  }
  return types;
}

}  // namespace pliant::vtk
