#include "methods/nurbs/paper/rays.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "methods/nurbs/paper/voting.h"

namespace pliant::nurbs::paper {
namespace {

// Of the diagonal: hits that close are one, of a ray through an edge.
constexpr double same_hit = 1e-9;
// Of a cell: rays are moved that much aside, so that they miss edges of symmetric models.
constexpr double aside = 3e-4;
// Rays along an edge of the box that look for openings.
constexpr int probes = 24;
// Finer rays for the volume, against those with points.
constexpr int finer = 3;

/// Twice the area of a b c, seen along the axis.
double area2(const Vec3& a, const Vec3& b, const Vec3& c, int i, int j) {
  return (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
}

struct Grid {
  int axis, count1, count2;
  Box box;

  int size() const { return count1 * count2; }
  double cell() const {
    const Vec3 extent = box.extent();
    return extent[(axis + 1) % 3] / count1 * (extent[(axis + 2) % 3] / count2);
  }
  Vec3 place(int ray) const {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const Vec3 extent = box.extent();
    Vec3 at = box.low;
    at[i] += (ray / count2 + 0.5 + aside) / count1 * extent[i];
    at[j] += (ray % count2 + 0.5 + aside) / count2 * extent[j];
    return at;
  }
};

struct Cast {
  std::vector<std::vector<RayCaster::Run>> runs;  // per ray
  int odd = 0;
  double volume = 0;  // [m^3]
};

Cast cast_all(const RayCaster& caster, const Grid& grid) {
  Cast cast;
  cast.runs.resize(std::size_t(grid.size()));
  std::vector<char> is_even(cast.runs.size());
  parallel_for(grid.size(), 16, [&](int begin, int end) {
    for (int r = begin; r < end; ++r)
      is_even[r] = caster.cast(grid.axis, grid.place(r), cast.runs[r]);
  });
  for (int r = 0; r < grid.size(); ++r) {
    if (!is_even[r]) ++cast.odd;
    for (const RayCaster::Run& run : cast.runs[r])
      cast.volume += grid.cell() * (run.end - run.begin);
  }
  return cast;
}

template <class Count>
RayPoints place_points(const RayCaster& caster, const Grid& grid, const Count& points_on) {
  const Cast cast = cast_all(caster, grid);
  RayPoints made{.axis = grid.axis, .rays = grid.size()};
  made.volume_of_rays = made.total = cast.volume;
  for (int r = 0; r < grid.size(); ++r)
    for (const RayCaster::Run& run : cast.runs[r]) {
      const double length = run.end - run.begin;
      const int count = points_on(length);
      for (int k = 0; k < count; ++k) {
        made.place.push_back(grid.place(r));
        made.place.back()[grid.axis] = run.begin + (k + 0.5) / count * length;
        made.volume.push_back(grid.cell() * length / count);
      }
    }
  return made;
}

}  // namespace

RayCaster::RayCaster(const PartSurface& surface, bool by_orientation)
    : surface_(surface),
      winding_(by_orientation ? surface.drawn.mesh : outward_faces(surface)),
      by_orientation_(by_orientation) {}

void RayCaster::find_hits(int axis, const Vec3& place, std::vector<Hit>& hits) const {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const TriangleMesh& mesh = surface_.drawn.mesh;
  Box line{place, place};
  line.low[axis] = surface_.tree.nodes()[0].box.low[axis];
  line.high[axis] = surface_.tree.nodes()[0].box.high[axis];
  std::vector<int> near;
  surface_.tree.triangles_in(line, near);
  for (const int t : near) {
    const Vec3 &a = mesh.points[mesh.triangles[t][0]], &b = mesh.points[mesh.triangles[t][1]],
               &c = mesh.points[mesh.triangles[t][2]];
    const double all = area2(a, b, c, i, j);
    const double wa = area2(place, b, c, i, j) / all, wb = area2(a, place, c, i, j) / all;
    const double wc = 1 - wa - wb;
    if (!(wa >= 0 && wb >= 0 && wc >= 0)) continue;  // also where it is seen edge-on
    hits.push_back({wa * a[axis] + wb * b[axis] + wc * c[axis], all > 0});
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& p, const Hit& q) { return p.at < q.at; });
  const double same = same_hit * surface_.diagonal;
  hits.erase(std::unique(hits.begin(), hits.end(),
                         [&](const Hit& p, const Hit& q) {
                           return q.at - p.at < same && p.faces_along == q.faces_along;
                         }),
             hits.end());
}

bool RayCaster::cast(int axis, const Vec3& place, std::vector<Run>& runs) const {
  std::vector<Hit> hits;
  find_hits(axis, place, hits);
  int depth = 0;  // by counting: of solids that we are in
  for (std::size_t k = 0; k + 1 < hits.size(); ++k) {
    // A ray that begins inside (an open model) has left nothing yet.
    depth = std::max(0, depth + (hits[k].faces_along ? -1 : 1));
    Vec3 middle = place;
    middle[axis] = 0.5 * (hits[k].at + hits[k + 1].at);
    if (!(by_orientation_ ? depth > 0 : winding_.inside(middle))) continue;
    if (!runs.empty() && runs.back().end == hits[k].at) runs.back().end = hits[k + 1].at;
    else runs.push_back({hits[k].at, hits[k + 1].at});
  }
  return hits.size() % 2 == 0;
}

RayPoints cast_grid(const RayCaster& caster, const Box& box, int axis, int rays1, int rays2,
                    int points) {
  return place_points(caster, {axis, rays1, rays2, box}, [&](double) { return points; });
}

RayPoints cast_evenly(const RayCaster& caster, const Box& box, int points) {
  const Vec3 extent = box.extent();
  Cast best;
  int axis = -1;
  for (int a = 0; a < 3; ++a) {
    Cast probe = cast_all(caster, {a, probes, probes, box});
    if (!(probe.volume > 0)) continue;
    const bool is_tie = axis >= 0 && probe.odd == best.odd;
    if (axis >= 0 && (is_tie ? extent[a] <= extent[axis] : probe.odd > best.odd)) continue;
    best = std::move(probe);
    axis = a;
  }
  if (axis < 0) return {};
  const double spacing = std::cbrt(best.volume / points);
  const auto rays = [&](int a) { return std::max(1, int(std::lround(extent[a % 3] / spacing))); };
  const Grid grid{axis, rays(axis + 1), rays(axis + 2), box};
  RayPoints made = place_points(
      caster, grid, [&](double length) { return std::max(2, int(std::lround(length / spacing))); });
  if (made.place.empty()) return {};
  made.total = cast_all(caster, {axis, finer * grid.count1, finer * grid.count2, box}).volume;
  for (double& v : made.volume) v *= made.total / made.volume_of_rays;
  return made;
}

}  // namespace pliant::nurbs::paper
