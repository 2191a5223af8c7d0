#include "geometry/nurbs/patch_archive.h"

namespace pliant {
namespace {

void archive(Archive& stored, KnotVector& direction) {
  stored.value("degree", direction.degree);
  stored.array("knots", direction.knots);
}

void archive(Archive& stored, const char* name, std::vector<Vec2>& points) {
  std::vector<double> numbers;
  for (const Vec2& p : points) numbers.insert(numbers.end(), {p.x(), p.y()});
  stored.array(name, numbers);
  if (!stored.is_loading()) return;
  points.clear();
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    points.emplace_back(numbers[i], numbers[i + 1]);
}

// More curves round one face are a damaged file.
constexpr int most_curves = 100'000;

void archive(Archive& stored, std::vector<std::vector<TrimCurve>>& trims) {
  std::vector<int> counts;
  for (const std::vector<TrimCurve>& chain : trims) counts.push_back(int(chain.size()));
  stored.array("trim curves", counts);
  int all = 0;
  if (stored.is_loading()) trims.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0 || counts[i] > most_curves - all)
      throw ArchiveError("more trims than a face can have");
    all += counts[i];
    trims[i].resize(std::size_t(counts[i]));
    for (TrimCurve& curve : trims[i]) {
      archive(stored, curve.knots);
      archive(stored, "trim poles", curve.pole);
      stored.array("trim weights", curve.weight);
    }
  }
}

}  // namespace

void archive(Archive& stored, NurbsPatch& patch) {
  stored.text("name", patch.name);
  stored.value("face", patch.face);
  archive(stored, patch.u);
  archive(stored, patch.v);
  stored.array("poles", patch.pole);
  stored.array("weights", patch.weight);
  archive(stored, "domain", patch.domain);
  stored.array("triangles", patch.triangles);
  stored.value("trimmed", patch.is_trimmed);
  archive(stored, patch.trims);
}

}  // namespace pliant
