#pragma once

#include <array>
#include <vector>

namespace pliant {

/// Floats that start at a cache line.
class AlignedFloats {
 public:
  void assign(std::size_t count, float value) {
    Line line;
    line.fill(value);
    lines_.assign((count + 15) / 16, line);
  }
  float* data() { return lines_.empty() ? nullptr : lines_[0].data(); }
  const float* data() const { return lines_.empty() ? nullptr : lines_[0].data(); }

 private:
  struct alignas(64) Line : std::array<float, 16> {};
  std::vector<Line> lines_;
};

}  // namespace pliant
