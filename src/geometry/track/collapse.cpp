#include "geometry/track/collapse.h"

#include <cmath>
#include <limits>

namespace pliant::track {
namespace {

constexpr double degenerate = 1e-3;  // of flatness(): has no normal to keep
constexpr double off_plane = 0.1;    // of the longest edge: what a collapse may cut off
constexpr double turned = 0.5;       // cosine of 60 degrees: a collapse may turn a face no more

}  // namespace

std::uint8_t Collapse::common(std::uint8_t mark_a, std::uint8_t mark_b) {
  const std::uint8_t sharp = mark_a & mark_b & TrackedSurface::sharp;
  return std::uint8_t((std::min(mark_a, mark_b) & ~TrackedSurface::sharp) | sharp);
}

Collapse::Outcome Collapse::operator()(int c) {
  const int o = table_.opposite(c);
  const int a = table_.at(table_.next(c)), b = table_.at(table_.previous(c));
  if (table_.at(c) == table_.at(o) || common_neighbours(a, b) != 2) return Outcome::pinched;
  if (table_.valence(table_.at(c), 4) <= 3 || table_.valence(table_.at(o), 4) <= 3)
    return Outcome::refused;
  const double tiny = 0.25 * shortest_;
  const bool any_angle = (point(a) - point(b)).squaredNorm() < tiny * tiny;
  const Vec3 places[3] = {0.5 * (point(a) + point(b)), point(a), point(b)};
  const int best = choose_place(c, any_angle, places);
  if (best < 0) return Outcome::refused;
  const std::array<Origin, 2> ends = {surface_.origin[a], surface_.origin[b]};
  surface_.origin[a] =
      best == 0 ? original_.between(ends, std::array{0.5, 0.5}, source_[c / 3]) : ends[best - 1];
  surface_.points[a] = places[best];
  placed_[a] = best == 1 ? placed_[a] : 1;
  const std::uint8_t mark_a = surface_.marks[a], mark_b = surface_.marks[b];
  surface_.marks[a] = best == 0 ? common(mark_a, mark_b) : best == 1 ? mark_a : mark_b;
  table_.collapse(c);
  return Outcome::done;
}

int Collapse::choose_place(int c, bool any_angle, const Vec3 (&places)[3]) const {
  const int a = table_.at(table_.next(c)), b = table_.at(table_.previous(c));
  // Edges of cuts stay where they are: a point beside one joins it, not the other way round.
  const bool sharp_a = surface_.marks[a] & TrackedSurface::sharp;
  const bool sharp_b = surface_.marks[b] & TrackedSurface::sharp;
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    if (sharp_a != sharp_b && k != (sharp_a ? 1 : 2)) continue;
    if (!fits(a, c, places[k], any_angle) || !fits(b, c, places[k], any_angle)) continue;
    const double swept = swept_volume(a, places[k]) + swept_volume(b, places[k]);
    if (best >= 0 && swept >= 0.9 * least) continue;
    best = k;
    least = swept;
  }
  return best;
}

// Six times the volume between the triangles round `p` and the same with it at `place`: on a
// flat side nothing, so that edges and corners of a box stay where they are.
double Collapse::swept_volume(int p, const Vec3& place) const {
  const Vec3 way = place - point(p);
  const int begin = table_.corner_of(p);
  int corner = begin;
  double sum = 1e-12 * longest_ * longest_ * longest_;  // rounding
  do {
    const Vec3& b = point(table_.at(table_.next(corner)));
    const Vec3& c = point(table_.at(table_.previous(corner)));
    sum += std::abs((b - point(p)).cross(c - point(p)).dot(way));
    corner = table_.swing(corner);
  } while (corner != begin);
  return sum;
}

int Collapse::common_neighbours(int a, int b) {
  table_.ring(a, ring_);
  stamp_.resize(surface_.points.size(), 0);
  ++time_;
  for (const int p : ring_) stamp_[p] = time_;
  table_.ring(b, ring_);
  int common = 0;
  for (const int p : ring_) common += stamp_[p] == time_;
  return common;
}

// Whether the triangles round `p`, but for the two at the edge opposite to c, may have it at
// `place` instead.
bool Collapse::fits(int p, int c, const Vec3& place, bool any_angle) const {
  const int dying = c / 3, dying_too = table_.opposite(c) / 3;
  const int begin = table_.corner_of(p);
  int corner = begin;
  do {
    const int t = corner / 3;
    if (t != dying && t != dying_too) {
      const Corners old{point(p), point(table_.at(table_.next(corner))),
                        point(table_.at(table_.previous(corner)))};
      if (!may_become(old, {place, old.b, old.c}, any_angle)) return false;
    }
    corner = table_.swing(corner);
  } while (corner != begin);
  return true;
}

bool Collapse::may_become(const Corners& old, const Corners& now, bool any_angle) const {
  const Vec3 old_normal = old.normal(), normal = now.normal();
  const double old_longest2 = old.longest2(), longest2 = now.longest2();
  const bool worse = normal.norm() * old_longest2 < old_normal.norm() * longest2;
  const double most = longest_ * longest_ * (any_angle ? 1.5 : 1);
  if (longest2 > most && longest2 > old_longest2) return false;
  // Edges far too short are what patches leave; their faces point anywhere.
  if (any_angle) return !(normal.norm() < degenerate * longest2 && worse);
  if (normal.norm() < 0.02 * longest2 && worse) return false;
  if (old_normal.norm() < degenerate * old_longest2) return true;
  if (std::abs(old_normal.dot(now.a - old.a)) > off_plane * longest_ * old_normal.norm())
    return false;
  return old_normal.dot(normal) >= turned * old_normal.norm() * normal.norm();
}

}  // namespace pliant::track
