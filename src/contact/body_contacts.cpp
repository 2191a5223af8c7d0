#include "contact/body_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/surroundings.h"
#include "core/parallel.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

constexpr int grain = 64;         // meetings
constexpr double same_way = 0.2;  // cosine between normals of surfaces that do not face each other
constexpr double ends = 1e-3;     // edges meet between these shares from their ends,
constexpr double least_sine = 0.01;  // at no smaller angle than this,
constexpr double arc_margin = 0.02;  // and with a normal that lies between their faces'

constexpr double short_sight = 0.04;  // sizes

// What a body may gain in speed without being listed anew; about gravity.
constexpr double usual_acceleration = 10;  // [m/s^2]

Vec3 blend(const std::vector<Vec3>& points, const Triangle& t, const Vec3& share) {
  return share[0] * points[t[0]] + share[1] * points[t[1]] + share[2] * points[t[2]];
}

}  // namespace

/// Two bodies, `a` with the vertex or first edge, and the lengths that go with them.
struct BodyContacts::Meet {
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

BodyContacts::Meet BodyContacts::meet(std::span<const Body> bodies, const ContactSettings& settings,
                                      const Side& side, double h) const {
  const Body &a = bodies[side.a], &b = bodies[side.b];
  const double size = std::min(a.size, b.size);
  return {.a = a,
          .b = b,
          .shape_a = candidates_.shape(side.a),
          .shape_b = candidates_.shape(side.b),
          .index_a = side.a,
          .index_b = side.b,
          .size = size,
          .thickness = a.thickness + b.thickness,
          .near = settings.reach * size,
          .slack = together_[side.pair].moved,
          .travel = together_[side.pair].travel,
          .exit = settings.exit_speed * size * h,
          .tolerance = settings.tolerance * size};
}

void BodyContacts::find_candidates(std::span<const Body> bodies, const ContactSettings& settings,
                                   double dt) {
  step_ = dt;
  meets_ =
      settings.touch == Touches::all || (settings.touch == Touches::bodies && bodies.size() > 1);
  clear_.assign(bodies.size(), 1);
  outran_ = all_outran_ = false;
  candidates_.prepare(bodies, meets_);
  for (Moving& moving : moving_) moving.travel = 0;
  if (meets_) find_pairs(bodies, settings, {});
}

/// By how much distances between the two can have changed, when their nodes went these ways.
double BodyContacts::change(std::span<const Way> ways, const BodyCandidates::Pair& pair) const {
  if (ways.empty()) return 0;
  const Way &a = ways[pair.a], &b = ways[pair.b];
  return (a.middle - b.middle).norm() + spread(pair.a) * a.off + spread(pair.b) * b.off;
}

/// `ways`: of this substep, where one has begun.
void BodyContacts::find_pairs(std::span<const Body> bodies, const ContactSettings& settings,
                              std::span<const Way> ways) {
  const int count = int(bodies.size());
  const double gain = usual_acceleration * step_ * step_;
  moving_.resize(std::size_t(count));
  alone_.resize(std::size_t(count));
  ways_.resize(std::size_t(count));
  for (int b = 0; b < count; ++b) {
    ways_[b] = way_at(bodies[b].nodes.velocity, 1.2 * step_);
    // Bodies that are found again within the step were faster than their velocities said.
    moving_[b].foreseen = std::max(ways_[b].furthest + gain, 4 * moving_[b].travel);
    moving_[b].moved = 0;
    alone_[b] = moving_[b].foreseen;
  }
  candidates_.pair_up(bodies, settings, alone_);
  together_.assign(candidates_.pairs().size(), {});
  for (std::size_t p = 0; p < together_.size(); ++p) {
    BodyCandidates::Pair& pair = candidates_.pairs()[p];
    together_[p].travel = change(ways, pair);
    // A list that foresees much is long: better a short one, made anew several times.
    const double size = std::min(bodies[pair.a].size, bodies[pair.b].size);
    pair.foreseen =
        std::max(4 * together_[p].travel, std::min(change(ways_, pair) + gain, short_sight * size));
    candidates_.list(bodies, settings, pair);
  }
  line_up();
}

void BodyContacts::find_candidates_again(std::span<const Body> bodies,
                                         const ContactSettings& settings,
                                         std::span<const Way> ways) {
  const int count = int(bodies.size());
  if (all_outran_) {
    bool same_skins = int(moving_.size()) == count;
    for (int b = 0; same_skins && b < count; ++b)
      same_skins = candidates_.shape(b).revision == bodies[b].skin.revision;
    if (!same_skins) candidates_.prepare(bodies, true);
    for (int b = 0; b < count; ++b) candidates_.refit(bodies[b], b);
    find_pairs(bodies, settings, ways);
  } else {
    refit_.assign(bodies.size(), 0);
    for (std::size_t p = 0; p < together_.size(); ++p) {
      BodyCandidates::Pair& pair = candidates_.pairs()[p];
      if (together_[p].moved + 2 * together_[p].travel <= pair.foreseen) continue;
      refit_[pair.a] = refit_[pair.b] = 1;
    }
    parallel_for(count, 1, [&](int b, int) {
      if (refit_[b]) candidates_.refit(bodies[b], b);
    });
    for (std::size_t p = 0; p < together_.size(); ++p) {
      BodyCandidates::Pair& pair = candidates_.pairs()[p];
      if (together_[p].moved + 2 * together_[p].travel <= pair.foreseen) continue;
      const double size = std::min(bodies[pair.a].size, bodies[pair.b].size);
      pair.foreseen = std::max(4 * together_[p].travel, short_sight * size);
      together_[p].moved = 0;
      candidates_.list(bodies, settings, pair);
    }
    line_up();
  }
  outran_ = all_outran_ = false;
}

/// Puts the sides of all pairs in the order of their contacts' keys, and finds who stays clear.
void BodyContacts::line_up() {
  std::fill(clear_.begin(), clear_.end(), 1);
  vertices_.clear();
  edges_.clear();
  const std::span<const BodyCandidates::Pair> pairs = candidates_.pairs();
  for (int p = 0; p < int(pairs.size()); ++p) {
    const BodyCandidates::Pair& pair = pairs[p];
    if (pair.empty()) continue;
    clear_[pair.a] = clear_[pair.b] = 0;
    if (!pair.vertices_a.meetings.empty())
      vertices_.push_back({p, pair.a, pair.b, &pair.vertices_a, 0});
    if (!pair.vertices_b.meetings.empty())
      vertices_.push_back({p, pair.b, pair.a, &pair.vertices_b, 0});
    if (!pair.edges.meetings.empty()) edges_.push_back({p, pair.a, pair.b, &pair.edges, 0});
  }
  std::sort(vertices_.begin(), vertices_.end(),
            [](const Side& p, const Side& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
  for (std::vector<Side>* sides : {&vertices_, &edges_}) {
    int start = 0;
    for (Side& side : *sides) {
      side.start = start;
      start += int(side.list->meetings.size());
    }
  }
}

void BodyContacts::follow(std::span<const Body> bodies, std::span<const Way> ways) {
  const int count = int(bodies.size());
  finite_ = true;
  outran_ = all_outran_ = false;
  if (!meets_) return;
  if (int(moving_.size()) != count) {
    moving_.resize(std::size_t(count));
    clear_.assign(std::size_t(count), 0);
    outran_ = all_outran_ = true;
    return;
  }
  for (int b = 0; b < count; ++b) {
    moving_[b].travel = spread(b) * ways[b].furthest;
    moving_[b].moved += moving_[b].travel;
    finite_ = finite_ && std::isfinite(moving_[b].travel);
    all_outran_ = all_outran_ || candidates_.shape(b).revision != bodies[b].skin.revision ||
                  moving_[b].moved + 2 * moving_[b].travel > moving_[b].foreseen;
  }
  if (!finite_) {
    all_outran_ = false;
    return;
  }
  const std::span<const BodyCandidates::Pair> pairs = candidates_.pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    together_[p].travel = change(ways, pairs[p]);
    together_[p].moved += together_[p].travel;
    if (together_[p].moved + 2 * together_[p].travel <= pairs[p].foreseen) continue;
    outran_ = true;
    clear_[pairs[p].a] = clear_[pairs[p].b] = 0;
  }
  outran_ = outran_ || all_outran_;
}

/// The contact of a vertex with one body, if there is one.
std::optional<Contact> BodyContacts::touch(const Meet& meet, const BodyCandidates::List& list,
                                           const BodyCandidates::Meeting& meeting,
                                           const ContactMemory& memory) const {
  const Skin& theirs = meet.b.skin;
  const int v = meeting.feature;
  const Vec3 x = meet.a.skin.position[v], before = meet.a.skin.previous[v];
  const ContactKey key{ContactKey::vertex_triangle, meet.index_a, meet.index_b, v, 0};
  SurfacePoint nearest;
  nearest.distance = meet.thickness + meet.reach(meet.travel);
  std::optional<Passage> passage;
  int passed = -1;
  for (int k = meeting.begin; k < meeting.end; ++k) {
    const auto [distance, t] = list.candidates[k];
    const double least = distance - meet.slack;
    const bool may_pass = least <= 2 * meet.travel;
    if (least > nearest.distance && !may_pass) break;
    const Triangle& triangle = theirs.triangles[t];
    if (may_pass) {
      MovingTriangle moving;
      moving.point[0] = before, moving.point[1] = x;
      for (int c = 0; c < 3; ++c)
        moving.corner[c][0] = theirs.previous[triangle[c]],
        moving.corner[c][1] = theirs.position[triangle[c]];
      // Closed skins, and one's own, are entered from the front only.
      const bool one_way = meet.shape_b.closed || meet.self();
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
    const double gap = normal.dot(now) - meet.thickness;
    if (gap > meet.reach((now - then).norm())) return std::nullopt;
    Contact contact = meet.contact(key, normal, gap, normal.dot(then) - meet.thickness, through);
    contact.a = Anchor::on_vertex(meet.index_a, v);
    contact.b = Anchor::on_triangle(meet.index_b, triangle, share);
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
  const Surroundings surroundings{theirs, meet.shape_b, nearest};
  const auto own_normal = [&] {
    return vertex_normal(meet.a.skin, meet.shape_a, meet.a.skin.position, v);
  };

  if (meet.self()) {
    const Vec3 then = before - blend(theirs.previous, triangle, nearest.share);
    const bool in_front = face_normal(theirs, theirs.previous, t).dot(then) > 0;
    if (!in_front && !memory.contains(key)) return std::nullopt;
    if (own_normal().dot(face) > 0) return std::nullopt;
    return made(t, nearest.share, surroundings.outward(r, false), false);
  }
  if (!meet.shape_b.closed) {
    const Vec3 then = before - blend(theirs.previous, triangle, nearest.share);
    const double side = face_normal(theirs, theirs.previous, t).dot(then) >= 0 ? 1 : -1;
    // Over the inside of a sheet its normal counts; round its rim, the way to the vertex.
    const bool over = surroundings.in_face() || r.norm() < 1e-9 * meet.size;
    return made(t, nearest.share, over ? Vec3(side * face) : Vec3(r.normalized()), false);
  }
  const bool inside = r.dot(surroundings.normal()) < 0;
  if (!inside) return made(t, nearest.share, surroundings.outward(r, false), false);
  if (nearest.distance > meet.near + meet.thickness) return std::nullopt;
  const Vec3 own = own_normal();
  if (own.dot(face) <= same_way)
    return made(t, nearest.share, surroundings.outward(r, true), false);

  // The nearest face looks the same way as the vertex: it came in through another one.
  SurfacePoint facing;
  facing.distance = meet.near + meet.thickness;
  for (int k = meeting.begin; k < meeting.end; ++k) {
    const auto [distance, other] = list.candidates[k];
    if (distance - meet.slack > facing.distance) break;
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
std::optional<Contact> BodyContacts::cross(const Meet& meet, int edge_a,
                                           const BodyCandidates::Candidate& with,
                                           const ContactMemory& memory) const {
  const Skin& ours = meet.a.skin;
  const Skin& theirs = meet.b.skin;
  const SkinShape::Edge& a = meet.shape_a.edges[edge_a];
  const SkinShape::Edge& b = meet.shape_b.edges[with.feature];
  const Vec3 &a0 = ours.position[a.vertex[0]], &a1 = ours.position[a.vertex[1]];
  const Vec3 &b0 = theirs.position[b.vertex[0]], &b1 = theirs.position[b.vertex[1]];
  const SegmentPair closest = closest_between_segments(a0, a1, b0, b1);
  if (closest.distance > meet.thickness + meet.reach(meet.travel)) return std::nullopt;
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
  const double gap = normal.dot(now) - meet.thickness;
  if (gap > meet.reach((now - then).norm()) || -gap > meet.near + meet.thickness)
    return std::nullopt;
  const ContactKey key{ContactKey::edge_edge, meet.index_a, meet.index_b, edge_a, with.feature};
  if (meet.self() && normal.dot(then) <= 0 && !memory.contains(key)) return std::nullopt;
  Contact contact = meet.contact(key, normal, gap, normal.dot(then) - meet.thickness, false);
  contact.a = Anchor::on_edge(meet.index_a, a.vertex, closest.s);
  contact.b = Anchor::on_edge(meet.index_b, b.vertex, closest.t);
  return contact;
}

/// Looks at all meetings of all sides, in chunks side by side; contacts come in their order.
template <class Look>
void BodyContacts::look(const std::vector<Side>& sides, std::vector<Contact>& contacts,
                        const Look& look_at) {
  if (sides.empty()) return;
  const int count = sides.back().start + int(sides.back().list->meetings.size());
  const std::size_t chunks = std::size_t((count + grain - 1) / grain);
  chunks_.resize(std::max(chunks_.size(), chunks));
  parallel_for(count, grain, [&](int begin, int end) {
    std::vector<Contact>& chunk = chunks_[begin / grain];
    chunk.clear();
    auto side = std::upper_bound(sides.begin(), sides.end(), begin,
                                 [](int i, const Side& s) { return i < s.start; }) -
                1;
    for (int i = begin; i < end; ++side) {
      const int stop = std::min(end, side->start + int(side->list->meetings.size()));
      look_at(*side, side->list->meetings.data() + (i - side->start), stop - i, chunk);
      i = stop;
    }
  });
  for (std::size_t c = 0; c < chunks; ++c)
    contacts.insert(contacts.end(), chunks_[c].begin(), chunks_[c].end());
}

void BodyContacts::find(std::span<const Body> bodies, const ContactSettings& settings,
                        const ContactMemory& memory, const Substep& substep,
                        std::vector<Contact>& contacts) {
  if (!meets_ || !finite_) return;  // not finite: the world says so at the end of the step
  using Meeting = BodyCandidates::Meeting;
  look(vertices_, contacts,
       [&](const Side& side, const Meeting* first, int count, std::vector<Contact>& found) {
         const Meet both = meet(bodies, settings, side, substep.h);
         for (const Meeting* m = first; m < first + count; ++m)
           if (const auto contact = touch(both, *side.list, *m, memory)) found.push_back(*contact);
       });
  look(edges_, contacts,
       [&](const Side& side, const Meeting* first, int count, std::vector<Contact>& found) {
         const Meet both = meet(bodies, settings, side, substep.h);
         for (const Meeting* m = first; m < first + count; ++m) {
           const std::size_t before = found.size();
           for (int k = m->begin; k < m->end; ++k) {
             const BodyCandidates::Candidate& with = side.list->candidates[k];
             if (with.distance - both.slack > both.thickness + both.reach(both.travel)) break;
             if (const auto contact = cross(both, m->feature, with, memory))
               found.push_back(*contact);
           }
           std::sort(found.begin() + long(before), found.end(),
                     [](const Contact& p, const Contact& q) { return p.key < q.key; });
         }
       });
}

}  // namespace pliant
