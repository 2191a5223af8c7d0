#include "methods/shared/shape_law/compliance.h"

#include <algorithm>
#include <cmath>

namespace pliant::shape_law {
namespace {

/// Share of a movement with stiffness k [N/m] that goes in a step of length h. Implicit for the
/// liveliest member, and so stable for all; for all of them exact if weights are masses.
double implicit_share(double k, const Shape& shape, double h) {
  const double s = h * h * k / shape.mass;
  return s / (1 + s * shape.liveliest);
}

double filter_share(const Shapes& shapes, int g, double h, const Stiffening& how) {
  const Shape& shape = shapes.shape[g];
  if (how.filter == Filter::off ||
      shapes.start[g + 1] - shapes.start[g] <= int(4 - int(shape.extent)))
    return 0;  // as few members as this are all fit
  if (how.filter == Filter::hard) return 1;
  if (shape.hold > 0) return implicit_share(shape.hold, shape, h);
  // A solid of length x and thickness y bent to a curvature c has the energy E c^2 V s_y / 2 of a
  // beam, s = its second moments; members, with second moments q, are c x y away from their fit, by
  // mean square c^2 q_x q_y. The m^3 points of a lattice have q = s (m + 1) / (m - 1); those of a
  // box, m = 2, three times the moment of the solid.
  const double m = std::cbrt(double(shapes.start[g + 1] - shapes.start[g]));
  const double k = how.filter_stiffness * (m - 1) / (m + 1) * shapes.young[g] * shape.volume *
                   shape.mass / shape.spread[2];
  return implicit_share(k, shape, h);
}

}  // namespace

double stiffness_rate(const Shapes& shapes, int g) {
  return shapes.law[g].mu * shapes.shape[g].volume * shapes.shape[g].answer.trace() / 3;
}

void scale_compliances(const Shapes& shapes, double h, const Stiffening& how,
                       std::vector<Compliance>& compliances) {
  compliances.resize(std::size_t(shapes.size()));
  for (int g = 0; g < shapes.size(); ++g) {
    const NeoHookean& law = shapes.law[g];
    const Shape& shape = shapes.shape[g];
    const double scale = 1 / (shape.volume * h * h);
    Compliance c{scale / law.mu, scale * law.lambda_inverse, law.gamma, 0, 0};
    const double beta = h * h * stiffness_rate(shapes, g);
    if (how.law == Law::hookean) c = {scale / shapes.hookean[g].young, 0, 1, 0, 0};
    if (how.guard > 0 && beta > how.guard) {
      c.shape *= beta / how.guard;
      if (how.law != Law::hookean) c.gamma = 1 + c.volume / c.shape;
    }
    if (shape.extent == Extent::line) {
      const double length = 2 * shape.length;
      c.shape = length * length * scale / shapes.young[g];
    }
    // A stretch along one axis costs as much as in a bar of modulus E.
    c.match = implicit_share(3 * shapes.young[g] * shape.volume / (shape.length * shape.length),
                             shape, h);
    c.filter = how.law == Law::shape_matching ? 0 : filter_share(shapes, g, h, how);
    compliances[g] = c;
  }
}

Softening softening(const Shapes& shapes, double h, double guard) {
  Softening found;
  if (guard == 0) return found;
  for (int g = 0; g < shapes.solids(); ++g) {
    const double factor = h * h * stiffness_rate(shapes, g) / guard;
    if (factor <= 1) continue;
    ++found.groups;
    found.worst = std::max(found.worst, factor);
  }
  return found;
}

}  // namespace pliant::shape_law
