#include "geometry/track/spikes.h"

#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "geometry/track/triangle_shape.h"

namespace pliant::track {
namespace {

constexpr int grain = 4096;            // triangles a chunk
constexpr double spike_cosine = 0.42;  // of 65 degrees; corners of a box have 55

class Spikes {
 public:
  Spikes(TrackedSurface& surface, const CornerTable& table, double shortest,
         std::vector<char>& placed)
      : surface_(surface), table_(table), shortest_(shortest), placed_(placed) {}

  int run() {
    const int points = int(surface_.points.size());
    normal_.resize(std::size_t(table_.size()));
    parallel_for(table_.size(), grain, [&](int begin, int end) {
      for (int t = begin; t < end; ++t)
        normal_[t] = table_.is_dead(t) ? Vec3(Vec3::Zero())
                                       : corners_of(surface_.points, table_.triangle(t)).normal();
    });
    point_normal_.assign(std::size_t(points), Vec3::Zero());
    for (int t = 0; t < table_.size(); ++t) {
      if (table_.is_dead(t)) continue;
      for (const int p : table_.triangle(t)) point_normal_[p] += normal_[t];
    }
    spike_.assign(std::size_t(points), 0);
    const double least = 1e-3 * shortest_ * shortest_;
    for (int t = 0; t < table_.size(); ++t) {
      if (table_.is_dead(t) || !(normal_[t].squaredNorm() > least * least)) continue;
      for (const int p : table_.triangle(t)) {
        const double cosine = normal_[t].dot(point_normal_[p]);
        const double size2 = normal_[t].squaredNorm() * point_normal_[p].squaredNorm();
        if (cosine < 0 || cosine * cosine < spike_cosine * spike_cosine * size2) spike_[p] = 1;
      }
    }
    return move_spikes(least);
  }

 private:
  const Vec3& point(int p) const { return surface_.points[p]; }

  // Normals weighted by areas lean to the larger faces and only tell the points to be looked at;
  // weighted by angles they do not depend on how flat sides are divided.
  bool is_spike(int p, double least) const {
    const int begin = table_.corner_of(p);
    Vec3 normal = Vec3::Zero();
    int corner = begin;
    do {
      const Vec3 u = point(table_.at(table_.next(corner))) - point(p);
      const Vec3 v = point(table_.at(table_.previous(corner))) - point(p);
      const Vec3& face = normal_[corner / 3];
      if (face.norm() > least)
        normal += std::atan2(u.cross(v).norm(), u.dot(v)) * face.normalized();
      corner = table_.swing(corner);
    } while (corner != begin);
    do {
      const Vec3& face = normal_[corner / 3];
      if (face.norm() > least && face.dot(normal) < spike_cosine * face.norm() * normal.norm())
        return true;
      corner = table_.swing(corner);
    } while (corner != begin);
    return false;
  }

  int move_spikes(double least) {
    std::vector<std::pair<int, Vec3>> places;
    for (int p = 0; p < int(spike_.size()); ++p) {
      if (!spike_[p] || (surface_.marks[p] & TrackedSurface::sharp) != 0) continue;
      if (!is_spike(p, least)) continue;
      table_.ring(p, ring_);
      Vec3 mean = Vec3::Zero();
      for (const int q : ring_) mean += point(q) / double(ring_.size());
      places.emplace_back(p, point(p) + 0.3 * (mean - point(p)));
    }
    for (const auto& [p, place] : places) {
      surface_.points[p] = place;
      placed_[p] = 1;
    }
    return int(places.size());
  }

  TrackedSurface& surface_;
  const CornerTable& table_;
  const double shortest_;
  std::vector<char>& placed_;
  std::vector<int> ring_;
  std::vector<char> spike_;
  std::vector<Vec3> normal_, point_normal_;
};

}  // namespace

int blunt_spikes(TrackedSurface& surface, const CornerTable& table, double shortest,
                 std::vector<char>& placed) {
  return Spikes(surface, table, shortest, placed).run();
}

}  // namespace pliant::track
