#include "contact/narrow/skin_pair.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contact/surface/closest_feature.h"
#include "contact/surface/triangles_in_reach.h"
#include "core/assert.h"

namespace pliant {
namespace {

constexpr double agreeing = 0.2;  // cosine between normals of surfaces that do not face each other
constexpr double opposed = -0.2;  // and of parts of one skin that do, at most
constexpr double ends = 1e-3;     // edges meet between these shares from their ends,
constexpr double least_sine = 0.01;  // at no smaller angle than this,
constexpr double arc_margin = 0.02;  // and with a normal that lies between their faces'
constexpr double way_back =
    0.1;  // mean edges by which a vertex that passed through its own skin is moved back, at least

Vec3 blend(const std::vector<Vec3>& points, const Triangle& t, const Vec3& share) {
  return share[0] * points[t[0]] + share[1] * points[t[1]] + share[2] * points[t[2]];
}

Box box_of(const std::vector<Vec3>& points, const Triangle& t) {
  Box box;
  for (const int v : t) box.add(points[v]);
  return box;
}

SkinPair::Candidates some(SkinPair::Candidates all, int first) {
  return all.subspan(std::size_t(first),
                     std::min(std::size_t(triangles_at_once), all.size() - std::size_t(first)));
}

}  // namespace

Contact& SkinPair::add(const ContactKey& key, const Vec3& normal, double gap, double gap_before,
                       bool passed, std::vector<Contact>& found) const {
  Contact& contact = found.emplace_back();
  contact.key = key;
  contact.normal = normal;
  contact.thickness = thickness;
  contact.gap = gap;
  // Overlap from before this substep is undone little by little, passages at once; but not all of
  // a passage in thin parts of one body, whose light nodes it would throw far.
  const double at_once = self() ? way_back * topology_a.mean_edge - thickness : 0;
  contact.goal = std::min(0.0, (passed ? std::max(gap_before, at_once) : gap_before) + exit);
  contact.friction = friction;
  contact.tolerance = tolerance;
  return contact;
}

/// Whether a vertex can touch this triangle of its own body.
bool SkinPair::may_meet_own(int vertex, const Vec3& normal, int triangle) const {
  const Skin& skin = a;
  const Vec3 face = face_normal(skin, skin.position, triangle);
  if (normal.dot(face) > opposed) return false;
  // Far behind it, that is on the other side of a thin part: it cannot come round to the front.
  const int corner = skin.triangles[triangle][0];
  const Vec3 off = skin.position[vertex] - skin.position[corner];
  const Vec3 before = skin.previous[vertex] - skin.previous[corner];
  return face.dot(off) >= -2 * (thickness + (off - before).norm());
}

/// [m] How far a vertex of a went in this substep, as seen from a point of b.
Vec3 SkinPair::way_to(int vertex, const SurfacePoint& p) const {
  const Vec3 then = a.previous[vertex] - blend(b.previous, b.triangles[p.triangle], p.share);
  return a.position[vertex] - p.point - then;
}

/// Whether the two are near enough for a contact. Most are without having moved.
bool SkinPair::is_in_reach(int vertex, const SurfacePoint& p) const {
  return p.distance <= limit(0) || p.distance <= limit(way_to(vertex, p).norm());
}

/// Whether this is a point over the inside of a triangle that may be the wall of a corner.
bool SkinPair::is_in_corner(int vertex, const SurfacePoint& p) const {
  const double off = 0.5 * p.distance - thickness;
  return p.share.minCoeff() > 0 && (off < 0 || off < way_to(vertex, p).norm());
}

void SkinPair::VertexNeighbours::add(const SurfacePoint& other) {
  if (count < most) {
    others[count++] = other;
    return;
  }
  const auto furthest = std::max_element(
      others.begin(), others.end(), [](const SurfacePoint& p, const SurfacePoint& q) {
        return p.distance != q.distance ? p.distance < q.distance : p.triangle < q.triangle;
      });
  if (other.distance < furthest->distance) *furthest = other;
}

SurfacePoint SkinPair::closest(const Vec3& x, int triangle) const {
  const auto [i, j, k] = b.triangles[triangle];
  const std::vector<Vec3>& p = b.position;
  SurfacePoint found = closest_on_triangle(x, p[i], p[j], p[k]);
  found.triangle = triangle;
  return found;
}

/// Whether a vertex passed through this triangle, and before it passed through others.
void SkinPair::look_for_passage(int vertex, int t, VertexNeighbours& near_by) const {
  const Skin& theirs = b;
  const Triangle& triangle = theirs.triangles[t];
  const Vec3 &x = a.position[vertex], &before = a.previous[vertex];
  Box way;
  way.add(x);
  way.add(before);
  Box swept = box_of(theirs.position, triangle);
  swept.add(box_of(theirs.previous, triangle));
  if (!swept.overlaps(way)) return;
  if (topology_b.closed || self()) {  // entered from the front only
    const Vec3 then = before - theirs.previous[triangle[0]];
    const Vec3 here = x - theirs.position[triangle[0]];
    if (!(face_normal(theirs, theirs.previous, t).dot(then) > 0)) return;
    if (!(face_normal(theirs, theirs.position, t).dot(here) <= 0)) return;
  }
  MovingTriangle moving;
  moving.point[0] = before, moving.point[1] = x;
  for (int c = 0; c < 3; ++c)
    moving.corner[c][0] = theirs.previous[triangle[c]],
    moving.corner[c][1] = theirs.position[triangle[c]];
  const auto through = first_passage(moving);
  if (!through) return;
  const std::optional<Passage>& first = near_by.passage;
  if (first &&
      (through->time > first->time || (through->time == first->time && t > near_by.passed)))
    return;
  near_by.passage = through, near_by.passed = t;
}

void SkinPair::look_around(int vertex, Candidates candidates, int& last,
                           VertexNeighbours& near_by) const {
  const Vec3 x = a.position[vertex];
  std::optional<Vec3> normal;  // of the vertex, where it is asked for
  SurfacePoint& nearest = near_by.nearest;
  nearest.distance = furthest();
  const double corner_reach = 2 * (thickness + travel);  // walls of a corner must be that near
  // After a passage a vertex is no further away than that; a little more, for rounding.
  const double passing = (1 + 1e-9) * travel + 1e-12 * scale;
  const auto is_own_neighbour = [&](int t) {
    if (!self()) return false;
    if (!normal) normal = rough_normal(a, topology_a, a.position, vertex);
    return !may_meet_own(vertex, *normal, t);
  };

  // Of its own body a vertex passes over what is out of reach, also what it passed through in one
  // huge leap, so that nothing but what it could touch decides: candidates are only complete that
  // far.
  const auto counts = [&](const SurfacePoint& p) { return !one_body() || is_in_reach(vertex, p); };

  // Nothing further than the last nearest can be the nearest now; a little more, for rounding.
  SurfacePoint guess;
  double bound = nearest.distance;
  if (last >= 0 && candidates[0].distance - moved <= std::max(bound, corner_reach)) {
    guess = closest(x, candidates[last].triangle);
    if (guess.distance < bound && !is_own_neighbour(guess.triangle) && counts(guess))
      bound = (1 + 1e-9) * guess.distance + 1e-12 * scale;
    else guess.triangle = -1;
  }
  last = -1;
  for (int first = 0; first < int(candidates.size()); first += triangles_at_once) {
    const double wanted = std::min(nearest.distance, bound);
    const double nearest_left = candidates[first].distance - moved;  // of all that follow
    if (nearest_left > std::max(wanted, corner_reach)) break;
    unsigned bits =
        triangles_in_reach(x, b, some(candidates, first), std::max(wanted, passing), corner_reach);
    for (; bits != 0; bits &= bits - 1) {
      const int i = first + std::countr_zero(bits), t = candidates[i].triangle;
      if (is_own_neighbour(t)) continue;
      const SurfacePoint found = t == guess.triangle ? guess : closest(x, t);
      if (found.distance <= passing && counts(found)) look_for_passage(vertex, t, near_by);
      if (found.distance < corner_reach && is_in_corner(vertex, found)) near_by.add(found);
      const bool nearer = found.distance < nearest.distance ||
                          (found.distance == nearest.distance && t < nearest.triangle);
      if (nearer && counts(found)) nearest = found, last = i;
    }
  }
}

/// False when the two are too far apart.
bool SkinPair::add(int vertex, int order, int triangle, const Vec3& share, const Vec3& normal,
                   bool passed, std::vector<Contact>& found) const {
  const Triangle& corners = b.triangles[triangle];
  const Vec3 now = a.position[vertex] - blend(b.position, corners, share);
  const Vec3 then = a.previous[vertex] - blend(b.previous, corners, share);
  const double gap = normal.dot(now) - thickness;
  if (gap > reach((now - then).norm())) return false;
  const ContactKey key{ContactKey::vertex_triangle, index_a, index_b, vertex, order};
  Contact& made = add(key, normal, gap, normal.dot(then) - thickness, passed, found);
  made.a = Anchor::on_vertex(index_a, vertex);
  made.b = Anchor::on_triangle(index_b, corners, share);
  return true;
}

/// In a hollow corner the nearest wall alone would let the vertex slip through the next one, and
/// the two take turns: so up to two more, which look another way.
void SkinPair::add_wedge(int vertex, const VertexNeighbours& near_by, const Vec3& first,
                         std::vector<Contact>& found) const {
  const Vec3& x = a.position[vertex];
  Vec3 taken[3] = {first};
  for (int order = 1; order < 3; ++order) {
    const SurfacePoint* best = nullptr;
    Vec3 best_normal;
    for (int k = 0; k < near_by.count; ++k) {
      const SurfacePoint& here = near_by.others[k];
      if (best && (here.distance > best->distance ||
                   (here.distance == best->distance && here.triangle > best->triangle)))
        continue;
      const Vec3 normal = face_normal(b, b.position, here.triangle);
      bool fits = normal.dot(x - here.point) > 0;
      for (int t = 0; t < order; ++t) fits = fits && normal.dot(taken[t]) < corner_turn;
      if (!fits) continue;
      best = &here;
      best_normal = normal;
    }
    if (!best) return;
    if (!add(vertex, order, best->triangle, best->share, best_normal, false, found)) return;
    taken[order] = best_normal;
  }
}

void SkinPair::touch_own(int vertex, const SurfacePoint& nearest,
                         std::vector<Contact>& found) const {
  const Skin& skin = a;
  const int t = nearest.triangle;
  const Vec3 now = skin.position[vertex] - nearest.point;
  const Vec3 then = now - way_to(vertex, nearest);
  const ClosestFeature feature{skin, topology_a, nearest};
  const Vec3 out = feature.normal();
  if (!feature.is_below(now, out)) return;
  const Vec3 normal = feature.outward(now, false, out);
  const bool in_front = normal.dot(then) > 0;
  const ContactKey key{ContactKey::vertex_triangle, index_a, index_b, vertex, 0};
  if (!in_front && !memory.was_behind(key, normal)) return;
  const Vec3 face = face_normal(skin, skin.position, t);
  if (vertex_normal(skin, topology_a, skin.position, vertex).dot(face) > 0) return;
  if (normal.dot(then) < -depth) return;  // squeezed through: to fight it would do more harm
  add(vertex, 0, t, nearest.share, normal, false, found);
}

void SkinPair::touch(int vertex, Candidates candidates, int& last, VertexNeighbours& near_by,
                     std::vector<Contact>& found) const {
  near_by.clear();
  look_around(vertex, candidates, last, near_by);

  if (near_by.passage) {
    const Skin& theirs = b;
    const Vec3& before = a.previous[vertex];
    const int t = near_by.passed;
    const Vec3 face = face_normal(theirs, theirs.position, t);
    const double side = face_normal(theirs, theirs.previous, t)
                            .dot(before - theirs.previous[theirs.triangles[t][0]]);
    add(vertex, 0, t, near_by.passage->share, side >= 0 ? face : Vec3(-face), true, found);
    return;
  }
  const SurfacePoint& nearest = near_by.nearest;
  if (nearest.triangle < 0 || !is_in_reach(vertex, nearest)) return;
  if (self()) touch_own(vertex, nearest, found);
  else touch_nearest(vertex, candidates, near_by, found);
}

void SkinPair::touch_listed(CandidateList& listed, int first, int stop, double path,
                            VertexNeighbours& near_by, std::vector<Contact>& found) const {
  constexpr double rest = 24;  // substeps in which a vertex that is far is not looked at, at most
  ASSERT(first >= 0 && stop <= listed.count(), "vertices that are listed");
  ASSERT(topology_a.edge_of_side.size() == a.triangles.size() &&
             topology_b.edge_of_side.size() == b.triangles.size(),
         "topologies are of these skins");
  const double looked = furthest(), far = 1.25 * looked + rest * travel;
  for (int k = first; k < stop; ++k) {
    if (listed.clearance[k] > path + looked) continue;
    if (listed.last[k] < 0) {
      const double there = distance(listed.vertex[k], listed.candidates(k), far);
      listed.clearance[k] = there + path;
      if (there > looked) continue;
    }
    touch(listed.vertex[k], listed.candidates(k), listed.last[k], near_by, found);
  }
}

void SkinPair::cross_listed(std::span<ListedEdges> listed, double path,
                            std::vector<Contact>& found) const {
  const double looked = path + furthest();
  for (auto& [edge, other, clearance] : listed)
    if (clearance <= looked) clearance = path + cross(edge, other, found);
}

double SkinPair::distance(int vertex, Candidates candidates, double most) const {
  const Vec3& x = a.position[vertex];
  for (int i = 0; i < int(candidates.size()); i += triangles_at_once) {
    if (candidates[i].distance - moved > most) break;  // and so are all that follow
    most = std::min(most, distance_to_nearest(x, b, some(candidates, i)));
  }
  return most;
}

void SkinPair::touch_nearest(int vertex, Candidates candidates, const VertexNeighbours& near_by,
                             std::vector<Contact>& found) const {
  const Skin& theirs = b;
  const Vec3 x = a.position[vertex];
  const SurfacePoint& nearest = near_by.nearest;

  const int t = nearest.triangle;
  const Vec3 r = x - nearest.point;
  const ClosestFeature feature{theirs, topology_b, nearest};

  if (!topology_b.closed) {
    const Vec3 face = face_normal(theirs, theirs.position, t);
    const Vec3 then =
        a.previous[vertex] - blend(theirs.previous, theirs.triangles[t], nearest.share);
    const double side = face_normal(theirs, theirs.previous, t).dot(then) >= 0 ? 1 : -1;
    // Over the inside of a sheet its normal counts; round its rim, the way to the vertex.
    const bool over = feature.in_face() || r.norm() < 1e-9 * scale;
    add(vertex, 0, t, nearest.share, over ? Vec3(side * face) : Vec3(r.normalized()), false, found);
    return;
  }
  const Vec3 out = feature.normal();
  const bool inside = r.dot(out) < 0;
  if (!inside) {
    const Vec3 normal = feature.outward(r, false, out);
    if (add(vertex, 0, t, nearest.share, normal, false, found) && near_by.count > 1)
      add_wedge(vertex, near_by, normal, found);
    return;
  }
  const double deep = overlap(way_to(vertex, nearest).norm()) + thickness;
  if (nearest.distance > deep) return;
  const Vec3 own = vertex_normal(a, topology_a, a.position, vertex);
  if (own.dot(face_normal(theirs, theirs.position, t)) <= agreeing) {
    add(vertex, 0, t, nearest.share, feature.outward(r, true, out), false, found);
    return;
  }

  // The nearest face looks the same way as the vertex: it came in through another one.
  SurfacePoint facing;
  facing.distance = deep;
  for (const auto& [other, distance] : candidates) {
    if (distance - moved > facing.distance) break;
    const Triangle& corners = theirs.triangles[other];
    if (box_of(theirs.position, corners).squared_distance(x) > facing.distance * facing.distance)
      continue;
    const Vec3 normal = face_normal(theirs, theirs.position, other);
    if (own.dot(normal) > agreeing || normal.dot(x - theirs.position[corners[0]]) > 0) continue;
    const SurfacePoint here = closest(x, other);
    const bool nearer = here.distance < facing.distance ||
                        (here.distance == facing.distance && other < facing.triangle);
    if (nearer) facing = here;
  }
  if (facing.triangle >= 0)
    add(vertex, 0, facing.triangle, facing.share,
        face_normal(theirs, theirs.position, facing.triangle), false, found);
}

void SkinPair::again(const RecycledContact& kept, std::vector<Contact>& found) const {
  const double now = kept.normal.dot(kept.now(a.position, b.position));
  const double then = kept.normal.dot(kept.now(a.previous, b.previous));
  Contact& made = add(kept.key, kept.normal, now - thickness, then - thickness, false, found);
  made.a = kept.a;
  made.b = kept.b;
}

double SkinPair::cross(int edge_a, int edge_b, std::vector<Contact>& found) const {
  const Skin &ours = a, &theirs = b;
  const SkinTopology::Edge &edge = topology_a.edges[edge_a], &other = topology_b.edges[edge_b];
  const auto [i, j] = edge.vertex;
  const auto [k, l] = other.vertex;
  const Vec3 &a0 = ours.position[i], &a1 = ours.position[j];
  const Vec3 &b0 = theirs.position[k], &b1 = theirs.position[l];
  const Vec3 along_a = a1 - a0, along_b = b1 - b0;
  Vec3 normal = along_a.cross(along_b);
  const double sine = normal.norm();
  if (sine < least_sine * along_a.norm() * along_b.norm()) return 0;
  normal /= sine;

  const auto now_at = [&](double s, double t) -> Vec3 {
    return a0 + s * along_a - b0 - t * along_b;
  };
  const auto then_at = [&](double s, double t) -> Vec3 {
    return (1 - s) * ours.previous[i] + s * ours.previous[j] - (1 - t) * theirs.previous[k] -
           t * theirs.previous[l];
  };
  SegmentPair at = closest_between_segments(a0, a1, b0, b1);
  bool passed = false;
  // Of one body, lists are only complete so far (as in look_around).
  const auto is_listed = [&](const auto& crossing) {
    const auto& [s, t] = std::pair(crossing.s, crossing.t);
    return !one_body() || at.distance <= limit((now_at(s, t) - then_at(s, t)).norm());
  };
  if (at.distance <= travel) {  // others cannot have met within the substep
    const MovingEdges moving{{{ours.previous[i], a0}, {ours.previous[j], a1}},
                             {{theirs.previous[k], b0}, {theirs.previous[l], b1}}};
    Box way, their_way;
    for (int end = 0; end < 2; ++end)
      for (int time = 0; time < 2; ++time) {
        way.add(moving.p[end][time]);
        their_way.add(moving.q[end][time]);
      }
    if (way.overlaps(their_way))
      if (const auto crossing = first_crossing(moving); crossing && is_listed(*crossing))
        at.s = crossing->s, at.t = crossing->t, passed = true;
  }
  const auto is_end = [](double share) { return share < ends || share > 1 - ends; };
  // Near ends a vertex meets a triangle; but a passage near an end is one.
  if (!passed && (at.distance > furthest() || is_end(at.s) || is_end(at.t))) return at.distance;
  if (!passed &&
      (crease_at(ours, edge) != Crease::ridge || crease_at(theirs, other) != Crease::ridge))
    return at.distance;
  const NormalArc arc_a(ours, edge), arc_b(theirs, other);

  const Vec3 now = now_at(at.s, at.t), then = then_at(at.s, at.t);
  // From b to a: towards the outside of b, and where a came from.
  if (normal.dot(arc_b.middle - arc_a.middle) < 0) normal = -normal;
  if (passed) {
    if (normal.dot(then) <= 0) return at.distance;  // one that comes out again
  } else {
    if (!arc_b.contains(normal, arc_margin) || !arc_a.contains(-normal, arc_margin))
      return at.distance;
  }
  const double gap = normal.dot(now) - thickness, moved_by = (now - then).norm();
  if (gap > reach(moved_by)) return at.distance;
  if (!passed && (at.distance > limit(moved_by) || -gap > overlap(moved_by) + thickness))
    return at.distance;
  const ContactKey key{ContactKey::edge_edge, index_a, index_b, edge_a, edge_b};
  if (self() &&
      (normal.dot(then) < -depth || (normal.dot(then) <= 0 && !memory.knows(key, normal))))
    return at.distance;
  Contact& made = add(key, normal, gap, normal.dot(then) - thickness, passed, found);
  made.a = Anchor::on_edge(index_a, edge.vertex, at.s);
  made.b = Anchor::on_edge(index_b, other.vertex, at.t);
  return at.distance;
}

}  // namespace pliant
