#include "geometry/cut/merge.h"

#include <algorithm>
#include <queue>

#include "core/disjoint_sets.h"
#include "math/principal_axes.h"

namespace pliant::cut {
namespace {

// How the corners of patches and walls spread. Corners count as often as they are met: only their
// extents are asked for, not masses.
struct Spread {
  double count = 0;
  Vec3 sum = Vec3::Zero();
  Mat3 squares = Mat3::Zero();

  void add(const Vec3& p) {
    ++count;
    sum += p;
    squares += p * p.transpose();
  }
  void add(const Spread& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
  }
  bool is_flat(double thinness) const {
    const Vec3 mean = sum / count;
    const Mat3 covariance = squares / count - mean * mean.transpose();
    const Vec3 extents = principal_values(covariance);  // squared, rising
    return extents[0] <= thinness * thinness * extents[2];
  }
};

class Merger {
 public:
  Merger(const Sliced& sliced, const Walls& walls, const Pieces& pieces, double least,
         double thinness)
      : walls_(walls), pieces_(pieces), least_(least), thinness_(thinness), sets_(pieces.size()) {
    spread_.resize(std::size_t(pieces.size()));
    of_.resize(std::size_t(pieces.size()));
    for (const Moments& moments : pieces.moments) volume_.push_back(moments.volume);
    const Vec3 origin = sliced.points.front();  // keeps the squares small
    const auto add = [&](std::span<const int> loop, int piece) {
      for (const int point : loop) spread_[piece].add(sliced.points[point] - origin);
    };
    for (int p = 0; p < sliced.patches.size(); ++p) add(sliced.patches[p], pieces.of_patch[p]);
    for (int w = 0; w < int(walls.walls.size()); ++w)
      for (const int piece : pieces.of_wall[w]) {
        of_[piece].push_back(w);
        for (int l = walls.walls[w].first_loop; l < walls.walls[w].last_loop; ++l)
          add(walls.loops[l], piece);
      }
  }

  std::vector<int> run() {
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    for (int piece = 0; piece < pieces_.size(); ++piece)
      if (is_sliver(piece)) waiting.push({volume_[piece], piece});
    while (!waiting.empty()) {
      const auto [volume, piece] = waiting.top();
      waiting.pop();
      if (sets_.root(piece) != piece || volume_[piece] != volume) continue;  // has grown since
      const int neighbour = best_neighbour(piece);
      if (neighbour < 0) continue;
      const int whole = join(piece, neighbour);
      if (is_sliver(whole)) waiting.push({volume_[whole], whole});
    }
    return sets_.numbers();
  }

 private:
  bool is_sliver(int piece) const {
    return volume_[piece] < least_ || spread_[piece].is_flat(thinness_);
  }

  int best_neighbour(int piece) {
    std::vector<std::pair<int, double>> shared;
    for (const int w : of_[piece]) {
      const int a = sets_.root(pieces_.of_wall[w][0]), b = sets_.root(pieces_.of_wall[w][1]);
      const int other = a == piece ? b : a;
      if (other == piece) continue;
      const auto known = std::find_if(shared.begin(), shared.end(),
                                      [&](const auto& entry) { return entry.first == other; });
      if (known == shared.end()) shared.push_back({other, walls_.walls[w].area});
      else known->second += walls_.walls[w].area;
    }
    const auto best = std::max_element(shared.begin(), shared.end(), [](auto& a, auto& b) {
      return a.second != b.second ? a.second < b.second : a.first > b.first;
    });
    return best == shared.end() ? -1 : best->first;
  }

  int join(int a, int b) {
    sets_.join(a, b);
    const int whole = sets_.root(a), part = whole == a ? b : a;
    volume_[whole] += volume_[part];
    spread_[whole].add(spread_[part]);
    of_[whole].insert(of_[whole].end(), of_[part].begin(), of_[part].end());
    of_[part].clear();
    return whole;
  }

  const Walls& walls_;
  const Pieces& pieces_;
  double least_, thinness_;
  DisjointSets sets_;
  std::vector<double> volume_;
  std::vector<Spread> spread_;
  std::vector<std::vector<int>> of_;  // per piece: its walls
};

}  // namespace

std::vector<int> merge_slivers(const Sliced& sliced, const Walls& walls, const Pieces& pieces,
                               double least, double thinness) {
  return Merger(sliced, walls, pieces, least, thinness).run();
}

}  // namespace pliant::cut
