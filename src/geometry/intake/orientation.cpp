#include "geometry/intake/orientation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/random.h"
#include "geometry/mesh/sides.h"
#include "geometry/query/ray.h"
#include "geometry/query/winding_number.h"

namespace pliant {
namespace {

constexpr int rays_per_side = 48;
constexpr double clear_majority = 0.1;  // of the rays of one side

struct Neighbour {
  int triangle = -1;
  bool agrees = true;  // both run along the edge in opposite senses
};

/// Parts whose triangles agree with one another after turning those marked in `flip`.
struct Parts {
  std::vector<int> part;                // per triangle
  std::vector<char> flip;               // per triangle, against how it was given
  std::vector<char> closed, one_sided;  // per part
  int count = 0;
};

Parts find_parts(const std::vector<Triangle>& triangles) {
  const std::size_t count = triangles.size();
  std::vector<std::array<Neighbour, 3>> next(count);
  for_each_edge(sorted_sides(triangles), [&](const Side* begin, const Side* end) {
    if (end - begin != 2) return;
    const bool agrees = begin[0].forward != begin[1].forward;
    next[begin[0].index / 3][begin[0].index % 3] = {begin[1].index / 3, agrees};
    next[begin[1].index / 3][begin[1].index % 3] = {begin[0].index / 3, agrees};
  });
  Parts parts;
  parts.part.assign(count, -1);
  parts.flip.assign(count, 0);
  std::vector<int> waiting;
  for (int first = 0; first < int(count); ++first) {
    if (parts.part[first] >= 0) continue;
    const int number = parts.count++;
    parts.closed.push_back(1);
    parts.one_sided.push_back(0);
    parts.part[first] = number;
    waiting.assign(1, first);
    while (!waiting.empty()) {
      const int t = waiting.back();
      waiting.pop_back();
      for (const Neighbour& n : next[t]) {
        if (n.triangle < 0) {
          parts.closed[number] = 0;
          continue;
        }
        const char flip = char(parts.flip[t] != !n.agrees);
        if (parts.part[n.triangle] < 0) {
          parts.part[n.triangle] = number;
          parts.flip[n.triangle] = flip;
          waiting.push_back(n.triangle);
        } else if (parts.flip[n.triangle] != flip) {
          parts.one_sided[number] = 1;
        }
      }
    }
  }
  return parts;
}

void turn(Triangle& t) { std::swap(t[1], t[2]); }

/// Per part: its triangles, in rising order.
std::vector<std::vector<int>> members(const Parts& parts) {
  std::vector<std::vector<int>> list(std::size_t(parts.count));
  for (int t = 0; t < int(parts.part.size()); ++t) list[parts.part[t]].push_back(t);
  return list;
}

/// In each part, the sense of the larger area wins.
void follow_majority(const TriangleMesh& mesh, const std::vector<std::vector<int>>& list,
                     Parts& parts) {
  for (const std::vector<int>& part : list) {
    double all = 0, flipped = 0;
    for (const int t : part) {
      const double area = area_vector(mesh, t).norm();
      all += area;
      if (parts.flip[t]) flipped += area;
    }
    if (2 * flipped > all)
      for (const int t : part) parts.flip[t] = char(!parts.flip[t]);
  }
}

double volume_of(const TriangleMesh& mesh, const std::vector<int>& part) {
  const Vec3 origin = mesh.points[mesh.triangles[part[0]][0]];
  double sixfold = 0;
  for (const int t : part) {
    const Triangle& c = mesh.triangles[t];
    sixfold += (mesh.points[c[0]] - origin)
                   .dot((mesh.points[c[1]] - origin).cross(mesh.points[c[2]] - origin));
  }
  return sixfold / 6;
}

/// Rays that escape on the front minus those that escape behind, as a share of one side's rays.
double front_is_free(const TriangleMesh& mesh, const Bvh& bvh, const std::vector<int>& part,
                     double size) {
  std::vector<double> sum;  // of areas: large triangles are chosen more often
  double all = 0;
  for (const int t : part) sum.push_back(all += area_vector(mesh, t).norm());
  int balance = 0;
  for (int i = 0; i < rays_per_side; ++i) {
    const auto draw = [&, c = std::uint64_t(i) * 5]() mutable {
      return random_unit(std::uint64_t(part[0]) + 17, c++);
    };
    auto next = draw;
    const double wanted = next() * all;
    const auto at = std::lower_bound(sum.begin(), sum.end(), wanted);
    const int t = part[std::min(std::size_t(at - sum.begin()), part.size() - 1)];
    double u = next(), v = next();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const Triangle& c = mesh.triangles[t];
    const Vec3 p = mesh.points[c[0]] + u * (mesh.points[c[1]] - mesh.points[c[0]]) +
                   v * (mesh.points[c[2]] - mesh.points[c[0]]);
    const Vec3 normal = area_vector(mesh, t).normalized();
    // Uniform over the half sphere: a height and an angle.
    const double height = 0.05 + 0.95 * next(), angle = 2 * std::numbers::pi * next();
    const Vec3 side = normal.unitOrthogonal();
    const Vec3 across = std::sqrt(1 - height * height) *
                        (std::cos(angle) * side + std::sin(angle) * normal.cross(side));
    balance += !ray_hits(mesh, bvh, p, height * normal + across, 1e-9 * size);
    balance -= !ray_hits(mesh, bvh, p, across - height * normal, 1e-9 * size);
  }
  return double(balance) / rays_per_side;
}

/// Per closed part: the outermost closed part around it, or itself.
std::vector<int> outermost(const TriangleMesh& mesh, const Parts& parts,
                           const std::vector<std::vector<int>>& list) {
  std::vector<int> closed;
  for (int p = 0; p < parts.count; ++p)
    if (parts.closed[p] && !parts.one_sided[p]) closed.push_back(p);
  std::vector<int> root(std::size_t(parts.count), -1);
  for (const int p : closed) root[p] = p;
  constexpr std::size_t most = 256;  // beyond, thousands of small parts: each stands for itself
  if (closed.size() < 2 || closed.size() > most) return root;
  std::vector<Box> boxes;
  std::vector<double> size;
  std::vector<WindingNumber> windings;
  for (const int p : closed) {
    TriangleMesh alone;
    alone.points = mesh.points;
    Box box;
    for (const int t : list[p]) {
      alone.triangles.push_back(mesh.triangles[t]);
      for (const int v : mesh.triangles[t]) box.add(mesh.points[v]);
    }
    boxes.push_back(box);
    size.push_back(std::abs(volume_of(mesh, list[p])));
    windings.emplace_back(alone);
  }
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Vec3& p = mesh.points[mesh.triangles[list[closed[i]][0]][0]];
    double largest = size[i];
    for (std::size_t k = 0; k < closed.size(); ++k) {
      if (k == i || !(size[k] > largest)) continue;
      const Box& outer = boxes[k];
      if (!(outer.contains(boxes[i].low) && outer.contains(boxes[i].high))) continue;
      if (std::abs(windings[k].at(p)) < 0.5) continue;
      largest = size[k];
      root[closed[i]] = closed[k];
    }
  }
  return root;
}

}  // namespace

