#include "picture/render.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"
#include "picture/stage.h"

// Four passes over the rows of the picture, each writing only its own row:
//   see      one ray through the middle of each pixel
//   gather   a few rays from there to the key light and to the sky
//   smooth   neighbours on the same surface share what they gathered
//   shade    colors; where neighbours differ, more eye rays through the pixel
// Pixels of a 4 x 4 block use different sixteenths of one even set of directions, and smoothing
// adds up whole blocks, so that every pixel ends up with the full set and no noise is left
// (interleaved sampling, Keller and Heidrich 2001).

namespace pliant {
namespace {

using Eigen::Vector3f;

constexpr int rows_at_once = 4;
constexpr int block = 4;

// Light that arrives at a pixel's surface.
struct Gathered {
  float lit = 1;                        // visible part of the key light
  Vector3f ambient = Vector3f::Zero();  // the rest, as a white surface would reflect it
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

bool same_surface(const Surface& a, const Surface& b, float tolerance) {
  return a.what == b.what && a.normal.dot(b.normal) > 0.9f &&
         std::abs(a.normal.dot(b.position - a.position)) < tolerance;
}

struct Buffers {
  Stage stage;
  std::vector<Surface> seen;
  std::vector<Gathered> noisy, gathered;
  std::vector<Vector3f> color;  // linear, tone-mapped
};

class Pass {
 public:
  Pass(Buffers& work, const Shot& shot, const RenderSettings& settings);

  void see_row(int y);
  void gather_row(int y);
  void smooth_row(int y);
  void shade_row(int y);
  void finish_row(int y, Image& image) const;

 private:
  std::size_t index(int x, int y) const { return std::size_t(y) * view_.width + x; }
  bool inside(int x, int y) const {
    return x >= 0 && y >= 0 && x < view_.width && y < view_.height;
  }
  void gather(std::span<const Surface* const> surfaces, int first, std::span<Gathered> into) const;
  Vector3f background(float y) const;
  float vignette(int x, int y) const;
  Vector3f shade(const Surface& surface, const Gathered& light, float y) const;
  bool is_edge(int x, int y) const;
  Gathered light_near(const Surface& surface, int x, int y) const;
  Vector3f refined(int x, int y) const;

