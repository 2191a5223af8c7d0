#include "methods/shared/galerkin/scalar_factor.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"
#include "methods/shared/galerkin/panels.h"

namespace pliant::galerkin {
namespace {

constexpr int leaf = 128;  // nodes; the factor is as large with 32 and made a quarter slower

/// Of the diagonal: what floats lose in a sum of some hundred terms.
constexpr float first_shift = 1e-6f;
constexpr float last_shift = 1e-2f;

constexpr std::size_t small = 1 << 16;  // floats; below, sharing out takes longer than working

int padded(int count) { return (count + panel_rows - 1) / panel_rows * panel_rows; }

/// Where panel i of a lower triangle begins that has whole tiles on its diagonal.
std::size_t triangle(int i) { return std::size_t(tile_size) * i * (i + 1) / 2; }

float& entry_of(float* panels, int wide, int row, int column) {
  return panels[std::size_t(row / panel_rows) * panel_rows * wide + panel_rows * column +
                row % panel_rows];
}

float& triangle_entry(float* triangles, int row, int column) {
  return triangles[triangle(row / panel_rows) + panel_rows * column + row % panel_rows];
}

/// Replaces a positive tile by the inverse of its Cholesky factor.
bool invert_factor(float* tile) {
  constexpr int n = panel_rows;
  float L[n][n], T[n][n] = {};
  for (int j = 0; j < n; ++j) {
    float pivot = tile[n * j + j];
    for (int k = 0; k < j; ++k) pivot -= L[j][k] * L[j][k];
    if (!(pivot > 1e-12f)) return false;
    L[j][j] = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      float sum = tile[n * j + i];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      L[i][j] = sum / L[j][j];
    }
  }
  for (int j = 0; j < n; ++j) {
    T[j][j] = 1 / L[j][j];
    for (int i = j + 1; i < n; ++i) {
      float sum = 0;
      for (int k = j; k < i; ++k) sum += L[i][k] * T[k][j];
      T[i][j] = -sum / L[i][i];
    }
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) tile[n * j + i] = T[i][j];
  return true;
}

/// A right-hand side's number at an unknown.
template <class Vector>
constexpr int sides_of = 3;
template <>
constexpr int sides_of<double> = 1;
double side_of(const Vec3& b, int axis) { return b[axis]; }
double& side_of(Vec3& b, int axis) { return b[axis]; }
double side_of(const double& b, int) { return b; }
double& side_of(double& b, int) { return b; }

}  // namespace

ScalarFactor::ScalarFactor(const Graph& graph, const std::vector<Vec3>& places) {
  Dissection dissection = dissect(graph, places, leaf);
  order_ = std::move(dissection.order);
  position_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) position_[order_[i]] = int(i);
  for (const Dissection::Part& part : dissection.parts) {
    Front front;
    front.begin = part.begin;
    front.end = part.end;
    front.parent = part.parent;
    if (part.parent >= 0) ASSERT(part.parent > int(fronts_.size()), "children come first");
    fronts_.push_back(front);
  }
  for (std::size_t f = 0; f < fronts_.size(); ++f)
    if (fronts_[f].parent >= 0) fronts_[fronts_[f].parent].children.push_back(int(f));
  find_rows(graph);
  share_out();
  scale_.assign(order_.size(), 0);
}

void ScalarFactor::find_rows(const Graph& graph) {
  std::vector<int> seen(order_.size(), -1);
  std::size_t vector_size = 0;
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    front.row_start = int(rows_.size());
    const auto add = [&](int position) {
      if (position < front.end || seen[position] == int(f)) return;
      seen[position] = int(f);
      rows_.push_back(position);
    };
    for (int i = front.begin; i < front.end; ++i)
      for (int k = graph.start[order_[i]]; k < graph.start[order_[i] + 1]; ++k)
        add(position_[graph.neighbour[k]]);
    for (const int child : front.children)
      for (int r = 0; r < fronts_[child].rows; ++r) add(rows_[fronts_[child].row_start + r]);
    std::sort(rows_.begin() + front.row_start, rows_.end());
    front.rows = int(rows_.size()) - front.row_start;
    front.wide = padded(front.end - front.begin);
    front.tall = front.wide + padded(front.rows);
    front.panels = floats_;
    front.vector = vector_size;
    floats_ += std::size_t(front.tall) * front.wide;
    vector_size += 3 * std::size_t(front.tall);
  }
  place_in_parent_.resize(rows_.size());
  for (const Front& front : fronts_)
    for (int r = 0; r < front.rows; ++r)
      place_in_parent_[front.row_start + r] =
          place_in(fronts_[front.parent], rows_[front.row_start + r]);
  vectors_.assign(vector_size, 0);
}

