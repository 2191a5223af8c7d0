#include "picture/pass.h"

#include <algorithm>

namespace pliant {

using Eigen::Vector3f;

namespace {

constexpr int block = 4;

// Which sixteenth of the directions a pixel uses; far apart for neighbours.
int block_place(int x, int y) {
  static constexpr int order[block][block] = {
      {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  return order[y & 3][x & 3];
}

// On the lattice: each of its 2 x 2 parts has an even quarter of the directions, 4 x 4 of it all.
int lattice_place(int x, int y) {
  static constexpr int order[2][2] = {{0, 2}, {3, 1}};
  return 4 * order[(y >> 2) & 1][(x >> 2) & 1] + (block_place(x, y) & 3);
}

constexpr int film_reach = block + 1;  // of smoothing, and its means are spread by one

}  // namespace

void spread_flag(std::span<const std::uint8_t> row, std::uint8_t flag, int reach,
                 std::span<std::uint8_t> into) {
  const int width = int(row.size());
  for (int dx = -reach; dx <= reach; ++dx) {
    const int first = std::max(0, -dx), end = std::min(width, width - dx);
    const std::uint8_t* const from = row.data() + dx;
    for (int x = first; x < end; ++x) into[std::size_t(x)] |= from[x] & flag;
  }
}

/// Fewer leave a pattern of dots, as only every fourth pixel has rays of its own.
constexpr int least_samples = 4;

Pass::Pass(Buffers& work, const Shot& shot, const RenderSettings& settings)
    : work_(work),
      view_(shot.camera, settings.width, settings.height),
      light_(shot.look, shot.camera),
      whole_(settings.whole),
      samples_(std::max(settings.samples, least_samples)),
      sky_samples_(whole_ ? samples_ : (samples_ + 1) / 2),
      edge_samples_(std::clamp(2 * settings.samples, 4, 32)),
      per_column_(1 / float(settings.width)),
      background_top_(to_linear(shot.look.background_top).cast<float>()),
      background_bottom_(to_linear(shot.look.background_bottom).cast<float>()) {
  const std::size_t pixels = std::size_t(settings.width) * std::size_t(settings.height);
  for (int i = 0; i < samples_ * block * block; ++i) {
    to_key_.push_back(light_.key_sample(even_point(i)));
    key_inverse_.push_back(inverse_of(to_key_.back()));
  }
  for (int i = 0; i < sky_samples_ * block * block; ++i) disk_.push_back(to_disk(even_point(i)));
  for (int plane = 0; plane < work_.stage.planes(); ++plane) {
    std::vector<Vector3f>& directions = plane_to_sky_.emplace_back();
    std::vector<Vector3f>& inverse = plane_inverse_.emplace_back();
    for (const Eigen::Vector2f& point : disk_) {
      directions.push_back(on_hemisphere(work_.stage.plane_normal(plane), point));
      inverse.push_back(inverse_of(directions.back()));
    }
  }
  work_.seen.resize(pixels);
  work_.what.resize(pixels);
  work_.alone.resize(pixels);
  work_.rim.resize(pixels);
  work_.rough.resize(pixels);
  work_.noisy.resize(pixels);
  work_.wide.resize(wide_index(view_.width - 1, view_.height - 1) + 1);
  work_.gathered.resize(pixels);
  work_.color.resize(pixels);
  work_.tiles.resize(std::size_t(tiles()));
}

int Pass::place_of(int x, int y) const {
  return whole_ || !is_on_lattice(x, y) ? block_place(x, y) : lattice_place(x, y);
}

bool Pass::find_stale_eye() {
  keeps_ = work_.redraw.mark_seen(view_, stale_eye, work_.stale);
  return keeps_;
}

void Pass::draw_all() {
  keeps_ = false;
  work_.image = Image(view_.width, view_.height);
  work_.stale.assign(work_.seen.size(), stale_eye | stale_light | stale_color | stale_pixel);
  work_.spread.assign(work_.seen.size(), 0);
}

void Pass::see_row(int y) {
  std::vector<Ray> rays;
  std::vector<int> columns;
  for (int x = 0; x < view_.width; ++x) {
    if (!is_stale(index(x, y), stale_eye)) continue;
    columns.push_back(x);
    rays.push_back({.origin = view_.eye, .direction = view_.direction(x + 0.5f, y + 0.5f)});
  }
  std::vector<RayHit> hits(rays.size());
  work_.stage.rays().find_hits(rays, hits, true);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t pixel = index(columns[i], y);
    Surface& seen = work_.seen[pixel];
    std::uint8_t& stale = work_.stale[pixel];
    stale |= stale_pixel;  // rays of an edge's refinement lie beside this one
    if (keeps_ && hits[i].mesh < 0 && seen.what < 0) {  // planes and eye stand still
      stale &= std::uint8_t(~stale_eye);
      continue;
    }
    const Surface now = work_.stage.surface(view_, columns[i] + 0.5f, y + 0.5f, hits[i]);
    if (keeps_ && now == seen) stale &= std::uint8_t(~stale_eye);
    seen = now;
    work_.what[pixel] = now.what;
  }
}

// Smoothing reaches over a square; its rows first, then its columns.
void Pass::find_stale_light(int y) {
  const std::span<std::uint8_t> spread = row_of(work_.spread, y);
  std::fill(spread.begin(), spread.end(), std::uint8_t(0));
  spread_flag(row_of(work_.stale, y), stale_light, film_reach, spread);
  spread_flag(row_of(work_.rim, y), rim_changed, film_reach, spread);
}

void Pass::find_stale_color(int y) {
  std::vector<std::uint8_t> near(std::size_t(view_.width), 0);
  for (int v = std::max(0, y - film_reach); v <= std::min(y + film_reach, view_.height - 1); ++v)
    spread_flag(row_of(work_.spread, v), any_flag, 0, near);
  const std::span<std::uint8_t> stale = row_of(work_.stale, y);
  for (std::size_t x = 0; x < near.size(); ++x) stale[x] |= near[x] ? stale_color : 0;
}

// A pixel is finished from the colors of those around it.
void Pass::find_stale_pixels(int y) {
  const std::span<std::uint8_t> spread = row_of(work_.spread, y);
  std::fill(spread.begin(), spread.end(), std::uint8_t(0));
  for (int v = std::max(0, y - 1); v <= std::min(y + 1, view_.height - 1); ++v)
    spread_flag(row_of(work_.stale, v), stale_color, 1, spread);
}

}  // namespace pliant
