#include "contact/narrow/recycled_contacts.h"

namespace pliant {
namespace {

// Contacts are kept while their points move by no more than the first against each other from where
// they were found, and nothing of the two bodies by more than the second, in gaps that are kept
// between them: what has no contact is more than one of these further away than it may come, so
// nothing that would press is missed.
constexpr double most_slip = 0.25, most_drift = 1;

}  // namespace

void RecycledContacts::follow(double went, double gap) {
  drift += went;
  now = may && drift <= most_drift * gap;
}

bool RecycledContacts::hold(std::span<const Body> bodies, double gap) const {
  const double slip = most_slip * gap;
  for (const std::vector<RecycledContact>& all : kind)
    for (const RecycledContact& kept : all) {
      const Vec3 is_now =
          kept.now(bodies[kept.a.body].skin.position, bodies[kept.b.body].skin.position);
      if (!((is_now - kept.apart).squaredNorm() <= slip * slip)) return false;
    }
  return true;
}

void RecycledContacts::go_on(bool can, int most) {
  if (!now) {
    for (std::vector<RecycledContact>& all : kind) all.clear();
    substeps = 0;
    drift = 0;
  }
  may = can && ++substeps < most;
}

void RecycledContacts::take(int of_kind, const ContactList& found, std::size_t begin,
                            std::size_t end, std::span<const Body> bodies) {
  for (std::size_t i = begin; i < end; ++i) {
    const Contact& c = found[i];
    RecycledContact& kept = kind[of_kind].emplace_back();
    kept.key = c.key;
    kept.a = c.a, kept.b = c.b;
    kept.normal = c.normal;
    kept.apart = kept.now(bodies[c.a.body].skin.position, bodies[c.b.body].skin.position);
  }
}

}  // namespace pliant
