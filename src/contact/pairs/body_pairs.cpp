#include "contact/pairs/body_pairs.h"

#include <algorithm>

#include "core/assert.h"

namespace pliant {
namespace {

/// [m] Features of the two that are further apart cannot touch before they are listed again.
double radius(const Body& a, const Body& b, double reach, double moved) {
  return 2 * (a.thickness + b.thickness) + reach + moved;
}

}  // namespace

void BodyPairs::sweep(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                      const ContactSettings& settings, std::span<const double> alone) {
  near_each_other_.clear();
  // Along x, so that bodies side by side are not compared each with each.
  by_place_.clear();
  for (int b = 0; b < int(bodies.size()); ++b)
    if (!surfaces.tree(b).empty()) by_place_.push_back(b);
  std::sort(by_place_.begin(), by_place_.end(), [&](int p, int q) {
    const double low_p = surfaces.box(p).low.x() - alone[p];
    const double low_q = surfaces.box(q).low.x() - alone[q];
    return low_p != low_q ? low_p < low_q : p < q;
  });
  double widest = 0;  // what thickness and reach can add
  for (const Body& body : bodies)
    widest = std::max(widest, radius(body, body, settings.reach * body.contact_scale, 0));
  for (std::size_t i = 0; i < by_place_.size(); ++i) {
    const int a = by_place_[i];
    const double end = surfaces.box(a).high.x() + alone[a] + widest;
    for (std::size_t k = i + 1; k < by_place_.size(); ++k) {
      const int b = by_place_[k];
      if (surfaces.box(b).low.x() - alone[b] > end) break;
      Box box = surfaces.box(b);
      box.grow(radius(bodies[a], bodies[b], settings.reach * scale_of_pair(bodies, a, b),
                      alone[a] + alone[b]));
      if (box.overlaps(surfaces.box(a))) near_each_other_.push_back(std::minmax(a, b));
    }
  }
  std::sort(near_each_other_.begin(), near_each_other_.end());
}

BodyPair& BodyPairs::next() {
  if (count_ == int(pairs_.size())) pairs_.emplace_back();
  return pairs_[count_++];
}

void BodyPairs::find(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                     const ContactSettings& settings, std::span<const double> alone) {
  ASSERT(alone.size() == bodies.size() && surfaces.count() == int(bodies.size()),
         "surfaces are prepared for all bodies");
  sweep(bodies, surfaces, settings, alone);
  pairs_.swap(old_pairs_);
  const int old_count = std::exchange(count_, 0);
  int old = 0;
  for (const std::pair<int, int>& both : near_each_other_) {
    const auto old_bodies = [&] { return std::pair(old_pairs_[old].a, old_pairs_[old].b); };
    while (old < old_count && old_bodies() < both) ++old;
    BodyPair& pair = next();
    const auto [a, b] = both;
    if (old < old_count && old_bodies() == both) {
      std::swap(pair, old_pairs_[old++]);
      if (!pair.is_listed || surfaces.is_new(a) || surfaces.is_new(b)) pair.reset(a, b);
    } else {
      pair.reset(a, b);
      pair.deep = true;
      pair.listed_travel = 0;
    }
  }
}

void BodyPairs::forget_lists() {
  for (BodyPair& pair : pairs()) pair.is_listed = false;
}

void BodyPairs::renumber(const Renumbering& bodies) {
  struct Kept {
    std::pair<int, int> bodies;
    bool deep;
    double listed_travel;
  };
  std::vector<Kept> kept;
  for (const BodyPair& pair : pairs())
    if (bodies(pair.a) >= 0 && bodies(pair.b) >= 0)
      kept.push_back({std::minmax(bodies(pair.a), bodies(pair.b)), pair.deep, pair.listed_travel});
  std::sort(kept.begin(), kept.end(),
            [](const Kept& p, const Kept& q) { return p.bodies < q.bodies; });
  count_ = 0;
  for (const auto& [both, deep, listed_travel] : kept) {
    BodyPair& pair = next();
    pair.reset(both.first, both.second);
    pair.deep = deep;
    pair.listed_travel = listed_travel;
  }
}

void BodyPairs::assign(std::span<const std::pair<int, int>> bodies) {
  ASSERT(std::is_sorted(bodies.begin(), bodies.end()), "pairs have an order");
  count_ = 0;
  for (const auto& [a, b] : bodies) {
    BodyPair& pair = next();
    pair.reset(a, b);
    pair.listed_travel = 0;
  }
}

int BodyPairs::candidates() const {
  std::size_t sum = 0;
  for (const BodyPair& pair : pairs())
    sum += pair.of_a.candidate.size() + pair.of_b.candidate.size() + pair.edges.size();
  return int(sum);
}

}  // namespace pliant
