#include "contact/body_candidates.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "core/parallel.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

/// [m] Features of the two that are further apart cannot touch before they are listed again.
double radius(const Body& a, const Body& b, double reach, double foreseen) {
  return 2 * (a.thickness + b.thickness) + reach + foreseen;
}

}  // namespace

void BodyCandidates::Vertices::take(std::vector<Found>& found) {
  std::sort(found.begin(), found.end(), [](const Found& p, const Found& q) {
    return std::tie(p.vertex, p.distance, p.triangle) < std::tie(q.vertex, q.distance, q.triangle);
  });
  clear();
  for (const auto& [v, t, distance] : found) {
    if (vertex.empty() || vertex.back() != v) {
      vertex.push_back(v);
      start.push_back(0);
      last.push_back(-1);
      room.push_back(0);
    }
    candidate.push_back({t, distance});
    start.back() = int(candidate.size());
  }
}

double BodyCandidates::size(std::span<const Body> bodies, int a, int b) {
  return std::min(bodies[a].size, bodies[b].size);
}

void BodyCandidates::prepare(std::span<const Body> bodies, Touches touch) {
  const std::size_t count = bodies.size();
  shape_.resize(count);
  tree_.resize(count);
  ridges_.resize(count);
  bends_.resize(count);
  old_ridges_.resize(count);
  bent_.resize(count);
  is_new_.assign(count, 0);
  is_replaced_.assign(count, 0);
  box_.resize(count);
  parallel_for(int(count), 1, [&](int b, int) {
    const Skin& skin = bodies[b].skin;
    if (!shape_[b].is_of(skin)) {
      is_replaced_[b] = shape_[b].revision >= 0;
      shape_[b].build(skin);
      tree_[b].build(skin);
      is_new_[b] = 1;
    } else if (shape_[b].weights_revision != skin.weights_revision) {
      shape_[b].measure_spread(skin);
    }
    if (touch == Touches::colliders) return;
    place(bodies[b], b);
    find_ridges(bodies[b], b);
  });
}

void BodyCandidates::place(const Body& body, int index) {
  box_[index] = bounds(body.skin.position);
}

void BodyCandidates::refit(const Body& body, int index) { tree_[index].refit(body.skin); }

void BodyCandidates::name_parts(const Pair& pair) {
  for (const auto& [m, n] : pair.parts) {
    tree_[pair.a].name_part(m);
    tree_[pair.b].name_part(n);
  }
}

void BodyCandidates::find_ridges(const Body& body, int b) {
  std::swap(ridges_[b], old_ridges_[b]);
  bends_[b].find(body.skin, shape_[b]);
  ridges_[b].take(shape_[b], tree_[b], [&](int e) { return bends_[b].of_edge[e] != Bend::flat; });

  // Which parts have others than in the step before.
  const std::span<const SkinTree::Node> parts = tree_[b].nodes();
  bent_[b].assign(parts.size(), 0);
  if (old_ridges_[b].leaves() != ridges_[b].leaves()) return;
  for (int n = int(parts.size()) - 1; n >= 0; --n) {
    const int left = parts[n].left, leaf = parts[n].leaf;
    bent_[b][n] = left >= 0 ? bent_[b][left] || bent_[b][left + 1]
                            : !ridges_[b].is_same(leaf, old_ridges_[b]);
  }
}

bool BodyCandidates::is_bent(const Pair& pair) const {
  const std::vector<char>&a = bent_[pair.a], &b = bent_[pair.b];
  return std::any_of(pair.parts.begin(), pair.parts.end(),
                     [&](const auto& part) { return a[part.first] || b[part.second]; });
}

