#include "contact/body_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/surroundings.h"
#include "contact/way.h"
#include "core/parallel.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

constexpr int grain = 64;
constexpr double same_way = 0.2;  // cosine between normals of surfaces that do not face each other
constexpr double ends = 1e-3;     // edges meet between these shares from their ends,
constexpr double least_sine = 0.01;  // at no smaller angle than this,
constexpr double arc_margin = 0.02;  // and with a normal that lies between their faces'

constexpr double short_sight = 0.01;  // sizes

// What a body may gain in speed without being listed anew; about gravity.
constexpr double usual_acceleration = 10;  // [m/s^2]

Vec3 blend(const std::vector<Vec3>& points, const Triangle& t, const Vec3& share) {
  return share[0] * points[t[0]] + share[1] * points[t[1]] + share[2] * points[t[2]];
}

}  // namespace

/// Two bodies, `a` with the vertex or first edge, and the lengths that go with them.
struct BodyContacts::Pair {
  const Body& a;
  const Body& b;
  const SkinShape& shape_a;
  const SkinShape& shape_b;
  int index_a, index_b;
  double size;       // [m] of the smaller
  double thickness;  // [m]
  double near;       // [m] gaps up to here always take part
  double slack;      // [m] how much nearer two features may be than when they were listed
  double travel;     // [m] by how much they may have changed their distance in this substep
  double exit;       // [m] by which overlap that was there before is undone in one substep
  double tolerance;  // [m]

  bool self() const { return index_a == index_b; }
  /// Gaps smaller than this become contacts, for features that moved by `way` against each other.
  double reach(double way) const { return std::max(near, thickness + 2 * way); }

  Contact contact(const ContactKey& key, const Vec3& normal, double gap, double gap_before,
                  bool passed) const {
    Contact contact;
    contact.key = key;
    contact.normal = normal;
    contact.thickness = thickness;
    contact.gap = gap;
    contact.goal = passed ? 0 : std::min(0.0, gap_before + exit);
    contact.friction = std::sqrt(a.friction * b.friction);
    contact.tolerance = tolerance;
    return contact;
  }
};

BodyContacts::Pair BodyContacts::pair(std::span<const Body> bodies, const ContactSettings& settings,
                                      int a, int b, double h) const {
  const double size = std::min(bodies[a].size, bodies[b].size);
  return {.a = bodies[a],
          .b = bodies[b],
          .shape_a = candidates_.shape(a),
          .shape_b = candidates_.shape(b),
          .index_a = a,
          .index_b = b,
          .size = size,
          .thickness = bodies[a].thickness + bodies[b].thickness,
          .near = settings.reach * size,
          .slack = moving_[a].moved + moving_[b].moved,
          .travel = moving_[a].travel + moving_[b].travel,
          .exit = settings.exit_speed * size * h,
          .tolerance = settings.tolerance * size};
}

void BodyContacts::find_candidates(std::span<const Body> bodies, const ContactSettings& settings,
                                   double dt) {
  moving_.resize(bodies.size());
  foreseen_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    foreseen_[b] = 1.2 * top_speed(bodies[b].nodes) * dt + usual_acceleration * dt * dt;
  meet_ =
      settings.touch == Touches::all || (settings.touch == Touches::bodies && bodies.size() > 1);
  candidates_.prepare(bodies, meet_);
  if (!meet_) return;
  // A body with room to itself needs no list for the whole step. Of others, a list that foresees
  // too much is long: better a short one, made anew several times.
  for (std::size_t b = 0; b < bodies.size(); ++b)
    moving_[b].foreseen = candidates_.has_neighbours(bodies, settings, foreseen_, int(b))
                              ? std::min(foreseen_[b], short_sight * bodies[b].size)
                              : foreseen_[b];
  list(bodies, settings);
}

void BodyContacts::find_candidates_again(std::span<const Body> bodies,
                                         const ContactSettings& settings) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    moving_[b].foreseen =
        std::max({moving_[b].foreseen, 4 * moving_[b].travel, short_sight * bodies[b].size});
  candidates_.refit(bodies);
  list(bodies, settings);
}

void BodyContacts::list(std::span<const Body> bodies, const ContactSettings& settings) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    foreseen_[b] = moving_[b].foreseen;
    moving_[b].moved = 0;
    moving_[b].clear = false;
    moving_[b].listed_at = bodies[b].skin.position;
  }
  candidates_.list(bodies, settings, foreseen_);
}

