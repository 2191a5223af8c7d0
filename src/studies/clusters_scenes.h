#pragma once

#include "studies/clusters_rig.h"

// What is seen in figures 1 and 4 to 7 of Chentanez, Mueller, Macklin 2016, with bodies made on the
// spot. Bodies are one to three metres large; `radius` [m] of particles decides how many there are.

namespace pliant {

/// A figure with a head and limbs, hit by four balls one after the other, and where: as built.
Show shot_figure(const ClustersSetup& setup);
std::vector<Vec3> shot_places();

/// A bar pulled by both ends to so many times its length in four seconds.
Show pulled_bar(const ClustersSetup& setup, double times = 5);
/// A bar to be cut across before half a second has passed: its ends go apart from then on, come
/// back after 2.5 seconds, and press what is between them until 4.5 seconds.
Show cut_bar(const ClustersSetup& setup);

/// A ball that falls on bars and sinks through them, while two others press it.
Show between_bars(const ClustersSetup& setup);

/// Dough kneaded by two knuckles.
Show kneaded(const ClustersSetup& setup);

/// A bar drawn out, laid double and pressed, again and again.
struct Taffy {
  explicit Taffy(const ClustersSetup& setup);
  /// Draws it out, folds it and presses it; lets go.
  void fold();
  /// Sets in motion what does so.
  void begin_fold();

  static constexpr double length = 3, width = 0.7;  // [m] as built
  static constexpr double held = 0.35;              // [m] of each end
  static constexpr double drawn_out = 1.6;          // times its length before it is folded
  static constexpr double seconds = 6.2;            // of a fold
  Show show;

 private:
  void press(const Vec3& middle, const Vec3& side, double start, std::array<double, 2> stops);
};

/// A slab of dough that is squeezed, rolled and folded.
struct Dough {
  explicit Dough(const ClustersSetup& setup);
  void begin_squeeze();
  void squeeze();
  void roll();
  void fold();

  Show show;
};

}  // namespace pliant
