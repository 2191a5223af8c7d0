#include "play/color_scale.h"

#include <algorithm>
#include <cmath>

#include "scene/field_titles.h"

namespace pliant {
namespace {

Legend titled(const std::string& field) {
  const FieldTitle* known = field_title(field);
  if (known == nullptr) return {.title = field, .unit = "", .range = {}};
  return {.title = known->title,
          .unit = known->unit,
          .map = known->has_sign ? ColorMap::signs : ColorMap::steps,
          .range = {}};
}

/// Smallest to largest value, without the highest few of a hundred (of both signs, where the field
/// has them): one sharp corner must not make all else look alike. Zeros do not count among the
/// hundred: where little is touched, pressure is zero nearly everywhere.
ValueRange usual_range(std::vector<float> values, ColorMap map) {
  const auto some = std::partition(values.begin(), values.end(), [](float v) { return v == 0; });
  if (some == values.end()) return value_range(values, map);
  const auto high = some + std::ptrdiff_t(0.97 * double(values.end() - some - 1));
  std::nth_element(some, high, values.end(), [&](float a, float b) {
    return map == ColorMap::signs ? std::abs(a) < std::abs(b) : a < b;
  });
  return value_range({values.begin(), high + 1}, map);
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + std::lround(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Of all frames, without what a few of them have far beyond the others: the blow of one moment
/// must not take the colors from the rest of the film. What grows steadily is shown to its end, and
/// frames in which hardly anything happens have no say.
ValueRange range_over_time(const std::vector<ValueRange>& frames) {
  const double start = 0.5 * (frames.front().low + frames.front().high);
  ValueRange whole = frames.front();
  std::vector<double> reach, low, high;  // reach: away from the start
  for (const ValueRange& frame : frames) {
    whole.add(frame);
    reach.push_back(std::max(frame.high - start, start - frame.low));
  }
  const double little = 0.02 * quantile(reach, 0.95);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (reach[i] < little) continue;
    low.push_back(frames[i].low);
    high.push_back(frames[i].high);
  }
  const double usual_low = quantile(low, 0.25), usual_high = quantile(high, 0.75);
  const double beyond = usual_high - usual_low;
  if (!(beyond > 0)) return whole;
  return {std::max(whole.low, usual_low - beyond), std::min(whole.high, usual_high + beyond)};
}

}  // namespace

std::optional<Legend> legend_of(RecordingReader& recording, const std::optional<Vec2>& wish) {
  const std::vector<RecordedBody>& first = recording.frame(0);
  if (std::all_of(first.begin(), first.end(), [](const auto& b) { return b.values.empty(); }))
    return std::nullopt;
  Legend legend = titled(recording.field());
  std::vector<ValueRange> frames;
  for (int frame = 0; frame < recording.frames(); ++frame) {
    std::optional<ValueRange> range;
    for (const RecordedBody& body : recording.frame(frame)) {
      if (body.values.empty()) continue;
      const ValueRange here = usual_range(body.values, legend.map);
      for (const float value : body.values) {
        if (!std::isfinite(value)) continue;
        if (!legend.beyond) legend.beyond = ValueRange{value, value};
        legend.beyond->add({value, value});
      }
      if (range) range->add(here);
      else range = here;
    }
    if (range) frames.push_back(*range);
  }
  if (wish) legend.range = {(*wish)[0], (*wish)[1]};
  else legend.range = range_over_time(frames);
  return legend;
}

}  // namespace pliant
