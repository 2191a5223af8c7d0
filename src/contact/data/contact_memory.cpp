#include "contact/data/contact_memory.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/assert.h"

namespace pliant {
namespace {

constexpr double same_direction = 0.7;  // cosine between normals of a contact in two substeps

}  // namespace

void ContactMemory::clear() {
  key.clear();
  normal.clear();
  impulse.clear();
  lift.clear();
}

void ContactMemory::forget(int body) {
  ASSERT(normal.size() == key.size() && impulse.size() == key.size() && lift.size() == key.size(),
         "all is remembered of every key");
  int kept = 0;
  for (int i = 0; i < size(); ++i)
    if (!key[i].involves(body)) move(i, kept++);
  resize(kept);
}

void ContactMemory::move(int from, int to) {
  key[to] = key[from];
  normal[to] = normal[from];
  impulse[to] = impulse[from];
  lift[to] = lift[from];
}

void ContactMemory::resize(int count) {
  key.resize(std::size_t(count));
  normal.resize(std::size_t(count));
  impulse.resize(std::size_t(count));
  lift.resize(std::size_t(count));
}

void ContactMemory::renumber(const Renumbering& bodies, const Renumbering& colliders,
                             const Renumbering& bonds) {
  int kept = 0;
  for (int i = 0; i < size(); ++i) {
    ContactKey now = key[i];
    now.body_a = bodies(now.body_a);
    if (now.has_collider()) now.body_b = colliders(now.body_b);
    else if (now.kind != ContactKey::bond || now.body_b >= 0) now.body_b = bodies(now.body_b);
    if (now.kind == ContactKey::bond) now.feature_b = bonds(now.feature_b);
    const bool has_partner = now.kind == ContactKey::bond || now.body_b >= 0;
    if (now.body_a < 0 || !has_partner || now.feature_b < 0) continue;
    move(i, kept);
    // Of two edges the first is of the first body.
    if (now.kind == ContactKey::edge_edge && now.body_a > now.body_b) {
      std::swap(now.body_a, now.body_b);
      std::swap(now.feature_a, now.feature_b);
      normal[kept] = -normal[kept];
      impulse[kept] = -impulse[kept];
      lift[kept] = -lift[kept];
    }
    key[kept++] = now;
  }
  resize(kept);
  if (std::is_sorted(key.begin(), key.end())) return;
  std::vector<int> order(static_cast<std::size_t>(kept));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int p, int q) { return key[p] < key[q]; });
  const ContactMemory old = *this;
  for (int i = 0; i < kept; ++i) {
    key[i] = old.key[order[i]];
    normal[i] = old.normal[order[i]];
    impulse[i] = old.impulse[order[i]];
    lift[i] = old.lift[order[i]];
  }
}

void ContactMemory::renumber_vertices(int body, const std::vector<int>& vertex) {
  const auto kept_key = [&](ContactKey k) -> std::optional<ContactKey> {
    if (!k.involves(body)) return k;
    const bool of_vertex =
        k.kind == ContactKey::vertex_collider || k.kind == ContactKey::vertex_triangle;
    if (!of_vertex || vertex.empty()) return std::nullopt;
    if (k.body_a != body) return k;  // a vertex of another body that meets its triangles
    k.feature_a = vertex[k.feature_a];
    if (k.feature_a < 0) return std::nullopt;
    return k;
  };
  std::vector<std::pair<ContactKey, int>> kept;
  for (int i = 0; i < size(); ++i)
    if (const std::optional<ContactKey> k = kept_key(key[i])) kept.push_back({*k, i});
  std::sort(kept.begin(), kept.end());
  const ContactMemory before = *this;
  clear();
  for (const auto& [k, i] : kept) {
    key.push_back(k);
    normal.push_back(before.normal[i]);
    impulse.push_back(before.impulse[i]);
    lift.push_back(before.lift[i]);
  }
}

int ContactMemory::lower_bound(const ContactKey& wanted) const {
  return int(std::lower_bound(key.begin(), key.end(), wanted) - key.begin());
}

bool ContactMemory::knows(const ContactKey& wanted, const Vec3& direction) const {
  const int at = lower_bound(wanted);
  return at < size() && key[at] == wanted && normal[at].dot(direction) > same_direction;
}

bool ContactMemory::was_behind(const ContactKey& wanted, const Vec3& direction) const {
  const int at = lower_bound(wanted);
  return at < size() && key[at] == wanted &&
         lift[at].dot(direction) > same_direction * lift[at].norm();
}

void ContactMemory::archive(Archive& archive) {
  archive.array("contact keys", key);
  archive.array("contact normals", normal);
  archive.array("contact impulses", impulse);
  archive.array("contact lifts", lift);
  const auto count = key.size();
  if (normal.size() != count || impulse.size() != count || lift.size() != count ||
      !std::is_sorted(key.begin(), key.end()))
    throw ArchiveError("the saved contacts do not belong together");
}

}  // namespace pliant
