#include "contact/kept_contacts.h"

namespace pliant {
namespace {

// Contacts are kept while their points move by no more than the first against each other from where
// they were found, and nothing of the two bodies by more than the second, in gaps that are kept
// between them: what has no contact is further away than two of these, so nothing is missed.
constexpr double most_slip = 0.25, most_drift = 1.25;

}  // namespace

void KeptContacts::Of::follow(double went, double gap) {
  drift += went;
  now = may && drift <= most_drift * gap;
}

void KeptContacts::Of::go_on(bool can, int most) {
  if (!now) {
    for (Range& range : kind) range = {};
    substeps = 0;
    drift = 0;
  }
  may = can && ++substeps < most;
}

bool KeptContacts::hold(const Of& pair, std::span<const Body> bodies, double gap) const {
  const double slip = most_slip * gap;
  for (int kind = 0; kind < 3; ++kind)
    for (int k = 0; k < pair.kind[kind].count(); ++k) {
      const KeptContact& kept = of(pair, kind, k);
      const Vec3 now =
          kept.now(bodies[kept.a.body].skin.position, bodies[kept.b.body].skin.position);
      if (!((now - kept.apart).squaredNorm() <= slip * slip)) return false;
    }
  return true;
}

void KeptContacts::start() {
  kept_.swap(old_);
  kept_.clear();
}

void KeptContacts::keep(Of& pair, int kind) {
  auto& [begin, end] = pair.kind[kind];
  const int first = int(kept_.size());
  kept_.insert(kept_.end(), old_.begin() + begin, old_.begin() + end);
  begin = first, end = int(kept_.size());
}

void KeptContacts::take(Of& pair, int kind, const ContactList& found, std::size_t begin,
                        std::size_t end, std::span<const Body> bodies) {
  pair.kind[kind].begin = int(kept_.size());
  for (std::size_t i = begin; i < end; ++i) {
    const Contact& c = found[i];
    KeptContact& kept = kept_.emplace_back();
    kept.key = c.key;
    kept.a = c.a, kept.b = c.b;
    kept.normal = c.normal;
    kept.apart = kept.now(bodies[c.a.body].skin.position, bodies[c.b.body].skin.position);
  }
  pair.kind[kind].end = int(kept_.size());
}

}  // namespace pliant
