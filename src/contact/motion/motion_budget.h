#pragma once

#include <algorithm>
#include <limits>

#include "core/assert.h"

namespace pliant {

// How long a list of candidates stays complete. A list that was made with room to spare is used
// until things have moved so far that features which it leaves out may be near enough to matter:
// Verlet 1967 (neighbour lists); in contact also "dynamic collision margin". When a list is made
// again decides time only, never what is found.

/// The displacement that a list allows, and how much of it is used.
///
///   start ......... add ... add ... rebase ... add ... add ... measured      now
///   |--------------- before ----------------|------ used - before ---------|
///                                           `-- of this, a measured displacement is a better
///                                               bound than the sum, which counts there and back
class MotionBudget {
 public:
  /// A list was made: nothing has moved since. `allowed` [m], may be infinite.
  void start(double allowed) {
    ASSERT(!(allowed != allowed), "a motion budget must be a number");
    allowed_ = allowed;
    used_ = before_ = 0;
    sums_ = 0;
    measurable_ = false;
  }
  /// Nothing moved further than this since the last call [m].
  void add(double displacement) {
    used_ += displacement;
    ++sums_;
  }
  /// From now on displacements are measured from where things are.
  void rebase() {
    before_ = used_;
    sums_ = 0;
    measurable_ = true;
  }
  /// Nothing is further than this [m] from where it was at the last rebase(). Ignored where the
  /// list is younger than that: the displacement may be in part from before it was made.
  void measured(double displacement) {
    if (!measurable_) return;
    const double now = before_ + displacement;
    if (!(now >= used_)) used_ = now;  // what is not a number is not below, either
  }
  /// Nothing is known until it is measured.
  void doubt() { used_ = std::numeric_limits<double>::infinity(); }

  /// Whether the list is complete for features within `reach` [m] of each other.
  bool holds(double reach) const { return used_ + reach <= allowed_; }
  double used() const { return used_; }             // [m]
  double left() const { return allowed_ - used_; }  // [m] negative where overdrawn
  double allowed() const { return allowed_; }       // [m]
  int sums() const { return sums_; }  // displacements added up since the last rebase()

 private:
  double allowed_ = 0;
  double used_ = 0, before_ = 0;
  int sums_ = 0;
  bool measurable_ = false;
};

}  // namespace pliant
