#include "contact/bonds/bonds.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

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
    const Vec3 way = skin.position[v] - at.point;
    const double distance = way.norm(), height = std::abs(way.dot(normal));
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
  for (int k = 0; k < anchor.count; ++k)
    if (chosen[anchor.vertex[k]]) return true;
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

bool Bonds::tie(const Attachment& attachment, std::span<const Body> bodies,
                std::span<const Collider> colliders, double time) {
  ASSERT(attachment.a != attachment.b, "a body cannot be tied to itself");
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
    bond.attachment = int(tied_.size());
    bond.collider = attachment.collider;
    bond.stiffness = share * attachment.stiffness;
    bond.strength = share * attachment.strength;
    if (attachment.b >= 0) {
      const auto anchor = anchor_at(attachment.b, bodies[attachment.b].skin, bvh, surface, p);
      if (!anchor) return false;
      bond.b = *anchor;
    } else {
      const bool moves = attachment.collider >= 0;
      bond.point = moves ? colliders[attachment.collider].at(time).apply_inverse(p) : p;
    }
    made.push_back(bond);
    places.push_back(p);
  }
  Tied tied{attachment.a, attachment.b,    attachment.collider, near_points(skin, places),
            {},           int(made.size())};
  if (attachment.b >= 0) tied.of_b = near_points(bodies[attachment.b].skin, places);
  tied_.push_back(std::move(tied));
  bonds_.insert(bonds_.end(), made.begin(), made.end());
  std::stable_sort(bonds_.begin(), bonds_.end(), [](const Bond& p, const Bond& q) {
    const std::array first = {p.a.body, p.b.body, p.a.vertex[0]};
    return first < std::array{q.a.body, q.b.body, q.a.vertex[0]};
  });
  torn_.assign(bonds_.size(), 0);
  return true;
}

int Bonds::torn() const { return int(std::count(torn_.begin(), torn_.end(), char(1))); }

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
    if (torn_[i]) continue;
    const Bond& bond = bonds_[i];
    Contact& contact = found.emplace_back();
    contact.key = {ContactKey::bond, bond.a.body, bond.b.body, bond.a.vertex[0], i};
    contact.a = bond.a;
    contact.b = bond.b;
    double size = bodies[bond.a.body].size;
    Vec3 x = position_of(bond.a, bodies, &Nodes::position);
    if (bond.b.body >= 0) {
      size = std::min(size, bodies[bond.b.body].size);
      x -= position_of(bond.b, bodies, &Nodes::position);
    } else if (bond.collider >= 0) {
      const Collider& collider = colliders[bond.collider];
      contact.point = collider.at(substep.time + substep.h).apply(bond.point);
      contact.motion = contact.point - collider.at(substep.time).apply(bond.point);
    } else {
      contact.point = bond.point;
    }
    contact.tolerance = settings.tolerance * size;
    contact.give = 1 / (bond.stiffness * substep.h * substep.h);
    contact.gap = -(x - contact.point).norm();
  }
}

void Bonds::tear(const ContactList& contacts, double h) {
  if (bonds_.empty()) return;
  for (const Contact& contact : contacts) {
    if (!contact.is_bond()) continue;
    const int i = contact.key.feature_b;
    if (contact.impulse.norm() <= bonds_[i].strength * h * h) continue;
    torn_[i] = 1;
    --tied_[bonds_[i].attachment].holding;
  }
}

void Bonds::archive(Archive& archive) {
  if (bonds_.empty()) return;
  archive.array("torn bonds", torn_);
  if (torn_.size() != bonds_.size())
    throw ArchiveError("the saved bonds are not those of this scene");
  for (Tied& tied : tied_) tied.holding = 0;
  for (int i = 0; i < count(); ++i) tied_[bonds_[i].attachment].holding += torn_[i] ? 0 : 1;
}

}  // namespace pliant
