#include "contact/bonds/bonds.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/assert.h"
#include "geometry/query/bvh.h"

namespace pliant {
namespace {

constexpr double on_skin = 1e-9;       // sizes: nearer than this a point lies on a skin
constexpr double neighbourhood = 1.5;  // mean edges around a bond that do not touch the other

/// A vertex off the plane of the triangle, near and well off it.
int fourth_vertex(const Skin& skin, const SurfacePoint& at, const Vec3& normal, double size) {
  int best = -1, highest = -1;
  double nearest = std::numeric_limits<double>::infinity(), most = 1e-3 * size;
  for (int v = 0; v < skin.size(); ++v) {
    const Vec3 offset = skin.position[v] - at.point;
    const double distance = offset.norm(), height = std::abs(offset.dot(normal));
    if (height > most) most = height, highest = v;
    if (height < 0.5 * distance || height < 1e-3 * size || distance >= nearest) continue;
    nearest = distance;
    best = v;
  }
  return best >= 0 ? best : highest;
}

std::vector<char> near_points(const Skin& skin, const std::vector<Vec3>& points) {
  const double reach = neighbourhood * mean_edge(skin);
  std::vector<char> near(std::size_t(skin.size()), 0);
  Box box;
  for (const Vec3& p : points) box.add(p);
  for (int v = 0; v < skin.size(); ++v) {
    if (box.squared_distance(skin.position[v]) > reach * reach) continue;
    near[v] = std::any_of(points.begin(), points.end(), [&](const Vec3& p) {
      return (p - skin.position[v]).squaredNorm() <= reach * reach;
    });
  }
  return near;
}

bool has_any(const Anchor& anchor, const std::vector<char>& chosen) {
  for (int k = 0; k < anchor.count; ++k)  // a skin may have others since
    if (anchor.vertex[k] < int(chosen.size()) && chosen[anchor.vertex[k]]) return true;
  return false;
}

Vec3 position_of(const Anchor& anchor, std::span<const Body> bodies,
                 std::vector<Vec3> Nodes::*which) {
  Vec3 sum = Vec3::Zero();
  const Body& body = bodies[anchor.body];
  for (int k = 0; k < anchor.count; ++k)
    sum += anchor.share[k] * body.skin.weights.gather(anchor.vertex[k], body.nodes.*which);
  return sum;
}

}  // namespace

std::optional<Anchor> anchor_at(int body, const Skin& skin, const Bvh& bvh,
                                const TriangleMesh& surface, const Vec3& p) {
  const SurfacePoint at = bvh.closest_point(surface, p);
  if (at.triangle < 0) return std::nullopt;
  const Triangle& t = skin.triangles[at.triangle];
  const double size = bounds(skin.position).extent().maxCoeff();
  if (at.distance <= on_skin * size) return Anchor::on_triangle(body, t, at.share);
  const Vec3 normal = area_vector(surface, at.triangle).normalized();
  const int fourth = fourth_vertex(skin, at, normal, size);
  if (fourth < 0) return std::nullopt;
  const Vec3& origin = skin.position[fourth];
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = skin.position[t[k]] - origin;
  const Vec3 share = edges.partialPivLu().solve(p - origin);
  if (!share.allFinite()) return std::nullopt;
  return Anchor{
      body, 4, {t[0], t[1], t[2], fourth}, {share[0], share[1], share[2], 1 - share.sum()}};
}

BondId Bonds::tie(const Attachment& attachment, std::span<const Body> bodies,
                  std::span<const Collider> colliders, double time) {
  ASSERT(attachment.a != attachment.b, "a body cannot be tied to itself");
  ASSERT(attachment.a >= 0 && attachment.a < int(bodies.size()) &&
             attachment.b < int(bodies.size()) && attachment.collider < int(colliders.size()),
         "bodies and colliders that are tied are there");
  ASSERT(!attachment.vertices.empty(), "some vertices are tied");
  const Skin& skin = bodies[attachment.a].skin;
  TriangleMesh surface;
  if (attachment.b >= 0) {
    surface.points = bodies[attachment.b].skin.position;
    surface.triangles = bodies[attachment.b].skin.triangles;
  }
  const Bvh bvh(surface);
  std::vector<Bond> made;
  std::vector<Vec3> places;
  const double share = 1.0 / double(attachment.vertices.size());
  for (const int vertex : attachment.vertices) {
    Bond bond;
    const Vec3& p = skin.position[vertex];
    bond.a = Anchor::on_vertex(attachment.a, vertex);
    bond.collider = attachment.collider;
    bond.stiffness = share * attachment.stiffness;
    bond.strength = share * attachment.strength;
    if (attachment.b >= 0) {
      const auto anchor = anchor_at(attachment.b, bodies[attachment.b].skin, bvh, surface, p);
      if (!anchor) return {};
      bond.b = *anchor;
    } else {
      const bool moves = attachment.collider >= 0;
      bond.point = moves ? colliders[attachment.collider].at(time).apply_inverse(p) : p;
    }
    made.push_back(bond);
    places.push_back(p);
  }
  const BondId id = ids_.issue();
  for (Bond& bond : made) bond.id = id;
  Tied tied{attachment.a, attachment.b, attachment.collider, near_points(skin, places),
            {},           id,           int(made.size())};
  if (attachment.b >= 0) tied.of_b = near_points(bodies[attachment.b].skin, places);
  tied_.push_back(std::move(tied));
  bonds_.insert(bonds_.end(), made.begin(), made.end());
  sort();
  return id;
}

/// In the order of their keys; those of one vertex in the order in which they were tied.
void Bonds::sort() {
  std::stable_sort(bonds_.begin(), bonds_.end(), [](const Bond& p, const Bond& q) {
    const std::array first = {p.a.body, p.b.body, p.a.vertex[0]};
    return first < std::array{q.a.body, q.b.body, q.a.vertex[0]};
  });
  changed_ = true;
}

Bonds::Tied& Bonds::tied(BondId id) {
  const auto at =
      std::find_if(tied_.begin(), tied_.end(), [&](const Tied& tied) { return tied.id == id; });
  ASSERT(at != tied_.end(), "bonds belong to something that is tied");
  return *at;
}

void Bonds::remove_gone() {
  changed_ = true;
  std::erase_if(bonds_, [&](const Bond& bond) { return !ids_.lives(bond.id); });
  std::erase_if(tied_, [&](const Tied& tied) { return !ids_.lives(tied.id); });
}

bool Bonds::untie(BondId id) {
  if (!has(id)) return false;
  ids_.release(id);
  remove_gone();
  return true;
}

bool Bonds::move(BondId id, const Vec3& by) {
  if (!has(id) || tied(id).b >= 0) return false;
  for (Bond& bond : bonds_)
    if (bond.id == id) bond.point += by;
  return true;
}

void Bonds::renumber(const Renumbering& bodies, const Renumbering& colliders) {
  const auto is_gone = [](const Renumbering& now, int& place) {
    if (place < 0) return false;
    place = now(place);
    return place < 0;
  };
  for (Tied& tied : tied_) {
    const bool gone =
        is_gone(bodies, tied.a) | is_gone(bodies, tied.b) | is_gone(colliders, tied.collider);
    if (gone) ids_.release(tied.id);
  }
  remove_gone();
  for (Bond& bond : bonds_) {
    bond.a.body = bodies(bond.a.body);
    if (bond.b.body >= 0) bond.b.body = bodies(bond.b.body);
    if (bond.collider >= 0) bond.collider = colliders(bond.collider);
  }
  sort();
}

Renumbering Bonds::take_renumbering() {
  Renumbering result{{}, count()};
  if (!std::exchange(changed_, false)) return result;
  result.place.assign(std::size_t(places_), -1);
  for (int i = 0; i < count(); ++i) {
    if (bonds_[i].place >= 0) result.place[std::size_t(bonds_[i].place)] = i;
    bonds_[i].place = i;
  }
  places_ = count();
  return result;
}

int Bonds::torn() const {
  return int(
      std::count_if(bonds_.begin(), bonds_.end(), [](const Bond& bond) { return bond.torn; }));
}

void Bonds::drop_contacts(ContactList& contacts) const {
  if (bonds_.empty()) return;
  const auto is_tied = [&](const Contact& contact) {
    for (const Tied& tied : tied_) {
      if (tied.holding == 0) continue;
      if (contact.key.has_collider()) {
        if (tied.collider == contact.key.body_b && tied.a == contact.a.body &&
            has_any(contact.a, tied.of_a))
          return true;
        continue;
      }
      const auto between = [&](const Anchor& a, const Anchor& b) {
        return tied.a == a.body && tied.b == b.body && b.body >= 0 &&
               (has_any(a, tied.of_a) || has_any(b, tied.of_b));
      };
      if (between(contact.a, contact.b) || between(contact.b, contact.a)) return true;
    }
    return false;
  };
  contacts.drop(is_tied);
}

void Bonds::find(std::span<const Body> bodies, std::span<const Collider> colliders,
                 const ContactSettings& settings, const Substep& substep,
                 std::vector<Contact>& found) const {
  found.clear();
  for (int i = 0; i < count(); ++i) {
    const Bond& bond = bonds_[i];
    if (bond.torn) continue;
    ASSERT(bond.a.body < int(bodies.size()) && bond.b.body < int(bodies.size()) &&
               bond.collider < int(colliders.size()),
           "bonds are renumbered when bodies or colliders went");
    Contact& contact = found.emplace_back();
    contact.key = {ContactKey::bond, bond.a.body, bond.b.body, bond.a.vertex[0], i};
    contact.a = bond.a;
    contact.b = bond.b;
    double scale = bodies[bond.a.body].contact_scale;
    Vec3 x = position_of(bond.a, bodies, &Nodes::position);
    if (bond.b.body >= 0) {
      scale = std::min(scale, bodies[bond.b.body].contact_scale);
      x -= position_of(bond.b, bodies, &Nodes::position);
    } else if (bond.collider >= 0) {
      const Collider& collider = colliders[bond.collider];
      contact.point = collider.at(substep.time + substep.h).apply(bond.point);
      contact.motion = contact.point - collider.at(substep.time).apply(bond.point);
    } else {
      contact.point = bond.point;
    }
    contact.tolerance = settings.tolerance * scale;
    contact.compliance = 1 / (bond.stiffness * substep.h * substep.h);
    contact.gap = -(x - contact.point).norm();
  }
}

void Bonds::tear(const ContactList& contacts, double h) {
  if (bonds_.empty()) return;
  for (const Contact& contact : contacts) {
    if (!contact.is_bond()) continue;
    const int i = contact.key.feature_b;
    ASSERT(i >= 0 && i < count(), "contacts of bonds are of this substep");
    if (contact.impulse.norm() <= bonds_[i].strength * h * h) continue;
    bonds_[i].torn = true;
    --tied(bonds_[i].id).holding;
  }
}

void Bonds::archive(Archive& archive) {
  if (bonds_.empty()) return;
  std::vector<char> torn;
  for (const Bond& bond : bonds_) torn.push_back(bond.torn);
  archive.array("torn bonds", torn);
  if (torn.size() != bonds_.size())
    throw ArchiveError("the saved bonds are not those of this scene");
  for (Tied& tied : tied_) tied.holding = 0;
  for (int i = 0; i < count(); ++i) {
    bonds_[i].torn = torn[std::size_t(i)] != 0;
    bonds_[i].place = i;  // the saved contacts are named by these
    if (!bonds_[i].torn) ++tied(bonds_[i].id).holding;
  }
  places_ = count();
  changed_ = false;
}

}  // namespace pliant
