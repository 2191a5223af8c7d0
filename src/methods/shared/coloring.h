#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Elements in runs ("colours") that share no node, so that those of one colour may be solved at
/// once, on any number of threads, with the same result.
///
///   order: | red red red red | blue blue blue | green |
///   start: 0                 4                7       8
struct Coloring {
  std::vector<int> order;  // all elements, each once
  std::vector<int> start;  // where each colour begins in `order`, and the end

  int colors() const { return int(start.size()) - 1; }
};

/// Each element, in the order given by `sequence`, takes the first colour that none of its nodes
/// has yet. Inside a colour that order is kept. Element e has nodes corners[e * width + 0 ..
/// width).
Coloring color_greedily(std::span<const int> corners, int width, std::span<const int> sequence,
                        int nodes);
/// The same for elements of any width: element e has nodes corners[start[e] .. start[e + 1]).
Coloring color_greedily(std::span<const int> corners, std::span<const int> start,
                        std::span<const int> sequence, int nodes);

/// Cells of a grid by the parity of their three coordinates: at most eight colours.
Coloring color_by_parity(std::span<const Eigen::Vector3i> cells);

/// Indices of the points along a curve that keeps neighbours close (Morton, 10 bits an axis); equal
/// codes by index.
std::vector<int> order_by_place(std::span<const Vec3> points);

}  // namespace pliant
