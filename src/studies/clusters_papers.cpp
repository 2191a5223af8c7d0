#include "studies/clusters_papers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "geometry/mesh/primitives.h"
#include "methods/clusters/clusters.h"
#include "methods/groups/groups.h"
#include "methods/registry.h"
#include "methods/rigid/rigid.h"
#include "methods/tets/tets.h"
#include "studies/clusters_rig.h"

// The experiments of Chentanez, Mueller, Macklin 2016 (large elasto-plastic
// deformation with clustered shape matching) by their numbers in our notes. The paper's stiffness K
// depends on step and iterations; here a material has E, nu and a yield, and must not.

namespace pliant {
namespace {

/// A block and what it is made of.
struct Setup : ClustersSetup {
  Vec3 size = {1, 1.5, 1};  // [m]
  double lift = 0;          // [m] of its middle
};

Body block(const Setup& setup) {
  TriangleMesh surface = box_mesh(setup.size, setup.radius);
  for (Vec3& p : surface.points) p.y() += setup.lift;
  return clusters_body(surface, setup);
}

/// [m] Height of a block that falls by 0.2 m, after these seconds.
double drop(Setup setup, double seconds) {
  setup.lift = setup.size.y() / 2 + 0.2;
  World world;
  world.substeps = setup.substeps;
  world.bodies.push_back(block(setup));
  Body& body = world.bodies[0];
  world.colliders.push_back(ground());
  for (int f = 0; f < int(seconds * setup.fps); ++f) world.step(1 / setup.fps);
  return bounds(body.skin.position).extent().y();
}

/// Young's modulus over that asked for, of a bar that hangs by its end: from how far two cross
/// sections part.
double hanging_modulus(const Setup& setup) {
  World world;
  world.substeps = setup.substeps;
  world.bodies.push_back(block(setup));
  Body& body = world.bodies[0];
  const double length = setup.size.y(), top = length / 2 - 2 * setup.radius;
  Handle handle;
  for (int p = 0; p < body.nodes.size(); ++p)
    if (body.nodes.position[p].y() > top) {
      handle.nodes.push_back(p);
      handle.rest.push_back(body.nodes.position[p]);
    }
  body.handles.push_back(handle);
  const std::vector<Vec3> rest = body.nodes.position;
  for (int f = 0; f < 150; ++f) world.step(1 / setup.fps);
  const auto sag = [&](double y) {  // mean over a slice
    double sum = 0;
    int count = 0;
    for (int p = 0; p < body.nodes.size(); ++p)
      if (std::abs(rest[p].y() - y) < setup.radius) {
        sum += rest[p].y() - body.nodes.position[p].y();
        ++count;
      }
    return sum / count;
  };
  const double upper = 0.25 * length, lower = -0.4 * length;
  // Strain at y: rho g (y + length / 2) / E.
  const auto below = [&](double y) { return (y + length / 2) * (y + length / 2) / 2; };
  const double expected = 1000 * 9.81 * (below(upper) - below(lower)) / setup.young;
  return expected / (sag(lower) - sag(upper));
}

Setup bar(double poisson, int substeps) {
  Setup setup;
  setup.size = {0.8, 3, 0.8};
  setup.young = 1e6;
  setup.poisson = poisson;
  setup.damping = 8;
  setup.flow = 0;
  setup.substeps = substeps;
  return setup;
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double v : values) text += fmt::format("{}{:.3f}", text.empty() ? "" : ", ", v);
  return text;
}

double spread(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return (*high - *low) / *low;
}

PaperRow modulus(bool quick) {
  std::vector<double> found, steps;
  for (const double poisson : {0.3, 0.45, 0.49}) found.push_back(hanging_modulus(bar(poisson, 20)));
  for (const int n : {10, 20, 40})
    if (!quick || n < 40) steps.push_back(hanging_modulus(bar(0.45, n)));
  const bool near =
      std::all_of(found.begin(), found.end(), [](double e) { return std::abs(e - 1) < 0.15; });
  return {"E within 15 % for nu 0.3, 0.45, 0.49; within 1 % from 10 to 40 substeps",
          fmt::format("{} of E; {}", joined(found), joined(steps)), near && spread(steps) < 0.01};
}

PaperRow steps(bool quick) {
  std::vector<double> height;
  for (const int n : {10, 20, 40}) {
    Setup setup;
    setup.substeps = n;
    height.push_back(drop(setup, quick ? 1 : 1.5));
  }
  for (const double fps : {30.0, 120.0}) {
    Setup setup;
    setup.fps = fps;
    setup.substeps = int(1200 / fps);
    height.push_back(drop(setup, quick ? 1 : 1.5));
  }
  return {"a drop's height within 5 % for 10, 20, 40 substeps and 30, 120 frames a second",
          joined(height) + " m", spread(height) < 0.05, "the paper's own law: 0.46 to 1.43"};
}

PaperRow eight_drops(bool quick) {
  bool falls = true;
  std::string text;
  std::vector<double> low, high;
  for (const double yield : {1e-4, 1e-2}) {
    std::vector<double>& height = yield < 1e-3 ? low : high;
    for (const double rate : {0.1, 0.2, 0.5, 0.9}) {
      Setup setup;
      setup.yield = yield;
      setup.flow = -60 * std::log(1 - rate);
      height.push_back(drop(setup, quick ? 1 : 2.5));
    }
    falls = falls && std::is_sorted(height.rbegin(), height.rend());
    text += (text.empty() ? "" : "; ") + joined(height);
  }
  for (std::size_t k = 0; k < low.size(); ++k) falls = falls && low[k] < high[k];
  return {"height falls with the rate of flow, and is lower for the lower yield", text + " m",
          falls};
}

PaperRow hardening(bool quick) {
  std::vector<double> height;
  for (const double rise : {0.0, 0.1, 1.0, 5.0}) {
    Setup setup;
    setup.yield = 1e-4;
    setup.flow = -60 * std::log(1 - 0.9);
    setup.hardening = rise;
    height.push_back(drop(setup, quick ? 1 : 2.5));
  }
  return {"height rises with hardening", joined(height) + " m",
          std::is_sorted(height.begin(), height.end())};
}

/// [m] How deep a block of clay is where a ball fell on it.
double dent_by(const char* method) {
  Solid clay;
  clay.name = method;
  clay.surface = box_mesh({0.6, 0.3, 0.6}, 0.03);
  for (Vec3& p : clay.surface.points) p.y() += 0.151;
  clay.material = elastic_material(1e6, 0.45, 1000, 8);
  clay.material.plastic.emplace();
  clay.material.plastic->yield = 2e4;
  clay.material.plastic->flow = 100;
  const std::unique_ptr<MethodSettings> settings = find_method(method)->settings();
  if (auto* of = dynamic_cast<tets::Settings*>(settings.get())) of->cell_size = 0.03;
  if (auto* of = dynamic_cast<groups::Settings*>(settings.get())) of->cell_size = 0.03;
  if (auto* of = dynamic_cast<clusters::Settings*>(settings.get())) of->radius = 0.02;
  Solid ball;
  ball.name = "ball";
  ball.surface = sphere_mesh(0.15, 0.03);
  for (Vec3& p : ball.surface.points) p.y() += 0.46;
  ball.material = elastic_material(1e9, 0.3, 4000, 0);
  World world;
  world.bodies.push_back(settings->create(clay));
  world.bodies.push_back(rigid::Settings().create(ball));
  for (Vec3& v : world.bodies[1].nodes.velocity) v = {0, -3, 0};
  world.colliders.push_back(ground(0.8));
  for (int f = 0; f < 60; ++f) world.step(1.0 / 60);
  double lowest = 0.3;
  for (const Vec3& p : world.bodies[0].drawn_skin().position)
    if (std::hypot(p.x(), p.z()) < 0.1) lowest = std::min(lowest, p.y() > 0.05 ? p.y() : lowest);
  return 0.3 - lowest;
}

PaperRow dents(bool) {
  std::vector<double> depth;
  for (const char* method : {"tets", "groups", "clusters"}) depth.push_back(dent_by(method));
  return {
      "the same dent by tets, groups and clusters within 20 %", joined(depth) + " m",
      spread(depth) < 0.2,
      "a ball of 57 kg and 0.3 m falls at 3 m/s on clay 0.3 m high; clusters of particles 28 mm "
      "apart, nearly as large as the ball, give 0.042 m"};
}

const Experiment all[] = {
    {"L-modulus", "clusters: a hanging bar stretches as its Young's modulus says", modulus},
    {"L-steps", "clusters: what flows does not depend on the step", steps},
    {"L-dent", "clusters: a ball falls on clay", dents},
    {"L-2", "clusters: eight blocks dropped, fig. 2", eight_drops},
    {"L-3", "clusters: hardening, fig. 3", hardening},
};

}  // namespace

std::span<const Experiment> clusters_experiments() { return all; }

}  // namespace pliant
