#include "contact/data/contact_memory.h"

#include <algorithm>
#include <optional>

namespace pliant {
namespace {

constexpr double same_way = 0.7;  // cosine between the normals of one contact in two substeps

}  // namespace

void ContactMemory::clear() {
  key.clear();
  normal.clear();
  impulse.clear();
  lift.clear();
}

void ContactMemory::forget(int body) { renumber(body, {}); }

void ContactMemory::renumber(int body, const std::vector<int>& vertex) {
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

bool ContactMemory::pushed(const ContactKey& wanted, const Vec3& way) const {
  const int at = lower_bound(wanted);
  return at < size() && key[at] == wanted && normal[at].dot(way) > same_way;
}

bool ContactMemory::was_behind(const ContactKey& wanted, const Vec3& way) const {
  const int at = lower_bound(wanted);
  return at < size() && key[at] == wanted && lift[at].dot(way) > same_way * lift[at].norm();
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
