#include <cmath>
#include <ctime>
#include <utility>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "methods/make_body.h"
#include "picture/render.h"
#include "studies/picture_bench.h"
#include "world/world.h"

// What films cost: the same frames once as films draw them, once with every pixel drawn from rays
// of its own, which is the judge of how they look.

namespace pliant {
namespace {

constexpr double frame_time = 1.0 / 30;  // [s]

double processor_ms() { return 1e3 * double(std::clock()) / CLOCKS_PER_SEC; }

struct Scene {
  const char* name;
  World (*make)();
  int frames;
  bool by_height = false;  // colored by a field
};

void add(World& world, ColliderShape shape, const Vec3& at) {
  Collider collider;
  collider.shape = std::move(shape);
  collider.placement.position = at;
  world.colliders.push_back(std::move(collider));
}

World on_floor() {
  World world;
  add(world, PlaneShape{}, Vec3::Zero());
  return world;
}

void add(World& world, const char* method, TriangleMesh surface, const Vec3& at, double young) {
  for (Vec3& p : surface.points) p += at;
  Solid solid;
  solid.name = "body";
  solid.surface = std::move(surface);
  solid.material.young = young;
  solid.material.poisson = 0.4;
  solid.material.density = 1000;
  world.bodies.push_back(make_body(method, std::move(solid)));
}

World ball() {
  World world = on_floor();
  add(world, "tets", sphere_mesh(0.4, 0.03), {0, 0.9, 0}, 4e4);
  return world;
}

World ring() {
  World world = on_floor();
  add(world, "tets", torus_mesh(0.4, 0.15, 0.03), {0, 0.6, 0}, 6e4);
  world.bodies[0].nodes.velocity.assign(std::size_t(world.bodies[0].nodes.size()),
                                        Vec3(0.8, -2, 0));
  return world;
}

World heap() {
  World world = on_floor();
  for (int i = 0; i < 6; ++i)
    add(world, "rigid", box_mesh(Vec3(0.3, 0.2, 0.25), 0.3),
        {0.13 * (i % 2), 0.15 + 0.24 * i, 0.1 * (i % 3)}, 1e6);
  return world;
}

World shelf() {
  World world = on_floor();
  add(world, BoxShape{Vec3(0.5, 0.1, 0.3)}, {0, 0.1, 0});
  add(world, "tets", box_mesh(Vec3(1.4, 0.16, 0.3), 0.05), {0.35, 0.4, 0}, 3e4);
  return world;
}

constexpr Scene scenes[] = {
    {"ball", ball, 45},   {"ring", ring, 45},        {"heap", heap, 45},
    {"shelf", shelf, 45}, {"field", ball, 45, true},
};

/// One frame, and what it borrows from.
struct Frame {
  std::vector<std::vector<Eigen::Vector3f>> points;
  std::vector<std::vector<float>> values;

  explicit Frame(const World& world) {
    for (const Body& body : world.bodies) {
      std::vector<Eigen::Vector3f>& of_body = points.emplace_back();
      std::vector<float>& heights = values.emplace_back();
      for (const Vec3& p : body.drawn_skin().position) {
        of_body.push_back(p.cast<float>());
        heights.push_back(float(p.y()));
      }
    }
  }
};

/// The largest triangle of a box; colliders of these scenes are boxes and the floor.
void add_colliders(const World& world, std::vector<std::vector<Eigen::Vector3f>>& points,
                   std::vector<TriangleMesh>& surfaces) {
  for (const Collider& collider : world.colliders)
    if (const auto* box = std::get_if<BoxShape>(&collider.shape)) {
      surfaces.push_back(box_mesh(2 * box->half, 2 * box->half.maxCoeff()));
      std::vector<Eigen::Vector3f>& placed = points.emplace_back();
      for (const Vec3& p : surfaces.back().points)
        placed.push_back(collider.placement.apply(p).cast<float>());
    }
}

double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t p = 0; p < a.pixels.size(); ++p)
    for (std::size_t c = 0; c < 3; ++c) sum += std::abs(double(a.pixels[p][c]) - b.pixels[p][c]);
  return sum / (3 * 255.0 * double(a.pixels.size()));
}

BenchRow film(const Scene& scene, bool quick) {
  World world = scene.make();
  world.substeps = 12;
  std::vector<Frame> frames = {Frame(world)};
  Box box;
  const int count = quick ? 6 : scene.frames;
  for (int f = 0; f < count; ++f) {
    for (const Body& body : world.bodies)
      for (const Vec3& p : body.drawn_skin().position) box.add(p);
    world.step(frame_time / 2);
    world.step(frame_time / 2);
    frames.emplace_back(world);
  }
  std::vector<std::vector<Eigen::Vector3f>> obstacles;
  std::vector<TriangleMesh> surfaces;
  add_colliders(world, obstacles, surfaces);
  RenderSettings settings{.width = 1280, .height = 720};
  const Camera camera = frame_camera(box, double(settings.width) / settings.height);
  const auto shot_of = [&](const Frame& frame) {
    Shot shot;
    shot.camera = camera;
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      ShotMesh mesh{.points = frame.points[b],
                    .triangles = world.bodies[b].drawn_skin().triangles,
                    .color = palette(int(b))};
      if (scene.by_height) mesh.values = frame.values[b], mesh.range = {.low = 0, .high = 1};
      shot.meshes.push_back(mesh);
    }
    for (std::size_t k = 0; k < obstacles.size(); ++k)
      shot.meshes.push_back(
          {.points = obstacles[k], .triangles = surfaces[k].triangles, .color = collider_color()});
    shot.planes = {{Vec3::Zero(), Vec3::UnitY()}};
    return shot;
  };

  Renderer quickly, judge;
  double film_ms = 0, whole_ms = 0, difference = 0;
  int compared = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const Shot shot = shot_of(frames[f]);
    settings.whole = false;
    const double start = processor_ms();
    const Image image = quickly.render(shot, settings);
    film_ms += processor_ms() - start;
    if (f % 5 != 0) continue;
    settings.whole = true;
    const double again = processor_ms();
    const Image expected = judge.render(shot, settings);
    whole_ms += processor_ms() - again;
    difference = std::max(difference, mean_difference(image, expected));
    ++compared;
  }
  BenchRow row{
      .name = std::string("film/") + scene.name, .threads = threads(), .figures = {}, .hash = ""};
  row.add("ms/frame", film_ms / double(frames.size()));
  row.add("all drawn", whole_ms / compared);
  row.add("share", (film_ms / double(frames.size())) / (whole_ms / compared));
  row.add("difference %", 100 * difference);
  return row;
}

std::vector<BenchRow> films(const BenchWish& wish) {
  std::vector<BenchRow> rows;
  for (const Scene& scene : scenes)
    if (wish.wants(std::string("film/") + scene.name)) rows.push_back(film(scene, wish.quick));
  return rows;
}

constexpr Benchmark all[] = {
    {"film", "processor time of a film's frames at 1280 x 720, and of drawing all of each", films}};

}  // namespace

std::span<const Benchmark> film_benchmarks() { return all; }

}  // namespace pliant
