#include "studies/recovery.h"

#include "core/random.h"
#include "math/rigid_fit.h"
#include "methods/tets/tets.h"

namespace pliant {
namespace {

World world_of(const TetMesh& mesh, const RecoveryTrial& trial) {
  const Material material = elastic_material(trial.young, trial.poisson, 1000, trial.damping);
  tets::Settings settings;
  settings.recovery = trial.recovery;
  if (trial.plain) settings.kernel = tets::Kernel::plain;
  World world;
  world.gravity = Vec3::Zero();
  world.contact.settings.touch = Touches::bodies;  // it must pass through itself to find its shape
  world.substeps = trial.substeps;
  world.bodies.push_back(tets::make_body(mesh, material, settings));
  return world;
}

}  // namespace

void invert_tets(const TetMesh& mesh, Body& body, double share, int seed) {
  std::vector<Vec3>& p = body.nodes.position;
  std::vector<char> touched(p.size(), 0);
  int inverted = 0;
  for (int tries = 0; inverted < share * double(mesh.tets.size()) && tries < 20; ++tries)
    for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
      // Small steps in the share, because a reflected corner inverts several tets around it.
      if (random_unit(std::uint64_t(seed), 20 * i + std::uint64_t(tries)) > share / 8) continue;
      const Tet& t = mesh.tets[i];
      if (touched[t[0]]) continue;
      touched[t[0]] = 1;
      const Vec3 normal = (p[t[2]] - p[t[1]]).cross(p[t[3]] - p[t[1]]).normalized();
      p[t[0]] -= 2 * normal.dot(p[t[0]] - p[t[1]]) * normal;
      if (i % 64 != 0) continue;
      inverted = body.method->measure(body.nodes).inverted;
      if (inverted >= share * double(mesh.tets.size())) break;
    }
  body.skin.refresh(p);
}

RecoveryResult recover(const TetMesh& mesh, const RecoveryTrial& trial) {
  World world = world_of(mesh, trial);
  Body& body = world.bodies[0];
  const std::vector<Vec3> rest = body.nodes.position;
  if (trial.scramble) scramble(body, *trial.scramble, std::uint64_t(trial.seed));
  else invert_tets(mesh, body, trial.inverted_share, trial.seed);

  RecoveryResult result;
  constexpr int pause = 10;  // frames between looks
  constexpr int proof = 30;  // frames it must stay well
  double well_since = -1;
  for (int frame = pause; frame <= int(60 * trial.most_time); frame += pause) {
    for (int i = 0; i < pause; ++i) world.step(1.0 / 60);
    const Measures m = body.method->measure(body.nodes);
    result.inverted = m.inverted;
    result.volume_ratio = m.volume / m.rest_volume;
    result.shape_error = shape_distance(rest, body.nodes.position, body.nodes.mass) / body.extent;
    const bool well =
        m.inverted == 0 && std::abs(result.volume_ratio - 1) < 0.02 && result.shape_error < 0.02;
    if (!well) well_since = -1;
    else if (well_since < 0) well_since = world.time;
    if (well && world.time - well_since > (proof - 0.5) / 60) {
      result.recovered = true;
      result.time = well_since;
      break;
    }
  }
  return result;
}

}  // namespace pliant
