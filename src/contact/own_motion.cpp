#include "contact/own_motion.h"

#include <algorithm>
#include <limits>

#include "math/types.h"

namespace pliant {
namespace {

/// The box round points, whose coordinates are added as they lie in memory, four points at a time:
/// compilers turn that into vectors.
struct Bounds {
  static constexpr int block = 12;
  double low[block], high[block];

  Bounds() {
    std::fill_n(low, block, std::numeric_limits<double>::infinity());
    std::fill_n(high, block, -std::numeric_limits<double>::infinity());
  }
  void add(double value, int k) {
    low[k] = value < low[k] ? value : low[k];
    high[k] = value > high[k] ? value : high[k];
  }
  double diagonal() const {
    Box box;
    for (int k = 0; k < block; k += 3) {
      box.add(Vec3(low[k], low[k + 1], low[k + 2]));
      box.add(Vec3(high[k], high[k + 1], high[k + 2]));
    }
    return box.extent().norm();
  }
};

}  // namespace

void OwnMotion::start_here(const Nodes& nodes, double h, double step, double most) {
  start_ = nodes.position;
  step_.resize(start_.size());
  Box steps;
  for (std::size_t i = 0; i < step_.size(); ++i) {
    step_[i] = nodes.position[i] - nodes.previous[i];
    steps.add(step_[i]);
  }
  h_ = h;
  const double ways = steps.extent().norm() * step / h;
  lasts_ = ways > most ? std::max(h, step * most / ways) : step;
  elapsed_ = off_ = step_off_ = 0;
}

void OwnMotion::follow(const Nodes& nodes, double spread) {
  elapsed_ += h_;
  if (start_.size() != nodes.position.size() || start_.empty()) return;
  const double substeps = elapsed_ / h_;
  const double *here = nodes.position[0].data(), *before = nodes.previous[0].data();
  const double *start = start_[0].data(), *went = step_[0].data();
  Bounds off, step;
  const auto take = [&](int i, int k) {
    off.add(here[i] - start[i] - substeps * went[i], k);
    step.add(here[i] - before[i] - went[i], k);
  };
  const int count = 3 * nodes.size();
  int i = 0;
  for (; i + Bounds::block <= count; i += Bounds::block)
    for (int k = 0; k < Bounds::block; ++k) take(i + k, k);
  for (; i < count; ++i) take(i, i % 3);
  off_ = spread * off.diagonal();
  step_off_ = spread * step.diagonal();
}

bool OwnMotion::strayed(const Nodes& nodes, double slack, double h) const {
  if (h != h_ || start_.size() != nodes.position.size()) return true;
  return elapsed_ > (1 + 1e-9) * lasts_ || !(off_ + 2 * step_off_ <= slack);
}

}  // namespace pliant
