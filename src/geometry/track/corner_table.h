#pragma once

#include <vector>

#include "math/types.h"

namespace pliant::track {

/// Triangles of a closed manifold surface that know their neighbours, and the four changes that
/// keep it one. Corner c belongs to triangle c / 3; opposite(c) is the corner that lies across the
/// edge opposite to c.
///
///            x = at(c)
///           / \          collapse() joins b to a; flip() joins x to y instead of a to b;
///          /   \         split() puts a point on the edge a-b.
///         a-----b        a = at(next(c)), b = at(previous(c))
///          \   /
///           \ /
///            y = at(opposite(c))
class CornerTable {
 public:
  /// ASSERTs that the triangles are closed and manifold by edges. What it knows of the same
  /// triangles from before is kept.
  void take(const std::vector<Triangle>& triangles, int points);
  /// The triangles that are left, in their order. `kept` gets their numbers until now.
  std::vector<Triangle> give(std::vector<int>& kept) const;

  static int next(int c) { return c % 3 == 2 ? c - 2 : c + 1; }
  static int previous(int c) { return c % 3 == 0 ? c + 2 : c - 1; }
  int at(int c) const { return triangles_[c / 3][c % 3]; }
  int opposite(int c) const { return opposite_[c]; }
  /// Next corner at the same point, anticlockwise.
  int swing(int c) const { return next(opposite_[next(c)]); }

  int size() const { return int(triangles_.size()); }  // of triangles, dead ones included
  const Triangle& triangle(int t) const { return triangles_[t]; }
  bool is_dead(int t) const { return triangles_[t][0] < 0; }
  /// Some corner at a point; -1 = no triangle has it.
  int corner_of(int point) const { return corner_of_[point]; }

  /// Points joined to `point` by an edge, anticlockwise.
  void ring(int point, std::vector<int>& points) const;
  /// No more than `most` are counted.
  int valence(int point, int most) const;
  /// The corner opposite to the edge from a to b in the triangle on its left; -1 = no such edge.
  int corner_opposite(int a, int b) const;

  /// `point` must be the next number. Makes two triangles, of c's and of its neighbour's half.
  void split(int c, int point);
  /// All of b's triangles become a's; two die. The caller has checked the rings.
  void collapse(int c);
  void flip(int c);
  /// `c` lies at a point with three triangles; two of them die, and the point.
  void remove_valence_three(int c);

 private:
  void join(int c, int d) {
    opposite_[c] = d;
    opposite_[d] = c;
  }

  void build(int points);

  std::vector<Triangle> triangles_;
  bool changed_ = true;  // since take()
  std::vector<int> opposite_;
  std::vector<int> corner_of_;
  std::vector<int> start_, side_;  // workspace of build()
};

}  // namespace pliant::track
