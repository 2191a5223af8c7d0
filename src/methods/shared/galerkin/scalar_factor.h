#pragma once

#include "methods/shared/aligned_floats.h"
#include "methods/shared/galerkin/dissection.h"

namespace pliant::galerkin {

/// Cholesky factor of a sparse symmetric matrix with one number per pair of neighbours, in floats,
/// for one right-hand side or three at once. Multifrontal with dense fronts; the answer does not
/// depend on the number of threads.
class ScalarFactor {
 public:
  /// Orders the nodes and finds where the factor has entries.
  ScalarFactor(const Graph& graph, const std::vector<Vec3>& places);

  /// Of scale * entry + diag(diagonal): entry[k] belongs to graph.neighbour[k]; only neighbours
  /// from the node itself on are read. Nodes `left_out` are solved for as zero. What floats cannot
  /// hold apart is made a little stiffer. False when that was not enough.
  bool factorise(const Graph& graph, const std::vector<double>& entry, double scale,
                 const std::vector<double>& diagonal, const std::vector<char>& left_out);

  /// x = what the factor says for b: three right-hand sides.
  void solve(const std::vector<Vec3>& b, std::vector<Vec3>& x);
  /// One.
  void solve(const std::vector<double>& b, std::vector<double>& x);

  std::size_t size() const { return floats_; }  // numbers of the factor, room left free included

 private:
  /// A part of the dissection: its columns, its rows among later parts, and where their numbers
  /// are. Both are padded to whole panels; `place` counts them: own columns first, then rows.
  struct Front {
    int begin = 0, end = 0;     // own nodes in the order
    int parent = -1;            //
    int wide = 0, tall = 0;     // padded columns; padded columns and rows
    int row_start = 0;          // into rows_ and place_in_parent_
    int rows = 0;               //
    std::size_t panels = 0;     // into panels_: tall / 16 panels of `wide` columns
    std::size_t vector = 0;     // into vectors_: three times `tall`
    std::vector<int> children;  //
  };

  void find_rows(const Graph& graph);
  void share_out();
  int place_in(const Front& front, int position) const;
  bool factorise_front(int f, float shift, const Graph& graph, const std::vector<double>& entry,
                       double scale, const std::vector<double>& diagonal);
  void add_matrix(const Front& front, float shift, const Graph& graph,
                  const std::vector<double>& entry, double scale,
                  const std::vector<double>& diagonal);
  void add_children(const Front& front, float* updated);
  bool eliminate(const Front& front, float* updated);
  template <class Vector>
  void solve_sides(const std::vector<Vector>& b, std::vector<Vector>& x);
  template <class Vector>
  void forward(const Front& front, const std::vector<Vector>& b);
  template <class Vector>
  void backward(const Front& front, std::vector<Vector>& x);

  std::vector<int> order_, position_;
  std::vector<Front> fronts_;
  std::vector<int> rows_;             // positions in the order, rising
  std::vector<int> place_in_parent_;  // of each row
  /// Runs of fronts that share nothing, and after them those that stand above.
  struct Run {
    int begin, end;
  };
  std::vector<Run> runs_;
  std::vector<int> above_;
  int grain_ = 1;  // of runs

  std::size_t floats_ = 0;
  AlignedFloats panels_, vectors_;
  std::vector<double> scale_;          // by node: makes the diagonal 1; 0 = left out
  std::vector<AlignedFloats> update_;  // what fronts hand to their parents, while factorising
};

}  // namespace pliant::galerkin
