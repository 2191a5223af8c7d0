#include "geometry/track/tracker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.h"
#include "geometry/track/improve.h"
#include "geometry/track/patch.h"
#include "geometry/track/pieces.h"
#include "geometry/track/seeds.h"

namespace pliant::track {
namespace {

constexpr int most_rounds = 64;      // 12 made the surface anew where a slit was long
constexpr double smallest_void = 4;  // cells^3: a smaller one is a flaw of a merge
constexpr double part_reach = 6;     // cells between boxes that can do without each other
constexpr double cut_reach = 3.5;    // cells between points: twice a cell and an edge

// Another one each frame. With a fixed lattice the points of a patch would lie in its planes to the
// last bit, and their cut points coincide.
Vec3 shift_of(std::int64_t frame) {
  const double n = double(frame % 1000003);
  const auto fraction = [](double x) { return x - std::floor(x); };
  return {fraction(n * 0.7548776662466927), fraction(n * 0.5698402909980532),
          fraction(n * 0.4198876543)};
}

// The points and triangles of a part of a surface, in their order. Points without a number in
// `part` were made by patches of other parts.
struct Extract {
  TrackedSurface surface;
  std::vector<int> point;  // per point: its number in the whole
};

Extract extract(const TrackedSurface& whole, const std::vector<int>& part, int own) {
  Extract out;
  std::vector<int> number(whole.points.size(), -1);
  for (std::size_t p = 0; p < part.size(); ++p) {
    if (part[p] != own) continue;
    number[p] = int(out.point.size());
    out.point.push_back(int(p));
    out.surface.points.push_back(whole.points[p]);
    out.surface.origin.push_back(whole.origin[p]);
    out.surface.piece.push_back(whole.piece[p]);
    out.surface.apart.push_back(whole.apart[p]);
    out.surface.marks.push_back(whole.marks[p]);
  }
  for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
    const Triangle& i = whole.triangles[t];
    if (i[0] >= int(part.size()) || part[i[0]] != own) continue;
    out.surface.triangles.push_back({number[i[0]], number[i[1]], number[i[2]]});
    out.surface.source.push_back(whole.source[t]);
  }
  return out;
}

// Replaces a part's triangles by those of its patched extract, whose new points come last.
void replace(TrackedSurface& whole, const std::vector<int>& part, int own, Extract&& extract) {
  const TrackedSurface& from = extract.surface;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
    const int p = whole.triangles[t][0];
    if (p < int(part.size()) && part[p] == own) continue;
    whole.triangles[kept] = whole.triangles[t];
    whole.source[kept++] = whole.source[t];
  }
  whole.triangles.resize(kept);
  whole.source.resize(kept);
  for (std::size_t p = 0; p < extract.point.size(); ++p)
    whole.marks[extract.point[p]] = from.marks[p];
  for (std::size_t p = extract.point.size(); p < from.points.size(); ++p) {
    extract.point.push_back(int(whole.points.size()));
    whole.points.push_back(from.points[p]);
    whole.origin.push_back(from.origin[p]);
    whole.piece.push_back(from.piece[p]);
    whole.apart.push_back(from.apart[p]);
    whole.marks.push_back(from.marks[p]);
  }
  for (std::size_t t = 0; t < from.triangles.size(); ++t) {
    const Triangle& i = from.triangles[t];
    whole.triangles.push_back({extract.point[i[0]], extract.point[i[1]], extract.point[i[2]]});
    whole.source.push_back(from.source[t]);
  }
}

void take_over(const SeedCounts& seeds, TrackReport& report) {
  report.wound = seeds.wound;
  report.pinched = seeds.pinched;
  report.thin = seeds.thin;
  report.gaps = seeds.gaps;
  report.glued = seeds.glued;
  report.crossing = seeds.crossing;
  report.unsupported = seeds.unsupported;
}

