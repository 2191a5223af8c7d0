#include <algorithm>

#include "picture/pass.h"

// Rays from what is seen to the lamp and the sky.

namespace pliant {

using Eigen::Vector3f;

namespace {

constexpr float turned_away = -0.45f;  // cosine to the key light at which no neighbour is lit by it

}  // namespace

bool Pass::faces_key(const Surface& surface) const {
  return surface.normal.dot(light_.key_direction()) > turned_away;
}

// Of the share of the even set that belongs to each start, so many rays. Rays that cannot meet a
// mesh are not followed.
void Pass::gather_key(std::span<const Start> starts, const Directions& some, KeyRays which,
                      std::span<float> lit) const {
  std::vector<Ray> rays;
  std::vector<std::size_t> of;  // start of each ray
  std::vector<std::uint8_t> blocked(starts.size());
  const float share = 1.0f / float(which.end - which.begin);
  std::fill(lit.begin(), lit.end(), 0.0f);
  for (int s = which.begin; s < which.end; ++s) {
    rays.clear();
    of.clear();
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t d = key_direction(starts[i].place, s);
      if (!faces_key(*starts[i].surface)) continue;
      if (!some.meet_to_key(d)) {
        lit[i] += share;
        continue;
      }
      rays.push_back({.origin = starts[i].surface->start, .direction = to_key_[d]});
      of.push_back(i);
    }
    work_.stage.rays().find_blocked(rays, blocked);
    for (std::size_t r = 0; r < rays.size(); ++r) lit[of[r]] += blocked[r] ? 0 : share;
  }
}

void Pass::gather_sky(std::span<const Start> starts, const Directions& some,
                      std::span<Vector3f> ambient) const {
  std::vector<Ray> rays;
  std::vector<std::size_t> of;
  std::vector<RayHit> hits(starts.size());
  std::fill(ambient.begin(), ambient.end(), Vector3f::Zero());
  const float share = 1.0f / float(sky_samples_);
  for (int s = 0; s < sky_samples_; ++s) {
    rays.clear();
    of.clear();
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t d = std::size_t(sky_samples_ * starts[i].place + s);
      const Ray ray{.origin = starts[i].surface->start, .direction = to_sky(*starts[i].surface, d)};
      if (!some.meet_to_sky(d)) {
        ambient[i] += share * work_.stage.arriving(light_, ray, {});
        continue;
      }
      rays.push_back(ray);
      of.push_back(i);
    }
    work_.stage.rays().find_hits(rays, hits, true);
    for (std::size_t r = 0; r < rays.size(); ++r)
      ambient[of[r]] += share * work_.stage.arriving(light_, rays[r], hits[r]);
  }
}

std::vector<Pass::Start> Pass::starts_of(std::span<const std::size_t> pixels) const {
  std::vector<Start> starts;
  for (const std::size_t pixel : pixels) starts.push_back({&work_.seen[pixel], place_of(pixel)});
  return starts;
}

void Pass::gather(std::span<const std::size_t> pixels, const Directions& some, KeyRays which) {
  const std::vector<Start> starts = starts_of(pixels);
  std::vector<float> lit(pixels.size());
  std::vector<Vector3f> ambient(pixels.size());
  gather_key(starts, some, which, lit);
  gather_sky(starts, some, ambient);
  const bool all = which.end - which.begin == samples_;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    Gathered& kept = work_.noisy[pixels[i]];
    float& kept_lit = all ? kept.lit : work_.rough[pixels[i]];
    if (!is_stale(pixels[i], stale_eye) && kept_lit == lit[i] && kept.ambient == ambient[i])
      work_.stale[pixels[i]] &= std::uint8_t(~stale_light);
    kept_lit = lit[i];
    kept.ambient = ambient[i];
  }
}

bool Pass::key_meets_moved(const Surface& surface, int place) const {
  const Eigen::AlignedBox3f start(surface.start);
  for (int s = 0; s < samples_; ++s)
    if (work_.redraw.moved().may_meet(start, key_inverse_[key_direction(place, s)])) return true;
  return false;
}

bool Pass::any_ray_meets_moved(const Surface& surface, int place) const {
  if (key_meets_moved(surface, place)) return true;
  const Eigen::AlignedBox3f start(surface.start);
  for (int s = sky_samples_ * place; s < sky_samples_ * (place + 1); ++s)
    if (work_.redraw.moved().may_meet(start, inverse_of(to_sky(surface, s)))) return true;
  return false;
}

bool Pass::needs_light(std::size_t pixel, int place) {
  std::uint8_t& stale = work_.stale[pixel];
  if (stale & stale_eye || (keeps_ && any_ray_meets_moved(work_.seen[pixel], place)))
    stale |= stale_light;
  return stale & stale_light;
}

// Whether a pixel off the lattice finds nothing of its surface on it.
bool Pass::is_alone(int x, int y) const {
  const std::size_t pixel = index(x, y);
  const float tolerance = tolerance_at(pixel);
  bool alone = true;
  for_each_on_lattice(
      x, y, [&](int u, int v) { alone = alone && !is_same(pixel, index(u, v), tolerance); });
  return alone;
}

// When the surfaces around have changed it may have become so, or be so no more.
void Pass::find_alone(int y) {
  if (whole_) return;
  const std::span<std::uint8_t> spread = row_of(work_.spread, y);
  std::fill(spread.begin(), spread.end(), std::uint8_t(0));
  for (int v = std::max(0, y - 1); v <= std::min(y + 1, view_.height - 1); ++v)
    spread_flag(row_of(work_.stale, v), stale_eye, 1, spread);
  for (int x = 0; x < view_.width; ++x)
    if (spread[std::size_t(x)] && !is_on_lattice(x, y)) work_.alone[index(x, y)] = is_alone(x, y);
}

}  // namespace pliant
