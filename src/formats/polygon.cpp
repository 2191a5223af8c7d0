#include "formats/polygon.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

// Sine of the turn at b on the way a-b-c; zero where two corners coincide.
double PolygonCutter::turn(int a, int b, int c) const {
  const Vec2 in = flat_[b] - flat_[a];
  const Vec2 out = flat_[c] - flat_[b];
  const double lengths = in.norm() * out.norm();
  return lengths > 0 ? cross(in, out) / lengths : 0;
}

// Drops the coordinate in which the mean normal (Newell: half the sum of edge cross products) is
// largest.
bool PolygonCutter::project(const std::vector<Vec3>& points) {
  const int n = int(corners_.size());
  const Vec3 origin = points[corners_[0]];
  Vec3 normal = Vec3::Zero();
  for (int i = 0; i < n; ++i) {
    const Vec3 a = points[corners_[i]] - origin;
    const Vec3 b = points[corners_[(i + 1) % n]] - origin;
    normal += a.cross(b);
  }
  int axis = 0;
  const double largest = normal.cwiseAbs().maxCoeff(&axis);
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if (normal[axis] < 0) std::swap(u, v);  // anticlockwise in the plane, whichever way it faced
  flat_.resize(n);
  for (int i = 0; i < n; ++i) {
    const Vec3 p = points[corners_[i]] - origin;
    flat_[i] = Vec2(p[u], p[v]);
  }
  return true;
}

constexpr double straight = 1e-10;  // sine below which a corner counts as no corner

bool PolygonCutter::is_convex() const {
  const int n = int(corners_.size());
  for (int i = 0; i < n; ++i)
    if (!(turn((i + n - 1) % n, i, (i + 1) % n) > straight)) return false;
  return true;
}

void PolygonCutter::emit(int a, int b, int c, std::vector<Triangle>& triangles) const {
  const Triangle t{corners_[a], corners_[b], corners_[c]};
  if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
}

bool PolygonCutter::blocked(int ear, bool edges_block) {
  const Vec2 &a = flat_[before_[ear]], &b = flat_[ear], &c = flat_[after_[ear]];
  for (const int i : dents_) {
    --budget_;
    if (!alive_[i] || i == ear || i == before_[ear] || i == after_[ear]) continue;
    const Vec2& p = flat_[i];
    if (p == a || p == b || p == c) continue;  // a slit that leads into a hole touches itself
    const double sides[3] = {cross(b - a, p - a), cross(c - b, p - b), cross(a - c, p - c)};
    const double lowest = std::min({sides[0], sides[1], sides[2]});
    if (edges_block ? lowest >= 0 : lowest > 0) return true;
  }
  return false;
}

void PolygonCutter::clip_ears(std::vector<Triangle>& triangles) {
  const int n = int(corners_.size());
  before_.resize(n);
  after_.resize(n);
  alive_.assign(n, 1);
  dents_.clear();
  for (int i = 0; i < n; ++i) {
    before_[i] = (i + n - 1) % n;
    after_[i] = (i + 1) % n;
    if (!(turn(before_[i], i, after_[i]) > straight)) dents_.push_back(i);
  }
  budget_ = 200'000 + 200ll * n;

  int left = n, i = 0, passed = 0, strictness = 0;
  while (left > 3 && budget_ > 0) {
    --budget_;
    // Strict first; a polygon that crosses itself may have no proper ear, so the demands sink.
    const bool ear = strictness == 2 ||
                     (turn(before_[i], i, after_[i]) > straight && !blocked(i, strictness == 0));
    if (!ear) {
      i = after_[i];
      if (++passed > left) {
        ++strictness;
        passed = 0;
      }
      continue;
    }
    emit(before_[i], i, after_[i], triangles);
    alive_[i] = 0;
    after_[before_[i]] = after_[i];
    before_[after_[i]] = before_[i];
    // One past the neighbour: ears taken in turn give rounder triangles than a fan.
    i = after_[after_[i]];
    --left;
    passed = strictness = 0;
  }
  if (left > 3) ++given_up_;
  const int apex = i;
  for (int b = after_[apex]; after_[b] != apex; b = after_[b]) emit(apex, b, after_[b], triangles);
}

int PolygonCutter::cut(std::span<const int> corners, const std::vector<Vec3>& points,
                       std::vector<Triangle>& triangles) {
  corners_.clear();
  for (const int corner : corners)
    if (corners_.empty() || corners_.back() != corner) corners_.push_back(corner);
  while (corners_.size() > 1 && corners_.back() == corners_.front()) corners_.pop_back();
  if (corners_.size() < 3) return 0;

  const std::size_t start = triangles.size();
  if (corners_.size() > 3 && project(points) && !is_convex()) {
    clip_ears(triangles);
  } else {
    for (int i = 1; i + 1 < int(corners_.size()); ++i) emit(0, i, i + 1, triangles);
  }
  return int(triangles.size() - start);
}

}  // namespace pliant
