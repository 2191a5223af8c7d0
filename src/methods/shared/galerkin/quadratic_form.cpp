#include "methods/shared/galerkin/quadratic_form.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant::galerkin {
namespace {
constexpr int grain = 64;  // rows
}

double QuadraticForm::energy(const std::vector<Vec3>& x) const {
  return parallel_sum(nodes(), grain, [&](int begin, int end) {
    double sum = 0;
    for (int n = begin; n < end; ++n) sum += 0.5 * x[n].dot(row(n, x));
    return sum;
  });
}

void QuadraticForm::add_product(const std::vector<Vec3>& x, double factor,
                                std::vector<Vec3>& y) const {
  parallel_for(nodes(), grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) y[n] += factor * row(n, x);
  });
}

QuadraticForm quadratic_form(const std::vector<SquaredSum>& sums, int nodes) {
  // Which sums each node is in, and where there.
  struct Place {
    int sum, at;
  };
  std::vector<std::vector<Place>> places(static_cast<std::size_t>(nodes));
  for (int s = 0; s < int(sums.size()); ++s)
    for (int k = 0; k < int(sums[s].node.size()); ++k) places[sums[s].node[k]].push_back({s, k});
  std::vector<std::vector<int>> columns(places.size());
  std::vector<std::vector<double>> values(places.size());
  parallel_for(nodes, grain, [&](int begin, int end) {
    std::vector<double> row(places.size(), 0);
    std::vector<char> is_in(places.size(), 0);
    for (int n = begin; n < end; ++n) {
      std::vector<int>& found = columns[n];
      for (const auto [s, at] : places[n]) {
        const SquaredSum& sum = sums[s];
        const double own = sum.coefficient[at];
        for (std::size_t k = 0; k < sum.node.size(); ++k) {
          const int other = sum.node[k];
          // In this order the matrix is symmetric to the last bit.
          row[other] += sum.weight * (own * sum.coefficient[k]);
          if (!is_in[other]) found.push_back(other);
          is_in[other] = 1;
        }
      }
      std::sort(found.begin(), found.end());
      for (const int other : found) {
        values[n].push_back(row[other]);
        row[other] = 0;
        is_in[other] = 0;
      }
    }
  });
  QuadraticForm form;
  for (std::size_t n = 0; n < places.size(); ++n) {
    form.node.insert(form.node.end(), columns[n].begin(), columns[n].end());
    form.value.insert(form.value.end(), values[n].begin(), values[n].end());
    form.start.push_back(int(form.node.size()));
  }
  return form;
}

}  // namespace pliant::galerkin