int ScalarFactor::place_in(const Front& front, int position) const {
  if (position < front.end) return position - front.begin;
  const auto first = rows_.begin() + front.row_start, last = first + front.rows;
  return front.wide + int(std::lower_bound(first, last, position) - first);
}

/// Subtrees of at most a sixteenth of the work are runs; those above come after all of them.
void ScalarFactor::share_out() {
  std::vector<std::size_t> work(fronts_.size(), 0);
  std::vector<int> first(fronts_.size());  // front of the subtree
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    work[f] = std::size_t(front.tall) * front.wide;
    first[f] = int(f);
    for (const int child : front.children) {
      work[f] += work[child];
      first[f] = std::min(first[f], first[child]);
    }
  }
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    const int parent = fronts_[f].parent;
    if (16 * work[f] > floats_) above_.push_back(int(f));
    else if (parent < 0 || 16 * work[parent] > floats_) runs_.push_back({first[f], int(f) + 1});
  }
  grain_ = floats_ < small ? int(runs_.size()) + 1 : 1;
}

bool ScalarFactor::factorise(const Graph& graph, const std::vector<double>& entry, double scale,
                             const std::vector<double>& diagonal,
                             const std::vector<char>& left_out) {
  if (!panels_.data()) panels_.assign(floats_, 0);
  for (std::size_t n = 0; n < order_.size(); ++n)
    for (int k = graph.start[n]; k < graph.start[n + 1]; ++k)
      if (graph.neighbour[k] == int(n)) {
        const double value = scale * entry[k] + diagonal[n];
        scale_[n] = left_out[n] || !(value > 0) ? 0 : 1 / std::sqrt(value);
      }
  update_.resize(fronts_.size());
  bool good = false;
  for (float shift = first_shift; !good && shift <= last_shift; shift *= 10) {
    std::atomic<bool> all = true;
    const auto work = [&](int f) {
      if (all && !factorise_front(f, shift, graph, entry, scale, diagonal)) all = false;
    };
    parallel_for(int(runs_.size()), 1, [&](int r, int) {
      for (int f = runs_[r].begin; f < runs_[r].end; ++f) work(f);
    });
    for (const int f : above_) work(f);
    good = all;
  }
  update_ = {};
  return good;
}

bool ScalarFactor::factorise_front(int f, float shift, const Graph& graph,
                                   const std::vector<double>& entry, double scale,
                                   const std::vector<double>& diagonal) {
  const Front& front = fronts_[f];
  float* panels = panels_.data() + front.panels;
  std::fill(panels, panels + std::size_t(front.tall) * front.wide, 0.0f);
  update_[f].assign(triangle((front.tall - front.wide) / panel_rows), 0);
  add_matrix(front, shift, graph, entry, scale, diagonal);
  add_children(front, update_[f].data());
  return eliminate(front, update_[f].data());
}

void ScalarFactor::add_matrix(const Front& front, float shift, const Graph& graph,
                              const std::vector<double>& entry, double scale,
                              const std::vector<double>& diagonal) {
  float* panels = panels_.data() + front.panels;
  for (int column = 0; column < front.wide; ++column) {
    const int position = front.begin + column;
    const int node = position < front.end ? order_[position] : -1;
    if (node < 0 || scale_[node] == 0) {
      entry_of(panels, front.wide, column, column) = 1;
      continue;
    }
    for (int k = graph.start[node]; k < graph.start[node + 1]; ++k) {
      const int other = graph.neighbour[k];
      if (position_[other] < position || scale_[other] == 0) continue;
      // The entry itself stands in the row of the one that comes first by number.
      const auto row = graph.neighbour.begin() + graph.start[other];
      const auto row_end = graph.neighbour.begin() + graph.start[other + 1];
      const auto at =
          other >= node
              ? std::size_t(k)
              : std::size_t(std::lower_bound(row, row_end, node) - graph.neighbour.begin());
      const double own = other == node ? diagonal[node] : 0;
      entry_of(panels, front.wide, place_in(front, position_[other]), column) =
          float((scale * entry[at] + own) * scale_[node] * scale_[other]) +
          (other == node ? shift : 0);
    }
  }
}

