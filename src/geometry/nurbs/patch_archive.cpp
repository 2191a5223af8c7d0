#include "geometry/nurbs/patch_archive.h"

namespace pliant {
namespace {

void archive(Archive& stored, KnotVector& direction) {
  stored.value("degree", direction.degree);
  stored.array("knots", direction.knots);
}

void archive(Archive& stored, std::vector<Vec2>& points) {
  std::vector<double> numbers;
  for (const Vec2& p : points) numbers.insert(numbers.end(), {p.x(), p.y()});
  stored.array("domain", numbers);
  if (!stored.is_loading()) return;
  points.clear();
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    points.emplace_back(numbers[i], numbers[i + 1]);
}

}  // namespace

void archive(Archive& stored, NurbsPatch& patch) {
  stored.text("name", patch.name);
  stored.value("face", patch.face);
  archive(stored, patch.u);
  archive(stored, patch.v);
  stored.array("poles", patch.pole);
  stored.array("weights", patch.weight);
  archive(stored, patch.domain);
  stored.array("triangles", patch.triangles);
  stored.value("trimmed", patch.is_trimmed);
}

}  // namespace pliant
