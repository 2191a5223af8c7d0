#include "contact/solve/contact_rows.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 256;         // contacts
constexpr int entry_grain = 4096;  // of rows

}  // namespace

void ContactRows::RowList::clear() {
  end.clear();
  node.clear();
  a.clear();
}

void ContactRows::list(std::span<const Body> all, const ContactList& contacts, int begin, int end,
                       RowList& out) const {
  out.clear();
  for (int i = begin; i < end; ++i) {
    const Contact& c = contacts[i];
    const std::size_t row_begin = out.node.size();
    add(all, c.a, 1, row_begin, out);
    add(all, c.b, -1, c.a.body == c.b.body ? row_begin : out.node.size(), out);
    out.end.push_back(int(out.node.size()));
  }
}

/// From `begin` on the row may have the same nodes already.
void ContactRows::add(std::span<const Body> all, const Anchor& anchor, double sign,
                      std::size_t begin, RowList& out) const {
  if (anchor.body < 0) return;
  const Weights& weights = all[anchor.body].skin.weights;
  for (int corner = 0; corner < anchor.count; ++corner) {
    const double share = sign * anchor.share[corner];
    const std::size_t end = out.node.size();  // a vertex has none of its nodes twice
    weights.for_each(anchor.vertex[corner], [&](int at, double weight) {
      const int index = first_[anchor.body] + at;
      const double value = share * weight;
      std::size_t same = begin;
      while (same < end && out.node[same] != index) ++same;
      if (same < end) {
        out.a[same] += value;
      } else {
        out.node.push_back(index);
        out.a.push_back(value);
      }
    });
  }
}

/// One after the other, with where each row starts.
void ContactRows::join_lists(int lists) {
  listed_start_.assign(1, 0);
  list_at_.assign(1, 0);
  for (int i = 0; i < lists; ++i) {
    for (const int end : lists_[i].end) listed_start_.push_back(list_at_.back() + end);
    list_at_.push_back(listed_start_.back());
  }
  listed_.resize(std::size_t(list_at_.back()));
  listed_a_.resize(listed_.size());
  parallel_for(lists, 1, [&](int i, int) {
    std::copy(lists_[i].node.begin(), lists_[i].node.end(), listed_.begin() + list_at_[i]);
    std::copy(lists_[i].a.begin(), lists_[i].a.end(), listed_a_.begin() + list_at_[i]);
  });
}

void ContactRows::list_touched(std::span<const Body> all) {
  const bool alone = threads() == 1;  // then it costs less
  parallel_for(int(listed_.size()), entry_grain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const std::uint64_t bit = std::uint64_t(1) << listed_[k] % 64;
      std::uint64_t& word = is_touched_[listed_[k] / 64];
      if (alone) word |= bit;
      else if (const std::atomic_ref shared(word); !(shared.load(std::memory_order_relaxed) & bit))
        shared.fetch_or(bit, std::memory_order_relaxed);
    }
  });
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
  parallel_for(int(listed_.size()), entry_grain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) listed_[k] = place_[listed_[k]];
  });
}

/// Numbers them in the order of their first contacts.
void ContactRows::find_islands(std::span<const Body> all) {
  joined_.reset(int(touched_.size()));
  for (std::size_t t = 1; t < touched_.size(); ++t)
    if (touched_[t].body == touched_[t - 1].body &&
        !all[touched_[t].body].method->moves_by_mobility())
      joined_.join(int(t - 1), int(t));
  const int count = int(listed_start_.size()) - 1;
  const bool alone = threads() == 1;  // then it costs less
  parallel_for(count, grain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      ASSERT(!listed(c).empty(), "a contact has nodes");
      const int first = listed(c).front();
      for (const int place : listed(c))
        if (alone) joined_.join(first, place);
        else joined_.join_at_once(first, place);
    }
  });

  islands.assign(1, {});
  island_of_.resize(std::size_t(count));
  for (int c = 0; c < count; ++c) {
    TouchedNode& root = touched_[joined_.root(listed(c).front())];
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
  for (const int c : contact) start.push_back(start.back() + int(listed(c).size()));
  slot.resize(listed_.size());
  a.resize(listed_.size());
  parallel_for(contacts(), grain, [&](int begin, int end) {
    for (int r = begin; r < end; ++r) {
      const int from = listed_start_[contact[r]], count = start[r + 1] - start[r];
      for (int k = 0; k < count; ++k) slot[start[r] + k] = slot_of_[listed_[from + k]];
      std::copy_n(listed_a_.begin() + from, count, a.begin() + start[r]);
    }
  });
}

void ContactRows::transpose() {
  slot_start.resize(touched_.size() + 1);
  slot_start.back() = int(slot.size());
  next_.resize(touched_.size());
  row.resize(slot.size());
  row_a.resize(slot.size());
  parallel_for(island_count(), 1, [&](int i, int) { transpose(islands[i], islands[i + 1]); });
}

/// An island's rows have its slots and no others.
void ContactRows::transpose(const Island& begin, const Island& end) {
  std::fill(next_.begin() + begin.slot, next_.begin() + end.slot, 0);
  for (int k = start[begin.row]; k < start[end.row]; ++k) ++next_[slot[k]];
  int entries = start[begin.row];
  for (int s = begin.slot; s < end.slot; ++s) {
    slot_start[s] = entries;
    entries += std::exchange(next_[s], entries);
  }
  for (int r = begin.row; r < end.row; ++r)
    for (int k = start[r]; k < start[r + 1]; ++k) {
      const int place = next_[slot[k]]++;
      row[place] = r;
      row_a[place] = a[k];
    }
}

void ContactRows::build(std::span<const Body> all, const ContactList& contacts) {
  int nodes = 0;
  first_.clear();
  for (const Body& b : all) {
    first_.push_back(nodes);
    nodes += b.nodes.size();
  }
  place_.resize(nodes);
  is_touched_.resize(std::size_t(nodes + 63) / 64);
  const int count = int(contacts.size()), lists = (count + grain - 1) / grain;
  if (int(lists_.size()) < lists) lists_.resize(std::size_t(lists));  // the others keep their room
  parallel_for(count, grain,
               [&](int begin, int end) { list(all, contacts, begin, end, lists_[begin / grain]); });
  join_lists(lists);
  list_touched(all);
  find_islands(all);
  order_slots();
  order_rows();
  transpose();
}

}  // namespace pliant
