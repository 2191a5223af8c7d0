#include "methods/tets/recovery.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "methods/tets/compliance.h"

namespace pliant::tets {
namespace {

constexpr int interval = 8;          // substeps between looks: a look costs as much as half a sweep
constexpr double many = 0.01;        // share of the volume in inverted tets that starts a recovery
constexpr double in_shape = 0.03;    // mean |F:F - 3| of a body that is itself again
constexpr double flat_areas = 1e-2;  // no face has kept more than this of its area: line or point
constexpr double hold = 2.5;         // crossings to wait after the last inverted tet,
constexpr double patience = 25;      // or after many, when some stay: they may be meant to
constexpr double way_back = 2.5;     // crossings
constexpr double damping_share = 0.25;  // per crossing
constexpr int tet_grain = 512;

}  // namespace

Recovery::Recovery(const TetElements& elements) {
  for (const double v : elements.volume) volume_ += v;
  // Five tets fill a cell; a wave passes sqrt(beta) cells in a substep.
  crossing_ = std::max(2.0, std::cbrt(elements.size() / 5.0)) / std::sqrt(recovery_beta);
}

double Recovery::damping(double h) const {
  return softness_ == 0 ? 0 : softness_ * damping_share / (crossing_ * h);
}

Recovery::State Recovery::examine(const TetElements& elements, const Nodes& nodes) {
  parts_.assign(std::size_t((elements.size() + tet_grain - 1) / tet_grain), State{});
  parallel_for(elements.size(), tet_grain, [&](int begin, int end) {
    State& part = parts_[begin / tet_grain];
    for (int i = begin; i < end; ++i) {
      const Mat3 F = deformation(elements, i, nodes.position);
      const Mat3 areas = cofactor(F);
      const bool is_inverted = areas.col(0).dot(F.col(0)) <= 0;
      part.inverted += is_inverted ? 1 : 0;
      part.inverted_volume += is_inverted ? elements.volume[i] : 0;
      part.collapsed += areas.squaredNorm() < flat_areas * flat_areas ? 1 : 0;
      part.stretched += std::abs(F.squaredNorm() - 3);
    }
  });
  State sum;
  for (const State& part : parts_) {
    sum.inverted += part.inverted;
    sum.inverted_volume += part.inverted_volume;
    sum.collapsed += part.collapsed;
    sum.stretched += part.stretched;
  }
  return sum;
}

void Recovery::look(const TetElements& elements, Nodes& nodes, std::int64_t substep) {
  if (crossing_ == 0 || substep % interval != 0) return;
  const State state = examine(elements, nodes);
  if (state.inverted_volume > many * volume_) {
    softness_ = 1;
    calm_ = 0;
  } else if (softness_ > 0) {
    calm_ += interval;
    const bool itself = state.inverted == 0 && state.stretched < in_shape * elements.size();
    if (calm_ > (itself ? hold : patience) * crossing_)
      softness_ = std::max(0.0, softness_ - interval / (way_back * crossing_));
  }
  if (2 * state.collapsed > elements.size()) throw_apart(elements, nodes, substep);
}

void Recovery::throw_apart(const TetElements& elements, Nodes& nodes, std::int64_t substep) const {
  // As far as the body is large: thrown less far, it falls together again, because no shape at all
  // is a minimum of its energy too. The mean is taken out to keep the centre of mass.
  const double extent = std::cbrt(volume_);
  std::vector<char> is_collapsed(std::size_t(nodes.size()), 0);
  for (int i = 0; i < elements.size(); ++i)
    if (cofactor(deformation(elements, i, nodes.position)).norm() < flat_areas)
      for (const int node : elements.nodes[i]) is_collapsed[node] = !nodes.held[node];
  const auto throw_of = [&](int i) {
    Vec3 move;
    for (int axis = 0; axis < 3; ++axis)
      move[axis] = random_unit(std::uint64_t(substep), std::uint64_t(3 * i + axis)) - 0.5;
    return Vec3(extent * move);
  };
  Vec3 mean = Vec3::Zero();
  double mass = 0;
  for (int i = 0; i < nodes.size(); ++i) {
    if (!is_collapsed[i]) continue;
    mean += nodes.mass[i] * throw_of(i);
    mass += nodes.mass[i];
  }
  if (mass > 0) mean /= mass;
  for (int i = 0; i < nodes.size(); ++i)
    if (is_collapsed[i]) nodes.position[i] += throw_of(i) - mean;
}

void Recovery::archive(Archive& archive) {
  archive.value("tets recovery softness", softness_);
  archive.value("tets recovery calm", calm_);
}

}  // namespace pliant::tets
