#pragma once

#include <span>

#include "body/skin.h"
#include "geometry/query/neighbours.h"

namespace pliant::clusters {

/// A skin vertex as a weighted sum of the particles around it, by moving least squares that
/// reproduce linear functions: where the row is made the sum is the vertex itself, and whatever
/// affine motion the particles make, it makes too.
struct Row {
  static constexpr int most = 12;
  int count = 0;
  int node[most] = {};
  double weight[most] = {};
};

/// Makes rows. `piece` of each particle; `radius` [m] of them.
class Binder {
 public:
  Binder(const Neighbours& near, std::span<const int> piece, double radius)
      : near_(near), piece_(piece), radius_(radius) {}

  int piece_of(int particle) const { return piece_[particle]; }

  /// For a vertex of this piece. `normal`: outward unit normal, or zero; particles in front of the
  /// vertex are on the other side of a fold. The piece must have a particle.
  Row row(const Vec3& vertex, const Vec3& normal, int piece) const;

 private:
  std::vector<int> nearest(const Vec3& vertex, const Vec3& normal, int piece) const;

  const Neighbours& near_;
  std::span<const int> piece_;
  double radius_;
};

/// The rows of a skin before it changed, to be taken over where nothing they are made of did.
struct OldRows {
  const Weights* weights = nullptr;  // null: all rows are made anew
  std::span<const int> vertex;       // new -> old, -1 = none; empty: none has another number
  std::span<const int> node;         // old -> new, -1 = gone; empty: none has another number
};

/// Rows for all vertices of a skin where they are now. `piece_of_vertex` empty: all of one.
Weights bound(const Skin& skin, const Binder& binder, std::span<const int> piece_of_vertex,
              const OldRows& old = {});

/// Outward unit normals of a skin's vertices, by area.
std::vector<Vec3> vertex_normals(const Skin& skin);

}  // namespace pliant::clusters
