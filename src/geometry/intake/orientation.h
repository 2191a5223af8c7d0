#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// What was done to make triangles face outwards.
struct Orientation {
  std::vector<int> turned;     // triangles, rising
  int parts = 0;               // joined by edges of exactly two triangles
  int turned_parts = 0;        // turned as a whole: inside out
  std::vector<int> one_sided;  // triangles of parts that have no two sides (Moebius), rising
  int undecided = 0;           // parts that look the same from both sides: left as they are
};

/// Makes neighbours agree, then turns every part that faces inwards. Closed parts are judged by
/// their volume; one inside another keeps its sense relative to it, so cavities stay cavities.
/// Open parts face the side from which more rays escape. Triangles must have an area.
Orientation orient(TriangleMesh& mesh);

}  // namespace pliant
