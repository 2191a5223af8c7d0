#include "studies/free_compliance.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <unordered_map>

#include "core/assert.h"
#include "core/parallel.h"
#include "methods/shared/galerkin/galerkin_method.h"
#include "methods/shared/galerkin/rest_factor.h"

namespace pliant {
namespace {

constexpr int loads_count = FreeLoads::count;
using Columns = Eigen::Matrix<double, 3, loads_count>;  // a vector for each load
using Field = std::vector<Columns>;                     // at each node
using Sums = Eigen::Matrix<double, 1, loads_count>;
using BrickStiffness = Eigen::Matrix<double, 24, 24>;

constexpr int grain = 256;
constexpr double tolerance = 1e-4;  // of the loads
constexpr int most_iterations = 20000;
constexpr double little_mass = 1e-4;

Sums dot(const Field& a, const Field& b) {
  Sums sum = Sums::Zero();
  for (std::size_t n = 0; n < a.size(); ++n) sum += a[n].cwiseProduct(b[n]).colwise().sum();
  return sum;
}

/// Takes the six rigid motions out of a field over nodes: what loads and movements have of them is
/// rounding, and would grow.
class RigidMotions {
 public:
  explicit RigidMotions(const std::vector<Vec3>& place) : place_(place) {
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : place) middle += p / double(place.size());
    for (Vec3& p : place_) p -= middle;
    Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
    for (const Vec3& p : place_) gram += motion(p).transpose() * motion(p);
    gram_.compute(gram);
  }
  void remove(Field& field) const {
    Eigen::Matrix<double, 6, loads_count> sum = Eigen::Matrix<double, 6, loads_count>::Zero();
    for (std::size_t n = 0; n < field.size(); ++n) sum += motion(place_[n]).transpose() * field[n];
    const Eigen::Matrix<double, 6, loads_count> share = gram_.solve(sum);
    for (std::size_t n = 0; n < field.size(); ++n) field[n] -= motion(place_[n]) * share;
  }

 private:
  static Eigen::Matrix<double, 3, 6> motion(const Vec3& p) {
    Eigen::Matrix<double, 3, 6> m;
    m << Mat3::Identity(), skew(p).transpose();
    return m;
  }
  static Mat3 skew(const Vec3& p) {
    Mat3 m;
    m << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0;
    return m;
  }

