#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/contact.h"

namespace pliant {

/// Contacts in terms of nodes: the relative position of contact c is sum of a * node, over its
/// entries. A node that several vertices of one contact use appears once, which is what makes
/// self-contact right. Stored both ways, both in the order of the contacts, so that every sum has
/// one order.
struct ContactRows {
  // contact c -> entries start[c] .. start[c + 1]
  std::vector<int> start;
  std::vector<int> slot;
  std::vector<double> a;

  // A slot is a node that some contact touches; slots are sorted by (body, node).
  std::vector<int> body;
  std::vector<int> node;
  std::vector<int> slot_start;  // slot -> entries slot_start[s] .. slot_start[s + 1]
  std::vector<int> contact;
  std::vector<double> contact_a;

  // Bodies with contacts, rising, and their ranges of slots.
  std::vector<int> bodies;
  std::vector<int> body_start;

  int contacts() const { return int(start.size()) - 1; }
  int slots() const { return int(node.size()); }

  void build(std::span<const Body> all, const std::vector<Contact>& contacts);

 private:
  void add(std::span<const Body> all, const Anchor& anchor, double sign);
  void number_slots(std::span<const Body> all);
  void turn_round();

  std::vector<int> first_;    // body -> index of its first node among all nodes
  std::vector<int> slot_of_;  // node among all -> slot; -1 between calls
  std::vector<int> touched_;  // nodes among all
  std::vector<int> next_;
};

}  // namespace pliant