  Buffers& work_;
  View view_;
  Light light_;
  int samples_;
  int edge_samples_;
  Vector3f background_top_, background_bottom_;
};

Pass::Pass(Buffers& work, const Shot& shot, const RenderSettings& settings)
    : work_(work),
      view_(shot.camera, settings.width, settings.height),
      light_(shot.look, shot.camera),
      samples_(settings.samples),
      edge_samples_(std::clamp(2 * settings.samples, 4, 32)),
      background_top_(to_linear(shot.look.background_top).cast<float>()),
      background_bottom_(to_linear(shot.look.background_bottom).cast<float>()) {
  const std::size_t pixels = std::size_t(settings.width) * settings.height;
  work_.seen.resize(pixels);
  work_.noisy.resize(pixels);
  work_.gathered.resize(pixels);
  work_.color.resize(pixels);
}

void Pass::see_row(int y) {
  std::vector<Ray> rays(view_.width);
  std::vector<RayHit> hits(view_.width);
  for (int x = 0; x < view_.width; ++x)
    rays[x] = {.origin = view_.eye, .direction = view_.direction(x + 0.5f, y + 0.5f)};
  work_.stage.rays().find_hits(rays, hits, true);
  for (int x = 0; x < view_.width; ++x)
    work_.seen[index(x, y)] = work_.stage.surface(view_, x + 0.5f, y + 0.5f, hits[x]);
}

// Directions first .. first + samples of the even set, for surfaces that look at about the same
// things.
void Pass::gather(std::span<const Surface* const> surfaces, int first,
                  std::span<Gathered> into) const {
  std::vector<Ray> rays(surfaces.size());
  std::vector<RayHit> hits(surfaces.size());
  std::vector<std::uint8_t> blocked(surfaces.size());
  for (Gathered& g : into) g = {.lit = 0, .ambient = Vector3f::Zero()};
  const float share = 1.0f / float(samples_);
  for (int s = 0; s < samples_; ++s) {
    const Eigen::Vector2f uv = even_point(first + s);
    const Vector3f to_key = light_.key_sample(uv);
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      rays[i] = {.origin = surfaces[i]->start, .direction = to_key};
    work_.stage.rays().find_blocked(rays, blocked);
    for (std::size_t i = 0; i < surfaces.size(); ++i) into[i].lit += blocked[i] ? 0 : share;

    for (std::size_t i = 0; i < surfaces.size(); ++i)
      rays[i].direction = cosine_direction(surfaces[i]->normal, uv);
    work_.stage.rays().find_hits(rays, hits, false);
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      into[i].ambient += share * work_.stage.arriving(light_, rays[i], hits[i]);
  }
}

void Pass::gather_row(int y) {
  // Pixels four apart use the same directions: they make good packets.
  std::vector<const Surface*> surfaces;
  std::vector<int> columns;
  std::vector<Gathered> results;
  for (int phase = 0; phase < block; ++phase) {
    surfaces.clear();
    columns.clear();
    for (int x = phase; x < view_.width; x += block) {
      const Surface& surface = work_.seen[index(x, y)];
      if (surface.what == Surface::nothing) continue;
      if (surface.is_plane() && ground_share(view_, surface) <= 0) continue;
      surfaces.push_back(&surface);
      columns.push_back(x);
    }
    results.resize(surfaces.size());
    gather(surfaces, samples_ * block_place(phase, y), results);
    for (std::size_t i = 0; i < columns.size(); ++i) work_.noisy[index(columns[i], y)] = results[i];
  }
}

void Pass::smooth_row(int y) {
  // Half weights at both ends: each place of the 4 x 4 block counts exactly once.
  constexpr int reach = block / 2;
  for (int x = 0; x < view_.width; ++x) {
    const Surface& here = work_.seen[index(x, y)];
    if (here.what == Surface::nothing) continue;
    const float tolerance = 3 * view_.pixel_size(here.depth);
    Gathered sum{.lit = 0, .ambient = Vector3f::Zero()};
    float weights = 0;
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx) {
        if (!inside(x + dx, y + dy)) continue;
        const std::size_t other = index(x + dx, y + dy);
        if (!same_surface(here, work_.seen[other], tolerance)) continue;
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
    const float share = ground_share(view_, surface);
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
    work_.color[index(x, y)] =
        shade(work_.seen[index(x, y)], work_.gathered[index(x, y)], float(y) + 0.5f);
}

bool Pass::is_edge(int x, int y) const {
  const std::size_t here = index(x, y);
  const Surface& a = work_.seen[here];
  const int beside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
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
Gathered Pass::light_near(const Surface& surface, int x, int y) const {
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
  const Surface* one = &surface;
  Gathered result;
  gather({&one, 1}, samples_ * block_place(x, y), {&result, 1});
  return result;
}

Vector3f Pass::refined(int x, int y) const {
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
        surface.what == Surface::nothing ? Gathered{} : light_near(surface, x, y);
    sum += shade(surface, light, places[s].y());
  }
  return sum / float(edge_samples_);
}

void Pass::finish_row(int y, Image& image) const {
  for (int x = 0; x < view_.width; ++x) {
    const Vector3f color = is_edge(x, y) ? refined(x, y) : work_.color[index(x, y)];
    const double shift = dither(x, y) / 255;
    image.at(x, y) =
        to_pixel(to_srgb((vignette(x, y) * color).cast<double>()) + Vec3::Constant(shift));
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
  Image image(settings.width, settings.height);
  work_->stage.build(shot);
  Pass pass(*work_, shot, settings);
  const auto for_rows = [&](auto&& work) {
    parallel_for(settings.height, rows_at_once, [&](int begin, int end) {
      for (int y = begin; y < end; ++y) work(y);
    });
  };
  for_rows([&](int y) { pass.see_row(y); });
  for_rows([&](int y) { pass.gather_row(y); });
  for_rows([&](int y) { pass.smooth_row(y); });
  for_rows([&](int y) { pass.shade_row(y); });
  for_rows([&](int y) { pass.finish_row(y, image); });
  return image;
}

}  // namespace pliant
