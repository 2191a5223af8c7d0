#include "methods/shared/coloring.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace pliant {
namespace {

/// Which colours the elements at each node have: a row of bits per node that grows when needed.
class ColorsOfNodes {
 public:
  explicit ColorsOfNodes(int nodes) : nodes_(std::size_t(nodes)), bits_(nodes_, 0) {}

  int first_free(std::span<const int> corners) {
    for (std::size_t word = 0; word < words_; ++word) {
      std::uint64_t taken = 0;
      for (const int node : corners) taken |= bits_[std::size_t(node) * words_ + word];
      if (~taken != 0) return int(64 * word) + std::countr_one(taken);
    }
    grow();
    return int(64 * (words_ - 1));
  }

  void take(std::span<const int> corners, int color) {
    for (const int node : corners)
      bits_[std::size_t(node) * words_ + std::size_t(color / 64)] |= std::uint64_t(1)
                                                                     << (color % 64);
  }

 private:
  void grow() {
    std::vector<std::uint64_t> wider(nodes_ * (words_ + 1), 0);
    for (std::size_t node = 0; node < nodes_; ++node)
      std::copy_n(&bits_[node * words_], words_, &wider[node * (words_ + 1)]);
    bits_ = std::move(wider);
    ++words_;
  }

  std::size_t nodes_;
  std::size_t words_ = 1;
  std::vector<std::uint64_t> bits_;
};

Coloring sorted_by_color(std::span<const int> sequence, std::span<const int> color, int colors) {
  Coloring result;
  result.start.assign(std::size_t(colors) + 1, 0);
  for (const int c : color) ++result.start[c + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  result.order.resize(sequence.size());
  for (const int element : sequence) result.order[next[color[element]]++] = element;
  return result;
}

/// Bits 0..9 of `value` moved to 0, 3, 6, ...
std::uint32_t spread(std::uint32_t value) {
  std::uint32_t result = 0;
  for (int bit = 0; bit < 10; ++bit) result |= (value >> bit & 1u) << 3 * bit;
  return result;
}

}  // namespace

Coloring color_greedily(std::span<const int> corners, int width, std::span<const int> sequence,
                        int nodes) {
  std::vector<int> start(sequence.size() + 1);
  for (std::size_t e = 0; e < start.size(); ++e) start[e] = int(e) * width;
  return color_greedily(corners, start, sequence, nodes);
}

Coloring color_greedily(std::span<const int> corners, std::span<const int> start,
                        std::span<const int> sequence, int nodes) {
  ColorsOfNodes taken(nodes);
  std::vector<int> color(sequence.size());
  int colors = 0;
  for (const int element : sequence) {
    const std::span<const int> own =
        corners.subspan(start[element], start[element + 1] - start[element]);
    color[element] = taken.first_free(own);
    taken.take(own, color[element]);
    colors = std::max(colors, color[element] + 1);
  }
  return sorted_by_color(sequence, color, colors);
}

Coloring color_by_parity(std::span<const Eigen::Vector3i> cells) {
  std::vector<int> sequence(cells.size()), color(cells.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  for (std::size_t c = 0; c < cells.size(); ++c)
    color[c] = (cells[c].x() & 1) + 2 * (cells[c].y() & 1) + 4 * (cells[c].z() & 1);
  return sorted_by_color(sequence, color, 8);
}

std::vector<int> order_by_place(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.add(p);
  const double largest = points.empty() ? 1 : box.extent().maxCoeff();
  const double scale = largest > 0 ? 1023 / largest : 0;
  std::vector<std::uint32_t> code(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 at = scale * (points[i] - box.low);
    code[i] = spread(std::uint32_t(at.x())) | spread(std::uint32_t(at.y())) << 1 |
              spread(std::uint32_t(at.z())) << 2;
  }
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return code[a] < code[b]; });
  return order;
}

}  // namespace pliant
