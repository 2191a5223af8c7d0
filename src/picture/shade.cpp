#include <algorithm>
#include <array>
#include <cmath>

#include "picture/pass.h"

// Colors from surfaces and light, and more eye rays where neighbours differ.

namespace pliant {

using Eigen::Vector3f;

namespace {

constexpr float seen_step = 0.06f;  // of a color, between neighbours: its edge wants smoothing

// A fixed pattern in [-0.5, 0.5) that hides the steps of 8-bit gradients.
float dither(int x, int y) {
  const auto fraction = [](float f) { return f - float(int(f)); };  // of what is not negative
  return fraction(52.9829189f * fraction(0.06711056f * float(x) + 0.00583715f * float(y))) - 0.5f;
}

constexpr int beside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

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

}  // namespace

Vector3f Pass::background(float y) const {
  const float t = std::clamp(y / float(view_.height), 0.0f, 1.0f);
  const float s = 1 - (1 - t) * (1 - t) * (1 - t);  // most of the change near the top: a far wall
  return background_top_ + s * (background_bottom_ - background_top_);
}

// Lenses darken towards the corners, and eyes stay in the middle.
float Pass::vignette(int x, float row) const {
  const float u = float(2 * x + 1) * per_column_ - 1;
  const float r = 0.5f * (u * u + row);
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
  for (const auto& [dx, dy] : beside)
    if (inside(x + dx, y + dy) && work_.what[here] != work_.what[index(x + dx, y + dy)])
      return true;
  if (work_.what[here] < 0) return false;  // grid lines are smooth as they are
  const Surface& a = work_.seen[here];
  for (const auto& [dx, dy] : beside) {
    if (!inside(x + dx, y + dy)) continue;
    const std::size_t other = index(x + dx, y + dy);
    if (!same_surface(a, work_.seen[other], 6 * view_.pixel_size(a.depth))) return true;
    if ((work_.color[here] - work_.color[other]).cwiseAbs().maxCoeff() > seen_step) return true;
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
      if (work_.what[index(x + dx, y + dy)] != surface.what) continue;
      const Surface& other = work_.seen[index(x + dx, y + dy)];
      if (other.normal.dot(surface.normal) < 0.6f) continue;
      const float apart = (other.position - surface.position).norm() / pixel;
      const float score = other.normal.dot(surface.normal) / (1 + 0.2f * apart);
      if (score <= best_score || apart > 30) continue;
      best_score = score;
      best = &work_.gathered[index(x + dx, y + dy)];
    }
  if (best) return *best;
  own = true;
  const Start one{&surface, place_of(x, y)};
  Gathered result{.lit = 0};
  gather_key({&one, 1}, {}, {0, samples_}, {&result.lit, 1});
  gather_sky({&one, 1}, {}, {&result.ambient, 1});
  return result;
}

// Half of an edge's rays tell whether it runs through the pixel at all; if not, they are enough.
void Pass::add_round(int y, int round, std::vector<Edge>& edges) const {
  const int half = edge_samples_ / 2;
  std::vector<Ray> rays;
  for (const Edge& edge : edges)
    for (int s = round * half; s < (round + 1) * half; ++s) {
      const Eigen::Vector2f place = Eigen::Vector2f(edge.x, y) + even_point(s);
      rays.push_back({.origin = view_.eye, .direction = view_.direction(place.x(), place.y())});
    }
  std::vector<RayHit> hits(rays.size());
  work_.stage.rays().find_hits(rays, hits, true);
  const RayHit* hit = hits.data();
  for (Edge& edge : edges) {
    Vector3f low = Vector3f::Ones(), high = Vector3f::Zero();
    for (int s = round * half; s < (round + 1) * half; ++s, ++hit) {
      const Eigen::Vector2f place = Eigen::Vector2f(edge.x, y) + even_point(s);
      const Surface surface = work_.stage.surface(view_, place.x(), place.y(), *hit);
      const Gathered light =
          surface.what == Surface::nothing ? Gathered{} : light_near(surface, edge.x, y, edge.own);
      const Vector3f color = shade(surface, light, place.y());
      edge.sum += color;
      ++edge.rays;
      low = low.cwiseMin(color);
      high = high.cwiseMax(color);
    }
    edge.runs_through = (high - low).maxCoeff() > seen_step;
  }
}

void Pass::finish_row(int y) {
  std::vector<Edge> edges;
  const float v = (2 * float(y) + 1) / float(view_.height) - 1, row = v * v;
  const auto finish = [&](int x, const Vector3f& color, bool own) {
    work_.image.at(x, y) = to_pixel_quickly(vignette(x, row) * color, dither(x, y));
    work_.stale[index(x, y)] = own ? own_rays : 0;
  };
  for (int x = 0; x < view_.width; ++x) {
    const bool stale = is_stale(index(x, y), stale_pixel | own_rays) || work_.spread[index(x, y)];
    if (!stale) work_.stale[index(x, y)] = 0;
    else if (is_edge(x, y)) edges.push_back({.x = x});
    else finish(x, work_.color[index(x, y)], false);
  }
  add_round(y, 0, edges);
  std::vector<Edge> wanting;
  for (const Edge& edge : edges) {
    if (whole_ || edge.runs_through) wanting.push_back(edge);
    else finish(edge.x, edge.sum / float(edge.rays), edge.own);
  }
  add_round(y, 1, wanting);
  for (const Edge& edge : wanting) finish(edge.x, edge.sum / float(edge.rays), edge.own);
}

}  // namespace pliant
