#pragma once

namespace pliant {

/// What bodies may touch.
enum class Touches {
  colliders,  // and nothing else
  bodies,     // and each other
  all,        // and themselves
};

/// Defaults are measured, see VOCABULARY.md; lengths are shares of a body's contact scale.
struct ContactSettings {
  double tolerance = 1e-4;  // of gaps; sets the speed of rest jitter: tolerance / h
  int least_iterations = 3;
  int most_iterations = 60;
  int most_hard_iterations = 200;  // where rigid bodies, or a body and itself, touch, and no
                                   // body answers by a solve
  double reach = 0.05;             // up to which overlap is undone, and gaps are looked for there
  double exit_speed = 2.5;         // [1/s] scales per second at which deep overlap is undone
  Touches touch = Touches::all;
  // Contacts of bodies that hardly move against each other stay as they were found for up to so
  // many substeps. 1: they are found anew in each.
  int most_recycled = 6;
  double side_margin = 1e-6;  // a vertex nearer to a surface than this has its side remembered
};

}  // namespace pliant
