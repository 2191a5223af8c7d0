#pragma once

#include <algorithm>
#include <vector>

#include "contact/data/contact_list.h"
#include "core/parallel.h"

namespace pliant {

/// Contacts that all threads find, in chunks of work, in the order of the chunks. They lie here
/// until others are found.
class FoundContacts {
 public:
  /// Appends to `contacts` what work(begin, end, found) appends to `found`, over [0, count) in
  /// chunks of `grain`.
  template <class Work>
  void append(int count, int grain, ContactList& contacts, const Work& work) {
    // One thread finds all of them in order.
    const bool alone = threads() == 1;
    const std::size_t used = alone ? 1 : std::size_t((count + grain - 1) / grain);
    if (chunks_.size() < used) chunks_.resize(used);  // the others keep their room
    for (std::size_t k = 0; k < used; ++k) chunks_[k].clear();
    parallel_for(count, grain, [&](int begin, int end) {
      work(begin, end, chunks_[alone ? 0 : std::size_t(begin / grain)]);
    });
    for (std::size_t k = 0; k < used; ++k) contacts.add(chunks_[k]);
  }

 private:
  std::vector<std::vector<Contact>> chunks_;
};

}  // namespace pliant
