#include "methods/clusters/tracked_skin.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/assert.h"

namespace pliant::clusters {
namespace {

// In radii, as measured together with physics.
constexpr double support = 2;         // a vertex without a particle this near is drawn back
constexpr double smallest_piece = 1;  // its volume: smaller ones are dropped
constexpr double walk_reach = 4.6;    // how far members of one cluster may be apart
constexpr int detour = 4;             // cells that a way may be longer than the straight one

track::TrackSettings settings_of(double longest, double radius, bool merge) {
  track::TrackSettings settings;
  settings.merge = merge;
  settings.longest = longest;
  settings.crumb = smallest_piece * std::pow(radius / (settings.cell * longest), 3);
  return settings;
}

/// The particle nearest to a place, -1 = none within this distance.
int nearest_particle(const Neighbours& near, const Vec3& place, double within,
                     std::vector<int>& found) {
  near.within(place, within, found);
  int nearest = -1;
  for (const int p : found)
    if (nearest < 0 ||
        (near.points()[p] - place).squaredNorm() < (near.points()[nearest] - place).squaredNorm())
      nearest = p;
  return nearest;
}

}  // namespace

TrackedSkin::TrackedSkin(const TriangleMesh& given, double longest, double radius, bool merge)
    : tracker_(given, settings_of(longest, radius, merge)),
      given_(std::make_shared<const TriangleMesh>(given)),
      radius_(radius) {}

Skin TrackedSkin::begin() {
  // Parts of a body that overlap are one piece, also where pieces do not unite later on.
  track::TrackSettings uniting = tracker_.settings();
  uniting.merge = true;
  track::Tracker first(*given_, uniting);
  surface_ = first.begin();
  first.advance(surface_);
  tracker_.look_inside_anew(surface_);
  Skin skin;
  skin.groups = given_->groups;
  skin.provenance.given = given_;
  show(skin);
  return skin;
}

/// Hands the surface to the readers of the skin.
void TrackedSkin::show(Skin& skin) const {
  skin.triangles = surface_.triangles;
  skin.position = skin.previous = skin.rest = surface_.points;
  skin.at_detection.clear();
  skin.provenance.origin = surface_.origin;
  skin.provenance.source = surface_.source;
  skin.provenance.piece = surface_.piece;
  show_parts(skin);
  for (std::size_t g = 0; g < skin.groups.size(); ++g) {
    std::vector<char> chosen(given_->triangles.size(), 0);
    for (const int t : given_->groups[g].triangles) chosen[t] = 1;
    skin.groups[g].triangles.clear();
    for (int t = 0; t < int(surface_.source.size()); ++t)
      if (surface_.source[t] >= 0 && chosen[surface_.source[t]])
        skin.groups[g].triangles.push_back(t);
  }
}

/// Tells contact which parts do not unite. Whether that is new.
bool TrackedSkin::show_parts(Skin& skin) const {
  std::vector<int> part = tracker_.settings().merge ? surface_.apart : surface_.piece;
  const auto is_first = [&](int own) { return own == part.front(); };
  if (std::all_of(part.begin(), part.end(), is_first)) part.clear();
  if (part == skin.provenance.apart) return false;
  skin.provenance.apart = std::move(part);
  return true;
}

/// For each triangle the old one of the same source with which it shares most corners.
std::vector<int> TrackedSkin::ancestors(const std::vector<Triangle>& old_triangles,
                                        const std::vector<int>& old_source,
                                        const std::vector<int>& vertex) const {
  std::vector<std::pair<int, int>> by_source;  // source, old triangle
  for (int t = 0; t < int(old_source.size()); ++t)
    if (old_source[t] >= 0) by_source.push_back({old_source[t], t});
  std::sort(by_source.begin(), by_source.end());
  std::vector<int> result;
  for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
    const Triangle& now = surface_.triangles[t];
    const auto shared = [&](int old) {
      int count = 0;
      for (const int v : old_triangles[old])
        count += vertex[v] >= 0 && std::count(now.begin(), now.end(), vertex[v]) > 0;
      return count;
    };
    int best = -1, most = -1;
    const int source = surface_.source[t];
    for (auto k = std::lower_bound(by_source.begin(), by_source.end(), std::pair(source, 0));
         source >= 0 && k != by_source.end() && k->first == source; ++k)
      if (const int count = shared(k->second); count > most) {
        most = count;
        best = k->second;
      }
    result.push_back(best);
  }
  return result;
}