void ScalarFactor::add_children(const Front& front, float* updated) {
  float* panels = panels_.data() + front.panels;
  for (const int c : front.children) {
    const Front& child = fronts_[c];
    const int* place = place_in_parent_.data() + child.row_start;
    for (int first = 0; first < child.rows; first += panel_rows) {
      const float* from = update_[c].data() + triangle(first / panel_rows);
      const int count = std::min(panel_rows, child.rows - first);
      // Where these rows begin among the parent's own columns, and in what it hands on.
      float* own[panel_rows] = {};
      float* handed_on[panel_rows] = {};
      for (int r = 0; r < count; ++r) {
        const int row = place[first + r];
        own[r] = &entry_of(panels, front.wide, row, 0);
        if (row >= front.wide) handed_on[r] = &triangle_entry(updated, row - front.wide, 0);
      }
      for (int column = 0; column < first + count; ++column) {
        const bool eliminated = place[column] < front.wide;
        float* const* to = eliminated ? own : handed_on;
        const int at = panel_rows * (eliminated ? place[column] : place[column] - front.wide);
        for (int r = std::max(0, column - first); r < count; ++r)
          to[r][at] += from[panel_rows * column + r];
      }
    }
    update_[c] = {};
  }
}

/// Cholesky of the own columns, tile column by tile column; then what is left for the rows.
bool ScalarFactor::eliminate(const Front& front, float* updated) {
  float* panels = panels_.data() + front.panels;
  const std::size_t apart = std::size_t(panel_rows) * front.wide;
  const int own = front.wide / panel_rows, all = front.tall / panel_rows;
  for (int j = 0; j < own; ++j) {
    const float* pivot_panel = panels + apart * j;
    float* pivot = panels + apart * j + std::size_t(tile_size) * j;
    subtract_product(pivot_panel, pivot_panel, panel_rows * j, pivot);
    if (!invert_factor(pivot)) return false;
    parallel_for(all - j - 1, 8, [&](int begin, int end) {
      for (int i = j + 1 + begin; i < j + 1 + end; ++i) {
        float* tile = panels + apart * i + std::size_t(tile_size) * j;
        subtract_product(panels + apart * i, pivot_panel, panel_rows * j, tile);
        multiply_transposed(pivot, tile);
      }
    });
  }
  parallel_for(all - own, 1, [&](int i, int) {
    for (int j = 0; j <= i; ++j)
      subtract_product(panels + apart * (own + i), panels + apart * (own + j), front.wide,
                       updated + triangle(i) + std::size_t(tile_size) * j);
  });
  return true;
}

template <class Vector>
void ScalarFactor::forward(const Front& front, const std::vector<Vector>& b) {
  constexpr int sides = sides_of<Vector>;
  float* v = vectors_.data() + front.vector;
  const int tall = front.tall, own = front.wide / panel_rows, all = tall / panel_rows;
  std::fill(v, v + std::size_t(sides) * tall, 0.0f);
  for (int i = front.begin; i < front.end; ++i)
    for (int axis = 0; axis < sides; ++axis)
      v[tall * axis + i - front.begin] = float(scale_[order_[i]] * side_of(b[order_[i]], axis));
  for (const int c : front.children) {
    const Front& child = fronts_[c];
    const float* from = vectors_.data() + child.vector;
    for (int axis = 0; axis < sides; ++axis)
      for (int r = 0; r < child.rows; ++r)
        v[tall * axis + place_in_parent_[child.row_start + r]] +=
            from[child.tall * axis + child.wide + r];
  }
  const float* panels = panels_.data() + front.panels;
  const std::size_t apart = std::size_t(panel_rows) * front.wide;
  const auto subtract = [&](int i, int columns) {
    alignas(64) float sum[sides * panel_rows];
    multiply_panel(panels + apart * i, columns, v, tall, sides, sum);
    for (int axis = 0; axis < sides; ++axis)
      for (int r = 0; r < panel_rows; ++r)
        v[tall * axis + panel_rows * i + r] -= sum[panel_rows * axis + r];
  };
  for (int i = 0; i < own; ++i) {
    subtract(i, panel_rows * i);
    alignas(64) float solved[sides * panel_rows];
    multiply_panel(panels + apart * i + std::size_t(tile_size) * i, panel_rows, v + panel_rows * i,
                   tall, sides, solved);
    for (int axis = 0; axis < sides; ++axis)
      std::copy_n(solved + panel_rows * axis, panel_rows, v + tall * axis + panel_rows * i);
  }
  parallel_for(all - own, 8, [&](int begin, int end) {
    for (int i = own + begin; i < own + end; ++i) subtract(i, front.wide);
  });
}

