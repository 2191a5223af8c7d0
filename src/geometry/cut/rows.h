#pragma once

#include <span>
#include <vector>

namespace pliant {

/// Rows of numbers of any length, stored one after the other.
struct Rows {
  std::vector<int> start = {0};
  std::vector<int> item;

  int size() const { return int(start.size()) - 1; }
  std::span<const int> operator[](int row) const {
    return {item.data() + start[row], item.data() + start[row + 1]};
  }
  void add(std::span<const int> row) {
    item.insert(item.end(), row.begin(), row.end());
    close();
  }
  /// Ends the row that was pushed to `item`.
  void close() { start.push_back(int(item.size())); }
};

}  // namespace pliant
