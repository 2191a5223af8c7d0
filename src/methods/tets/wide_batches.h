#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "methods/shared/aligned_floats.h"
#include "methods/tets/compliance.h"

namespace pliant::tets {

// What the kernel reads: rows of `lanes` floats, one row per quantity, tet by tet.

/// A tet's inverse rest shape, turned until it is lower triangular (see triangular()).
enum RestRow { rest_11, rest_22, rest_33, rest_21, rest_31, rest_32, rest_rows };

/// Of a box: one over its edges, squared. Its tets need nothing else but the sign of its turn.
/// Cubes need none of this: they are the unit of length.
enum BoxRow { box_11, box_22, box_33, box_rows };

enum GiveRow {
  give_shape,  // compliances
  give_volume,
  give_gamma,
  give_rows
};

/// What all elements are at rest: boxes of one size, cubes. The more they are alike, the less there
/// is to load and compute.
enum class RestShape { any, boxes, cubes };

/// Five tets on eight corners, numbered as in five_tets.h.
struct TetCell {
  std::array<int, 8> corner;
  std::array<int, 5> tet;  // their numbers, in the order in which they are solved
};

/// Which corners the five tets of a cell have, in the order in which they are solved.
inline constexpr std::array<Tet, 5> cell_tets = {
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}}};

/// The cells, if all tets come in fives that make one; the middle one last. Mirror images of others
/// are numbered as those, inside out.
std::optional<std::vector<TetCell>> find_cells(const std::vector<Tet>& tets);

/// What batches are filled up with hangs on nodes of its own, in each block others, as blocks are
/// solved at once: the corners of a unit cube, so that its tets are neither flat nor turned.
inline constexpr int filling_nodes = 8;

/// All tets of a body as the wide kernel wants them: `lanes` elements side by side in runs of
/// batches (see packing.h), filled up with elements that cannot move. Larger bodies are cut into
/// blocks, each for one thread, and whose nodes stay in a near cache. Numbers are floats in units
/// of the body (`length`, `mass`), so that neither tiny nor huge bodies leave the range of a float.
struct WideBatches {
  int lanes = 8;
  int corners = 4;  // of an element: 4 = a tet, 8 = a cell
  int tets = 1;     // of an element: 1 or 5
  RestShape at_rest = RestShape::any;
  double length = 1;  // [m]
  double mass = 1;    // [kg]

  std::vector<int> start;           // first batch of each run, and the end
  std::vector<int> block;           // first run of each block, and the end
  bool colored = false;             // one block, runs are colours: threads may share them
  int first_blocks = 1;             // blocks that come first; they share no node, nor do the others
  std::vector<int> tet;             // [batch][tet][lane] its number; -1 = filled up
  std::vector<std::int32_t> place;  // [batch][corner][lane] where the node's floats begin
  AlignedFloats rest;               // [batch][tet][RestRow][lane]; of boxes [BoxRow][lane] for all
  AlignedFloats determinant;        // [batch][lane] of boxes' inverse: negative where inside out
  AlignedFloats give;               // [batch][tet][GiveRow][lane]
  std::size_t give_step = 0;        // from batch to batch; 0 = the same for all but for `softer`
  AlignedFloats softer;             // [batch][tet][lane] of boxes and cubes: times `give`
  std::size_t softer_step = 0;      // from batch to batch; 0 = the same for all
  AlignedFloats near_reach;         // [batch][lane] squared, over the largest inverse mass of a
                                    // corner, or less; finite
  std::size_t near_step = 0;        // from batch to batch; 0 = the same for all
  AlignedFloats reach;              // [batch][tet][lane] squared, for when it may be exceeded
  std::vector<float> lightest;      // [batch][tet][lane] largest inverse mass of a corner
  std::vector<int> slot;  // node -> its place among the floats: near in space, near in memory
  int slots = 0;          // nodes, and after them those of each block's filling

  int batches() const { return start.back(); }
  int runs() const { return int(start.size()) - 1; }  // of all blocks
  int blocks() const { return int(block.size()) - 1; }
  std::size_t give_per_batch() const { return std::size_t(tets * give_rows * lanes); }
  std::size_t rest_per_batch() const { return std::size_t(tets * rest_rows * lanes); }

  /// Tets in the order in which they are solved, for the plain kernel to follow.
  std::vector<int> tet_order() const;
  /// Share of the lanes that do something.
  double lane_fill() const;
};

/// `cells` empty: one lane is one tet. Otherwise one lane is one cell, `grid` its coordinates if
/// they are known (then eight colours are enough).
WideBatches build_batches(const TetElements& elements, const std::vector<double>& mass,
                          const std::vector<Vec3>& points, std::vector<TetCell> cells,
                          const std::vector<Eigen::Vector3i>& grid, int lanes);

/// Writes the compliances and the reach of this substep length into the batches. `cap` as in Rules.
void fill_compliances(const TetElements& elements, const std::vector<Compliance>& compliances,
                      double cap, WideBatches& batches);

}  // namespace pliant::tets
