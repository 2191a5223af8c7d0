#include "contact/data/contact_list.h"

#include <doctest/doctest.h>
#include <vector>

using namespace pliant;

namespace {

std::vector<Contact> contacts_of_features(const std::vector<int>& features) {
  std::vector<Contact> contacts(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) contacts[i].key.feature_a = features[i];
  return contacts;
}

std::vector<int> features(const ContactList& list) {
  std::vector<int> all;
  for (const Contact& contact : list) all.push_back(contact.key.feature_a);
  return all;
}

}  // namespace

TEST_CASE("contacts are put in order, aside and back, and stay where they are") {
  std::vector<Contact> first = contacts_of_features({9, 8, 7}),
                       some = contacts_of_features({5, 1, 3}),
                       more = contacts_of_features({0, 2, 4, 6});
  ContactList list;
  list.add(first);
  list.add(some);
  list.sort(3);
  CHECK(features(list) == std::vector{9, 8, 7, 1, 3, 5});  // those before are left alone
  ContactList others;
  others.add(more);
  list.merge(others, 3);
  CHECK(features(list) == std::vector{9, 8, 7, 0, 1, 2, 3, 4, 5, 6});
  CHECK(list.lower_bound({0, 0, 0, 3, 0}, 3) == 6);
  CHECK(list.lower_bound({0, 0, 0, 99, 0}, 3) == list.size());
  list[4].gap = 0.5;
  CHECK(some[1].gap == 0.5);

  ContactList aside;
  list.drop(
      [&](Contact& contact) {
        const bool goes = contact.key.feature_a % 3 == 0;
        if (goes) aside.add(contact);
        return goes;
      },
      3);
  CHECK(features(list) == std::vector{9, 8, 7, 1, 2, 4, 5});
  CHECK(features(aside) == std::vector{0, 3, 6});
  list.merge(aside, 3);
  CHECK(features(list) == std::vector{9, 8, 7, 0, 1, 2, 3, 4, 5, 6});
  list.merge({}, 3);
  CHECK(list.size() == 10);
}
