#include "methods/groups/budget.h"

#include <algorithm>
#include <cmath>

#include "geometry/sample/cell_grid.h"
#include "methods/shared/shape_law/compliance.h"

namespace pliant::groups {
namespace {

/// Of one group in one substep with flight and damping, on one core with AVX2: `bench groups`.
constexpr double nanoseconds = 33;
constexpr int least_cells = 200, most_cells = 2'000'000;

/// Of a frame of 1/60 s: what the world takes by itself. beta of a cell on a face of the body is
/// about h^2 mu / (density cell^2), half of that inside.
double substeps(double wave_speed_squared, double cell) {
  const double rate = wave_speed_squared / (cell * cell);
  return std::clamp(std::ceil(std::sqrt(rate / shape_law::advised_beta) / 60), 20.0, 200.0);
}

}  // namespace

int cells_within(double budget, const TriangleMesh& surface, std::span<const Material> materials) {
  double fastest = 0;
  for (const Material& m : materials)
    fastest = std::max(fastest, *m.young / (2 * (1 + *m.poisson)) / *m.density);
  int enough = least_cells, too_many = most_cells;
  while (enough + 1 < too_many) {
    const int count = enough + (too_many - enough) / 2;
    const double cost = nanoseconds * count * substeps(fastest, cell_size_for(surface, count));
    (cost <= 1e6 * budget ? enough : too_many) = count;
  }
  return enough;
}

}  // namespace pliant::groups
