#include "methods/shared/element_flow.h"

#include <algorithm>
#include <atomic>

#include "core/parallel.h"
#include "math/principal_axes.h"

namespace pliant {
namespace {

bool is_too_far(const Mat3& stretch) {
  constexpr double most = ElementFlow::largest_stretch * ElementFlow::largest_stretch;
  const Vec3 squares = principal_values(stretch.transpose() * stretch);
  return squares[2] > most || squares[0] < 1 / most;
}

}  // namespace

ElementFlow::ElementFlow(const std::vector<Material>& material) {
  const bool flows = std::any_of(material.begin(), material.end(),
                                 [](const Material& m) { return m.plastic.has_value(); });
  if (!flows) return;
  for (const Material& m : material)
    law_.push_back(m.plastic ? std::optional(PlasticLaw::from(*m.plastic, *m.young, *m.poisson))
                             : std::nullopt);
  stretch_.assign(material.size(), Mat3::Identity());
  strain_.assign(material.size(), 0);
  capped_.assign(material.size(), 0);
}

bool ElementFlow::flow(FunctionRef<Mat3(int)> F, double dt) {
  std::atomic<bool> flowed = false;
  parallel_for(int(stretch_.size()), 128, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      if (!law_[e]) continue;
      const PlasticLaw::Change change = law_[e]->flow(F(e), strain_[e], dt);
      if (change.strain == 0) continue;
      const Mat3 now = change.stretch * stretch_[e];
      capped_[e] = is_too_far(now);
      if (capped_[e]) continue;
      stretch_[e] = now;
      strain_[e] += change.strain;
      flowed = true;
    }
  });
  return flowed;
}

int ElementFlow::capped() const { return int(std::count(capped_.begin(), capped_.end(), 1)); }

void ElementFlow::archive(Archive& archive) {
  if (!any()) return;
  const std::size_t count = stretch_.size();
  archive.array("plastic stretch", stretch_);
  archive.array("plastic strain", strain_);
  archive.array("plastic cap", capped_);
  if (stretch_.size() != count || strain_.size() != count || capped_.size() != count)
    throw ArchiveError("the saved flow is of another body");
}

}  // namespace pliant
