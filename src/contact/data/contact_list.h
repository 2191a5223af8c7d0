#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "contact/data/contact.h"

namespace pliant {

/// Contacts in an order. Each lies where it was found, and stays there: they are large and many, so
/// that what is joined, sorted, put aside and taken back are their places.
class ContactList {
 public:
  template <class Item>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Contact;
    using difference_type = std::ptrdiff_t;
    using pointer = Item*;
    using reference = Item&;

    explicit Iterator(Contact* const* at = nullptr) : at_(at) {}
    Item& operator*() const { return **at_; }
    Item* operator->() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    Contact* const* at_;
  };

  std::size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  Contact& operator[](std::size_t i) { return *places_[i]; }
  const Contact& operator[](std::size_t i) const { return *places_[i]; }
  auto begin() { return Iterator<Contact>(places_.data()); }
  auto end() { return Iterator<Contact>(places_.data() + size()); }
  auto begin() const { return Iterator<const Contact>(places_.data()); }
  auto end() const { return Iterator<const Contact>(places_.data() + size()); }

  /// First from `first` on whose key is not below this; they are in the order of their keys.
  std::size_t lower_bound(const ContactKey& key, std::size_t first = 0) const {
    const auto at = std::lower_bound(
        places_.begin() + std::ptrdiff_t(first), places_.end(), key,
        [](const Contact* p, const ContactKey& wanted) { return p->key < wanted; });
    return std::size_t(at - places_.begin());
  }

  void clear() { places_.clear(); }
  /// Appends contacts, which must stay where they are while the list is in use.
  void add(Contact& contact) { places_.push_back(&contact); }
  void add(std::vector<Contact>& found) {
    for (Contact& contact : found) add(contact);
  }
  /// By their keys, those from `first` on.
  void sort(std::size_t first = 0) {
    std::sort(places_.begin() + std::ptrdiff_t(first), places_.end(), is_before);
  }
  /// Puts others among those from `first` on; both in the order of their keys.
  void merge(const ContactList& others, std::size_t first = 0) {
    // From the end, so that those before the first of them stay where they are.
    std::size_t ours = size(), theirs = others.size();
    places_.resize(ours + theirs);
    for (std::size_t to = size(); theirs > 0;) {
      const bool is_ours = ours > first && is_before(others.places_[theirs - 1], places_[ours - 1]);
      places_[--to] = is_ours ? places_[--ours] : others.places_[--theirs];
    }
  }
  /// Takes out those from `first` on for which goes(contact) holds, asked in order.
  template <class Goes>
  void drop(const Goes& goes, std::size_t first = 0) {
    std::size_t kept = first;
    for (std::size_t i = first; i < size(); ++i)
      if (!goes(*places_[i])) places_[kept++] = places_[i];
    places_.resize(kept);
  }

 private:
  static bool is_before(const Contact* p, const Contact* q) { return p->key < q->key; }

  std::vector<Contact*> places_;
};

}  // namespace pliant
