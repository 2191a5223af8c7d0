#include "picture/render.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"
#include "picture/redraw.h"
#include "picture/stage.h"

// Passes over the rows of the picture, each writing only its own row:
//   see      one ray through the middle of each pixel
//   gather   a few rays from there to the key light and to the sky
//   smooth   neighbours on the same surface share what they gathered
//   shade    colors; where neighbours differ, more eye rays through the pixel
// Pixels of a 4 x 4 block use different sixteenths of one even set of directions, and smoothing
// adds up whole blocks, so that every pixel ends up with the full set and no noise is left
// (interleaved sampling, Keller and Heidrich 2001).
//
// In films only every second pixel gathers, as the black fields of a chessboard: they have the
// first half of the even set, which is even itself, and what they find is smoothed over all. A
// pixel that finds none of its surface beside it gathers for itself.
//
// Of a film's frame only what may differ from the frame before is drawn. Each pass is a function of
// what the passes before left around the pixel, so its result is kept wherever none of that
// changed: a pixel is stale for `see` and `gather` where a ray of its own may meet what moved
// (redraw.h), and for the later passes where a neighbour within their reach is.

namespace pliant {
namespace {

using Eigen::Vector3f;

constexpr int rows_at_once = 4;
constexpr int block = 4;
constexpr int smooth_reach = block / 2;
constexpr int fewest_shared = 4;  // samples from which on half the even set is enough
constexpr float turned_away = -0.45f;  // cosine to the key light at which no neighbour is lit by it
constexpr int tile = 16;  // pixels of a plane that ask together whether their rays meet what moved

// Passes whose result of a pixel may have changed.
constexpr std::uint8_t stale_eye = 1, stale_light = 2, stale_color = 4, stale_pixel = 8;
constexpr std::uint8_t own_rays = 16;  // it gathered light at an edge by itself: never kept

// Light that arrives at a pixel's surface.
struct Gathered {
  float lit = 1;                        // visible part of the key light
  Vector3f ambient = Vector3f::Zero();  // the rest, as a white surface would reflect it

