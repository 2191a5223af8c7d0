#include "studies/clusters_rig.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "geometry/mesh/primitives.h"
#include "geometry/track/invariant.h"
#include "geometry/track/tracker.h"
#include "methods/clusters/clusters.h"
#include "studies/stopwatch.h"

namespace pliant {
namespace {

constexpr double drawn_out = 1.8;  // |F_P| from which particles are made, as in the method

TriangleMesh mesh_of(const Skin& skin) {
  TriangleMesh mesh;
  mesh.points = skin.position;
  mesh.triangles = skin.triangles;
  return mesh;
}

/// On which side of an edge, seen along y, the origin is.
double side(const Vec3& a, const Vec3& b) { return a.z() * b.x() - a.x() * b.z(); }

}  // namespace

ClustersSetup as_in_paper(double yield, double rate, double stiffness, double hardening) {
  ClustersSetup setup;
  setup.yield = yield;
  setup.flow = -60 * std::log(1 - rate);
  setup.hardening = hardening;
  setup.stiffness = stiffness;
  setup.damping = 0;
  setup.substeps = 1;
  return setup;
}

Body clusters_body(const TriangleMesh& surface, const ClustersSetup& setup) {
  Solid solid;
  solid.name = "body";
  solid.surface = surface;
  solid.material = elastic_material(setup.young, setup.poisson, 1000, setup.damping);
  if (setup.flow > 0) {
    Plastic plastic;
    plastic.yield_strain = setup.yield;
    plastic.flow = setup.flow;
    plastic.hardening = setup.hardening;
    solid.material.plastic = plastic;
  }
  clusters::Settings settings;
  settings.radius = setup.radius;
  settings.resample = setup.resample;
  settings.surface_edge = setup.edge;
  if (setup.stiffness) {
    settings.law = clusters::Settings::Law::paper;
    settings.stiffness = setup.stiffness;
    settings.iterations = setup.iterations;
  }
  return settings.create(solid);
}

const clusters::ClustersMethod& clusters_of(const World& world) {
  return static_cast<const clusters::ClustersMethod&>(*world.bodies[0].method);
}

TriangleMesh united(const TriangleMesh& parts, double edge) {
  track::Tracker tracker(parts, {.longest = edge});
  track::TrackedSurface surface = tracker.begin();
  for (int i = 0; i < 3; ++i) tracker.advance(surface);
  TriangleMesh mesh;
  mesh.points = surface.points;
  mesh.triangles = surface.triangles;
  return mesh;
}

void add(TriangleMesh& parts, const TriangleMesh& more, const Pose& at) {
  const int first = int(parts.points.size());
  for (const Vec3& p : more.points) parts.points.push_back(at.apply(p));
  for (const Triangle& t : more.triangles)
    parts.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

Collider ground(double friction) {
  Collider floor;
  floor.name = "ground";
  floor.shape = PlaneShape{};
  floor.friction = friction;
  return floor;
}

std::string Watched::told() const {
  return fmt::format("{}{}{}, volume {:.3f} ({:.1f} % off at most), particles x{:.2f} to x{:.2f}",
                     broken.empty() ? "closed in every frame" : broken,
                     mass_kept ? ", mass to the bit" : ", mass changed",
                     mixed == 0 ? "" : fmt::format(", {} clusters across pieces", mixed), volume,
                     100 * volume_error, double(fewest) / particles_before,
                     double(most) / particles_before);
}

Show::Show(Body made, const ClustersSetup& setup, const Vec3& gravity) : fps_(setup.fps) {
  world.gravity = gravity;
  world.substeps = setup.substeps;
  world.bodies.push_back(std::move(made));
  mass_ = total_mass(body().nodes);
  volume_ = volume(mesh_of(body().skin));
  watched_.particles_before = watched_.fewest = watched_.most = body().nodes.size();
}

void Show::play(double seconds) {
  const int frames = int(std::lround(seconds * fps_));
  for (int f = 0; f < frames; ++f) {
    watched_.seconds += 1e-3 * milliseconds_of([&] { world.step(1 / fps_); });
    look();
  }
}

void Show::look() {
  const Skin& skin = body().skin;
  const clusters::Matter& matter = clusters_of(world).matter();
  Watched& w = watched_;
  if (w.broken.empty()) w.broken = track::broken(skin.position, skin.triangles);
  w.mass_kept = w.mass_kept && total_mass(body().nodes) == mass_;
  w.pieces = 1 + *std::max_element(matter.piece.begin(), matter.piece.end());
  w.most_pieces = std::max(w.most_pieces, w.pieces);
  w.fewest = std::min(w.fewest, body().nodes.size());
  w.most = std::max(w.most, body().nodes.size());
  w.volume = volume(mesh_of(skin)) / volume_;
  w.volume_error = std::max(w.volume_error, std::abs(w.volume - 1));
  for (const clusters::Cluster& cluster : matter.clusters) {
    w.largest_stretch = std::max(w.largest_stretch, cluster.plastic.norm());
    for (const int p : cluster.member) w.mixed += matter.piece[p] != cluster.piece;
  }
  w.seeding = (w.seeding * frames_ + seeding()) / (frames_ + 1);
  ++frames_;
}

double Show::seeding() const {
  const clusters::Matter& matter = clusters_of(world).matter();
  std::vector<char> seeds(std::size_t(matter.particles()), 0);
  for (const clusters::Cluster& cluster : matter.clusters)
    if (cluster.plastic.norm() > drawn_out)
      for (const int p : cluster.member) seeds[p] = 1;
  return double(std::count(seeds.begin(), seeds.end(), 1)) / double(matter.particles());
}

Handle& Show::grab(int axis, int side, double depth) {
  double end = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : body().nodes.position) end = std::max(end, side * p[axis]);
  Handle handle;
  for (int p = 0; p < body().nodes.size(); ++p)
    if (side * body().nodes.position[p][axis] > end - depth) {
      handle.nodes.push_back(p);
      handle.rest.push_back(body().nodes.position[p]);
    }
  body().handles.push_back(std::move(handle));
  return body().handles.back();
}

double solid_share(const Skin& skin, double long_share, double wide_share) {
  constexpr int lines = 24;  // along each of x and z
  const Box box = bounds(skin.position);
  const auto along = [&](int axis, double share, int k) {
    return box.centre()[axis] + share * ((k + 0.5) / lines - 0.5) * box.extent()[axis];
  };
  int once = 0, more = 0;
  for (int i = 0; i < lines; ++i)
    for (int j = 0; j < lines; ++j) {
      const Vec3 foot(along(0, long_share, i), 0, along(2, wide_share, j));
      int crossings = 0;
      for (const Triangle& t : skin.triangles) {
        const Vec3 a = skin.position[t[0]] - foot, b = skin.position[t[1]] - foot,
                   c = skin.position[t[2]] - foot;
        const bool left = side(a, b) > 0;
        crossings += left == (side(b, c) > 0) && left == (side(c, a) > 0);
      }
      once += crossings == 2;
      more += crossings > 2;
    }
  return once + more == 0 ? 0 : double(once) / (once + more);
}

}  // namespace pliant
