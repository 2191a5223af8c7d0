#include "methods/shared/galerkin/quadratic_form.h"

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

void QuadraticFormBuilder::add(const std::vector<int>& node, const std::vector<double>& coefficient,
                               double weight) {
  for (std::size_t i = 0; i < node.size(); ++i) {
    const double scaled = weight * coefficient[i];
    double* row = dense_.data() + std::size_t(node[i]) * nodes_;
    for (std::size_t j = 0; j < node.size(); ++j) {
      if (node[j] <= node[i]) row[node[j]] += scaled * coefficient[j];
    }
  }
}

QuadraticForm QuadraticFormBuilder::build() const {
  QuadraticForm form;
  for (int i = 0; i < nodes_; ++i) {
    for (int j = 0; j < nodes_; ++j) {
      const double value =
          j <= i ? dense_[std::size_t(i) * nodes_ + j] : dense_[std::size_t(j) * nodes_ + i];
      if (value == 0) continue;
      form.node.push_back(j);
      form.value.push_back(value);
    }
    form.start.push_back(int(form.node.size()));
  }
  return form;
}

}  // namespace pliant::galerkin
