#pragma once

#include <cstdint>
#include <vector>

#include "methods/shared/aligned_floats.h"
#include "methods/shared/shape_law/compliance.h"

namespace pliant::shape_law {

// What the kernel reads: rows of `lanes` floats, one row per quantity.

/// Per member: its rest place seen from the centre along the principal axes of the group, and its
/// share of the weight (0 = filled up), which is left out where `lean` says so.
enum MemberRow { member_x, member_y, member_z, member_share, member_rows };

/// Per group: diag(M / q_k), the inverse of Q along its axes. Where all shares are equal the kernel
/// leaves them out of its sums, and they are in here.
inline constexpr int inverse_rows = 3;

enum GiveRow {
  give_shape,  // compliances times M
  give_volume,
  give_gamma,
  give_reach,    // squared; finite
  give_filter,   // times give_mass
  give_mass,     // in units of the floats: what a member's mobility is multiplied with
  give_members,  // how many
  give_rows
};

/// What F answers to a stress (symmetric): Q^-1 if weights are masses and no member is held. And 1
/// in lanes that are only filled up.
enum AnswerRow {
  answer_11,
  answer_22,
  answer_33,
  answer_21,
  answer_31,
  answer_32,
  answer_idle,
  answer_rows
};

/// Above this many members a group has a batch for itself, its members side by side.
inline constexpr int most_side_by_side = 32;

/// Groups side by side, or the members of one large group side by side.
struct Batch {
  int rows = 0;           // members of each group; of a large group, its members / lanes
  bool large = false;     // one group, members side by side
  bool alike = false;     // groups that all have `rows` members
  bool lean = false;      // alike, and all shares are the same: not kept
  std::size_t place = 0;  // where its numbers begin in WideBatches::place and ::rest
  std::size_t rest = 0;

  int rows_per_member() const { return lean ? member_share : member_rows; }
  /// Side by side, the first member is what others are seen from, and takes what is left: nothing
  /// about it is kept.
  int first_kept() const { return large ? 0 : 1; }
  int rest_rows() const { return (rows - first_kept()) * rows_per_member() + inverse_rows; }
};

/// All groups of a body as the wide kernel wants them: colour after colour, each filled up with
/// lanes that do nothing. Lengths are in units of the body, so that neither tiny nor huge bodies
/// leave the range of a float.
struct WideBatches {
  int lanes = 8;
  double length = 1;  // [m]
  double mass = 1;    // [kg]
  bool even = false;  // members of a group weigh the same

  std::vector<int> start;  // first batch of each colour, and the end
  std::vector<Batch> batch;
  std::vector<int> group;  // per batch and lane; -1 = filled up; of large ones all the same
  std::vector<std::int32_t> place;  // per batch: [row][lane] where the particle's floats begin
  AlignedFloats rest;               // per batch: the inverse, then [row][MemberRow][lane]
  AlignedFloats give;               // [batch][GiveRow][lane]
  AlignedFloats answer;             // [batch][AnswerRow][lane]
  std::vector<int> slot;  // particle -> its place among the floats: near in use, near in memory
  int slots = 0;          // particles and one more for each batch that is not full

  int colors() const { return int(start.size()) - 1; }
  /// Groups in the order in which they are solved, for the plain kernel to follow.
  std::vector<int> order() const;
  /// Share of the member places that do something.
  double lane_fill() const;
};

/// `cell`, of each group: if all lie in cells of a grid and touch only particles of
/// their own closed cell, eight colours are enough. Empty = unknown.
WideBatches build_batches(const Shapes& shapes, const std::vector<Vec3>& points,
                          const std::vector<Eigen::Vector3i>& cell, int lanes);

/// Writes the rest shapes anew, after arms have changed.
void fill_rest(const Shapes& shapes, WideBatches& batches);

/// Writes the compliances and the reach of this substep length into the batches. `cap` as in Rules.
void fill_compliances(const Shapes& shapes, const std::vector<Compliance>& compliances, double cap,
                      WideBatches& batches);

/// Writes what groups answer when particles have these masses [kg] and some are held.
void fill_answers(const Shapes& shapes, const std::vector<double>& mass,
                  const std::vector<char>& held, WideBatches& batches);

}  // namespace pliant::shape_law
