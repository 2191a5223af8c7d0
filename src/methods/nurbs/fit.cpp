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
// Keeps quadratic terms finite that the neighbours cannot tell apart, as a share of their mean.
constexpr double ridge = 1e-4;

// 1 - 6 s^2 + 8 s^3 - 3 s^4 and its slope over s.
double window(double s) { return s >= 1 ? 0 : 1 + s * s * (-6 + s * (8 - 3 * s)); }
double window_slope(double s) { return s >= 1 ? 0 : -12 * (1 - s) * (1 - s); }

Terms monomials(const Vec3& d) {
  Terms t;
  t << 1, d[0], d[1], d[2], d[0] * d[0], d[1] * d[1], d[2] * d[2], d[0] * d[1], d[1] * d[2],
      d[2] * d[0];
  return t;
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

/// Neighbours within the radius and the linear part of their moments: its eigenvalue ratio, or -1
/// where they are too few. voxel < -1: plain distances.
double Fitter::look(const Vec3& place, int voxel, double radius, Fit& fit) const {
  near_->within(place, radius, fit.near);
  fit.used.clear();
  double weight = 0;
  const double aside = voxel >= 0 ? (solid_.centre[voxel] - place).norm() : 0;
  for (const int s : fit.near) {
    if (voxel >= 0 && voxel_[s] >= 0) {
      const double limit = detour * (samples_[s].place - place).norm() + 3 * solid_.edge - aside;
      if (!fit.distance.within(voxel, voxel_[s], limit)) continue;
    }
    fit.used.push_back(s);
    weight += std::min(1.0, samples_[s].weight);
  }
  if (weight < least_weight || int(fit.used.size()) < least_neighbours) return -1;
  Eigen::Matrix4d linear = Eigen::Matrix4d::Zero();
  for (const int s : fit.used) {
    const Vec3 d = (samples_[s].place - place) / radius;
    const Eigen::Vector4d t(1, d[0], d[1], d[2]);
    linear += samples_[s].weight * window(d.norm()) * t * t.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(linear, Eigen::EigenvaluesOnly);
  return std::max(0.0, eigen.eigenvalues()[0] / eigen.eigenvalues()[3]);
}

bool Fitter::at(const Vec3& place, bool through_solid, Fit& fit) const {
  const int here = solid_.near(place);
  const double first = first_radius * (here >= 0 ? spacing_[here] : least_spacing_);
  double radius = first, ratio = -1;
  int voxel = through_solid ? here : -1;
  int growths = 0;
  for (;; ++growths, radius *= growth) {
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
  const int count = int(fit.used.size());
  fit.weight.resize(count);
  fit.slope.resize(count);
  fit.terms.resize(count);
  Moments moments = Moments::Zero();
  for (int k = 0; k < count; ++k) {
    const Sample& sample = samples_[fit.used[k]];
    const Vec3 d = (sample.place - place) / radius;
    const double s = d.norm();
    fit.terms[k] = monomials(d);
    if (fit.is_linear) fit.terms[k].tail<6>().setZero();
    fit.weight[k] = sample.weight * window(s);
    fit.slope[k] = -sample.weight * window_slope(s) / radius * d;
    moments.selfadjointView<Eigen::Lower>().rankUpdate(fit.terms[k], fit.weight[k]);
  }
  const double quadratic = fit.is_linear ? 1 : moments.diagonal().tail<6>().mean();
  moments.diagonal().tail<6>().array() += (fit.is_linear ? 1 : ridge) * quadratic;
  moments.diagonal().segment<3>(1).array() += 1e-12 * moments(0, 0);  // coplanar neighbours
  const Eigen::LDLT<Moments> solver(moments);
  const Terms value = solver.solve(Terms(Terms::Unit(0)));
  Eigen::Matrix<double, 10, 3> right = Eigen::Matrix<double, 10, 3>::Zero();
  right.block<3, 3>(1, 0).diagonal().setConstant(1 / radius);
  for (int k = 0; k < count; ++k)
    right -= fit.terms[k] * (fit.terms[k].dot(value) * fit.slope[k]).transpose();
  const Eigen::Matrix<double, 10, 3> gradient = solver.solve(right);
  fit.sample = fit.used;
  fit.value.resize(count);
  fit.gradient.resize(count);
  for (int k = 0; k < count; ++k) {
    const double along = fit.terms[k].dot(value);
    fit.value[k] = fit.weight[k] * along;
    fit.gradient[k] = fit.weight[k] * (gradient.transpose() * fit.terms[k]) + along * fit.slope[k];
  }
  return true;
}

}  // namespace pliant::nurbs
