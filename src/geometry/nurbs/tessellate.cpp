#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "geometry/nurbs/flip_edges.h"
#include "geometry/nurbs/patch.h"

namespace pliant {
namespace {

// More triangles than this of one patch are a mistake in its parameters, not a need.
constexpr std::size_t most_triangles = 2'000'000;
// How often triangles are cut in two: beside an edge that looks straight but is not, ever thinner
// ones would be cut without end.
constexpr int most_cuts = 40;
// Edges just as long as allowed are cut, whatever rounding says: two patches must not disagree
// about the edge that they share.
constexpr double rounding = 1e-9;

/// One patch's domain, cut finer. Which edges may stay depends on the edge alone, so that two
/// patches agree about the edge that they share. Trims leave triangles as long as the domain and as
/// thin as their steps; flips between cuts make better ones of them.
class DomainRefinement {
 public:
  DomainRefinement(const NurbsPatch& patch, double longest, double deviation)
      : patch_(patch),
        longest_((1 - rounding) * longest),
        deviation_((1 - rounding) * deviation),
        uv_(patch.domain) {
    for (const Vec2& at : uv_) x_.push_back(patch_.point(at[0], at[1]));
  }

  std::vector<Triangle> refine() {
    std::vector<Triangle> triangles = patch_.triangles;
    const auto may_flip = [&](int a, int b, int other_a, int other_b) {
      return edge_of(a, b).is_cut || !edge_of(other_a, other_b).is_cut;
    };
    for (int round = 0; round < most_cuts && triangles.size() < most_triangles; ++round) {
      flip_edges(uv_, x_, may_flip, triangles);
      if (!cut(triangles)) break;
    }
    return triangles;
  }

  const std::vector<Vec2>& uv() const { return uv_; }
  const std::vector<Vec3>& points() const { return x_; }

 private:
  /// Halves the longest of the edges of each triangle that are to be cut. False: there were none.
  bool cut(std::vector<Triangle>& triangles) {
    std::unordered_set<std::uint64_t> chosen;
    for (const Triangle& t : triangles)
      if (const int longest = longest_cut(t); longest >= 0)
        chosen.insert(key(t[longest], t[(longest + 1) % 3]));
    if (chosen.empty()) return false;
    std::vector<Triangle> pieces;
    for (const Triangle& t : triangles) {
      int at[3];
      for (int e = 0; e < 3; ++e)
        at[e] = chosen.contains(key(t[e], t[(e + 1) % 3])) ? middle(t[e], t[(e + 1) % 3]) : -1;
      split(t, at, pieces);
    }
    triangles = std::move(pieces);
    return true;
  }
  int longest_cut(const Triangle& t) {
    int longest = -1;
    double length = 0;
    for (int e = 0; e < 3; ++e) {
      const Edge& edge = edge_of(t[e], t[(e + 1) % 3]);
      if (!edge.is_cut || edge.length <= length) continue;
      length = edge.length;
      longest = e;
    }
    return longest;
  }
  /// `middle`: of each edge, -1 where it is whole.
  static void split(const Triangle& t, const int* middle, std::vector<Triangle>& pieces) {
    int first = 0;  // the corner before the first of a run of cut edges
    while (first < 3 && !(middle[first] >= 0 && middle[(first + 2) % 3] < 0)) ++first;
    const int i = first % 3, j = (i + 1) % 3, k = (i + 2) % 3;
    const int cuts = int(middle[0] >= 0) + int(middle[1] >= 0) + int(middle[2] >= 0);
    if (cuts == 0) {
      pieces.push_back(t);
    } else if (cuts == 1) {
      pieces.push_back({t[i], middle[i], t[k]});
      pieces.push_back({middle[i], t[j], t[k]});
    } else if (cuts == 2) {
      pieces.push_back({middle[i], t[j], middle[j]});
      pieces.push_back({t[i], middle[i], middle[j]});
      pieces.push_back({t[i], middle[j], t[k]});
    } else {
      for (int e = 0; e < 3; ++e) pieces.push_back({t[e], middle[e], middle[(e + 2) % 3]});
      pieces.push_back({middle[0], middle[1], middle[2]});
    }
  }
  static std::uint64_t key(int a, int b) {
    return (std::uint64_t(std::min(a, b)) << 32) | std::uint32_t(std::max(a, b));
  }
  struct Edge {
    double length;  // [m] over the surface, by way of its middle: on a fold both ends are one
    bool is_cut;
  };

