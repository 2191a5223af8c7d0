#include "methods/tets/compliance.h"

#include <algorithm>
#include <cmath>

namespace pliant::tets {
namespace {

/// Sum of |gradient of the shape constraint|^2 / mass at rest, where dC/dF = I / sqrt(3).
double rest_response(const TetElements& elements, int i, const std::vector<double>& mass) {
  const Mat3& B = elements.inverse_rest[i];
  const Tet& nodes = elements.nodes[i];
  double sum = B.colwise().sum().squaredNorm() / mass[nodes[0]];
  for (int k = 0; k < 3; ++k) sum += B.row(k).squaredNorm() / mass[nodes[k + 1]];
  return sum / 3;
}

}  // namespace

double stiffness_rate(const TetElements& elements, int i, const std::vector<double>& mass) {
  return elements.law[i].mu * elements.volume[i] * rest_response(elements, i, mass);
}

void scale_compliances(const TetElements& elements, const std::vector<double>& mass, double h,
                       double guard, std::vector<Compliance>& compliances) {
  compliances.resize(std::size_t(elements.size()));
  for (int i = 0; i < elements.size(); ++i) {
    const NeoHookean& law = elements.law[i];
    const double scale = 1 / (elements.volume[i] * h * h);
    Compliance c{scale / law.mu, scale * law.lambda_inverse, law.gamma};
    const double beta = h * h * stiffness_rate(elements, i, mass);
    if (!elements.hookean.empty()) c = {scale / elements.hookean[i].young, 0, 1};
    if (guard > 0 && beta > guard) {
      c.shape *= beta / guard;
      if (elements.hookean.empty()) c.gamma = 1 + c.volume / c.shape;
    }
    compliances[i] = c;
  }
}

void soften(const TetElements& elements, const std::vector<double>& mass, double softness,
            std::vector<Compliance>& compliances) {
  if (softness == 0) return;
  for (int i = 0; i < elements.size(); ++i) {
    Compliance& c = compliances[i];
    const double most = rest_response(elements, i, mass) / recovery_beta;
    const double ratio = c.volume / c.shape;  // 1 - 2 nu
    const double yielding = std::max(ratio, 1 - 2 * recovery_poisson);
    c.shape *= std::pow(most / c.shape, softness);
    c.gamma = 1 + ratio + softness * (yielding - ratio);
    c.volume = (c.gamma - 1) * c.shape;
  }
}

Softening softening(const TetElements& elements, const std::vector<double>& mass, double h,
                    double guard) {
  Softening found;
  if (guard == 0) return found;
  for (int i = 0; i < elements.size(); ++i) {
    const double factor = h * h * stiffness_rate(elements, i, mass) / guard;
    if (factor <= 1) continue;
    ++found.tets;
    found.worst = std::max(found.worst, factor);
  }
  return found;
}

}  // namespace pliant::tets
