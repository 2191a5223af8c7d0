#include <algorithm>

#include "picture/pass.h"

// Light tile by tile. All pixels of a plane have one set of directions; a tile of them asks once
// which of these may meet a mesh at all, and which may meet one that moved.

namespace pliant {

// Of all points of a plane in a tile, towards the whole even set.
Pass::Directions Pass::directions_that_meet(const BoxSet& boxes, int plane,
                                            const Eigen::AlignedBox3f& from) const {
  Directions some;
  const std::vector<Eigen::Vector3f>& sky_inverse = plane_inverse_[std::size_t(plane)];
  for (const Eigen::Vector3f& inverse : key_inverse_)
    some.to_key.push_back(boxes.may_meet(from, inverse));
  for (const Eigen::Vector3f& inverse : sky_inverse)
    some.to_sky.push_back(boxes.may_meet(from, inverse));
  return some;
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
  known.starts.assign(std::size_t(work_.stage.planes()), {});
  for_each_pixel(number, [&](int x, int y) {
    if (work_.what[index(x, y)] >= Surface::nothing || !may_gather(x, y)) return;
    const Surface& surface = work_.seen[index(x, y)];
    if (gathers(surface)) known.starts[std::size_t(surface.plane())].extend(surface.start);
  });
}

// Rays of one place go similar ways, those of planes the same: they make good packets.
void Pass::gather_together(std::vector<std::pair<int, std::size_t>>& pixels,
                           const Directions& some) {
  std::sort(pixels.begin(), pixels.end());
  std::vector<std::size_t> all, some_first;  // rays to the key light
  for (const auto& [place, pixel] : pixels)
    (whole_ || work_.alone[pixel] ? all : some_first).push_back(pixel);
  gather(all, some, {0, samples_});
  gather(some_first, some, {0, first_key_rays()});
}

void Pass::gather_meshes(int number) {
  std::vector<std::pair<int, std::size_t>> pixels;  // and their places
  for_each_pixel(number, [&](int x, int y) {
    const std::size_t pixel = index(x, y);
    if (work_.what[pixel] < 0 || !may_gather(x, y)) return;
    if (needs_light(pixel, place_of(x, y))) pixels.push_back({place_of(x, y), pixel});
  });
  gather_together(pixels, {});
}

void Pass::gather_plane(int number, int plane, const Directions& moved) {
  std::vector<std::pair<int, std::size_t>> pixels;
  for_each_pixel(number, [&](int x, int y) {
    const std::size_t pixel = index(x, y);
    if (work_.what[pixel] != Surface::of_plane(plane) || !may_gather(x, y)) return;
    const int place = place_of(x, y);
    if (!is_stale(pixel, stale_eye | stale_light) &&
        !(keeps_ &&
          moved.any_of(std::size_t(place), std::size_t(samples_), std::size_t(sky_samples_))))
      return;
    if (!gathers(work_.seen[pixel])) return;
    work_.stale[pixel] |= stale_light;
    pixels.push_back({place, pixel});
  });
  if (pixels.empty()) return;
  const Eigen::AlignedBox3f& from = work_.tiles[std::size_t(number)].starts[std::size_t(plane)];
  gather_together(pixels, directions_that_meet(work_.stage.boxes(), plane, from));
}

void Pass::gather_tile(int number) {
  bool changed = !keeps_, any_mesh = false;
  for_each_pixel(number, [&](int x, int y) {
    const std::size_t pixel = index(x, y);
    std::uint8_t& stale = work_.stale[pixel];
    if (!is_on_lattice(x, y) && work_.spread[pixel]) stale |= stale_light;
    changed = changed || stale & (stale_eye | stale_light);
    any_mesh = any_mesh || work_.what[pixel] >= 0;
    if (stale & stale_eye && work_.what[pixel] < 0 && !gathers(work_.seen[pixel])) {
      stale |= stale_light;
      work_.noisy[pixel] = {};
    }
  });
  if (any_mesh) gather_meshes(number);
  if (changed) find_planes(number);
  for (int plane = 0; plane < work_.stage.planes(); ++plane) {
    const Eigen::AlignedBox3f& from = work_.tiles[std::size_t(number)].starts[std::size_t(plane)];
    if (from.isEmpty()) continue;
    Directions moved;
    if (keeps_) moved = directions_that_meet(work_.redraw.moved(), plane, from);
    if (changed || moved.any()) gather_plane(number, plane, moved);
  }
}

}  // namespace pliant
