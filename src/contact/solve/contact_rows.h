#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "core/disjoint_sets.h"

namespace pliant {

/// Contacts in terms of nodes: the relative position of a contact is the sum of a * node over the
/// entries of its row. A node that several vertices of one contact use appears once, which is what
/// makes self-contact right. Stored both ways, so that every sum has one order.
/// Contacts that share no node, nor a body that answers as a whole, know nothing of each other:
/// they fall into islands, each a problem of its own.
struct ContactRows {
  // Rows lie island by island, within one in the order of the contacts.
  std::vector<int> contact;  // row -> index of its contact
  std::vector<int> start;    // row -> entries start[r] .. start[r + 1]
  std::vector<int> slot;
  std::vector<double> a;

  // A slot is a node that some contact touches; slots are sorted by (island, body, node).
  std::vector<int> body;
  std::vector<int> node;
  std::vector<int> slot_start;  // slot -> entries slot_start[s] .. slot_start[s + 1], rows rising
  std::vector<int> row;
  std::vector<double> row_a;

  struct Part {  // of a body: its slots in one island
    int body;
    int begin, end;
  };
  std::vector<Part> parts;  // island by island, bodies rising
  struct Island {
    int row = 0, slot = 0, part = 0;  // its first
  };
  std::vector<Island> islands;  // and one more: where the last one ends
  std::vector<int> bodies;      // with contacts, rising

  int contacts() const { return int(start.size()) - 1; }
  int slots() const { return int(node.size()); }
  int island_count() const { return int(islands.size()) - 1; }

  void build(std::span<const Body> all, const ContactList& contacts);

 private:
  struct TouchedNode {  // a node
    int body, node;
    int island;
  };
  /// The rows of some contacts in their order, with indices among the nodes of all bodies.
  struct RowList {
    std::vector<int> end;  // of each row
    std::vector<int> node;
    std::vector<double> a;

    void clear();
  };
  void list(std::span<const Body> all, const ContactList& contacts, int begin, int end,
            RowList& out) const;
  void add(std::span<const Body> all, const Anchor& anchor, double sign, std::size_t begin,
           RowList& out) const;
  void join_lists(int lists);
  void list_touched(std::span<const Body> all);
  void find_islands(std::span<const Body> all);
  void order_slots();
  void order_rows();
  void transpose();
  void transpose(const Island& begin, const Island& end);

  std::span<int> listed(int c) {
    return std::span(listed_).subspan(listed_start_[c], listed_start_[c + 1] - listed_start_[c]);
  }

  // Row by row in the order of the contacts, with places in touched_ (at first: indices among the
  // nodes of all bodies).
  std::vector<int> listed_start_, listed_;
  std::vector<double> listed_a_;
  std::vector<RowList> lists_;  // of chunks of contacts
  std::vector<int> list_at_;    // where their entries are in listed_

  std::vector<int> first_;                 // body -> index of its first node among all nodes
  std::vector<std::uint64_t> is_touched_;  // bits, of all nodes; none between calls
  std::vector<int> place_;                 // node among all -> place in touched_, if it is
  std::vector<TouchedNode> touched_;       // in the order of (body, node)
  std::vector<int> slot_of_;               // place in touched_ -> slot
  std::vector<int> island_of_;             // contact -> island
  std::vector<int> next_;
  DisjointSets joined_;
};

}  // namespace pliant
