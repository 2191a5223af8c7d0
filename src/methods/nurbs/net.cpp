#include "methods/nurbs/net.h"

#include <algorithm>
#include <numeric>

#include "core/disjoint_sets.h"
#include "geometry/query/neighbours.h"

namespace pliant::nurbs {
namespace {

// Of the diagonal: control points this close are one. Smaller gaps than CAD tolerances leave, and
// far smaller than anything that is modelled.
constexpr double same_place = 1e-5;

/// Area, and the middle value of the thicknesses behind its triangles.
FaceDetail look_behind(const NurbsPatch& patch, const Occupancy& solid, double otherwise) {
  FaceDetail face{.thickness = otherwise};
  std::vector<double> found;
  for (const Triangle& t : patch.triangles) {
    Vec3 x[3];
    for (int k = 0; k < 3; ++k) x[k] = patch.point(patch.domain[t[k]][0], patch.domain[t[k]][1]);
    const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
    if (!(normal.norm() > 0)) continue;
    face.area += 0.5 * normal.norm();
    found.push_back(solid.thickness((x[0] + x[1] + x[2]) / 3, normal.normalized()));
  }
  if (found.empty()) return face;
  const auto middle = found.begin() + std::ptrdiff_t(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end());
  face.thickness = *middle;
  return face;
}

void weld_poles(Net& net, double within) {
  std::vector<Vec3> all;
  for (const NurbsPatch& patch : net.patches)
    all.insert(all.end(), patch.pole.begin(), patch.pole.end());
  const double diagonal = bounds(all).extent().norm();
  const Neighbours near(all, 0.02 * diagonal);
  DisjointSets places(int(all.size()));
  std::vector<int> found;
  for (int i = 0; i < int(all.size()); ++i) {
    near.within(all[i], within * diagonal, found);
    for (const int other : found) places.join(i, other);
  }
  const std::vector<int> number = places.numbers();
  const int count = all.empty() ? 0 : *std::max_element(number.begin(), number.end()) + 1;
  net.point.assign(std::size_t(count), Vec3::Zero());
  std::vector<char> is_set(std::size_t(count), 0);
  std::size_t next = 0;
  for (NurbsPatch& patch : net.patches) {
    std::vector<int>& nodes = net.nodes.emplace_back();
    for (Vec3& pole : patch.pole) {
      const int n = number[next++];
      if (!is_set[n]) net.point[n] = pole;
      is_set[n] = 1;
      pole = net.point[n];  // welded before anything is sampled: later would break affine exactness
      nodes.push_back(n);
    }
  }
}

}  // namespace

PatchRow Net::row(int patch, const Vec2& uv) const {
  PatchRow row = patches[patch].row(uv[0], uv[1]);
  for (int& pole : row.pole) pole = nodes[patch][pole];
  return row;
}

Vec3 Net::place(const PatchRow& row) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < row.pole.size(); ++k) sum += row.weight[k] * point[row.pole[k]];
  return sum;
}

Net join_poles(std::vector<NurbsPatch> patches, bool weld) {
  Net net;
  for (const NurbsPatch& patch : patches) net.given += int(patch.pole.size());
  net.patches = std::move(patches);
  weld_poles(net, weld ? same_place : 0);
  return net;
}

Net make_net(std::vector<NurbsPatch> patches, const Occupancy& solid, const Lengths& lengths,
             double spans) {
  int given = 0;
  for (const NurbsPatch& patch : patches) given += int(patch.pole.size());
  std::vector<FaceDetail> detail;
  for (NurbsPatch& patch : patches) {
    FaceDetail& face = detail.emplace_back(look_behind(patch, solid, lengths.most));
    const double longest = spans * std::clamp(face.thickness, lengths.least, lengths.most);
    for (const bool along_u : {true, false}) {
      if (spans > 0) {
        raise_to_quadratic(patch, along_u);
        refine_spans(patch, along_u, longest);
      }
      face.span = std::max(face.span, longest_span(patch, along_u));
    }
  }
  Net net = join_poles(std::move(patches), true);
  net.given = given;
  net.detail = std::move(detail);
  return net;
}

}  // namespace pliant::nurbs
