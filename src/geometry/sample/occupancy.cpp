#include "geometry/sample/occupancy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.h"
#include "core/errors.h"
#include "core/parallel.h"
#include "geometry/query/winding_number.h"

namespace pliant {
namespace {

constexpr float far_away = 1e30f;
// Pieces of fewer voxels would have too few energy points to resist all that a quadratic field
// does.
constexpr int least_piece = 27;

/// The 26 neighbours of a cell and how far they are, in cells.
struct Step {
  Eigen::Vector3i offset;
  double length;
};
const std::array<Step, 26>& steps() {
  static const std::array<Step, 26> all = [] {
    std::array<Step, 26> made;
    int k = 0;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if (x || y || z) made[k++] = {{x, y, z}, std::sqrt(double(x * x + y * y + z * z))};
    return made;
  }();
  return all;
}

}  // namespace

Occupancy::Occupancy(const TriangleMesh& surface, int voxels) {
  ASSERT(voxels > 0, "a solid of no voxels");
  const Box box = bounds(surface.points);
  const Vec3 extent = box.extent();
  // A first look finds out how full the box is; its result is thrown away.
  const double box_volume = std::max(extent.prod(), 1e-300);
  fill(surface, std::cbrt(box_volume / 4000));
  if (size() == 0) throw InputError("", "", "nothing is inside of its surface");
  const double wanted = std::cbrt(volume() / voxels);
  // Whole voxels across the thinnest side: bars then have as many as they are thick.
  const double thin = extent.minCoeff();
  const double across = std::max(1.0, std::round(thin / wanted));
  fill(surface, across < 12 ? thin / across : wanted);
  if (size() == 0) throw InputError("", "", "nothing is inside of its surface");
  join_pieces();
  keep_solid_pieces();
  neighbour.reserve(26 * centre.size());
  for (const Eigen::Vector3i& from : cell)
    for (const Step& step : steps()) neighbour.push_back(at(from + step.offset));
}

void Occupancy::fill(const TriangleMesh& surface, double voxel_edge) {
  const Box box = bounds(surface.points);
  edge = voxel_edge;
  for (int a = 0; a < 3; ++a) {
    count[a] = std::max(1, int(std::ceil(box.extent()[a] / edge - 1e-9)));
    low[a] = box.centre()[a] - 0.5 * count[a] * edge;
  }
  const int cells = count.prod();
  std::vector<char> inside(std::size_t(cells), 0);
  const WindingNumber winding(surface);
  parallel_for(cells, 64, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      const Vec3 at(c % count[0] + 0.5, c / count[0] % count[1] + 0.5,
                    c / count[0] / count[1] + 0.5);
      inside[c] = std::abs(winding.at(low + edge * at)) > 0.5;
    }
  });
  gather(inside);
}

/// Numbers the cells that are inside.
void Occupancy::gather(const std::vector<char>& inside) {
  voxel_.assign(inside.size(), -1);
  centre.clear();
  cell.clear();
  for (int c = 0; c < int(inside.size()); ++c) {
    if (!inside[c]) continue;
    voxel_[c] = size();
    const Eigen::Vector3i at(c % count[0], c / count[0] % count[1], c / count[0] / count[1]);
    cell.push_back(at);
    centre.push_back(low + edge * (at.cast<double>() + Vec3::Constant(0.5)));
  }
}

/// The piece of each voxel, and the number of voxels of each piece.
std::vector<int> Occupancy::find_pieces(std::vector<int>& piece) const {
  piece.assign(centre.size(), -1);
  std::vector<int> members;
  std::vector<int> todo;
  for (int first = 0; first < size(); ++first) {
    if (piece[first] >= 0) continue;
    todo = {first};
    piece[first] = int(members.size());
    members.push_back(0);
    while (!todo.empty()) {
      const int v = todo.back();
      todo.pop_back();
      ++members.back();
      for (const Step& step : steps()) {
        const int other = at(cell[v] + step.offset);
        if (other < 0 || piece[other] >= 0) continue;
        piece[other] = piece[first];
        todo.push_back(other);
      }
    }
  }
  return members;
}

/// Parts that only touch leave gaps of about a rounding error between their voxels; what is nearer
/// than a voxel cannot be told from what touches.
void Occupancy::join_pieces() {
  std::vector<int> piece;
  if (find_pieces(piece).size() == 1) return;
  std::vector<char> inside(voxel_.size());
  for (int c = 0; c < int(inside.size()); ++c) {
    inside[c] = voxel_[c] >= 0;
    if (inside[c]) continue;
    const Eigen::Vector3i here(c % count[0], c / count[0] % count[1], c / count[0] / count[1]);
    int met = -1;
    for (const Step& step : steps()) {
      const int other = at(here + step.offset);
      if (other < 0 || piece[other] == met) continue;
      if (met >= 0) inside[c] = true;
      met = piece[other];
    }
    bridges += inside[c];
  }
  gather(inside);
}