void BodyCandidates::pair_up(std::span<const Body> bodies, const ContactSettings& settings,
                             std::span<const double> alone) {
  near_each_other_.clear();
  // Along x, so that bodies side by side are not compared each with each.
  by_place_.clear();
  for (int b = 0; b < int(bodies.size()); ++b)
    if (!tree_[b].empty()) by_place_.push_back(b);
  std::sort(by_place_.begin(), by_place_.end(), [&](int p, int q) {
    const double low_p = box_[p].low.x() - alone[p];
    const double low_q = box_[q].low.x() - alone[q];
    return low_p != low_q ? low_p < low_q : p < q;
  });
  double widest = 0;  // what thickness and reach can add
  for (const Body& body : bodies)
    widest = std::max(widest, radius(body, body, settings.reach * body.size, 0));
  for (std::size_t i = 0; i < by_place_.size(); ++i) {
    const int a = by_place_[i];
    const double end = box_[a].high.x() + alone[a] + widest;
    for (std::size_t k = i + 1; k < by_place_.size(); ++k) {
      const int b = by_place_[k];
      if (box_[b].low.x() - alone[b] > end) break;
      Box box = box_[b];
      box.grow(
          radius(bodies[a], bodies[b], settings.reach * size(bodies, a, b), alone[a] + alone[b]));
      if (box.overlaps(box_[a])) near_each_other_.push_back(std::minmax(a, b));
    }
  }
  std::sort(near_each_other_.begin(), near_each_other_.end());

  pairs_.swap(old_pairs_);
  const int old_count = std::exchange(count_, 0);
  int old = 0;
  for (const std::pair<int, int>& both : near_each_other_) {
    const auto old_bodies = [&] { return std::pair(old_pairs_[old].a, old_pairs_[old].b); };
    while (old < old_count && old_bodies() < both) ++old;
    if (count_ == int(pairs_.size())) pairs_.emplace_back();
    Pair& pair = pairs_[count_++];
    const auto [a, b] = both;
    if (old < old_count && old_bodies() == both && !is_new_[a] && !is_new_[b]) {
      std::swap(pair, old_pairs_[old]);
      pair.before = old++;
    } else {
      pair.a = a, pair.b = b;
      pair.before = -1;
      pair.forget();
    }
  }

  std::fill(is_new_.begin(), is_new_.end(), 0);
}

void BodyCandidates::list_edges(std::span<const Body> bodies, Pair& pair, int leaf, int other,
                                double reach) const {
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  const std::span<const int> others = ridges_[pair.b].of(other);
  if (others.empty()) return;
  const auto ends = [](const Skin& skin, const SkinShape& shape, int edge) {
    const auto [i, j] = shape.edges[edge].vertex;
    return std::pair<const Vec3&, const Vec3&>(skin.position[i], skin.position[j]);
  };
  const auto are_far = [&](const auto& edge, const Box& box) {
    const auto& [p, q] = edge;
    return squared_distance({p.cwiseMin(q), p.cwiseMax(q)}, box) > reach * reach;
  };
  for (int e : ridges_[pair.a].of(leaf)) {
    const auto ours_at = ends(ours, shape_[pair.a], e);
    if (are_far(ours_at, tree_[pair.b].box(other))) continue;
    const auto& [p, q] = ours_at;
    const Box box{p.cwiseMin(q), p.cwiseMax(q)};
    for (int f : others) {
      const auto theirs_at = ends(theirs, shape_[pair.b], f);
      if (are_far(theirs_at, box)) continue;
      const double distance =
          closest_between_segments(p, q, theirs_at.first, theirs_at.second).distance;
      if (distance <= reach) pair.edges.push_back({e, f, distance});
    }
  }
}

namespace {

/// In the order of distances, then of triangles: positive floats have the order of their bits.
std::uint64_t key(int triangle, float distance) {
  return std::uint64_t(std::bit_cast<std::uint32_t>(distance)) << 32 | std::uint32_t(triangle);
}
BodyCandidates::Candidate candidate_of(std::uint64_t key) {
  return {int(std::uint32_t(key)), std::bit_cast<float>(std::uint32_t(key >> 32))};
}

/// Writes candidates in order.
void sort(std::span<std::uint64_t> keys, BodyCandidates::Candidate* out) {
  constexpr std::size_t few = 24;
  if (keys.size() > few) {
    std::sort(keys.begin(), keys.end());
    for (const std::uint64_t each : keys) *out++ = candidate_of(each);
    return;
  }
  // Each goes to the place that as many others come before: nothing to guess wrong. No two are
  // the same.
  for (const std::uint64_t each : keys) {
    int before = 0;
    for (const std::uint64_t other : keys) before += other < each;
    out[before] = candidate_of(each);
  }
}

/// The same as Vertices::take for very many, of few vertices: quicker than to sort all of them.
void put_in_order(std::span<const BodyCandidates::Found> found, int vertices,
                  std::vector<int>& next, std::vector<std::uint64_t>& keys,
                  BodyCandidates::Vertices& out) {
  next.assign(std::size_t(vertices) + 1, 0);
  for (const auto& [v, t, distance] : found) ++next[v + 1];
  out.clear();
  for (int v = 0; v < vertices; ++v) {
    next[v + 1] += next[v];
    if (next[v + 1] == next[v]) continue;
    out.vertex.push_back(v);
    out.start.push_back(next[v + 1]);
  }
  keys.resize(found.size());
  out.candidate.resize(found.size());
  out.last.assign(out.vertex.size(), -1);
  out.room.assign(out.vertex.size(), 0);
  for (const auto& [v, t, distance] : found) keys[next[v]++] = key(t, distance);
  for (int i = 0; i < out.count(); ++i) {
    const int begin = out.start[i];
    sort({keys.data() + begin, std::size_t(out.start[i + 1] - begin)},
         out.candidate.data() + begin);
  }
}

}  // namespace

