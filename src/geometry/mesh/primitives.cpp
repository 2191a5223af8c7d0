#include "geometry/mesh/primitives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/assert.h"
#include "core/errors.h"

namespace pliant {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double most_triangles = 2e7;
const double row_height = std::sqrt(3.0) / 2;  // of rows of equilateral triangles, per edge

void check_edge(double surface_area, double edge) {
  ASSERT(edge > 0, "the edge of a shape must be positive");
  const double triangles = surface_area / (0.5 * row_height * edge * edge);
  if (triangles > most_triangles)
    throw InputError("", "", "would have more than 20 million triangles", "take a longer edge");
}

int steps(double length, double edge, int least) {
  return std::max(least, int(std::lround(length / edge)));
}

// Points on a circle around y; a ring of one point is a pole.
struct Ring {
  double radius;  // [m]
  double height;  // [m]
  int count;
  double shift;  // the first point's place, in steps of the ring
};

Ring ring_of(double radius, double height, double edge, int index) {
  // Every other ring is turned by half a step, so that equal rings make equilateral triangles.
  return {radius, height, steps(2 * pi * radius, edge, 5), index % 2 ? 0.5 : 0.0};
}

// Zips the space between two rings of any counts with triangles, always along the shorter diagonal.
//
//   upper  ---*-------*-------*---        The lower ring comes first when one walks along the
//   outline with the
//            / \     / \     /             outside to the right.
//   lower  -*---*---*---*---*----
void zip(const Ring& lower, int first_lower, const Ring& upper, int first_upper,
         std::vector<Triangle>& triangles) {
  const int lower_steps = lower.count > 1 ? lower.count : 0;
  const int upper_steps = upper.count > 1 ? upper.count : 0;
  const auto lower_turn = [&](int i) { return (i + lower.shift) / lower.count; };
  const auto upper_turn = [&](int j) { return (j + upper.shift) / upper.count; };
  const auto lower_point = [&](int i) { return first_lower + i % lower.count; };
  const auto upper_point = [&](int j) { return first_upper + j % upper.count; };
  for (int i = 0, j = 0; i < lower_steps || j < upper_steps;) {
    const bool along_lower =
        j == upper_steps || (i < lower_steps && std::abs(lower_turn(i + 1) - upper_turn(j)) <=
                                                    std::abs(upper_turn(j + 1) - lower_turn(i)));
    if (along_lower) {
      triangles.push_back({lower_point(i), lower_point(i + 1), upper_point(j)});
      ++i;
    } else {
      triangles.push_back({lower_point(i), upper_point(j + 1), upper_point(j)});
      ++j;
    }
  }
}

// The surface swept by an outline, ring by ring from its bottom; `closed` joins the last ring to
// the first.
TriangleMesh revolve(const std::vector<Ring>& rings, bool closed) {
  TriangleMesh mesh;
  std::vector<int> first;
  for (const Ring& ring : rings) {
    first.push_back(int(mesh.points.size()));
    for (int i = 0; i < ring.count; ++i) {
      const double angle = 2 * pi * (i + ring.shift) / ring.count;
      mesh.points.emplace_back(ring.radius * std::sin(angle), ring.height,
                               ring.radius * std::cos(angle));
    }
  }
  const int count = int(rings.size());
  for (int r = 0; r + 1 < count + int(closed); ++r) {
    const int next = (r + 1) % count;
    zip(rings[r], first[r], rings[next], first[next], mesh.triangles);
  }
  return mesh;
}

void check_size(double length) { ASSERT(length > 0, "the size of a shape must be positive"); }

}  // namespace

TriangleMesh box_mesh(const Vec3& size, double edge) {
  for (int axis = 0; axis < 3; ++axis) check_size(size[axis]);
  check_edge(2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x()), edge);
  const Eigen::Vector3i count(steps(size.x(), edge, 1), steps(size.y(), edge, 1),
                              steps(size.z(), edge, 1));
  TriangleMesh mesh;
  std::map<std::array<int, 3>, int> index_of;
  const auto point = [&](const Eigen::Vector3i& at) {
    const auto [place, is_new] =
        index_of.try_emplace({at.x(), at.y(), at.z()}, int(mesh.points.size()));
    if (is_new) {
      const Vec3 share = at.cast<double>().cwiseQuotient(count.cast<double>());
      mesh.points.push_back((share.array() - 0.5).matrix().cwiseProduct(size));
    }
    return place->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const bool high : {false, true}) {
      for (int j = 0; j < count[v]; ++j) {
        for (int i = 0; i < count[u]; ++i) {
          const auto corner = [&](int di, int dj) {
            Eigen::Vector3i at;
            at[axis] = high ? count[axis] : 0;
            at[u] = i + di;
            at[v] = j + dj;
            return point(at);
          };
          int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
          if (!high) std::swap(b, d);
          // Diagonals alternate, so that no direction of the surface is stiffer than its mirror
          // image.
          if ((i + j) % 2 == 0) {
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
          } else {
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({b, c, d});
          }
        }
      }
    }
  }
  return mesh;
}

