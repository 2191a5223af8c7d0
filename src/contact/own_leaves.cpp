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

/// Sets whether one of the corners is near a face and not too far behind it; and looks against it.
void compare(const OwnLeaves::Faces& faces, const OwnLeaves::Corner* corners, int count, float far,
             float behind, float widest, bool& is_before, bool& does_face) {
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
    const auto least = hn::Sub(load(faces.offset), hn::Set(tag, behind));
    for (int c = 0; c < count; ++c) {
      const auto before = hn::Ge(dot(corners[c].point), least);
      if (hn::AllFalse(tag, before)) continue;
      auto squared = zero;
      for (int k = 0; k < 3; ++k) {
        const auto x = hn::Set(tag, corners[c].point[k]);
        const auto off =
            hn::Max(zero, hn::Max(hn::Sub(load(faces.low[k]), x), hn::Sub(x, load(faces.high[k]))));
        squared = hn::MulAdd(off, off, squared);
      }
      const auto counts = hn::And(before, hn::Le(squared, hn::Set(tag, far * far)));
      if (hn::AllFalse(tag, counts)) continue;
      is_before = true;
      does_face =
          does_face ||
          !hn::AllFalse(tag, hn::And(counts, hn::Lt(dot(corners[c].normal), hn::Set(tag, widest))));
      if (does_face) return;
    }
  }
}

void compare_all(std::span<OwnLeaves::Pair> pairs, const OwnLeaves::Faces* faces,
                 const OwnLeaves::Corner* corners, const int* start, float widest) {
  for (OwnLeaves::Pair& pair : pairs) {
    const auto at = [&](int faces_of, int corners_of, bool& is_before, bool& does_face) {
      const int begin = start[corners_of], count = start[corners_of + 1] - begin;
      compare(faces[faces_of], corners + begin, count, pair.far, pair.behind, widest, is_before,
              does_face);
    };
    at(pair.a, pair.b, pair.before_a, pair.faces_a);
    at(pair.b, pair.a, pair.before_b, pair.faces_b);
  }
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(compare_all);

void OwnLeaves::compare(std::span<Pair> pairs, double widest) const {
  parallel_for(int(pairs.size()), 512, [&](int begin, int end) {
    HWY_DYNAMIC_DISPATCH(compare_all)
    (pairs.subspan(std::size_t(begin), std::size_t(end - begin)), faces_.data(), corners_.data(),
     start_.data(), float(widest));
  });
}

void OwnLeaves::find_corners(const Skin& skin, const SkinTree& tree) {
  start_.assign(1, 0);
  vertex_.clear();
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    for (const int t : tree.triangles(leaf))
      for (const int v : skin.triangles[t])
        if (std::find(vertex_.begin() + start_.back(), vertex_.end(), v) == vertex_.end())
          vertex_.push_back(v);
    start_.push_back(int(vertex_.size()));
  }
  revision_ = skin.revision;
}

void OwnLeaves::fit(const Skin& skin, const SkinTree& tree, const Vec3& origin,
                    const std::vector<Vec3>& faces, const std::vector<Vec3>& corners) {
  if (revision_ != skin.revision || int(start_.size()) != tree.leaves() + 1)
    find_corners(skin, tree);
  faces_.resize(std::size_t(tree.leaves()));
  corners_.resize(vertex_.size());
  parallel_for(tree.leaves(), 128, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) {
      Faces& to = faces_[leaf];
      for (auto* numbers : {&to.normal, &to.low, &to.high})
        for (auto& axis : *numbers) axis.fill(0);
      to.offset.fill(std::numeric_limits<float>::infinity());
      int lane = 0;
      for (const int t : tree.triangles(leaf)) {
        const Vec3& normal = faces[t];
        for (int k = 0; k < 3; ++k) to.normal[k][lane] = float(normal[k]);
        to.offset[lane] = float(normal.dot(skin.position[skin.triangles[t][0]] - origin));
        Box box;
        for (const int v : skin.triangles[t]) box.add(skin.position[v] - origin);
        for (int k = 0; k < 3; ++k) {
          to.low[k][lane] = float(box.low[k]);
          to.high[k][lane] = float(box.high[k]);
        }
        ++lane;
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
