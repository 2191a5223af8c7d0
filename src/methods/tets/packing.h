#pragma once

#include <span>
#include <vector>

namespace pliant::tets {

/// Elements side by side in batches of `lanes`. Those of a batch share no node, nor do batches that
/// follow each other in a run: the kernel fetches the next one before it has written the last.
struct Packing {
  std::vector<int> element;  // per batch and lane; -1 = filled up
  std::vector<int> start;    // first batch of each run, and the end
};

/// Elements in about this order, which should have those that share no node together, as a
/// colouring has. Where it changes its colour, batches have some of both. So nearly all lanes are
/// used, even where colours are small; but one thread must do the whole run. Element e has nodes
/// corners[e * width + 0 .. width).
Packing pack(std::span<const int> corners, int width, std::span<const int> order, int nodes,
             int lanes);

}  // namespace pliant::tets