bool BodyContacts::stays_clear(int body, double travel) {
  if (body >= int(moving_.size())) return false;
  if (!meet_) return true;
  Moving& moving = moving_[body];
  moving.clear = false;
  if (candidates_.listed(body)) return false;
  moving.travel = travel;
  moving.moved += travel;
  moving.clear = moving.moved + 2 * travel <= moving.foreseen;
  return moving.clear;
}

bool BodyContacts::outran(std::span<const Body> bodies) {
  if (moving_.size() != bodies.size()) {
    moving_.resize(bodies.size());
    return true;
  }
  bool any = false;
  for (std::size_t b = 0; meet_ && b < bodies.size(); ++b) {
    Moving& moving = moving_[b];
    if (moving.clear) continue;
    const Skin& skin = bodies[b].skin;
    const bool same_skin = moving.listed_at.size() == skin.position.size() &&
                           candidates_.shape(int(b)).revision == skin.revision;
    moving.travel = furthest(skin.position, skin.previous);
    moving.moved = same_skin ? furthest(skin.position, moving.listed_at) : 0;
    if (!std::isfinite(moving.travel)) continue;  // the world says so at the end of the step
    any = any || !same_skin || moving.moved + 2 * moving.travel > moving.foreseen;
  }
  return any;
}

/// The contact of a vertex with one body, if there is one.
std::optional<Contact> BodyContacts::meet(const Pair& pair, const BodyCandidates::List& list,
                                          const BodyCandidates::Meeting& meeting,
                                          const ContactMemory& memory) const {
  const Skin& theirs = pair.b.skin;
  const int v = meeting.feature;
  const Vec3 x = pair.a.skin.position[v], before = pair.a.skin.previous[v];
  const ContactKey key{ContactKey::vertex_triangle, pair.index_a, v, pair.index_b, 0};

  // How much nearer than when it was listed anything may be.
  const double slack =
      (x - moving_[pair.index_a].listed_at[v]).norm() + moving_[pair.index_b].moved;
  SurfacePoint nearest;
  nearest.distance = pair.thickness + pair.reach(pair.travel);
  std::optional<Passage> passage;
  int passed = -1;
  for (int k = meeting.begin; k < meeting.end; ++k) {
    const auto [distance, t] = list.candidates[k];
    const double least = distance - slack;
    const bool may_pass = least <= 2 * pair.travel;
    if (least > nearest.distance && !may_pass) break;
    const Triangle& triangle = theirs.triangles[t];
    if (may_pass) {
      MovingTriangle moving;
      moving.point[0] = before, moving.point[1] = x;
      for (int c = 0; c < 3; ++c)
        moving.corner[c][0] = theirs.previous[triangle[c]],
        moving.corner[c][1] = theirs.position[triangle[c]];
      // Closed skins, and one's own, are entered from the front only.
      const bool one_way = pair.shape_b.closed || pair.self();
      const bool entered =
          !one_way ||
          (face_normal(theirs, theirs.previous, t).dot(before - moving.corner[0][0]) > 0 &&
           face_normal(theirs, theirs.position, t).dot(x - moving.corner[0][1]) <= 0);
      if (entered)
        if (const auto through = first_passage(moving);
            through && (!passage || through->time < passage->time))
          passage = through, passed = t;
    }
    if (least > nearest.distance) continue;
    const SurfacePoint found =
        closest_on_triangle(x, theirs.position[triangle[0]], theirs.position[triangle[1]],
                            theirs.position[triangle[2]]);
    const bool nearer = found.distance < nearest.distance ||
                        (found.distance == nearest.distance && t < nearest.triangle);
    if (!nearer) continue;
    nearest = found;
    nearest.triangle = t;
  }

  const auto made = [&](int t, const Vec3& share, const Vec3& normal,
                        bool through) -> std::optional<Contact> {
    const Triangle& triangle = theirs.triangles[t];
    const Vec3 now = x - blend(theirs.position, triangle, share);
    const Vec3 then = before - blend(theirs.previous, triangle, share);
    const double gap = normal.dot(now) - pair.thickness;
    if (gap > pair.reach((now - then).norm())) return std::nullopt;
    Contact contact = pair.contact(key, normal, gap, normal.dot(then) - pair.thickness, through);
    contact.a = Anchor::on_vertex(pair.index_a, v);
    contact.b = Anchor::on_triangle(pair.index_b, triangle, share);
    return contact;
  };

  if (passage) {
    const Vec3 face = face_normal(theirs, theirs.position, passed);
    const Triangle& triangle = theirs.triangles[passed];
    const double side =
        face_normal(theirs, theirs.previous, passed).dot(before - theirs.previous[triangle[0]]);
    return made(passed, passage->share, side >= 0 ? face : Vec3(-face), true);
  }
  if (nearest.triangle < 0) return std::nullopt;

  const int t = nearest.triangle;
  const Triangle& triangle = theirs.triangles[t];
  const Vec3 r = x - nearest.point;
  const Vec3 face = face_normal(theirs, theirs.position, t);
  const Surroundings surroundings{theirs, pair.shape_b, nearest};
  const auto own_normal = [&] {
    return vertex_normal(pair.a.skin, pair.shape_a, pair.a.skin.position, v);
  };

  if (pair.self()) {
    const Vec3 then = before - blend(theirs.previous, triangle, nearest.share);
    const bool in_front = face_normal(theirs, theirs.previous, t).dot(then) > 0;
    if (!in_front && !memory.contains(key)) return std::nullopt;
    if (own_normal().dot(face) > 0) return std::nullopt;
    return made(t, nearest.share, surroundings.outward(r, false), false);
  }
  if (!pair.shape_b.closed) {
    const Vec3 then = before - blend(theirs.previous, triangle, nearest.share);
    const double side = face_normal(theirs, theirs.previous, t).dot(then) >= 0 ? 1 : -1;
    // Over the inside of a sheet its normal counts; round its rim, the way to the vertex.
    const bool over = surroundings.in_face() || r.norm() < 1e-9 * pair.size;
    return made(t, nearest.share, over ? Vec3(side * face) : Vec3(r.normalized()), false);
  }
  const bool inside = r.dot(surroundings.normal()) < 0;
  if (!inside) return made(t, nearest.share, surroundings.outward(r, false), false);
  if (nearest.distance > pair.near + pair.thickness) return std::nullopt;
  const Vec3 own = own_normal();
  if (own.dot(face) <= same_way)
    return made(t, nearest.share, surroundings.outward(r, true), false);

  // The nearest face looks the same way as the vertex: it came in through another one.
  SurfacePoint facing;
  facing.distance = pair.near + pair.thickness;
  for (int k = meeting.begin; k < meeting.end; ++k) {
    const auto [distance, other] = list.candidates[k];
    if (distance - slack > facing.distance) break;
    const Triangle& corners = theirs.triangles[other];
    const Vec3 normal = face_normal(theirs, theirs.position, other);
    if (own.dot(normal) > same_way || normal.dot(x - theirs.position[corners[0]]) > 0) continue;
    const SurfacePoint found = closest_on_triangle(
        x, theirs.position[corners[0]], theirs.position[corners[1]], theirs.position[corners[2]]);
    if (found.distance >= facing.distance) continue;
    facing = found;
    facing.triangle = other;
  }
  if (facing.triangle < 0) return std::nullopt;
  return made(facing.triangle, facing.share, face_normal(theirs, theirs.position, facing.triangle),
              false);
}

