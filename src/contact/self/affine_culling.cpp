#include "contact/self/affine_culling.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace pliant {
void AffineCulling::build(const Skin& skin, const SkinTree& tree, const LeafCorners& leaves,
                          const std::vector<double>& apart) {
  const auto nodes = tree.nodes();
  rest_.assign(nodes.size(), {});
  parts_.assign(nodes.size(), {});
  moments_.resize(nodes.size());
  at_rest_.clear();
  Box all;
  for (const Vec3& p : skin.rest) all.add(p);
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    RestPart& rest = rest_[tree.node(leaf)];
    const auto vertices = leaves.vertices(leaf);
    Vec3 centre = Vec3::Zero(), normal = Vec3::Zero();
    for (const int v : vertices) centre += skin.rest[v] / double(vertices.size());
    for (const int t : tree.triangles(leaf)) {
      const auto [i, j, k] = skin.triangles[t];
      normal += (skin.rest[j] - skin.rest[i]).cross(skin.rest[k] - skin.rest[i]);
    }
    rest.count = float(vertices.size());
    rest.centre = (centre - all.centre()).cast<float>();
    rest.normal = normal.normalized().cast<float>();
    rest.apart = std::numeric_limits<float>::infinity();
    rest.moments.setZero();
    for (const int v : vertices) {
      const Eigen::Vector3f off = (skin.rest[v] - centre).cast<float>();
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
    RestPart& rest = rest_[n];
    if (nodes[n].left >= 0) {
      const RestPart *first = &rest_[nodes[n].left], *second = first + 1;
      rest.count = first->count + second->count;
      rest.centre = (first->count * first->centre + second->count * second->centre) / rest.count;
      rest.apart = std::min(first->apart, second->apart);
      rest.normal = (first->count * first->normal + second->count * second->normal).normalized();
      rest.moments.setZero();
      for (const RestPart* part : {first, second}) {
        const Eigen::Vector3f off = part->centre - rest.centre;
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
    parts_[n].rest_centre = rest.centre;
    parts_[n].normal = rest.normal;
    parts_[n].radius = rest.radius;
    parts_[n].height = rest.height;
    parts_[n].apart = rest.apart;
  }
}

/// How far another map takes what is in a part to another place, at most, round its centre [m].
template <class Extent>
float AffineCulling::off_by(const Matrix& change, const Extent& of) {
  const Vector up = change * of.normal;
  return (change - up * of.normal.transpose()).norm() * of.radius + up.norm() * of.height;
}

/// To no smaller share of its length does a map shorten anything.
float AffineCulling::least_share(const Matrix& map) {
  const auto dot = [&](int i, int j) { return map.col(i).dot(map.col(j)); };
  const auto squared = [](float x) { return x * x; };
  // The least eigenvalue of a symmetric matrix is no further below the mean of the three.
  static const float furthest = std::sqrt(2.0f / 3);
  const float xx = dot(0, 0), yy = dot(1, 1), zz = dot(2, 2), mean = (xx + yy + zz) / 3;
  const float deviation =
      std::sqrt(squared(xx - mean) + squared(yy - mean) + squared(zz - mean) +
                2 * (squared(dot(0, 1)) + squared(dot(1, 2)) + squared(dot(2, 0))));
  return std::sqrt(std::max(0.0f, mean - furthest * deviation));
}

void AffineCulling::set_map(int node) {
  DeformedPart& part = parts_[node];
  part.map = moments_[node] * rest_[node].inverse;
  part.least = least_share(part.map);
}

void AffineCulling::fit_leaf(const Skin& skin, const SkinTree& tree, const LeafCorners& leaves,
                             const LeafCorners::MovingPoints& points, int leaf) {
  const int node = tree.node(leaf);
  const RestPart& rest = rest_[node];
  DeformedPart& part = parts_[node];
  Matrix& moments = moments_[node];
  const auto corners = leaves.corners(leaf);
  const Eigen::Vector3f* at_rest = at_rest_.data() + leaves.first(leaf);
  const auto halfway = [](const LeafCorners::Four& place, const LeafCorners::Four& way) {
    return LeafCorners::Four(place + 0.5f * way);
  };
  const auto point = [&](std::size_t c) -> Vector {
    return halfway(corners[c].place, corners[c].way);
  };
  LeafCorners::Four normal = LeafCorners::Four::Zero();
  for (const int t : tree.triangles(leaf)) {
    const auto [i, j, k] = skin.triangles[t];
    const auto corner = [&](int v) { return halfway(points.place[v], points.way[v]); };
    const LeafCorners::Four p = corner(i);
    normal += LeafCorners::cross(corner(j) - p, corner(k) - p);
  }
  part.centre.setZero();
  for (std::size_t c = 0; c < corners.size(); ++c) part.centre += point(c);
  part.centre /= rest.count;
  moments = (rest.across * LeafCorners::unit(normal)).matrix() * rest.normal.transpose();
  for (std::size_t c = 0; c < corners.size(); ++c)
    moments += (point(c) - part.centre) * at_rest[c].transpose();
  set_map(node);
  float squared = 0;
  for (std::size_t c = 0; c < corners.size(); ++c)
    squared = std::max(squared, (point(c) - part.centre - part.map * at_rest[c]).squaredNorm());
  part.off = std::sqrt(squared);
}

void AffineCulling::fit_inner(int node, int left) {
  const RestPart& rest = rest_[node];
  DeformedPart& part = parts_[node];
  part.centre =
      (rest_[left].count * parts_[left].centre + rest_[left + 1].count * parts_[left + 1].centre) /
      rest.count;
  moments_[node].setZero();
  for (const int of : {left, left + 1})
    moments_[node] += moments_[of] + (rest_[of].count * (parts_[of].centre - part.centre)) *
                                         (rest_[of].centre - rest.centre).transpose();
  set_map(node);
  part.off = 0;
  for (const int of : {left, left + 1}) {
    const Vector there = part.centre + part.map * (rest_[of].centre - rest.centre);
    part.off = std::max(part.off, parts_[of].off + (parts_[of].centre - there).norm() +
                                      off_by(parts_[of].map - part.map, rest_[of]));
  }
}

void AffineCulling::fit(const Skin& skin, const SkinTree& tree, const LeafCorners& leaves,
                        const LeafCorners::MovingPoints& points) {
  const auto nodes = tree.nodes();
  parallel_for(tree.leaves(), 128, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) fit_leaf(skin, tree, leaves, points, leaf);
  });
  for (int n = int(nodes.size()) - 1; n >= 0; --n)
    if (nodes[n].left >= 0) fit_inner(n, nodes[n].left);
}

float AffineCulling::distance(int node) const {
  return parts_[node].least * parts_[node].apart - 2 * parts_[node].off;
}

/// Both are put where the mean of their maps has them.
float AffineCulling::distance(int node, int other, float enough) const {
  const DeformedPart &a = parts_[node], &b = parts_[other];
  const Eigen::Vector3f between = b.rest_centre - a.rest_centre;
  const Matrix mean = 0.5f * (a.map + b.map), change = 0.5f * (a.map - b.map);
  const float off = a.off + b.off + (b.centre - a.centre - mean * between).norm();
  const float apart = std::max(std::min(a.apart, b.apart), between.norm() - a.radius - b.radius);
  const float turn = change.norm(), aside = turn * (a.radius + b.radius);
  const float least = std::max(0.0f, std::min(a.least, b.least) - turn);
  if (const float quick = least * apart - off - aside; quick > enough) return quick;
  // Where the two are turned against each other, their mean shortens much less than that, and flat
  // parts go aside much less.
  return std::max(least, least_share(mean)) * apart - off -
         std::min(aside, off_by(change, a) + off_by(change, b));
}

}  // namespace pliant
