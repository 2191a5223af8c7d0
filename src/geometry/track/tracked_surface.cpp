#include "geometry/track/tracked_surface.h"

#include <algorithm>

#include "core/archive.h"

namespace pliant::track {

int TrackedSurface::pieces() const {
  return piece.empty() ? 0 : 1 + *std::max_element(piece.begin(), piece.end());
}

void TrackedSurface::archive(Archive& archive) {
  archive.array("points", points);
  archive.array("triangles", triangles);
  std::vector<int> from(origin.size());
  std::vector<double> second(origin.size()), third(origin.size());
  for (std::size_t p = 0; p < origin.size(); ++p) {
    from[p] = origin[p].triangle;
    second[p] = origin[p].second;
    third[p] = origin[p].third;
  }
  archive.array("origin", from);
  archive.array("origin_second", second);
  archive.array("origin_third", third);
  origin.resize(from.size());
  for (std::size_t p = 0; p < origin.size(); ++p) origin[p] = {from[p], second[p], third[p]};
  archive.array("source", source);
  archive.array("piece", piece);
  archive.array("apart", apart);
  archive.array("marks", marks);
  archive.value("frame", frame);
}

}  // namespace pliant::track
