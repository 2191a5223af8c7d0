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

/// A motion as films show it: frames of points, and all that stays.
class Motion {
 public:
  Motion(const Scene& scene, int frames);

  int frames() const { return int(points_.size()); }
  /// Borrows from here.
  Shot shot(int frame) const;

 private:
  using Points = std::vector<Eigen::Vector3f>;
  void record();
  void add_colliders();

  World world_;
  bool by_height_;
  Box box_;
  std::vector<std::vector<Points>> points_;               // per frame and body
  std::vector<std::vector<std::vector<float>>> heights_;  // of them
  std::vector<Points> obstacles_;                         // of colliders that are boxes
  std::vector<TriangleMesh> surfaces_;
};

Motion::Motion(const Scene& scene, int frames) : world_(scene.make()), by_height_(scene.by_height) {
  world_.substeps = 12;
  record();
  for (int f = 1; f < frames; ++f) {
    world_.step(frame_time / 2);
    world_.step(frame_time / 2);
    record();
  }
  add_colliders();
}

void Motion::record() {
  std::vector<Points>& points = points_.emplace_back();
  std::vector<std::vector<float>>& heights = heights_.emplace_back();
  for (const Body& body : world_.bodies) {
    points.emplace_back();
    heights.emplace_back();
    for (const Vec3& p : body.drawn_skin().position) {
      box_.add(p);
      points.back().push_back(p.cast<float>());
      heights.back().push_back(float(p.y()));
    }
  }
}

void Motion::add_colliders() {
  for (const Collider& collider : world_.colliders)
    if (const auto* box = std::get_if<BoxShape>(&collider.shape)) {
      surfaces_.push_back(box_mesh(2 * box->half, 2 * box->half.maxCoeff()));
      Points& placed = obstacles_.emplace_back();
      for (const Vec3& p : surfaces_.back().points)
        placed.push_back(collider.placement.apply(p).cast<float>());
    }
}

Shot Motion::shot(int frame) const {
  Shot shot;
  shot.camera = frame_camera(box_, 16.0 / 9);
  for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
    ShotMesh mesh{.points = points_[std::size_t(frame)][b],
                  .triangles = world_.bodies[b].drawn_skin().triangles,
                  .color = palette(int(b))};
    if (by_height_) mesh.values = heights_[std::size_t(frame)][b];
    shot.meshes.push_back(mesh);
  }
  for (std::size_t k = 0; k < obstacles_.size(); ++k)
    shot.meshes.push_back(
        {.points = obstacles_[k], .triangles = surfaces_[k].triangles, .color = collider_color()});
  shot.planes = {{Vec3::Zero(), Vec3::UnitY()}};
  return shot;
}

/// Of 255, as a share.
double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t p = 0; p < a.pixels.size(); ++p)
    for (std::size_t c = 0; c < 3; ++c) sum += std::abs(double(a.pixels[p][c]) - b.pixels[p][c]);
  return sum / (3 * 255.0 * double(a.pixels.size()));
}

Image timed(Renderer& renderer, const Shot& shot, bool whole, double& ms) {
  const double start = processor_ms();
  Image image = renderer.render(shot, {.width = 1280, .height = 720, .samples = 4, .whole = whole});
  ms += processor_ms() - start;
  return image;
}

BenchRow film(const Scene& scene, bool quick) {
  constexpr int judged = 5;  // of so many frames one is drawn by the judge, too
  const Motion motion(scene, quick ? 6 : scene.frames);
  Renderer film, judge;
  double film_ms = 0, whole_ms = 0, difference = 0;
  int count = 0;
  for (int f = 0; f < motion.frames(); ++f) {
    const Shot shot = motion.shot(f);
    const Image image = timed(film, shot, false, film_ms);
    if (f % judged != 0) continue;
    difference = std::max(difference, mean_difference(image, timed(judge, shot, true, whole_ms)));
    ++count;
  }
  film_ms /= motion.frames();
  whole_ms /= count;
  BenchRow row{
      .name = std::string("film/") + scene.name, .threads = threads(), .figures = {}, .hash = ""};
  row.add("ms/frame", film_ms);
  row.add("all drawn", whole_ms);
  row.add("share", film_ms / whole_ms);
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
