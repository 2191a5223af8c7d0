#pragma once

#include <doctest/doctest.h>

#include "core/archive.h"
#include "geometry/query/self_intersections.h"
#include "geometry/track/invariant.h"
#include "geometry/track/pieces.h"
#include "geometry/track/tracker.h"

// A surface that is moved by a flow instead of by a method, and looked at after every step.

namespace pliant::test {

inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b, const Vec3& move) {
  const int first = int(a.points.size());
  for (const Vec3& p : b.points) a.points.push_back(p + move);
  for (const Triangle& t : b.triangles)
    a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return a;
}

inline TriangleMesh mesh_of(const track::TrackedSurface& surface) {
  TriangleMesh mesh;
  mesh.points = surface.points;
  mesh.triangles = surface.triangles;
  return mesh;
}

inline double volume_of(const track::TrackedSurface& surface) { return volume(mesh_of(surface)); }

inline std::int64_t crossings(const track::TrackedSurface& surface) {
  const TriangleMesh mesh = mesh_of(surface);
  return find_self_intersections(mesh, Bvh(mesh)).pairs;
}

inline std::uint64_t hash_of(track::TrackedSurface& surface) {
  Archive archive = Archive::hashing();
  surface.archive(archive);
  return archive.hash();
}

/// Euler characteristic: 2 per ball, 0 per ring.
inline int euler(const track::TrackedSurface& surface) {
  return int(surface.points.size()) - int(surface.triangles.size()) / 2;
}

struct Moved {
  track::Tracker tracker;
  track::TrackedSurface surface;
  track::Matter matter = {};
  track::TrackReport total = {};  // sums over all steps
  double most_volume_change = 0;  // by the tracker, in one step, as a share
  int patched = 0;

  Moved(const TriangleMesh& mesh, const track::TrackSettings& settings)
      : tracker(mesh, settings), surface(tracker.begin()) {
    surface.frame = 0;
  }

  template <class Flow>  // Vec3(point, number)
  track::TrackChanges step(const Flow& flow) {
    for (int p = 0; p < int(surface.points.size()); ++p)
      surface.points[p] = flow(surface.points[p], p);
    const double before = volume_of(surface);
    const track::TrackChanges changes = tracker.advance(surface, matter);
    check();
    most_volume_change = std::max(most_volume_change, std::abs(volume_of(surface) / before - 1));
    add(changes.report);
    return changes;
  }

  void check() const {
    REQUIRE(track::broken(surface.points, surface.triangles) == "");
    REQUIRE(surface.origin.size() == surface.points.size());
    REQUIRE(surface.piece.size() == surface.points.size());
    REQUIRE(surface.source.size() == surface.triangles.size());
  }

  void add(const track::TrackReport& r) {
    total.splits += r.splits;
    total.collapses += r.collapses;
    total.flips += r.flips;
    total.spikes += r.spikes;
    total.crumbs += r.crumbs;
    total.wound += r.wound;
    total.pinched += r.pinched;
    total.thin += r.thin;
    total.gaps += r.gaps;
    total.glued += r.glued;
    total.crossing += r.crossing;
    total.unsupported += r.unsupported;
    total.rebuilds += r.rebuilds;
    total.rounds = std::max(total.rounds, r.rounds);
    patched += r.cells > 0;
  }
};

}  // namespace pliant::test
