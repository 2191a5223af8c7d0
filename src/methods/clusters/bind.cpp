#include "methods/clusters/bind.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant::clusters {
namespace {

/// Sum of the weights' magnitudes above which small motions of particles would fling a vertex.
constexpr double wildest = 3.5;
constexpr double kernel_reach = 1.3;    // of the farthest particle of a row
constexpr double first_search = 1.7;    // [r]
constexpr double farthest_search = 12;  // [r]
constexpr double in_front = 0.25;       // [r] no particle of a row lies further out

}  // namespace

std::vector<int> Binder::nearest(const Vec3& vertex, const Vec3& normal, int piece) const {
  std::vector<int> found;
  for (double reach = first_search * radius_;; reach *= 1.5) {
    near_.within(vertex, reach, found);
    const bool selective = reach < 6 * radius_;  // somebody must be found
    std::erase_if(found, [&](int p) {
      return piece_[p] != piece ||
             (selective && (near_.points()[p] - vertex).dot(normal) > in_front * radius_);
    });
    if (found.size() >= std::size_t(Row::most)) break;
    if (reach > farthest_search * radius_ && !found.empty()) break;
    ASSERT(reach < 1e9 * radius_, "the piece of a vertex has a particle");
  }
  std::vector<std::pair<double, int>> order;
  for (const int p : found) order.push_back({(near_.points()[p] - vertex).squaredNorm(), p});
  const std::size_t count = std::min(order.size(), std::size_t(Row::most));
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end());
  found.clear();
  for (std::size_t k = 0; k < count; ++k) found.push_back(order[k].second);
  return found;
}

Row Binder::row(const Vec3& vertex, const Vec3& normal, int piece) const {
  using Vec4 = Eigen::Vector4d;
  const std::vector<int> chosen = nearest(vertex, normal, piece);
  Row row;
  row.count = int(chosen.size());
  const double reach =
      kernel_reach * (near_.points()[chosen.back()] - vertex).norm() + 1e-9 * radius_;
  double kernel[Row::most];
  Vec4 basis[Row::most];
  Eigen::Matrix4d M = Eigen::Matrix4d::Zero();
  for (int k = 0; k < row.count; ++k) {
    row.node[k] = chosen[std::size_t(k)];
    const Vec3 d = near_.points()[row.node[k]] - vertex;
    kernel[k] = std::pow(1 - d.squaredNorm() / (reach * reach), 3);
    basis[k] << 1, d / radius_;
    M += kernel[k] * basis[k] * basis[k].transpose();
  }
  // Few particles, or all in a plane: M is regularised until weights are tame. Such a row no longer
  // meets its vertex exactly.
  const double trace = M(1, 1) + M(2, 2) + M(3, 3);
  double softening = row.count > 4 ? 1e-12 : 1e-6;
  for (int attempt = 0; attempt < 16; ++attempt, softening *= 8) {
    Eigen::Matrix4d soft = M;
    for (int a = 1; a < 4; ++a) soft(a, a) += softening * trace;
    const Vec4 z = soft.ldlt().solve(Vec4(1, 0, 0, 0));
    double sum = 0, magnitude = 0;
    for (int k = 0; k < row.count; ++k) sum += row.weight[k] = kernel[k] * z.dot(basis[k]);
    for (int k = 0; k < row.count; ++k) magnitude += std::abs(row.weight[k] /= sum);
    if (magnitude < wildest) return row;
  }
  for (int k = 0; k < row.count; ++k) row.weight[k] = 1.0 / row.count;
  return row;
}

namespace {

/// The old row of a vertex under new numbers; `count` 0 if it cannot be kept.
Row kept_row(int vertex, int piece, const Binder& binder, const OldRows& old) {
  Row row;
  const int before = old.vertex.empty() ? vertex : old.vertex[vertex];
  if (!old.weights || before < 0) return row;
  for (int k = old.weights->start[before]; k < old.weights->start[before + 1]; ++k) {
    const int was = old.weights->node[k], now = old.node.empty() ? was : old.node[was];
    if (now < 0 || binder.piece_of(now) != piece) return {};
    row.node[row.count] = now;
    row.weight[row.count++] = old.weights->weight[k];
  }
  return row;
}

}  // namespace

Weights bound(const Skin& skin, const Binder& binder, std::span<const int> piece_of_vertex,
              const OldRows& old) {
  const std::vector<Vec3> normal = vertex_normals(skin);
  std::vector<Row> rows(std::size_t(skin.size()));
  parallel_for(skin.size(), 64, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) {
      const int piece = piece_of_vertex.empty() ? 0 : piece_of_vertex[v];
      rows[v] = kept_row(v, piece, binder, old);
      if (rows[v].count == 0) rows[v] = binder.row(skin.position[v], normal[v], piece);
    }
  });
  Weights weights;
  for (const Row& row : rows)
    weights.add_row({row.node, std::size_t(row.count)}, {row.weight, std::size_t(row.count)});
  weights.pack();
  return weights;
}

std::vector<Vec3> vertex_normals(const Skin& skin) {
  std::vector<Vec3> normal(skin.position.size(), Vec3::Zero());
  for (const Triangle& t : skin.triangles) {
    const Vec3 area = (skin.position[t[1]] - skin.position[t[0]])
                          .cross(skin.position[t[2]] - skin.position[t[0]]);
    for (const int v : t) normal[v] += area;
  }
  for (Vec3& n : normal)
    if (const double length = n.norm(); length > 0) n /= length;
  return normal;
}

}  // namespace pliant::clusters
