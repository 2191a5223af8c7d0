#include "contact/data/contact_memory.h"

#include <algorithm>

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
  for (int i = 0; i < size(); ++i) {
    if (key[i].involves(body)) continue;
    key[kept] = key[i];
    normal[kept] = normal[i];
    impulse[kept] = impulse[i];
    lift[kept] = lift[i];
    ++kept;
  }
  key.resize(kept);
  normal.resize(kept);
  impulse.resize(kept);
  lift.resize(kept);
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
