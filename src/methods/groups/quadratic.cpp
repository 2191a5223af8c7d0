#include "methods/groups/quadratic.h"

#include <cmath>

// Quadratic shape matching (Mueller et al. 2005) moves groups rigidly towards a quadratic goal;
// here the quadratic part is elastic.

namespace pliant::groups {
namespace {

/// The six products of coordinates: which two.
constexpr int factors[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 0}, {1, 1}, {2, 2}};

double dot(std::span<const double> weight, std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < weight.size(); ++k) sum += weight[k] * a[k] * b[k];
  return sum;
}

/// Second moments along the principal axes [m^2] of the solid itself. Members may all sit on the
/// border, as the corners of a hexahedron do, which have three times its moments; the volume tells:
/// a box with moments s has 2 sqrt(3 s) along each axis.
Vec3 solid_moments(const Shape& shape) {
  const Vec3 moments = shape.spread / shape.mass;
  const double box = 8 * std::sqrt(27 * moments.prod());
  const double smaller = std::min(1.0, std::pow(shape.volume / box, 2.0 / 3));
  return smaller * moments;
}

/// Mean of |gradient of (product of the two coordinates)|^2 over the solid, its linear part (which
/// the fit has) left out.
double mean_slope(int a, int b, const Vec3& moments) {
  return a == b ? 4 * moments[a] : moments[a] + moments[b];
}

}  // namespace

QuadraticModes quadratic_modes(const Shapes& shapes) {
  QuadraticModes modes;
  modes.start.push_back(0);
  for (int g = 0; g < shapes.solids(); ++g) {
    const Shape& shape = shapes.shape[g];
    const std::size_t begin = shapes.start[g], n = shapes.members(g).size();
    const std::span<const double> weight(&shapes.weight[begin], n);
    // Orthogonal by weight to 1 and to the coordinates, which are so to each other.
    std::vector<std::vector<double>> basis(4, std::vector<double>(n, 1));
    for (std::size_t k = 0; k < n; ++k)
      for (int axis = 0; axis < 3; ++axis)
        basis[1 + axis][k] = shapes.arm[begin + k].dot(shape.axes.col(axis));
    const std::vector<std::vector<double>> coordinate(basis.begin() + 1, basis.end());
    for (auto& b : basis) {
      const double size = std::sqrt(dot(weight, b, b));
      for (double& v : b) v = size > 1e-9 * shape.length * std::sqrt(shape.mass) ? v / size : 0;
    }
    const Vec3 moments = solid_moments(shape);
    // Bending asks for (1 + nu) mu = E / 2 here, twisting for mu; two of three components bend.
    const double nu = 1 - 0.5 * shapes.law[g].gamma;
    const double modulus = shapes.law[g].mu * (1 + 2 * nu / 3);
    for (const auto& [a, b] : factors) {
      if (shape.extent != Extent::full) break;
      std::vector<double> phi(n);
      for (std::size_t k = 0; k < n; ++k) phi[k] = coordinate[a][k] * coordinate[b][k];
      const double before = std::sqrt(dot(weight, phi, phi));
      for (int pass = 0; pass < 2; ++pass)  // again for what rounding left
        for (const auto& other : basis) {
          const double along = dot(weight, other, phi);
          for (std::size_t k = 0; k < n; ++k) phi[k] -= along * other[k];
        }
      const double size = std::sqrt(dot(weight, phi, phi));
      if (size < 1e-3 * before) continue;
      for (double& v : phi) v /= size;
      modes.first.push_back(int(modes.value.size()));
      modes.value.insert(modes.value.end(), phi.begin(), phi.end());
      modes.stiffness.push_back(modulus * shape.volume * mean_slope(a, b, moments) / (size * size));
      basis.push_back(std::move(phi));
    }
    modes.start.push_back(int(modes.stiffness.size()));
  }
  return modes;
}

void filter_quadratic(const Shapes& shapes, const QuadraticModes& modes, int g, double share,
                      double h, Places before, Members members) {
  const std::size_t begin = shapes.start[g], n = members.x.size();
  const Vec3 middle = centre(shapes, g, before);
  const Mat3 F = deformation(shapes, g, before);
  if (!F.allFinite()) return;
  Vec3 bent[6];
  const int first = modes.start[g], count = modes.start[g + 1] - first;
  for (int m = 0; m < count; ++m) {
    const double* phi = &modes.value[modes.first[first + m]];
    bent[m] = Vec3::Zero();
    for (std::size_t k = 0; k < n; ++k)
      bent[m] += shapes.weight[begin + k] * phi[k] * (before[k] - middle);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double lively = members.w[k] * shapes.weight[begin + k];
    Vec3 unseen = before[k] - middle - F * shapes.arm[begin + k];
    for (int m = 0; m < count; ++m) {
      const double s = h * h * modes.stiffness[first + m];
      const Vec3 part = modes.value[modes.first[first + m] + int(k)] * bent[m];
      unseen -= part;
      members.x[k] -= lively * s / (1 + s * shapes.shape[g].liveliest) * part;
    }
    members.x[k] -= lively * share * unseen;
  }
}

}  // namespace pliant::groups
