#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/surface/skin_tree.h"

namespace pliant {

/// A triangle that a vertex can meet.
struct Candidate {
  int triangle = 0;
  float distance = 0;  // [m] not nearer than this when it was listed
};

/// Vertices of one skin and, for each, the triangles of another skin that can come near it.
struct CandidateList {
  using Found = LeafBoxes::TriangleInReach;

  std::vector<int> vertex;           // rising
  std::vector<int> start;            // vertex[i] can meet candidate[start[i], start[i + 1])
  std::vector<Candidate> candidate;  // the nearest first
  // Which of its candidates was the nearest to vertex[i] when it was last looked at, or -1: a
  // good guess, which spares the others.
  std::vector<int> last;
  // [m] None of its candidates comes nearer to vertex[i] than this, less the path of the pair since
  // it was listed. Measured when vertex[i] was last looked at; 0 = look.
  std::vector<double> clearance;

  int count() const { return int(vertex.size()); }
  std::span<const Candidate> candidates(int i) const {
    return {candidate.data() + start[i], std::size_t(start[i + 1] - start[i])};
  }
  void clear();
  /// Takes what was found, in order; sorts that.
  void take(std::vector<Found>& found);

  struct Workspace {
    std::vector<int> next;
    std::vector<std::uint64_t> keys;
  };
  /// The same for very many candidates of few vertices, [0, vertices): quicker than to sort them.
  void take(std::span<const Found> found, int vertices, Workspace& workspace);
};

/// Two edges that can come near each other.
struct ListedEdges {
  int a = 0, b = 0;
  double clearance = 0;  // [m] as that of a listed vertex, see CandidateList

  bool operator<(const ListedEdges& other) const {
    return a != other.a ? a < other.a : b < other.b;
  }
};

}  // namespace pliant
