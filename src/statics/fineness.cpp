#include "statics/fineness.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/archive.h"

namespace pliant {
namespace {

constexpr int first_nodes = 1000;
constexpr int most_nodes = 16000;
constexpr double growth = 2.5;  // of nodes: spacings fall by 1.36
/// Of the difference of two solutions, what the finer one is off by: as if errors fell with the
/// spacing to the power 1.5.
const double left_over = 1 / (std::pow(growth, 0.5) - 1);

/// Of what the recovery adds at the surface: what it may be off by.
constexpr double share_of_beyond = 0.3;

bool is_open(const BodyDescription& body) { return body.method.settings->leaves_nodes_open(); }

SceneDescription with_nodes(const SceneDescription& scene, int nodes) {
  SceneDescription finer = scene;
  for (BodyDescription& body : finer.bodies)
    if (is_open(body)) body.method.settings = body.method.settings->with_nodes(nodes);
  return finer;
}

/// The figures of the scene's last frame, none where it has no equilibrium. The world stays at its
/// start.
std::vector<StaticFigures> solved(BuiltScene& scene) {
  Archive start = Archive::saving();
  scene.world.archive(start);
  const StepReport report = scene.world.step(*scene.resolved.frames / scene.resolved.fps);
  std::vector<StaticFigures> figures;
  if (report.unbalanced == 0) figures = static_figures(scene);
  Archive back = Archive::loading(start.bytes());
  scene.world.archive(back);
  for (Body& body : scene.world.bodies) {
    body.refresh_skins();
    body.nodes.previous = body.nodes.position;
  }
  return figures;
}

double change(double before, double now) {
  return now > 0 ? left_over * std::abs(now - before) / now : 0;
}

/// Two solutions may agree by luck. So an estimate falls to a third of the one before at most, and
/// is never below a share of what is found at the surface beyond what lies around.
double stress_error(const StaticFigures& before, const StaticFigures& now) {
  const double beyond = now.stress.value > 0 ? 1 - now.blunt_stress / now.stress.value : 0;
  return std::max({change(before.stress.value, now.stress.value),
                   before.stress_error.value_or(0) / 3, share_of_beyond * std::abs(beyond)});
}

}  // namespace

void Fineness::add_errors(std::vector<StaticFigures>& figures) const {
  for (const OfBody& of : bodies)
    for (StaticFigures& body : figures) {
      if (body.body != of.body) continue;
      body.displacement_error = of.displacement_error;
      body.stress_error = of.stress_error;
    }
}

BuiltScene build_fine_enough(const SceneDescription& scene, const SceneSource& source, bool strict,
                             FunctionRef<void(int nodes)> tell, Fineness& fineness) {
  const bool is_any_open = std::any_of(scene.bodies.begin(), scene.bodies.end(), is_open);
  if (!scene.statics || scene.accuracy >= 1 || !is_any_open || scene.frames.value_or(1) == 0)
    return build_scene(scene, source, strict);
  std::vector<StaticFigures> before;
  for (int nodes = first_nodes;; nodes = int(growth * nodes)) {
    tell(nodes);
    BuiltScene built = build_scene(with_nodes(scene, nodes), source, strict);
    std::vector<StaticFigures> now = solved(built);
    if (now.empty()) return built;  // the run says so
    double worst = 0;
    fineness.bodies.clear();
    for (std::size_t b = 0; b < before.size(); ++b) {
      if (!is_open(scene.bodies[b])) continue;
      Fineness::OfBody of{now[b].body, nodes,
                          change(before[b].displacement.value, now[b].displacement.value),
                          stress_error(before[b], now[b])};
      now[b].stress_error = of.stress_error;
      worst = std::max({worst, of.displacement_error, of.stress_error});
      fineness.bodies.push_back(std::move(of));
    }
    const bool is_last = growth * nodes > most_nodes;
    if (!before.empty() && (worst <= scene.accuracy || is_last)) {
      fineness.why = fmt::format(
          "{} nodes a body: between {} and {} the largest displacement and stress change so little "
          "that they seem to be {:.2g} % off at most{}",
          nodes, int(nodes / growth), nodes, 100 * worst,
          worst <= scene.accuracy
              ? ""
              : fmt::format(", more than \"accuracy\" asks ({:g} %): more nodes take more time, "
                            "\"particles\" or \"cells\" ask for them",
                            100 * scene.accuracy));
      return built;
    }
    before = std::move(now);
  }
}

}  // namespace pliant