void BodyCandidates::find_parts(Pair& pair, double reach, double most) const {
  const SkinTree &a = tree_[pair.a], &b = tree_[pair.b];
  a.find_parts(b, reach, pair.open, pair.parts);
  pair.apart = pair.parts.empty() ? a.distance(b, most, pair.open) : reach;
}

void BodyCandidates::list(std::span<const Body> bodies, Pair& pair) const {
  const double far = pair.reach + pair.foreseen;
  pair.forget();
  pair.found_a.clear();
  pair.found_b.clear();
  const SkinTree &a = tree_[pair.a], &b = tree_[pair.b];
  const std::vector<Vec3>&ours = bodies[pair.a].skin.position,
        &theirs = bodies[pair.b].skin.position;
  const auto furthest = float((1 + 1e-6) * far * far);
  a.near(b, pair.parts, far, pair.open, [&](int m, int n) {
    b.boxes(n).find(b.triangles(n), ours, a.vertices(m), furthest, pair.found_a);
    a.boxes(m).find(a.triangles(m), theirs, b.vertices(n), furthest, pair.found_b);
    list_edges(bodies, pair, m, n, far);
  });
  put_in_order(pair.found_a, bodies[pair.a].skin.size(), pair.next, pair.keys, pair.of_a);
  put_in_order(pair.found_b, bodies[pair.b].skin.size(), pair.next, pair.keys, pair.of_b);
  std::sort(pair.edges.begin(), pair.edges.end());
  watch(bodies, pair);
}

/// Notes which vertices the lists speak of.
void BodyCandidates::watch(std::span<const Body> bodies, Pair& pair) const {
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  std::vector<char>& marks_a = pair.marks_a;
  std::vector<char>& marks_b = pair.marks_b;
  marks_a.assign(std::size_t(ours.size()), 0);
  marks_b.assign(std::size_t(theirs.size()), 0);
  const auto mark = [](const Vertices& listed, std::vector<char>& own, const Skin& skin,
                       std::vector<char>& other) {
    for (const int v : listed.vertex) own[v] = 1;
    for (const Candidate& near : listed.candidate)
      for (const int v : skin.triangles[near.triangle]) other[v] = 1;
  };
  mark(pair.of_a, marks_a, theirs, marks_b);
  mark(pair.of_b, marks_b, ours, marks_a);
  for (const auto& [e, f, room] : pair.edges) {
    for (const int v : shape_[pair.a].edges[e].vertex) marks_a[v] = 1;
    for (const int v : shape_[pair.b].edges[f].vertex) marks_b[v] = 1;
  }
  take_marked(ours, marks_a, pair.watched_a);
  take_marked(theirs, marks_b, pair.watched_b);
}

void BodyCandidates::look_around(std::span<const Body> bodies, Pair& pair, double most) const {
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  const double least = pair.reach + pair.foreseen;
  tree_[pair.a].measure_rooms(tree_[pair.b], pair.parts, most, ours, pair.rooms_a, theirs,
                              pair.rooms_b);
  take_around(ours, pair.rooms_a.of_vertex, least, most, pair.around_a);
  take_around(theirs, pair.rooms_b.of_vertex, least, most, pair.around_b);
}

void BodyCandidates::take_around(const Skin& skin, const std::vector<double>& rooms, double least,
                                 double most, Around& around) {
  around.clear();
  for (int v = 0; v < int(rooms.size()); ++v) {
    if (rooms[v] >= most) continue;
    around.watched.add(skin, v);
    around.room.push_back(std::max(rooms[v], least));
  }
}

void BodyCandidates::take_marked(const Skin& skin, const std::vector<char>& marks,
                                 Watched& watched) {
  watched.clear();
  for (int v = 0; v < int(marks.size()); ++v)
    if (marks[v]) watched.add(skin, v);
}

int BodyCandidates::count() const {
  std::size_t sum = 0;
  for (const Pair& pair : pairs())
    sum += pair.of_a.candidate.size() + pair.of_b.candidate.size() + pair.edges.size();
  return int(sum);
}

}  // namespace pliant
