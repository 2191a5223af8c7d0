#include "contact/contact_rows.h"

#include <algorithm>
#include <bit>

#include "core/assert.h"

namespace pliant {

void ContactRows::add(std::span<const Body> all, const Anchor& anchor, double sign) {
  if (anchor.body < 0) return;
  const Weights& weights = all[anchor.body].skin.weights;
  const int begin = listed_start_.back();
  for (int corner = 0; corner < anchor.count; ++corner) {
    const int vertex = anchor.vertex[corner];
    for (int k = weights.start[vertex]; k < weights.start[vertex + 1]; ++k) {
      const int index = first_[anchor.body] + weights.node[k];
      const double value = sign * anchor.share[corner] * weights.weight[k];
      const auto same = std::find(listed_.begin() + begin, listed_.end(), index);
      if (same != listed_.end()) {
        listed_a_[same - listed_.begin()] += value;
        continue;
      }
      listed_.push_back(index);
      listed_a_.push_back(value);
    }
  }
}

void ContactRows::list_touched(std::span<const Body> all) {
  for (const int index : listed_) is_touched_[index / 64] |= std::uint64_t(1) << index % 64;
  touched_.clear();
  bodies.clear();
  int owner = 0;
  for (int word = 0; word < int(is_touched_.size()); ++word)
    for (std::uint64_t& bits = is_touched_[word]; bits != 0; bits &= bits - 1) {
      const int index = 64 * word + std::countr_zero(bits);
      place_[index] = int(touched_.size());
      while (owner + 1 < int(all.size()) && index >= first_[owner + 1]) ++owner;
      touched_.push_back({owner, index - first_[owner], -1});
      if (bodies.empty() || bodies.back() != owner) bodies.push_back(owner);
    }
  for (int& index : listed_) index = place_[index];
}

/// Numbers them in the order of their first contacts.
void ContactRows::find_islands(std::span<const Body> all) {
  joined_.reset(int(touched_.size()));
  for (std::size_t t = 1; t < touched_.size(); ++t)
    if (touched_[t].body == touched_[t - 1].body &&
        !all[touched_[t].body].method->moves_by_mobility())
      joined_.join(int(t - 1), int(t));
  const int count = int(listed_start_.size()) - 1;
  for (int c = 0; c < count; ++c)
    joined_.join(std::span(listed_).subspan(listed_start_[c], listed_start_[c + 1] - listed_start_[c]));

  islands.assign(1, {});
  island_of_.resize(std::size_t(count));
  for (int c = 0; c < count; ++c) {
    ASSERT(listed_start_[c] < listed_start_[c + 1], "a contact has nodes");
    Touched& root = touched_[joined_.root(listed_[listed_start_[c]])];
    if (root.island < 0) {
      root.island = island_count();
      islands.push_back({});
    }
    island_of_[c] = root.island;
    ++islands[root.island + 1].row;
  }
  for (std::size_t t = 0; t < touched_.size(); ++t) {
    touched_[t].island = touched_[joined_.root(int(t))].island;
    ++islands[touched_[t].island + 1].slot;
  }
  for (int i = 0; i < island_count(); ++i) {
    islands[i + 1].row += islands[i].row;
    islands[i + 1].slot += islands[i].slot;
  }
}

void ContactRows::order_slots() {
  body.resize(touched_.size());
  node.resize(touched_.size());
  slot_of_.resize(touched_.size());
  next_.clear();
  for (const Island& island : islands) next_.push_back(island.slot);
  for (std::size_t t = 0; t < touched_.size(); ++t) {
    const int s = next_[touched_[t].island]++;
    slot_of_[t] = s;
    body[s] = touched_[t].body;
    node[s] = touched_[t].node;
  }
  parts.clear();
  for (int i = 0; i < island_count(); ++i) {
    islands[i].part = int(parts.size());
    for (int s = islands[i].slot; s < islands[i + 1].slot; ++s) {
      if (s == islands[i].slot || body[s] != body[s - 1]) parts.push_back({body[s], s, s});
      parts.back().end = s + 1;
    }
  }
  islands.back().part = int(parts.size());
}

void ContactRows::order_rows() {
  contact.resize(island_of_.size());
  next_.clear();
  for (const Island& island : islands) next_.push_back(island.row);
  for (int c = 0; c < int(island_of_.size()); ++c) contact[next_[island_of_[c]]++] = c;
  start.assign(1, 0);
  slot.clear();
  a.clear();
  for (const int c : contact) {
    for (int k = listed_start_[c]; k < listed_start_[c + 1]; ++k) {
      slot.push_back(slot_of_[listed_[k]]);
      a.push_back(listed_a_[k]);
    }
    start.push_back(int(slot.size()));
  }
}

void ContactRows::turn_round() {
  slot_start.assign(touched_.size() + 1, 0);
  for (const int s : slot) ++slot_start[s + 1];
  for (std::size_t s = 0; s < touched_.size(); ++s) slot_start[s + 1] += slot_start[s];
  next_.assign(slot_start.begin(), slot_start.end() - 1);
  row.resize(slot.size());
  row_a.resize(slot.size());
  for (int r = 0; r < contacts(); ++r)
    for (int k = start[r]; k < start[r + 1]; ++k) {
      const int place = next_[slot[k]]++;
      row[place] = r;
      row_a[place] = a[k];
    }
}

void ContactRows::build(std::span<const Body> all, const std::vector<Contact>& contacts) {
  int nodes = 0;
  first_.clear();
  for (const Body& b : all) {
    first_.push_back(nodes);
    nodes += b.nodes.size();
  }
  place_.resize(nodes);
  is_touched_.resize(std::size_t(nodes + 63) / 64);
  listed_start_.assign(1, 0);
  listed_.clear();
  listed_a_.clear();
  for (const Contact& c : contacts) {
    add(all, c.a, 1);
    add(all, c.b, -1);
    listed_start_.push_back(int(listed_.size()));
  }
  list_touched(all);
  find_islands(all);
  order_slots();
  order_rows();
  turn_round();
}

}  // namespace pliant
