#pragma once

#include <vector>

#include "geometry/track/corner_table.h"
#include "geometry/track/original.h"
#include "geometry/track/triangle_shape.h"

namespace pliant::track {

/// Collapses edges where that spoils nothing: to their middle or to an end, wherever the least
/// volume is swept.
class Collapse {
 public:
  Collapse(TrackedSurface& surface, const std::vector<int>& source, CornerTable& table,
           const TrackSettings& settings, const OriginalSurface& original,
           std::vector<char>& placed)
      : surface_(surface),
        source_(source),
        table_(table),
        original_(original),
        placed_(placed),
        longest_(settings.longest),
        shortest_(settings.longest * settings.shortest) {}

  enum class Outcome { done, refused, pinched };  // pinched: it would join the sides of a tube

  /// The edge opposite to corner c.
  Outcome operator()(int c);

  static std::uint8_t common(std::uint8_t mark_a, std::uint8_t mark_b);  // marks of their middle

 private:
  const Vec3& point(int p) const { return surface_.points[p]; }
  int choose_place(int c, bool any_angle, const Vec3 (&places)[3]) const;
  double swept_volume(int p, const Vec3& place) const;
  int common_neighbours(int a, int b);
  bool fits(int p, int c, const Vec3& place, bool any_angle) const;
  bool may_become(const Corners& old, const Corners& now, bool any_angle) const;

  TrackedSurface& surface_;
  const std::vector<int>& source_;
  CornerTable& table_;
  const OriginalSurface& original_;
  std::vector<char>& placed_;
  const double longest_, shortest_;
  std::vector<int> ring_, stamp_;
  int time_ = 0;
};

}  // namespace pliant::track