// {old piece, new piece} of all points that had one.
std::vector<std::array<int, 2>> pieces_between(const std::vector<int>& before,
                                               const std::vector<int>& now) {
  std::vector<std::array<int, 2>> pairs;
  for (std::size_t p = 0; p < now.size(); ++p)
    if (before[p] >= 0 && (pairs.empty() || pairs.back() != std::array{before[p], now[p]}))
      pairs.push_back({before[p], now[p]});
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

namespace {

// A point at which two cones of triangles touch becomes two points.
void part_fans(TrackedSurface& surface) {
  CornerTable table;
  table.take(surface.triangles, int(surface.points.size()));
  std::vector<char> seen(3 * surface.triangles.size(), 0), has_fan(surface.points.size(), 0);
  for (int c = 0; c < int(seen.size()); ++c) {
    if (seen[c]) continue;
    int p = table.at(c);
    if (has_fan[p]) {
      surface.points.push_back(Vec3(surface.points[p]));
      surface.origin.push_back(Origin(surface.origin[p]));
      p = int(surface.points.size()) - 1;
    } else {
      has_fan[p] = 1;
    }
    for (int at = c; !seen[at]; at = table.swing(at)) {
      seen[at] = 1;
      surface.triangles[at / 3][at % 3] = p;
    }
  }
}

}  // namespace

Tracker::Tracker(const TriangleMesh& original, const TrackSettings& settings)
    : original_(std::make_shared<const OriginalSurface>(original)), settings_(settings) {
  ASSERT(settings.longest > 0, "the longest edge must be given");
}

TrackedSurface Tracker::begin() const {
  const TriangleMesh& mesh = original_->mesh();
  TrackedSurface surface;
  surface.points = mesh.points;
  surface.triangles = mesh.triangles;
  surface.origin.resize(mesh.points.size());
  surface.source.resize(mesh.triangles.size());
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    surface.source[t] = t;
    for (int k = 0; k < 3; ++k) {
      Origin& origin = surface.origin[mesh.triangles[t][k]];
      if (origin.triangle < 0) origin = {t, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    }
  }
  part_fans(surface);
  surface.piece.assign(surface.points.size(), 0);
  surface.apart.assign(surface.points.size(), 0);
  surface.marks.resize(surface.points.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p)
    surface.marks[p] = original_->spikes()[p] ? TrackedSurface::sharp : 0;
  std::vector<char> placed(surface.points.size(), 0);
  compact(surface, placed);
  const Components components = find_components(surface);
  surface.piece = components.of_point;
  return surface;
}

TrackChanges Tracker::advance(TrackedSurface& surface, const Matter& matter) {
  TrackChanges changes;
  const int before = int(surface.points.size());
  changes.vertex.resize(surface.points.size());
  std::iota(changes.vertex.begin(), changes.vertex.end(), 0);
  std::vector<char> placed(surface.points.size(), 0);
  for (const Vec3& p : surface.points)
    if (!p.allFinite()) changes.report.out_of_range = true;
  if (changes.report.out_of_range) return changes;
  ++surface.frame;
  for (std::uint8_t& mark : surface.marks)
    if (mark > TrackedSurface::sharp) mark = std::uint8_t(mark - 2);
  const Improved did = improver_.improve(surface, settings_, *original_, placed);
  changes.report.splits = did.splits;
  changes.report.collapses = did.collapses + did.removed;
  changes.report.flips = did.flips;
  changes.report.spikes = did.spikes;
  changes.triangles = did.triangles_changed();
  changes.vertex = compact(surface, placed);
  changes.vertex.resize(std::size_t(before));
  if (settings_.merge) forget_distant_cuts(surface, cut_reach * cell());
  change_topology(surface, did.pinches, matter, placed, changes);
  settle(surface, placed, changes);
  return changes;
}

TrackChanges Tracker::cut(TrackedSurface& surface, const PlaneCut& plane) {
  TrackChanges changes;
  changes.vertex.resize(surface.points.size());
  std::iota(changes.vertex.begin(), changes.vertex.end(), 0);
  std::vector<char> placed(surface.points.size(), 0);
  changes.triangles = cut_by_plane(surface, plane, *original_, placed) > 0;
  if (!changes.triangles) return changes;
  inside_.lattices_.clear();
  components_ = find_components(surface);
  settle(surface, placed, changes);
  return changes;
}

void Tracker::change_topology(TrackedSurface& surface, const std::vector<Vec3>& pinches,
                              const Matter& matter, std::vector<char>& placed,
                              TrackChanges& changes) {
  components_ = find_components(surface);
  const std::vector<int> part =
      find_parts(surface, components_, settings_.merge, part_reach * cell());
  const int parts = part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
  std::vector<Lattice>& lattices = inside_.lattices_;
  lattices.resize(std::size_t(parts));
  bool patched = false;
  SeedCounts seeds;
  for (int own = 0; own < parts; ++own) {
    Extract extracted;
    if (parts > 1) extracted = extract(surface, part, own);
    TrackedSurface& target = parts > 1 ? extracted.surface : surface;
    Lattice& lattice = lattices[own];
    if (!lattice.lay(target.points, target.triangles, cell(), shift_of(surface.frame))) {
      changes.report.out_of_range = true;
      continue;
    }
    lattice.scan(target.triangles);
    CellSet cells(lattice);
    std::vector<Vec3> own_pinches;
    for (const Vec3& p : pinches)
      if (lattice.has(lattice.nearest(p))) own_pinches.push_back(p);
    seeds.add(find_seeds(target, own_pinches, settings_, matter, lattice, cells));
    if (cells.empty()) continue;
    cells.dilate();
    std::vector<char> own_placed(target.points.size(), 0);
    patch_or_rebuild(target, lattice, cells, parts > 1 ? own_placed : placed, changes.report);
    patched = true;
    if (parts == 1) continue;
    replace(surface, part, own, std::move(extracted));
    placed.resize(surface.points.size(), 1);
  }
  take_over(seeds, changes.report);
  changes.triangles = changes.triangles || patched;
  if (!patched) return;
  lattices.clear();
  components_ = find_components(surface);
}

void Tracker::patch_or_rebuild(TrackedSurface& surface, const Lattice& lattice, CellSet& cells,
                               std::vector<char>& placed, TrackReport& report) {
  PatchReport did = patch(surface, lattice, cells, *original_, most_rounds, placed);
  report.rounds = std::max(report.rounds, did.rounds);
  if (!did.done) {
    ++report.rebuilds;
    cells.add_all();
    did = patch(surface, lattice, cells, *original_, 1, placed);
    ASSERT(did.done, "with all cells there is nothing to be sewn");
  }
  report.cells += did.cells;
}

void Tracker::settle(TrackedSurface& surface, std::vector<char>& placed, TrackChanges& changes) {
  const double volume = std::pow(cell(), 3);
  if (!changes.report.out_of_range) {
    changes.report.crumbs =
        drop_crumbs(surface, components_, settings_.crumb * volume, smallest_void * volume);
    if (changes.report.crumbs > 0) {
      changes.triangles = true;
      inside_.lattices_.clear();
    }
  }
  const std::size_t points = surface.points.size();
  const std::vector<int> number = compact(surface, placed);
  if (changes.report.crumbs > 0 || surface.points.size() < points)
    components_ = find_components(surface);
  for (int& v : changes.vertex)
    if (v >= 0) v = number[v];
  const std::vector<int> piece = surface.piece;
  look_inside(surface);
  changes.pieces = pieces_between(piece, surface.piece);
  for (int p = 0; p < int(placed.size()); ++p)
    if (placed[p]) changes.placed.push_back(p);
}

void Tracker::look_inside_anew(TrackedSurface& surface) {
  inside_.lattices_.clear();
  components_ = find_components(surface);
  look_inside(surface);
}

void Tracker::look_inside(TrackedSurface& surface) {
  std::vector<Lattice>& lattices = inside_.lattices_;
  const std::vector<int> part =
      find_parts(surface, components_, settings_.merge, part_reach * cell());
  const int parts = part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
  std::vector<int> of_triangle(surface.triangles.size());
  for (std::size_t t = 0; t < of_triangle.size(); ++t)
    of_triangle[t] = part[surface.triangles[t][0]];
  if (lattices.empty()) {
    lattices.resize(std::size_t(parts));
    for (int own = 0; own < parts; ++own) {
      const Extract extracted = extract(surface, part, own);
      if (lattices[own].lay(extracted.surface.points, extracted.surface.triangles, cell(),
                            shift_of(surface.frame)))
        lattices[own].scan(extracted.surface.triangles);
    }
  }
  ASSERT(int(lattices.size()) == parts, "a part has its lattice");
  find_pieces(surface, components_, of_triangle, lattices);
  for (Lattice& lattice : lattices) lattice.mark_crossed();
}

}  // namespace pliant::track