TrackedSkin::Advanced TrackedSkin::advance(Skin& skin, const Matter& matter,
                                           const Neighbours& near) {
  ASSERT(skin.position.size() == surface_.points.size(), "the skin that this one made");
  surface_.points = skin.position;
  const std::vector<Triangle> old_triangles = surface_.triangles;
  const std::vector<int> old_source = surface_.source;
  const ClustersOf of(matter);
  std::vector<int> found;
  track::Matter asked;
  int last = 0;  // places that are asked about one after the other are near each other
  asked.supports = [&](const Vec3& p) {
    const double reach = support * radius_;
    if ((near.points()[last] - p).squaredNorm() < reach * reach) return true;
    const int nearest = nearest_particle(near, p, reach, found);
    if (nearest >= 0) last = nearest;
    return nearest >= 0;
  };
  asked.joined = [&](const Vec3& a, const Vec3& b) {
    const int p = nearest_particle(near, a, support * radius_, found);
    const int q = nearest_particle(near, b, support * radius_, found);
    return p >= 0 && q >= 0 && (p == q || of.share(p, q));
  };
  return take_over(skin, tracker_.advance(surface_, asked), old_triangles, old_source);
}

TrackedSkin::Advanced TrackedSkin::cut(Skin& skin, const Cut& cut, double clearance) {
  ASSERT(skin.position.size() == surface_.points.size(), "the skin that this one made");
  surface_.points = skin.position;
  const std::vector<Triangle> old_triangles = surface_.triangles;
  const std::vector<int> old_source = surface_.source;
  return take_over(
      skin, tracker_.cut(surface_, {cut.point, cut.normal, cut.within, cut.spared, clearance}),
      old_triangles, old_source);
}

TrackedSkin::Advanced TrackedSkin::take_over(Skin& skin, track::TrackChanges&& did,
                                             const std::vector<Triangle>& old_triangles,
                                             const std::vector<int>& old_source) {
  operations_ += did.report.splits + did.report.collapses + did.report.flips + did.report.cells;
  Advanced result;
  result.triangles = did.triangles;
  result.pieces = did.pieces;
  result.vertex = did.vertex;
  result.placed.assign(surface_.points.size(), 0);
  for (const int v : did.placed) result.placed[v] = 1;
  if (did.triangles) {
    result.triangle = ancestors(old_triangles, old_source, did.vertex);
    show(skin);
  } else {
    skin.position = surface_.points;
    skin.provenance.piece = surface_.piece;
    if (show_parts(skin)) {  // contact looks at other pairs from now on
      result.triangles = true;
      result.triangle = ancestors(old_triangles, old_source, did.vertex);
    }
  }
  return result;
}

Interior TrackedSkin::interior() const {
  struct Last {
    Vec3 start = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    track::Inside::Walk walk;
  };
  const track::Inside& inside = tracker_.inside();
  const double cell = inside.cell();
  const int most = int(std::ceil(std::sqrt(3.0) * walk_reach * radius_ / cell)) + detour;
  Interior interior;
  interior.piece_at = [&inside](const Vec3& p) { return inside.piece_at(p); };
  interior.is_near = [&inside](const Vec3& p, double by) { return inside.near(p, by); };
  interior.joins = [&inside, cell, most, last = std::make_shared<Last>()](const Vec3& from,
                                                                          const Vec3& to) {
    if (!inside.contains(from)) return true;  // nothing is known from there
    if (last->start != from) {
      inside.walk_from(from, most, last->walk);
      last->start = from;
    }
    // Particles of the skin may have their nearest node outside: then one further in.
    const Vec3 in = to + cell * (from - to).normalized();
    for (const Vec3& place : {to, in}) {
      const int steps = last->walk.steps_to(place);
      if (steps >= 0) return steps <= last->walk.least_steps(place) + detour;
    }
    return false;
  };
  return interior;
}

int TrackedSkin::piece_near(const Vec3& place) const {
  const int piece = tracker_.inside().piece_at(place);
  if (piece >= 0) return piece;
  double nearest = std::numeric_limits<double>::infinity();
  int found = 0;
  for (std::size_t v = 0; v < surface_.points.size(); ++v)
    if (const double d = (surface_.points[v] - place).squaredNorm(); d < nearest) {
      nearest = d;
      found = surface_.piece[v];
    }
  return found;
}

std::vector<double> TrackedSkin::piece_volumes() const {
  std::vector<double> volume(std::size_t(pieces()), 0);
  const Vec3 origin = surface_.points.front();
  for (const Triangle& t : surface_.triangles) {
    const Vec3 a = surface_.points[t[0]] - origin, b = surface_.points[t[1]] - origin,
               c = surface_.points[t[2]] - origin;
    volume[surface_.piece[t[0]]] += a.dot(b.cross(c)) / 6;
  }
  return volume;
}

void TrackedSkin::archive(Archive& archive) {
  surface_.archive(archive);
  archive.value("surface operations", operations_);
}

}  // namespace pliant::clusters
