#include "contact/pairs/body_pairs.h"

#include <algorithm>
#include <utility>

#include "geometry/query/segments.h"

namespace pliant {
namespace {

/// [m] Features of the two that are further apart cannot touch before they are listed again.
double radius(const Body& a, const Body& b, double reach, double foreseen) {
  return 2 * (a.thickness + b.thickness) + reach + foreseen;
}

}  // namespace

double BodyPairs::size(std::span<const Body> bodies, int a, int b) {
  return std::min(bodies[a].size, bodies[b].size);
}

void BodyPairs::ask_parts(const Pair& pair, ContactSurfaces& surfaces) {
  for (const auto& [m, n] : pair.parts) {
    surfaces.ask_part(pair.a, m);
    surfaces.ask_part(pair.b, n);
  }
}

bool BodyPairs::is_bent(const Pair& pair, const ContactSurfaces& surfaces) {
  return std::any_of(pair.parts.begin(), pair.parts.end(), [&](const auto& part) {
    return surfaces.is_bent(pair.a, part.first) || surfaces.is_bent(pair.b, part.second);
  });
}

void BodyPairs::pair_up(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                        const ContactSettings& settings, std::span<const double> alone) {
  near_each_other_.clear();
  // Along x, so that bodies side by side are not compared each with each.
  by_place_.clear();
  for (int b = 0; b < int(bodies.size()); ++b)
    if (!surfaces.tree(b).empty()) by_place_.push_back(b);
  std::sort(by_place_.begin(), by_place_.end(), [&](int p, int q) {
    const double low_p = surfaces.box(p).low.x() - alone[p];
    const double low_q = surfaces.box(q).low.x() - alone[q];
    return low_p != low_q ? low_p < low_q : p < q;
  });
  double widest = 0;  // what thickness and reach can add
  for (const Body& body : bodies)
    widest = std::max(widest, radius(body, body, settings.reach * body.size, 0));
  for (std::size_t i = 0; i < by_place_.size(); ++i) {
    const int a = by_place_[i];
    const double end = surfaces.box(a).high.x() + alone[a] + widest;
    for (std::size_t k = i + 1; k < by_place_.size(); ++k) {
      const int b = by_place_[k];
      if (surfaces.box(b).low.x() - alone[b] > end) break;
      Box box = surfaces.box(b);
      box.grow(
          radius(bodies[a], bodies[b], settings.reach * size(bodies, a, b), alone[a] + alone[b]));
      if (box.overlaps(surfaces.box(a))) near_each_other_.push_back(std::minmax(a, b));
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
    if (old < old_count && old_bodies() == both && !surfaces.is_new(a) && !surfaces.is_new(b)) {
      std::swap(pair, old_pairs_[old]);
      pair.before = old++;
    } else {
      pair.a = a, pair.b = b;
      pair.before = -1;
      pair.forget();
    }
  }
}

void BodyPairs::list_edges(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                           Pair& pair, int leaf, int other, double reach) {
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  const std::span<const int> others = surfaces.ridges(pair.b).of(other);
  if (others.empty()) return;
  const auto ends = [](const Skin& skin, const SkinTopology& topology, int edge) {
    const auto [i, j] = topology.edges[edge].vertex;
    return std::pair<const Vec3&, const Vec3&>(skin.position[i], skin.position[j]);
  };
  const auto are_far = [&](const auto& edge, const Box& box) {
    const auto& [p, q] = edge;
    return squared_distance({p.cwiseMin(q), p.cwiseMax(q)}, box) > reach * reach;
  };
  for (int e : surfaces.ridges(pair.a).of(leaf)) {
    const auto ours_at = ends(ours, surfaces.topology(pair.a), e);
    if (are_far(ours_at, surfaces.tree(pair.b).box(other))) continue;
    const auto& [p, q] = ours_at;
    const Box box{p.cwiseMin(q), p.cwiseMax(q)};
    for (int f : others) {
      const auto theirs_at = ends(theirs, surfaces.topology(pair.b), f);
      if (are_far(theirs_at, box)) continue;
      const double distance =
          closest_between_segments(p, q, theirs_at.first, theirs_at.second).distance;
      if (distance <= reach) pair.edges.push_back({e, f, distance});
    }
  }
}

void BodyPairs::find_parts(const ContactSurfaces& surfaces, Pair& pair, double reach, double most) {
  const SkinTree &a = surfaces.tree(pair.a), &b = surfaces.tree(pair.b);
  a.find_parts(b, reach, pair.open, pair.parts);
  pair.apart = pair.parts.empty() ? a.distance(b, most, pair.open) : reach;
}

void BodyPairs::list(std::span<const Body> bodies, const ContactSurfaces& surfaces, Pair& pair) {
  const double far = pair.reach + pair.foreseen;
  pair.forget();
  pair.found_a.clear();
  pair.found_b.clear();
  const SkinTree &a = surfaces.tree(pair.a), &b = surfaces.tree(pair.b);
  const std::vector<Vec3>&ours = bodies[pair.a].skin.position,
        &theirs = bodies[pair.b].skin.position;
  const auto furthest = float((1 + 1e-6) * far * far);
  a.near(b, pair.parts, far, pair.open, [&](int m, int n) {
    b.boxes(n).find(b.triangles(n), ours, a.vertices(m), furthest, pair.found_a);
    a.boxes(m).find(a.triangles(m), theirs, b.vertices(n), furthest, pair.found_b);
    list_edges(bodies, surfaces, pair, m, n, far);
  });
  pair.of_a.take(pair.found_a, bodies[pair.a].skin.size(), pair.workspace);
  pair.of_b.take(pair.found_b, bodies[pair.b].skin.size(), pair.workspace);
  std::sort(pair.edges.begin(), pair.edges.end());
  watch(bodies, surfaces, pair);
}

/// Notes which vertices the lists speak of.
void BodyPairs::watch(std::span<const Body> bodies, const ContactSurfaces& surfaces, Pair& pair) {
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  std::vector<char>& marks_a = pair.marks_a;
  std::vector<char>& marks_b = pair.marks_b;
  marks_a.assign(std::size_t(ours.size()), 0);
  marks_b.assign(std::size_t(theirs.size()), 0);
  const auto mark = [](const CandidateList& listed, std::vector<char>& own, const Skin& skin,
                       std::vector<char>& other) {
    for (const int v : listed.vertex) own[v] = 1;
    for (const Candidate& near : listed.candidate)
      for (const int v : skin.triangles[near.triangle]) other[v] = 1;
  };
  mark(pair.of_a, marks_a, theirs, marks_b);
  mark(pair.of_b, marks_b, ours, marks_a);
  for (const auto& [e, f, room] : pair.edges) {
    for (const int v : surfaces.topology(pair.a).edges[e].vertex) marks_a[v] = 1;
    for (const int v : surfaces.topology(pair.b).edges[f].vertex) marks_b[v] = 1;
  }
  take_marked(ours, marks_a, pair.watched_a);
  take_marked(theirs, marks_b, pair.watched_b);
}

void BodyPairs::look_around(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                            Pair& pair, double most) {
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  const double least = pair.reach + pair.foreseen;
  surfaces.tree(pair.a).measure_clearances(surfaces.tree(pair.b), pair.parts, most, ours,
                                           pair.rooms_a, theirs, pair.rooms_b);
  take_around(ours, pair.rooms_a.of_vertex, least, most, pair.around_a);
  take_around(theirs, pair.rooms_b.of_vertex, least, most, pair.around_b);
}

void BodyPairs::take_around(const Skin& skin, const std::vector<double>& rooms, double least,
                            double most, Bystanders& around) {
  around.clear();
  for (int v = 0; v < int(rooms.size()); ++v) {
    if (rooms[v] >= most) continue;
    around.watched.add(skin, v);
    around.room.push_back(std::max(rooms[v], least));
  }
}

void BodyPairs::take_marked(const Skin& skin, const std::vector<char>& marks,
                            ListedVertices& watched) {
  watched.clear();
  for (int v = 0; v < int(marks.size()); ++v)
    if (marks[v]) watched.add(skin, v);
}

int BodyPairs::count() const {
  std::size_t sum = 0;
  for (const Pair& pair : pairs())
    sum += pair.of_a.candidate.size() + pair.of_b.candidate.size() + pair.edges.size();
  return int(sum);
}

}  // namespace pliant
