#include "methods/shared/galerkin/grips.h"

namespace pliant::galerkin {
namespace {

Vec3 part_along(const Vec3& v, const Vec3& direction) {
  return direction.isZero(0) ? v : Vec3(v.dot(direction) * direction);
}

}  // namespace

void Grips::resize(int grips) {
  start.resize(std::size_t(grips) + 1);
  node.resize(std::size_t(start.back()));
  weight.resize(node.size());
  stiffness.resize(std::size_t(grips));
  target.resize(std::size_t(grips));
  direction.resize(std::size_t(grips));
}

void Grips::add(const Weights& weights, int row, double stiff, const Vec3& to, const Vec3& along) {
  weights.for_each(row, [&](int n, double w) {
    node.push_back(n);
    weight.push_back(w);
  });
  start.push_back(int(node.size()));
  stiffness.push_back(stiff);
  target.push_back(to);
  direction.push_back(along);
}

Vec3 Grips::place(int grip, const std::vector<Vec3>& x) const {
  Vec3 sum = Vec3::Zero();
  for (int k = start[grip]; k < start[grip + 1]; ++k) sum += weight[k] * x[node[k]];
  return sum;
}

Vec3 Grips::pull(int grip, const std::vector<Vec3>& x) const {
  return stiffness[grip] * part_along(target[grip] - place(grip, x), direction[grip]);
}

Vec3 Grips::add_pull(const std::vector<Vec3>& x, double factor, std::vector<Vec3>& f) const {
  Vec3 total = Vec3::Zero();
  for (int g = 0; g < size(); ++g) {
    const Vec3 pulled = pull(g, x);
    total += pulled;
    for (int k = start[g]; k < start[g + 1]; ++k) f[node[k]] += factor * weight[k] * pulled;
  }
  return total;
}

void Grips::add_product(const std::vector<Vec3>& x, double factor, std::vector<Vec3>& y) const {
  for (int g = 0; g < size(); ++g) {
    const Vec3 force = factor * stiffness[g] * part_along(place(g, x), direction[g]);
    for (int k = start[g]; k < start[g + 1]; ++k) y[node[k]] += weight[k] * force;
  }
}

void Grips::add_diagonal(std::vector<Mat3>& blocks) const {
  for (int g = 0; g < size(); ++g)
    for (int k = start[g]; k < start[g + 1]; ++k) {
      const double stiff = stiffness[g] * weight[k] * weight[k];
      if (direction[g].isZero(0)) blocks[node[k]].diagonal().array() += stiff;
      else blocks[node[k]] += stiff * direction[g] * direction[g].transpose();
    }
}

}  // namespace pliant::galerkin
