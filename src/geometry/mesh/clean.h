#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A surface without what only disturbs, and what was taken away, for a message to the user.
struct Cleaned {
  /// What became of a triangle.
  enum class Fate : char { kept, collapsed, flat, repeated };

  TriangleMesh mesh;
  std::vector<Fate> fate;  // per given triangle; those kept stay in their order
  std::vector<int> kept;   // per given point: its index in mesh.points; -1 = no triangle used it
  int welded = 0;          // points that lay exactly on an earlier one
  int unused = 0;          // points no remaining triangle uses
  int collapsed = 0;       // triangles with two equal corners, before or after welding
  int flat = 0;            // triangles of no area although their corners differ
  int repeated = 0;        // triangles that were there already, facing the same way
  bool changed() const { return welded + unused + collapsed + flat + repeated > 0; }
};

/// Welds exactly coincident points, then drops triangles without area, repeated triangles and
/// unused points. Kept points and triangles stay in their order. Never moves a point.
Cleaned clean(const TriangleMesh& mesh);

}  // namespace pliant
