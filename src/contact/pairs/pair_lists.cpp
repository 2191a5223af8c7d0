#include "contact/pairs/pair_lists.h"

#include <algorithm>

#include "core/assert.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

void list_edges(std::span<const Body> bodies, const ContactSurfaces& surfaces, BodyPair& pair,
                int leaf, int other, double reach) {
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

void take_marked(const Skin& skin, const std::vector<char>& marks, ListedVertices& listed) {
  listed.clear();
  for (int v = 0; v < int(marks.size()); ++v)
    if (marks[v]) listed.add(skin, v);
}

/// Notes which vertices the lists speak of.
void list_vertices(std::span<const Body> bodies, const ContactSurfaces& surfaces, BodyPair& pair) {
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
  for (const auto& [e, f, clearance] : pair.edges) {
    for (const int v : surfaces.topology(pair.a).edges[e].vertex) marks_a[v] = 1;
    for (const int v : surfaces.topology(pair.b).edges[f].vertex) marks_b[v] = 1;
  }
  take_marked(ours, marks_a, pair.listed_a);
  take_marked(theirs, marks_b, pair.listed_b);
}

void take_bystanders(const Skin& skin, const std::vector<double>& clearances, double least,
                     double most, Bystanders& around) {
  around.clear();
  for (int v = 0; v < int(clearances.size()); ++v) {
    if (clearances[v] >= most) continue;
    around.listed.add(skin, v);
    around.clearance.push_back(std::max(clearances[v], least));
  }
}

}  // namespace

void ask_parts(const BodyPair& pair, ContactSurfaces& surfaces) {
  for (const auto& [m, n] : pair.part_pairs) {
    surfaces.ask_part(pair.a, m);
    surfaces.ask_part(pair.b, n);
  }
}

bool has_new_creases(const BodyPair& pair, const ContactSurfaces& surfaces) {
  return std::any_of(pair.part_pairs.begin(), pair.part_pairs.end(), [&](const auto& part) {
    return surfaces.is_bent(pair.a, part.first) || surfaces.is_bent(pair.b, part.second);
  });
}

void find_parts(const ContactSurfaces& surfaces, BodyPair& pair, double reach, double most) {
  ASSERT(reach <= most, "separation is measured further than parts are found");
  const SkinTree &a = surfaces.tree(pair.a), &b = surfaces.tree(pair.b);
  a.find_parts(b, reach, pair.open, pair.part_pairs);
  pair.parts.start(pair.part_pairs.empty() ? a.distance(b, most, pair.open) : reach);
}

void list_features(std::span<const Body> bodies, const ContactSurfaces& surfaces, BodyPair& pair) {
  const double far = pair.reach + pair.allowance;
  pair.clear_lists();
  pair.found_a.clear();
  pair.found_b.clear();
  const SkinTree &a = surfaces.tree(pair.a), &b = surfaces.tree(pair.b);
  const std::vector<Vec3>&ours = bodies[pair.a].skin.position,
        &theirs = bodies[pair.b].skin.position;
  const auto furthest = float((1 + 1e-6) * far * far);
  a.near(b, pair.part_pairs, far, pair.open, [&](int m, int n) {
    b.boxes(n).find(b.triangles(n), ours, a.vertices(m), furthest, pair.found_a);
    a.boxes(m).find(a.triangles(m), theirs, b.vertices(n), furthest, pair.found_b);
    list_edges(bodies, surfaces, pair, m, n, far);
  });
  pair.of_a.take(pair.found_a, bodies[pair.a].skin.size(), pair.workspace);
  pair.of_b.take(pair.found_b, bodies[pair.b].skin.size(), pair.workspace);
  std::sort(pair.edges.begin(), pair.edges.end());
  list_vertices(bodies, surfaces, pair);
}

void list_bystanders(std::span<const Body> bodies, const ContactSurfaces& surfaces, BodyPair& pair,
                     double most) {
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  const double least = pair.reach + pair.allowance;
  surfaces.tree(pair.a).measure_clearances(surfaces.tree(pair.b), pair.part_pairs, most, ours,
                                           pair.clearances_a, theirs, pair.clearances_b);
  take_bystanders(ours, pair.clearances_a.of_vertex, least, most, pair.around_a);
  take_bystanders(theirs, pair.clearances_b.of_vertex, least, most, pair.around_b);
}

}  // namespace pliant
