#include "methods/tets/packing.h"

#include <algorithm>

namespace pliant::tets {
namespace {

/// How far to look for elements that fit, in batches: the more there is to choose from, the fewer
/// lanes are left over, but an order is an order.
constexpr std::size_t furthest = 8;

/// A new run costs as much as some lanes that do nothing.
constexpr int lanes_of_start = 4;

/// Takes elements from a queue, batch by batch.
class Packer {
 public:
  Packer(std::span<const int> corners, int width, std::span<const int> order, int nodes, int lanes)
      : corners_(corners),
        width_(std::size_t(width)),
        order_(order),
        lanes_(std::size_t(lanes)),
        last_batch_(std::size_t(nodes), -2),
        seen_(std::size_t(nodes), 0) {}

  bool is_done() const { return waiting_.empty() && next_ == order_.size(); }

  /// What the next batch could be, or as much of it as can be had: elements that share no node with
  /// each other, nor with the batch `apart_from` or one after it.
  std::vector<int> look(int apart_from) {
    ++look_;
    std::vector<int> found;
    const auto try_one = [&](int e) {
      for (const int node : nodes_of(e))
        if (last_batch_[node] >= apart_from || seen_[node] == look_) return;
      for (const int node : nodes_of(e)) seen_[node] = look_;
      found.push_back(e);
    };
    for (std::size_t i = 0; i < waiting_.size() && found.size() < lanes_; ++i) try_one(waiting_[i]);
    const std::size_t end = std::min(order_.size(), next_ + furthest * lanes_ - waiting_.size());
    for (std::size_t i = next_; i < end && found.size() < lanes_; ++i) try_one(order_[i]);
    return found;
  }

  /// Out of the queue and into the batch. `elements`: as look() found them.
  void take(std::span<const int> elements, int batch) {
    std::size_t kept = 0, taken = 0;
    const auto is_taken = [&](int e) {
      if (taken == elements.size() || elements[taken] != e) return false;
      ++taken;
      return true;
    };
    for (const int e : waiting_)
      if (!is_taken(e)) waiting_[kept++] = e;
    waiting_.resize(kept);
    while (taken < elements.size())
      if (!is_taken(order_[next_++])) waiting_.push_back(order_[next_ - 1]);
    for (const int e : elements)
      for (const int node : nodes_of(e)) last_batch_[node] = batch;
  }

 private:
  std::span<const int> nodes_of(int e) const {
    return corners_.subspan(std::size_t(e) * width_, width_);
  }

  std::span<const int> corners_;
  std::size_t width_;
  std::span<const int> order_;
  std::size_t lanes_;
  std::vector<int> last_batch_;  // per node: that has it
  std::vector<int> seen_;        // per node: look that found it
  int look_ = 0;
  std::vector<int> waiting_;  // passed over, in order; always fewer than are looked at
  std::size_t next_ = 0;      // of `order`
};

}  // namespace

Packing pack(std::span<const int> corners, int width, std::span<const int> order, int nodes,
             int lanes) {
  Packer packer(corners, width, order, nodes, lanes);
  Packing packing;
  packing.start.push_back(0);
  for (int batch = 0; !packer.is_done(); ++batch) {
    std::vector<int> elements = packer.look(batch - 1);
    if (int(elements.size()) < lanes && batch > packing.start.back()) {
      std::vector<int> anew = packer.look(batch);
      if (elements.empty() || anew.size() >= elements.size() + lanes_of_start) {
        packing.start.push_back(batch);
        elements = std::move(anew);
      }
    }
    packer.take(elements, batch);
    packing.element.insert(packing.element.end(), elements.begin(), elements.end());
    packing.element.resize(std::size_t(batch + 1) * std::size_t(lanes), -1);
  }
  packing.start.push_back(int(packing.element.size()) / lanes);
  return packing;
}

}  // namespace pliant::tets
