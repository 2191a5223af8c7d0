// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/own_leaves.cpp"
#include <algorithm>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <limits>

#include "contact/own_leaves.h"
#include "core/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Sets whether one of the corners of a leaf is near a face of the other and not too far behind it;
/// and looks against it.
void compare(const OwnLeaves::View& view, int leaf, int other, const OwnLeaves::Pair& pair,
             float widest, bool& is_before, bool& does_face) {
  const OwnLeaves::Faces& faces = view.faces[other];
  const LeafBoxes& boxes = view.boxes[other];
  const hn::CappedTag<float, LeafBoxes::most> tag;
  const auto zero = hn::Zero(tag);
  is_before = does_face = false;
  for (int first = 0; first < LeafBoxes::most; first += int(hn::Lanes(tag))) {
    const auto load = [&](const OwnLeaves::Faces::Numbers& from) {
      return hn::LoadU(tag, from.data() + first);
    };
    const auto nx = load(faces.normal[0]), ny = load(faces.normal[1]), nz = load(faces.normal[2]);
    const auto dot = [&](const std::array<float, 3>& p) {
      return hn::MulAdd(nx, hn::Set(tag, p[0]),
                        hn::MulAdd(ny, hn::Set(tag, p[1]), hn::Mul(nz, hn::Set(tag, p[2]))));
    };
    const auto least = hn::Sub(load(faces.offset), hn::Set(tag, pair.behind));
    for (int c = view.start[leaf]; c < view.start[leaf + 1]; ++c) {
      const OwnLeaves::Corner& corner = view.corners[c];
      const auto before = hn::Ge(dot(corner.point), least);
      if (hn::AllFalse(tag, before)) continue;
      auto squared = zero;
      for (int k = 0; k < 3; ++k) {
        const auto x = hn::Set(tag, view.origin[k] + corner.point[k]);
        const auto off =
            hn::Max(zero, hn::Max(hn::Sub(load(boxes.low[k]), x), hn::Sub(x, load(boxes.high[k]))));
        squared = hn::MulAdd(off, off, squared);
      }
      const auto counts = hn::And(before, hn::Le(squared, hn::Set(tag, pair.far * pair.far)));
      if (hn::AllFalse(tag, counts)) continue;
      is_before = true;
      does_face =
          does_face ||
          !hn::AllFalse(tag, hn::And(counts, hn::Lt(dot(corner.normal), hn::Set(tag, widest))));
      if (does_face) return;
    }
  }
}

void compare_all(std::span<OwnLeaves::Pair> pairs, const OwnLeaves::View& view, float widest) {
  for (OwnLeaves::Pair& pair : pairs) {
    compare(view, pair.b, pair.a, pair, widest, pair.before_a, pair.faces_a);
    compare(view, pair.a, pair.b, pair, widest, pair.before_b, pair.faces_b);
  }
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(compare_all);

void OwnLeaves::compare(const SkinTree& tree, std::span<Pair> pairs, double widest) const {
  const View view{faces_.data(),
                  tree.boxes().data(),
                  start_.data(),
                  corners_.data(),
                  {float(origin_.x()), float(origin_.y()), float(origin_.z())}};
  parallel_for(int(pairs.size()), 512, [&](int begin, int end) {
    HWY_DYNAMIC_DISPATCH(compare_all)
    (pairs.subspan(std::size_t(begin), std::size_t(end - begin)), view, float(widest));
  });
}

void OwnLeaves::build(const Skin& skin, const SkinTree& tree) {
  start_.assign(1, 0);
  vertex_.clear();
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    for (const int t : tree.triangles(leaf))
      for (const int v : skin.triangles[t])
        if (std::find(vertex_.begin() + start_.back(), vertex_.end(), v) == vertex_.end())
          vertex_.push_back(v);
    start_.push_back(int(vertex_.size()));
  }
}

void OwnLeaves::fit(const Skin& skin, const SkinTree& tree, const Vec3& origin,
                    const std::vector<Vec3>& faces, const std::vector<Vec3>& corners) {
  origin_ = origin;
  faces_.resize(std::size_t(tree.leaves()));
  corners_.resize(vertex_.size());
  parallel_for(tree.leaves(), 128, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) {
      Faces& to = faces_[leaf];
      for (auto& axis : to.normal) axis.fill(0);
      to.offset.fill(std::numeric_limits<float>::infinity());
      int lane = 0;
      for (const int t : tree.triangles(leaf)) {
        const Vec3& normal = faces[t];
        for (int k = 0; k < 3; ++k) to.normal[k][lane] = float(normal[k]);
        to.offset[lane++] = float(normal.dot(skin.position[skin.triangles[t][0]] - origin));
      }
    }
    for (int c = start_[begin]; c < start_[end]; ++c) {
      const int v = vertex_[c];
      for (int k = 0; k < 3; ++k) {
        corners_[c].point[k] = float(skin.position[v][k] - origin[k]);
        corners_[c].normal[k] = float(corners[v][k]);
      }
    }
  });
}

}  // namespace pliant
#endif
