#pragma once

#include <cstdint>
#include <vector>

#include "methods/groups/compliance.h"
#include "methods/shared/aligned_floats.h"

namespace pliant::groups {

// What the kernel reads: rows of `lanes` floats, one row per quantity.

/// Per member: its share of the mass, and its rest place seen from the centre along the principal
/// axes of the group.
enum MemberRow { member_share, member_x, member_y, member_z, member_rows };

/// Per group: diag(M / q_k), the inverse of Q along its axes.
inline constexpr int inverse_rows = 3;

enum GiveRow {
  give_shape,  // compliances times M
  give_volume,
  give_gamma,
  give_reach,  // squared; finite
  give_filter,
  give_rows
};

/// Where members are held: what is left of the inverse of Q when only free members answer
/// (symmetric), how the centre moves, and 1 in lanes that are only filled up.
enum HeldRow {
  held_11,
  held_22,
  held_33,
  held_21,
  held_31,
  held_32,
  held_x,
  held_y,
  held_z,
  held_idle,
  held_rows
};

/// Above this many members a group has a batch for itself, its members side by side.
inline constexpr int most_side_by_side = 32;

/// Groups side by side, or the members of one large group side by side.
struct Batch {
  int rows = 0;           // members of each group; of a large group, its members / lanes
  bool large = false;     // one group, members side by side
  bool held = false;      // some member is held or filled up
  bool follow = false;    // some member follows
  std::size_t place = 0;  // where its numbers begin in WideBatches::place and ::rest
  std::size_t rest = 0;
};

/// All groups of a body as the wide kernel wants them: colour after colour, each filled up with
/// lanes that do nothing. Lengths are in units of the body, so that neither tiny nor huge bodies
/// leave the range of a float.
struct WideBatches {
  int lanes = 8;
  double length = 1;  // [m]

  std::vector<int> start;  // first batch of each colour, and the end
  std::vector<Batch> batch;
  std::vector<int> group;  // per batch and lane; -1 = filled up; of large ones all the same
  std::vector<std::int32_t> place;  // per batch: [row][lane] where the particle's floats begin
  AlignedFloats rest;               // per batch: [row][MemberRow][lane], then the inverse
  AlignedFloats follows;            // as `place`: 1 = follows its group; empty if none does
  AlignedFloats give;               // [batch][GiveRow][lane]
  AlignedFloats held;               // [batch][HeldRow][lane]
  std::vector<int> slot;  // particle -> its place among the floats: near in use, near in memory
  int slots = 0;          // particles and one more for each batch that is not full

  int colors() const { return int(start.size()) - 1; }
  /// Groups in the order in which they are solved, for the plain kernel to follow.
  std::vector<int> order() const;
  /// Share of the member places that do something.
  double lane_fill() const;
};

/// `cell` as in Groups: known, eight colours are enough.
WideBatches build_batches(const Shapes& shapes, const std::vector<Vec3>& points,
                          const std::vector<Eigen::Vector3i>& cell, int lanes);

/// Writes the compliances and the reach of this substep length into the batches. `cap` as in Rules.
void fill_compliances(const Shapes& shapes, const std::vector<Compliance>& compliances, double cap,
                      WideBatches& batches);

/// Writes which members are held.
void fill_held(const Shapes& shapes, const std::vector<char>& held, WideBatches& batches);

}  // namespace pliant::groups
