#include "contact/contact_memory.h"

#include <algorithm>

namespace pliant {

void ContactMemory::clear() {
  key.clear();
  normal.clear();
  impulse.clear();
  lift.clear();
}

void ContactMemory::forget(int body) {
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
