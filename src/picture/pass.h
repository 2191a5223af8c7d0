#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "picture/redraw.h"
#include "picture/stage.h"

// The passes of render.cpp and what they leave for one another. Known in this room only.

namespace pliant {

/// Light that arrives at a pixel's surface.
struct Gathered {
  float lit = 1;                                      // visible part of the key light
  Eigen::Vector3f ambient = Eigen::Vector3f::Zero();  // the rest, as a white surface reflects it

  bool operator==(const Gathered& other) const {
    return lit == other.lit && ambient == other.ambient;
  }
};

/// Neighbours that share light: of one plane, or of one smooth part of a mesh.
inline bool same_surface(const Surface& a, const Surface& b, float tolerance) {
  if (a.what != b.what) return false;
  return a.is_plane() || (a.normal.dot(b.normal) > 0.9f &&
                          std::abs(a.normal.dot(b.position - a.position)) < tolerance);
}

/// Sets into[x] where `flag` is set in a row at most `reach` columns away.
void spread_flag(std::span<const std::uint8_t> row, std::uint8_t flag, int reach,
                 std::span<std::uint8_t> into);

/// [m] how far from each other's plane neighbours of one surface lie, for pixels of that size.
inline float same_within(float pixel) { return 3 * pixel; }

/// Where rays towards light leave the planes of a tile, as of when its eye rays changed last.
struct TilePlanes {
  std::vector<Eigen::AlignedBox3f> starts;  // of each plane; empty: nothing of it gathers
};

/// What the passes leave; kept from frame to frame.
struct Buffers {
  Stage stage;
  Redraw redraw;
  Image image;
  std::vector<std::uint8_t> stale, spread;  // spread: what neighbours tell
  std::vector<std::uint8_t> alone;          // pixels off the lattice that gather for themselves
  std::vector<std::uint8_t> rim;            // flags of shadow_rims.cpp
  std::vector<float> rough;                 // of the lattice: visible key light by the first rays
  std::vector<Surface> seen;
  std::vector<int> what;  // of what is seen
  std::vector<TilePlanes> tiles;
  std::vector<Gathered> noisy;         // by rays of the pixel's own
  std::vector<Gathered> wide;          // of the lattice: means over its neighbours there
  std::vector<Gathered> gathered;      // of all pixels
  std::vector<Eigen::Vector3f> color;  // linear, tone-mapped
};

/// One frame's drawing, row by row or tile by tile; rows of one pass may be drawn in any order.
class Pass {
 public:
  static constexpr int tile =
      32;  // pixels of a plane that ask together whether rays meet something

  Pass(Buffers& work, const Shot& shot, const RenderSettings& settings);

  bool whole() const { return whole_; }
  int rows() const { return view_.height; }
  int tiles() const {
    return ((view_.width + tile - 1) / tile) * ((view_.height + tile - 1) / tile);
  }

  /// Marks what may differ from the picture before. False: nothing of it can be kept.
  bool find_stale_eye();
  void draw_all();
  void find_stale_light(int y);
  void find_stale_color(int y);
  void find_stale_pixels(int y);

  void see_row(int y);
  void find_alone(int y);
  void gather_tile(int tile);
  void find_rims_row(int y);
  void smooth_row(int y);
  void spread_row(int y);
  void smooth_whole_row(int y);
  void shade_row(int y);
  void finish_row(int y);

 private:
  // Passes whose result of a pixel may have changed.
  static constexpr std::uint8_t stale_eye = 1, stale_light = 2, stale_color = 4, stale_pixel = 8;
  static constexpr std::uint8_t own_rays =
      16;  // it gathered light at an edge by itself: never kept
  static constexpr std::uint8_t any_flag = 255;
  static constexpr std::uint8_t in_rim = 1, rim_changed = 2;  // of a shadow

  /// Which of the even set of directions may meet something; empty: all.
  struct Directions {
    std::vector<std::uint8_t> to_key = {}, to_sky = {};

    bool meet_to_key(std::size_t s) const { return to_key.empty() || to_key[s]; }
    bool meet_to_sky(std::size_t s) const { return to_sky.empty() || to_sky[s]; }
    bool any() const { return any(to_key) || any(to_sky); }
    /// Of the directions that belong to a place.
    bool any_of(std::size_t place, std::size_t key_samples, std::size_t sky_samples) const {
      return any(std::span(to_key).subspan(place * key_samples, key_samples)) ||
             any(std::span(to_sky).subspan(place * sky_samples, sky_samples));
    }

   private:
    static bool any(std::span<const std::uint8_t> some) {
      return std::any_of(some.begin(), some.end(), [](std::uint8_t one) { return one != 0; });
    }
  };

  /// Where rays to lamps and sky start, and which of the even set they are.
  struct Start {
    const Surface* surface;
    int place;
  };

  std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(view_.width) + x; }
  std::size_t wide_index(int x, int y) const {
    return std::size_t(y / 2) * std::size_t((view_.width + 1) / 2) + std::size_t(x / 2);
  }
  bool inside(int x, int y) const {
    return x >= 0 && y >= 0 && x < view_.width && y < view_.height;
  }
  std::span<std::uint8_t> row_of(std::vector<std::uint8_t>& flags, int y) const {
    return std::span(flags).subspan(index(0, y), std::size_t(view_.width));
  }
  bool is_stale(std::size_t pixel, std::uint8_t flags) const { return work_.stale[pixel] & flags; }