  std::vector<Vec3> place_;
  Eigen::LDLT<Eigen::Matrix<double, 6, 6>> gram_;
};

/// Six systems K x = f side by side, by conjugate gradients: a product costs hardly more for six
/// than for one. condition(r, z): z nearly K^-1 r.
template <class Product, class Condition>
Compliances solve_loads(Field load, const RigidMotions& rigid, const Product& product,
                        const Condition& condition) {
  rigid.remove(load);
  const std::size_t count = load.size();
  Field x(count, Columns::Zero()), residual = load, conditioned(count), way, answer(count);
  condition(residual, conditioned);
  way = conditioned;
  Sums power = dot(residual, conditioned);
  const Sums wanted = tolerance * tolerance * power;
  for (int i = 0; i < most_iterations; ++i) {
    product(way, answer);
    const Sums length = power.cwiseQuotient(dot(way, answer).cwiseMax(1e-300));
    for (std::size_t n = 0; n < count; ++n) {
      x[n] += way[n] * length.asDiagonal();
      residual[n] -= answer[n] * length.asDiagonal();
    }
    if (i % 20 == 0) rigid.remove(residual);
    condition(residual, conditioned);
    const Sums next = dot(residual, conditioned);
    if ((next.array() <= wanted.array()).all()) break;
    const Sums share = next.cwiseQuotient(power.cwiseMax(1e-300));
    power = next;
    for (std::size_t n = 0; n < count; ++n) way[n] = conditioned[n] + way[n] * share.asDiagonal();
  }
  const Sums work = dot(load, x);
  Compliances result;
  for (int l = 0; l < loads_count; ++l) result[l] = work[l];
  return result;
}

Eigen::Matrix<double, 6, 3> strain_of(const Vec3& g) {
  Eigen::Matrix<double, 6, 3> B;
  B << g[0], 0, 0, 0, g[1], 0, 0, 0, g[2], g[1], g[0], 0, 0, g[2], g[1], g[2], 0, g[0];
  return B;
}

Vec3 corner(int n) { return {n & 1 ? 1.0 : -1.0, n & 2 ? 1.0 : -1.0, n & 4 ? 1.0 : -1.0}; }

/// Of a brick of edge 1: it grows with the edge.
BrickStiffness brick_stiffness(double poisson) {
  const double lambda = poisson / (1 + poisson) / (1 - 2 * poisson), mu = 0.5 / (1 + poisson);
  Eigen::Matrix<double, 6, 6> D = Eigen::Matrix<double, 6, 6>::Zero();
  D.topLeftCorner<3, 3>().setConstant(lambda);
  D.diagonal().head<3>().array() += 2 * mu;
  D.diagonal().tail<3>().setConstant(mu);
  Eigen::Matrix<double, 24, 24> nodes = Eigen::Matrix<double, 24, 24>::Zero();
  Eigen::Matrix<double, 24, 9> mixed = Eigen::Matrix<double, 24, 9>::Zero();
  Eigen::Matrix<double, 9, 9> inner = Eigen::Matrix<double, 9, 9>::Zero();
  const double at[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weight[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (int i = 0; i < 27; ++i) {
    const Vec3 x(at[i % 3], at[i / 3 % 3], at[i / 9]);
    const double w = weight[i % 3] * weight[i / 3 % 3] * weight[i / 9] / 8;
    Eigen::Matrix<double, 6, 24> B;
    for (int n = 0; n < 8; ++n) {
      const Vec3 s = corner(n), f = Vec3::Ones() + s.cwiseProduct(x);
      B.middleCols<3>(3 * n) =
          strain_of(Vec3(s[0] * f[1] * f[2], s[1] * f[0] * f[2], s[2] * f[0] * f[1]) / 4);
    }
    Eigen::Matrix<double, 6, 9> G;
    for (int k = 0; k < 3; ++k) G.middleCols<3>(3 * k) = strain_of(-4 * x[k] * Vec3::Unit(k));
    nodes += w * B.transpose() * D * B;
    mixed += w * B.transpose() * D * G;
    inner += w * G.transpose() * D * G;
  }
  return nodes - mixed * inner.ldlt().solve(mixed.transpose());
}

/// The voxels as bricks that share their corners.
struct Bricks {
  std::vector<std::array<int, 8>> corners;  // per brick
  std::vector<std::array<int, 8>> bricks;   // per node: the brick it is corner c of; -1 = none
  std::vector<Vec3> place;                  // [m] per node

  explicit Bricks(const Occupancy& solid) {
    std::unordered_map<std::int64_t, int> number;
    const std::int64_t wide = solid.count.maxCoeff() + 1;
    for (const Eigen::Vector3i& cell : solid.cell) {
      const int brick = int(corners.size());
      corners.emplace_back();
      for (int c = 0; c < 8; ++c) {
        const Eigen::Vector3i at = cell + Eigen::Vector3i(c & 1, c >> 1 & 1, c >> 2);
        const auto [entry, is_new] =
            number.try_emplace((at[2] * wide + at[1]) * wide + at[0], int(place.size()));
        if (is_new) {
          place.push_back(solid.low + solid.edge * at.cast<double>());
          bricks.push_back({-1, -1, -1, -1, -1, -1, -1, -1});
        }
        corners[brick][c] = entry->second;
        bricks[entry->second][c] = brick;
      }
    }
  }
};

}  // namespace

FreeLoads::FreeLoads(std::span<const Vec3> place, std::span<const double> volume) {
  double total = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    total += volume[i];
    centre_ += volume[i] * place[i];
  }
  centre_ /= total;
  Mat3 second = Mat3::Zero();
  for (std::size_t i = 0; i < place.size(); ++i)
    second += volume[i] / total * (place[i] - centre_) * (place[i] - centre_).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(second);
  axes_.col(0) = principal.eigenvectors().col(2);
  axes_.col(1) = principal.eigenvectors().col(1);
  axes_.col(2) = axes_.col(0).cross(axes_.col(1));
  size_ = std::sqrt(principal.eigenvalues()[2]);
  Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, count> moments = Eigen::Matrix<double, 6, count>::Zero();
  for (std::size_t i = 0; i < place.size(); ++i) {
    gram += volume[i] * rigid(place[i]).transpose() * rigid(place[i]);
    moments += volume[i] * rigid(place[i]).transpose() * shape(place[i]);
  }
  balance_ = gram.ldlt().solve(moments);
}

Eigen::Matrix<double, 3, FreeLoads::count> FreeLoads::shape(const Vec3& place) const {
  const Vec3 x = axes_.transpose() * (place - centre_) / size_;
  Eigen::Matrix<double, 3, count> b;
  b.col(0) = Vec3(x[0], 0, 0);
  b.col(1) = Vec3(0, x[0] * x[0], 0);
  b.col(2) = Vec3(0, 0, x[0] * x[0]);
  b.col(3) = Vec3(0, -x[0] * x[2], x[0] * x[1]);
  b.col(4) = Vec3(0, x[0] * x[0] * x[0], 0);
  b.col(5) = Vec3(0, x[1], -x[2]);
  return axes_ * b;
}

Eigen::Matrix<double, 3, 6> FreeLoads::rigid(const Vec3& place) const {
  const Vec3 x = (place - centre_) / size_;
  Eigen::Matrix<double, 3, 6> m;
  m.leftCols<3>() = Mat3::Identity();
  for (int k = 0; k < 3; ++k) m.col(3 + k) = Vec3::Unit(k).cross(x);
  return m;
}

Eigen::Matrix<double, 3, FreeLoads::count> FreeLoads::at(const Vec3& place) const {
  return shape(place) - rigid(place) * balance_;
}

Compliances brick_compliance(const Occupancy& solid, const FreeLoads& loads, double poisson) {
  const Bricks grid(solid);
  const BrickStiffness stiffness = solid.edge * brick_stiffness(poisson);
  const int nodes = int(grid.place.size());
  const double share = std::pow(solid.edge, 3) / 8;
  Field load(grid.place.size(), Columns::Zero());
  std::vector<Vec3> diagonal(grid.place.size(), Vec3::Zero());
  for (int e = 0; e < solid.size(); ++e) {
    const Columns force = share * loads.at(solid.centre[e]);
    for (int c = 0; c < 8; ++c) {
      load[grid.corners[e][c]] += force;
      diagonal[grid.corners[e][c]] += stiffness.diagonal().segment<3>(3 * c);
    }
  }
  const auto product = [&](const Field& x, Field& y) {
    parallel_for(nodes, grain, [&](int begin, int end) {
      for (int n = begin; n < end; ++n) {
        Columns sum = Columns::Zero();
        for (int c = 0; c < 8; ++c) {
          const int brick = grid.bricks[n][c];
          if (brick < 0) continue;
          for (int d = 0; d < 8; ++d)
            sum += stiffness.block<3, 3>(3 * c, 3 * d) * x[grid.corners[brick][d]];
        }
        y[n] = sum;
      }
    });
  };
  const auto condition = [&](const Field& r, Field& z) {
    for (std::size_t n = 0; n < r.size(); ++n)
      z[n] = diagonal[n].cwiseInverse().asDiagonal() * r[n];
  };
  return solve_loads(std::move(load), RigidMotions(grid.place), product, condition);
}

Compliances body_compliance(Body& body, const FreeLoads& loads) {
  auto* method = dynamic_cast<galerkin::GalerkinMethod*>(body.method.get());
  ASSERT(method, "a body of quadrature points");
  galerkin::Elastic& elastic = method->elastic();
  const galerkin::Points& points = elastic.points();
  const auto nodes = std::size_t(elastic.nodes());
  Field load(nodes, Columns::Zero());
  for (int p = 0; p < points.size(); ++p) {
    const Columns force = points.volume[p] * loads.at(points.rest[p]);
    for (int k = points.start[p]; k < points.start[p + 1]; ++k)
      load[points.node[k]] += points.value[k] * force;
  }
  const std::vector<Vec3> rest = body.nodes.position;
  elastic.update(rest);
  elastic.keep_tangents();
  // With a little mass: what is slower than the slowest vibration would be rigid.
  std::vector<double> mass = body.nodes.mass;
  const double total = total_mass(body.nodes);
  for (double& m : mass) m *= little_mass * body.extent / total;
  galerkin::RestFactor factor(elastic, rest);
  factor.prepare(mass, 1, std::vector<char>(nodes, 0), nullptr, 0);
  std::vector<Vec3> way(nodes), answer(nodes);
  const auto product = [&](const Field& x, Field& y) {
    for (int l = 0; l < loads_count; ++l) {
      for (std::size_t n = 0; n < nodes; ++n) way[n] = x[n].col(l);
      elastic.multiply(way, answer);
      for (std::size_t n = 0; n < nodes; ++n) y[n].col(l) = answer[n];
    }
  };
  const auto condition = [&](const Field& r, Field& z) {
    for (int l = 0; l < loads_count; ++l) {
      for (std::size_t n = 0; n < nodes; ++n) way[n] = r[n].col(l);
      factor.apply(way, answer);
      for (std::size_t n = 0; n < nodes; ++n) z[n].col(l) = answer[n];
    }
  };
  return solve_loads(std::move(load), RigidMotions(rest), product, condition);
}

}  // namespace pliant
