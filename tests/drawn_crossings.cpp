#include <exception>
#include <fmt/format.h>

#include "geometry/mesh/topology.h"
#include "geometry/query/penetration.h"
#include "play/recording.h"
#include "scene/build.h"
#include "scene/read.h"

// drawn_crossings SCENE RUN: how deep recorded surfaces of different bodies lie inside each other,
// a line for each pair that ever does: the two names, the frame where they are deepest, that depth
// [m], and what contact states: how far drawn surfaces are from what touches, and a hundredth of a
// cell.

using namespace pliant;

namespace {

struct Crossing {
  double depth = 0;  // [m]
  int frame = 0;
};

TriangleMesh surface_of(const RecordedBody& body) {
  TriangleMesh mesh;
  mesh.triangles = body.triangles;
  mesh.points.reserve(body.points.size());
  for (const Eigen::Vector3f& p : body.points) mesh.points.push_back(p.cast<double>());
  return mesh;
}

double stated(const Body& a, const Body& b) {
  const auto distance = [](const Body& body) { return body.drawn ? body.drawn->distance : 0.0; };
  return std::max(distance(a), distance(b)) + 0.01 * std::max(a.spacing, b.spacing);
}

void tell_crossings(const std::string& scene, const std::string& run) {
  const BuiltScene built = build_scene(read_scene(scene), source_of(scene));
  const std::vector<Body>& bodies = built.world.bodies;
  RecordingReader reader(std::filesystem::path(run) / "recording.bin");
  const std::size_t count = bodies.size();
  std::vector<Crossing> worst(count * count);
  for (int f = 0; f < reader.frames(); ++f) {
    std::vector<TriangleMesh> surfaces;
    for (const RecordedBody& body : reader.frame(f)) surfaces.push_back(surface_of(body));
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b) {
        if (a == b || !is_closed(surfaces[b])) continue;
        const double depth = deepest_inside(surfaces[a].points, surfaces[b]);
        if (depth > worst[a * count + b].depth) worst[a * count + b] = {depth, f};
      }
  }
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      if (const auto [depth, frame] = worst[a * count + b]; depth > 0)
        fmt::print("{}\t{}\t{}\t{:.3g}\t{:.3g}\n", bodies[a].name, bodies[b].name, frame, depth,
                   stated(bodies[a], bodies[b]));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 3) throw std::invalid_argument("drawn_crossings SCENE RUN");
    tell_crossings(arguments[1], arguments[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
