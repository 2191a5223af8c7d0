#pragma once

#include <span>
#include <utility>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_settings.h"
#include "contact/data/renumbering.h"
#include "contact/pairs/body_pair.h"
#include "contact/surface/contact_surfaces.h"

namespace pliant {

/// The broad phase: all pairs of bodies that come near each other, by sweep and prune along x
/// (Baraff 1992).
class BodyPairs {
 public:
  /// Finds the pairs that come near each other while each body moves by `alone` [m], its own. Pairs
  /// that were there before keep what they know. Boxes must be up to date.
  void find(std::span<const Body> bodies, const ContactSurfaces& surfaces,
            const ContactSettings& settings, std::span<const double> alone);
  /// No lists are left: bodies may be others now. Which pairs were deep is kept.
  void forget_lists();
  /// The same, after bodies came and went.
  void renumber(const Renumbering& bodies);
  /// Just these pairs, without lists; in the order of (a, b).
  void assign(std::span<const std::pair<int, int>> bodies);

  /// In the order of (a, b).
  std::span<BodyPair> pairs() { return {pairs_.data(), std::size_t(count_)}; }
  std::span<const BodyPair> pairs() const { return {pairs_.data(), std::size_t(count_)}; }
  int count() const { return count_; }
  BodyPair& operator[](int p) { return pairs_[std::size_t(p)]; }
  const BodyPair& operator[](int p) const { return pairs_[std::size_t(p)]; }
  /// Pairs of features in the lists.
  int candidates() const;

 private:
  void sweep(std::span<const Body> bodies, const ContactSurfaces& surfaces,
             const ContactSettings& settings, std::span<const double> alone);
  BodyPair& next();

  std::vector<BodyPair> pairs_;  // the first count_ are in use; the others keep their capacity
  int count_ = 0;

  // Workspaces.
  std::vector<int> by_place_;
  std::vector<std::pair<int, int>> near_each_other_;
  std::vector<BodyPair> old_pairs_;
};

}  // namespace pliant
