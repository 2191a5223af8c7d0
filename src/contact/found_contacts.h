#pragma once

#include <vector>

#include "contact/contact.h"
#include "core/parallel.h"

namespace pliant {

/// Contacts that all threads find, in chunks of work, in the order of the chunks.
class FoundContacts {
 public:
  /// Appends to `contacts` what work(begin, end, found) appends to `found`, over [0, count) in
  /// chunks of `grain`.
  template <class Work>
  void append(int count, int grain, std::vector<Contact>& contacts, const Work& work) {
    if (threads() == 1) {  // finds them in order
      parallel_for(count, grain, [&](int begin, int end) { work(begin, end, contacts); });
      return;
    }
    const auto used = std::size_t((count + grain - 1) / grain);
    if (chunks_.size() < used) chunks_.resize(used);  // the others keep their room
    parallel_for(count, grain, [&](int begin, int end) {
      std::vector<Contact>& found = chunks_[std::size_t(begin / grain)];
      found.clear();
      work(begin, end, found);
    });
    for (std::size_t k = 0; k < used; ++k)
      contacts.insert(contacts.end(), chunks_[k].begin(), chunks_[k].end());
  }

 private:
  std::vector<std::vector<Contact>> chunks_;
};

}  // namespace pliant