Orientation orient(TriangleMesh& mesh) {
  Orientation result;
  if (mesh.triangles.empty()) return result;
  Parts parts = find_parts(mesh.triangles);
  const std::vector<std::vector<int>> list = members(parts);
  result.parts = parts.count;
  follow_majority(mesh, list, parts);
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    if (parts.one_sided[parts.part[t]]) parts.flip[t] = 0;  // there is no right way
    if (parts.flip[t]) turn(mesh.triangles[t]);
  }

  std::vector<double> closed_volume(std::size_t(parts.count), 0);
  for (int p = 0; p < parts.count; ++p)
    if (parts.closed[p]) closed_volume[p] = volume_of(mesh, list[p]);
  const std::vector<int> root = outermost(mesh, parts, list);
  const Bvh bvh(mesh);
  const double size = bounds(mesh.points).extent().maxCoeff();
  for (int p = 0; p < parts.count; ++p) {
    if (parts.one_sided[p]) continue;
    bool inward = false;
    if (root[p] >= 0) {
      inward = closed_volume[root[p]] < 0;
    } else {
      const double free = front_is_free(mesh, bvh, list[p], size);
      inward = free < -clear_majority;
      result.undecided += std::abs(free) <= clear_majority;
    }
    if (!inward) continue;
    ++result.turned_parts;
    for (const int t : list[p]) {
      parts.flip[t] = char(!parts.flip[t]);
      turn(mesh.triangles[t]);
    }
  }
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    if (parts.one_sided[parts.part[t]]) result.one_sided.push_back(t);
    if (parts.flip[t]) result.turned.push_back(t);
  }
  return result;
}

}  // namespace pliant