  // Who gathers.
  bool is_on_lattice(int x, int y) const { return whole_ || ((x | y) & 1) == 0; }
  bool may_gather(int x, int y) const { return is_on_lattice(x, y) || work_.alone[index(x, y)]; }
  bool gathers(const Surface& surface) const {
    return surface.what != Surface::nothing && !(surface.is_plane() && surface.ground <= 0);
  }
  /// Calls work(u, v) for the pixels of the lattice that touch a pixel: itself, two, or four.
  template <class Work>
  void for_each_on_lattice(int x, int y, const Work& work) const {
    const int dx = x & 1, dy = y & 1;
    for (int v = y - dy; v <= y + dy; v += 2)
      for (int u = x - dx; u <= x + dx; u += 2)
        if (inside(u, v)) work(u, v);
  }
  bool is_alone(int x, int y) const;
  int place_of(int x, int y) const;
  int place_of(std::size_t pixel) const {
    return place_of(int(pixel % std::size_t(view_.width)), int(pixel / std::size_t(view_.width)));
  }

  // By which rays.
  bool faces_key(const Surface& surface) const;
  /// Which of the rays that a pixel has to the key light.
  struct KeyRays {
    int begin, end;
  };
  int first_key_rays() const { return (samples_ + 1) / 2; }
  /// Odd places begin in the middle of theirs, so that the first half of all is even, too.
  std::size_t key_direction(int place, int s) const {
    return std::size_t(samples_ * place + (s + (place & 1) * (samples_ / 2)) % samples_);
  }
  void gather_key(std::span<const Start> starts, const Directions& some, KeyRays which,
                  std::span<float> lit) const;
  void gather_sky(std::span<const Start> starts, const Directions& some,
                  std::span<Eigen::Vector3f> ambient) const;
  std::vector<Start> starts_of(std::span<const std::size_t> pixels) const;
  void gather(std::span<const std::size_t> pixels, const Directions& some, KeyRays which);
  bool any_ray_meets_moved(const Surface& surface, int place) const;
  bool key_meets_moved(const Surface& surface, int place) const;
  bool needs_light(std::size_t pixel, int place);
  Eigen::Vector3f to_sky(const Surface& surface, int s) const {
    return surface.is_plane() ? plane_to_sky_[std::size_t(surface.plane())][std::size_t(s)]
                              : on_hemisphere(surface.normal, disk_[std::size_t(s)]);
  }
  Directions directions_that_meet(const BoxSet& boxes, int plane,
                                  const Eigen::AlignedBox3f& from) const;
  template <class Work>
  void for_each_pixel(int tile, const Work& work) const;
  void find_planes(int tile);
  void gather_meshes(int tile);
  void gather_plane(int tile, int plane, const Directions& moved);
  void gather_together(std::vector<std::pair<int, std::size_t>>& pixels, const Directions& some);

  // Shared with neighbours.
  bool is_same(std::size_t a, std::size_t b, float tolerance) const {
    if (work_.what[a] != work_.what[b]) return false;
    return work_.what[a] < 0 || same_surface(work_.seen[a], work_.seen[b], tolerance);
  }
  float tolerance_at(std::size_t pixel) const {
    return work_.what[pixel] < 0 ? 0 : same_within(view_.pixel_size(work_.seen[pixel].depth));
  }
  float roughly_lit(int x, int y) const;
  void set_lit(std::size_t pixel, float lit, bool in_rim_now);
  void ask_in_rims(std::span<const std::size_t> pixels);
  Gathered alone_among(int x, int y) const;
  void take_light(std::size_t pixel, const Gathered& light);

  // Colors.
  Eigen::Vector3f background(float y) const;
  float vignette(int x, float row) const;
  Eigen::Vector3f shade(const Surface& surface, const Gathered& light, float y) const;
  bool is_edge(int x, int y) const;
  Gathered light_near(const Surface& surface, int x, int y, bool& own) const;

  /// A pixel with more eye rays, in two rounds.
  struct Edge {
    int x;
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();  // of colors
    int rays = 0;
    bool own = false;           // it gathered light by itself
    bool runs_through = false;  // colors of the last round differ
  };
  void add_round(int y, int round, std::vector<Edge>& edges) const;

  Buffers& work_;
  View view_;
  Light light_;
  bool whole_;       // all pixels gather
  int samples_;      // rays of a pixel to the key light
  int sky_samples_;  // and to the sky
  int edge_samples_;
  float per_column_;    // one over the picture's width
  bool keeps_ = false;  // what did not change, of the frame before
  Eigen::Vector3f background_top_, background_bottom_;
  std::vector<std::vector<Eigen::Vector3f>> plane_to_sky_;   // of each plane
  std::vector<std::vector<Eigen::Vector3f>> plane_inverse_;  // inverse_of() them
  std::vector<Eigen::Vector3f> to_key_;       // the even set of directions to the key light
  std::vector<Eigen::Vector3f> key_inverse_;  // inverse_of() them
  std::vector<Eigen::Vector2f> disk_;         // that of directions to the sky, see on_hemisphere()
};

}  // namespace pliant
