#pragma once

#include "body/cut.h"
#include "body/skin.h"
#include "geometry/track/tracker.h"
#include "methods/clusters/resample.h"

namespace pliant::clusters {

/// A skin whose triangles come and go (geometry/track), between the particles that carry it and
/// contact, which sees a Skin like any other.
class TrackedSkin {
 public:
  /// `longest` [m]: edges are split down to it; `radius` [m] of the particles.
  /// `merge`: pieces that meet unite; otherwise they touch each other as bodies do.
  TrackedSkin(const TriangleMesh& given, double longest, double radius, bool merge);

  /// The skin at rest, without weights.
  Skin begin();

  /// What one frame did to the surface.
  struct Advanced {
    bool triangles = false;
    std::vector<int> vertex;    // old -> new, -1 = gone; one per old vertex
    std::vector<int> triangle;  // new -> old, -1 = none
    std::vector<char> placed;   // per new vertex: made or moved, so that its row is void
    std::vector<std::array<int, 2>> pieces;  // {old, new} that share vertices
  };
  /// To be called with the skin where its nodes carry it: improves it, unites what has met, parts
  /// what is pinched. Weights are left to the caller.
  Advanced advance(Skin& skin, const Matter& matter, const Neighbours& near);
  /// Cuts it where it is. The sides of the cut are `clearance` [m] away from it.
  Advanced cut(Skin& skin, const Cut& cut, double clearance);

  /// Inside of the skin as the last advance() left it.
  Interior interior() const;
  /// The piece that holds a place, or the nearest skin.
  int piece_near(const Vec3& place) const;
  int pieces() const { return surface_.pieces(); }
  /// [m^3] enclosed by each piece.
  std::vector<double> piece_volumes() const;
  std::int64_t operations() const { return operations_; }

  void archive(Archive& archive);

 private:
  void show(Skin& skin) const;
  bool show_parts(Skin& skin) const;
  Advanced take_over(Skin& skin, track::TrackChanges&& did,
                     const std::vector<Triangle>& old_triangles,
                     const std::vector<int>& old_source);
  std::vector<int> ancestors(const std::vector<Triangle>& old_triangles,
                             const std::vector<int>& old_source,
                             const std::vector<int>& vertex) const;

  track::Tracker tracker_;
  track::TrackedSurface surface_;
  std::shared_ptr<const TriangleMesh> given_;
  double radius_;
  std::int64_t operations_ = 0;  // on its triangles since the start
};

}  // namespace pliant::clusters