  bool operator==(const Gathered& other) const {
    return lit == other.lit && ambient == other.ambient;
  }
};

// Which sixteenth of the directions a pixel uses; far apart for neighbours.
int block_place(int x, int y) {
  static constexpr int order[block][block] = {
      {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  return order[y & 3][x & 3];
}

// A fixed pattern in [-0.5, 0.5) that hides the steps of 8-bit gradients.
float dither(int x, int y) {
  const float f = 0.06711056f * float(x) + 0.00583715f * float(y);
  const float g = 52.9829189f * (f - std::floor(f));
  return g - std::floor(g) - 0.5f;
}

constexpr int beside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

bool same_surface(const Surface& a, const Surface& b, float tolerance) {
  if (a.what != b.what) return false;
  return a.is_plane() || (a.normal.dot(b.normal) > 0.9f &&
                          std::abs(a.normal.dot(b.position - a.position)) < tolerance);
}

// to_pixel(to_srgb(color) + shift), by a table to 1e-5: a million powers and roundings a frame are
// what films would spend long on.
Image::Pixel to_pixel_quickly(const Vector3f& color, float shift) {
  constexpr int steps = 4096;
  static const std::vector<float> table = [] {
    std::vector<float> values;
    for (int i = 0; i <= steps + 1; ++i)
      values.push_back(255 * float(to_srgb(Vec3::Constant(double(i) / steps))[0]));
    return values;
  }();
  Image::Pixel pixel;
  for (std::size_t c = 0; c < 3; ++c) {
    const float at = std::clamp(color[int(c)], 0.0f, 1.0f) * float(steps);
    const std::size_t i = std::size_t(at);
    const float value = table[i] + (at - float(i)) * (table[i + 1] - table[i]) + shift;
    pixel[c] = std::uint8_t(std::clamp(value + 0.5f, 0.0f, 255.0f));
  }
  return pixel;
}

/// Where rays towards light leave the planes of a tile, as of when its eye rays changed last.
struct TilePlanes {
  struct Plane {
    Eigen::AlignedBox3f starts;  // empty: nothing of it gathers
    int places = 0;              // of the block that have a pixel there
  };
  std::vector<Plane> planes;
};

struct Buffers {
  Stage stage;
  Redraw redraw;
  Image image;
  std::vector<std::uint8_t> stale, spread;  // spread: what neighbours tell
  std::vector<std::uint8_t> alone;          // white pixels that gather for themselves
  std::vector<Surface> seen;
  std::vector<std::uint8_t> is_mesh;  // of what is seen
  std::vector<TilePlanes> tiles;
  std::vector<Gathered> noisy, gathered;
  std::vector<Vector3f> color;  // linear, tone-mapped
};

class Pass {
 public:
  Pass(Buffers& work, const Shot& shot, const RenderSettings& settings);

  /// Marks what may differ from the picture before. False: nothing of it can be kept.
  bool find_stale_eye();
  void draw_all();
  void find_stale_color(int y);
  void find_stale_pixels(int y);

  void see_row(int y);
  void find_alone(int y);
  void gather_row(int y);
  template <class Work>
  void for_each_pixel(int tile, const Work& work) const;
  void find_planes(int tile);
  void gather_tile(int tile);
  int tiles() const {
    return ((view_.width + tile - 1) / tile) * ((view_.height + tile - 1) / tile);
  }
  void smooth_row(int y);
  void shade_row(int y);
  void finish_row(int y);

 private:
  std::size_t index(int x, int y) const { return std::size_t(y) * view_.width + x; }
  bool inside(int x, int y) const {
    return x >= 0 && y >= 0 && x < view_.width && y < view_.height;
  }
  /// Which of the even set of directions may meet something; empty: all.
  struct Directions {
    std::vector<bool> to_key = {}, to_sky = {};

    bool empty() const { return to_key.empty(); }
    bool meet_to_key(int s) const { return to_key.empty() || to_key[s]; }
    bool meet_to_sky(int s) const { return to_sky.empty() || to_sky[s]; }
    bool any(int first, int count) const {
      for (int s = first; s < first + count; ++s)
        if (meet_to_key(s) || meet_to_sky(s)) return true;
      return false;
    }
  };

  /// Where rays to lamps and sky start, and which of the even set they are.
  struct Start {
    const Surface* surface;
    int place;
  };
  void gather(std::span<const Start> starts, const Directions& some,
              std::span<Gathered> into) const;
  void gather(std::span<const std::size_t> pixels, const Directions& some);
  bool needs_light(std::size_t pixel);
  bool is_black(int x, int y) const { return whole_ || ((x + y) & 1) == 0; }
  bool is_alone(int x, int y) const;
  bool may_gather(int x, int y) const;
  int place_of(std::size_t pixel) const {
    return block_place(int(pixel % view_.width), int(pixel / view_.width));
  }
  Directions directions_that_meet(const BoxSet& boxes, int plane, const Eigen::AlignedBox3f& from,
                                  int places) const;
  bool any_ray_meets_moved(const Surface& surface, int place) const;
  Vector3f to_sky(const Surface& surface, int s) const {
    return surface.is_plane() ? plane_to_sky_[surface.plane()][s]
                              : on_hemisphere(surface.normal, disk_[s]);
  }
  Vector3f background(float y) const;
  float vignette(int x, int y) const;
  Vector3f shade(const Surface& surface, const Gathered& light, float y) const;
  bool is_edge(int x, int y) const;
  Gathered light_near(const Surface& surface, int x, int y, bool& own) const;
  Vector3f refined(int x, int y, bool& own) const;
  bool is_stale(std::size_t pixel, std::uint8_t flags) const { return work_.stale[pixel] & flags; }
  bool gathers(const Surface& surface) const {
    return surface.what != Surface::nothing && !(surface.is_plane() && surface.ground <= 0);
  }

  Buffers& work_;
  View view_;
  Light light_;
  bool whole_;  // all pixels gather
  int samples_;
  int edge_samples_;
  bool keeps_ = false;  // what did not change, of the frame before
  Vector3f background_top_, background_bottom_;
  std::vector<std::vector<Vector3f>> plane_to_sky_;  // of each plane
  std::vector<Vector3f> to_key_;                     // the even set of directions to the key light
  std::vector<Eigen::Vector2f> disk_;  // the even set of directions to the sky, see on_hemisphere()
};

Pass::Pass(Buffers& work, const Shot& shot, const RenderSettings& settings)
    : work_(work),
      view_(shot.camera, settings.width, settings.height),
      light_(shot.look, shot.camera),
      whole_(settings.whole || settings.samples < fewest_shared),
      samples_(settings.samples),
      edge_samples_(std::clamp(2 * settings.samples, 4, 32)),
      background_top_(to_linear(shot.look.background_top).cast<float>()),
      background_bottom_(to_linear(shot.look.background_bottom).cast<float>()) {
  const std::size_t pixels = std::size_t(settings.width) * settings.height;
  for (int i = 0; i < samples_ * block * block; ++i) {
    to_key_.push_back(light_.key_sample(even_point(i)));
    disk_.push_back(to_disk(even_point(i)));
  }
  for (int plane = 0; plane < work_.stage.planes(); ++plane) {
    std::vector<Vector3f>& directions = plane_to_sky_.emplace_back();
    for (const Eigen::Vector2f& point : disk_)
      directions.push_back(on_hemisphere(work_.stage.plane_normal(plane), point));
  }
  work_.seen.resize(pixels);
  work_.noisy.resize(pixels);
  work_.alone.resize(pixels);
  work_.is_mesh.resize(pixels);
  work_.tiles.resize(std::size_t(tiles()));
  work_.gathered.resize(pixels);
  work_.color.resize(pixels);
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
    Surface& seen = work_.seen[index(columns[i], y)];
    const Surface now = work_.stage.surface(view_, columns[i] + 0.5f, y + 0.5f, hits[i]);
    std::uint8_t& stale = work_.stale[index(columns[i], y)];
    stale |= stale_pixel;  // rays of an edge's refinement lie beside this one
    if (keeps_ && now == seen) stale &= ~stale_eye;
    seen = now;
    work_.is_mesh[index(columns[i], y)] = now.what >= 0;
  }
}

// The share of the even set that belongs to each pixel. From planes only rays that may meet a mesh
// are followed.
void Pass::gather(std::span<const Start> starts, const Directions& some,
                  std::span<Gathered> into) const {
  std::vector<Ray> rays;
  std::vector<std::size_t> of;  // start of each ray
  std::vector<RayHit> hits(starts.size());
  std::vector<std::uint8_t> blocked(starts.size());
  const float share = 1.0f / float(samples_);
  for (Gathered& g : into) g = {.lit = 0, .ambient = Vector3f::Zero()};
  for (int s = 0; s < samples_; ++s) {
    const auto collect = [&](const auto& may_meet, const auto& direction, const auto& passes) {
      rays.clear();
      of.clear();
      for (std::size_t i = 0; i < starts.size(); ++i) {
        const int d = samples_ * starts[i].place + s;
        const Ray ray{.origin = starts[i].surface->start, .direction = direction(i, d)};
        if (may_meet(i, d)) {
          rays.push_back(ray);
          of.push_back(i);
        } else {
          passes(i, ray);
        }
      }
    };
    const auto faces_key = [&](std::size_t i) {
      return starts[i].surface->normal.dot(light_.key_direction()) > turned_away;
    };
    collect([&](std::size_t i, int d) { return faces_key(i) && some.meet_to_key(d); },
            [&](std::size_t, int d) { return to_key_[d]; },
            [&](std::size_t i, const Ray&) { into[i].lit += share; });
    work_.stage.rays().find_blocked(rays, blocked);
    for (std::size_t r = 0; r < rays.size(); ++r) into[of[r]].lit += blocked[r] ? 0 : share;

    collect([&](std::size_t, int d) { return some.meet_to_sky(d); },
            [&](std::size_t i, int d) { return to_sky(*starts[i].surface, d); },
            [&](std::size_t i, const Ray& ray) {
              into[i].ambient += share * work_.stage.arriving(light_, ray, {});
            });
    work_.stage.rays().find_hits(rays, hits, true);
    for (std::size_t r = 0; r < rays.size(); ++r)
      into[of[r]].ambient += share * work_.stage.arriving(light_, rays[r], hits[r]);
  }
}

void Pass::gather(std::span<const std::size_t> pixels, const Directions& some) {
  std::vector<Start> starts;
  for (const std::size_t pixel : pixels) starts.push_back({&work_.seen[pixel], place_of(pixel)});
  std::vector<Gathered> results(pixels.size());
  gather(starts, some, results);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    Gathered& kept = work_.noisy[pixels[i]];
    if (!is_stale(pixels[i], stale_eye) && kept == results[i])
      work_.stale[pixels[i]] &= ~stale_light;
    kept = results[i];
  }
}

// Of all points of a plane in a tile, towards the even set of the first places.
Pass::Directions Pass::directions_that_meet(const BoxSet& boxes, int plane,
                                            const Eigen::AlignedBox3f& from, int places) const {
  Directions some;
  for (std::size_t s = 0; s < std::size_t(samples_ * places); ++s) {
    some.to_key.push_back(boxes.may_meet(from, to_key_[s]));
    some.to_sky.push_back(boxes.may_meet(from, plane_to_sky_[plane][s]));
  }
  return some;
}

bool Pass::any_ray_meets_moved(const Surface& surface, int place) const {
  const BoxSet& moved = work_.redraw.moved();
  const Eigen::AlignedBox3f start(surface.start);
  for (int s = samples_ * place; s < samples_ * (place + 1); ++s)
    if (moved.may_meet(start, to_key_[s]) || moved.may_meet(start, to_sky(surface, s))) return true;
  return false;
}

bool Pass::needs_light(std::size_t pixel) {
  std::uint8_t& stale = work_.stale[pixel];
  if (stale & stale_eye || (keeps_ && any_ray_meets_moved(work_.seen[pixel], place_of(pixel))))
    stale |= stale_light;
  return stale & stale_light;
}

// Whether a white pixel finds nothing of its surface on the black ones beside it.
bool Pass::is_alone(int x, int y) const {
  const Surface& here = work_.seen[index(x, y)];
  const float tolerance = 3 * view_.pixel_size(here.depth);
  for (const auto& [dx, dy] : beside)
    if (inside(x + dx, y + dy) && same_surface(here, work_.seen[index(x + dx, y + dy)], tolerance))
      return false;
  return true;
}

// When the surfaces around have changed it may have become so, or be so no more.
void Pass::find_alone(int y) {
  for (int x = 0; x < view_.width; ++x) {
    if (is_black(x, y)) continue;
    bool changed = is_stale(index(x, y), stale_eye);
    for (const auto& [dx, dy] : beside)
      changed = changed || (inside(x + dx, y + dy) && is_stale(index(x + dx, y + dy), stale_eye));
    work_.spread[index(x, y)] = changed;
    if (changed) work_.alone[index(x, y)] = is_alone(x, y);
  }
}

bool Pass::may_gather(int x, int y) const { return is_black(x, y) || work_.alone[index(x, y)]; }

// Pixels of meshes, and those that gather nothing.
void Pass::gather_row(int y) {
  // Pixels four apart use the same directions: they make good packets.
  std::array<std::vector<std::size_t>, block> pixels;
  for (int x = 0; x < view_.width; ++x) {
    const std::size_t pixel = index(x, y);
    if (work_.is_mesh[pixel]) {
      if (!is_black(x, y) && work_.spread[pixel]) work_.stale[pixel] |= stale_light;
      if (may_gather(x, y) && needs_light(pixel)) pixels[x % block].push_back(pixel);
    } else if (is_stale(pixel, stale_eye) && !gathers(work_.seen[pixel])) {
      work_.stale[pixel] |= stale_light;
      work_.noisy[pixel] = {};
    }
  }
  for (const std::vector<std::size_t>& list : pixels) gather(list, {});
}

template <class Work>
void Pass::for_each_pixel(int number, const Work& work) const {
  const int columns = (view_.width + tile - 1) / tile;
  const int left = number % columns * tile, top = number / columns * tile;
  const int right = std::min(left + tile, view_.width), bottom = std::min(top + tile, view_.height);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) work(x, y);
}

void Pass::find_planes(int number) {
  TilePlanes& known = work_.tiles[std::size_t(number)];
  known.planes.assign(std::size_t(work_.stage.planes()), {});
  for_each_pixel(number, [&](int x, int y) {
    const Surface& surface = work_.seen[index(x, y)];
    if (!surface.is_plane() || !gathers(surface)) return;
    if (!is_black(x, y) && !work_.alone[index(x, y)]) return;
    TilePlanes::Plane& plane = known.planes[std::size_t(surface.plane())];
    plane.starts.extend(surface.start);
    plane.places =
        std::max(plane.places, is_black(x, y) && !whole_ ? block * block / 2 : block * block);
  });
}

// Pixels of planes: those of one plane have one set of directions, most of which meet nothing.
void Pass::gather_tile(int number) {
  bool changed = !keeps_, any_stale = !keeps_;
  for_each_pixel(number, [&](int x, int y) {
    const std::size_t pixel = index(x, y);
    const bool is_new = !is_black(x, y) && work_.spread[pixel];
    if (is_new) work_.stale[pixel] |= stale_light;
    changed = changed || is_new || is_stale(pixel, stale_eye);
    any_stale = any_stale || is_stale(pixel, stale_light);
  });
  if (changed) find_planes(number);
  any_stale = any_stale || changed;
  for (int plane = 0; plane < work_.stage.planes(); ++plane) {
    const TilePlanes::Plane& known = work_.tiles[std::size_t(number)].planes[std::size_t(plane)];
    if (known.places == 0) continue;
    Directions moved;
    if (keeps_) {
      moved = directions_that_meet(work_.redraw.moved(), plane, known.starts, known.places);
      if (!any_stale && !moved.any(0, samples_ * known.places)) continue;
    }
    std::vector<std::size_t> pixels;
    for_each_pixel(number, [&](int x, int y) {
      const std::size_t pixel = index(x, y);
      const Surface& surface = work_.seen[pixel];
      if (!surface.is_plane() || surface.plane() != plane || !gathers(surface)) return;
      if (!may_gather(x, y)) return;
      if (!is_stale(pixel, stale_eye | stale_light) &&
          !(keeps_ && moved.any(samples_ * place_of(pixel), samples_)))
        return;
      work_.stale[pixel] |= stale_light;
      pixels.push_back(pixel);
    });
    if (pixels.empty()) continue;
    // Rays of one place go the same way: they make good packets.
    std::stable_sort(pixels.begin(), pixels.end(),
                     [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
    gather(pixels, directions_that_meet(work_.stage.boxes(), plane, known.starts, known.places));
  }
}

void Pass::smooth_row(int y) {
  // Half weights at both ends: each place of the 4 x 4 block counts exactly once.
  constexpr int reach = smooth_reach;
  for (int x = 0; x < view_.width; ++x) {
    if (!is_stale(index(x, y), stale_color)) continue;
    const Surface& here = work_.seen[index(x, y)];
    if (here.what == Surface::nothing) continue;
    const float tolerance = 3 * view_.pixel_size(here.depth);
    Gathered sum{.lit = 0, .ambient = Vector3f::Zero()};
    float weights = 0;
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx) {
        if (!inside(x + dx, y + dy)) continue;
        const bool itself = dx == 0 && dy == 0;
        if (!is_black(x + dx, y + dy) && !(itself && work_.alone[index(x, y)])) continue;
        const std::size_t other = index(x + dx, y + dy);
        if (!itself && !same_surface(here, work_.seen[other], tolerance)) continue;
        const float weight =
            (std::abs(dx) == reach ? 0.5f : 1) * (std::abs(dy) == reach ? 0.5f : 1);
        sum.lit += weight * work_.noisy[other].lit;
        sum.ambient += weight * work_.noisy[other].ambient;
        weights += weight;
      }
    work_.gathered[index(x, y)] = {.lit = sum.lit / weights, .ambient = sum.ambient / weights};
  }
}

Vector3f Pass::background(float y) const {
  const float t = std::clamp(y / float(view_.height), 0.0f, 1.0f);
  const float s = 1 - (1 - t) * (1 - t) * (1 - t);  // most of the change near the top: a far wall
  return background_top_ + s * (background_bottom_ - background_top_);
}

// Lenses darken towards the corners, and eyes stay in the middle.
float Pass::vignette(int x, int y) const {
  const float u = 2 * (x + 0.5f) / view_.width - 1, v = 2 * (y + 0.5f) / view_.height - 1;
  const float r = 0.5f * (u * u + v * v);
  return 1 - 0.16f * r * r;
}

Vector3f Pass::shade(const Surface& surface, const Gathered& light, float y) const {
  if (surface.what == Surface::nothing) return background(y);
  if (surface.is_plane()) {
    const float share = surface.ground;
    const float cos_key = std::max(0.0f, surface.normal.dot(light_.key_direction()));
    const Vector3f own =
        surface.color.cwiseProduct(light.ambient + light.lit * cos_key * light_.key());
    const Vector3f behind = background(y);
    return behind + share * (own.cwiseMin(1) - behind);
  }
  const Vector3f to_eye = (view_.eye - surface.position).normalized();
  return tone(reflected(light_, surface.normal, to_eye, surface.color, light.lit, light.ambient));
}

void Pass::shade_row(int y) {
  for (int x = 0; x < view_.width; ++x)
    if (is_stale(index(x, y), stale_color))
      work_.color[index(x, y)] =
          shade(work_.seen[index(x, y)], work_.gathered[index(x, y)], float(y) + 0.5f);
}

bool Pass::is_edge(int x, int y) const {
  const std::size_t here = index(x, y);
  const Surface& a = work_.seen[here];
  for (const auto& [dx, dy] : beside) {
    if (!inside(x + dx, y + dy)) continue;
    const std::size_t other = index(x + dx, y + dy);
    const Surface& b = work_.seen[other];
    if (a.what != b.what) return true;
    if (a.what < 0) continue;  // grid lines are smooth as they are
    if (!same_surface(a, b, 6 * view_.pixel_size(a.depth))) return true;
    if ((work_.color[here] - work_.color[other]).cwiseAbs().maxCoeff() > 0.06f) return true;
  }
  return false;
}

// What the most similar pixel around gathered; rays of its own when there is none.
Gathered Pass::light_near(const Surface& surface, int x, int y, bool& own) const {
  const Gathered* best = nullptr;
  float best_score = 0;
  const float pixel = view_.pixel_size(surface.depth);
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if (!inside(x + dx, y + dy)) continue;
      const Surface& other = work_.seen[index(x + dx, y + dy)];
      if (other.what != surface.what || other.normal.dot(surface.normal) < 0.6f) continue;
      const float apart = (other.position - surface.position).norm() / pixel;
      const float score = other.normal.dot(surface.normal) / (1 + 0.2f * apart);
      if (score <= best_score || apart > 30) continue;
      best_score = score;
      best = &work_.gathered[index(x + dx, y + dy)];
    }
  if (best) return *best;
  own = true;
  const Start one{&surface, block_place(x, y)};
  Gathered result;
  gather({&one, 1}, {}, {&result, 1});
  return result;
}

Vector3f Pass::refined(int x, int y, bool& own) const {
  std::vector<Ray> rays(edge_samples_);
  std::vector<RayHit> hits(edge_samples_);
  std::vector<Eigen::Vector2f> places(edge_samples_);
  for (int s = 0; s < edge_samples_; ++s) {
    places[s] = Eigen::Vector2f(x, y) + even_point(s);
    rays[s] = {.origin = view_.eye, .direction = view_.direction(places[s].x(), places[s].y())};
  }
  work_.stage.rays().find_hits(rays, hits, true);
  Vector3f sum = Vector3f::Zero();
  for (int s = 0; s < edge_samples_; ++s) {
    const Surface surface = work_.stage.surface(view_, places[s].x(), places[s].y(), hits[s]);
    const Gathered light =
        surface.what == Surface::nothing ? Gathered{} : light_near(surface, x, y, own);
    sum += shade(surface, light, places[s].y());
  }
  return sum / float(edge_samples_);
}

void Pass::finish_row(int y) {
  for (int x = 0; x < view_.width; ++x) {
    std::uint8_t& stale = work_.stale[index(x, y)];
    if (!(stale & (stale_pixel | own_rays))) continue;
    bool own = false;
    const Vector3f color = is_edge(x, y) ? refined(x, y, own) : work_.color[index(x, y)];
    work_.image.at(x, y) = to_pixel_quickly(vignette(x, y) * color, dither(x, y));
    stale = own ? own_rays : 0;
  }
}

// Smoothing reaches over a square; its rows first, then its columns.
void Pass::find_stale_color(int y) {
  std::uint8_t* const spread = &work_.spread[index(0, y)];
  const std::uint8_t* const stale = &work_.stale[index(0, y)];
  std::fill(spread, spread + view_.width, std::uint8_t(0));
  for (int dx = -smooth_reach; dx <= smooth_reach; ++dx) {
    const int end = std::min(view_.width, view_.width - dx);
    for (int x = std::max(0, -dx); x < end; ++x) spread[x] |= stale[x + dx] & stale_light;
  }
}

void Pass::find_stale_pixels(int y) {
  std::vector<std::uint8_t> color(std::size_t(view_.width) + 2, 0), around = color;  // from x = -1
  for (int dy = -smooth_reach - 1; dy <= smooth_reach + 1; ++dy) {
    if (!inside(0, y + dy)) continue;
    const std::uint8_t* const spread = &work_.spread[index(0, y + dy)];
    const bool near = std::abs(dy) <= smooth_reach;
    for (int x = 0; x < view_.width; ++x) {
      if (near) color[std::size_t(x) + 1] |= spread[x];
      around[std::size_t(x) + 1] |= spread[x];
    }
  }
  // A pixel is finished from the colors of those around it.
  std::uint8_t* const stale = &work_.stale[index(0, y)];
  for (std::size_t x = 0; x < std::size_t(view_.width); ++x) {
    const std::uint8_t any = around[x] | around[x + 1] | around[x + 2];
    stale[x] |= (color[x + 1] ? stale_color : 0) | (any ? stale_pixel : 0);
  }
}

}  // namespace