TriangleMesh sphere_mesh(double radius, double edge) {
  check_size(radius);
  check_edge(4 * pi * radius * radius, edge);
  // An icosahedron, each face cut into count^2 triangles and blown up. Its edges span atan(2) of
  // the sphere.
  const int count = steps(std::atan(2.0) * radius, edge, 2);
  const double h = 1 / std::sqrt(5.0), r = 2 * h;
  std::vector<Vec3> corner = {Vec3(0, -1, 0)};
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * pi * i / 5;
    corner.emplace_back(r * std::sin(angle), -h, r * std::cos(angle));
  }
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * pi * (i + 0.5) / 5;
    corner.emplace_back(r * std::sin(angle), h, r * std::cos(angle));
  }
  corner.emplace_back(0, 1, 0);
  std::vector<Triangle> faces;
  for (int i = 0; i < 5; ++i) {
    const int low = 1 + i, next_low = 1 + (i + 1) % 5, high = 6 + i, next_high = 6 + (i + 1) % 5;
    faces.push_back({0, next_low, low});
    faces.push_back({low, next_low, high});
    faces.push_back({next_low, next_high, high});
    faces.push_back({high, next_high, 11});
  }

  TriangleMesh mesh;
  std::map<std::array<int, 6>, int>
      index_of;  // by (corner, steps) of the icosahedron, corners rising
  const auto point = [&](const Triangle& face, std::array<int, 3> share) {
    std::array<std::pair<int, int>, 3> parts;
    for (int k = 0; k < 3; ++k) parts[k] = {share[k] > 0 ? face[k] : -1, share[k]};
    std::sort(parts.begin(), parts.end());
    const std::array<int, 6> key = {parts[0].first,  parts[0].second, parts[1].first,
                                    parts[1].second, parts[2].first,  parts[2].second};
    const auto [place, is_new] = index_of.try_emplace(key, int(mesh.points.size()));
    if (is_new) {
      Vec3 sum = Vec3::Zero();
      for (const auto& [c, steps_from] : parts)
        if (c >= 0) sum += steps_from * corner[c];
      mesh.points.push_back(radius * sum.normalized());
    }
    return place->second;
  };
  for (const Triangle& face : faces) {
    for (int j = 0; j < count; ++j) {
      for (int i = 0; i + j < count; ++i) {
        const auto at = [&](int u, int v) { return point(face, {count - u - v, u, v}); };
        mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < count)
          mesh.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return mesh;
}

TriangleMesh cylinder_mesh(double radius, double height, double edge) {
  check_size(radius);
  check_size(height);
  check_edge(2 * pi * radius * (radius + height), edge);
  const int across = steps(radius, edge, 1);
  const int rows = steps(height, edge * row_height, 1);
  std::vector<Ring> rings = {{0, -0.5 * height, 1, 0}};
  const auto add = [&](double r, double y) {
    rings.push_back(ring_of(r, y, edge, int(rings.size())));
  };
  for (int k = 1; k < across; ++k) add(radius * k / across, -0.5 * height);
  for (int k = 0; k <= rows; ++k) add(radius, height * (double(k) / rows - 0.5));
  for (int k = across - 1; k > 0; --k) add(radius * k / across, 0.5 * height);
  rings.push_back({0, 0.5 * height, 1, 0});
  return revolve(rings, false);
}

TriangleMesh capsule_mesh(double radius, double length, double edge) {
  check_size(radius);
  check_size(length);
  check_edge(2 * pi * radius * (2 * radius + length), edge);
  const int up = steps(0.5 * pi * radius, edge * row_height, 2);  // rows of one half sphere
  const int rows = steps(length, edge * row_height, 1);
  std::vector<Ring> rings = {{0, -0.5 * length - radius, 1, 0}};
  const auto add = [&](double r, double y) {
    rings.push_back(ring_of(r, y, edge, int(rings.size())));
  };
  for (int k = 1; k < up; ++k) {
    const double angle = 0.5 * pi * k / up;
    add(radius * std::sin(angle), -0.5 * length - radius * std::cos(angle));
  }
  for (int k = 0; k <= rows; ++k) add(radius, length * (double(k) / rows - 0.5));
  for (int k = up - 1; k > 0; --k) {
    const double angle = 0.5 * pi * k / up;
    add(radius * std::sin(angle), 0.5 * length + radius * std::cos(angle));
  }
  rings.push_back({0, 0.5 * length + radius, 1, 0});
  return revolve(rings, false);
}

TriangleMesh torus_mesh(double ring, double tube, double edge) {
  check_size(tube);
  ASSERT(ring > tube, "the ring of a torus must be larger than its tube");
  check_edge(4 * pi * pi * ring * tube, edge);
  const int around =
      2 * steps(pi * tube, edge * row_height, 3);  // even: rings alternate all the way round
  std::vector<Ring> rings;
  for (int k = 0; k < around; ++k) {
    const double angle = 2 * pi * k / around;
    rings.push_back(ring_of(ring + tube * std::cos(angle), tube * std::sin(angle), edge, k));
  }
  return revolve(rings, true);
}

}  // namespace pliant
