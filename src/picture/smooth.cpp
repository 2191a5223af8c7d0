#include <algorithm>
#include <cmath>

#include "picture/pass.h"

// Neighbours on one surface share what they gathered.

namespace pliant {

namespace {

struct Mean {
  Gathered sum{.lit = 0};
  float weights = 0;

  void add(const Gathered& one, float w) {
    sum.lit += w * one.lit;
    sum.ambient += w * one.ambient;
    weights += w;
  }
  Gathered value() const { return {.lit = sum.lit / weights, .ambient = sum.ambient / weights}; }
};

// Where things touch, light changes within a square of 8 x 8 pixels. Its middle of 4 x 4 has an
// even quarter of the directions and counts the more the more it differs. Tried: from 0.11 on, the
// place where a ball touches the floor is too light; below 0.06 wide shadows look grainy.
Gathered between(const Gathered& wide, const Gathered& middle) {
  const auto share = [](float apart) {
    return std::clamp((std::abs(apart) - 0.06f) / 0.2f, 0.0f, 1.0f);
  };
  const float lit = middle.lit - wide.lit;
  const Eigen::Vector3f ambient = middle.ambient - wide.ambient;
  return {.lit = wide.lit + share(lit) * lit,
          .ambient = wide.ambient + share(ambient.sum() / 3) * ambient};
}

/// Half weights at both ends: each place of the pattern counts exactly once.
float weight(int dx, int dy, int reach) {
  return (std::abs(dx) == reach ? 0.5f : 1) * (std::abs(dy) == reach ? 0.5f : 1);
}

// Light counts in steps that no eye sees, an eighth of what one of 256 is in a middle gray: where
// it changes by less, far from what moved, the picture is kept.
Gathered in_steps(const Gathered& light) {
  constexpr float steps = 2048;
  const auto rounded = [](float x) { return float(int(x * steps + 0.5f)) / steps; };
  return {.lit = rounded(light.lit), .ambient = light.ambient.unaryExpr(rounded)};
}

}  // namespace

// Over squares of 8 x 8 pixels, of which the lattice has a quarter; less where their middle differs
// from them.
void Pass::smooth_row(int y) {
  constexpr int reach = 4, near = 2;
  if (y & 1) return;
  for (int x = 0; x < view_.width; x += 2) {
    const std::size_t pixel = index(x, y);
    if (!is_stale(pixel, stale_color) || work_.what[pixel] == Surface::nothing) continue;
    const float tolerance = tolerance_at(pixel);
    Mean wide, middle;
    for (int dy = -reach; dy <= reach; dy += 2)
      for (int dx = -reach; dx <= reach; dx += 2) {
        if (!inside(x + dx, y + dy)) continue;
        const std::size_t other = index(x + dx, y + dy);
        if (!is_same(pixel, other, tolerance)) continue;
        wide.add(work_.noisy[other], weight(dx, dy, reach));
        if (std::max(std::abs(dx), std::abs(dy)) <= near)
          middle.add(work_.noisy[other], weight(dx, dy, near));
      }
    work_.wide[wide_index(x, y)] = between(wide.value(), middle.value());
  }
}

void Pass::take_light(std::size_t pixel, const Gathered& light) {
  const Gathered now = in_steps(light);
  if (keeps_ && !is_stale(pixel, stale_eye) && work_.gathered[pixel] == now)
    work_.stale[pixel] &= std::uint8_t(~stale_color);
  work_.gathered[pixel] = now;
}

// From the lattice to all pixels, along surfaces only (Kopf and others 2007). Even weights keep
// each place of the pattern counting once.
void Pass::spread_row(int y) {
  for (int x = 0; x < view_.width; ++x) {
    const std::size_t pixel = index(x, y);
    if (!is_stale(pixel, stale_color) || work_.what[pixel] == Surface::nothing) continue;
    Gathered result;
    if (is_on_lattice(x, y)) {
      result = work_.wide[wide_index(x, y)];
    } else if (work_.alone[pixel]) {
      take_light(pixel, alone_among(x, y));
      continue;
    } else {
      const float tolerance = tolerance_at(pixel);
      Gathered sum{.lit = 0, .ambient = Eigen::Vector3f::Zero()};
      float count = 0;
      for_each_on_lattice(x, y, [&](int u, int v) {
        if (!is_same(pixel, index(u, v), tolerance)) return;
        sum.lit += work_.wide[wide_index(u, v)].lit;
        sum.ambient += work_.wide[wide_index(u, v)].ambient;
        ++count;
      });
      result = {.lit = sum.lit / count, .ambient = sum.ambient / count};
    }
    take_light(pixel, result);
  }
}

// Of a pixel with rays of its own and what few of its surface are on the lattice nearby.
Gathered Pass::alone_among(int x, int y) const {
  constexpr int reach = 4;
  const std::size_t pixel = index(x, y);
  const float tolerance = tolerance_at(pixel);
  Gathered sum = work_.noisy[pixel];
  float weights = 1;
  for (int dy = -reach; dy <= reach; ++dy)
    for (int dx = -reach; dx <= reach; ++dx) {
      if ((dx == 0 && dy == 0) || !inside(x + dx, y + dy) || !may_gather(x + dx, y + dy)) continue;
      const std::size_t other = index(x + dx, y + dy);
      if (!is_same(pixel, other, tolerance)) continue;
      sum.lit += work_.noisy[other].lit;
      sum.ambient += work_.noisy[other].ambient;
      ++weights;
    }
  return {.lit = sum.lit / weights, .ambient = sum.ambient / weights};
}

// Over squares of 4 x 4 pixels, all of which gathered.
void Pass::smooth_whole_row(int y) {
  constexpr int reach = 2;
  for (int x = 0; x < view_.width; ++x) {
    const std::size_t pixel = index(x, y);
    if (!is_stale(pixel, stale_color) || work_.what[pixel] == Surface::nothing) continue;
    const float tolerance = tolerance_at(pixel);
    Gathered sum{.lit = 0, .ambient = Eigen::Vector3f::Zero()};
    float weights = 0;
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx) {
        if (!inside(x + dx, y + dy)) continue;
        const std::size_t other = index(x + dx, y + dy);
        if (!is_same(pixel, other, tolerance)) continue;
        const float w = weight(dx, dy, reach);
        sum.lit += w * work_.noisy[other].lit;
        sum.ambient += w * work_.noisy[other].ambient;
        weights += w;
      }
    work_.gathered[pixel] = {.lit = sum.lit / weights, .ambient = sum.ambient / weights};
  }
}

}  // namespace pliant
