#include "geometry/mesh/refine.h"

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "core/assert.h"
#include "core/errors.h"

namespace pliant {
namespace {

constexpr std::size_t most_triangles = 20'000'000;

// Whether an edge is cut depends on the edge alone and not on the triangle, so no point ever lies
// in the middle of a neighbour's edge.
class Cuts {
 public:
  Cuts(std::vector<Vec3>& points, double longest) : points_(points), longest_(longest) {}

  // The point in the middle of a long edge; -1 for a short one.
  int middle(int a, int b) {
    if (a > b) std::swap(a, b);
    const double length = (points_[a] - points_[b]).norm();
    if (!(length > longest_) || !std::isfinite(length)) return -1;
    const std::uint64_t key = std::uint64_t(a) << 32 | std::uint32_t(b);
    const auto [place, is_new] = middles_.try_emplace(key, int(points_.size()));
    if (is_new) points_.push_back(0.5 * (points_[a] + points_[b]));
    return place->second;
  }

  bool any() const { return !middles_.empty(); }

 private:
  std::vector<Vec3>& points_;
  double longest_;
  std::unordered_map<std::uint64_t, int> middles_;
};

// Appends the pieces of one triangle. m[k] is the middle of edge (k, k + 1), or -1.
void cut(const std::vector<Vec3>& points, const Triangle& t, const std::array<int, 3>& m,
         std::vector<Triangle>& pieces) {
  const int cuts = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0);
  if (cuts == 0) {
    pieces.push_back(t);
    return;
  }
  if (cuts == 3) {
    pieces.insert(pieces.end(), {{t[0], m[0], m[2]}, {m[0], t[1], m[1]}, {m[2], m[1], t[2]}, m});
    return;
  }
  // Turned such that the first edge is cut, and with two cuts the third is whole.
  int k = 0;
  while (m[k] < 0 || (cuts == 2 && m[(k + 2) % 3] >= 0)) ++k;
  const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], ab = m[k], bc = m[(k + 1) % 3];
  if (cuts == 1) {
    pieces.insert(pieces.end(), {{a, ab, c}, {ab, b, c}});
    return;
  }
  pieces.push_back({ab, b, bc});
  const double across = (points[a] - points[bc]).squaredNorm();
  if (across <= (points[ab] - points[c]).squaredNorm())
    pieces.insert(pieces.end(), {{a, ab, bc}, {a, bc, c}});
  else pieces.insert(pieces.end(), {{a, ab, c}, {ab, bc, c}});
}

[[noreturn]] void refuse() {
  throw InputError("", "", "would have more than 20 million triangles with edges that short",
                   "allow longer edges");
}

}  // namespace

TriangleMesh refine_long_edges(const TriangleMesh& mesh, double longest) {
  ASSERT(longest > 0, "edges cannot be refined to no length");
  // No triangle with such edges is larger than the equilateral one: refuse before the memory is
  // full.
  const double largest = std::sqrt(3.0) / 4 * longest * longest;
  if (area(mesh) / largest > double(most_triangles)) refuse();
  TriangleMesh fine = mesh;
  while (true) {
    Cuts cuts(fine.points, longest);
    std::vector<Triangle> pieces;
    std::vector<int> first;  // of each triangle's pieces
    pieces.reserve(fine.triangles.size());
    first.reserve(fine.triangles.size() + 1);
    for (const Triangle& t : fine.triangles) {
      first.push_back(int(pieces.size()));
      const std::array<int, 3> m = {cuts.middle(t[0], t[1]), cuts.middle(t[1], t[2]),
                                    cuts.middle(t[2], t[0])};
      cut(fine.points, t, m, pieces);
      if (pieces.size() > most_triangles) refuse();
    }
    if (!cuts.any()) return fine;
    first.push_back(int(pieces.size()));
    for (TriangleMesh::Group& group : fine.groups) {
      std::vector<int> members;
      for (const int t : group.triangles)
        for (int p = first[t]; p < first[t + 1]; ++p) members.push_back(p);
      group.triangles = std::move(members);
    }
    fine.triangles = std::move(pieces);
  }
}

}  // namespace pliant