template <class Vector>
void ScalarFactor::backward(const Front& front, std::vector<Vector>& x) {
  constexpr int sides = sides_of<Vector>;
  float* v = vectors_.data() + front.vector;
  const int tall = front.tall, own = front.wide / panel_rows, all = tall / panel_rows;
  for (int r = 0; r < front.rows; ++r) {
    const Front& parent = fronts_[front.parent];
    const float* from = vectors_.data() + parent.vector + place_in_parent_[front.row_start + r];
    for (int axis = 0; axis < sides; ++axis)
      v[tall * axis + front.wide + r] = from[parent.tall * axis];
  }
  for (int r = front.wide + front.rows; r < tall; ++r)
    for (int axis = 0; axis < sides; ++axis) v[tall * axis + r] = 0;
  const float* panels = panels_.data() + front.panels;
  const std::size_t apart = std::size_t(panel_rows) * front.wide;
  /// v of tile column j less the tiles in panels first .. last of that column.
  const auto subtract = [&](int j, int first, int last) {
    alignas(64) float sum[sides * panel_rows];
    multiply_tiles_transposed(panels + apart * first + std::size_t(tile_size) * j, last - first,
                              long(apart), v + panel_rows * first, tall, sides, sum);
    for (int axis = 0; axis < sides; ++axis)
      for (int r = 0; r < panel_rows; ++r)
        v[tall * axis + panel_rows * j + r] -= sum[panel_rows * axis + r];
  };
  parallel_for(own, 4, [&](int begin, int end) {
    for (int j = begin; j < end; ++j) subtract(j, own, all);
  });
  for (int j = own - 1; j >= 0; --j) {
    subtract(j, j + 1, own);
    alignas(64) float solved[sides * panel_rows];
    multiply_tiles_transposed(panels + apart * j + std::size_t(tile_size) * j, 1, 0,
                              v + panel_rows * j, tall, sides, solved);
    for (int axis = 0; axis < sides; ++axis)
      std::copy_n(solved + panel_rows * axis, panel_rows, v + tall * axis + panel_rows * j);
  }
  for (int i = front.begin; i < front.end; ++i)
    for (int axis = 0; axis < sides; ++axis)
      side_of(x[order_[i]], axis) = scale_[order_[i]] * double(v[tall * axis + i - front.begin]);
}

template <class Vector>
void ScalarFactor::solve_sides(const std::vector<Vector>& b, std::vector<Vector>& x) {
  parallel_for(int(runs_.size()), grain_, [&](int begin, int end) {
    for (int r = begin; r < end; ++r)
      for (int f = runs_[r].begin; f < runs_[r].end; ++f) forward(fronts_[f], b);
  });
  for (const int f : above_) forward(fronts_[f], b);
  for (auto f = above_.rbegin(); f != above_.rend(); ++f) backward(fronts_[*f], x);
  parallel_for(int(runs_.size()), grain_, [&](int begin, int end) {
    for (int r = begin; r < end; ++r)
      for (int f = runs_[r].end - 1; f >= runs_[r].begin; --f) backward(fronts_[f], x);
  });
}

void ScalarFactor::solve(const std::vector<Vec3>& b, std::vector<Vec3>& x) { solve_sides(b, x); }

void ScalarFactor::solve(const std::vector<double>& b, std::vector<double>& x) {
  solve_sides(b, x);
}

}  // namespace pliant::galerkin