struct Renderer::Work : Buffers {};

double grid_spacing(const Camera& camera) {
  const double wanted = (camera.target - camera.eye).norm() / 12;
  if (!(wanted > 0)) return 1;
  const double ten = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double step : {1.0, 2.0, 5.0})
    if (wanted < 1.5 * step * ten) return step * ten;
  return 10 * ten;
}

Renderer::Renderer() : work_(std::make_unique<Work>()) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Image Renderer::render(const Shot& shot, const RenderSettings& settings) {
  ASSERT(settings.samples >= 1, "light needs at least one ray");
  Work& work = *work_;
  const bool comparable = work.redraw.follow(shot, settings) && !settings.whole;
  if (comparable && work.redraw.is_same()) return work.image;
  work.stage.build(shot);
  Pass pass(work, shot, settings);
  const auto for_rows = [&](int rows, auto&& work_on) {
    parallel_for(rows, rows_at_once, [&](int begin, int end) {
      for (int y = begin; y < end; ++y) work_on(y);
    });
  };
  const int rows = settings.height;
  const bool keeps = comparable && pass.find_stale_eye();
  if (!keeps) pass.draw_all();
  for_rows(rows, [&](int y) { pass.see_row(y); });
  for_rows(rows, [&](int y) { pass.find_alone(y); });
  for_rows(rows, [&](int y) { pass.gather_row(y); });
  parallel_for(pass.tiles(), 1, [&](int number, int) { pass.gather_tile(number); });
  if (keeps) {
    for_rows(rows, [&](int y) { pass.find_stale_color(y); });
    for_rows(rows, [&](int y) { pass.find_stale_pixels(y); });
  }
  for_rows(rows, [&](int y) { pass.smooth_row(y); });
  for_rows(rows, [&](int y) { pass.shade_row(y); });
  for_rows(rows, [&](int y) { pass.finish_row(y); });
  return work.image;
}

}  // namespace pliant