void Occupancy::keep_solid_pieces() {
  std::vector<int> piece;
  const std::vector<int> members = find_pieces(piece);
  const int largest = *std::max_element(members.begin(), members.end());
  const auto is_kept = [&](int p) { return members[p] >= std::min(least_piece, largest); };
  std::vector<char> inside(voxel_.size());
  for (std::size_t c = 0; c < inside.size(); ++c)
    inside[c] = voxel_[c] >= 0 && is_kept(piece[voxel_[c]]);
  const int before = size();
  gather(inside);
  left_out = before - size();
  for (int p = 0; p < int(members.size()); ++p) pieces += is_kept(p);
}

int Occupancy::at(const Eigen::Vector3i& c) const {
  if ((c.array() < 0).any() || (c.array() >= count.array()).any()) return -1;
  return voxel_[(std::size_t(c[2]) * count[1] + c[1]) * count[0] + c[0]];
}

Eigen::Vector3i Occupancy::cell_of(const Vec3& place) const {
  return ((place - low) / edge).array().floor().cast<int>();
}

int Occupancy::near(const Vec3& place) const {
  const Eigen::Vector3i middle = cell_of(place);
  int best = at(middle);
  double nearest = 1e300;
  for (int r = 1; r <= 3 && best < 0; ++r)
    for (int x = -r; x <= r; ++x)
      for (int y = -r; y <= r; ++y)
        for (int z = -r; z <= r; ++z) {
          const int v = at(middle + Eigen::Vector3i(x, y, z));
          if (v < 0) continue;
          const double distance = (centre[v] - place).squaredNorm();
          if (distance < nearest) {
            nearest = distance;
            best = v;
          }
        }
  return best;
}

double Occupancy::thickness(const Vec3& place, const Vec3& normal) const {
  double best = edge;
  const double longest = edge * count.cast<double>().norm();
  for (const int side : {-1, 1}) {
    double reached = 0;
    int misses = 0;
    for (double way = 0.5 * edge; way < longest && misses <= 3; way += 0.5 * edge) {
      if (at(cell_of(place + side * way * normal)) >= 0) {
        reached = way;
        misses = 0;
      } else {
        ++misses;
      }
    }
    best = std::max(best, reached);
  }
  return best;
}

SolidDistance::SolidDistance(const Occupancy& solid)
    : solid_(solid), distance_(solid.centre.size(), far_away), seen_(solid.centre.size(), 0) {}

bool SolidDistance::within(int from, int to, double limit, double farthest) {
  if (straight(from, to) <= limit) return true;
  if (from_ != from || reach_ < limit) flood(from, std::max(limit, farthest));
  return seen_[to] == search_ && distance_[to] <= limit;
}

/// Along the digital line; far_away where it leaves the solid. Any way is an upper bound.
double SolidDistance::straight(int from, int to) const {
  const Eigen::Vector3i &a = solid_.cell[from], &b = solid_.cell[to];
  const Eigen::Vector3i gap = (b - a).cwiseAbs();
  const int most = gap.maxCoeff();
  Eigen::Vector3i rest = Eigen::Vector3i::Constant(most / 2), at = a;
  static const double length[] = {0, 1, std::sqrt(2.0), std::sqrt(3.0)};
  double way = 0;
  for (int t = 0; t < most; ++t) {
    int moved = 0;
    for (int k = 0; k < 3; ++k) {
      rest[k] -= gap[k];
      if (rest[k] >= 0) continue;
      rest[k] += most;
      at[k] += b[k] >= a[k] ? 1 : -1;
      ++moved;
    }
    way += length[moved];
    if (t + 1 < most && solid_.at(at) < 0) return far_away;
  }
  return way * solid_.edge;
}

/// Dijkstra's algorithm with buckets of one voxel (Dial 1969).
void SolidDistance::flood(int from, double reach) {
  from_ = from;
  reach_ = reach;
  ++search_;
  const double limit = reach / solid_.edge;
  const int buckets = int(limit) + 3;
  if (int(bucket_.size()) < buckets) bucket_.resize(buckets);
  for (std::vector<int>& members : bucket_) members.clear();
  const auto set = [&](int v, double cells) {
    seen_[v] = search_;
    distance_[v] = float(cells * solid_.edge);
    if (int(cells) < buckets) bucket_[int(cells)].push_back(v);
  };
  set(from, 0);
  for (int b = 0; b < buckets; ++b) {
    for (std::size_t i = 0; i < bucket_[b].size(); ++i) {
      const int v = bucket_[b][i];
      const double cells = distance_[v] / solid_.edge;
      if (cells > limit || int(cells + 1e-5) > b) continue;
      for (int k = 0; k < 26; ++k) {
        const int other = solid_.neighbour[26 * std::size_t(v) + k];
        if (other < 0) continue;
        const double longer = cells + steps()[k].length;
        if (seen_[other] == search_ && distance_[other] <= longer * solid_.edge * (1 + 1e-6))
          continue;
        set(other, longer);
      }
    }
  }
}

}  // namespace pliant
