#include "contact/self/leaf_corners.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 4096;  // points

}  // namespace

void LeafCorners::MovingPoints::fit(const Skin& skin, const Vec3& near_by,
                                    const std::vector<Vec3>& ways) {
  origin = near_by;
  place.resize(ways.size());
  way.resize(ways.size());
  parallel_for(int(ways.size()), grain, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) {
      place[v] = four(skin.position[v] - origin);
      way[v] = four(ways[v]);
    }
  });
}

void LeafCorners::build(const Skin& skin, const SkinTree& tree) {
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

void LeafCorners::fit(const MovingPoints& points) {
  corners_.resize(vertex_.size());
  parallel_for(int(vertex_.size()), grain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      const int v = vertex_[c];
      corners_[c] = {points.place[v], points.way[v]};
    }
  });
}

}  // namespace pliant
