#include "geometry/track/pieces.h"

#include <algorithm>
#include <utility>

#include "core/disjoint_sets.h"
#include "geometry/query/neighbours.h"

namespace pliant::track {

Components find_components(const TrackedSurface& surface) {
  const int points = int(surface.points.size());
  DisjointSets sets(points);
  std::vector<char> used(std::size_t(points), 0);
  for (const Triangle& t : surface.triangles) {
    for (const int p : t) used[p] = 1;
    if (sets.root(t[0]) != sets.root(t[1])) sets.join(t[0], t[1]);
    if (sets.root(t[0]) != sets.root(t[2])) sets.join(t[0], t[2]);
  }
  Components found;
  found.of_point.assign(std::size_t(points), -1);
  for (int p = 0; p < points; ++p) {
    if (!used[p]) continue;
    const int root = sets.root(p);
    found.of_point[p] = root == p ? found.count++ : found.of_point[root];
  }
  return found;
}

std::vector<double> component_volumes(const TrackedSurface& surface, const Components& components) {
  std::vector<double> volume(std::size_t(components.count), 0);
  std::vector<Vec3> origin(std::size_t(components.count));
  for (int p = int(surface.points.size()) - 1; p >= 0; --p)
    if (components.of_point[p] >= 0) origin[components.of_point[p]] = surface.points[p];
  for (const Triangle& t : surface.triangles) {
    const int c = components.of_point[t[0]];
    const Vec3 &a = surface.points[t[0]], &b = surface.points[t[1]], &d = surface.points[t[2]];
    volume[c] += (a - origin[c]).dot((b - origin[c]).cross(d - origin[c])) / 6;
  }
  return volume;
}

int drop_crumbs(TrackedSurface& surface, const Components& components, double least,
                double least_void) {
  const std::vector<double> volume = component_volumes(surface, components);
  const auto largest = std::max_element(volume.begin(), volume.end());
  std::vector<char> drop(volume.size(), 0);
  int count = 0;
  for (auto v = volume.begin(); v != volume.end(); ++v) {
    if (v == largest || (*v >= 0 ? *v >= least : -*v >= least_void)) continue;
    drop[std::size_t(v - volume.begin())] = 1;
    ++count;
  }
  if (count == 0) return 0;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (drop[components.of_point[surface.triangles[t][0]]]) continue;
    surface.triangles[kept] = surface.triangles[t];
    surface.source[kept++] = surface.source[t];
  }
  surface.triangles.resize(kept);
  surface.source.resize(kept);
  return count;
}

std::vector<int> compact(TrackedSurface& surface, std::vector<char>& placed) {
  std::vector<int> number(surface.points.size(), -1);
  for (const Triangle& t : surface.triangles)
    for (const int p : t) number[p] = 0;
  int kept = 0;
  for (std::size_t p = 0; p < number.size(); ++p) {
    if (number[p] < 0) continue;
    const int to = number[p] = kept++;
    surface.points[to] = surface.points[p];
    surface.origin[to] = surface.origin[p];
    surface.piece[to] = surface.piece[p];
    surface.apart[to] = surface.apart[p];
    surface.marks[to] = surface.marks[p];
    placed[to] = placed[p];
  }
  surface.points.resize(std::size_t(kept));
  surface.origin.resize(std::size_t(kept));
  surface.piece.resize(std::size_t(kept));
  surface.apart.resize(std::size_t(kept));
  surface.marks.resize(std::size_t(kept));
  placed.resize(std::size_t(kept));
  for (Triangle& t : surface.triangles)
    for (int& p : t) p = number[p];
  return number;
}

namespace {

// How often the components met so far along a line wind round the place that was reached.
class Turns {
 public:
  void clear() { turns_.clear(); }
  void add(int component, int turn) {
    for (auto& [c, turns] : turns_)
      if (c == component) {
        turns += turn;
        return;
      }
    turns_.emplace_back(component, turn);
  }
  /// The first one that is round here; -1 = none.
  int holder() const {
    for (const auto& [c, turns] : turns_)
      if (turns > 0) return c;
    return -1;
  }