/// The contact of two edges, if there is one.
std::optional<Contact> BodyContacts::cross(const Pair& pair, int edge_a,
                                           const BodyCandidates::Candidate& with,
                                           const ContactMemory& memory) const {
  const Skin& ours = pair.a.skin;
  const Skin& theirs = pair.b.skin;
  const SkinShape::Edge& a = pair.shape_a.edges[edge_a];
  const SkinShape::Edge& b = pair.shape_b.edges[with.feature];
  const Vec3 &a0 = ours.position[a.vertex[0]], &a1 = ours.position[a.vertex[1]];
  const Vec3 &b0 = theirs.position[b.vertex[0]], &b1 = theirs.position[b.vertex[1]];
  const SegmentPair closest = closest_between_segments(a0, a1, b0, b1);
  if (closest.distance > pair.thickness + pair.reach(pair.travel)) return std::nullopt;
  if (closest.s < ends || closest.s > 1 - ends || closest.t < ends || closest.t > 1 - ends)
    return std::nullopt;  // a vertex meets a triangle there
  const Vec3 along_a = a1 - a0, along_b = b1 - b0;
  Vec3 normal = along_a.cross(along_b);
  const double size = normal.norm();
  if (size < least_sine * along_a.norm() * along_b.norm()) return std::nullopt;
  normal /= size;
  const Arc arc_a(ours, a), arc_b(theirs, b);
  if (normal.dot(arc_b.middle - arc_a.middle) < 0) normal = -normal;
  if (!arc_b.contains(normal, arc_margin) || !arc_a.contains(-normal, arc_margin))
    return std::nullopt;

  const Vec3 now = a0 + closest.s * along_a - b0 - closest.t * along_b;
  const Vec3 then =
      (1 - closest.s) * ours.previous[a.vertex[0]] + closest.s * ours.previous[a.vertex[1]] -
      (1 - closest.t) * theirs.previous[b.vertex[0]] - closest.t * theirs.previous[b.vertex[1]];
  const double gap = normal.dot(now) - pair.thickness;
  if (gap > pair.reach((now - then).norm()) || -gap > pair.near + pair.thickness)
    return std::nullopt;
  const ContactKey key{ContactKey::edge_edge, pair.index_a, edge_a, pair.index_b, with.feature};
  if (pair.self() && normal.dot(then) <= 0 && !memory.contains(key)) return std::nullopt;
  Contact contact = pair.contact(key, normal, gap, normal.dot(then) - pair.thickness, false);
  contact.a = Anchor::on_edge(pair.index_a, a.vertex, closest.s);
  contact.b = Anchor::on_edge(pair.index_b, b.vertex, closest.t);
  return contact;
}

