#include "methods/nurbs/fit.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

namespace pliant::nurbs {
namespace {

using Terms = Eigen::Matrix<double, 10, 1>;
using Moments = Eigen::Matrix<double, 10, 10>;

// The radius in spacings: about 30 neighbours.
constexpr double first_radius = 1.8;
// A radius that does not do grows by this, at most so often for the sake of eigenvalues, ...
constexpr double growth = 1.12;
constexpr int most_for_shape = 9;
// ... and so often through the solid before plain distances are asked (open bottoms of shells).
constexpr int most_through_solid = 12;
constexpr int most_growths = 40;
// Fewer neighbours do not determine ten terms.
constexpr int least_neighbours = 12;
constexpr double least_weight = 3.5;
// Smallest against largest eigenvalue of the linear part: below, neighbours lie in a plane.
constexpr double flat = 0.003;
constexpr double hopeless = 1e-5;
// A detour through the solid of this share of the distance and three voxels is none.
constexpr double detour = 1.35;
// The same for neighbours in a plane, where nobody asks for gradients.
constexpr double coplanar = 1e-14;
// Solves with the moments: one, and two that mend its rounding.
constexpr int solves = 3;
// Keeps quadratic terms finite that the neighbours cannot tell apart, as a share of their mean.
constexpr double ridge = 1e-4;

// 1 - 6 s^2 + 8 s^3 - 3 s^4 and its slope over s.
double window(double s) { return s >= 1 ? 0 : 1 + s * s * (-6 + s * (8 - 3 * s)); }
double window_slope(double s) { return s >= 1 ? 0 : -12 * (1 - s) * (1 - s); }

std::array<double, 10> monomials(const Vec3& d) {
  return {1,           d[0],        d[1],        d[2],        d[0] * d[0],
          d[1] * d[1], d[2] * d[2], d[0] * d[1], d[1] * d[2], d[2] * d[0]};
}

}  // namespace

Fitter::Fitter(const std::vector<Sample>& samples, const Occupancy& solid,
               const std::vector<double>& spacing)
    : samples_(samples), solid_(solid), spacing_(spacing) {
  std::vector<Vec3> places;
  least_spacing_ = *std::min_element(spacing.begin(), spacing.end());
  for (const Sample& sample : samples) {
    places.push_back(sample.place);
    voxel_.push_back(solid.near(sample.place));
  }
  near_ = std::make_unique<Neighbours>(std::move(places), 1.5 * least_spacing_);
}

/// More candidates at a time than a radius asks for: it grows, and looking for them costs more.
void Fitter::gather(const Vec3& place, double reach, Fit& fit) const {
  if (reach <= fit.gathered) return;
  const double before = fit.gathered;
  fit.gathered = reach * growth * growth;
  near_->within(place, fit.gathered, fit.near);
  for (const int s : fit.near) {
    const Vec3 way = samples_[s].place - place;
    const double distance = way.norm();
    if (distance >= before) fit.candidates.push_back({s, distance, way, Fit::Sight::unknown});
  }
}

/// Whether the way through the solid is no detour. All candidates up to `farthest` may be asked
/// from one voxel, and one search answers them.
bool Fitter::is_seen(int voxel, double aside, double farthest, Fit::Candidate& candidate,
                     Fit& fit) const {
  if (voxel < 0 || voxel_[candidate.sample] < 0) return true;
  if (candidate.sight == Fit::Sight::unknown) {
    const double slack = 3 * solid_.edge - aside;
    const bool open =
        fit.distance.within(voxel, voxel_[candidate.sample], detour * candidate.distance + slack,
                            detour * farthest + slack);
    candidate.sight = open ? Fit::Sight::open : Fit::Sight::blocked;
  }
  return candidate.sight == Fit::Sight::open;
}

/// Neighbours within the radius and the linear part of their moments: its eigenvalue ratio, or -1
/// where they are too few. voxel < 0: plain distances.
double Fitter::look(const Vec3& place, int voxel, double radius, Fit& fit) const {
  gather(place, radius, fit);
  fit.used.clear();
  double weight = 0;
  const double aside = voxel >= 0 ? (solid_.centre[voxel] - place).norm() : 0;
  for (int c = 0; c < int(fit.candidates.size()); ++c) {
    Fit::Candidate& candidate = fit.candidates[c];
    if (candidate.distance >= radius || !is_seen(voxel, aside, fit.gathered, candidate, fit))
      continue;
    fit.used.push_back(c);
    weight += std::min(1.0, samples_[candidate.sample].weight);
  }
  if (weight < least_weight || int(fit.used.size()) < least_neighbours) return -1;
  double m[10] = {};  // of 1, x, y, z with each other
  for (const int c : fit.used) {
    const Fit::Candidate& candidate = fit.candidates[c];
    const double s = candidate.distance / radius;
    const double w = samples_[candidate.sample].weight * window(s);
    const Vec3 d = candidate.way / radius, wd = w * d;
    m[0] += w;
    for (int i = 0; i < 3; ++i) m[1 + i] += wd[i];
    m[4] += wd[0] * d[0], m[5] += wd[1] * d[0], m[6] += wd[2] * d[0];
    m[7] += wd[1] * d[1], m[8] += wd[2] * d[1], m[9] += wd[2] * d[2];
  }
  Eigen::Matrix4d linear;
  linear << m[0], m[1], m[2], m[3], m[1], m[4], m[5], m[6], m[2], m[5], m[7], m[8], m[3], m[6],
      m[8], m[9];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(linear, Eigen::EigenvaluesOnly);
  return std::max(0.0, eigen.eigenvalues()[0] / eigen.eigenvalues()[3]);
}

bool Fitter::at(const Vec3& place, bool through_solid, Wanted wanted, Fit& fit) const {
  const int here = solid_.near(place);
  const double first = first_radius * (here >= 0 ? spacing_[here] : least_spacing_);
  fit.candidates.clear();
  fit.gathered = 0;
  double radius = first, ratio = -1;
  int voxel = through_solid ? here : -1;
  for (int growths = 0;; ++growths, radius *= growth) {
    if (growths == most_growths) return false;
    if (growths == most_through_solid && ratio < 0 && voxel >= 0) {
      voxel = -1;
      radius = first;
    }
    ratio = look(place, voxel, radius, fit);
    if (ratio > flat || (ratio >= 0 && growths >= most_for_shape)) break;
  }
  fit.radius = radius;
  fit.is_linear = ratio < hopeless;
  solve(wanted, fit);
  return true;
}

/// Weights, moments, and from them values and gradients of the neighbours that were found.
void Fitter::solve(Wanted wanted, Fit& fit) const {
  const auto count = fit.used.size();
  fit.weight.resize(count);
  fit.slope.resize(count);
  fit.terms.resize(count);
  Moments moments = Moments::Zero();  // lower triangle
  for (std::size_t k = 0; k < count; ++k) {
    const Fit::Candidate& candidate = fit.candidates[fit.used[k]];
    const double own = samples_[candidate.sample].weight, s = candidate.distance / fit.radius;
    const Vec3 d = candidate.way / fit.radius;
    std::array<double, 10>& terms = fit.terms[k];
    terms = monomials(d);
    if (fit.is_linear) std::fill(terms.begin() + 4, terms.end(), 0.0);
    fit.weight[k] = own * window(s);
    fit.slope[k] = -own * window_slope(s) / fit.radius * d;
    for (int j = 0; j < 10; ++j) {
      const double w = fit.weight[k] * terms[j];
      for (int i = j; i < 10; ++i) moments(i, j) += w * terms[i];
    }
  }
  Moments ridged = moments;
  const double quadratic = fit.is_linear ? 1 : moments.diagonal().tail<6>().mean();
  Terms more = Terms::Zero();
  more.tail<6>().setConstant((fit.is_linear ? 1 : ridge) * quadratic);
  ridged.diagonal() += more;
  ridged.diagonal().segment<3>(1).array() += coplanar * moments(0, 0);
  const Eigen::LDLT<Moments> solver(ridged);
  const auto terms = [&](std::size_t k) { return Eigen::Map<const Terms>(fit.terms[k].data()); };

  // Linear fields must come out exactly. So what the rounding of the moments left is measured by
  // the terms themselves, and solved for once more.
  std::vector<double>& along = fit.value;  // terms times value, until they have their weights
  along.resize(count);
  Terms value = Terms::Zero(), left = Terms::Unit(0);
  for (int i = 0; i < solves; ++i) {
    value += solver.solve(left);
    left = Terms::Unit(0) - more.cwiseProduct(value);
    for (std::size_t k = 0; k < count; ++k) {
      along[k] = terms(k).dot(value);
      left -= (fit.weight[k] * along[k]) * terms(k);
    }
  }
  fit.sample.resize(count);
  for (std::size_t k = 0; k < count; ++k) fit.sample[k] = fit.candidates[fit.used[k]].sample;
  fit.gradient.clear();
  if (wanted == Wanted::gradients) {
    using Gradients = Eigen::Matrix<double, 10, 3>;
    Gradients right = Gradients::Zero();
    right.block<3, 3>(1, 0).diagonal().setConstant(1 / fit.radius);
    for (std::size_t k = 0; k < count; ++k)
      right -= terms(k) * (along[k] * fit.slope[k]).transpose();
    Gradients gradient = Gradients::Zero(), missing = right;
    for (int i = 0; i < solves; ++i) {
      gradient += solver.solve(missing);
      missing = right - more.asDiagonal() * gradient;
      for (std::size_t k = 0; k < count; ++k)
        missing -= (fit.weight[k] * terms(k)) * (terms(k).transpose() * gradient);
    }
    for (std::size_t k = 0; k < count; ++k)
      fit.gradient.push_back(fit.weight[k] * (gradient.transpose() * terms(k)) +
                             along[k] * fit.slope[k]);
  }
  for (std::size_t k = 0; k < count; ++k) fit.value[k] *= fit.weight[k];
}

}  // namespace pliant::nurbs
