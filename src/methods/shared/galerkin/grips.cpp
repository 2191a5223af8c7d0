#include "methods/shared/galerkin/grips.h"

namespace pliant::galerkin {

void Grips::clear() {
  start.assign(1, 0);
  node.clear();
  weight.clear();
  stiffness.clear();
  target.clear();
}

Vec3 Grips::place(int grip, const std::vector<Vec3>& x) const {
  Vec3 sum = Vec3::Zero();
  for (int k = start[grip]; k < start[grip + 1]; ++k) sum += weight[k] * x[node[k]];
  return sum;
}

Vec3 Grips::add_pull(const std::vector<Vec3>& x, double factor, std::vector<Vec3>& f) const {
  Vec3 total = Vec3::Zero();
  for (int g = 0; g < size(); ++g) {
    const Vec3 pull = stiffness[g] * (target[g] - place(g, x));
    total += pull;
    for (int k = start[g]; k < start[g + 1]; ++k) f[node[k]] += factor * weight[k] * pull;
  }
  return total;
}

void Grips::add_product(const std::vector<Vec3>& x, double factor, std::vector<Vec3>& y) const {
  for (int g = 0; g < size(); ++g) {
    const Vec3 pull = factor * stiffness[g] * place(g, x);
    for (int k = start[g]; k < start[g + 1]; ++k) y[node[k]] += weight[k] * pull;
  }
}

void Grips::add_diagonal(std::vector<Mat3>& blocks) const {
  for (int g = 0; g < size(); ++g)
    for (int k = start[g]; k < start[g + 1]; ++k)
      blocks[node[k]].diagonal().array() += stiffness[g] * weight[k] * weight[k];
}

}  // namespace pliant::galerkin