  Vec3 at(int a, int b, double share) const {
    const Vec2 uv = uv_[a] + share * (uv_[b] - uv_[a]);
    return patch_.point(uv[0], uv[1]);
  }
  /// [m] From the straight edge, not from its middle: however fast the parameters run along it, a
  /// part of a straight edge is straight.
  double distance(const Vec3& x, int a, int b) const {
    const Vec3 along = x_[b] - x_[a];
    const double square = along.squaredNorm();
    const double share = square > 0 ? std::clamp((x - x_[a]).dot(along) / square, 0.0, 1.0) : 0.0;
    return (x - x_[a] - share * along).norm();
  }
  const Edge& edge_of(int first, int second) {
    const int a = std::min(first, second), b = std::max(first, second);
    const auto [known, is_new] = edges_.try_emplace(key(a, b));
    if (!is_new) return known->second;
    const Vec3 halfway = at(a, b, 0.5);
    const double chord = (x_[b] - x_[a]).norm();
    Edge& edge = known->second;
    edge.length = (halfway - x_[a]).norm() + (x_[b] - halfway).norm();
    edge.is_cut = chord > longest_ || distance(halfway, a, b) > deviation_;
    for (const double share : {0.25, 0.75})
      if (!edge.is_cut && chord > 4 * deviation_)
        edge.is_cut = distance(at(a, b, share), a, b) > deviation_;
    return edge;
  }
  int middle(int a, int b) {
    const auto [found, is_new] = middle_.try_emplace(key(a, b), int(uv_.size()));
    if (!is_new) return found->second;
    uv_.push_back(0.5 * (uv_[a] + uv_[b]));
    x_.push_back(patch_.point(uv_.back()[0], uv_.back()[1]));
    return found->second;
  }

  const NurbsPatch& patch_;
  const double longest_, deviation_;
  std::vector<Vec2> uv_;
  std::vector<Vec3> x_;
  std::unordered_map<std::uint64_t, int> middle_;
  std::unordered_map<std::uint64_t, Edge> edges_;
};

/// One for each name, which several patches may share: their own, and of what they are within.
void add_named_groups(const std::vector<NurbsPatch>& patches, TriangleMesh& mesh) {
  std::map<std::string, std::vector<int>> named;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    const std::vector<int>& triangles = mesh.groups[p].triangles;
    std::set<std::string> names(patches[p].within.begin(), patches[p].within.end());
    names.insert(patches[p].name);
    for (const std::string& name : names) {
      if (name.empty()) continue;
      std::vector<int>& all = named[name];
      all.insert(all.end(), triangles.begin(), triangles.end());
    }
  }
  for (auto& [name, triangles] : named) mesh.groups.push_back({name, std::move(triangles)});
}

}  // namespace

Tessellation tessellate(const std::vector<NurbsPatch>& patches, double longest, double deviation) {
  Tessellation result;
  for (int p = 0; p < int(patches.size()); ++p) {
    DomainRefinement domain(patches[p], longest, deviation);
    const std::vector<Triangle> triangles = domain.refine();
    const int base = int(result.mesh.points.size());
    const int number = patches[p].face > 0 ? patches[p].face : p + 1;
    TriangleMesh::Group group{"face_" + std::to_string(number), {}};
    for (std::size_t i = 0; i < domain.uv().size(); ++i) {
      result.mesh.points.push_back(domain.points()[i]);
      result.vertices.push_back({p, domain.uv()[i]});
    }
    for (const Triangle& t : triangles) {
      group.triangles.push_back(int(result.mesh.triangles.size()));
      result.mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
      result.patch.push_back(p);
    }
    result.mesh.groups.push_back(std::move(group));
  }
  add_named_groups(patches, result.mesh);
  return result;
}

}  // namespace pliant
