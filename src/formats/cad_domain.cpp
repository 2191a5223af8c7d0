#include "formats/cad_domain.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

// Shares of a period or of the range of the knots.
constexpr double rounding = 1e-9;     // no sliver is cut for less
constexpr double overhanging = 1e-3;  // trims of real files stick out by about 1e-6
constexpr double most_turns = 100;    // a domain further away is nonsense

// The same bits whichever triangle asks: ends in order of their coordinates.
Vec2 crossing(Vec2 a, Vec2 b, int axis, double at) {
  if (std::pair(b.x(), b.y()) < std::pair(a.x(), a.y())) std::swap(a, b);
  Vec2 cut = a + (at - a[axis]) / (b[axis] - a[axis]) * (b - a);
  cut[axis] = at;
  return cut;
}

/// The part of a convex polygon on one side of a line.
std::vector<Vec2> clip(const std::vector<Vec2>& polygon, int axis, double at, bool above) {
  const auto inside = [&](const Vec2& p) { return above ? p[axis] >= at : p[axis] <= at; };
  std::vector<Vec2> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    if (inside(p)) kept.push_back(p);
    if (inside(p) != inside(q) && p[axis] != at && q[axis] != at)
      kept.push_back(crossing(p, q, axis, at));
  }
  return kept;
}

/// Collects triangles over shared corners.
class Pieces {
 public:
  void add(const std::vector<Vec2>& polygon) {
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      const Triangle triangle = {corner(polygon[0]), corner(polygon[i - 1]), corner(polygon[i])};
      if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
        triangles.push_back(triangle);
    }
  }

  std::vector<Vec2> corners;
  std::vector<Triangle> triangles;

 private:
  int corner(const Vec2& p) {
    const auto [at, is_new] = index_.try_emplace({p.x(), p.y()}, int(corners.size()));
    if (is_new) corners.push_back(p);
    return at->second;
  }
  std::map<std::pair<double, double>, int> index_;
};

bool is_outside(const NurbsPatch& patch, int axis, double share) {
  const KnotVector& knots = axis == 0 ? patch.u : patch.v;
  const double slack = share * (knots.last() - knots.first());
  return std::any_of(patch.domain.begin(), patch.domain.end(), [&](const Vec2& at) {
    return !(at[axis] >= knots.first() - slack && at[axis] <= knots.last() + slack);
  });
}

bool wrap(NurbsPatch& patch, int axis, double period) {
  const double first = (axis == 0 ? patch.u : patch.v).first();
  Pieces pieces;
  for (const Triangle& triangle : patch.triangles) {
    std::vector<Vec2> polygon;
    for (const int corner : triangle) polygon.push_back(patch.domain[corner]);
    double low = polygon[0][axis], high = low;
    for (const Vec2& p : polygon) low = std::min(low, p[axis]), high = std::max(high, p[axis]);
    const double from = std::floor((low - first) / period + rounding);
    const double to = std::max(from, std::ceil((high - first) / period - rounding) - 1);
    if (!(std::abs(from) < most_turns && std::abs(to) < most_turns)) return false;
    for (double turn = from; turn <= to; ++turn) {
      std::vector<Vec2> piece = polygon;
      if (turn > from) piece = clip(piece, axis, first + turn * period, true);
      if (turn < to) piece = clip(piece, axis, first + (turn + 1) * period, false);
      for (Vec2& p : piece) p[axis] -= turn * period;
      pieces.add(piece);
    }
  }
  patch.domain = std::move(pieces.corners);
  patch.triangles = std::move(pieces.triangles);
  return true;
}

}  // namespace

bool wrap_domain(NurbsPatch& patch, const Vec2& period) {
  for (int axis = 0; axis < 2; ++axis) {
    if (period[axis] > 0 && is_outside(patch, axis, rounding) && !wrap(patch, axis, period[axis]))
      return false;
    if (is_outside(patch, axis, overhanging)) return false;
    const KnotVector& knots = axis == 0 ? patch.u : patch.v;
    for (Vec2& at : patch.domain) at[axis] = std::clamp(at[axis], knots.first(), knots.last());
  }
  return true;
}

}  // namespace pliant
