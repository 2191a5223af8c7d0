#include "contact/narrow/inside_check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 256;  // contacts

/// Twice the area of (p, q, origin), seen along x; the same but for the sign when p and q change
/// places, so that triangles on both sides of an edge agree about it.
double turn(const Vec3& p, const Vec3& q) {
  const bool in_order = p.y() != q.y() ? p.y() < q.y() : p.z() < q.z();
  const Vec3 &u = in_order ? p : q, &v = in_order ? q : p;
  const double area = u.y() * v.z() - u.z() * v.y();
  return in_order ? area : -area;
}

/// How the way from p to q counts for turning round the origin, seen along x: half-open, so that a
/// corner on the line counts once.
int quarter(const Vec3& p, const Vec3& q) {
  if ((p.y() <= 0) == (q.y() <= 0)) return 0;
  const double side = turn(p, q);
  if (p.y() <= 0) return side < 0 ? -1 : 0;
  return side > 0 ? 1 : 0;
}

bool is_of_edges(const Contact& c) { return c.key.kind == ContactKey::edge_edge; }

/// Whether the vertex is inside the other body; of two edges, what lies between them inside both.
bool overlaps(std::span<const Body> bodies, const Contact& c) {
  const Skin &ours = bodies[c.a.body].skin, &theirs = bodies[c.b.body].skin;
  const Vec3 at = c.a.point(ours.position);
  if (!is_of_edges(c)) return winding_by_ray(theirs, at) > 0;
  const Vec3 between = 0.5 * (at + c.b.point(theirs.position));
  return winding_by_ray(theirs, between) > 0 && winding_by_ray(ours, between) > 0;
}

}  // namespace

int winding_by_ray(const Skin& skin, const Vec3& point) {
  // On which side of the ray vertices are, seen along it, and whether behind its start.
  constexpr unsigned below = 1, left = 2, behind = 4;
  thread_local std::vector<std::uint8_t> sides;
  sides.resize(skin.position.size());
  for (std::size_t v = 0; v < sides.size(); ++v) {
    const Vec3 p = skin.position[v] - point;
    sides[v] = std::uint8_t(below * (p.y() <= 0) + left * (p.z() <= 0) + behind * (p.x() < 0));
  }
  int sum = 0;
  for (const Triangle& t : skin.triangles) {
    const unsigned all = sides[t[0]] & sides[t[1]] & sides[t[2]];
    const unsigned any = sides[t[0]] | sides[t[1]] | sides[t[2]];
    if (all != 0 || (any & (below | left)) != (below | left)) continue;  // beside it: most are
    const Vec3 a = skin.position[t[0]] - point;
    const Vec3 b = skin.position[t[1]] - point;
    const Vec3 c = skin.position[t[2]] - point;
    const int around = quarter(a, b) + quarter(b, c) + quarter(c, a);
    if (around == 0) continue;
    const Vec3 normal = (b - a).cross(c - a);
    // The ray (s, 0, 0) meets the plane where s normal.x = normal.a, and normal.x has the sign of
    // `around`.
    if (around * normal.dot(a) > 0) sum += around;
  }
  return sum;
}

void InsideCheck::clear(std::span<const Body> bodies, std::span<const SkinTopology> topologies,
                        const ContactMemory& memory, std::size_t begin, ContactList& contacts) {
  const auto is_doubtful = [&](const Contact& c) {
    if (c.goal >= 0 || c.a.body == c.b.body) return false;
    if (!topologies[c.b.body].closed || (is_of_edges(c) && !topologies[c.a.body].closed))
      return false;
    return !memory.pushed(c.key, c.normal);
  };
  const int count = int(contacts.size() - begin);
  const auto contact = [&](int i) -> const Contact& { return contacts[begin + std::size_t(i)]; };
  outside_.resize(std::size_t(count));
  const bool any = parallel_any(count, grain, [&](int from, int to) {
    for (int i = from; i < to; ++i) outside_[i] = is_doubtful(contact(i));
    return std::find(outside_.begin() + from, outside_.begin() + to, 1) != outside_.begin() + to;
  });
  if (!any) return;
  doubtful_.clear();
  for (int i = 0; i < count; ++i)
    if (outside_[i]) doubtful_.push_back(i);
  parallel_for(int(doubtful_.size()), 1, [&](int k, int) {
    outside_[doubtful_[k]] = !overlaps(bodies, contact(doubtful_[k]));
  });
  auto outside = outside_.begin();
  const auto is_false = [&](Contact& c) {
    if (!*outside++) return false;
    const Skin &ours = bodies[c.a.body].skin, &theirs = bodies[c.b.body].skin;
    const Vec3 now = c.a.point(ours.position) - c.b.point(theirs.position);
    const double distance = now.norm();
    if (is_of_edges(c) || !(distance > 0) || distance > 2 * c.thickness) return true;
    const Vec3 then = c.a.point(ours.previous) - c.b.point(theirs.previous);
    c.normal = now / distance;
    c.gap = distance - c.thickness;
    c.goal = std::min(0.0, c.normal.dot(then) - c.thickness);
    return false;
  };
  contacts.drop(is_false, begin);
}

}  // namespace pliant
