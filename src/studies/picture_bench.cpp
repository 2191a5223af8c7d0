#include "studies/picture_bench.h"

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "picture/render.h"
#include "studies/stopwatch.h"

namespace pliant {
namespace {

/// A ring and a ball on a floor, about 20k triangles.
std::vector<BenchRow> frames(const BenchWish& wish) {
  const TriangleMesh ring = torus_mesh(0.5, 0.2, 0.02), ball = sphere_mesh(0.3, 0.02);
  std::vector<Eigen::Vector3f> ring_points, ball_points;
  for (const Vec3& p : ring.points) ring_points.push_back(p.cast<float>());
  for (const Vec3& p : ball.points) ball_points.push_back((p + Vec3(0, 0.3, 0)).cast<float>());
  Shot shot;
  shot.meshes = {{.points = ring_points, .triangles = ring.triangles},
                 {.points = ball_points, .triangles = ball.triangles, .color = palette(1)}};
  shot.planes = {{Vec3(0, -0.2, 0), Vec3::UnitY()}};
  shot.camera = frame_camera({Vec3(-0.7, -0.2, -0.7), Vec3(0.7, 0.6, 0.7)}, 640.0 / 360);

  Renderer renderer;
  BenchRow row{.name = "picture-640x360", .threads = threads(), .figures = {}, .hash = ""};
  row.add("ms/frame", fastest_of(wish.quick ? 2 : 5, [&] { renderer.render(shot); }));
  return {row};
}

constexpr Benchmark all[] = {{"picture", "one ray-traced frame of about 20k triangles", frames}};

}  // namespace

std::span<const Benchmark> picture_benchmarks() { return all; }

}  // namespace pliant
