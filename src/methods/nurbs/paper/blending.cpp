#include "methods/nurbs/paper/blending.h"

#include <algorithm>

#include "core/parallel.h"

// Section 6 of the paper. Its weights minimise w^T diag(1/theta) w of sum 1, which is theta divided
// by the sum of all thetas.

namespace pliant::nurbs::paper {
namespace {

// Weights below are none, so that rows stay short.
constexpr double least_weight = 1e-4;
// Places that a wanted sparsity is measured with, and steps of its bisection.
constexpr int most_probes = 400;
constexpr int bisections = 40;

}  // namespace

double Blending::least_cutoff(const std::vector<Vec3>& places) const {
  return parallel_max(int(places.size()), 64, 0.0, [&](int begin, int end) {
    double deepest = 0;
    for (int i = begin; i < end; ++i)
      deepest =
          std::max(deepest, surface_.tree.closest_point(surface_.drawn.mesh, places[i]).distance);
    return deepest;
  });
}

std::optional<Blending::Reach> Blending::reach(const Vec3& place, int part, double within) const {
  const SurfacePoint near =
      surface_.face_tree[part].closest_point(surface_.face[part], place, within);
  if (near.triangle < 0) return std::nullopt;
  Reach reach{.primary = near.distance, .total = std::numeric_limits<double>::infinity()};
  if (!(near.distance > 1e-9 * surface_.diagonal)) return reach;
  const PartSurface::Hit hit = surface_.first_hit(near.point, place - near.point);
  reach.total = hit.distance;
  if (hit.part == part && hit.distance > near.distance + surface_.slack) reach.total = 0;
  return reach;
}

double Blending::theta(const Reach& reach, double cutoff) {
  if (reach.total == 0) return 1;
  return std::clamp(1 - reach.primary / std::min(reach.total, cutoff), 0.0, 1.0);
}

double Blending::cutoff_for(double share, double least, const std::vector<Vec3>& places) const {
  const int step = std::max(1, int(places.size()) / most_probes);
  const int probes = (int(places.size()) + step - 1) / step;
  std::vector<Reach> reaches(std::size_t(probes) * surface_.parts());
  parallel_for(probes, 4, [&](int begin, int end) {
    for (int p = begin; p < end; ++p)
      for (int part = 0; part < surface_.parts(); ++part)
        reaches[std::size_t(p) * surface_.parts() + part] =
            reach(places[std::size_t(p) * step], part, 4 * surface_.diagonal).value_or(Reach());
  });
  const auto reached = [&](double cutoff) {
    const auto blended = std::count_if(reaches.begin(), reaches.end(),
                                       [&](const Reach& r) { return theta(r, cutoff) > 0; });
    return double(blended) >= share * double(reaches.size());
  };
  double low = least, high = std::max(least, surface_.diagonal);
  if (reached(low)) return low;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (low + high);
    (reached(middle) ? high : low) = middle;
  }
  return high;
}

bool Blending::at(const Vec3& place, int own, double cutoff, Blend& blend) const {
  blend.part.clear();
  blend.weight.clear();
  double sum = 0;
  for (int part = 0; part < surface_.parts(); ++part) {
    double weight = part == own;
    if (part != own) {
      const std::optional<Reach> found = reach(place, part, cutoff);
      if (found) weight = theta(*found, cutoff);
    }
    if (!(weight > 0)) continue;
    blend.part.push_back(part);
    blend.weight.push_back(weight);
    sum += weight;
  }
  if (!(sum > 0)) {
    const SurfacePoint near = surface_.tree.closest_point(surface_.drawn.mesh, place);
    blend.part = {surface_.drawn.patch[near.triangle]};
    blend.weight = {1};
    return false;
  }
  std::size_t kept = 0;
  double left = 0;
  for (std::size_t k = 0; k < blend.part.size(); ++k) {
    if (blend.weight[k] / sum < least_weight) continue;
    blend.part[kept] = blend.part[k];
    blend.weight[kept++] = blend.weight[k];
    left += blend.weight[k];
  }
  blend.part.resize(kept);
  blend.weight.resize(kept);
  for (double& w : blend.weight) w /= left;
  return true;
}

}  // namespace pliant::nurbs::paper
