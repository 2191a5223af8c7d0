#include "picture/render.h"

#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"
#include "picture/pass.h"

// Passes over the rows of the picture, each writing only its own row:
//   see      one ray through the middle of each pixel
//   gather   a few rays from there to the key light and to the sky
//   smooth   neighbours on the same surface share what they gathered
//   shade    colors; where neighbours differ, more eye rays through the pixel
// Pixels of a square block use different parts of one even set of directions, and smoothing adds up
// whole blocks, so that every pixel ends up with the full set and no noise is left (interleaved
// sampling, Keller and Heidrich 2001).
//
// In films only a lattice gathers, every second pixel of every second row, and those between it
// that find none of their surface on it. Its blocks are 8 x 8 pixels, as light changes slowly along
// surfaces; what they found is spread from the lattice to the pixels between.
//
// Of a film's frame only what may differ from the frame before is drawn. Each pass is a function of
// what the passes before left around the pixel, so its result is kept wherever none of that
// changed: a pixel is stale for `see` and `gather` where a ray of its own may meet what moved
// (redraw.h), and for the later passes where a neighbour within their reach is.

namespace pliant {
namespace {

constexpr int rows_at_once = 4;

template <class Work>
void for_rows(const Pass& pass, const Work& work) {
  parallel_for(pass.rows(), rows_at_once, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) work(y);
  });
}

void gather(Pass& pass) {
  for_rows(pass, [&](int y) { pass.find_alone(y); });
  parallel_for(pass.tiles(), 1, [&](int number, int) { pass.gather_tile(number); });
  for_rows(pass, [&](int y) { pass.find_rims_row(y); });
}

void smooth(Pass& pass) {
  if (pass.whole()) {
    for_rows(pass, [&](int y) { pass.smooth_whole_row(y); });
    return;
  }
  for_rows(pass, [&](int y) { pass.smooth_row(y); });
  for_rows(pass, [&](int y) { pass.spread_row(y); });
}

void draw(Pass& pass, bool keeps) {
  for_rows(pass, [&](int y) { pass.see_row(y); });
  gather(pass);
  if (keeps) {
    for_rows(pass, [&](int y) { pass.find_stale_light(y); });
    for_rows(pass, [&](int y) { pass.find_stale_color(y); });
  }
  smooth(pass);
  for_rows(pass, [&](int y) { pass.shade_row(y); });
  for_rows(pass, [&](int y) { pass.find_stale_pixels(y); });
  for_rows(pass, [&](int y) { pass.finish_row(y); });
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
  const bool keeps = comparable && pass.find_stale_eye();
  if (!keeps) pass.draw_all();
  draw(pass, keeps);
  return work.image;
}

}  // namespace pliant
