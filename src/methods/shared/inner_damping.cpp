#include "methods/shared/inner_damping.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

#include "core/parallel.h"

// After Mueller, Macklin et al. 2022 (shape matching), algorithm 2, with a whole piece as the
// group. Damping every tet towards its own rigid motion, as printed there for groups, was tried
// first: it acts like viscosity, so that a unit cube rang out seven times more slowly with 8 than
// with 2 cells a side.

namespace pliant {
namespace {

/// Weight of a held node against a free one of the same mass. Large, so that held nodes decide what
/// they can decide.
constexpr double lead = 1e6;

/// Share taken in a step of length h: c h for small steps, never more than all.
double share(double rate, double h) { return rate * h / (1 + rate * h); }

}  // namespace

Vec3 angular_velocity(const Mat3& inertia, const Vec3& angular_momentum) {
  const double mean = inertia.trace() / 3;
  if (!(mean > 0)) return Vec3::Zero();
  const Mat3 areas = cofactor(inertia);
  const double determinant = areas.col(0).dot(inertia.col(0));
  if (determinant > 1e-6 * mean * mean * mean)  // symmetric: the cofactors are the adjugate
    return areas * angular_momentum / determinant;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double value = eigen.eigenvalues()[k];
    if (value < 1e-9 * eigen.eigenvalues()[2]) continue;
    const Vec3 axis = eigen.eigenvectors().col(k);
    sum += axis.dot(angular_momentum) / value * axis;
  }
  return sum;
}

InnerDamping::InnerDamping(std::vector<double> rate, std::vector<int> piece)
    : rate_(std::move(rate)), piece_(std::move(piece)) {
  for (std::size_t n = 0; n < rate_.size(); ++n) {
    active_ = active_ || rate_[n] > 0;
    if (std::size_t(piece_[n]) >= pieces_.size()) pieces_.emplace_back();
  }
}

// Weighting by the share taken makes what is taken sum to zero: momentum is kept even where rates
// differ.
double InnerDamping::weight(const Nodes& nodes, int node, double h, double more) const {
  return nodes.held[node] ? lead * nodes.mass[node]
                          : nodes.mass[node] * share(rate_[node] + more, h);
}

/// Nodes per chunk of the sums. Bodies of many pieces are summed in one go: a sum of each piece for
/// each chunk would cost more than it brings.
int InnerDamping::grain(int nodes) const { return pieces_.size() == 1 ? 512 : std::max(1, nodes); }

void InnerDamping::fit_rigid_motion(const Nodes& nodes, double h, double more) {
  const int chunk = grain(nodes.size());
  const std::size_t pieces = pieces_.size();
  parts_.assign(std::size_t((nodes.size() + chunk - 1) / chunk) * pieces, Piece{});
  parallel_for(nodes.size(), chunk, [&](int begin, int end) {
    Piece* part = &parts_[std::size_t(begin / chunk) * pieces];
    for (int n = begin; n < end; ++n) {
      Piece& piece = part[piece_[n]];
      const double w = weight(nodes, n, h, more);
      piece.weight += w;
      piece.led = piece.led || nodes.held[n];
      piece.centre += w * nodes.position[n];
      piece.drift += w * nodes.velocity[n];
    }
  });
  std::fill(pieces_.begin(), pieces_.end(), Piece{});
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Piece& piece = pieces_[i % pieces];
    piece.weight += parts_[i].weight;
    piece.led = piece.led || parts_[i].led;
    piece.centre += parts_[i].centre;
    piece.drift += parts_[i].drift;
  }
  for (Piece& piece : pieces_) {
    if (piece.weight == 0) continue;
    piece.centre /= piece.weight;
    piece.drift /= piece.weight;
  }
  parallel_for(nodes.size(), chunk, [&](int begin, int end) {
    Piece* part = &parts_[std::size_t(begin / chunk) * pieces];
    for (int n = begin; n < end; ++n) {
      const Piece& piece = pieces_[piece_[n]];
      const Vec3 arm = nodes.position[n] - piece.centre;
      const Vec3 pull = weight(nodes, n, h, more) * arm;
      part[piece_[n]].turning += pull.cross(nodes.velocity[n] - piece.drift);
      part[piece_[n]].spread += pull * arm.transpose();
    }
  });
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    pieces_[i % pieces].turning += parts_[i].turning;
    pieces_[i % pieces].spread += parts_[i].spread;
  }
  for (Piece& piece : pieces_)
    piece.spin =
        angular_velocity(piece.spread.trace() * Mat3::Identity() - piece.spread, piece.turning);
}

void InnerDamping::apply(Nodes& nodes, double h, double more) {
  if (!active_ && more == 0) return;
  fit_rigid_motion(nodes, h, more);
  parallel_for(nodes.size(), grain(nodes.size()), [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      if (nodes.held[n]) continue;
      const Piece& piece = pieces_[piece_[n]];
      const Vec3 turning = piece.spin.cross(nodes.position[n] - piece.centre);
      nodes.velocity[n] += share(rate_[n] + more, h) * (piece.drift + turning - nodes.velocity[n]);
      if (more > 0 && !piece.led) nodes.velocity[n] -= share(more, h) * turning;
    }
  });
}

Pieces::Pieces(int nodes) : parent_(std::size_t(nodes)) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

int Pieces::root(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void Pieces::join(int a, int b) {
  const int first = root(a), second = root(b);
  parent_[std::max(first, second)] = std::min(first, second);
}

std::vector<int> Pieces::numbers() {
  std::vector<int> pieces(parent_.size(), -1);
  int count = 0;
  for (int n = 0; n < int(parent_.size()); ++n)
    pieces[n] = root(n) == n ? count++ : pieces[root(n)];
  return pieces;
}

}  // namespace pliant
