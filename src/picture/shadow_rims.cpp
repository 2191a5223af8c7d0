#include "picture/pass.h"

// How much of the key light the lattice sees. Half of a pixel's rays say so where it and those
// around it agree on all or nothing. Elsewhere, in the rim of a shadow, it asks with all of them.

namespace pliant {

namespace {

constexpr float rounding = 1e-4f;  // so near to 0 or 1 a sum of shares is nothing or all

}  // namespace

// Nothing, all, or in between: what the lattice pixels around found at first.
float Pass::roughly_lit(int x, int y) const {
  const std::size_t pixel = index(x, y);
  const float own = work_.rough[pixel], tolerance = tolerance_at(pixel);
  const bool none = own<rounding, all = own> 1 - rounding;
  if (!none && !all) return own;
  for (int v = y - 2; v <= y + 2; v += 2)
    for (int u = x - 2; u <= x + 2; u += 2)
      if (inside(u, v) && std::abs(work_.rough[index(u, v)] - own) > rounding &&
          is_same(pixel, index(u, v), tolerance))
        return 0.5f;
  return all ? 1 : 0;
}

void Pass::set_lit(std::size_t pixel, float lit, bool in) {
  std::uint8_t& rim = work_.rim[pixel];
  const bool changed = work_.noisy[pixel].lit != lit || bool(rim & in_rim) != in;
  work_.noisy[pixel].lit = lit;
  rim = std::uint8_t((in ? in_rim : 0) | (changed ? rim_changed : 0));
}

// Those of a row in rims, by the rest of their rays.
void Pass::ask_in_rims(std::span<const std::size_t> pixels) {
  const int first = first_key_rays();
  if (first == samples_) return;
  std::vector<float> lit(pixels.size());
  gather_key(starts_of(pixels), {}, {first, samples_}, lit);
  const float share = float(samples_ - first) / float(samples_);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const float before = work_.rough[pixels[i]];
    set_lit(pixels[i], before + share * (lit[i] - before), true);
  }
}

void Pass::find_rims_row(int y) {
  if (whole_ || y & 1) return;
  std::vector<std::size_t> asking;
  std::vector<std::uint8_t> near(std::size_t(view_.width), 0);
  for (int v = std::max(0, y - 2); v <= std::min(y + 2, view_.height - 1); v += 2)
    spread_flag(row_of(work_.stale, v), stale_light, 2, near);
  for (int x = 0; x < view_.width; x += 2) {
    const std::size_t pixel = index(x, y);
    std::uint8_t& rim = work_.rim[pixel];
    rim &= std::uint8_t(~rim_changed);
    const bool changed = !keeps_ || near[std::size_t(x)];
    if (changed) {
      const float lit = work_.what[pixel] == Surface::nothing ? 1 : roughly_lit(x, y);
      if (lit == 0 || lit == 1) set_lit(pixel, lit, false);
      else asking.push_back(pixel);
    } else if (rim & in_rim && key_meets_moved(work_.seen[pixel], place_of(x, y))) {
      asking.push_back(pixel);
    }
  }
  ask_in_rims(asking);
}

}  // namespace pliant