void BodyContacts::find_vertices(std::span<const Body> bodies, const ContactSettings& settings,
                                 const ContactMemory& memory, double h,
                                 std::vector<Contact>& contacts) {
  for (int a = 0; a < int(bodies.size()); ++a) {
    const BodyCandidates::List& list = candidates_.vertices(a);
    const int count = int(list.meetings.size());
    found_.resize(std::size_t(count));
    parallel_for(count, grain, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        const BodyCandidates::Meeting& meeting = list.meetings[i];
        found_[i] = meet(pair(bodies, settings, a, meeting.other, h), list, meeting, memory);
      }
    });
    for (int i = 0; i < count; ++i)
      if (found_[i]) contacts.push_back(*found_[i]);
  }
}

void BodyContacts::find_edges(std::span<const Body> bodies, const ContactSettings& settings,
                              const ContactMemory& memory, double h,
                              std::vector<Contact>& contacts) {
  for (int a = 0; a < int(bodies.size()); ++a) {
    const BodyCandidates::List& list = candidates_.edges(a);
    const int count = int(list.meetings.size());
    chunks_.resize(std::size_t((count + grain - 1) / grain));
    parallel_for(count, grain, [&](int begin, int end) {
      std::vector<Contact>& chunk = chunks_[begin / grain];
      chunk.clear();
      for (int i = begin; i < end; ++i) {
        const BodyCandidates::Meeting& meeting = list.meetings[i];
        const Pair both = pair(bodies, settings, a, meeting.other, h);
        const std::size_t first = chunk.size();
        for (int k = meeting.begin; k < meeting.end; ++k) {
          const BodyCandidates::Candidate& with = list.candidates[k];
          if (with.distance - both.slack > both.thickness + both.reach(both.travel)) break;
          if (const auto contact = cross(both, meeting.feature, with, memory))
            chunk.push_back(*contact);
        }
        std::sort(chunk.begin() + std::ptrdiff_t(first), chunk.end(),
                  [](const Contact& p, const Contact& q) { return p.key < q.key; });
      }
    });
    for (const std::vector<Contact>& chunk : chunks_)
      contacts.insert(contacts.end(), chunk.begin(), chunk.end());
  }
}

void BodyContacts::find(std::span<const Body> bodies, const ContactSettings& settings,
                        const ContactMemory& memory, const Substep& substep,
                        std::vector<Contact>& contacts) {
  if (!meet_) return;
  for (const Moving& moving : moving_)
    if (!moving.clear && !std::isfinite(moving.travel + moving.moved)) return;
  find_vertices(bodies, settings, memory, substep.h, contacts);
  find_edges(bodies, settings, memory, substep.h, contacts);
}

}  // namespace pliant
