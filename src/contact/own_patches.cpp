#include "contact/own_patches.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/skin_shape.h"
#include "core/parallel.h"

namespace pliant {

void OwnPatches::build(const Skin& skin, const SkinTree& tree, const OwnLeaves& leaves,
                       const std::vector<double>& apart) {
  const auto nodes = tree.nodes();
  rest_.assign(nodes.size(), {});
  now_.assign(nodes.size(), {});
  at_rest_.clear();
  Box all;
  for (const Vec3& p : skin.rest) all.add(p);
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    Rest& rest = rest_[tree.node(leaf)];
    const auto vertices = leaves.vertices(leaf);
    Vec3 centre = Vec3::Zero(), normal = Vec3::Zero();
    for (const int v : vertices) centre += skin.rest[v] / double(vertices.size());
    for (const int t : tree.triangles(leaf)) normal += face_normal(skin, skin.rest, t);
    rest.count = float(vertices.size());
    rest.centre = (centre - all.centre()).cast<float>();
    rest.normal = normal.normalized().cast<float>();
    rest.apart = std::numeric_limits<float>::infinity();
    rest.moments.setZero();
    for (const int v : vertices) {
      const Vector off = (skin.rest[v] - centre).cast<float>();
      at_rest_.push_back(off);
      rest.moments += off * off.transpose();
      rest.radius = std::max(rest.radius, off.norm());
      rest.height = std::max(rest.height, std::abs(rest.normal.dot(off)));
      rest.apart = std::min(rest.apart, float(apart[v]));
    }
    // Leaves are nearly flat: without this nothing would tell where their normal goes.
    rest.across = 0.01f * rest.moments.trace();
    rest.moments += rest.across * rest.normal * rest.normal.transpose();
  }
  for (int n = int(nodes.size()) - 1; n >= 0; --n) {
    Rest& rest = rest_[n];
    if (nodes[n].left >= 0) {
      const Rest *first = &rest_[nodes[n].left], *second = first + 1;
      rest.count = first->count + second->count;
      rest.centre = (first->count * first->centre + second->count * second->centre) / rest.count;
      rest.apart = std::min(first->apart, second->apart);
      rest.normal = (first->count * first->normal + second->count * second->normal).normalized();
      rest.moments.setZero();
      for (const Rest* part : {first, second}) {
        const Vector off = part->centre - rest.centre;
        rest.moments += part->moments + part->count * off * off.transpose();
        rest.radius = std::max(rest.radius, part->radius + off.norm());
        const float along = std::abs(rest.normal.dot(part->normal));
        const float aside = std::sqrt(std::max(0.0f, 1 - along * along));
        rest.height = std::max(rest.height, std::abs(rest.normal.dot(off)) + along * part->height +
                                                aside * part->radius);
      }
    }
    constexpr float flat = 1e-5f;  // of what a ball of the same extent has
    bool has_inverse = false;
    rest.moments.computeInverseWithCheck(rest.inverse, has_inverse,
                                         flat * std::pow(rest.moments.trace(), 3.0f));
    if (!has_inverse) rest.inverse.setZero();
  }
}

/// How far another map takes what is in a part to another place, at most, round its centre [m].
float OwnPatches::off_by(const Matrix& change, const Rest& rest) {
  const Vector up = change * rest.normal;
  return (change - up * rest.normal.transpose()).norm() * rest.radius + up.norm() * rest.height;
}

void OwnPatches::set_map(const Rest& rest, Now& now) {
  now.map = now.moments * rest.inverse;
  // The least eigenvalue of a symmetric matrix is no further below the mean of the three.
  static const float furthest = std::sqrt(2.0f / 3);
  const Matrix metric = now.map.transpose() * now.map;
  const float mean = metric.trace() / 3;
  const float deviation = (metric - mean * Matrix::Identity()).norm();
  now.least = std::sqrt(std::max(0.0f, mean - furthest * deviation));
}

void OwnPatches::fit_leaf(const OwnLeaves& leaves, int leaf, const Vector& normal, const Rest& rest,
                          Now& now) const {
  const auto corners = leaves.corners(leaf);
  const Vector* at_rest = at_rest_.data() + leaves.first(leaf);
  const auto point = [&](std::size_t c) {
    return Eigen::Map<const Vector>(corners[c].point.data());
  };
  now.centre.setZero();
  for (std::size_t c = 0; c < corners.size(); ++c) now.centre += point(c);
  now.centre /= rest.count;
  now.moments = rest.across * normal * rest.normal.transpose();
  for (std::size_t c = 0; c < corners.size(); ++c)
    now.moments += (point(c) - now.centre) * at_rest[c].transpose();
  set_map(rest, now);
  float squared = 0;
  for (std::size_t c = 0; c < corners.size(); ++c)
    squared = std::max(squared, (point(c) - now.centre - now.map * at_rest[c]).squaredNorm());
  now.off = std::sqrt(squared);
}

void OwnPatches::fit_inner(int node, int left) {
  const Rest& rest = rest_[node];
  Now& now = now_[node];
  now.centre =
      (rest_[left].count * now_[left].centre + rest_[left + 1].count * now_[left + 1].centre) /
      rest.count;
  now.moments.setZero();
  for (const int part : {left, left + 1})
    now.moments += now_[part].moments + rest_[part].count * (now_[part].centre - now.centre) *
                                            (rest_[part].centre - rest.centre).transpose();
  set_map(rest, now);
  now.off = 0;
  for (const int part : {left, left + 1}) {
    const Vector there = now.centre + now.map * (rest_[part].centre - rest.centre);
    now.off = std::max(now.off, now_[part].off + (now_[part].centre - there).norm() +
                                    off_by(now_[part].map - now.map, rest_[part]));
  }
}

void OwnPatches::fit(const SkinTree& tree, const OwnLeaves& leaves,
                     const std::vector<Vector>& normals) {
  const auto nodes = tree.nodes();
  parallel_for(tree.leaves(), 128, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf)
      fit_leaf(leaves, leaf, normals[leaf], rest_[tree.node(leaf)], now_[tree.node(leaf)]);
  });
  for (int n = int(nodes.size()) - 1; n >= 0; --n)
    if (nodes[n].left >= 0) fit_inner(n, nodes[n].left);
}

float OwnPatches::distance(int node) const {
  return now_[node].least * rest_[node].apart - 2 * now_[node].off;
}

/// Both are put where the mean of their maps has them.
float OwnPatches::distance(int node, int other) const {
  const Rest &rest_a = rest_[node], &rest_b = rest_[other];
  const Now &a = now_[node], &b = now_[other];
  const Vector between = rest_b.centre - rest_a.centre;
  const Matrix map = 0.5f * (a.map + b.map);
  const float turn = 0.5f * (a.map - b.map).norm();
  const float off = a.off + b.off + turn * (rest_a.radius + rest_b.radius) +
                    (b.centre - a.centre - map * between).norm();
  const float apart = std::max(std::min(rest_a.apart, rest_b.apart),
                               between.norm() - rest_a.radius - rest_b.radius);
  return std::max(0.0f, std::min(a.least, b.least) - turn) * apart - off;
}

}  // namespace pliant
