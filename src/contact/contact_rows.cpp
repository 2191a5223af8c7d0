#include "contact/contact_rows.h"

#include <algorithm>

namespace pliant {

// While rows are added, `slot` holds indices among the nodes of all bodies.
void ContactRows::add(std::span<const Body> all, const Anchor& anchor, double sign) {
  if (anchor.body < 0) return;
  const Weights& weights = all[anchor.body].skin.weights;
  const int row = start.back();
  for (int corner = 0; corner < anchor.count; ++corner) {
    const int vertex = anchor.vertex[corner];
    for (int k = weights.start[vertex]; k < weights.start[vertex + 1]; ++k) {
      const int index = first_[anchor.body] + weights.node[k];
      const double value = sign * anchor.share[corner] * weights.weight[k];
      const auto same = std::find(slot.begin() + row, slot.end(), index);
      if (same != slot.end()) {
        a[same - slot.begin()] += value;
        continue;
      }
      slot.push_back(index);
      a.push_back(value);
    }
  }
}

void ContactRows::number_slots(std::span<const Body> all) {
  touched_.clear();
  for (const int index : slot) {
    if (slot_of_[index] >= 0) continue;
    slot_of_[index] = 0;
    touched_.push_back(index);
  }
  std::sort(touched_.begin(), touched_.end());
  body.clear();
  node.clear();
  bodies.clear();
  body_start.clear();
  int owner = 0;
  for (int s = 0; s < int(touched_.size()); ++s) {
    slot_of_[touched_[s]] = s;
    while (owner + 1 < int(all.size()) && touched_[s] >= first_[owner + 1]) ++owner;
    body.push_back(owner);
    node.push_back(touched_[s] - first_[owner]);
    if (!bodies.empty() && bodies.back() == owner) continue;
    bodies.push_back(owner);
    body_start.push_back(s);
  }
  body_start.push_back(int(touched_.size()));
  for (int& index : slot) index = slot_of_[index];
  for (const int index : touched_) slot_of_[index] = -1;
}

void ContactRows::turn_round() {
  slot_start.assign(touched_.size() + 1, 0);
  for (const int s : slot) ++slot_start[s + 1];
  for (std::size_t s = 0; s < touched_.size(); ++s) slot_start[s + 1] += slot_start[s];
  next_.assign(slot_start.begin(), slot_start.end() - 1);
  contact.resize(slot.size());
  contact_a.resize(slot.size());
  for (int c = 0; c < contacts(); ++c)
    for (int k = start[c]; k < start[c + 1]; ++k) {
      const int place = next_[slot[k]]++;
      contact[place] = c;
      contact_a[place] = a[k];
    }
}

void ContactRows::build(std::span<const Body> all, const std::vector<Contact>& contacts) {
  int nodes = 0;
  first_.clear();
  for (const Body& b : all) {
    first_.push_back(nodes);
    nodes += b.nodes.size();
  }
  slot_of_.resize(nodes, -1);
  start.assign(1, 0);
  slot.clear();
  a.clear();
  for (const Contact& c : contacts) {
    add(all, c.a, 1);
    add(all, c.b, -1);
    start.push_back(int(slot.size()));
  }
  number_slots(all);
  turn_round();
}

}  // namespace pliant