 private:
  std::vector<std::pair<int, int>> turns_;
};

// Which component holds each void: the one that is round it where a line enters it.
void find_holders(const Lattice& lattice, const std::vector<int>& component,
                  const std::vector<double>& volume, std::vector<int>& holder) {
  Turns turns;
  for (std::size_t l = 0; l < lattice.lines(0); ++l) {
    turns.clear();
    for (const Lattice::Crossing& c : lattice.line(0, l)) {
      const int own = component[c.triangle];
      if (volume[own] < 0 && holder[own] < 0 && c.turn < 0) holder[own] = turns.holder();
      turns.add(own, c.turn);
    }
  }
}

void label_nodes(Lattice& lattice, const std::vector<int>& component,
                 const std::vector<int>& piece) {
  lattice.piece.assign(lattice.nodes(), -1);
  Turns turns;
  for (std::size_t l = 0; l < lattice.lines(0); ++l) {
    const std::span<const Lattice::Crossing> line = lattice.line(0, l);
    if (line.empty()) continue;
    turns.clear();
    std::size_t c = 0;
    for (int i = 0; i < lattice.count[0]; ++i) {
      for (; c < line.size() && line[c].at <= i + lattice.low[0]; ++c)
        turns.add(component[line[c].triangle], line[c].turn);
      const std::size_t n = l * std::size_t(lattice.count[0]) + std::size_t(i);
      if (lattice.inside[n] && turns.holder() >= 0) lattice.piece[n] = piece[turns.holder()];
    }
  }
}

}  // namespace

void find_pieces(TrackedSurface& surface, const Components& components,
                 const std::vector<int>& lattice_of_triangle, std::vector<Lattice>& lattices) {
  const std::vector<double> volume = component_volumes(surface, components);
  std::vector<std::vector<int>> component(lattices.size());  // per triangle of each lattice
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    component[lattice_of_triangle[t]].push_back(components.of_point[surface.triangles[t][0]]);
  std::vector<int> holder(volume.size(), -1);
  if (std::any_of(volume.begin(), volume.end(), [](double v) { return v < 0; }))
    for (std::size_t i = 0; i < lattices.size(); ++i)
      find_holders(lattices[i], component[i], volume, holder);
  // A void that no line meets belongs to the first piece.
  std::vector<int> piece(volume.size(), 0);
  int pieces = 0;
  for (std::size_t c = 0; c < volume.size(); ++c)
    if (volume[c] >= 0) piece[c] = pieces++;
  for (std::size_t c = 0; c < volume.size(); ++c)
    if (volume[c] < 0 && holder[c] >= 0 && volume[holder[c]] >= 0) piece[c] = piece[holder[c]];
  for (std::size_t p = 0; p < surface.points.size(); ++p)
    surface.piece[p] = components.of_point[p] < 0 ? -1 : piece[components.of_point[p]];
  for (std::size_t i = 0; i < lattices.size(); ++i) {
    lattices[i].piece.clear();
    const std::vector<int>& own = component[i];
    lattices[i].sole_piece = own.empty() ? 0 : piece[own.front()];
    if (std::any_of(own.begin(), own.end(), [&](int c) { return piece[c] != piece[own.front()]; }))
      label_nodes(lattices[i], own, piece);
  }
}

std::vector<int> find_parts(const TrackedSurface& surface, const Components& components, bool merge,
                            double reach) {
  std::vector<Box> box(std::size_t(components.count));
  std::vector<int> kind(std::size_t(components.count), 0);
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    const int c = components.of_point[p];
    if (c < 0) continue;
    box[c].add(surface.points[p]);
    kind[c] = merge ? surface.apart[p] : surface.piece[p];
  }
  for (Box& b : box) b.grow(0.5 * reach);
  DisjointSets sets(components.count);
  for (int c = 0; c < components.count; ++c)
    for (int d = 0; d < c; ++d)
      if (kind[c] == kind[d] && (!merge || box[c].overlaps(box[d]))) sets.join(c, d);
  const std::vector<int> number = sets.numbers();
  std::vector<int> part(surface.points.size(), -1);
  for (std::size_t p = 0; p < part.size(); ++p)
    if (components.of_point[p] >= 0) part[p] = number[components.of_point[p]];
  return part;
}

void forget_distant_cuts(TrackedSurface& surface, double reach) {
  const auto most = std::max_element(surface.apart.begin(), surface.apart.end());
  for (int own = 1; most != surface.apart.end() && own <= *most; ++own) {
    std::vector<Vec3> earlier;
    for (std::size_t p = 0; p < surface.points.size(); ++p)
      if (surface.apart[p] < own) earlier.push_back(surface.points[p]);
    if (earlier.empty()) continue;
    const Neighbours near(std::move(earlier), reach);
    std::vector<int> scratch;
    bool free = true;
    for (std::size_t p = 0; p < surface.points.size() && free; ++p)
      if (surface.apart[p] == own) free = near.nearest(surface.points[p], reach, scratch) >= reach;
    if (!free) continue;
    for (int& apart : surface.apart)
      if (apart == own) apart = 0;
  }
}

}  // namespace pliant::track
